"""Rows of the table of suggestions: scripts of agents that waited for the wizard of their seat."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from negoplatform.analysis.export_tables.columns import (
    Column,
    ColumnType,
    Row,
    boolean_column,
    integer_column,
    number_column,
    text_column,
)
from negoplatform.analysis.export_tables.event_rows import SEAT, SESSION_ID, SIDE, T_MS
from negoplatform.analysis.export_tables.offer_text import offer_text
from negoplatform.analysis.session_facts import SessionFacts, milliseconds
from negoplatform.core.events import Event, Note
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.domain.errors import NegoError
from negoplatform.domain.joining_settings import SuggestionVerdict, WizardMode
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.formats.event_payloads import load_offer

TEXT_SEPARATOR = " | "
"""Separator of the texts of several messages in one cell."""

SUGGESTION_COLUMNS = (
    SESSION_ID,
    integer_column("suggestion_no", "Number of the suggestion in its session.", "1 up"),
    SEAT,
    SIDE,
    integer_column("seq", "The seq of the note that it waits."),
    integer_column("reply_to", "The seq of the event that the agent answered by it."),
    T_MS,
    text_column("mode", "Mode of the wizard's seat when it was made.", WizardMode),
    text_column("kinds", "Its actions in order, separated by spaces: message, offer, accept, quit, act …"),
    text_column("text", f"Texts of its messages, separated by {TEXT_SEPARATOR.strip()}."),
    text_column("offer", "Offer in it, in the game's order of issues; empty if it has none."),
    text_column(
        "verdict",
        "sent, edited, dropped by the wizard; timed_out_sent, timed_out_dropped without an answer in time; "
        "autonomous: performed by the agent because the mode was changed; superseded by a newer script, or "
        "as the fallback took the seat; game_ended. Empty if the log ends before.",
        SuggestionVerdict,
    ),
    number_column("seconds", "Time from the suggestion to the verdict.", "s"),
    integer_column("verdict_seq", "The seq of the note of the verdict."),
    boolean_column("performed", "Whether it was performed, as it was or edited."),
    text_column("edited_text", "Texts of the messages that were sent in place of its own; edited ones only."),
    text_column("edited_offer", "Offer that was sent in place of its own; edited ones only."),
    Column("steps", ColumnType.JSON, "Its actions; docs/log.md has their keys."),
    Column(
        "edited_steps", ColumnType.JSON, "Actions that were performed in place of them; edited ones only."
    ),
)

PERFORMED = frozenset(
    {
        SuggestionVerdict.SENT,
        SuggestionVerdict.EDITED,
        SuggestionVerdict.TIMED_OUT_SENT,
        SuggestionVerdict.AUTONOMOUS,
    }
)
"""Verdicts after which actions follow."""


def suggestion_rows(facts: SessionFacts) -> Iterator[Row]:
    """Yield a row for each suggestion of a session, in order."""
    modes = {seat: settings.mode.value for seat, settings in facts.log.header.wizards.items()}
    answers = answers_by_number(facts, NoteKind.SUGGESTION_ANSWERED)
    for event in facts.log.events:
        if is_note(event, NoteKind.WIZARD_MODE):
            modes[str(event.payload.data.get("seat"))] = str(event.payload.data.get("mode"))
        elif is_note(event, NoteKind.SUGGESTED):
            seat = str(event.payload.data.get("seat"))
            answer = answers.get((seat, event.payload.data.get("number")))
            yield _row(facts, event, seat, modes.get(seat), answer)


def _row(facts: SessionFacts, event: Event, seat: Seat, mode: str | None, answer: Event | None) -> Row:
    steps = steps_of(event.payload.data)
    data = {} if answer is None else answer.payload.data
    edited = steps_of(data) if "steps" in data else None
    return {
        "session_id": facts.session_id,
        "suggestion_no": event.payload.data.get("number"),
        "seat": seat,
        "side": facts.sides.get(seat),
        "seq": event.seq,
        "reply_to": event.cause,
        "t_ms": milliseconds(event.t),
        "mode": mode,
        "kinds": " ".join(str(step.get("do")) for step in steps),
        "text": texts_of(steps),
        "offer": offer_of(facts, steps),
        "verdict": data.get("verdict"),
        "seconds": data.get("seconds"),
        "verdict_seq": None if answer is None else answer.seq,
        "performed": None if answer is None else data.get("verdict") in PERFORMED,
        "edited_text": None if edited is None else texts_of(edited),
        "edited_offer": None if edited is None else offer_of(facts, edited),
        "steps": json_of(steps),
        "edited_steps": None if edited is None else json_of(edited),
    }


def is_note(event: Event, kind: NoteKind) -> bool:
    """Return whether an event is a note of a kind."""
    return isinstance(event.payload, Note) and event.payload.kind is kind


def answers_by_number(facts: SessionFacts, kind: NoteKind) -> dict[tuple[str, Any], Event]:
    """Return the notes of a kind that answer suggestions or advice, by seat and number."""
    return {
        (str(event.payload.data.get("seat")), event.payload.data.get("number")): event
        for event in facts.log.events
        if is_note(event, kind)
    }


def steps_of(data: Any) -> list[dict[str, Any]]:
    """Return the actions of a note; those that are no objects are left out, as a log may hold anything."""
    found = data.get("steps")
    return [dict(step) for step in found if isinstance(step, dict)] if isinstance(found, list) else []


def json_of(steps: list[dict[str, Any]]) -> str:
    """Return actions as JSON text."""
    return json.dumps(steps, ensure_ascii=False)


def texts_of(steps: list[dict[str, Any]]) -> str | None:
    """Return the texts of the messages among actions in one cell; None without any."""
    return TEXT_SEPARATOR.join(str(step.get("text")) for step in steps if step.get("do") == "message") or None


def offer_of(facts: SessionFacts, steps: list[dict[str, Any]]) -> str | None:
    """Return the first offer among actions; None without one."""
    for step in steps:
        if step.get("do") == "offer":
            with suppress(
                NegoError, KeyError, AttributeError, TypeError, ValueError
            ):  # a note may hold anything
                offer: Offer = load_offer(step["offer"])
                return offer_text(offer, facts.game)
    return None
