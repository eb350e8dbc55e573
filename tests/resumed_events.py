"""Events of a resumed session, to compare with those of one that was not interrupted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from negoplatform.core.events import Accepted, Announced, Ending, Event, EventType, announced
from negoplatform.core.mechanisms.double_auction_state import OrderCancelled
from negoplatform.core.mechanisms.trading_state import (
    ProposalAccepted,
    ProposalDeclined,
    ProposalMade,
    TransactionRequested,
)
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

    return [
        event._replace(
            seq=number(event.seq) or 0, cause=number(event.cause), payload=renumbered(event.payload, number)
        )
        for event in events
        if event.type != EventType.RESUMED
    ]


def renumbered(payload: Any, number: Callable[[int | None], int | None]) -> Any:
    """Return a payload that names other events by other numbers, and no version.

    Args:
        payload: The payload.
        number: Returns the other number of an event.
    """
    match payload:
        case Accepted(offer_id):
            return Accepted(number(offer_id) or 0)
        case Ending():
            return replace(payload, deal_id=number(payload.deal_id))
        case StateProposal():
            return replace(payload, base_version=0)
        case ProposalAccepted() | ProposalDeclined():
            return replace(payload, proposal_id=number(payload.proposal_id) or 0)
        case ProposalMade():
            return replace(payload, answers=number(payload.answers))
        case OrderCancelled():
            return replace(payload, order_id=number(payload.order_id) or 0)
        case TransactionRequested():
            return replace(payload, transaction_id=_renumbered_id(payload.transaction_id, number))
        case Announced():
            return announced(_renumbered_data(payload.data, number), payload.text)
        case _:
            return payload


def _renumbered_data(data: dict[str, Any], number: Callable[[int | None], int | None]) -> dict[str, Any]:
    changed: dict[str, Any] = {}
    for key, value in data.items():
        if key == "order":
            changed[key] = {**value, "id": number(value["id"])}
        elif key in ("bid_id", "ask_id"):
            changed[key] = number(value)
        elif key == "transaction_id":
            changed[key] = _renumbered_id(value, number)
        else:
            changed[key] = value
    return changed


def _renumbered_id(transaction_id: str, number: Callable[[int | None], int | None]) -> str:
    head, _, seq = transaction_id.partition("-")
    return f"{head}-{number(int(seq))}" if seq.isdecimal() else transaction_id
