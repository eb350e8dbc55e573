"""Warning that no language model will speak for an agent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

NO_ENDPOINT = "No endpoint is set, so the agent speaks in its own words."

NO_DECISIONS = (
    "No endpoint is set, so no model decides: the agent offers its best outcome and accepts only the last."
)
"""Consequence of no endpoint for an agent whose model decides."""


def missing_endpoint_warning(options: Mapping[str, Any] | None, settings: Mapping[str, Any]) -> str:
    """Return why no model will speak for an agent that could use one, in a sentence.

    Args:
        options: The agent's options as a JSON schema; None if it declares none.
        settings: Its settings.

    Returns:
        The sentence; empty if a model will be called, or if the agent does not use one.
    """
    properties = set((options or {}).get("properties", {}))
    if not {"endpoint", "key_variable"} <= properties or settings.get("endpoint"):
        return ""
    return NO_DECISIONS if "below_reservation" in properties else NO_ENDPOINT
