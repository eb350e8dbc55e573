"""Where agents and games are looked for: the program's own folders, those beside it, and the user's."""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Literal

from negoplatform.formats.agent_manifest import MANIFEST_FILE
from negoplatform.plugins.game_state_plugin import GAME_FILE, STATE_FILE
from negoplatform.plugins.paths import beside_program, bundled

PluginKind = Literal["agents", "games"]

AGENT_FILE = "agent.py"
"""What a folder with an agent in it has, and what such an agent is never called by."""


class PluginSource(Enum):
    """Where something comes from: the program, a folder beside it, or the user's own."""

    PROGRAM = "program"
    BESIDE = "beside"
    USER = "user"


@dataclass(frozen=True, slots=True)
class SearchPathEntry:
    """A folder in which agents or games are looked for, whether it is there or not.

    Args:
        folder: The folder.
        source: Whose it is. Code on any shelf but the program's is run only if it is trusted: a stick that
            goes from hand to hand is no safer than a folder of one's own.
    """

    folder: Path
    source: PluginSource


def search_path(kind: PluginKind, data_dir: Path) -> tuple[SearchPathEntry, ...]:
    """Where agents or games are looked for; what is found first keeps its name.

    Args:
        kind: What is looked for.
        data_dir: The user's folder.
    """
    beside = beside_program(kind)
    return (
        SearchPathEntry(bundled(kind), PluginSource.PROGRAM),
        *(() if beside is None else (SearchPathEntry(beside, PluginSource.BESIDE),)),
        SearchPathEntry(data_dir / kind, PluginSource.USER),
    )


def external_search_path(kind: PluginKind, data_dir: Path) -> tuple[SearchPathEntry, ...]:
    """The same without the program's own: where people put something, and where it has to be trusted."""
    return tuple(shelf for shelf in search_path(kind, data_dir) if shelf.source is not PluginSource.PROGRAM)


def agent_files(folder: Path) -> list[Path]:
    """The Python files of a folder that may hold agents; a folder that only says so in an agent.json too."""
    if not folder.is_dir():
        return []
    alone = [path for path in folder.glob("*.py") if not path.name.startswith(("_", "."))]
    in_folders = {
        path.with_name(AGENT_FILE)
        for name in (AGENT_FILE, MANIFEST_FILE)
        for path in folder.glob(f"*/{name}")
    }
    return sorted([*alone, *in_folders])


def game_files(folder: Path) -> list[Path]:
    """The files of a folder that may be games."""
    return sorted([*folder.glob("*.json"), *folder.glob(f"*/{GAME_FILE}")]) if folder.is_dir() else []


def plugin_files(kind: PluginKind, data_dir: Path) -> list[Path]:
    """Every file that is looked at in the folders that are not the program's own.

    Where none of them has changed, neither has the catalogue.
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
    """What an agent is called that is alone in a file and says nothing else: as its file, or its folder."""
    return path.parent.name if path.name == AGENT_FILE else path.stem


def requires_trust(file: Path, data_dir: Path) -> bool:
    """Whether an agent's file is one of those that are run only if somebody trusts them."""
    file = file.resolve()
    if file.is_relative_to(bundled("agents").resolve()):
        return False
    if file.is_relative_to(data_dir.resolve()):
        return True
    return any(
        file.is_relative_to(shelf.folder.resolve())
        or file in (path.resolve() for path in agent_files(shelf.folder))
        for shelf in external_search_path("agents", data_dir)
    )
