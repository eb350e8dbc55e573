"""Notes about the calls of a model, which the log keeps with the session."""

from __future__ import annotations

import json
from typing import Any

from negoplatform.agent_api.actions import Action, ProposeChange
from negoplatform.agent_api.context import AgentContext
from negoplatform.language_model.budgeted_client import BudgetedClient

MAX_NOTES_BYTES = 40_000
"""Maximum size of the notes of one response in bytes; an agent's whole response may have 64 kB."""

TRUNCATED_LENGTH = 400
"""Maximum number of characters of a text in notes that would be too large."""


class ModelNotes:
    """Notes of one agent about a model, below ``notes/<seat>/model``.

    Args:
        client: The client whose calls are noted.
    """

    def __init__(self, client: BudgetedClient) -> None:
        self._client = client
        self._noted_calls: list[str] = []

    def setup(self, ctx: AgentContext, setup: dict[str, Any]) -> ProposeChange:
        """Return the first note: the service and its instructions, or why there is none."""
        return ProposeChange({"notes": {ctx.seat: {"model": {"setup": setup}}}})

    def calls(self, ctx: AgentContext) -> list[Action]:
        """Return the calls since the last time; the record keeps the newest, the log all of them."""
        calls = _truncate_notes(self._client.take_notes())
        if not calls:
            return []
        gone: dict[str, Any] = dict.fromkeys(self._noted_calls)
        self._noted_calls = list(calls)
        note = {"calls": {**gone, **calls}, "spent": self._client.usage()}
        return [ProposeChange({"notes": {ctx.seat: {"model": note}}})]


def _truncate_notes(calls: dict[str, Any]) -> dict[str, Any]:
    """Return notes within the size limit; prompts are truncated first."""
    if _size(calls) > MAX_NOTES_BYTES:
        calls = {
            number: {**call, "prompt": call.get("prompt", "")[:TRUNCATED_LENGTH], "cut": True}
            for number, call in calls.items()
        }
    if _size(calls) > MAX_NOTES_BYTES:
        calls = {
            number: {**call, "attempts": [_truncate_attempt(attempt) for attempt in call.get("attempts", ())]}
            for number, call in calls.items()
        }
    return calls


def _truncate_attempt(attempt: dict[str, Any]) -> dict[str, Any]:
    return {**attempt, "text": attempt["text"][:TRUNCATED_LENGTH]} if "text" in attempt else attempt


def _size(calls: dict[str, Any]) -> int:
    return len(json.dumps(calls))
