"""Folders that are searched for agents and games: the program's own, those next to it, and the user's."""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Literal

from negoplatform.formats.agent_manifest import AGENT_FILE as AGENT_FILE
from negoplatform.formats.agent_manifest import MANIFEST_FILE
from negoplatform.hosting.sandbox.readable_paths import keep_apart, keep_private, real_path
from negoplatform.plugins.game_state_loader import GAME_FILE, STATE_FILE
from negoplatform.plugins.policy_files import is_policy_file
from negoplatform.plugins.program_and_user_folders import beside_program, bundled

PluginKind = Literal["agents", "games"]


class PluginSource(Enum):
    """Kind of folder that a plugin comes from: the program's, one next to the program, or the user's own."""

    PROGRAM = "program"
    BESIDE = "beside"
    USER = "user"


def keep_from_agents(place: Path) -> None:
    """Keep agents' processes from reading a file or a folder of this run, even if it lies next to an agent.

    What is shipped is closed to them anyway, and may lie among libraries that they need.
    """
    try:
        real = real_path(place)
    except ValueError:
        return  # no file can have this path
    if not any(real_path(bundled(kind)) in (real, *real.parents) for kind in ("games", "studies")):
        keep_private(real)


def keep_user_files_from_agents(data_dir: Path) -> None:
    """Keep agents' processes from the user's folder, and from each other's files in the folders of agents."""
    keep_from_agents(data_dir)
    for entry in external_search_path("agents", data_dir):
        keep_apart(entry.folder)


@dataclass(frozen=True, slots=True)
class SearchPathEntry:
    """Folder that is searched for agents or games, whether it exists or not.

    Args:
        folder: The folder.
        source: Its kind. Code from any folder but the program's is run only if it is trusted: a memory stick
            that is passed around is no safer than the user's own folder.
    """

    folder: Path
    source: PluginSource


def search_path(kind: PluginKind, data_dir: Path) -> tuple[SearchPathEntry, ...]:
    """Return the folders that are searched for agents or games; the first plugin of a name keeps it.

    Args:
        kind: The kind of plugin.
        data_dir: The user's folder.
    """
    beside = beside_program(kind)
    return (
        SearchPathEntry(bundled(kind), PluginSource.PROGRAM),
        *(() if beside is None else (SearchPathEntry(beside, PluginSource.BESIDE),)),
        SearchPathEntry(data_dir / kind, PluginSource.USER),
    )


def external_search_path(kind: PluginKind, data_dir: Path) -> tuple[SearchPathEntry, ...]:
    """Return the search path without the program's own folder: plugins in it have to be trusted."""
    return tuple(shelf for shelf in search_path(kind, data_dir) if shelf.source is not PluginSource.PROGRAM)


def agent_files(folder: Path) -> list[Path]:
    """Return a folder's files that may hold agents, including those that only an agent.json points to."""
    if not folder.is_dir():
        return []
    alone = [path for path in folder.glob("*.py") if not path.name.startswith(("_", "."))]
    alone += [path for path in folder.glob("*.json") if is_policy_file(path)]
    in_folders = {
        path.with_name(AGENT_FILE)
        for name in (AGENT_FILE, MANIFEST_FILE)
        for path in folder.glob(f"*/{name}")
    }
    return sorted([*alone, *in_folders])


def game_files(folder: Path) -> list[Path]:
    """Return the files of a folder that may be games."""
    return sorted([*folder.glob("*.json"), *folder.glob(f"*/{GAME_FILE}")]) if folder.is_dir() else []


def plugin_files(kind: PluginKind, data_dir: Path) -> list[Path]:
    """Return the files outside the program's own folder that the catalogue depends on.

    While none of them changes, the catalogue does not change either.
    """
    found: list[Path] = []
    for shelf in external_search_path(kind, data_dir):
        if kind == "agents":
            files = agent_files(shelf.folder)
            found += [*files, *(path.with_name(MANIFEST_FILE) for path in files if path.name == AGENT_FILE)]
        else:
            files = game_files(shelf.folder)
            found += [*files, *(path.with_name(STATE_FILE) for path in files if path.name == GAME_FILE)]
    return sorted(path for path in found if os.path.exists(path))  # noqa: PTH110 - never raises


def default_name(path: Path) -> str:
    """Return the name of an agent that is alone in a file and declares none: the file's, or the folder's."""
    return path.parent.name if path.name == AGENT_FILE else path.stem


def requires_trust(file: Path, data_dir: Path) -> bool:
    """Return whether an agent's file is run only if it is trusted; that of a policy has no code to run."""
    file = file.resolve()
    if is_policy_file(file) or file.is_relative_to(bundled("agents").resolve()):
        return False
    if file.is_relative_to(data_dir.resolve()):
        return True
    return any(
        file.is_relative_to(shelf.folder.resolve())
        or file in (path.resolve() for path in agent_files(shelf.folder))
        for shelf in external_search_path("agents", data_dir)
    )
