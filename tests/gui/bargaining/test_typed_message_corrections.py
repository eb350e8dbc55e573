"""Typed messages whose interpretation is not plain, and its correction."""

from __future__ import annotations

import pytest

from negoplatform.domain.offer import Allocation, Offer
from negoplatform.language import Ambiguity, AnnotationKind, TextAnnotation
from tests.presentation.interpretation.typed_text import EVEN, SOME, TypedAt


def allocation(mine: int) -> Allocation:
    return Allocation({"human": mine, "agent": 4 - mine})


def test_only_a_plain_reading_is_armed_for_enter(typed: TypedAt) -> None:
    typed.types("3 bananas for me", offers=(SOME,), sure=0.95, plain=True)
    plain = typed.armed
    typed.types("can I have 3 bananas?", offers=(SOME,), sure=0.95)

    assert (plain, typed.armed) == (True, False)
    assert typed.happened()[-1] == "reading"  # the typed text is held all the same


def test_words_that_are_only_said_though_they_are_an_offer_hold_it_out(typed: TypedAt) -> None:
    typed.types("can I have 3 bananas?", offers=(SOME,), sure=0.95)

    typed.reader.send_text_only()
    typed.look()

    assert typed.happened() == ["reading", "SEND_MESSAGE"]
    assert typed.spoken == ["can I have 3 bananas?"]
    assert typed.shown is not None
    assert (typed.shown.is_sent, typed.shown.confirms_on_enter, typed.shown.confirm_label) == (
        True,
        False,
        "Send as offer",
    )

    typed.reader.confirm(0)

    assert typed.happened()[2:] == ["SEND_OFFER", "reading_answered"]
    assert typed.notes()[1]["message"] == typed.table.events[2].seq


def test_an_acceptance_that_is_only_said_is_not_held_out(typed: TypedAt) -> None:
    typed.table.agent.offers(EVEN)
    typed.look()
    typed.types("ok, deal? not sure", accepts=True)
    armed = typed.armed

    typed.reader.send_text_only()

    assert (armed, typed.heading) == (False, "")
    assert typed.happened()[1:] == ["reading", "SEND_MESSAGE", "reading_answered"]


def test_a_question_is_asked_back_and_a_chip_answers_it(typed: TypedAt) -> None:
    part = TextAnnotation(0, 7, AnnotationKind.UNREAD, "bananas")
    typed.types("bananas please", doubt=Ambiguity.HOW_MANY, parts=(part,))
    asked, chips, yes = typed.heading, typed.chips, typed.shown and typed.shown.confirm_label
    said = typed.happened()

    typed.reader.correct("bananas", allocation(3))
    answered, armed = typed.chips, typed.armed
    typed.reader.confirm(0)

    assert (asked, chips, yes) == ("How do you want to share the bananas?", [("bananas",)], "")
    assert (answered, armed) == ([("bananas", "you 3", "Rowan 1")], False)
    assert said == ["reading", "SEND_MESSAGE"]
    assert typed.table.events[3].get_offer() == SOME


def test_a_reading_without_a_term_sends_nothing(typed: TypedAt) -> None:
    part = TextAnnotation(0, 7, AnnotationKind.UNREAD, "bananas")
    typed.types("bananas please", doubt=Ambiguity.HOW_MANY, parts=(part,))

    typed.reader.confirm(0)
    typed.reader.edit()

    assert typed.happened() == ["reading", "SEND_MESSAGE"]
    assert typed.edited == []


# Corrections


def test_a_corrected_reading_is_what_is_sent_and_the_log_says_so(typed: TypedAt) -> None:
    typed.types("can I have 3 bananas?", offers=(SOME,), sure=0.95)

    typed.reader.correct("bananas", allocation(2))
    typed.reader.confirm(0)

    assert typed.table.events[3].get_offer() == Offer({"bananas": allocation(2)})
    assert (typed.notes()[1]["verdict"], typed.notes()[1]["corrected"]) == ("offered", True)
    assert typed.notes()[0]["held_out"] == [{"bananas": {"human": 3, "agent": 1, "undecided": 0}}]


@pytest.mark.parametrize("plain", [True, False])
def test_a_correction_never_changes_what_enter_does(typed: TypedAt, plain: bool) -> None:
    typed.types("can I have 3 bananas?", offers=(SOME,), sure=0.95, plain=plain)
    before = typed.armed

    typed.reader.correct("bananas", allocation(2))

    assert (before, typed.armed) == (plain, plain)


def test_words_said_after_a_correction_hold_the_corrected_offer_out(typed: TypedAt) -> None:
    typed.types("can I have 3 bananas?", offers=(SOME,), sure=0.95)
    typed.reader.correct("bananas", allocation(2))

    typed.reader.send_text_only()

    assert typed.happened() == ["reading", "SEND_MESSAGE"]
    assert typed.shown is not None
    assert (typed.shown.offers, typed.armed) == ((Offer({"bananas": allocation(2)}),), False)


def test_back_undoes_corrections_first_and_then_leads_back_to_the_words(typed: TypedAt) -> None:
    typed.types("can I have 3 bananas?", offers=(SOME,), sure=0.95)
    typed.reader.correct("bananas", allocation(2))
    typed.reader.correct("bananas", allocation(1))

    typed.reader.revert()
    undone, notes, armed = typed.chips, len(typed.notes()), typed.armed
    typed.reader.revert()

    assert (undone, notes, armed) == ([("bananas", "you 3", "Rowan 1")], 1, False)
    assert typed.notes()[1]["verdict"] == "withdrawn"


def test_a_term_can_be_left_out_and_without_any_nothing_can_be_sent(typed: TypedAt) -> None:
    typed.types("3 bananas for me", offers=(SOME,), sure=0.95, plain=True)

    typed.reader.correct("bananas", None)

    assert typed.shown is not None
    assert (typed.chips, typed.shown.confirm_label, typed.armed) == ([("bananas",)], "", False)
    typed.reader.confirm(0)
    assert "SEND_OFFER" not in typed.happened()


def test_corrected_terms_go_into_the_builder(typed: TypedAt) -> None:
    typed.types("3 bananas for me", offers=(SOME,), sure=0.95, plain=True)
    typed.reader.correct("bananas", allocation(2))

    typed.reader.edit()

    assert typed.edited == [Offer({"bananas": allocation(2)})]
