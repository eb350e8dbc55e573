"""Comparison of an agent's steps with the events of a log."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from negoplatform.agent_api.actions import (
    FormalAccept,
    FormalQuit,
    ProposeChange,
    SendExpression,
    SendMessage,
    SendOffer,
    ShowTyping,
)
from negoplatform.core.events import (
    NOTHING,
    Accepted,
    Event,
    EventType,
    ExpressionShown,
    Message,
    OfferMade,
    Typing,
    clean_text,
)
from negoplatform.core.notes_and_tasks_proposals import StateProposal
from negoplatform.core.state import State
from negoplatform.formats.event_payloads import encode_payload
from negoplatform.hosting.agent_runner import ScriptStep
from negoplatform.hosting.agent_script_timing import with_set_durations

LONGEST_SUMMARY = 200
"""Characters of a payload that a summary shows."""


def expected_event(
    step: ScriptStep, decided_in: State, acceptance_target: Callable[[State], int]
) -> tuple[str, Any] | None:
    """Return the type and payload of the event that a step becomes; None for a callback.

    Args:
        step: The step.
        decided_in: The state in which it was decided.
        acceptance_target: Returns the offer that a formal accept names in a state; the mechanism's.
    """
    step = with_set_durations(step, decided_in.game.rules.counterpart)
    match step:
        case SendMessage(text, subtype):
            return EventType.SEND_MESSAGE, Message(clean_text(text), subtype, step.preference, step.batna)
        case SendOffer(offer):
            return EventType.SEND_OFFER, OfferMade(offer)
        case SendExpression(expression, duration_ms):
            return EventType.SEND_EXPRESSION, ExpressionShown(expression, duration_ms)
        case FormalAccept():
            return EventType.FORMAL_ACCEPT, Accepted(acceptance_target(decided_in))
        case FormalQuit():
            return EventType.FORMAL_QUIT, NOTHING
        case ShowTyping(duration_ms):
            return EventType.TYPING, Typing(duration_ms)
        case ProposeChange(updates):
            return EventType.STATE_PROPOSED, dict(updates)
        case _:
            return None


def has_payload(event: Event, payload: Any) -> bool:
    """Return whether an event's payload is that of a step."""
    if isinstance(event.payload, StateProposal):
        return bool(event.payload.updates.to_dict() == payload)
    return bool(event.payload == payload)


def summarize_payload(payload: Any) -> str:
    """Return a payload as a short text."""
    words = str(payload) if isinstance(payload, dict) else encode_payload(payload)
    return words[:LONGEST_SUMMARY]
