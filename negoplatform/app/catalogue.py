"""Which agents and games there are, and why some cannot be used."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import inspect
import io
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.app.folders import plugin_folders
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.formats.games import load_game

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class AgentPlugin:
    """An agent that can be seated.

    Args:
        name: Its id: what commands and logs call it.
        make: Its class.
        file: Where it comes from.
        sha256: The hash of that file.
        description: What the experimenter reads.
    """

    name: str
    make: Callable[..., NegotiationAgent]
    file: Path
    sha256: str
    description: str


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
        for path in sorted(folder.glob("*.json")):
            try:
                game = load_game(path)
                rows.append(Row(game.name, path, game))
            except NegoError as error:
                rows.append(Row(path.stem, path, None, str(error)))
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
    """The game that a person means: a name from the catalogue or a file.

    Raises:
        NegoError: With a sentence that says what there is.
    """
    path = Path(wanted)
    if path.suffix == ".json":
        return load_game(path)
    return _pick(list_games(data_dir), wanted, "game")


def make_agent(plugin: AgentPlugin, agent_id: str, config: dict[str, Any]) -> NegotiationAgent:
    """An agent made and configured.

    Raises:
        NegoError: If its own code refuses the configuration or fails.
    """
    try:
        agent = plugin.make(agent_id)
        agent.configure(dict(config))
    except NegoError as error:
        raise NegoError(f"The agent {plugin.name!r} ({plugin.file}) refuses: {error}") from None
    except Exception as error:
        raise NegoError(
            f"The agent {plugin.name!r} ({plugin.file}) cannot be set up: {type(error).__name__}: {error}."
        ) from error
    return agent


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


def load_agents(path: Path, stem: str) -> list[AgentPlugin]:
    """The agents in a file: its public subclasses of NegotiationAgent, or those that ``__all__`` names.

    One agent takes the file's name; several take their classes' names.

    Raises:
        NegoError: If the file cannot be loaded or holds no agent.
    """
    try:
        source = path.read_bytes()
    except OSError as error:
        raise NegoError(f"{path} cannot be read ({error.strerror}).") from None
    digest = hashlib.sha256(source).hexdigest()
    module = _load_module(path, digest)
    try:
        classes = _agent_classes(module)
        descriptions = [_description(found) for found in classes]
    except Exception as error:
        raise NegoError(f"{path}: looking for agents raised {type(error).__name__} ({error}).") from error
    if not classes:
        raise NegoError(f"{path} holds no subclass of NegotiationAgent.")
    return [
        AgentPlugin(
            name=stem if len(classes) == 1 else _snake(found.__name__),
            make=found,
            file=path,
            sha256=digest,
            description=description,
        )
        for found, description in zip(classes, descriptions, strict=True)
    ]


def _agent_classes(module: Any) -> list[type[NegotiationAgent]]:
    exported = getattr(module, "__all__", None)
    found = {
        value: None
        for name, value in vars(module).items()
        if inspect.isclass(value)
        and issubclass(value, NegotiationAgent)
        and value.__module__ == module.__name__
        and (name in exported if exported is not None else not name.startswith("_"))
    }
    return list(found)


def _load_module(path: Path, digest: str) -> Any:
    """A plugin's module, under a name that no other module has; what it prints goes nowhere near a table."""
    name = f"negoplatform_plugin_{path.stem}_{digest[:12]}_{abs(hash(path.resolve())):x}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise NegoError(f"{path} is no Python file.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            spec.loader.exec_module(module)
    except KeyboardInterrupt:
        raise
    except SyntaxError as error:
        del sys.modules[name]
        raise NegoError(f"{path} at line {error.lineno}: {error.msg}.") from error
    except BaseException as error:  # a plugin may raise anything, SystemExit included
        del sys.modules[name]
        line = _line_in(path, error)
        raise NegoError(f"{path}{line}: loading it raised {type(error).__name__} ({error}).") from error
    return module


def _line_in(path: Path, error: BaseException) -> str:
    line = ""
    traceback = error.__traceback__
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == str(path):
            line = f" at line {traceback.tb_lineno}"
        traceback = traceback.tb_next
    return line


def _description(found: type[NegotiationAgent]) -> str:
    return NegotiationAgent.get_description(found.__new__(found))


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def _first_keeps_the_name(rows: list[Row[T]]) -> list[Row[T]]:
    taken: dict[str, Path] = {}
    kept = []
    for row in rows:
        if row.item is not None and row.name in taken:
            reason = f"the name {row.name!r} belongs to {taken[row.name]}; rename this one"
            kept.append(Row[T](row.name, row.file, None, f"{row.file}: {reason}."))
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
