"""What is typed, read and answered, as the log has it: reading, words, deed, answer, and nothing between."""

from __future__ import annotations

from negoplatform.core.events import Message, Note
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.formats.readings import AnswerForm, Verdict, answer_in, reading_in
from negoplatform.language.reading import Reading
from negoplatform.testing import TrialTable
from tests.at_once import AtOnce, participant_at

OFFER = Offer({"bananas": Allocation({"human": 3, "agent": 1})})
WORDS = Message("3 bananas for me")
READING = Reading(WORDS.text, offers=(OFFER,), sure=0.95)


def happened(table: TrialTable) -> list[str]:
    """What has happened since the start; a note by its kind."""
    return [
        event.payload.kind.value if isinstance(event.payload, Note) else str(event.type)
        for event in table.events[1:]
    ]


def answered(table: TrialTable) -> AnswerForm:
    found = answer_in(table.events[-1])
    assert found is not None
    return found


def test_reading_and_words_are_one_entry_of_the_queue(table: TrialTable) -> None:
    live = AtOnce(table)

    participant_at(live).say_as_read(WORDS, READING, "en")

    assert happened(table) == ["reading", "SEND_MESSAGE"]
    assert live.proposed == 1


def test_words_offer_and_answer_are_one_entry_of_the_queue(table: TrialTable) -> None:
    live = AtOnce(table)
    participant = participant_at(live)
    shown = participant.show_reading(READING, "en", READING.offers)

    participant.say_and_offer(shown, WORDS, OFFER)

    assert happened(table) == ["reading", "SEND_MESSAGE", "SEND_OFFER", "reading_answered"]
    assert live.proposed == 2
    assert answered(table).reading == shown.seq == 2


def test_words_and_what_they_would_be_are_one_entry_and_the_offer_another(table: TrialTable) -> None:
    live = AtOnce(table)
    participant = participant_at(live)

    shown = participant.say_and_show(WORDS, READING, "en", READING.offers)
    participant.offer_as_said(shown, OFFER)

    assert happened(table) == ["reading", "SEND_MESSAGE", "SEND_OFFER", "reading_answered"]
    assert live.proposed == 2
    assert (answered(table).reading, answered(table).message, answered(table).offer) == (2, 3, 4)


def test_words_that_were_said_are_named_whatever_is_answered(table: TrialTable) -> None:
    participant = participant_at(AtOnce(table))
    shown = participant.say_and_show(WORDS, READING, "en", READING.offers)

    participant.unsaid(shown, Verdict.EDITED)

    assert (answered(table).verdict, answered(table).message) == (Verdict.EDITED, shown.message)


def test_words_that_are_refused_bring_no_offer(table: TrialTable) -> None:
    participant = participant_at(AtOnce(table))
    shown = participant.show_reading(READING, "en", READING.offers)
    table.agent.quits()
    table.human.says("A last word")

    participant.say_and_offer(shown, WORDS, OFFER)

    assert happened(table)[-2:] == ["ACTION_REFUSED", "reading_answered"]
    assert (answered(table).verdict, answered(table).message, answered(table).offer) == (
        Verdict.OFFERED,
        None,
        None,
    )


def test_an_acceptance_names_the_offer_that_was_shown(table: TrialTable) -> None:
    participant = participant_at(AtOnce(table))
    offered = table.agent.offers(bananas=(2, 2), grain=(3, 2), wood=(1, 2), spices=(2, 1))
    shown = participant.show_reading(Reading("Deal", accepts=True), "en", ())

    participant.say_and_accept(shown, Message("Deal"), offered.seq)

    assert happened(table)[-3:] == ["SEND_MESSAGE", "FORMAL_ACCEPT", "reading_answered"]
    assert answered(table).offer == offered.seq


def test_the_text_in_the_note_is_the_text_of_the_message(table: TrialTable) -> None:
    participant = participant_at(AtOnce(table))
    odd = "half a \ud800 and a bell \x07"

    participant.say_as_read(Message(odd), Reading(odd), "en")

    reading, message = table.events[-2:]
    note = reading_in(reading)
    assert note is not None
    assert note.text == message.get_text() != odd


def test_an_answer_to_what_the_log_does_not_have_is_not_noted(table: TrialTable) -> None:
    participant = participant_at(AtOnce(table))
    shown = participant.show_reading(READING, "en", READING.offers)
    shown.seq = 0  # its note could not be written: the session was over, or not there yet

    participant.only_say(shown, WORDS)

    assert happened(table) == ["reading", "SEND_MESSAGE"]
