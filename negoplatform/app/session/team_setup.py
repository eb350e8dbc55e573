"""Preparation of a team of agents for one seat."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from negoplatform.domain.agent_limits import AgentBudget
from negoplatform.domain.errors import NegoError
from negoplatform.formats.agent_permissions import SandboxLevel
from negoplatform.formats.log_header import AgentIsolation
from negoplatform.hosting.agent_runner import AgentGame
from negoplatform.hosting.responder import LastingResponder
from negoplatform.hosting.teams.team_responder import TeamMember, TeamResponder, member_games
from negoplatform.plugins.agent_loader import AgentPlugin
from negoplatform.plugins.agent_team import AgentTeam


def team_spawner(
    team: AgentTeam,
    budget_of: Callable[[AgentPlugin, Mapping[str, Any]], AgentBudget],
    spawn_of: Callable[[AgentPlugin, AgentBudget], Callable[[AgentGame], LastingResponder]],
) -> Callable[[AgentGame], TeamResponder]:
    """Return a function that starts the members of a team in their first game.

    Args:
        team: The team.
        budget_of: Returns the budget of a member with its settings.
        spawn_of: Returns a function that starts one agent within a budget.
    """

    def spawn(played: AgentGame) -> TeamResponder:
        members: list[TeamMember] = []
        try:
            for plugin, own in zip(team.members, member_games(played, len(team.members)), strict=True):
                budget = budget_of(plugin, own.config or {})
                members.append(TeamMember(plugin.name, spawn_of(plugin, budget)(own), budget.strikes))
        except BaseException as error:
            for member in members:
                member.responder.stop()
            if isinstance(error, NegoError):
                raise NegoError(f"{team.name}: {error}") from error
            raise
        return TeamResponder(members, team.joining_settings(played.config or {}))

    return spawn


def team_isolation(
    team: AgentTeam,
    levels: Sequence[SandboxLevel],
    config: Mapping[str, Any],
    isolation_of: Callable[[SandboxLevel, AgentPlugin, Mapping[str, Any]], AgentIsolation],
) -> AgentIsolation:
    """Return the weakest sandbox of a team's members, with everything that any of them was allowed.

    Args:
        team: The team.
        levels: The sandbox of each member's process.
        config: The complete settings of the team.
        isolation_of: Returns the entry for one agent.
    """
    entries = [
        isolation_of(level, plugin, one["config"])
        for level, plugin, one in zip(levels, team.members, config["members"], strict=True)
    ]
    weakest = min(entries, key=lambda entry: (entry.landlock, entry.seccomp))
    allowed: dict[str, list[str]] = {}
    for entry in entries:
        for name, places in entry.permissions.items():
            allowed[name] = list(dict.fromkeys([*allowed.get(name, ()), *places]))
    return replace(weakest, permissions=allowed)
