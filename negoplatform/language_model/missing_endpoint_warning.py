"""Warning that no language model will speak for an agent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

NO_ENDPOINT = "No endpoint is set, so the agent speaks in its own words."


def missing_endpoint_warning(options: Mapping[str, Any] | None, settings: Mapping[str, Any]) -> str:
    """Return why no model will speak for an agent that could use one, in a sentence.

    Args:
        options: The agent's options as a JSON schema; None if it declares none.
        settings: Its settings.

    Returns:
        The sentence; empty if a model will be called, or if the agent does not use one.
    """
    could = {"endpoint", "key_variable"} <= set((options or {}).get("properties", {}))
    return NO_ENDPOINT if could and not settings.get("endpoint") else ""
