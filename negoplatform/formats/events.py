"""Events as lines of JSON, and back."""

from __future__ import annotations

from typing import Annotated, Any, Generic, TypeVar

from pydantic import Field

from negoplatform.core.events import (
    DecidedBy,
    Event,
    EventType,
)
from negoplatform.domain.errors import FileProblem, Refused
from negoplatform.formats.event_payloads import (
    AcceptedForm,
    AnnouncedForm,
    DraftingForm,
    EndingForm,
    ExpressionForm,
    FailureForm,
    MessageForm,
    NoteForm,
    NothingForm,
    OfferMadeForm,
    PayloadForm,
    ProposalForm,
    RefusalForm,
    ResumedForm,
    TickForm,
    TypingForm,
    payload_text,
    text,
)
from negoplatform.formats.strict_json import IN_A_LOG, Strict, in_one_line, parse_json, validate_json

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
    cause: Annotated[int, Field(ge=1)] | None
    decided_by: DecidedBy | None
    decided_at: Annotated[float, Field(ge=0)] | None


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
    EventType.STATE_PROPOSED: EventLine[ProposalForm],
    EventType.RESUMED: EventLine[ResumedForm],
    EventType.NOTE: EventLine[NoteForm],
}

ANNOUNCED = EventLine[AnnouncedForm]
"""A line of a type that the game announces; such a type is written in small letters."""


def encode_event(event: Event, at: str) -> bytes:
    """One line of a log, with its line break. ``at`` is wall-clock time, for people.

    What of a text cannot be written as UTF-8, such as a byte of a path, is replaced by ?.
    """
    # Put together by hand, because this is most of what an event costs: names of types hold nothing that
    # JSON would write otherwise, and a float's repr is what JSON writes.
    by = "null" if event.decided_by is None else f'"{event.decided_by}"'
    decided_at = "null" if event.decided_at is None else repr(event.decided_at)
    to = ",".join([text(seat) for seat in event.to])
    line = (
        f'{{"seq":{event.seq},"t":{event.t!r},"at":{text(at)},"type":"{event.type}",'
        f'"sender":{text(event.sender)},"to":[{to}],"payload":{payload_text(event.payload)},'
        f'"cause":{event.cause or "null"},"decided_by":{by},"decided_at":{decided_at}}}\n'
    )
    return line.encode("utf-8", "replace")


def decode_event(line: bytes, path: object, where: str) -> tuple[Event, str]:
    """The event of a line, and its wall-clock time.

    Raises:
        FileProblem: With the line and the reason.
    """
    found = parse_json(line, path, where, limits=IN_A_LOG)
    kind = found.get("type") if isinstance(found, dict) else None
    if not isinstance(kind, str) or (kind not in LINES and not kind.islower()):
        raise FileProblem(
            path, where, f"this is no event of a kind that is known here ({in_one_line(repr(kind), 60)})"
        )
    form = validate_json(LINES.get(kind, ANNOUNCED), line, path, where)
    try:
        payload = form.payload.value()
    except Refused as error:
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
