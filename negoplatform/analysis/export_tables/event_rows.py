"""Rows of the table of events."""

from __future__ import annotations

from collections.abc import Iterator

from negoplatform.analysis.export_tables.columns import Column, ColumnType, Row, integer_column, text_column
from negoplatform.analysis.session_facts import SEAT_SEPARATOR, SessionFacts, milliseconds
from negoplatform.core.events import (
    Accepted,
    DecidedBy,
    Ending,
    Event,
    EventType,
    ExpressionShown,
    Message,
    Note,
    OfferMade,
    Refusal,
)
from negoplatform.core.record.notes_and_tasks_proposals import StateProposal
from negoplatform.core.state import LOGGED_PHASES
from negoplatform.formats.event_payloads import encode_payload

SESSION_ID = text_column("session_id", "Id of the session; the same in every table.")
ACTOR = text_column("actor", "Kind of sender.", ("human", "agent", "system"))
SEAT = text_column("seat", "Seat of the sender, named by its role in the game; empty for the platform.")
SIDE = text_column(
    "side",
    "Side of the seat: h or a, as in the endings _h and _a of columns; games with two seats.",
    ("h", "a"),
)
T_MS = integer_column("t_ms", "Session time, which never goes back.", "ms")

PARTICIPANT = text_column(
    "participant",
    "The participant's code; in a study that of the visit, elsewhere empty with several people. Empty too if "
    "only agents play, or if the log does not hold it.",
)

EVENT_COLUMNS = (
    SESSION_ID,
    PARTICIPANT,
    integer_column("seq", "Number of the event in its session.", "1 up"),
    T_MS,
    Column("t_utc", ColumnType.DATETIME, "Time of day at which the event was written.", "UTC"),
    text_column("phase", "Phase of the session after the event.", LOGGED_PHASES),
    ACTOR,
    SEAT,
    SIDE,
    text_column("to_seats", "Seats that the event was addressed to, separated by semicolons; empty for all."),
    text_column("type", "Type of the event; a game's own announcements have types in lower case.", EventType),
    text_column(
        "subtype",
        "What a message does, which emotion was shown, what a note is about, which action was refused, or "
        "how the game ended.",
    ),
    integer_column("offer_id", "Offer that was sent, accepted or agreed: the seq of its SEND_OFFER."),
    integer_column(
        "reply_to", "The seq of the event that it responds to (cause in the log); complete logs only."
    ),
    text_column("decided_by", "Kind of decision maker; complete logs only.", DecidedBy),
    integer_column("decided_ms", "Session time of an agent's decision; complete logs only.", "ms"),
    Column("payload", ColumnType.JSON, "Contents of the event; docs/log.md has the keys of every type."),
)


def participant_of(facts: SessionFacts) -> str | None:
    """Return the participant's code; None if there is none, or more than one and no study names one."""
    header = facts.log.header
    codes = [code for seat in header.people if (code := header.seats[seat].participant)]
    return codes[0] if len(codes) == 1 or (codes and header.study is not None) else None


def event_rows(facts: SessionFacts) -> Iterator[Row]:
    """Yield a row for each event."""
    participant = participant_of(facts)
    for moment, at in zip(facts.replayed_events, facts.log.times, strict=True):
        event = moment.event
        yield {
            "session_id": facts.session_id,
            "participant": participant,
            "seq": event.seq,
            "t_ms": milliseconds(event.t),
            "t_utc": at,
            "phase": moment.phase.value,
            **facts.sender_cells(event.sender),
            "to_seats": SEAT_SEPARATOR.join(event.to),
            "type": str(event.type),
            "subtype": _subtype(event),
            "offer_id": _offer_id(event),
            "reply_to": event.cause,
            "decided_by": event.decided_by and event.decided_by.value,
            "decided_ms": milliseconds(event.decided_at),
            "payload": encode_payload(event.payload),
        }


def _subtype(event: Event) -> str | None:
    match event.payload:
        case Message(subtype=subtype):
            return subtype.value
        case ExpressionShown(expression):
            return expression.value
        case Note(kind):
            return kind.value
        case Refusal(action):
            return str(action)
        case Ending(ended_by):
            return ended_by.value
        case StateProposal(accepted=accepted):
            return "accepted" if accepted else "refused"
        case _:
            return None


def _offer_id(event: Event) -> int | None:
    match event.payload:
        case OfferMade():
            return event.seq
        case Accepted(offer_id):
            return offer_id
        case Ending(deal_id=deal_id):
            return deal_id
        case _:
            return None
