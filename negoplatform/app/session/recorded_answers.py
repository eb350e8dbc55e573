"""Answers of a language model that a log holds, for the agent that received them."""

from __future__ import annotations

from typing import Any

from negoplatform.core.events import EventType
from negoplatform.core.record_proposals import StateProposal
from negoplatform.domain.seat import Seat
from negoplatform.eventlog.reader import SessionLog
from negoplatform.plugins.loader import AgentPlugin


def recorded_answers(log: SessionLog, seat: Seat, plugin: AgentPlugin) -> dict[str, Any]:
    """Return the setting ``recorded`` of an agent that has one; empty for any other.

    Args:
        log: The log.
        seat: The agent's seat.
        plugin: The agent.
    """
    if "recorded" not in (plugin.options or {}).get("properties", {}):
        return {}
    calls: dict[str, Any] = {}
    for event in log.events:
        if event.sender == seat and isinstance(event.payload, StateProposal):
            for number, call in _calls(event.payload.updates.to_dict(), seat).items():
                if isinstance(call, dict):
                    calls[number] = call.get("attempts", [])
    # In a session that is over no model is called again: a missing answer did not arrive in time.
    over = any(event.type == EventType.GAME_END for event in log.events)
    return {"recorded": {"calls": calls, "more": not over}}


def _calls(updates: Any, seat: Seat) -> dict[str, Any]:
    for name in ("notes", seat, "model", "calls"):
        updates = updates.get(name) if isinstance(updates, dict) else None
    return updates if isinstance(updates, dict) else {}
