"""Agents of a log: the plug-ins that played, unchanged, and the settings that they had."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from negoplatform.app.catalogue.agent_teams import find_logged_team
from negoplatform.app.catalogue.catalogue import find_agent, list_agents
from negoplatform.app.catalogue.earlier_agent_files import acts_as_logged
from negoplatform.app.catalogue.negmas_agents import NEGMAS_PREFIX, find_logged_negmas_agent
from negoplatform.app.catalogue.search_path import requires_trust
from negoplatform.app.catalogue.trust import open_trust
from negoplatform.core.events import EventType
from negoplatform.core.record.notes_and_tasks_proposals import StateProposal
from negoplatform.domain.errors import NegoError
from negoplatform.domain.seat_map import Seat
from negoplatform.eventlog.reader import SessionLog
from negoplatform.formats.log_header import Occupant
from negoplatform.plugins.agent_loader import ALL_ROLES, AgentPlugin, hash_of
from negoplatform.plugins.agent_team import TEAM_PREFIX, AgentTeam
from negoplatform.plugins.code_file_trust_hash import CodeFile, agent_code_file


def find_logged_agent(who: Occupant, data_dir: Path, wanted: str | None, named: bool) -> AgentPlugin:
    """Return the agent that played: its file has the same hash, from now until it is run, or acts the same.

    Args:
        who: The agent, as the log's header names it.
        data_dir: The user's folder, which is searched for it.
        wanted: Its file: ``PATH`` or ``PATH:Class``; None if unknown.
        named: Whether a person has just named that file, and so trusts it.

    Raises:
        NegoError: If it is not available unchanged, or is no longer trusted.
    """
    if (who.agent or "").startswith(TEAM_PREFIX):
        return find_logged_team(
            who, wanted, lambda member, file: find_logged_agent(member, data_dir, file, named)
        )
    if (
        wanted is not None
        and who.sha256 is not None
        and _is_unchanged(Path(agent_file_path(wanted)), who.sha256)
    ):
        if not named:
            file = Path(agent_file_path(wanted))
            _check_trust(who, agent_code_file(file, sha256=who.sha256), data_dir)
        plugin = find_agent(wanted, data_dir, sha256=who.sha256, roles=ALL_ROLES)
        return replace(plugin, name=who.agent or Path(agent_file_path(wanted)).stem)
    name = (who.agent or "").partition("@")[0]  # the part behind is the file of its settings
    if name.startswith(NEGMAS_PREFIX):
        return find_logged_negmas_agent(who)
    rows = list_agents(data_dir, roles=ALL_ROLES)
    for row in rows:
        if row.item is not None and row.item.name == name and acts_as_logged(row, who):
            return row.item
    for row in rows:
        if row.untrusted is not None and row.untrusted.sha256 == who.sha256:
            raise NegoError(f"The agent {who.agent!r} is {row.reason}")
    elsewhere = ", or name it where it is with --agent PATH" if named else ""
    raise NegoError(
        f"The agent {who.agent!r} ({who.file}) is not here as it was when this was played; put the "
        f"unchanged file into {data_dir / 'agents'} and try again{elsewhere}."
    )


def with_logged_settings(plugin: AgentPlugin) -> AgentPlugin:
    """Return an agent without the options of its present agent.json: the log holds its settings."""
    if isinstance(plugin, AgentTeam):
        return replace(plugin, members=tuple(map(with_logged_settings, plugin.members)))
    return replace(plugin, manifest=plugin.manifest.model_copy(update={"options": None}))


def _check_trust(who: Occupant, code: CodeFile, data_dir: Path) -> None:
    """Raise NegoError if a file of the user's own is not trusted now, even if it was when it played."""
    if not requires_trust(code.path, data_dir):
        return
    with open_trust(data_dir, lambda _sentence: None) as trust:
        if not trust.is_trusted(code):
            raise NegoError(f"The agent {who.agent!r} is not trusted yet: {code.trust_command(data_dir)}")


def _is_unchanged(file: Path, sha256: str | None) -> bool:
    """Return whether a file has a hash. Called before the file is read: a changed one is not trusted yet."""
    try:
        return hash_of(file) == sha256
    except NegoError:
        return False


def agent_file_path(wanted: str) -> str:
    """Return the file in ``PATH`` or ``PATH:Class``."""
    path, _, _class_name = wanted.rpartition(":")
    return path if path.endswith(".py") else wanted


def with_recorded_answers(
    log: SessionLog, seat: Seat, plugin: AgentPlugin, config: Mapping[str, Any]
) -> dict[str, Any]:
    """Return an agent's settings in a log, with the recorded answers of its language model.

    Args:
        log: The log.
        seat: The agent's seat.
        plugin: The agent, or a team of agents.
        config: Its settings.
    """
    if not isinstance(plugin, AgentTeam):
        return {**config, **recorded_answers(log, seat, plugin)}
    members = [
        {**entry, "config": {**entry["config"], **recorded_answers(log, seat, member)}}
        for member, entry in zip(plugin.members, config["members"], strict=True)
    ]
    return {**config, "members": members}


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
