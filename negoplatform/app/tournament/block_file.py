"""Files of finished blocks of games: complete or not there, and checked when they are read.

A block's file is one line with the hash of the rest, then JSON. It is written under another name and renamed,
without waiting for the disk: after a power failure it may be torn, which its hash shows, and the block is
played again.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from negoplatform.analysis.opponent_model_accuracy import ModelRow
from negoplatform.analysis.tournament.tournament_game import TournamentGame
from negoplatform.analysis.tournament.utility_curves import UtilityCurve
from negoplatform.core.events import EndedBy
from negoplatform.domain.errors import NegoError
from negoplatform.formats.event_payloads import dump_offer, load_offer

BLOCK_SCHEMA = "negoplatform.tournament-block/1"

BLOCKS_FOLDER = "blocks"
"""Folder of the blocks' files in a tournament's folder."""

LOGS_FOLDER = "logs"
"""Folder of the games' logs in a tournament's folder."""

_PLAIN = ("seed", "welfare", "seconds", "offers", "path")
_PAIRS = ("profiles", "points", "advantages", "failures", "refusals", "troubles")


@dataclass(frozen=True, slots=True)
class PlayedBlock:
    """Results of a block.

    Args:
        games: The games, in the order of their seeds.
        models: The accuracy of the agents' opponent models, where they were asked.
    """

    games: tuple[TournamentGame, ...]
    models: tuple[ModelRow, ...] = ()


def block_path(folder: Path, key: str) -> Path:
    """Return the path of a block's file in a tournament's folder."""
    return folder / BLOCKS_FOLDER / f"{key}.json"


def write_block(folder: Path, key: str, played: PlayedBlock) -> None:
    """Write a block's file; an equal one of another process may be replaced.

    Raises:
        NegoError: If it cannot be written.
    """
    path = block_path(folder, key)
    content = json.dumps(_dump_block(key, played), ensure_ascii=False, separators=(",", ":")).encode()
    half = path.with_name(f".{key[:16]}.{os.getpid()}.part")
    try:
        half.write_bytes(f"{hashlib.sha256(content).hexdigest()}\n".encode() + content)
        half.replace(path)
    except OSError as error:
        raise NegoError(f"{path} cannot be written ({error.strerror}).") from None


def read_block(folder: Path, key: str) -> PlayedBlock | None:
    """Return the results in a block's file; None if it is missing, torn or another block's."""
    document = _checked(block_path(folder, key), key)
    if document is None:
        return None
    try:
        return _load_block(document)
    except (KeyError, TypeError, ValueError, NegoError):
        return None


def is_played(folder: Path, key: str) -> bool:
    """Return whether a block's file is there, complete and of this block; others are set aside.

    Raises:
        NegoError: If a damaged file cannot be set aside.
    """
    path = block_path(folder, key)
    if not path.exists():
        return False
    if _checked(path, key) is not None:
        return True
    set_aside(folder, key)
    return False


def set_aside(folder: Path, key: str) -> None:
    """Rename a block's file that cannot be used, so that the next run plays the block again.

    Raises:
        NegoError: If it cannot be renamed.
    """
    path = block_path(folder, key)
    try:
        path.replace(_unused_name(path))
    except OSError as error:
        raise NegoError(f"{path} is damaged and cannot be renamed ({error.strerror}).") from None


def _unused_name(path: Path) -> Path:
    n = 1
    while (aside := path.with_name(f"{path.stem}.damaged-{n}")).exists():
        n += 1
    return aside


def _checked(path: Path, key: str) -> Mapping[str, Any] | None:
    try:
        stated, _, content = path.read_bytes().partition(b"\n")
    except OSError:
        return None
    if hashlib.sha256(content).hexdigest().encode() != stated:
        return None
    try:
        document: object = json.loads(content)
    except ValueError:
        return None
    if not isinstance(document, dict) or (document.get("schema"), document.get("key")) != (BLOCK_SCHEMA, key):
        return None
    return document


def _dump_block(key: str, played: PlayedBlock) -> dict[str, Any]:
    first = played.games[0]
    names = list(dict.fromkeys(name for game in played.games for name in game.measures))
    return {
        "schema": BLOCK_SCHEMA,
        "key": key,
        "game": first.game,
        "seats": first.seats,
        "agents": first.agents,
        "measures": names,
        "games": [_dump_game(game, names) for game in played.games],
        "models": [asdict(row) for row in played.models],
    }


def _dump_game(game: TournamentGame, names: Sequence[str]) -> dict[str, Any]:
    return {
        **{name: getattr(game, name) for name in (*_PLAIN, *_PAIRS)},
        "ended_by": game.ended_by.value,
        "deal": None if game.deal is None else dump_offer(game.deal),
        "measures": [game.measures[name] for name in names] if game.measures else None,
        "curves": None if game.curves is None else [[curve.own, curve.other] for curve in game.curves],
    }


def _load_block(document: Mapping[str, Any]) -> PlayedBlock:
    shared = {name: document[name] for name in ("game", "measures")}
    shared |= {name: tuple(document[name]) for name in ("seats", "agents")}
    return PlayedBlock(
        tuple(_load_game(game, **shared) for game in document["games"]),
        tuple(ModelRow(**row) for row in document["models"]),
    )


def _load_game(
    document: Mapping[str, Any],
    *,
    game: str,
    seats: tuple[str, str],
    agents: tuple[str, str],
    measures: Sequence[str],
) -> TournamentGame:
    values, deal, curves = document["measures"], document["deal"], document["curves"]
    rest: dict[str, Any] = {name: document[name] for name in _PLAIN}
    rest |= {name: tuple(document[name]) for name in _PAIRS}
    return TournamentGame(
        game=game,
        seats=seats,
        agents=agents,
        ended_by=EndedBy(document["ended_by"]),
        deal=None if deal is None else load_offer(deal),
        measures={} if values is None else dict(zip(measures, values, strict=True)),
        curves=None if curves is None else _load_curves(*curves),
        **rest,
    )


def _load_curves(one: Sequence[Any], other: Sequence[Any]) -> tuple[UtilityCurve, UtilityCurve]:
    first, second = (UtilityCurve(*map(tuple, curve)) for curve in (one, other))
    return first, second


def _begun_path(folder: Path, key: str) -> Path:
    return folder / BLOCKS_FOLDER / f"{key}.begun"


def mark_begun(folder: Path, key: str) -> None:
    """Note that a worker begins a block: one byte more in a file that exists while the block is played.

    Raises:
        NegoError: If it cannot be written.
    """
    path = _begun_path(folder, key)
    try:
        with path.open("ab") as file:
            file.write(b".")
    except OSError as error:
        raise NegoError(f"{path} cannot be written ({error.strerror}).") from None


def unmark_begun(folder: Path, key: str) -> None:
    """Note that a block is finished."""
    with suppress(OSError):
        _begun_path(folder, key).unlink(missing_ok=True)


def times_begun(folder: Path, key: str) -> int:
    """Return how often a block has been begun without being finished."""
    try:
        return _begun_path(folder, key).stat().st_size
    except OSError:
        return 0


def begun_keys(folder: Path) -> list[str]:
    """Return the keys of the blocks that have been begun without being finished."""
    return [path.stem for path in (folder / BLOCKS_FOLDER).glob("*.begun")]


def clean_up(folder: Path) -> None:
    """Delete what workers of an earlier run have left: half-written files, notes of begun blocks."""
    for path in (folder / BLOCKS_FOLDER).iterdir():
        if path.suffix in (".begun", ".part"):
            with suppress(OSError):
                path.unlink()
    for logs in (folder / LOGS_FOLDER).glob(".*.part"):
        shutil.rmtree(logs, ignore_errors=True)
