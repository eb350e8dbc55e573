"""Encoding and decoding of events as JSON lines."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache
from typing import Annotated, Any

from pydantic import Field, create_model

from negoplatform.core.events import (
    Announced,
    DecidedBy,
    Ending,
    Event,
    EventType,
    Failure,
    Note,
    Nothing,
    OfferMade,
    Refusal,
    Resumed,
    Tick,
)
from negoplatform.core.mechanisms.registry import find_act_rule
from negoplatform.core.record.notes_and_tasks_proposals import StateProposal
from negoplatform.domain.errors import InputFileError, Refused
from negoplatform.domain.seat_map import Seat
from negoplatform.formats.dataclass_codec import form, load
from negoplatform.formats.event_payloads import OFFER_PAYLOADS, encode_payload, encode_string
from negoplatform.formats.strict_json import LOG_LIMITS, StrictModel, parse_json, single_line, validate_json


class EventLine(StrictModel):
    """Log line of an event."""

    seq: Annotated[int, Field(ge=1)]
    t: Annotated[float, Field(ge=0)]
    at: str
    type: str
    sender: str
    to: list[str]
    payload: Any
    cause: Annotated[int, Field(ge=1)] | None
    decided_by: DecidedBy | None
    decided_at: Annotated[float, Field(ge=0)] | None


PAYLOAD_CLASSES: dict[str, type[Any]] = {
    EventType.TIME: Tick,
    EventType.GAME_START: Nothing,
    EventType.GAME_END: Ending,
    EventType.ACTION_REFUSED: Refusal,
    EventType.AGENT_FAILED: Failure,
    EventType.STATE_PROPOSED: StateProposal,
    EventType.RESUMED: Resumed,
    EventType.NOTE: Note,
}
"""Payload classes of the events that the platform records, by type. The rules of acts name those of acts."""


def payload_class_of(kind: str) -> type[Any] | None:
    """Return the payload class of a type of event; None if the type is not known.

    Types that a game announces, and a mechanism's facts, are in small letters and have ``Announced``.
    """
    if kind in PAYLOAD_CLASSES:
        return PAYLOAD_CLASSES[kind]
    rule = find_act_rule(kind)
    if rule is not None:
        return rule.payload_class
    return Announced if kind.islower() else None


@cache
def _line_model(payload_class: Any) -> type[EventLine]:
    return create_model("EventLine", __base__=EventLine, payload=(form(payload_class), ...))


def encode_event(event: Event, at: str) -> bytes:
    """Return the log line of an event, including its line break. ``at`` is wall-clock time, for people.

    Text that cannot be encoded as UTF-8, such as a byte of a path, is replaced by ?.
    """
    # Formatted by hand, because this is most of the cost of an event: type names need no escaping, and the
    # repr of a float is its JSON.
    seq, t, kind, sender, payload, to, cause, decided_by, decided_at = event
    by = "null" if decided_by is None else f'"{decided_by}"'
    known = OFFER_PAYLOADS.get(id(payload.offer.terms)) if type(payload) is OfferMade else None
    text = known[1] if known is not None and known[0] is payload.offer.terms else encode_payload(payload)
    line = (
        f'{{"seq":{seq},"t":{t!r},"at":{encode_string(at)},{_encode_address(kind, sender, to)},'
        f'"payload":{text},"cause":{cause or "null"},"decided_by":{by},'
        f'"decided_at":{"null" if decided_at is None else repr(decided_at)}}}\n'
    )
    return line.encode("utf-8", "replace")


@lru_cache(maxsize=256)
def _encode_address(kind: str, sender: Seat, to: tuple[Seat, ...]) -> str:
    """Return the JSON keys of an event's type, sender and recipients: a session has few combinations."""
    recipients = ",".join([encode_string(seat) for seat in to])
    return f'"type":"{kind}","sender":{encode_string(sender)},"to":[{recipients}]'


def decode_event(line: bytes, path: object, where: str) -> tuple[Event, str]:
    """Return the event of a line, and its wall-clock time.

    Raises:
        InputFileError: If the line is not an event; with the line and the reason.
    """
    found = parse_json(line, path, where, limits=LOG_LIMITS)
    kind = found.get("type") if isinstance(found, dict) else None
    payload_class: Any = payload_class_of(kind) if isinstance(kind, str) else None
    if payload_class is None:
        raise InputFileError(
            path, where, f"this is no event of a kind that is known here ({single_line(repr(kind), 60)})"
        )
    checked = validate_json(_line_model(payload_class), line, path, where)
    try:
        payload = load(payload_class, checked.payload)
    except Refused as error:
        raise InputFileError(path, where, str(error).rstrip(".")) from None
    event = Event(
        seq=checked.seq,
        t=checked.t,
        type=checked.type,
        sender=checked.sender,
        payload=payload,
        to=tuple(checked.to),
        cause=checked.cause,
        decided_by=checked.decided_by,
        decided_at=checked.decided_at,
    )
    return event, checked.at


def decode_typed_event(line: bytes, path: object, where: str) -> Event:
    """Return the event of a line as the very value that it is in the session, where a type is no plain text.

    Raises:
        InputFileError: If the line is not an event; with the line and the reason.
    """
    event, _ = decode_event(line, path, where)
    payload = event.payload
    if isinstance(payload, Refusal):
        payload = replace(payload, action=_event_type(payload.action))
    return event._replace(type=_event_type(event.type), payload=payload)


def _event_type(name: str) -> str:
    return EventType(name) if name in EventType.__members__ else name
