"""Interpretation of typed text, and the part of it that the participant sees."""

from __future__ import annotations

from typing import Any

import pytest

from negoplatform.core.events import MessageSubtype
from negoplatform.core.state import State
from negoplatform.core.visibility import Observer, view_of
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.language import Ambiguity, AnnotationKind, DialogueAct, Interpretation, TextAnnotation
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.interpretation.interpretation_view import (
    InterpretationView,
    interpretation_view,
)
from negoplatform.presentation.interpretation.interpreted_message import (
    InterpretedMessage,
    TypedTextIntent,
    interpret_message,
    is_still_valid,
)
from negoplatform.testing import TrialTable

NAMES = {"agent": "Rowan"}
BANANAS = Offer({"bananas": Allocation({"human": 3, "agent": 1})})
EVEN = {"bananas": (2, 2), "grain": (3, 2), "wood": (1, 2), "spices": (2, 1)}


def seen(table: TrialTable) -> State:
    table.start()
    return view_of(table.state, Observer("human")).state


def meaning(table: TrialTable, **understood: Any) -> TypedTextIntent | None:
    held = interpret_message(Interpretation("…", **understood), seen(table), "human")
    return None if held is None else held.intent


def shown(table: TrialTable, **understood: Any) -> InterpretationView:
    state = seen(table)
    held = interpret_message(Interpretation("…", **understood), state, "human")
    assert held is not None
    return interpretation_view(held, state, "human", NAMES, 0.0, ENGLISH)


def shares(view: InterpretationView) -> list[str]:
    """Return the texts of the chips."""
    return [": ".join(filter(None, (chip.title, ", ".join(chip.words)))) for chip in view.chips]


@pytest.mark.parametrize(
    "understood",
    [
        {},
        {"offers": (BANANAS,), "sure": 0.1, "soft": True},
        {"accepts": True},
    ],
    ids=["talk", "a vague wish", "a yes to nothing"],
)
def test_what_is_no_plain_offer_has_nothing_to_wait_for(table: TrialTable, understood: Any) -> None:
    assert meaning(table, **understood) is None


def test_own_offers_are_not_agreed_to(table: TrialTable) -> None:
    table.human.offers(EVEN)

    assert meaning(table, accepts=True) is None


def test_an_own_offer_that_the_other_has_accepted_is_confirmed(table: TrialTable) -> None:
    table.agent.accepts(table.human.offers(EVEN))

    view = shown(table, accepts=True)

    assert view.heading.startswith("You confirm the deal: 2 bananas")
    assert (view.confirm_label, view.binds) == ("Confirm", True)


def test_what_was_accepted_already_is_not_accepted_again(table: TrialTable) -> None:
    table.human.accepts(table.agent.offers(EVEN))

    assert meaning(table, accepts=True) is None


def test_a_yes_that_repeats_terms_of_the_offer_is_a_yes(table: TrialTable) -> None:
    table.agent.offers({**EVEN, "bananas": (3, 1)})

    assert meaning(table, accepts=True, offers=(BANANAS,), sure=1.0) is TypedTextIntent.ACCEPTANCE


def test_a_yes_to_a_whole_offer_with_other_terms_proposes_theirs_with_those_in_place(
    table: TrialTable,
) -> None:
    theirs = table.agent.offers(EVEN)

    held = interpret_message(
        Interpretation("…", offers=(BANANAS,), sure=1.0, accepts=True), seen(table), "human"
    )

    assert held is not None
    assert (held.intent, held.offer_id) == (TypedTextIntent.PROPOSAL, theirs.seq)
    assert held.offers == (theirs.get_offer().with_terms_of(BANANAS),)
    assert shares(shown(table, offers=(BANANAS,), sure=1.0, accepts=True))[:2] == [
        "bananas: you 3, Rowan 1",
        "grain: you 3, Rowan 2",
    ]


def test_other_terms_without_a_yes_say_nothing_of_theirs(table: TrialTable) -> None:
    table.agent.offers(grain=(3, 2))

    held = interpret_message(Interpretation("…", offers=(BANANAS,), sure=1.0), seen(table), "human")

    assert held is not None
    assert (held.intent, held.offers) == (TypedTextIntent.PROPOSAL, (BANANAS,))


def test_a_yes_to_a_partial_offer_and_terms_besides_are_agreed_and_proposed(table: TrialTable) -> None:
    table.agent.offers(grain=(3, 2))

    view = shown(table, offers=(BANANAS,), sure=1.0, accepts=True)

    assert meaning(table, offers=(BANANAS,), sure=1.0, accepts=True) is TypedTextIntent.AGREEMENT
    assert view.heading == "You agree, and propose this. Send it as an offer?"
    assert shares(view) == ["bananas: you 3, Rowan 1", "grain: you 3, Rowan 2"]


def test_of_a_partial_offer_what_one_names_otherwise_is_ones_own(table: TrialTable) -> None:
    table.agent.offers(grain=(3, 2), bananas=(1, 3))

    view = shown(table, offers=(BANANAS,), sure=1.0, accepts=True)

    assert shares(view) == ["bananas: you 3, Rowan 1", "grain: you 3, Rowan 2"]


def test_a_yes_of_which_nothing_is_left_is_a_proposal(table: TrialTable) -> None:
    table.agent.offers(bananas=(1, 3))

    assert meaning(table, offers=(BANANAS,), sure=1.0, accepts=True) is TypedTextIntent.PROPOSAL


def test_terms_that_are_not_sure_are_a_guess_and_no_yes(table: TrialTable) -> None:
    table.agent.offers(grain=(3, 2))

    assert meaning(table, offers=(BANANAS,), sure=0.8, accepts=True) is TypedTextIntent.GUESS


def test_a_guess_is_asked_about_and_said_already(table: TrialTable) -> None:
    view = shown(table, offers=(BANANAS,), sure=0.8)

    assert view.heading == "Did you mean this as an offer?"
    assert shares(view) == ["bananas: you 3, Rowan 1"]
    assert view.is_sent
    assert not view.can_send_text_only


def test_what_is_agreed_goes_along_with_further_terms(table: TrialTable) -> None:
    table.human.offers(grain=(3, 2))
    table.agent.offers(grain=(3, 2))

    view = shown(table, offers=(BANANAS,), sure=1.0)

    assert shares(view) == ["bananas: you 3, Rowan 1", "grain: you 3, Rowan 2"]
    assert "with what you both agreed on" in view.detail


def test_a_part_of_a_package_that_was_not_taken_does_not_go_along(table: TrialTable) -> None:
    table.human.offers(grain=(3, 2), wood=(1, 2))
    table.agent.offers(grain=(3, 2), wood=(3, 0))

    view = shown(table, offers=(BANANAS,), sure=1.0)

    assert shares(view) == ["bananas: you 3, Rowan 1"]


def test_a_yes_with_a_change_is_their_offer_with_that_change(table: TrialTable) -> None:
    table.agent.offers(EVEN)

    view = shown(table, offers=(BANANAS,), sure=1.0, adapts=True)

    assert shares(view) == [
        "bananas: you 3, Rowan 1",
        "grain: you 3, Rowan 2",
        "wood: you 1, Rowan 2",
        "spices: you 2, Rowan 1",
    ]
    assert "with the rest of the offer on the table" in view.detail


def test_a_yes_to_what_the_other_asked_for_in_words_is_an_agreement_to_send(table: TrialTable) -> None:
    table.agent.offers(EVEN)

    view = shown(table, offers=(BANANAS,), sure=1.0, echoes=True)

    assert view.heading == "You agree to this. Send it as an offer?"


def test_a_yes_with_a_change_to_a_part_takes_along_what_is_agreed_besides(table: TrialTable) -> None:
    table.human.offers(grain=(3, 2))
    table.agent.offers(grain=(3, 2))
    table.agent.offers(wood=(1, 2))

    view = shown(table, offers=(BANANAS,), sure=1.0, adapts=True)

    assert shares(view) == ["bananas: you 3, Rowan 1", "grain: you 3, Rowan 2", "wood: you 1, Rowan 2"]


def test_what_goes_along_is_gone_once_it_no_longer_stands(table: TrialTable) -> None:
    table.human.offers(grain=(3, 2))
    table.agent.offers(grain=(3, 2))
    state = seen(table)
    held = interpret_message(Interpretation("…", offers=(BANANAS,), sure=1.0), state, "human")
    assert held is not None
    table.agent.offers(grain=(2, 3))

    assert (is_still_valid(held, state, "human"), is_still_valid(held, seen(table), "human")) == (True, False)


def test_the_rest_of_an_offer_is_gone_with_the_offer(table: TrialTable) -> None:
    table.agent.offers(EVEN)
    state = seen(table)
    held = interpret_message(Interpretation("…", offers=(BANANAS,), sure=1.0, adapts=True), state, "human")
    assert held is not None
    table.agent.offers({**EVEN, "wood": (0, 3)})

    assert (is_still_valid(held, state, "human"), is_still_valid(held, seen(table), "human")) == (True, False)


def test_what_is_hardly_an_offer_is_not_asked_about(table: TrialTable) -> None:
    assert meaning(table, offers=(BANANAS,), sure=0.19) is None


def test_a_refusal_with_other_terms_is_held_out(table: TrialTable) -> None:
    """ "No way, you get 1 food and I take 2 water" """
    refused = (DialogueAct(MessageSubtype.OFFER_REJECT),)

    assert meaning(table, offers=(BANANAS,), sure=0.79, acts=refused) is TypedTextIntent.GUESS


@pytest.mark.parametrize("sure", [0.2, 0.3, 0.49])
def test_an_offer_that_is_not_very_likely_is_held_out(table: TrialTable, sure: float) -> None:
    assert meaning(table, offers=(BANANAS,), sure=sure) is TypedTextIntent.GUESS
    assert meaning(table, offers=(BANANAS,), sure=sure, soft=True) is TypedTextIntent.WISH


def test_words_with_too_many_meanings_are_asked_about(table: TrialTable) -> None:
    offers = tuple(Offer({"bananas": Allocation({"human": n, "agent": 4 - n})}) for n in range(4))

    view = shown(table, offers=offers, sure=0.4, doubt=Ambiguity.EITHER)

    assert (view.heading, view.confirm_label, view.offers) == ("Which of these do you mean?", "", ())
    assert [chip.issue for chip in view.chips] == ["bananas"]


def test_what_is_said_without_an_agreement_stands_alone(table: TrialTable) -> None:
    table.agent.offers(EVEN)

    view = shown(table, offers=(BANANAS,), sure=1.0)

    assert shares(view) == ["bananas: you 3, Rowan 1"]
    assert "with" not in view.detail.replace("compared with", "")


def test_a_wish_is_no_proposal_and_says_what_it_would_be(table: TrialTable) -> None:
    view = shown(table, offers=(BANANAS,), sure=1.0, soft=True)

    assert view.heading == "Send this as an offer?"
    assert (view.confirm_label, view.can_edit, view.can_send_text_only, view.is_sent) == (
        "Send as offer",
        True,
        False,
        True,
    )


def test_a_wish_for_what_is_offered_already_is_talk(table: TrialTable) -> None:
    table.agent.offers(bananas=(3, 1))
    on_table = meaning(table, offers=(BANANAS,), sure=1.0, soft=True)
    table.agent.offers(bananas=(2, 2))
    not_any_more = meaning(table, offers=(BANANAS,), sure=1.0, soft=True)
    table.human.offers(bananas=(3, 1))
    table.agent.offers(bananas=(1, 3))

    own = meaning(table, offers=(BANANAS,), sure=1.0, soft=True)

    assert (on_table, not_any_more, own) == (None, TypedTextIntent.WISH, None)


def wish(table: TrialTable) -> InterpretedMessage:
    held = interpret_message(
        Interpretation("…", offers=(BANANAS,), sure=1.0, soft=True), seen(table), "human"
    )
    assert held is not None
    return held


def test_a_wish_stands_until_its_speaker_offers_or_accepts_something(table: TrialTable) -> None:
    first = wish(table)
    offered = table.agent.offers(EVEN)
    before = is_still_valid(first, seen(table), "human")
    table.human.accepts(offered)
    after_accept = is_still_valid(first, seen(table), "human")
    second = wish(table)
    table.human.offers(EVEN)

    assert (before, after_accept, is_still_valid(second, seen(table), "human")) == (True, False, False)


def test_a_wish_that_the_other_offers_stands_no_longer(table: TrialTable) -> None:
    held = wish(table)

    table.agent.offers(bananas=(3, 1))

    assert not is_still_valid(held, seen(table), "human")


def test_a_proposal_says_what_it_is_worth_as_the_builder_does(table: TrialTable) -> None:
    view = shown(table, offers=(BANANAS,), sure=1.0)

    assert view.heading == "Send this as an offer?"
    assert view.detail == "12 to 36 points for you  ·  Depending on the rest  ·  3 issues undecided"
    assert (view.confirm_label, view.can_edit, view.binds) == ("Send as offer", True, False)


def test_an_acceptance_says_what_one_gets_and_what_follows(table: TrialTable) -> None:
    table.agent.offers(EVEN)

    view = shown(table, accepts=True)

    assert view.detail.startswith("You’d get ")
    assert view.detail.endswith("It’s a deal once Rowan confirms it too.")
    assert (view.confirm_label, view.can_edit) == ("Accept", False)


def test_an_offer_that_is_replaced_no_longer_stands(table: TrialTable) -> None:
    table.agent.offers(EVEN)
    held = interpret_message(Interpretation("Deal!", accepts=True), seen(table), "human")
    assert held is not None
    before = is_still_valid(held, seen(table), "human")

    table.agent.offers(EVEN)

    assert (before, is_still_valid(held, seen(table), "human")) == (True, False)


def test_a_proposal_stands_whatever_the_other_does_until_the_end(table: TrialTable) -> None:
    held = interpret_message(Interpretation("…", offers=(BANANAS,), sure=1.0), seen(table), "human")
    assert held is not None
    table.agent.offers(EVEN)
    before = is_still_valid(held, seen(table), "human")

    table.agent.quits()

    assert (before, is_still_valid(held, seen(table), "human")) == (True, False)


def test_what_an_acceptance_would_bind_stands_in_one_line(table: TrialTable) -> None:
    table.agent.offers(EVEN)

    view = shown(table, accepts=True, plain=True)

    assert view.heading == (
        "You accept Rowan’s offer: 2 bananas, 3 grain, 1 wood and 2 spices for you, "
        "2 bananas, 2 grain, 2 wood and 1 spice for Rowan."
    )
    assert (view.confirms_on_enter, view.words, view.chips) == (True, (), ())


def part(text: str, words: str, kind: AnnotationKind, issue: str = "") -> TextAnnotation:
    start = text.index(words)
    return TextAnnotation(start, start + len(words), kind, issue)


TEXT = "lol no, 3 bananas and some grain?"
PARTS = (
    part(TEXT, "lol no", AnnotationKind.IRONY),
    part(TEXT, "3 bananas", AnnotationKind.TERM, "bananas"),
    part(TEXT, "some grain", AnnotationKind.UNREAD, "grain"),
    part(TEXT, "?", AnnotationKind.QUESTION),
)


def read(table: TrialTable, **understood: Any) -> InterpretationView:
    state = seen(table)
    held = interpret_message(
        Interpretation(TEXT, offers=(BANANAS,), sure=1.0, parts=PARTS, **understood), state, "human"
    )
    assert held is not None
    return interpretation_view(held, state, "human", NAMES, 0.0, ENGLISH)


def test_the_parts_of_the_words_are_marked_by_what_they_are(table: TrialTable) -> None:
    view = read(table)

    assert [(span.text, span.kind.value) for span in view.words] == [
        ("lol no", "against"),
        (", ", "none"),
        ("3 bananas", "term"),
        (" and ", "none"),
        ("some grain", "unread"),
        ("?", "against"),
    ]
    assert (
        view.notes == "Not read: “some grain”. This sounds like a question. This may not be meant seriously."
    )
    assert not view.confirms_on_enter


def test_an_issue_that_was_spoken_of_and_not_read_has_a_chip_to_fill(table: TrialTable) -> None:
    view = read(table)

    assert shares(view) == ["bananas: you 3, Rowan 1", "grain"]


def test_a_plain_reading_needs_no_marks_and_no_notes(table: TrialTable) -> None:
    view = shown(table, offers=(BANANAS,), sure=1.0, plain=True)

    assert (view.confirms_on_enter, view.words, view.notes) == (True, (), "")


def test_what_is_not_plain_though_every_part_was_read_is_to_be_checked(table: TrialTable) -> None:
    view = shown(table, offers=(BANANAS,), sure=1.0)

    assert (view.confirms_on_enter, view.notes) == (False, "Please check this before you send it.")


def test_a_long_text_is_shown_around_its_marks(table: TrialTable) -> None:
    text = "well " * 40 + "3 bananas for me" + " please" * 40
    parts = (part(text, "3 bananas", AnnotationKind.TERM, "bananas"),)
    held = interpret_message(
        Interpretation(text, offers=(BANANAS,), sure=1.0, parts=parts), seen(table), "human"
    )
    assert held is not None

    words = interpretation_view(held, seen(table), "human", NAMES, 0.0, ENGLISH).words

    assert len("".join(span.text for span in words)) < 80
    assert [span.text for span in words if span.kind.value == "term"] == ["3 bananas"]


@pytest.mark.parametrize(
    ("doubt", "asked"),
    [
        (Ambiguity.WHO, "Who gets “some grain”?"),
        (Ambiguity.HOW_MANY, "How do you want to share the grain?"),
        (Ambiguity.WHICH_ISSUE, "What does “some grain” stand for?"),
        (Ambiguity.WHICH_VALUE, "What do you have in mind for the grain?"),
        (Ambiguity.EITHER, "Which of these do you mean?"),
        (Ambiguity.IMPOSSIBLE, "There’s a total of 5 grain. How do you want to share?"),
    ],
)
def test_every_doubt_is_asked_back_in_a_sentence(table: TrialTable, doubt: Ambiguity, asked: str) -> None:
    state = seen(table)
    held = interpret_message(Interpretation(TEXT, parts=PARTS, doubt=doubt), state, "human")
    assert held is not None

    view = interpretation_view(held, state, "human", NAMES, 0.0, ENGLISH)

    assert (held.intent, view.heading, view.is_sent, view.confirm_label) == (
        TypedTextIntent.QUESTION,
        asked,
        True,
        "",
    )
    assert "grain" in [chip.issue for chip in view.chips]


def test_a_refusal_is_not_asked_about(table: TrialTable) -> None:
    assert meaning(table, doubt=Ambiguity.HOW_MANY, refuses=True) is None
