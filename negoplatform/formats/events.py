"""Events as lines of JSON, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, Generic, TypeVar

from pydantic import Field

from negoplatform.core.events import (
    NOTHING,
    Accepted,
    DecidedBy,
    Drafting,
    EndedBy,
    Ending,
    Event,
    EventType,
    Expression,
    ExpressionShown,
    Failure,
    Message,
    MessageSubtype,
    Note,
    Nothing,
    OfferMade,
    Payload,
    Preference,
    Refusal,
    Relation,
    Tick,
    Typing,
)
from negoplatform.core.notes import NoteKind
from negoplatform.domain.errors import FileProblem, OfferError
from negoplatform.domain.offer import Allocation, Offer, Term
from negoplatform.formats.strict import Strict, parse_json, validate_json

_dump = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode

OfferForm = dict[str, str | dict[str, Annotated[int, Field(ge=0)]]]
"""An offer in a file: a value, or units per seat and ``undecided``, by issue."""


def offer_document(offer: Offer) -> dict[str, Any]:
    """An offer as a JSON value."""
    return {
        issue: {**term.units, "undecided": term.undecided} if isinstance(term, Allocation) else term
        for issue, term in offer.terms
    }


def offer_of(form: Mapping[str, str | dict[str, int]]) -> Offer:
    """The offer that a JSON value describes."""

    def term(form: str | dict[str, int]) -> Term:
        if isinstance(form, str):
            return form
        return Allocation(
            [(seat, n) for seat, n in form.items() if seat != "undecided"], form.get("undecided", 0)
        )

    return Offer((issue, term(value)) for issue, value in form.items())


class PreferenceForm(Strict):
    """A stated preference in a file."""

    issue1: str
    relation: Relation
    issue2: str | None
    is_question: bool


class MessageForm(Strict):
    """The payload of SEND_MESSAGE."""

    text: str
    subtype: MessageSubtype
    preference: PreferenceForm | None
    batna: float | int | None

    def value(self) -> Payload:
        """The payload."""
        stated = self.preference
        preference = None
        if stated is not None:
            preference = Preference(stated.issue1, stated.relation, stated.issue2, stated.is_question)
        return Message(self.text, self.subtype, preference, self.batna)


class OfferMadeForm(Strict):
    """The payload of SEND_OFFER."""

    offer: OfferForm

    def value(self) -> Payload:
        """The payload."""
        return OfferMade(offer_of(self.offer))


class ExpressionForm(Strict):
    """The payload of SEND_EXPRESSION."""

    expression: Expression
    duration_ms: int

    def value(self) -> Payload:
        """The payload."""
        return ExpressionShown(self.expression, self.duration_ms)


class DraftingForm(Strict):
    """The payload of OFFER_IN_PROGRESS."""

    draft: OfferForm | None

    def value(self) -> Payload:
        """The payload."""
        return Drafting(None if self.draft is None else offer_of(self.draft))


class TypingForm(Strict):
    """The payload of TYPING."""

    duration_ms: int

    def value(self) -> Payload:
        """The payload."""
        return Typing(self.duration_ms)


class AcceptedForm(Strict):
    """The payload of FORMAL_ACCEPT."""

    offer_id: int

    def value(self) -> Payload:
        """The payload."""
        return Accepted(self.offer_id)


class NothingForm(Strict):
    """The payload of an event that says everything by its type."""

    def value(self) -> Payload:
        """The payload."""
        return NOTHING


class TickForm(Strict):
    """The payload of TIME."""

    elapsed: float
    remaining: float | None

    def value(self) -> Payload:
        """The payload."""
        return Tick(self.elapsed, self.remaining)


class EndingForm(Strict):
    """The payload of GAME_END."""

    ended_by: EndedBy
    by: str | None
    deal: OfferForm | None
    deal_id: int | None
    reason: str

    def value(self) -> Payload:
        """The payload."""
        deal = None if self.deal is None else offer_of(self.deal)
        return Ending(self.ended_by, self.by, deal, self.deal_id, self.reason)


class RefusalForm(Strict):
    """The payload of ACTION_REFUSED."""

    action: str
    reason: str

    def value(self) -> Payload:
        """The payload."""
        return Refusal(self.action, self.reason)


class FailureForm(Strict):
    """The payload of AGENT_FAILED."""

    seat: str
    reason: str
    strikes: int

    def value(self) -> Payload:
        """The payload."""
        return Failure(self.seat, self.reason, self.strikes)


class NoteForm(Strict):
    """The payload of NOTE."""

    kind: NoteKind
    data: dict[str, Any]

    def value(self) -> Payload:
        """The payload."""
        return Note(self.kind, self.data)


PayloadForm = (
    MessageForm
    | OfferMadeForm
    | ExpressionForm
    | DraftingForm
    | TypingForm
    | AcceptedForm
    | NothingForm
    | TickForm
    | EndingForm
    | RefusalForm
    | FailureForm
    | NoteForm
)

P = TypeVar("P", bound=PayloadForm)


class EventLine(Strict, Generic[P]):
    """One event as a line of a log."""

    seq: Annotated[int, Field(ge=1)]
    t: Annotated[float, Field(ge=0)]
    at: str
    type: str
    sender: str
    to: list[str]
    payload: P
    cause: int | None
    decided_by: DecidedBy | None
    decided_at: float | None


LINES: dict[str, type[EventLine[Any]]] = {
    EventType.SEND_MESSAGE: EventLine[MessageForm],
    EventType.SEND_OFFER: EventLine[OfferMadeForm],
    EventType.SEND_EXPRESSION: EventLine[ExpressionForm],
    EventType.OFFER_IN_PROGRESS: EventLine[DraftingForm],
    EventType.TIME: EventLine[TickForm],
    EventType.FORMAL_ACCEPT: EventLine[AcceptedForm],
    EventType.FORMAL_QUIT: EventLine[NothingForm],
    EventType.GAME_START: EventLine[NothingForm],
    EventType.GAME_END: EventLine[EndingForm],
    EventType.TYPING: EventLine[TypingForm],
    EventType.ACTION_REFUSED: EventLine[RefusalForm],
    EventType.AGENT_FAILED: EventLine[FailureForm],
    EventType.NOTE: EventLine[NoteForm],
}


def encode_event(event: Event, at: str) -> bytes:
    """One line of a log, with its line break. ``at`` is wall-clock time, for people."""
    line = {
        "seq": event.seq,
        "t": event.t,
        "at": at,
        "type": str(event.type),
        "sender": event.sender,
        "to": list(event.to),
        "payload": _payload_document(event.payload),
        "cause": event.cause,
        "decided_by": None if event.decided_by is None else str(event.decided_by),
        "decided_at": event.decided_at,
    }
    return (_dump(line) + "\n").encode("utf-8")


def decode_event(line: bytes, path: object, where: str) -> tuple[Event, str]:
    """The event of a line, and its wall-clock time.

    Raises:
        FileProblem: With the line and the reason.
    """
    found = parse_json(line, path, where)
    kind = found.get("type") if isinstance(found, dict) else None
    if not isinstance(kind, str) or kind not in LINES:
        raise FileProblem(path, where, f"this is no event of a kind that is known here ({kind!r})")
    form = validate_json(LINES[kind], line, path, where)
    try:
        payload = form.payload.value()
    except OfferError as error:
        raise FileProblem(path, where, str(error).rstrip(".")) from None
    event = Event(
        seq=form.seq,
        t=form.t,
        type=form.type,
        sender=form.sender,
        payload=payload,
        to=tuple(form.to),
        cause=form.cause,
        decided_by=form.decided_by,
        decided_at=form.decided_at,
    )
    return event, form.at


def _payload_document(payload: Payload) -> dict[str, Any]:
    match payload:
        case OfferMade(offer):
            return {"offer": offer_document(offer)}
        case Message():
            return {
                "text": payload.text,
                "subtype": payload.subtype.value,
                "preference": payload.preference and _preference_document(payload.preference),
                "batna": payload.batna,
            }
        case ExpressionShown(expression, duration_ms):
            return {"expression": expression.value, "duration_ms": duration_ms}
        case Drafting(draft):
            return {"draft": None if draft is None else offer_document(draft)}
        case Typing(duration_ms):
            return {"duration_ms": duration_ms}
        case Accepted(offer_id):
            return {"offer_id": offer_id}
        case Nothing():
            return {}
        case Tick(elapsed, remaining):
            return {"elapsed": elapsed, "remaining": remaining}
        case Ending():
            return {
                "ended_by": payload.ended_by.value,
                "by": payload.by,
                "deal": None if payload.deal is None else offer_document(payload.deal),
                "deal_id": payload.deal_id,
                "reason": payload.reason,
            }
        case Refusal(action, reason):
            return {"action": str(action), "reason": reason}
        case Failure(seat, reason, strikes):
            return {"seat": seat, "reason": reason, "strikes": strikes}
        case Note(kind, data):
            return {"kind": kind.value, "data": dict(data)}


def _preference_document(preference: Preference) -> dict[str, Any]:
    return {
        "issue1": preference.issue1,
        "relation": preference.relation.value,
        "issue2": preference.issue2,
        "is_question": preference.is_question,
    }
