"""Rows of the table of advice to the people in seats."""

from __future__ import annotations

from collections.abc import Iterator

from negoplatform.analysis.export_tables.columns import (
    Column,
    ColumnType,
    Row,
    integer_column,
    number_column,
    text_column,
)
from negoplatform.analysis.export_tables.event_rows import SEAT, SESSION_ID, SIDE, T_MS
from negoplatform.analysis.export_tables.suggestion_rows import (
    TEXT_SEPARATOR,
    answers_by_number,
    is_note,
    json_of,
    offer_of,
    steps_of,
    texts_of,
)
from negoplatform.analysis.session_facts import SessionFacts, milliseconds
from negoplatform.core.events import Event
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.domain.joining_settings import AdviceVerdict
from negoplatform.domain.seat_map import Seat

ADVICE_COLUMNS = (
    SESSION_ID,
    SEAT,
    SIDE,
    integer_column("advice_no", "Number of the piece of advice in its seat.", "1 up"),
    integer_column("seq", "The seq of the note of it."),
    integer_column("reply_to", "The seq of the event that the adviser answered by it."),
    T_MS,
    text_column("kinds", "Its actions in order, separated by spaces: message, offer, accept, quit, act."),
    text_column("text", f"Texts of its messages, separated by {TEXT_SEPARATOR.strip()}."),
    text_column("offer", "Offer in it, in the game's order of issues; empty if it has none."),
    text_column(
        "verdict",
        "used: taken over into the offer builder or the message field, or accepted or quit as advised; "
        "dismissed by the person; superseded by newer advice, a decision of the person, or another offer; "
        "game_ended. Empty if the log ends before.",
        AdviceVerdict,
    ),
    number_column("seconds", "Time from the advice to the verdict.", "s"),
    integer_column("verdict_seq", "The seq of the note of the verdict."),
    Column("steps", ColumnType.JSON, "Its actions; docs/log.md has their keys."),
)


def advice_rows(facts: SessionFacts) -> Iterator[Row]:
    """Yield a row for each piece of advice of a session, in order."""
    answers = answers_by_number(facts, NoteKind.ADVICE_ANSWERED)
    for event in facts.log.events:
        if is_note(event, NoteKind.ADVISED):
            seat = str(event.payload.data.get("seat"))
            yield _row(facts, event, seat, answers.get((seat, event.payload.data.get("number"))))


def _row(facts: SessionFacts, event: Event, seat: Seat, answer: Event | None) -> Row:
    steps = steps_of(event.payload.data)
    data = {} if answer is None else answer.payload.data
    return {
        "session_id": facts.session_id,
        "seat": seat,
        "side": facts.sides.get(seat),
        "advice_no": event.payload.data.get("number"),
        "seq": event.seq,
        "reply_to": event.cause,
        "t_ms": milliseconds(event.t),
        "kinds": " ".join(str(step.get("do")) for step in steps),
        "text": texts_of(steps),
        "offer": offer_of(facts, steps),
        "verdict": data.get("verdict"),
        "seconds": data.get("seconds"),
        "verdict_seq": None if answer is None else answer.seq,
        "steps": json_of(steps),
    }
