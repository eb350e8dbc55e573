"""Plug-ins of a game's principals: which one decides for each, and its preparation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from negoplatform.app.session.agent_placement import find_agent_with_settings, prepare_agents
from negoplatform.app.session.agent_setup import PreparedAgent, output_path, prepare_in_subprocess
from negoplatform.app.session.resume import find_logged_agent, shown_as_logged, with_logged_settings
from negoplatform.domain.agent_limits import END_SESSION
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import SeatMap
from negoplatform.eventlog.reader import SessionLog
from negoplatform.plugins.agent_loader import AgentPlugin

PRINCIPAL_ROLE = "principal"


def find_principals(
    game: GameSpec, chosen: Mapping[str, str], data_dir: Path, *, in_program: bool = False
) -> SeatMap[AgentPlugin]:
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
        plugin = find_agent_with_settings(wanted, data_dir, in_program=in_program)
        check_principal(plugin)
        if name not in chosen:
            plugin = replace(plugin, settings={**plugin.settings, **spec.settings})
        found[name] = plugin
    return SeatMap(found)


def usual_principals(game: GameSpec, data_dir: Path) -> SeatMap[AgentPlugin]:
    """Return the plug-ins that a game's file names for its principals.

    Raises:
        NegoError: If a principal has none.
    """
    return find_principals(game, {}, data_dir)


def check_principal(plugin: AgentPlugin) -> None:
    """Check that a plug-in is one for principals.

    Raises:
        NegoError: If it is not; a sentence.
    """
    if plugin.role != PRINCIPAL_ROLE:
        raise NegoError(
            f"{plugin.name} is no plug-in for a principal; a principal is a subclass of PrincipalAgent."
        )


def without_fallback(game: GameSpec) -> GameSpec:
    """Return a game for the preparation of a principal, which no other plug-in replaces."""
    agents = replace(game.rules.agents, fallback=END_SESSION)
    return replace(game, rules=replace(game.rules, agents=agents))


def prepare_principals(
    game: GameSpec, plugins: Mapping[str, AgentPlugin], *, seed: int, session_id: str, output: Path | None
) -> SeatMap[PreparedAgent]:
    """Prepare the plug-ins of principals, each in a separate process.

    Args:
        game: The game, with resolved profiles.
        plugins: The plug-ins by principal.
        seed: The session's seed.
        session_id: The session's id.
        output: The folder for their output; None: it is dropped.

    Raises:
        NegoError: If one cannot be prepared; then the others are released.
    """

    def prepare(name: str) -> PreparedAgent:
        plugin = plugins[name]
        return prepare_in_subprocess(
            plugin,
            name,
            plugin.settings,
            game=without_fallback(game),
            seed=seed,
            output=None if output is None else output_path(output, name),
            session_id=session_id,
        )

    return prepare_agents(plugins, prepare)


def restore_principals(
    log: SessionLog,
    game: GameSpec,
    data_dir: Path,
    file_of_hash: Callable[[str | None], str | None],
    *,
    named: bool = False,
    output: Path | None = None,
) -> SeatMap[PreparedAgent]:
    """Prepare the principals of a log, each in a separate process, in their state before the first event.

    Args:
        log: The log.
        game: Its game, ready to be played.
        data_dir: The user's folder, which is searched.
        file_of_hash: Returns the file with a hash, if one is known.
        named: Whether a person has just named these files, and so trusts them.
        output: The folder for their output; None: it is dropped.

    Raises:
        NegoError: If one is not available unchanged, or cannot be prepared.
    """

    def prepare(name: str) -> PreparedAgent:
        who = log.header.principals[name]
        plugin = with_logged_settings(find_logged_agent(who, data_dir, file_of_hash(who.sha256), named))
        check_principal(plugin)
        prepared = prepare_in_subprocess(
            plugin,
            name,
            who.config,
            game=without_fallback(game),
            seed=log.header.seed or 0,
            output=None if output is None else output_path(output, name),
            session_id=log.header.session_id,
        )
        return shown_as_logged(prepared, who)

    return prepare_agents(log.header.principals, prepare)
