"""Keys named by an agent's settings; looked up here because an agent's process has no access to them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from negoplatform.language_model.api_key import KEY_NAME_PATTERN, find_key
from negoplatform.plugins.agent_loader import AgentPlugin


def credentials_for(plugin: AgentPlugin, config: Mapping[str, Any]) -> dict[str, str]:
    """Return the keys for an agent by the names of their variables; an empty text where there is none.

    A setting whose schema has the format ``environment`` names the variable. The setting's default is
    ignored: it comes from the agent's own file, which must not be able to request a key.

    Args:
        plugin: The agent.
        config: Its settings, as the experimenter has made them.
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
