"""The user's own agents and games, as far as they can be used."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from negoplatform.app.catalogue.catalogue_entry import CatalogueEntry
from negoplatform.app.catalogue.search_path import AGENT_FILE, default_name, keep_user_files_from_agents
from negoplatform.app.catalogue.trust import Trust, discover_cached
from negoplatform.app.support.crash_reports import CrashFolder
from negoplatform.app.support.key_value_store import FILE_NAME, KeyValueStore
from negoplatform.core.mechanisms.registry import BARGAINING
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.formats.agent_permissions import NO_PERMISSIONS
from negoplatform.formats.agent_protocol import DescribedAgent
from negoplatform.formats.games import load_game
from negoplatform.plugins.agent_loader import AgentPlugin, build_plugins
from negoplatform.plugins.code_file_trust_hash import CodeFile, agent_code_file
from negoplatform.plugins.game_state_loader import GAME_FILE, state_code, with_state_plugin
from negoplatform.plugins.policy_files import is_policy_file
from negoplatform.plugins.requirements import load_usable_manifest

T = TypeVar("T")

AgentDiscovery = Callable[[Path, str], list[DescribedAgent]]
"""Function that finds the agents in a file, given the file and its hash."""


def default_game_name(path: Path) -> str:
    """Return the name of a game whose file cannot be read: that of its file or folder."""
    return path.parent.name if path.name == GAME_FILE else path.stem


@dataclass(frozen=True, slots=True)
class UserPlugins:
    """Entries for the user's own files.

    Any fault of a file, including one that was not foreseen, becomes the reason of its entry: a file from
    another person must not stop the program.
    """

    data_dir: Path
    database: KeyValueStore
    trust: Trust
    crashes: CrashFolder

    def agents_in(
        self, path: Path, describe: AgentDiscovery, in_program: bool
    ) -> list[CatalogueEntry[AgentPlugin]]:
        """Return the entries of the agents in a file."""
        stem = default_name(path)
        try:
            manifest = load_usable_manifest(path)
            stem = manifest.id or stem
            code = agent_code_file(path, manifest, in_program=in_program)
            if not is_policy_file(path) and not self.trust.is_trusted(code):
                options = None if manifest.options is None else manifest.options.to_json_schema()
                kinds = manifest.mechanisms or (BARGAINING,)
                preview = AgentPlugin(
                    stem, "", path, code.sha256, "", options=options, manifest=manifest, mechanisms=kinds
                )
                return [self._untrusted(CatalogueEntry(stem, path, None, preview=preview), code)]
            found = discover_cached(code, self.database, describe)
            plugins = build_plugins(path, stem, code.sha256, found, manifest)
        except Exception as error:  # noqa: BLE001 - reported and kept
            return [CatalogueEntry(stem, path, None, self._reason(error, path))]
        return [CatalogueEntry(plugin.name, path, plugin) for plugin in plugins]

    def game_in(self, path: Path) -> CatalogueEntry[GameSpec]:
        """Return the entry of the game in a file."""
        try:
            return self._game_in(path)
        except Exception as error:  # noqa: BLE001 - reported and kept
            return CatalogueEntry(default_game_name(path), path, None, self._reason(error, path))

    def _reason(self, error: Exception, path: Path) -> str:
        """Return why a file cannot be used, as a sentence; the trace of an error of ours is kept."""
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
        asks_more = self.trust.is_trusted(replace(code, permissions=NO_PERMISSIONS))
        if asks_more:
            what = "trusted with fewer permissions than it asks for now"
        elif code.in_program and self.trust.is_trusted(replace(code, in_program=False)):
            what = "trusted only in a process of its own, not inside the program"
        else:
            what = "not trusted yet"
        return replace(
            row,
            untrusted=code,
            reason=f"{what}: {code.trust_command(self.data_dir)}",
            changed=self.trust.was_ever_trusted(code.path),
            asks_more=asks_more,
        )


@contextmanager
def open_user_plugins(
    data_dir: Path, trusting: Iterable[CodeFile], report: Callable[[str], object]
) -> Iterator[UserPlugins]:
    """Open the user's agents and games, with the files that are trusted."""
    keep_user_files_from_agents(data_dir)
    with KeyValueStore(data_dir / FILE_NAME, report) as database:
        yield UserPlugins(data_dir, database, Trust(database, trusting), CrashFolder(data_dir / "crashes"))


def agent_in_file(
    path: Path, class_name: str, data_dir: Path, describe: AgentDiscovery, sha256: str | None
) -> AgentPlugin:
    """Return the agent in a file.

    Raises:
        NegoError: If the file cannot be read, has no such class, or has several agents and none is named.
    """
    keep_user_files_from_agents(data_dir)
    if path.is_dir():
        path = path / AGENT_FILE
    manifest = load_usable_manifest(path)
    code = agent_code_file(path, manifest, sha256=sha256)
    with KeyValueStore(data_dir / FILE_NAME, lambda _sentence: None) as database:
        # A user's folder that does not exist is not created just to cache this file's agents.
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
