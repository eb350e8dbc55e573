"""Typed words as the log has them: interpretation, words, action, answer, and nothing between."""

from __future__ import annotations

from typing import cast

from negoplatform.app.session.participant_actions import ShownInterpretation
from negoplatform.app.session.participant_controller import ParticipantController
from negoplatform.app.session.participant_seat import ParticipantSeat
from negoplatform.core.events import Expression, Message, Note
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.formats.interpretations import (
    InterpretationAnswerModel,
    InterpretationVerdict,
    parse_interpretation,
    parse_interpretation_answer,
)
from negoplatform.language import Interpretation
from negoplatform.testing import TrialTable
from tests.inline_participant import AtOnce, participant_at

OFFER = Offer({"bananas": Allocation({"human": 3, "agent": 1})})
WORDS = Message("3 bananas for me")
READING = Interpretation(WORDS.text, offers=(OFFER,), sure=0.95)


def happened(table: TrialTable) -> list[str]:
    """Return the types of the events since the start, and for a note its kind."""
    return [
        event.payload.kind.value if isinstance(event.payload, Note) else str(event.type)
        for event in table.events[1:]
    ]


def answered(table: TrialTable) -> InterpretationAnswerModel:
    found = parse_interpretation_answer(table.events[-1])
    assert found is not None
    return found


def test_reading_and_words_are_one_entry_of_the_queue(table: TrialTable) -> None:
    live = AtOnce(table)

    participant_at(live).send_with_interpretation(WORDS, READING, "en")

    assert happened(table) == ["reading", "SEND_MESSAGE"]
    assert live.proposed == 1


def test_words_offer_and_answer_are_one_entry_of_the_queue(table: TrialTable) -> None:
    live = AtOnce(table)
    participant = participant_at(live)
    shown = participant.show_interpretation(READING, "en", READING.offers)

    participant.send_message_and_offer(shown, WORDS, OFFER)

    assert happened(table) == ["reading", "SEND_MESSAGE", "SEND_OFFER", "reading_answered"]
    assert live.proposed == 2
    assert answered(table).reading == 2


def test_words_and_what_they_would_be_are_one_entry_and_the_offer_another(table: TrialTable) -> None:
    live = AtOnce(table)
    participant = participant_at(live)

    shown = participant.send_and_show_interpretation(WORDS, READING, "en", READING.offers)
    participant.offer_as_interpreted(shown, OFFER)

    assert happened(table) == ["reading", "SEND_MESSAGE", "SEND_OFFER", "reading_answered"]
    assert live.proposed == 2
    assert (answered(table).reading, answered(table).message, answered(table).offer) == (2, 3, 4)


def test_words_that_were_said_are_named_whatever_is_answered(table: TrialTable) -> None:
    participant = participant_at(AtOnce(table))
    shown = participant.send_and_show_interpretation(WORDS, READING, "en", READING.offers)

    participant.dismiss_interpretation(shown, InterpretationVerdict.EDITED)

    assert (answered(table).verdict, answered(table).message) == (InterpretationVerdict.EDITED, 3)


def test_words_that_are_refused_bring_no_offer(table: TrialTable) -> None:
    participant = participant_at(AtOnce(table))
    shown = participant.show_interpretation(READING, "en", READING.offers)
    table.agent.quits()
    table.human.says("A last word")

    participant.send_message_and_offer(shown, WORDS, OFFER)

    assert happened(table)[-2:] == ["ACTION_REFUSED", "reading_answered"]
    assert (answered(table).verdict, answered(table).message, answered(table).offer) == (
        InterpretationVerdict.OFFERED,
        None,
        None,
    )


def test_an_acceptance_names_the_offer_that_was_shown(table: TrialTable) -> None:
    participant = participant_at(AtOnce(table))
    offered = table.agent.offers(bananas=(2, 2), grain=(3, 2), wood=(1, 2), spices=(2, 1))
    shown = participant.show_interpretation(Interpretation("Deal", accepts=True), "en", ())

    participant.send_message_and_accept(shown, Message("Deal"), offered.seq)

    assert happened(table)[-3:] == ["SEND_MESSAGE", "FORMAL_ACCEPT", "reading_answered"]
    assert answered(table).offer == offered.seq


def test_the_text_in_the_note_is_the_text_of_the_message(table: TrialTable) -> None:
    participant = participant_at(AtOnce(table))
    odd = "half a \ud800 and a bell \x07"

    participant.send_with_interpretation(Message(odd), Interpretation(odd), "en")

    reading, message = table.events[-2:]
    note = parse_interpretation(reading)
    assert note is not None
    assert note.text == message.get_text() != odd


def test_an_answer_to_what_the_log_does_not_have_is_not_noted(table: TrialTable) -> None:
    participant = participant_at(AtOnce(table))
    shown = ShownInterpretation()  # its note could not be written: the session was over, or had not begun

    participant.send_message_only(shown, WORDS)

    assert happened(table) == ["SEND_MESSAGE"]


class Now:
    """Clock that a test sets."""

    def __init__(self) -> None:
        self.t = 100.0

    def __call__(self) -> float:
        return self.t


def hurried(table: TrialTable) -> tuple[ParticipantController, Now]:
    """Return a participant and their clock."""
    now = Now()
    return ParticipantController(cast("ParticipantSeat", AtOnce(table)), now=now), now


OTHER = Offer({"bananas": Allocation({"human": 2, "agent": 2})})


def test_the_same_offer_twice_within_two_seconds_is_sent_once(table: TrialTable) -> None:
    participant, now = hurried(table)

    participant.send_offer(OFFER)
    now.t += 1.9
    participant.send_offer(OFFER)

    assert happened(table) == ["SEND_OFFER"]


def test_a_held_key_sends_one_offer_however_long_it_is_held(table: TrialTable) -> None:
    participant, now = hurried(table)

    for _ in range(200):
        participant.send_offer(OFFER)
        now.t += 0.03
    held = happened(table)
    now.t += 2
    participant.send_offer(OFFER)

    assert held == ["SEND_OFFER"]
    assert happened(table) == ["SEND_OFFER"] * 2


def test_other_terms_are_sent_at_once_and_back_again(table: TrialTable) -> None:
    participant, _ = hurried(table)

    for offer in (OFFER, OTHER, OFFER):
        participant.send_offer(offer)

    assert happened(table) == ["SEND_OFFER"] * 3


def test_a_typed_offer_that_was_just_sent_is_only_said(table: TrialTable) -> None:
    participant, _ = hurried(table)
    shown = participant.show_interpretation(READING, "en", READING.offers)
    participant.send_offer(OFFER)

    participant.send_message_and_offer(shown, WORDS, OFFER)

    assert happened(table) == ["reading", "SEND_OFFER", "SEND_MESSAGE", "reading_answered"]
    assert (answered(table).verdict, answered(table).offer) == (InterpretationVerdict.OFFERED, None)


def test_an_offer_that_was_just_typed_is_not_sent_again_by_a_button(table: TrialTable) -> None:
    participant, _ = hurried(table)
    shown = participant.send_and_show_interpretation(WORDS, READING, "en", READING.offers)

    participant.offer_as_interpreted(shown, OFFER)
    participant.send_offer(OFFER)

    assert happened(table).count("SEND_OFFER") == 1


def test_the_same_expression_twice_within_two_seconds_is_shown_once(table: TrialTable) -> None:
    participant, now = hurried(table)

    for _ in range(14):
        participant.send_expression(Expression.SAD, 2000)
        now.t += 0.1
    sad = happened(table)
    participant.send_expression(Expression.SAD, 8000)
    participant.send_expression(Expression.HAPPY, 8000)

    assert sad == ["SEND_EXPRESSION"]
    assert happened(table) == ["SEND_EXPRESSION"] * 3


def test_an_expression_can_be_shown_again_when_its_two_seconds_are_over(table: TrialTable) -> None:
    participant, now = hurried(table)

    for _ in range(3):
        participant.send_expression(Expression.SAD, 2000)
        now.t += 1.5

    assert happened(table) == ["SEND_EXPRESSION"] * 2


def test_words_that_waited_can_be_said_while_the_answer_is_still_due(table: TrialTable) -> None:
    live = AtOnce(table)
    participant = participant_at(live)
    shown = participant.show_interpretation(READING, "en", READING.offers)

    participant.send_shown_message(shown, WORDS)
    participant.offer_as_interpreted(shown, OFFER, corrected=True)

    assert happened(table) == ["reading", "SEND_MESSAGE", "SEND_OFFER", "reading_answered"]
    assert (answered(table).message, answered(table).corrected) == (3, True)
