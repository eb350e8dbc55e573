"""Comparison of an agent's steps with the events of a log."""

from __future__ import annotations

from typing import Any

from negoplatform.agent_api.actions import ProposeChange, Schedule
from negoplatform.core.events import Event, EventType
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.record.notes_and_tasks_proposals import StateProposal
from negoplatform.core.state import State
from negoplatform.formats.event_payloads import encode_payload
from negoplatform.hosting.agent_runner import ScheduledCall, ScriptStep
from negoplatform.hosting.agent_script_timing import with_set_durations
from negoplatform.hosting.seat_actions import as_act

LONGEST_SUMMARY = 200
"""Characters of a payload that a summary shows."""


def expected_event(step: ScriptStep, decided_in: State) -> tuple[str, Any] | None:
    """Return the type and payload of the event that a step becomes; None for a callback.

    Args:
        step: The step.
        decided_in: The state in which it was decided.
    """
    step = with_set_durations(step, decided_in.game.rules.counterpart)
    if isinstance(step, ProposeChange):
        return EventType.STATE_PROPOSED, dict(step.updates)
    if isinstance(step, Schedule | ScheduledCall):
        return None
    act = as_act(step, decided_in)
    if act is None or not act.refers:
        return None if act is None else (act.type, act.payload)
    try:
        return act.type, mechanism_of(decided_in.game.mechanism).resolve(act.payload, decided_in)
    except Exception:  # noqa: BLE001 - where the rules fail, the session has refused the act as it was
        return act.type, act.payload


def has_payload(event: Event, payload: Any) -> bool:
    """Return whether an event's payload is that of a step."""
    if isinstance(event.payload, StateProposal):
        return bool(event.payload.updates.to_dict() == payload)
    return bool(event.payload == payload)


def summarize_payload(payload: Any) -> str:
    """Return a payload as a short text."""
    words = str(payload) if isinstance(payload, dict) else encode_payload(payload)
    return words[:LONGEST_SUMMARY]
