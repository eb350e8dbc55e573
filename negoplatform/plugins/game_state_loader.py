"""Typed state of a game: ``state.py`` next to ``game.json``, trusted like a plugin."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from negoplatform.core.events import Announced, Event
from negoplatform.core.typed_state.typed_game_state import GameState, initial_game_states, update_game_states
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.game_state_reference import GameStateReference
from negoplatform.domain.seat_map import PLATFORM
from negoplatform.plugins.agent_loader import call_with_timeout, load_module
from negoplatform.plugins.code_file_trust_hash import CodeFile, code_file

GAME_FILE, STATE_FILE = "game.json", "state.py"


def state_code(path: Path) -> CodeFile | None:
    """Return the present ``state.py`` of a game's file; None if there is none.

    Raises:
        InputFileError: If it exists and cannot be read.
    """
    file = path.parent / STATE_FILE
    return code_file(file) if path.name == GAME_FILE and file.is_file() else None


def with_state_plugin(
    game: GameSpec, path: Path, *, code: CodeFile | None = None, source: bytes | None = None
) -> GameSpec:
    """Return a game with the state class of its folder, if there is one; runs the code of that file.

    The class is tried with all announcements of the game, to report a misfit when the game is chosen and not
    during a session.

    Args:
        game: The game.
        path: The file that it was read from.
        code: The file of the state class with the hash that was checked; None: as it is now.
        source: The content of that file, where this process may not read it; None: the file is read.

    Raises:
        NegoError: If the file has changed, cannot be loaded, holds no state class, or does not accept the
            announcements.
    """
    code = code or state_code(path)
    if code is None:
        return game
    made = call_with_timeout(lambda: _load_state_class(code, source), f"{code.path}: loading it")
    game = replace(game, own_state=GameStateReference(made, code.path.name, code.sha256))
    call_with_timeout(lambda: _check_announcements(game, made), f"{code.path}: trying it with the game")
    return game


def with_matching_state_plugin(game: GameSpec, games: Iterable[GameSpec]) -> GameSpec:
    """Return a logged game with the state class of its session, if one of these games has it."""
    for other in games:
        own = other.own_state
        if game.own_state is not None and own is not None and own.sha256 == game.own_state.sha256:
            return replace(game, own_state=own)
    return game


def _load_state_class(code: CodeFile, source: bytes | None) -> type[GameState]:
    module = load_module(code.path, code.sha256, source)
    exported = getattr(module, "__all__", None)
    found: list[Any] = [
        value
        for name, value in vars(module).items()
        if inspect.isclass(value)
        and issubclass(value, GameState)
        and value.__module__ == module.__name__
        and (name in exported if exported is not None else not name.startswith("_"))
    ]
    if len(found) != 1:
        names = ", ".join(value.__name__ for value in found) or "none"
        raise NegoError(
            f"{code.path} must hold one subclass of GameState, or name it in __all__; it holds {names}."
        )
    made: type[GameState] = found[0]
    return made


def _check_announcements(game: GameSpec, made: type[GameState]) -> None:
    states = initial_game_states(made, game_id=game.name, seats=game.seats)
    for number, announced in enumerate(sorted(game.announcements, key=lambda a: a.at_seconds), start=1):
        payload = Announced(announced.json, announced.text)
        event = Event(number, announced.at_seconds, announced.type, PLATFORM, payload, announced.to)
        states = update_game_states(states, event, event.to, PLATFORM)
