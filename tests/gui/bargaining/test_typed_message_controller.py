"""Typed messages: sent at once, or held until their meaning is clear."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

import pytest

from negoplatform.core.mechanisms.bargaining import board_of
from negoplatform.domain.game import Acceptance, GameSpec
from negoplatform.domain.issue_status_board import IssueStatus
from negoplatform.language import Ambiguity
from negoplatform.testing import TrialTable
from tests.presentation.interpretation.typed_text import EVEN, OTHERS, SOME, TypedAt

AWFUL = {"bananas": (0, 4), "grain": (0, 5), "wood": (0, 3), "spices": (0, 3)}


def test_talk_is_said_at_once_and_noted_right_before(typed: TypedAt) -> None:
    typed.types("Hello there")

    assert typed.happened() == ["reading", "SEND_MESSAGE"]
    assert typed.spoken == ["Hello there"]
    assert typed.heading == ""
    assert (typed.notes()[0]["text"], typed.notes()[0]["shown"]) == ("Hello there", False)
    assert typed.live.proposed == 1


def test_an_offer_in_words_waits_and_nothing_is_said(typed: TypedAt) -> None:
    typed.types("3 bananas for me", offers=(SOME,), sure=0.95, plain=True)

    assert typed.happened() == ["reading"]
    assert typed.spoken == []
    assert typed.heading == "Send this as an offer?"
    assert typed.chips == [("bananas", "you 3", "Rowan 1")]
    assert (typed.notes()[0]["shown"], typed.notes()[0]["plain"]) == (True, True)


def test_a_yes_says_the_words_then_sends_the_offer_then_notes_the_answer(typed: TypedAt) -> None:
    typed.types("3 bananas for me", offers=(SOME,), sure=0.95)

    typed.reader.confirm(0)

    assert typed.happened() == ["reading", "SEND_MESSAGE", "SEND_OFFER", "reading_answered"]
    _, reading, words, offer, _ = typed.table.events
    assert (words.get_text(), offer.get_offer()) == ("3 bananas for me", SOME)
    assert typed.notes()[1] == {
        "kind": "reading_answered",
        "reading": reading.seq,
        "verdict": "offered",
        "message": words.seq,
        "offer": offer.seq,
        "by": None,
    }
    assert typed.spoken == ["3 bananas for me"]
    assert typed.heading == ""


def test_a_second_yes_does_nothing(typed: TypedAt) -> None:
    typed.types("3 bananas for me", offers=(SOME,), sure=0.95)
    typed.reader.confirm(0)

    typed.reader.confirm(0)

    assert typed.happened().count("SEND_OFFER") == 1


def test_of_several_meanings_the_chosen_one_is_sent(typed: TypedAt) -> None:
    typed.types("3 and 1", offers=(SOME, OTHERS), sure=0.5, doubt=Ambiguity.EITHER)
    assert typed.shown is not None
    assert typed.shown.confirm_label == ""
    assert [words for words, _ in typed.shown.choices] == [
        "3 bananas for you, 1 banana for Rowan",
        "1 banana for you, 3 bananas for Rowan",
    ]
    said = typed.happened()

    typed.reader.confirm(1)

    assert said == ["reading", "SEND_MESSAGE"]
    assert typed.table.events[3].get_offer() == OTHERS


def test_words_that_are_edited_are_not_said_and_their_terms_go_into_the_builder(typed: TypedAt) -> None:
    typed.types("3 bananas for me", offers=(SOME,), sure=0.95)

    typed.reader.edit()

    assert typed.edited == [SOME]
    assert typed.happened() == ["reading", "reading_answered"]
    assert typed.notes()[1]["verdict"] == "edited"
    assert typed.spoken == []


def test_words_that_are_only_said_make_no_offer(typed: TypedAt) -> None:
    typed.types("3 bananas for me", offers=(SOME,), sure=0.95, plain=True)

    typed.reader.send_text_only()

    assert typed.happened() == ["reading", "SEND_MESSAGE", "reading_answered"]
    assert typed.notes()[1]["verdict"] == "only_said"
    assert typed.spoken == ["3 bananas for me"]


def test_words_that_are_taken_back_stay_in_the_line(typed: TypedAt) -> None:
    typed.types("3 bananas for me", offers=(SOME,), sure=0.95)

    typed.reader.revert()

    assert (typed.notes()[1]["verdict"], typed.notes()[1]["by"]) == ("withdrawn", "participant")
    assert typed.spoken == []
    assert typed.heading == ""


def test_other_words_in_the_line_take_the_meaning_back(typed: TypedAt) -> None:
    typed.types("3 bananas for me", offers=(SOME,), sure=0.95)

    typed.reader.on_text_changed("3 bananas for me")
    assert typed.heading
    typed.reader.on_text_changed("3 bananas for me!")

    assert typed.heading == ""
    assert typed.notes()[1]["verdict"] == "withdrawn"


def test_a_yes_accepts_exactly_the_offer_that_was_shown(typed: TypedAt) -> None:
    offered = typed.table.agent.offers(EVEN)
    typed.look()
    typed.types("Deal!", accepts=True)
    assert typed.heading.startswith("You accept Rowan’s offer: 2 bananas")
    assert typed.happened() == ["SEND_OFFER", "reading"]

    typed.reader.confirm(0)

    assert typed.happened()[2:] == ["SEND_MESSAGE", "FORMAL_ACCEPT", "reading_answered"]
    assert typed.table.events[-2].payload.offer_id == offered.seq
    assert typed.notes()[1]["offer"] == offered.seq
    assert typed.asked.question is None


def test_an_acceptance_that_is_worse_than_no_deal_is_warned_of_first(typed: TypedAt) -> None:
    typed.table.agent.offers(AWFUL)
    typed.look()
    typed.types("Deal!", accepts=True)

    typed.reader.confirm(0)

    assert typed.asked.question is not None
    assert "worse for you than no deal" in typed.asked.question.warning
    assert typed.happened() == ["SEND_OFFER", "reading", "warning_shown"]
    typed.asked.yes()
    assert typed.happened()[3:] == ["SEND_MESSAGE", "FORMAL_ACCEPT", "reading_answered"]


def test_when_the_offer_is_replaced_the_strip_says_so_and_a_yes_does_nothing(typed: TypedAt) -> None:
    typed.table.agent.offers(EVEN)
    typed.look()
    typed.types("Deal!", accepts=True)

    typed.table.agent.offers(AWFUL)
    typed.look()
    typed.reader.confirm(0)

    assert typed.heading == "That offer is no longer on the table."
    assert "SEND_MESSAGE" not in typed.happened()
    assert (typed.notes()[1]["verdict"], typed.notes()[1]["by"]) == ("withdrawn", "table")
    typed.look()
    assert len(typed.notes()) == 2


def test_an_offer_that_was_replaced_before_the_window_knew_is_refused_as_stale(typed: TypedAt) -> None:
    typed.table.agent.offers(EVEN)
    typed.look()
    typed.types("Deal!", accepts=True)
    typed.table.agent.offers(AWFUL)

    typed.reader.confirm(0)

    assert typed.happened()[-3:] == ["SEND_MESSAGE", "ACTION_REFUSED", "reading_answered"]
    assert typed.notes()[1]["verdict"] == "accepted"
    assert typed.notes()[1]["offer"] is None


def test_a_question_about_an_offer_that_is_gone_binds_nobody(typed: TypedAt) -> None:
    typed.table.agent.offers(AWFUL)
    typed.look()
    typed.types("Deal!", accepts=True)
    typed.reader.confirm(0)
    typed.table.agent.offers(EVEN)
    typed.look()

    typed.asked.yes()

    assert "FORMAL_ACCEPT" not in typed.happened()
    assert "SEND_MESSAGE" not in typed.happened()


def test_a_yes_to_a_partial_offer_sends_its_terms_and_the_issues_are_agreed(typed: TypedAt) -> None:
    typed.table.agent.offers(bananas=(3, 1))
    typed.look()
    typed.types("Fine with me", accepts=True)
    assert typed.heading == "You agree to this. Send it as an offer?"
    assert typed.chips == [("bananas", "you 3", "Rowan 1")]

    typed.reader.confirm(0)

    assert board_of(typed.table.state).standing("bananas") is IssueStatus.AGREED
    assert typed.notes()[1]["verdict"] == "offered"


def test_a_wish_is_said_at_once_and_then_held_out_as_an_offer(typed: TypedAt) -> None:
    typed.wishes("I need 3 bananas", SOME)

    assert typed.happened() == ["reading", "SEND_MESSAGE"]
    assert typed.spoken == ["I need 3 bananas"]
    assert typed.heading == "Send this as an offer?"
    assert typed.chips == [("bananas", "you 3", "Rowan 1")]
    assert typed.notes()[0]["shown"] is True
    assert typed.live.proposed == 1


def test_a_yes_to_a_wish_sends_the_offer_and_says_nothing_again(typed: TypedAt) -> None:
    typed.wishes("I need 3 bananas", SOME)

    typed.reader.confirm(0)
    typed.reader.confirm(0)

    assert typed.happened() == ["reading", "SEND_MESSAGE", "SEND_OFFER", "reading_answered"]
    _, reading, words, offer, _ = typed.table.events
    assert offer.get_offer() == SOME
    assert typed.notes()[1] == {
        "kind": "reading_answered",
        "reading": reading.seq,
        "verdict": "offered",
        "message": words.seq,
        "offer": offer.seq,
        "by": None,
    }
    assert typed.spoken == ["I need 3 bananas"]
    assert typed.heading == ""


def test_a_wish_goes_into_the_builder(typed: TypedAt) -> None:
    typed.wishes("I need 3 bananas", SOME)

    typed.reader.edit()

    assert typed.edited == [SOME]
    assert typed.happened() == ["reading", "SEND_MESSAGE", "reading_answered"]
    assert (typed.notes()[1]["verdict"], typed.notes()[1]["message"]) == (
        "edited",
        typed.table.events[2].seq,
    )


@pytest.mark.parametrize(
    ("away", "by"),
    [
        (lambda typed: typed.reader.on_text_changed("I"), "participant"),
        (lambda typed: typed.reader.revert(), "participant"),
        (lambda typed: typed.table.human.offers(EVEN), "participant"),
        (lambda typed: typed.table.human.accepts(typed.table.agent.offers(EVEN)), "participant"),
        (lambda typed: typed.table.agent.offers(bananas=(3, 1)), "table"),
        (lambda typed: typed.table.agent.quits(), "table"),
    ],
    ids=["typed on", "put away", "offered else", "accepted", "offered by the other", "over"],
)
def test_a_wish_goes_away(typed: TypedAt, away: Callable[[TypedAt], object], by: str) -> None:
    typed.wishes("I need 3 bananas", SOME)

    away(typed)
    typed.look()
    typed.reader.confirm(0)

    assert typed.heading == ""
    assert typed.reader.pending is None
    assert [(note["verdict"], note["by"]) for note in typed.notes()[1:]] == [("withdrawn", by)]
    assert SOME not in [event.get_offer() for event in typed.table.events if event.sender == "human"]


def test_a_wish_stays_while_the_other_talks_and_offers_other_things(typed: TypedAt) -> None:
    typed.wishes("I need 3 bananas", SOME)

    typed.table.agent.says("I see.")
    typed.table.agent.offers(EVEN)
    typed.look()
    typed.reader.on_text_changed("")

    assert typed.chips == [("bananas", "you 3", "Rowan 1")]
    assert len(typed.notes()) == 1


def test_a_second_wish_takes_the_place_of_the_first(typed: TypedAt) -> None:
    typed.wishes("I need 3 bananas", SOME)

    typed.wishes("I need a banana", OTHERS)
    typed.reader.confirm(0)

    assert [note.get("verdict") for note in typed.notes()] == [None, "withdrawn", None, "offered"]
    assert [event.get_offer() for event in typed.table.events if event.type == "SEND_OFFER"] == [OTHERS]


def test_a_wish_that_was_offered_already_is_only_said(typed: TypedAt) -> None:
    typed.table.human.offers(SOME)
    typed.look()

    typed.wishes("I need 3 bananas", SOME)

    assert typed.heading == ""
    assert typed.notes()[0]["shown"] is False


def test_a_wish_still_waits_when_the_screen_is_built_anew(typed: TypedAt) -> None:
    typed.wishes("I need 3 bananas", SOME)

    again = TypedAt(typed.table, waiting=typed.reader.pending, live=typed.live)
    again.reader.on_text_changed("")
    again.reader.confirm(0)

    assert again.happened()[-2:] == ["SEND_OFFER", "reading_answered"]


def test_a_wish_that_binds_its_maker_is_asked_about(game: GameSpec) -> None:
    rules = replace(game.rules, acceptance=Acceptance.MAKER_ACCEPTS, allow_partial=True)
    typed = TypedAt(TrialTable(replace(game, rules=rules)))
    typed.wishes("I need 3 bananas", SOME)

    typed.reader.confirm(0)

    assert typed.asked.question is not None
    assert "SEND_OFFER" not in typed.happened()
    typed.asked.yes()
    assert typed.happened()[-2:] == ["SEND_OFFER", "reading_answered"]


def test_a_yes_with_terms_besides_agrees_and_proposes(typed: TypedAt) -> None:
    typed.table.agent.offers(grain=(3, 2))
    typed.look()
    typed.types("Agreed, and 3 bananas", accepts=True, offers=(SOME,), sure=0.95)

    typed.reader.confirm(0)

    board = board_of(typed.table.state)
    assert board.standing("grain") is IssueStatus.AGREED
    assert board.terms("bananas")["human"] == SOME.get("bananas")
    assert typed.notes()[1]["verdict"] == "offered"


def test_a_yes_without_an_offer_is_nothing_but_words(typed: TypedAt) -> None:
    typed.types("Deal!", accepts=True)

    assert typed.happened() == ["reading", "SEND_MESSAGE"]


def test_an_offer_that_binds_its_maker_is_asked_about_and_a_no_keeps_the_words(game: GameSpec) -> None:
    rules = replace(game.rules, acceptance=Acceptance.MAKER_ACCEPTS, allow_partial=True)
    typed = TypedAt(TrialTable(replace(game, rules=rules)))
    typed.types("3 bananas for me", offers=(SOME,), sure=0.95)

    typed.reader.confirm(0)

    assert typed.asked.question is not None
    assert typed.shown is not None
    assert typed.spoken == []
    typed.asked.yes()
    assert typed.happened()[-3:] == ["SEND_MESSAGE", "SEND_OFFER", "reading_answered"]


def test_a_game_can_leave_what_is_typed_unread(game: GameSpec) -> None:
    typed = TypedAt(TrialTable(replace(game, rules=replace(game.rules, reads_talk=False))))

    typed.types("3 bananas for me", offers=(SOME,), sure=0.95)

    assert typed.happened() == ["SEND_MESSAGE"]
    assert typed.spoken == ["3 bananas for me"]


def test_words_that_cannot_be_read_are_said_all_the_same(typed: TypedAt) -> None:
    typed.understood = ValueError("a fault in the grammar")

    typed.reader.submit("Hm.")

    assert typed.happened() == ["SEND_MESSAGE"]
    assert typed.spoken == ["Hm."]
    assert [type(problem) for problem in typed.problems] == [ValueError]


def test_words_that_are_too_long_are_refused_and_not_noted(typed: TypedAt) -> None:
    typed.types("3 bananas for me. " * 1000, offers=(SOME,), sure=0.95)

    assert typed.happened() == ["ACTION_REFUSED"]


def test_the_end_of_the_game_takes_the_strip_away(typed: TypedAt) -> None:
    typed.types("3 bananas for me", offers=(SOME,), sure=0.95)

    typed.table.agent.quits()
    typed.look()

    assert typed.heading == ""
    assert typed.reader.pending is None
    assert (typed.notes()[1]["verdict"], typed.notes()[1]["by"]) == ("withdrawn", "table")


def test_while_everything_stands_still_nothing_is_shown_or_answered(typed: TypedAt) -> None:
    typed.types("3 bananas for me", offers=(SOME,), sure=0.95)
    before = typed.heading

    typed.look(frozen="The disk is full.")
    paused = typed.heading
    typed.reader.confirm(0)
    typed.look()

    assert (paused, typed.heading) == ("", before)
    assert typed.happened() == ["reading"]


def test_a_last_word_is_said_at_once_whatever_it_speaks_of(typed: TypedAt) -> None:
    typed.table.agent.quits()
    typed.look()

    typed.types("I would have taken 3 bananas", offers=(SOME,), sure=0.95)

    assert typed.happened()[-2:] == ["reading", "SEND_MESSAGE"]


def test_words_still_wait_when_the_screen_is_built_anew(typed: TypedAt) -> None:
    typed.types("3 bananas for me", offers=(SOME,), sure=0.95)

    again = TypedAt(typed.table, waiting=typed.reader.pending, live=typed.live)
    again.reader.on_text_changed("3 bananas for me")

    assert again.shown == typed.shown
    again.reader.confirm(0)
    assert again.happened()[-3:] == ["SEND_MESSAGE", "SEND_OFFER", "reading_answered"]


def test_what_reading_needs_is_loaded_beside_the_window_and_a_fault_there_is_nobodys(typed: TypedAt) -> None:
    typed.understood = ValueError("a fault in the grammar")
    before = threading.active_count()

    typed.reader.preload()

    for thread in threading.enumerate():
        if thread.name == "reading":
            thread.join(5)
    assert threading.active_count() == before
    assert typed.read == [""]
    assert typed.problems == []


# Languages


def test_words_are_read_in_the_language_of_the_session(game: GameSpec) -> None:
    typed = TypedAt(TrialTable(replace(game, rules=replace(game.rules, reading_language="de"))))

    typed.types("3 Bananen für mich", offers=(SOME,), sure=0.95, plain=True)

    assert typed.languages == ["de"]
    assert typed.notes()[0]["language"] == "de"


def test_words_of_a_language_that_is_not_read_are_messages(game: GameSpec) -> None:
    typed = TypedAt(TrialTable(replace(game, rules=replace(game.rules, reading_language="he"))))

    typed.types("שלוש בננות", offers=(SOME,), sure=0.95, plain=True)

    assert typed.happened() == ["SEND_MESSAGE"]
    assert typed.read == []
