"""What whoever starts an agent has to know: that no language model will speak for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

NO_ENDPOINT = "No endpoint is set, so the agent speaks in its own words."


def missing_endpoint_warning(options: Mapping[str, Any] | None, settings: Mapping[str, Any]) -> str:
    """Why no model will speak for an agent that could ask one, in a sentence for whoever starts it.

    Args:
        options: What the agent can be set to, as a JSON schema; None if it says nothing of that.
        settings: What it is set to.

    Returns:
        The sentence; empty if a model will be asked, or if the agent knows of none.
    """
    could = {"endpoint", "key_variable"} <= set((options or {}).get("properties", {}))
    return NO_ENDPOINT if could and not settings.get("endpoint") else ""
