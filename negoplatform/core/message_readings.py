"""Readings of typed messages: what the notes of a log say about a participant's words.

A note is data from outside, so every value is checked; a note that cannot be read counts as none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from negoplatform.core.events import Event, EventType, MessageSubtype, Note
from negoplatform.core.immutable.frozen_json import EMPTY_JSON, FrozenJson
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.domain.errors import Refused

M = MessageSubtype

_DEAL_ACTS = (M.OFFER_ACCEPT, M.OFFER_REJECT, M.OFFER_PROPOSE, M.OFFER_REQUEST_POS, M.OFFER_REQUEST_NEG)
_COURTESIES = (M.GREETING, M.FAREWELL, M.THANKS, M.APOLOGY, M.GENERIC_POS, M.GENERIC_NEG, M.GENERIC)

_RANKS: Mapping[MessageSubtype, int] = MappingProxyType(
    {
        **dict.fromkeys(M, 1),
        **dict.fromkeys(_DEAL_ACTS, 0),
        **{subtype: rank for rank, subtype in enumerate(_COURTESIES, start=2)},
    }
)
"""Ranks of acts within one message, the main one lowest."""

_NOT_IN_A_TASK = ("seat", "text", "language", "parts", "plain")
"""Keys of a note that a task leaves out: the task has them already, or they are of use to a window alone."""


@dataclass(frozen=True, slots=True)
class ReadAct:
    """Speech act that was read from words.

    Args:
        subtype: Its kind.
        sure: The confidence in it, 0 to 1.
        preference: The preference that it states or asks about, as in the log; empty if there is none.
        need: The attitude towards ``issue``, in one word; empty if there is none.
        issue: The name of its issue; empty if it has none.
    """

    subtype: MessageSubtype
    sure: float
    preference: FrozenJson = EMPTY_JSON
    need: str = ""
    issue: str = ""


@dataclass(frozen=True, slots=True)
class MessageReading:
    """Reading of one message.

    Args:
        seq: The seq of its note.
        acts: The speech acts, in text order.
        accepts: Whether the words accept the offer on the table.
        adapts: Whether they accept it with a change.
        verdict: The participant's answer to the reading; empty if there is none.
        offer: The id of the offer that was sent or accepted with it; None if there was none.
        data: What was read, as in the log, without empty values.
    """

    seq: int
    acts: tuple[ReadAct, ...]
    accepts: bool = False
    adapts: bool = False
    verdict: str = ""
    offer: int | None = None
    data: FrozenJson = EMPTY_JSON

    @property
    def subtype(self) -> MessageSubtype:
        """The main act."""
        return main_subtype((act.subtype, act.sure) for act in self.acts)

    def document(self) -> dict[str, Any]:
        """Return the reading as a fresh JSON value."""
        answer = {"verdict": self.verdict, "offer_id": self.offer}
        return {
            "seq": self.seq,
            **self.data.to_dict(),
            **{key: value for key, value in answer.items() if value},
        }


def main_subtype(acts: Iterable[tuple[MessageSubtype, float]]) -> MessageSubtype:
    """Return the main one of several acts, each with its confidence; GENERIC if there is none.

    Acts about the deal precede statements of preference, and these precede courtesies.
    """
    return min(acts, key=lambda act: (_RANKS[act[0]], -act[1]), default=(M.GENERIC, 0.0))[0]


def notes_by_message(events: Iterable[Event]) -> dict[int, tuple[Event, Event | None]]:
    """Return, by the seq of a message, the note with its reading and the note with the answer to that.

    A message that is sent at once directly follows its reading; the answer to one that waited names it.
    """
    found: dict[int, tuple[Event, Event | None]] = {}
    readings: dict[int, Event] = {}
    for event in events:
        if event.type == EventType.SEND_MESSAGE:
            before = readings.get(event.seq - 1)
            if before is not None and _is_reading_of(before.payload.data, event):
                found[event.seq] = before, None
        elif not isinstance(event.payload, Note):
            continue
        elif event.payload.kind is NoteKind.READING:
            readings[event.seq] = event
        elif event.payload.kind is NoteKind.READING_ANSWERED:
            read, message = (event.payload.data.get(key) for key in ("reading", "message"))
            if type(read) is int and type(message) is int and read in readings:
                found[message] = readings[read], event
    return found


def _is_reading_of(data: Mapping[str, Any], message: Event) -> bool:
    """Return whether a message is the text read just before it, not a phrase sent while that waits."""
    shown = data.get("shown", False)
    return data.get("seat") == message.sender and (not shown or data.get("text") == message.get_text())


def readings_by_message(events: Iterable[Event]) -> dict[int, MessageReading]:
    """Return the readings by the seq of their message; messages without one are missing."""
    found = {
        message: _reading(noted, answered) for message, (noted, answered) in notes_by_message(events).items()
    }
    return {message: reading for message, reading in found.items() if reading is not None}


def _reading(noted: Event, answered: Event | None) -> MessageReading | None:
    """Return the reading that a note holds; None if it cannot be read."""
    try:
        data = FrozenJson(noted.payload.data).to_dict()
        answer = FrozenJson({} if answered is None else answered.payload.data).to_dict()
        acts = tuple(_act(act) for act in data["acts"])
    except (Refused, KeyError, TypeError, ValueError):
        return None
    verdict, offer = answer.get("verdict"), answer.get("offer")
    kept = {key: _without_empty(value) for key, value in data.items() if key not in _NOT_IN_A_TASK}
    return MessageReading(
        noted.seq,
        acts,
        accepts=data.get("accepts") is True,
        adapts=data.get("adapts") is True,
        verdict=verdict if isinstance(verdict, str) else "",
        offer=offer if type(offer) is int else None,
        data=FrozenJson({key: value for key, value in kept.items() if value}),
    )


def _act(data: object) -> ReadAct:
    """Return an act of a note; raises TypeError, KeyError or ValueError if it is none."""
    if not isinstance(data, dict):
        raise TypeError
    preference, need, issue = (data.get(key) for key in ("preference", "need", "issue"))
    return ReadAct(
        MessageSubtype(data["subtype"]),
        float(data["sure"]),
        FrozenJson(preference) if isinstance(preference, dict) else EMPTY_JSON,
        need if isinstance(need, str) else "",
        issue if isinstance(issue, str) else "",
    )


def _without_empty(value: Any) -> Any:
    """Return a JSON value whose objects, in a list, have no key without a value."""
    if not isinstance(value, list):
        return value
    return [
        {key: inside for key, inside in item.items() if inside is not None}
        if isinstance(item, dict)
        else item
        for item in value
    ]
