"""Run of a tournament in its folder, which plays what earlier runs have not finished."""

from __future__ import annotations

import gc
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from negoplatform.app.tournament.block_file import (
    BLOCKS_FOLDER,
    PlayedBlock,
    begun_keys,
    block_path,
    clean_up,
    is_played,
    read_block,
    set_aside,
    times_begun,
    unmark_begun,
)
from negoplatform.app.tournament.block_player import (
    OUTPUT_FILE,
    BlockOutcome,
    play_block,
    without_state_class,
)
from negoplatform.app.tournament.engines import (
    AUTO,
    INLINE,
    LOKY,
    Engine,
    EngineChoice,
    WorkerLost,
    opened_engine,
    usual_jobs,
)
from negoplatform.app.tournament.tournament_plan import GameBlock, TournamentPlan
from negoplatform.domain.errors import NegoError
from negoplatform.eventlog.file_lock import acquire_lock, is_being_written, release_lock

MOST_LOST_WORKERS = 3
"""Number of worker processes that a block may end before it is given up."""

LONG_BLOCK_SECONDS = 120.0
"""Seconds of play after which a block is named: an agent may never return."""

SECONDS_ALONE = 4.0
"""Seconds for which the engine ``auto`` plays in this process; processes take about as long to start."""

LOCK_FILE = "tournament.lock"


@dataclass(frozen=True, slots=True)
class TournamentResults:
    """Results of a tournament, in the order of its blocks.

    Args:
        played: The results of every block that could be played.
        errors: Sentences about those that could not.
        earlier: The number of games that earlier runs had played.
        alone: Whether the engine ``auto`` has played everything in this process.
    """

    played: tuple[PlayedBlock, ...]
    errors: tuple[str, ...]
    earlier: int
    alone: bool = False


def run_tournament(
    plan: TournamentPlan,
    folder: Path,
    data_dir: Path,
    *,
    engine: EngineChoice,
    on_games: Callable[[int, int], object] = lambda _played, _all: None,
    on_long_block: Callable[[str], object] = lambda _sentence: None,
    patience: float = LONG_BLOCK_SECONDS,
) -> TournamentResults:
    """Play all games of a tournament that are not in its folder yet, and return all.

    Args:
        plan: The tournament.
        folder: Its folder; created if it does not exist.
        data_dir: The user's folder, for traces of errors.
        engine: The engine.
        on_games: Called with the number of games that are there, and of all, whenever it has grown.
        on_long_block: Called from another thread, once for each block that takes long, with a sentence.
        patience: The time (s) that a block may take before.

    Raises:
        NegoError: If the folder has other files, or another tournament is running in it.
    """
    # An agent may change the working folder of its process.
    folder, data_dir = folder.absolute(), data_dir.absolute()
    blocks = plan.blocks()
    blocks = [replace(block, game=without_state_class(block.game)) for block in blocks]
    _claim(folder)
    with _locked(folder):
        clean_up(folder)
        missing = [block for block in blocks if not is_played(folder, block.key)]
        total = sum(block.games for block in blocks)
        earlier = done = total - sum(block.games for block in missing)
        on_games(done, total)
        errors: dict[str, str] = {}
        known: dict[str, PlayedBlock] = {}
        engines: list[str] = []
        shipped = plan.has_shipped_agents_alone
        with (
            _modules_left_out_of_collections(),
            _long_blocks_watched(folder, missing, on_long_block, patience),
            closing(_outcomes(missing, folder, data_dir, engine, shipped=shipped)) as outcomes,
        ):
            for outcome, name in outcomes:
                done += outcome.games
                engines.append(name)
                if outcome.error:
                    errors[outcome.key] = outcome.error
                if outcome.played is not None:
                    known[outcome.key] = outcome.played
                on_games(done, total)
        if (output := folder / OUTPUT_FILE).is_file() and output.stat().st_size == 0:
            output.unlink()
        clean_up(folder)
        played, sentences = _collected(blocks, folder, errors, known)
        return TournamentResults(played, sentences, earlier, {*engines} == {INLINE} and engine.name == AUTO)


@contextmanager
def _modules_left_out_of_collections() -> Iterator[None]:
    """Keep the garbage collector from what is loaded, which stays: a look at all of it takes 0.1 s."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _outcomes(
    blocks: Sequence[GameBlock],
    folder: Path,
    data_dir: Path,
    engine: EngineChoice,
    *,
    shipped: bool,
) -> Generator[tuple[BlockOutcome, str]]:
    """Yield the outcome of every block, with the name of the engine.

    With the engine ``auto``, agents that come with the program are played in this process first, since
    processes take seconds to start; those of others, which may end a process, are not.
    """
    left = {block.key: block for block in blocks}
    if engine.name == AUTO:
        if shipped and left:
            began = time.monotonic()
            with (
                opened_engine(EngineChoice(INLINE)) as opened,
                closing(_Attempts(opened, folder, data_dir).play(blocks)) as outcomes,
            ):
                for outcome in outcomes:
                    del left[outcome.key]
                    yield outcome, INLINE
                    if time.monotonic() - began >= SECONDS_ALONE:
                        break
        engine = EngineChoice(LOKY, usual_jobs() if left else 1)
    if left:
        with opened_engine(engine) as opened:
            for outcome in _Attempts(opened, folder, data_dir).play([*left.values()]):
                yield outcome, engine.name


def _collected(
    blocks: Sequence[GameBlock], folder: Path, errors: dict[str, str], known: Mapping[str, PlayedBlock]
) -> tuple[tuple[PlayedBlock, ...], tuple[str, ...]]:
    """Return the results of the blocks, and sentences about those that have none."""
    played: list[PlayedBlock] = []
    sentences: list[str] = []
    for block in blocks:
        found = None if block.key in errors else known.get(block.key) or read_block(folder, block.key)
        if found is not None:
            played.append(found)
        elif block.key in errors:
            sentences.append(errors[block.key])
        else:
            if block_path(folder, block.key).exists():
                set_aside(folder, block.key)
            where = folder / BLOCKS_FOLDER
            sentences.append(f"{block.label}: its file in {where} cannot be read; run the same again.")
    return tuple(played), tuple(sentences)


def _claim(folder: Path) -> None:
    """Create a tournament's folder, or make sure that it is one.

    Raises:
        NegoError: If it has other files.
    """
    if folder.exists() and not (folder / BLOCKS_FOLDER).is_dir() and any(folder.iterdir()):
        raise NegoError(f"{folder} has files of something else; name a new folder with --out.")
    (folder / BLOCKS_FOLDER).mkdir(parents=True, exist_ok=True)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Keep other runs out of a tournament's folder.

    Raises:
        NegoError: If another one is in it.
    """
    path = folder / LOCK_FILE
    if is_being_written(path):
        raise NegoError(
            f"Another tournament is running in {folder}; wait for its end, or name another folder with --out."
        )
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        acquire_lock(file, path)
        yield
        release_lock(file)
    finally:
        os.close(file)


@contextmanager
def _long_blocks_watched(
    folder: Path, blocks: Sequence[GameBlock], report: Callable[[str], object], patience: float
) -> Iterator[None]:
    """Look for blocks that take long, in a thread, until the context ends."""
    labels = {block.key: block.label for block in blocks}
    stopped = threading.Event()

    def watch() -> None:
        since: dict[str, float] = {}
        reported: set[str] = set()
        while not stopped.wait(patience / 4):
            now = time.monotonic()
            since = {key: since.get(key, now) for key in begun_keys(folder) if key in labels}
            for key in [key for key, begun in since.items() if now - begun >= patience]:
                if key not in reported:
                    reported.add(key)
                    report(
                        f"{labels[key]}: it is still being played after {patience:g} seconds; an agent may "
                        "never return. After Ctrl-C, the same command continues with what is missing."
                    )

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        stopped.set()
        watcher.join()


class _Attempts:
    """Attempts to play blocks: a block whose worker ended is submitted again.

    Where a worker ends, the engine loses others with it. Blocks that were being played then are tried alone,
    so that only the one which ends its worker is given up, after ``MOST_LOST_WORKERS`` times.

    Args:
        engine: The engine.
        folder: The tournament's folder.
        data_dir: The user's folder.
    """

    def __init__(self, engine: Engine, folder: Path, data_dir: Path) -> None:
        self._engine = engine
        self._folder = folder
        self._data_dir = data_dir
        self._lost: Counter[str] = Counter()

    def play(self, blocks: Sequence[GameBlock]) -> Generator[BlockOutcome]:
        """Yield the outcome of every block."""
        missing = {block.key: block for block in blocks}
        in_vain = 0
        while missing:
            before = len(missing), self._lost.total()
            suspect = next((block for key, block in missing.items() if self._lost[key]), None)
            chosen = [*missing.values()] if suspect is None else [suspect]
            for outcome in self._attempt(chosen):
                del missing[outcome.key]
                yield outcome
            in_vain = in_vain + 1 if before == (len(missing), self._lost.total()) else 0
            if in_vain >= MOST_LOST_WORKERS:
                raise NegoError(
                    "The processes end before they play anything; --engine inline may show the reason."
                )

    def _attempt(self, blocks: Sequence[GameBlock]) -> Iterator[BlockOutcome]:
        reported: set[str] = set()
        try:
            tasks = [(block, self._folder, self._data_dir) for block in blocks]
            work = partial(play_block, keep=True) if self._engine.one_process else play_block
            for outcome in self._engine.run(work, tasks):
                reported.add(outcome.key)
                yield outcome
        except WorkerLost:
            for block in blocks:
                if block.key not in reported:
                    yield from self._after_loss(block, alone=len(blocks) == 1)

    def _after_loss(self, block: GameBlock, *, alone: bool) -> Iterator[BlockOutcome]:
        """Yield the outcome of a block that is finished or given up after a worker was lost."""
        if is_played(self._folder, block.key):
            yield BlockOutcome(block.key, block.games)
            return
        if times_begun(self._folder, block.key):
            unmark_begun(self._folder, block.key)
            self._lost[block.key] += 1
        if alone and self._lost[block.key] >= MOST_LOST_WORKERS:
            yield BlockOutcome(
                block.key,
                0,
                f"{block.label}: its process ended {MOST_LOST_WORKERS} times while it was played.",
            )
