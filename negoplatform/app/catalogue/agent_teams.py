"""Teams of agents by their names: ``team:A+B``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from negoplatform.domain.errors import NegoError
from negoplatform.formats.log_header import Occupant
from negoplatform.plugins.agent_loader import AgentPlugin
from negoplatform.plugins.agent_team import TEAM_PREFIX, AgentTeam, team_of


def find_agent_team(wanted: str, find: Callable[[str], AgentPlugin]) -> AgentTeam:
    """Return the team of ``team:A+B``.

    Args:
        wanted: The name, with the names or paths of two to five agents.
        find: Returns the agent of a name or path.

    Raises:
        NegoError: If an agent is not found, or they cannot be a team.
    """
    names = [name.strip() for name in wanted.removeprefix(TEAM_PREFIX).split("+")]
    if not all(names) or any(name.startswith(TEAM_PREFIX) for name in names):
        raise NegoError(f"{wanted!r} names no team of agents; write team:fair+negochat.")
    return team_of([find(name) for name in names])


def find_logged_team(
    who: Occupant, wanted: str | None, find: Callable[[Occupant, str | None], AgentPlugin]
) -> AgentTeam:
    """Return the team that played.

    Args:
        who: The team, as the log's header names it.
        wanted: The files of its members, one in a line, with an empty line for an unknown one; None: all are
            unknown.
        find: Returns the agent of a member, by its entry and its file.

    Raises:
        NegoError: If a member is not available unchanged, or the header does not hold the members.
    """
    members = logged_members(who)
    files = [None] * len(members) if wanted is None else [line or None for line in wanted.split("\n")]
    if len(files) != len(members):
        files = [None] * len(members)
    found = [find(member, file) for member, file in zip(members, files, strict=True)]
    return replace(team_of(found), name=(who.agent or "").partition("@")[0])


def logged_members(who: Occupant) -> list[Occupant]:
    """Return the members of a team in a log, as occupants of its seat.

    Raises:
        NegoError: If the header does not hold them.
    """
    entries = who.config.get("members")
    if not isinstance(entries, list) or not all(map(_is_entry, entries)):
        raise NegoError(f"The log does not hold the members of the team {who.agent!r}.")
    return [Occupant(kind="agent", name=who.name, **{key: one.get(key) for key in _KEYS}) for one in entries]


_KEYS = ("agent", "file", "sha256", "config", "version")


def _is_entry(entry: Any) -> bool:
    texts = ("agent", "file", "sha256")
    return (
        isinstance(entry, Mapping)
        and all(isinstance(entry.get(key), str) for key in texts)
        and isinstance(entry.get("config"), Mapping)
    )
