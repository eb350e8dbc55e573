"""Which agents and games there are, and why some cannot be used."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from negoplatform.app.folders import plugin_folders
from negoplatform.app.own_state import GAME_FILE, with_own_state
from negoplatform.app.plugins import AgentPlugin, load_agents
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.formats.games import load_game

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Row(Generic[T]):
    """A line of the catalogue: something to use, or the reason why it cannot be used."""

    name: str
    file: Path
    item: T | None
    reason: str = ""


def list_agents(data_dir: Path) -> list[Row[AgentPlugin]]:
    """Every agent that the program brings and the user has added; a broken one is a row with its reason."""
    rows: list[Row[AgentPlugin]] = []
    for folder in plugin_folders("agents", data_dir):
        for path in _candidates(folder, "agent.py"):
            rows.extend(_agents_in(path))
    return _first_keeps_the_name(rows)


def list_games(data_dir: Path) -> list[Row[GameSpec]]:
    """Every game that the program brings and the user has added; a broken one is a row with its reason."""
    rows: list[Row[GameSpec]] = []
    for folder in plugin_folders("games", data_dir):
        if not folder.is_dir():
            continue
        for path in sorted([*folder.glob("*.json"), *folder.glob(f"*/{GAME_FILE}")]):
            try:
                game = _game_in(path)
                rows.append(Row(game.name, path, game))
            except NegoError as error:
                name = path.parent.name if path.name == GAME_FILE else path.stem
                rows.append(Row(name, path, None, str(error)))
    return _first_keeps_the_name(rows)


def find_agent(wanted: str, data_dir: Path) -> AgentPlugin:
    """The agent that a person means: a name from the catalogue, ``PATH.py`` or ``PATH.py:Class``.

    Raises:
        NegoError: With a sentence that says what there is.
    """
    file, _, class_name = wanted.rpartition(":")
    if not _is_plugin(Path(file)):
        file, class_name = wanted, ""
    if _is_plugin(Path(file)):
        return _agent_in_file(Path(file), class_name)
    return _pick(list_agents(data_dir), wanted, "agent")


def _is_plugin(path: Path) -> bool:
    """Whether a path is meant as a plugin: a Python file, there or not, or a folder with an agent in it."""
    return path.suffix == ".py" or (path / "agent.py").is_file()


def find_game(wanted: str, data_dir: Path) -> GameSpec:
    """The game that a person means: a name from the catalogue, a file, or a folder with a game.json.

    Raises:
        NegoError: With a sentence that says what there is.
    """
    path = Path(wanted)
    if (path / GAME_FILE).is_file():
        path = path / GAME_FILE
    if path.suffix == ".json":
        return _game_in(path)
    return _pick(list_games(data_dir), wanted, "game")


def _game_in(path: Path) -> GameSpec:
    return with_own_state(load_game(path), path)


def _candidates(folder: Path, inner: str) -> list[Path]:
    if not folder.is_dir():
        return []
    files = [path for path in folder.glob("*.py") if not path.name.startswith(("_", "."))]
    return sorted([*files, *folder.glob(f"*/{inner}")])


def _agents_in(path: Path) -> list[Row[AgentPlugin]]:
    stem = path.parent.name if path.name == "agent.py" else path.stem
    try:
        plugins = load_agents(path, stem)
    except NegoError as error:
        return [Row(stem, path, None, str(error))]
    return [Row(plugin.name, path, plugin) for plugin in plugins]


def _agent_in_file(path: Path, class_name: str) -> AgentPlugin:
    if path.is_dir():
        path = path / "agent.py"
    stem = path.parent.name if path.name == "agent.py" else path.stem
    plugins = load_agents(path, stem)
    if class_name:
        plugins = [plugin for plugin in plugins if plugin.make.__name__ == class_name]
        if not plugins:
            raise NegoError(f"{path} has no agent class {class_name!r}.")
    if len(plugins) > 1:
        choices = ", ".join(f"{path}:{plugin.make.__name__}" for plugin in plugins)
        raise NegoError(f"{path} holds several agents; choose one of {choices}.")
    return plugins[0]


def _first_keeps_the_name(rows: list[Row[T]]) -> list[Row[T]]:
    taken: dict[str, Path] = {}
    kept: list[Row[T]] = []
    for row in rows:
        if row.item is not None and row.name in taken:
            reason = f"the name {row.name!r} belongs to {taken[row.name]}; rename this one"
            kept.append(Row(row.name, row.file, None, f"{row.file}: {reason}."))
            continue
        if row.item is not None:
            taken[row.name] = row.file
        kept.append(row)
    return kept


def _pick(rows: list[Row[T]], wanted: str, kind: str) -> T:
    for row in rows:
        if row.name == wanted and row.item is not None:
            return row.item
    for row in rows:
        if row.name == wanted:
            raise NegoError(f"The {kind} {wanted!r} cannot be used: {row.reason}")
    there = ", ".join(row.name for row in rows if row.item is not None)
    raise NegoError(f"There is no {kind} {wanted!r}; there is {there}, or give a file.")
