"""Keys that an agent's settings name: found here, as an agent's process reaches neither of their places."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from negoplatform.language_model.api_key import KEY_NAME_PATTERN, find_key
from negoplatform.plugins.loader import AgentPlugin


def credentials_for(plugin: AgentPlugin, config: Mapping[str, Any]) -> dict[str, str]:
    """The keys that an agent is given, by the names of the variables; an empty text where there is none.

    A setting whose schema has the format ``environment`` names the variable. What it is unless it is set
    counts for nothing: that stands in the agent's own file, which must not help itself to a key.

    Args:
        plugin: The agent.
        config: Its settings, as whoever runs the experiment has made them.
    """
    declared = (plugin.options or {}).get("properties", {})
    named = [
        config.get(name)
        for name, field in (declared.items() if isinstance(declared, Mapping) else ())
        if isinstance(field, Mapping) and field.get("format") == "environment"
    ]
    return {
        name: find_key(name) for name in named if isinstance(name, str) and KEY_NAME_PATTERN.fullmatch(name)
    }
