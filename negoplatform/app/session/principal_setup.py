"""Plug-ins of a game's principals: which one decides for each, and its preparation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from negoplatform.app.session.agent_placement import find_agent_with_settings, prepare_agents
from negoplatform.app.session.agent_setup import (
    PreparedAgent,
    prepare_in_process,
    prepare_in_subprocess,
    starting_output_path,
)
from negoplatform.domain.agent_limits import END_SESSION
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import SeatMap
from negoplatform.plugins.agent_loader import PRINCIPAL_ROLE, AgentPlugin


def find_principals(
    game: GameSpec, chosen: Mapping[str, str], data_dir: Path, *, in_program: bool = False
) -> dict[str, AgentPlugin]:
    """Return the plug-in of each principal of a game, with its settings.

    Args:
        game: The game.
        chosen: The plug-ins by principal, as ``NAME`` or ``PATH``, with ``@settings.json`` if wanted; for all
            others, the game's file names them.
        data_dir: The user's folder, which is searched.
        in_program: Whether they run in the program's own process.

    Raises:
        NegoError: If a principal does not exist or has no plug-in, or the plug-in is none for principals.
    """
    for name in chosen:
        if name not in game.principals:
            there = ", ".join(game.principals) or "none"
            raise NegoError(f"{game.name} has no principal {name!r}; it has {there}.")
    found = {}
    for name, spec in game.principals.items():
        wanted = chosen.get(name) or spec.agent
        if not wanted:
            raise NegoError(
                f"No plug-in decides for the principal {name!r} of {game.name}; name one with "
                f"--principal {name}=PLUGIN."
            )
        plugin = find_agent_with_settings(wanted, data_dir, in_program=in_program, roles=(PRINCIPAL_ROLE,))
        if name not in chosen:
            plugin = replace(plugin, settings={**plugin.settings, **spec.settings})
        found[name] = plugin
    return found


def prepare_principals(
    game: GameSpec,
    plugins: Mapping[str, AgentPlugin],
    *,
    seed: int,
    session_id: str = "",
    output: Path | None = None,
    in_program: bool = False,
    logged: Mapping[str, Mapping[str, Any]] | None = None,
    is_rerun: bool = False,
) -> SeatMap[PreparedAgent]:
    """Prepare the plug-ins of principals, each in a separate process unless all run in this one.

    Args:
        game: The game, with resolved profiles.
        plugins: The plug-ins by principal.
        seed: The session's seed.
        session_id: The session's id.
        output: The folder of sessions, for the output of their processes; None: it is dropped.
        in_program: Whether all run in this process.
        logged: Their settings in a log, by name, in place of those of the plug-ins.
        is_rerun: Whether a log is run again: then their processes have more time for each reaction.

    Raises:
        NegoError: If one cannot be prepared; then the others are released.
    """
    # No other plug-in replaces one that fails: the session goes on without it.
    alone = replace(game, rules=replace(game.rules, agents=replace(game.rules.agents, fallback=END_SESSION)))

    def prepare(name: str) -> PreparedAgent:
        plugin = plugins[name]
        config = dict(plugin.settings if logged is None else logged[name])
        if in_program:
            return prepare_in_process(plugin, name, config, game=alone, seed=seed, session_id=session_id)
        place = None if output is None else starting_output_path(output, name)
        return prepare_in_subprocess(
            plugin,
            name,
            config,
            game=alone,
            seed=seed,
            output=place,
            session_id=session_id,
            is_rerun=is_rerun,
        )

    return prepare_agents(plugins, prepare)
