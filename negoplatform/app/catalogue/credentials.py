"""Keys and services named by an agent's settings.

Keys are looked up here because an agent's process has no access to them; services are collected because the
sandbox of its process lets it connect to no others.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeGuard
from urllib.parse import urlsplit

from negoplatform.language_model.api_key import KEY_NAME_PATTERN, find_key
from negoplatform.plugins.agent_loader import AgentPlugin
from negoplatform.plugins.program_and_user_folders import bundled


def credentials_for(plugin: AgentPlugin, config: Mapping[str, Any]) -> dict[str, str]:
    """Return the keys for an agent by the names of their variables; an empty text where there is none.

    A setting whose schema has the format ``environment`` names the variable. The setting's default is
    ignored: it comes from the agent's own file, which must not be able to request a key.

    Args:
        plugin: The agent.
        config: Its settings, as the experimenter has made them.
    """
    named = [config.get(name) for name in _fields(plugin, "environment")]
    return {
        name: find_key(name) for name in named if isinstance(name, str) and KEY_NAME_PATTERN.fullmatch(name)
    }


def endpoints_for(plugin: AgentPlugin, config: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the addresses of the services that an agent's settings name, each once.

    A setting whose schema has the format ``uri`` holds one. Its default counts for shipped agents alone: in
    another agent's file it would be a way around the permissions that a person is asked about.

    Args:
        plugin: The agent.
        config: Its settings, as the experimenter has made them.
    """
    is_shipped = bundled("agents").resolve() in plugin.file.resolve().parents
    named = [
        config.get(name, field.get("default") if is_shipped else None)
        for name, field in _fields(plugin, "uri").items()
    ]
    return tuple(dict.fromkeys(address for address in named if _is_address(address)))


def _fields(plugin: AgentPlugin, kind: str) -> dict[str, Mapping[str, Any]]:
    """Return the schemas of an agent's settings that have a format, by their names."""
    declared = (plugin.options or {}).get("properties", {})
    fields = declared.items() if isinstance(declared, Mapping) else ()
    return {
        name: field for name, field in fields if isinstance(field, Mapping) and field.get("format") == kind
    }


def _is_address(value: object) -> TypeGuard[str]:
    """Return whether a setting is an address of a service; what is none is reported by the agent."""
    if not isinstance(value, str):
        return False
    try:
        parts = urlsplit(value)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # an invalid port
        return False
