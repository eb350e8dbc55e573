"""Events as lines of JSON, and back."""

from __future__ import annotations

from typing import Annotated, Any, Generic, TypeVar

from pydantic import Field

from negoplatform.core.events import (
    DecidedBy,
    Event,
    EventType,
)
from negoplatform.domain.errors import InputFileError, Refused
from negoplatform.formats.event_payloads import (
    AcceptedModel,
    AnnouncedModel,
    DraftingModel,
    EndingModel,
    ExpressionModel,
    FailureModel,
    MessageModel,
    NoteModel,
    NothingModel,
    OfferMadeModel,
    PayloadModel,
    ProposalModel,
    RefusalModel,
    ResumedModel,
    TickModel,
    TypingModel,
    encode_payload,
    encode_string,
)
from negoplatform.formats.strict_json import LOG_LIMITS, StrictModel, parse_json, single_line, validate_json

P = TypeVar("P", bound=PayloadModel)


class EventLine(StrictModel, Generic[P]):
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


LINE_MODELS: dict[str, type[EventLine[Any]]] = {
    EventType.SEND_MESSAGE: EventLine[MessageModel],
    EventType.SEND_OFFER: EventLine[OfferMadeModel],
    EventType.SEND_EXPRESSION: EventLine[ExpressionModel],
    EventType.OFFER_IN_PROGRESS: EventLine[DraftingModel],
    EventType.TIME: EventLine[TickModel],
    EventType.FORMAL_ACCEPT: EventLine[AcceptedModel],
    EventType.FORMAL_QUIT: EventLine[NothingModel],
    EventType.GAME_START: EventLine[NothingModel],
    EventType.GAME_END: EventLine[EndingModel],
    EventType.TYPING: EventLine[TypingModel],
    EventType.ACTION_REFUSED: EventLine[RefusalModel],
    EventType.AGENT_FAILED: EventLine[FailureModel],
    EventType.STATE_PROPOSED: EventLine[ProposalModel],
    EventType.RESUMED: EventLine[ResumedModel],
    EventType.NOTE: EventLine[NoteModel],
}

ANNOUNCEMENT_LINE_MODEL = EventLine[AnnouncedModel]
"""A line of a type that the game announces; such a type is written in small letters."""


def encode_event(event: Event, at: str) -> bytes:
    """One line of a log, with its line break. ``at`` is wall-clock time, for people.

    What of a text cannot be written as UTF-8, such as a byte of a path, is replaced by ?.
    """
    # Put together by hand, because this is most of what an event costs: names of types hold nothing that
    # JSON would write otherwise, and a float's repr is what JSON writes.
    by = "null" if event.decided_by is None else f'"{event.decided_by}"'
    decided_at = "null" if event.decided_at is None else repr(event.decided_at)
    to = ",".join([encode_string(seat) for seat in event.to])
    line = (
        f'{{"seq":{event.seq},"t":{event.t!r},"at":{encode_string(at)},"type":"{event.type}",'
        f'"sender":{encode_string(event.sender)},"to":[{to}],"payload":{encode_payload(event.payload)},'
        f'"cause":{event.cause or "null"},"decided_by":{by},"decided_at":{decided_at}}}\n'
    )
    return line.encode("utf-8", "replace")


def decode_event(line: bytes, path: object, where: str) -> tuple[Event, str]:
    """The event of a line, and its wall-clock time.

    Raises:
        FileProblem: With the line and the reason.
    """
    found = parse_json(line, path, where, limits=LOG_LIMITS)
    kind = found.get("type") if isinstance(found, dict) else None
    if not isinstance(kind, str) or (kind not in LINE_MODELS and not kind.islower()):
        raise InputFileError(
            path, where, f"this is no event of a kind that is known here ({single_line(repr(kind), 60)})"
        )
    form = validate_json(LINE_MODELS.get(kind, ANNOUNCEMENT_LINE_MODEL), line, path, where)
    try:
        payload = form.payload.value()
    except Refused as error:
        raise InputFileError(path, where, str(error).rstrip(".")) from None
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
