"""Catalogue of agents and games, with the reasons why some cannot be used."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

from negoplatform.app.catalogue.agent_teams import find_agent_team
from negoplatform.app.catalogue.catalogue_entry import (
    NOUNS,
    CatalogueEntry,
    is_path,
    reject_duplicate_names,
    require_item,
)
from negoplatform.app.catalogue.negmas_agents import NEGMAS_PREFIX, find_negmas_agent
from negoplatform.app.catalogue.search_path import (
    AGENT_FILE,
    agent_files,
    default_name,
    external_search_path,
    game_files,
    keep_from_agents,
    keep_user_files_from_agents,
)
from negoplatform.app.catalogue.user_plugins import (
    AgentDiscovery,
    agent_in_file,
    default_game_name,
    open_user_plugins,
)
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.formats.agent_manifest import load_manifest
from negoplatform.formats.agent_permissions import NO_PERMISSIONS, AgentPermissions
from negoplatform.formats.games import load_game
from negoplatform.hosting.agent_process_proxy import discover_agents
from negoplatform.plugins.agent_loader import (
    ALL_ROLES,
    ASSISTANT_ROLES,
    PRINCIPAL_ROLE,
    SEAT_ROLE,
    AgentPlugin,
    load_agents,
)
from negoplatform.plugins.agent_team import TEAM_PREFIX
from negoplatform.plugins.code_file_trust_hash import CodeFile
from negoplatform.plugins.game_state_loader import GAME_FILE, with_state_plugin
from negoplatform.plugins.policy_files import is_policy_file
from negoplatform.plugins.program_and_user_folders import bundled


def list_agents(
    data_dir: Path,
    *,
    trusting: Iterable[CodeFile] = (),
    describe: AgentDiscovery = discover_agents,
    report: Callable[[str], object] = lambda _sentence: None,
    in_program: bool = False,
    roles: Collection[str] = (SEAT_ROLE,),
) -> list[CatalogueEntry[AgentPlugin]]:
    """Return the agents that are shipped and those that were added; a broken one is an entry with its reason.

    Args:
        data_dir: The user's folder. The code of a file in it, or in the folder next to the program, is run
            only if it is trusted, and then in a separate process.
        trusting: Files that a person trusts as of now.
        describe: Finds the agents in a trusted file.
        report: Called with a sentence if the list of trusted files cannot be read or kept.
        in_program: Whether they are to run inside the program, which a file that is trusted in its sandbox
            alone may not.
        roles: Roles of the wanted plug-ins: by default agents for seats, and neither principals nor
            assistants. A file whose code has not been run, or cannot be, is listed in any case.
    """
    rows = _all_shipped_agents()
    with open_user_plugins(data_dir, trusting, report) as known:
        for shelf in external_search_path("agents", data_dir):
            for path in agent_files(shelf.folder):
                rows += [
                    replace(row, source=shelf.source) for row in known.agents_in(path, describe, in_program)
                ]
    return [row for row in reject_duplicate_names(rows) if row.item is None or row.item.role in roles]


def list_games(
    data_dir: Path,
    *,
    trusting: Iterable[CodeFile] = (),
    report: Callable[[str], object] = lambda _sentence: None,
) -> list[CatalogueEntry[GameSpec]]:
    """Return the games that are shipped and those that were added; a broken one is an entry with its reason.

    Args:
        data_dir: The user's folder. A game in it, or in the folder next to the program, that contains code
            cannot be used until the code is trusted.
        trusting: Files that a person trusts as of now.
        report: Called with a sentence if the list of trusted files cannot be read or kept.
    """
    rows = [_shipped_game_entry(path) for path in game_files(bundled("games"))]
    with open_user_plugins(data_dir, trusting, report) as known:
        for shelf in external_search_path("games", data_dir):
            found = [known.game_in(path) for path in game_files(shelf.folder)]
            rows += [replace(row, source=shelf.source) for row in found]
    return reject_duplicate_names(rows)


def game_folder(name: str, data_dir: Path) -> Path | None:
    """Return the folder of the game with a name; None if there is no such game."""
    return next((row.file.parent for row in list_games(data_dir) if row.name == name), None)


def find_agent(
    wanted: str,
    data_dir: Path,
    *,
    trusting: Iterable[CodeFile] = (),
    describe: AgentDiscovery = discover_agents,
    sha256: str | None = None,
    in_program: bool = False,
    roles: Collection[str] = (SEAT_ROLE,),
) -> AgentPlugin:
    """Return the agent that a person means: a name from the catalogue, ``PATH.py`` or ``PATH.py:Class``.

    A file that is named by its path is trusted by being named. A bare word is a name, whatever files the
    working folder has. ``negmas:NAME`` is a negotiator of NegMAS, ``team:A+B`` a team of agents.

    Args:
        wanted: The name or path.
        data_dir: The user's folder.
        trusting: Files that a person trusts as of now.
        describe: Finds the agents in a file.
        sha256: The hash that a file named by its path must have, from now until it is run; None: its present
            one.
        in_program: Whether it is to run inside the program, and not in a process.
        roles: Roles that fit: by default agents for seats.

    Raises:
        NegoError: With a sentence that lists the agents, or says that the file is not trusted yet, or that
            the plug-in has another role.
    """
    plugin = _find_plugin(wanted, data_dir, trusting, describe, sha256, in_program, roles)
    if plugin.role not in roles:
        needed = next(words for role, words in _NEEDED.items() if role in roles)
        raise NegoError(f"{wanted} is {_ROLE_WORDS[plugin.role]}; choose {needed}.")
    return plugin


_ROLE_WORDS = {
    SEAT_ROLE: "an agent for a seat",
    PRINCIPAL_ROLE: "a principal, which commands seats",
    **{kind: f"an assistant of the kind {kind}, which takes no seat" for kind in ASSISTANT_ROLES},
}


_NEEDED = {
    SEAT_ROLE: "an agent for a seat",
    PRINCIPAL_ROLE: "a principal",
    ASSISTANT_ROLES[0]: f"an assistant, such as {', '.join(ASSISTANT_ROLES)}",
}
"""Words for the wanted plug-in, by its role."""


def _find_plugin(
    wanted: str,
    data_dir: Path,
    trusting: Iterable[CodeFile],
    describe: AgentDiscovery,
    sha256: str | None,
    in_program: bool,
    roles: Collection[str],
) -> AgentPlugin:
    """Return the plug-in that a person means, whatever its role."""
    if wanted.startswith(TEAM_PREFIX):
        find = partial(
            find_agent, data_dir=data_dir, trusting=trusting, describe=describe, in_program=in_program
        )
        return find_agent_team(wanted, find)
    if wanted.startswith(NEGMAS_PREFIX):
        return find_negmas_agent(wanted)
    word = next(word for role, word in NOUNS.items() if role in roles)
    file, _, class_name = wanted.rpartition(":")
    if not is_plugin_path(file):
        file, class_name = wanted, ""
    if is_plugin_path(file):
        return agent_in_file(Path(file), class_name, data_dir, describe, sha256)
    shipped = _shipped_agents_named(wanted)
    if shipped:
        # The first plugin of a name keeps it, so the user's files need not be searched.
        return require_item(shipped, wanted, word)
    rows = list_agents(data_dir, trusting=trusting, describe=describe, in_program=in_program, roles=ALL_ROLES)
    fitting = [row for row in rows if row.name == wanted or row.item is None or row.item.role in roles]
    return require_item(fitting, wanted, word)


def find_shipped_agent(name: str) -> AgentPlugin:
    """Return a shipped agent for seats by its name.

    Raises:
        NegoError: With a sentence that lists the shipped agents.
    """
    found = next((row.item for row in _shipped_agents_named(name) if _takes_seats(row)), None)
    if found is None:
        there = ", ".join(row.name for row in _all_shipped_agents() if _takes_seats(row))
        raise NegoError(f"The program brings no agent {name!r}; it brings {there}.")
    return found


def _takes_seats(row: CatalogueEntry[AgentPlugin]) -> bool:
    return row.item is not None and row.item.role == SEAT_ROLE


def is_plugin_path(name_or_path: str) -> bool:
    """Return whether a text is the path of a plugin.

    That is a Python file, existing or not, the file of a policy, or a folder with an agent.
    """
    path = Path(name_or_path)
    is_file = path.suffix == ".py" or is_policy_file(path)
    return is_file or (is_path(name_or_path) and (path / AGENT_FILE).is_file())


def names_agent_file(wanted: str) -> bool:
    """Return whether an agent is named by an existing file, with or without its class."""
    return any(is_plugin_path(file) and Path(file).exists() for file in (wanted, wanted.rpartition(":")[0]))


def permissions_of_path(wanted: str) -> AgentPermissions:
    """Return the permissions in the agent.json of an agent that is named by its path.

    They are empty for an agent that is named otherwise, and where the file cannot be read.
    """
    file = wanted if is_plugin_path(wanted) else wanted.rpartition(":")[0]
    if not is_plugin_path(file):
        return NO_PERMISSIONS
    try:
        return load_manifest(Path(file) / AGENT_FILE if Path(file).is_dir() else Path(file)).permissions
    except NegoError:
        return NO_PERMISSIONS


def agent_from_entry(
    entry: CatalogueEntry[AgentPlugin], data_dir: Path, *, discover: AgentDiscovery = discover_agents
) -> AgentPlugin:
    """Return the agent of an entry that a person has chosen; choosing an untrusted one trusts it.

    Raises:
        NegoError: If it cannot be used, or its file is no longer the one that was shown.
    """
    if entry.untrusted is None:
        return require_item([entry], entry.name, "agent")
    rows = list_agents(data_dir, trusting=[entry.untrusted], describe=discover)
    plugin = require_item([other for other in rows if other.file == entry.file], entry.name, "agent")
    if plugin.sha256 != entry.untrusted.sha256:
        raise NegoError(f"{entry.untrusted.display_path} has changed while you were asked; look at it again.")
    return plugin


def game_from_entry(entry: CatalogueEntry[GameSpec], data_dir: Path) -> GameSpec:
    """Return the game of an entry that a person has chosen; choosing one with untrusted code trusts the code.

    Raises:
        NegoError: If it cannot be used, or its code is no longer the one that was shown.
    """
    if entry.untrusted is None:
        return require_item([entry], entry.name, "game")
    rows = list_games(data_dir, trusting=[entry.untrusted])
    game = require_item([other for other in rows if other.file == entry.file], entry.name, "game")
    if game.own_state is None or game.own_state.sha256 != entry.untrusted.sha256:
        raise NegoError(f"{entry.untrusted.display_path} has changed while you were asked; look at it again.")
    return game


def find_game(wanted: str, data_dir: Path, *, trusting: Iterable[CodeFile] = ()) -> GameSpec:
    """Return the game that a person means: a name from the catalogue, a file, or a folder with a game.json.

    A game that is named by its path is trusted by being named. A bare word is a name, whatever files the
    working folder has.

    Raises:
        NegoError: With a sentence that lists the games, or says that the game's state.py is not trusted yet.
    """
    path = Path(wanted)
    if (is_path(wanted) or path.suffix == ".json") and (path / GAME_FILE).is_file():
        path = path / GAME_FILE
    if path.suffix == ".json":
        # It has the preferences of all seats, and may lie beside an agent of the same author.
        keep_from_agents(path)
        return _game_in(path)
    shipped = _shipped_game_named(wanted)
    if shipped is not None:
        # The first game of a name keeps it, so the other files need not be read.
        keep_user_files_from_agents(data_dir)
        return shipped
    return require_item(list_games(data_dir, trusting=trusting), wanted, "game")


def _game_in(path: Path) -> GameSpec:
    return with_state_plugin(load_game(path), path)


def _shipped_game_entry(path: Path) -> CatalogueEntry[GameSpec]:
    try:
        game = _game_in(path)
    except NegoError as error:
        return CatalogueEntry(default_game_name(path), path, None, str(error))
    return CatalogueEntry(game.name, path, game)


def _shipped_game_named(name: str) -> GameSpec | None:
    """Return the shipped game in the file of that name, or None."""
    files = [path for path in game_files(bundled("games")) if default_game_name(path) == name]
    rows = [_shipped_game_entry(path) for path in files]
    return next((row.item for row in rows if row.name == name), None)


def _all_shipped_agents() -> list[CatalogueEntry[AgentPlugin]]:
    return [row for path in agent_files(bundled("agents")) for row in _shipped_agents(path)]


def _shipped_agents_named(name: str) -> list[CatalogueEntry[AgentPlugin]]:
    """Return the shipped agents of a name, one at most.

    Files that cannot hold it are not loaded: all agents together take several megabytes of a process.
    """
    files = agent_files(bundled("agents"))
    likely = [path for path in files if default_name(path) == name or _has_class(path, name)]
    for path in (*likely, *(path for path in files if path not in likely)):
        found = [row for row in _shipped_agents(path) if row.name == name]
        if found:
            return found
    return []


def _has_class(path: Path, name: str) -> bool:
    """Return whether a file declares a class whose agent may have a name."""
    classes = re.findall(r"^class (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    return name.replace("_", "") in map(str.lower, classes)


def _shipped_agents(path: Path) -> list[CatalogueEntry[AgentPlugin]]:
    try:
        return [CatalogueEntry(plugin.name, path, plugin) for plugin in load_agents(path, default_name(path))]
    except NegoError as error:
        return [CatalogueEntry(default_name(path), path, None, str(error))]
