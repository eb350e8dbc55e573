"""Interpretations and answers to them, as notes in a log."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negoplatform.core.events import Event, EventType, Message, MessageSubtype, Note, Preference, Relation
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat_map import PLATFORM
from negoplatform.formats.event_payloads import load_offer
from negoplatform.formats.events import decode_event, encode_event
from negoplatform.formats.interpretations import (
    InterpretationVerdict,
    dump_interpretation,
    dump_interpretation_answer,
    interpretations_by_message,
    parse_interpretation,
    parse_interpretation_answer,
)
from negoplatform.language import Ambiguity, AnnotationKind, DialogueAct, Interpretation, Need, TextAnnotation

OFFER = Offer({"food": Allocation({"human": 2}, 1), "day": "Sunday", "price": 120})
FULL = Interpretation(
    "I need 2 food if we meet on Sunday.",
    (
        DialogueAct(
            MessageSubtype.PREF_INFO, 0.75, Preference("food", Relation.BEST), None, Need.OTHERS, "food"
        ),
        DialogueAct(MessageSubtype.BATNA_INFO, 1.0, batna=5),
    ),
    (OFFER, Offer({"day": "Friday"})),
    0.5,
    Ambiguity.EITHER,
    ("food", "day"),
    accepts=True,
    conditional=True,
    soft=True,
    adapts=True,
    hedged=True,
    refuses=True,
    halfway=True,
    echoes=True,
    parts=(
        TextAnnotation(7, 13, AnnotationKind.TERM, "food"),
        TextAnnotation(33, 34, AnnotationKind.QUESTION),
    ),
    plain=True,
)


def noted(kind: NoteKind, data: dict[str, Any], seq: int = 5) -> Event:
    return Event(seq, 1.0, EventType.NOTE, PLATFORM, Note(kind, data))


def read(text: str, seq: int, *, shown: bool, seat: str = "human") -> Event:
    return noted(
        NoteKind.READING, dump_interpretation(seat, Interpretation(text), "en", () if shown else None), seq
    )


def said(text: str, seq: int, seat: str = "human") -> Event:
    return Event(seq, 1.0, EventType.SEND_MESSAGE, seat, Message(text))


def test_a_reading_comes_back_from_the_log_as_it_was() -> None:
    event = noted(NoteKind.READING, dump_interpretation("human", FULL, "en", [OFFER]))

    again, _ = decode_event(encode_event(event, "2025-01-31T12:00:00.000Z"), "log", "line 2")

    note = parse_interpretation(again)
    assert note is not None
    assert note.value() == FULL
    assert (note.seat, note.language, note.shown) == ("human", "en", True)
    assert [load_offer(offer) for offer in note.held_out] == [OFFER]


@given(st.text(), st.floats(0, 1), st.sampled_from(Ambiguity))
def test_any_text_and_certainty_comes_back(text: str, sure: float, doubt: Ambiguity) -> None:
    data = dump_interpretation("human", Interpretation(text, sure=sure, doubt=doubt), "en")

    again, _ = decode_event(
        encode_event(noted(NoteKind.READING, data), "2025-01-31T12:00:00.000Z"), "log", "line 2"
    )

    note = parse_interpretation(again)
    assert note is not None
    assert (note.text, note.doubt) == (data["text"], doubt)
    assert note.sure == pytest.approx(sure, abs=0.00051)


@pytest.mark.parametrize("verdict", InterpretationVerdict)
def test_an_answer_comes_back_from_the_log(verdict: InterpretationVerdict) -> None:
    event = noted(NoteKind.READING_ANSWERED, dump_interpretation_answer(5, verdict, message=6, offer=7))

    again, _ = decode_event(encode_event(event, "2025-01-31T12:00:00.000Z"), "log", "line 2")

    answer = parse_interpretation_answer(again)
    assert answer is not None
    assert (answer.reading, answer.verdict, answer.message, answer.offer) == (5, verdict, 6, 7)
    assert answer.by == ("participant" if verdict is InterpretationVerdict.WITHDRAWN else None)


@pytest.mark.parametrize(
    "data",
    [{}, {"seat": "human"}, {**dump_interpretation("human", FULL, "en", [OFFER]), "sure": float("nan")}],
    ids=["empty", "half", "not a number"],
)
def test_a_note_that_is_not_as_it_should_be_is_no_reading(data: dict[str, Any]) -> None:
    assert parse_interpretation(noted(NoteKind.READING, data)) is None
    assert parse_interpretation_answer(noted(NoteKind.READING_ANSWERED, data)) is None


def test_another_note_is_no_reading() -> None:
    assert (
        parse_interpretation(noted(NoteKind.WARNING_SHOWN, dump_interpretation("human", FULL, "en", [OFFER])))
        is None
    )


def test_words_that_were_said_at_once_belong_to_the_reading_right_before() -> None:
    found = interpretations_by_message([read("Hello", 2, shown=False), said("Hello", 3), said("Again", 4)])

    assert {seq: (read.seq, read.answer) for seq, read in found.items()} == {3: (2, None)}


def test_words_of_somebody_else_belong_to_no_reading() -> None:
    assert interpretations_by_message([read("Hello", 2, shown=False), said("Hello", 3, "agent")]) == {}


def test_words_that_waited_belong_to_the_reading_that_was_answered() -> None:
    answer = noted(
        NoteKind.READING_ANSWERED,
        dump_interpretation_answer(2, InterpretationVerdict.OFFERED, message=5, offer=6),
        7,
    )

    found = interpretations_by_message(
        [read("3 for me", 2, shown=True), said("Wait", 3, "agent"), said("3 for me", 5), answer]
    )

    assert list(found) == [5]
    assert found[5].seq == 2
    assert found[5].answer is not None
    assert found[5].answer.verdict is InterpretationVerdict.OFFERED


def test_a_wish_belongs_to_the_reading_right_before_whatever_is_answered() -> None:
    answer = noted(
        NoteKind.READING_ANSWERED,
        dump_interpretation_answer(2, InterpretationVerdict.WITHDRAWN, message=3),
        9,
    )
    events = [read("I need 3", 2, shown=True), said("I need 3", 3), said("Hm", 4)]

    cut_off, found = interpretations_by_message(events), interpretations_by_message([*events, answer])

    assert [(seq, each.seq, each.answer) for seq, each in cut_off.items()] == [(3, 2, None)]
    assert [(seq, each.answer and each.answer.verdict) for seq, each in found.items()] == [
        (3, InterpretationVerdict.WITHDRAWN)
    ]


def test_a_phrase_that_is_said_while_words_wait_belongs_to_no_reading() -> None:
    assert interpretations_by_message([read("3 for me", 2, shown=True), said("Thank you.", 3)]) == {}


def test_words_that_were_taken_back_belong_to_no_message() -> None:
    answer = noted(
        NoteKind.READING_ANSWERED, dump_interpretation_answer(2, InterpretationVerdict.WITHDRAWN), 3
    )

    assert interpretations_by_message([read("3 for me", 2, shown=True), answer]) == {}


def test_what_few_readings_and_answers_have_is_left_out_of_the_others() -> None:
    reading, answer = (
        dump_interpretation("human", Interpretation("Hello"), "en"),
        dump_interpretation_answer(3, InterpretationVerdict.OFFERED),
    )

    assert {"parts", "plain", "corrected"} & {*reading, *answer} == set()
    assert dump_interpretation_answer(3, InterpretationVerdict.OFFERED, corrected=True)["corrected"] is True
