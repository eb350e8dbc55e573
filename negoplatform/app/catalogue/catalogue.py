"""Which agents and games there are, and why some cannot be used."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Generic, TypeVar

from negoplatform.app.catalogue.search_path import (
    AGENT_FILE,
    PluginSource,
    agent_files,
    default_name,
    external_search_path,
    game_files,
)
from negoplatform.app.catalogue.trust import Trust, discover_cached
from negoplatform.app.support.crash_reports import CrashFolder
from negoplatform.app.support.key_value_store import FILE_NAME, KeyValueStore
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.formats.agent_protocol import DescribedAgent
from negoplatform.formats.games import load_game
from negoplatform.hosting.agent_process_proxy import discover_agents
from negoplatform.plugins.code_file_hash import CodeFile, code_file
from negoplatform.plugins.game_state_plugin import GAME_FILE, state_code, with_state_plugin
from negoplatform.plugins.loader import AgentPlugin, build_plugins, load_agents
from negoplatform.plugins.paths import bundled
from negoplatform.plugins.requirements import load_usable_manifest

T = TypeVar("T")

AgentDiscovery = Callable[[Path, str], list[DescribedAgent]]
"""Finds out which agents are in a file, given the file and its hash."""


@dataclass(frozen=True, slots=True)
class CatalogueEntry(Generic[T]):
    """A line of the catalogue: something to use, or the reason why it cannot be used.

    Args:
        name: What it is called.
        file: Where it comes from.
        item: What is used; None: it cannot be.
        reason: Why not, as a sentence.
        untrusted: The Python file that has to be trusted before; nothing of it has been run. None: none.
        preview: What is known of an untrusted one without running its code; not to be played with.
        source: Where it comes from.
        changed: Whether an untrusted one was trusted with another text.
    """

    name: str
    file: Path
    item: T | None
    reason: str = ""
    untrusted: CodeFile | None = None
    preview: T | None = None
    source: PluginSource = PluginSource.PROGRAM
    changed: bool = False


def list_agents(
    data_dir: Path,
    *,
    trusting: Iterable[CodeFile] = (),
    describe: AgentDiscovery = discover_agents,
    report: Callable[[str], object] = lambda _sentence: None,
) -> list[CatalogueEntry[AgentPlugin]]:
    """Every agent that the program brings and somebody has added; a broken one is a row with its reason.

    Args:
        data_dir: The user's folder. The code of a file in it, or in the folder beside the program, is run
            only if it is trusted, and then in a process of its own.
        trusting: Files that a person trusts as of now.
        describe: Finds out which agents are in a trusted file.
        report: Is given a sentence if what is trusted cannot be read or kept.
    """
    rows = _all_shipped_agents()
    with _open_user_plugins(data_dir, trusting, report) as known:
        for shelf in external_search_path("agents", data_dir):
            for path in agent_files(shelf.folder):
                rows += [replace(row, source=shelf.source) for row in known.agents_in(path, describe)]
    return _reject_duplicate_names(rows)


def list_games(
    data_dir: Path,
    *,
    trusting: Iterable[CodeFile] = (),
    report: Callable[[str], object] = lambda _sentence: None,
) -> list[CatalogueEntry[GameSpec]]:
    """Every game that the program brings and somebody has added; a broken one is a row with its reason.

    Args:
        data_dir: The user's folder. A game in it, or in the folder beside the program, that brings code is a
            row alone until that is trusted.
        trusting: Files that a person trusts as of now.
        report: Is given a sentence if what is trusted cannot be read or kept.
    """
    rows = [_shipped_game_entry(path) for path in game_files(bundled("games"))]
    with _open_user_plugins(data_dir, trusting, report) as known:
        for shelf in external_search_path("games", data_dir):
            found = [known.game_in(path) for path in game_files(shelf.folder)]
            rows += [replace(row, source=shelf.source) for row in found]
    return _reject_duplicate_names(rows)


def game_folder(name: str, data_dir: Path) -> Path | None:
    """The folder of the game that has a name; None if there is no such game."""
    return next((row.file.parent for row in list_games(data_dir) if row.name == name), None)


def find_agent(
    wanted: str,
    data_dir: Path,
    *,
    trusting: Iterable[CodeFile] = (),
    describe: AgentDiscovery = discover_agents,
    sha256: str | None = None,
) -> AgentPlugin:
    """The agent that a person means: a name from the catalogue, ``PATH.py`` or ``PATH.py:Class``.

    A file that is named by its path is trusted by being named. A bare word is a name, whatever lies in the
    working folder.

    Args:
        wanted: What the person says.
        data_dir: The user's folder.
        trusting: Files that a person trusts as of now.
        describe: Finds out which agents are in a file.
        sha256: The hash that a file named by its path has to have, from now until it is run; None: the one
            that it has now.

    Raises:
        NegoError: With a sentence that says what there is, or that its file is not trusted yet.
    """
    file, _, class_name = wanted.rpartition(":")
    if not is_plugin_path(file):
        file, class_name = wanted, ""
    if is_plugin_path(file):
        return _agent_in_file(Path(file), class_name, data_dir, describe, sha256)
    shipped = _shipped_agents_named(wanted)
    if shipped:
        # The first one with a name keeps it, so the user's files need not be looked at.
        return _require_item(shipped, wanted, "agent")
    return _require_item(list_agents(data_dir, trusting=trusting, describe=describe), wanted, "agent")


def find_shipped_agent(name: str) -> AgentPlugin:
    """An agent that the program brings, by its name.

    Raises:
        NegoError: With a sentence that says what there is.
    """
    found = next((row.item for row in _shipped_agents_named(name) if row.item is not None), None)
    if found is None:
        there = ", ".join(row.name for row in _all_shipped_agents() if row.item is not None)
        raise NegoError(f"The program brings no agent {name!r}; it brings {there}.")
    return found


def is_plugin_path(name_or_path: str) -> bool:
    """Whether a plugin's path is meant: a Python file, there or not, or a folder with an agent in it."""
    path = Path(name_or_path)
    return path.suffix == ".py" or (_is_path(name_or_path) and (path / AGENT_FILE).is_file())


def _is_path(wanted: str) -> bool:
    """Whether a path is meant and not a name: nothing in the working folder is run for its name alone."""
    return wanted in (os.curdir, os.pardir) or any(mark in wanted for mark in (os.sep, os.altsep) if mark)


def find_entry(
    entries: Iterable[CatalogueEntry[T]], name: str, trusting: Iterable[CodeFile]
) -> CatalogueEntry[T] | None:
    """The row that was shown and chosen, by its name and by what is trusted with it; None if it was none."""
    trusted, same = set(trusting), [row for row in entries if row.name == name]
    return next(
        (row for row in same if row.untrusted in trusted),
        next((row for row in same if row.item is not None), None),
    )


def agent_from_entry(
    entry: CatalogueEntry[AgentPlugin], data_dir: Path, *, discover: AgentDiscovery = discover_agents
) -> AgentPlugin:
    """The agent of a row that a person has chosen; if it was not trusted, they trust it as of now.

    Raises:
        NegoError: If it cannot be used, or its file is no longer the one that was shown.
    """
    if entry.untrusted is None:
        return _require_item([entry], entry.name, "agent")
    rows = list_agents(data_dir, trusting=[entry.untrusted], describe=discover)
    plugin = _require_item([other for other in rows if other.file == entry.file], entry.name, "agent")
    if plugin.sha256 != entry.untrusted.sha256:
        raise NegoError(f"{entry.untrusted.display_path} has changed while you were asked; look at it again.")
    return plugin


def game_from_entry(entry: CatalogueEntry[GameSpec], data_dir: Path) -> GameSpec:
    """The game of a row that a person has chosen; if its code was not trusted, they trust it as of now.

    Raises:
        NegoError: If it cannot be used, or its code is no longer the one that was shown.
    """
    if entry.untrusted is None:
        return _require_item([entry], entry.name, "game")
    rows = list_games(data_dir, trusting=[entry.untrusted])
    game = _require_item([other for other in rows if other.file == entry.file], entry.name, "game")
    if game.own_state is None or game.own_state.sha256 != entry.untrusted.sha256:
        raise NegoError(f"{entry.untrusted.display_path} has changed while you were asked; look at it again.")
    return game


def find_game(wanted: str, data_dir: Path, *, trusting: Iterable[CodeFile] = ()) -> GameSpec:
    """The game that a person means: a name from the catalogue, a file, or a folder with a game.json.

    What is named by its path is trusted by being named. A bare word is a name, whatever lies in the working
    folder.

    Raises:
        NegoError: With a sentence that says what there is, or that its state.py is not trusted yet.
    """
    path = Path(wanted)
    if (_is_path(wanted) or path.suffix == ".json") and (path / GAME_FILE).is_file():
        path = path / GAME_FILE
    if path.suffix == ".json":
        return _game_in(path)
    return _require_item(list_games(data_dir, trusting=trusting), wanted, "game")


def _game_in(path: Path) -> GameSpec:
    return with_state_plugin(load_game(path), path)


def _shipped_game_entry(path: Path) -> CatalogueEntry[GameSpec]:
    try:
        game = _game_in(path)
    except NegoError as error:
        return CatalogueEntry(_default_game_name(path), path, None, str(error))
    return CatalogueEntry(game.name, path, game)


def _default_game_name(path: Path) -> str:
    return path.parent.name if path.name == GAME_FILE else path.stem


def _all_shipped_agents() -> list[CatalogueEntry[AgentPlugin]]:
    return [row for path in agent_files(bundled("agents")) for row in _shipped_agents(path)]


def _shipped_agents_named(name: str) -> list[CatalogueEntry[AgentPlugin]]:
    """The shipped agents of a name, one at most.

    Files that can't hold it are not loaded: all agents together take several megabytes of a process.
    """
    files = agent_files(bundled("agents"))
    likely = [path for path in files if default_name(path) == name or _has_class(path, name)]
    for path in (*likely, *(path for path in files if path not in likely)):
        found = [row for row in _shipped_agents(path) if row.name == name]
        if found:
            return found
    return []


def _has_class(path: Path, name: str) -> bool:
    """Whether a file declares a class that an agent of a name may be."""
    classes = re.findall(r"^class (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    return name.replace("_", "") in map(str.lower, classes)


def _shipped_agents(path: Path) -> list[CatalogueEntry[AgentPlugin]]:
    try:
        return [CatalogueEntry(plugin.name, path, plugin) for plugin in load_agents(path, default_name(path))]
    except NegoError as error:
        return [CatalogueEntry(default_name(path), path, None, str(error))]


@dataclass(frozen=True, slots=True)
class _UserPlugins:
    """What is known of the user's own files.

    Whatever is wrong with one of them, and be it something that nobody has foreseen, is the reason of its
    row: a file that somebody was given stops no program.
    """

    data_dir: Path
    database: KeyValueStore
    trust: Trust
    crashes: CrashFolder

    def agents_in(self, path: Path, describe: AgentDiscovery) -> list[CatalogueEntry[AgentPlugin]]:
        stem = default_name(path)
        try:
            manifest = load_usable_manifest(path)
            stem = manifest.id or stem
            code = code_file(path)
            if not self.trust.is_trusted(code):
                options = None if manifest.options is None else manifest.options.to_json_schema()
                preview = AgentPlugin(stem, "", path, code.sha256, "", options=options, manifest=manifest)
                return [self._untrusted(CatalogueEntry(stem, path, None, preview=preview), code)]
            found = discover_cached(code, self.database, describe)
            plugins = build_plugins(path, stem, code.sha256, found, manifest)
        except Exception as error:  # noqa: BLE001 - told and kept
            return [CatalogueEntry(stem, path, None, self._reason(error, path))]
        return [CatalogueEntry(plugin.name, path, plugin) for plugin in plugins]

    def game_in(self, path: Path) -> CatalogueEntry[GameSpec]:
        try:
            return self._game_in(path)
        except Exception as error:  # noqa: BLE001 - told and kept
            return CatalogueEntry(_default_game_name(path), path, None, self._reason(error, path))

    def _reason(self, error: Exception, path: Path) -> str:
        """Why a file cannot be used, as a sentence; where we are to blame, its trace is kept."""
        if isinstance(error, NegoError):
            return str(error)
        crash = self.crashes.write(error)
        where = f" The details are in {crash}." if crash else ""
        return f"{path}: something went wrong inside NegoPlatform ({type(error).__name__}).{where}"

    def _game_in(self, path: Path) -> CatalogueEntry[GameSpec]:
        code, game = state_code(path), load_game(path)
        if code is not None and not self.trust.is_trusted(code):
            return self._untrusted(CatalogueEntry(game.name, path, None, preview=game), code)
        game = with_state_plugin(game, path, code=code)
        return CatalogueEntry(game.name, path, game)

    def _untrusted(self, row: CatalogueEntry[T], code: CodeFile) -> CatalogueEntry[T]:
        reason = f"not trusted yet: {code.trust_command(self.data_dir)}"
        return replace(row, untrusted=code, reason=reason, changed=self.trust.was_ever_trusted(code.path))


@contextmanager
def _open_user_plugins(
    data_dir: Path, trusting: Iterable[CodeFile], report: Callable[[str], object]
) -> Iterator[_UserPlugins]:
    with KeyValueStore(data_dir / FILE_NAME, report) as database:
        yield _UserPlugins(data_dir, database, Trust(database, trusting), CrashFolder(data_dir / "crashes"))


def _agent_in_file(
    path: Path, class_name: str, data_dir: Path, describe: AgentDiscovery, sha256: str | None
) -> AgentPlugin:
    if path.is_dir():
        path = path / AGENT_FILE
    manifest = load_usable_manifest(path)
    code = code_file(path) if sha256 is None else CodeFile(path, sha256)
    with KeyValueStore(data_dir / FILE_NAME, lambda _sentence: None) as database:
        # Where there is no folder for the user's data none is made for a note of what this file holds.
        found = (
            discover_cached(code, database, describe) if data_dir.is_dir() else describe(path, code.sha256)
        )
    plugins = build_plugins(path, default_name(path), code.sha256, found, manifest)
    if class_name:
        plugins = [plugin for plugin in plugins if plugin.class_name == class_name]
        if not plugins:
            raise NegoError(f"{path} has no agent class {class_name!r}.")
    if len(plugins) > 1:
        choices = ", ".join(f"{path}:{plugin.class_name}" for plugin in plugins)
        raise NegoError(f"{path} holds several agents; choose one of {choices}.")
    return plugins[0]


def _reject_duplicate_names(rows: list[CatalogueEntry[T]]) -> list[CatalogueEntry[T]]:
    taken: dict[str, Path] = {}
    kept: list[CatalogueEntry[T]] = []
    for row in rows:
        # Whoever trusted it would be given the other one.
        if (row.item is not None or row.untrusted is not None) and row.name in taken:
            reason = f"the name {row.name!r} belongs to {taken[row.name]}; rename this one"
            row = replace(row, item=None, untrusted=None, preview=None, reason=f"{row.file}: {reason}.")
        elif row.item is not None:
            taken[row.name] = row.file
        kept.append(row)
    return kept


def _require_item(rows: list[CatalogueEntry[T]], wanted: str, kind: str) -> T:
    for row in rows:
        if row.name == wanted and row.item is not None:
            return row.item
    for row in rows:
        if row.name == wanted and row.untrusted is not None:
            raise NegoError(f"The {kind} {wanted!r} is {row.reason}")
        if row.name == wanted:
            raise NegoError(f"The {kind} {wanted!r} cannot be used: {row.reason}")
    several = [row.name for row in rows if row.item is not None and default_name(row.file) == wanted]
    if several and kind == "agent":
        raise NegoError(f"The file {wanted} holds agents of other names; choose one of {', '.join(several)}.")
    there = ", ".join(row.name for row in rows if row.item is not None)
    raise NegoError(f"There is no {kind} {wanted!r}; there is {there}, or give a file.{_path_hint(wanted)}")


def _path_hint(wanted: str) -> str:
    """For a bare word beside a folder of that name, which is not looked into: how its path is written."""
    if _is_path(wanted) or not any((Path(wanted) / file).is_file() for file in (AGENT_FILE, GAME_FILE)):
        return ""
    return f" The folder {wanted} that lies here is named by its path: {os.curdir}{os.sep}{wanted}"
