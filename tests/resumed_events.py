"""Events of a resumed session, to compare with those of one that was not interrupted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from negoplatform.core.events import Accepted, Ending, Event, EventType
from negoplatform.core.record.notes_and_tasks_proposals import StateProposal


def without_versions(events: Sequence[Event]) -> list[Event]:
    """Return the same events without the versions of the state, which count a resumption."""
    return [
        event._replace(payload=replace(event.payload, base_version=0))
        if isinstance(event.payload, StateProposal)
        else event
        for event in events
    ]


def without_the_break(events: Sequence[Event]) -> list[Event]:
    """Return the same events, numbered as if the session had not been resumed, and without versions."""
    at = next(event.seq for event in events if event.type == EventType.RESUMED)

    def number(seq: int | None) -> int | None:
        return seq if seq is None or seq < at else seq - 1

    def same(payload: Any) -> Any:
        match payload:
            case Accepted(offer_id):
                return Accepted(number(offer_id) or 0)
            case Ending():
                return replace(payload, deal_id=number(payload.deal_id))
            case StateProposal():
                return replace(payload, base_version=0)
            case _:
                return payload

    return [
        event._replace(seq=number(event.seq) or 0, cause=number(event.cause), payload=same(event.payload))
        for event in events
        if event.type != EventType.RESUMED
    ]
