"""Play of one block of games, in whatever process."""

from __future__ import annotations

import contextlib
import io
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from signal import SIG_IGN, SIGINT, getsignal

from negoplatform.analysis.outcome_measures import advantages_paid
from negoplatform.analysis.tournament.tournament_game import TournamentGame
from negoplatform.app.simulation.simulate import Result, Seatings, simulate
from negoplatform.app.simulation.simulated_game import simulated_game
from negoplatform.app.support.crash_reports import CrashFolder
from negoplatform.app.tournament.block_file import (
    LOGS_FOLDER,
    PlayedBlock,
    is_played,
    mark_begun,
    unmark_begun,
    write_block,
)
from negoplatform.app.tournament.tournament_plan import GameBlock, program_hash
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.solutions.integer_scaling import IntegerGame, integer_game
from negoplatform.domain.visible_text import reveal_invisible
from negoplatform.hosting.agent_output_redirection import LossyOutputFile, opened_output
from negoplatform.plugins.game_state_loader import GAME_FILE, with_state_plugin

OUTPUT_FILE = "agents_output.txt"
"""Name of the file with everything that agents print."""

LARGEST_OUTPUT = 10_000_000
"""Bytes of that file beyond which output is dropped."""

_SEED_OF_LOG = re.compile(r"-seed(\d+)-[0-9a-f]+$")
"""Seed in the name of a session's folder."""


@dataclass(frozen=True, slots=True)
class BlockOutcome:
    """Outcome of an attempt to play a block.

    Args:
        key: The block's key.
        games: The number of games that were played.
        error: The reason in a sentence why it could not be played; empty if it was.
        played: The results, where the caller keeps them; they are in the block's file in any case.
    """

    key: str
    games: int
    error: str = ""
    played: PlayedBlock | None = None


def play_block(block: GameBlock, folder: Path, data_dir: Path, *, keep: bool = False) -> BlockOutcome:
    """Play a block and write its file, unless another run has written it meanwhile.

    Args:
        block: The block.
        folder: The tournament's folder, which has a folder for the blocks.
        data_dir: The user's folder, for traces of errors.
        keep: Whether the outcome has the results: the caller is in this process.
    """
    if is_played(folder, block.key):
        return BlockOutcome(block.key, block.games)
    if block.program != program_hash():
        reason = (
            "a worker has another version of NegoPlatform or of Python, or its files were changed meanwhile."
        )
        return BlockOutcome(block.key, 0, f"{block.label}: {reason}")
    try:
        mark_begun(folder, block.key)
        with _output_to(folder / OUTPUT_FILE):
            played = _played(block, folder, CrashFolder(data_dir / "crashes"))
            write_block(folder, block.key, played)
    except KeyboardInterrupt:
        if getsignal(SIGINT) is not SIG_IGN:
            raise
        # A worker ignores Ctrl-C: this comes from an agent, and would end the whole tournament.
        return BlockOutcome(block.key, 0, f"{block.label}: an agent raised KeyboardInterrupt.")
    except SystemExit:
        return BlockOutcome(block.key, 0, f"{block.label}: an agent raised SystemExit.")
    except Exception as error:  # noqa: BLE001 - one block must not end a tournament of thousands
        reason = str(error) if isinstance(error, NegoError) else _own_fault(error, data_dir)
        return BlockOutcome(block.key, 0, f"{block.label}: {reason}")
    finally:
        unmark_begun(folder, block.key)
    return BlockOutcome(block.key, block.games, played=played if keep else None)


def _own_fault(error: Exception, data_dir: Path) -> str:
    crash = CrashFolder(data_dir / "crashes").write(error)
    where = f" The details are in {crash}." if crash else ""
    return f"something went wrong inside NegoPlatform ({type(error).__name__}).{where}"


class _LastingText(io.TextIOWrapper):
    """Text output that stays open if an agent closes it, as the next agent prints to it too."""

    def close(self) -> None:
        """Flush the output."""
        self.flush()


@contextlib.contextmanager
def _output_to(path: Path) -> Iterator[None]:
    """Redirect what Python code prints to a file, or drop it where the file cannot be written."""
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(opened_output(path))
        raw = io.BytesIO() if file is None else LossyOutputFile(file, LARGEST_OUTPUT)
        text = _LastingText(raw, encoding="utf-8", errors="backslashreplace", write_through=True)
        stack.callback(text.detach)
        stack.enter_context(contextlib.redirect_stdout(text))
        stack.enter_context(contextlib.redirect_stderr(text))
        yield


def _played(block: GameBlock, folder: Path, crashes: CrashFolder) -> PlayedBlock:
    game = with_state_class(block.game)
    logs = folder / LOGS_FOLDER / f".{block.key[:16]}.part"
    keep = block.options.keep_logs

    def results(first: int, count: int, into: Path | None) -> list[Result]:
        return list(
            simulate(
                game,
                block.agents,
                games=count,
                seed=first,
                logs=into,
                report=crashes.write,
                how=Seatings.GIVEN,
                measures=block.options.measures,
                curves=block.options.measures,
                models_at=block.options.models_at,
            )
        )

    try:
        played = results(block.first_seed, block.games, logs if keep == "all" else None)
        if keep == "failed":
            for result in played:
                if result.failures:
                    results(result.seed, 1, logs)
        if keep != "none":
            _move_logs(logs, folder / LOGS_FOLDER / game.name / "--".join(who.name for who in block.agents))
    finally:
        if keep != "none":
            shutil.rmtree(logs, ignore_errors=True)
    scores = _Scores(game, measured=block.options.measures)
    games = tuple(_tournament_game(game.name, result, scores) for result in played)
    return PlayedBlock(games, tuple(row for result in played for row in result.models))


def _move_logs(logs: Path, folder: Path) -> None:
    """Move logs of games to folders that are named by their seeds."""
    if not logs.is_dir():
        return
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted(logs.iterdir()):
        found = _SEED_OF_LOG.search(path.name)
        target = folder / (found[1] if found else path.name)
        shutil.rmtree(target, ignore_errors=True)
        path.rename(target)


def _tournament_game(name: str, result: Result, scores: _Scores) -> TournamentGame:
    one, other = result.agents
    advantages, welfare = scores.of(result)
    return TournamentGame(
        game=name,
        seed=result.seed,
        seats=(one, other),
        agents=(result.agents[one], result.agents[other]),
        profiles=(result.profiles.get(one, ""), result.profiles.get(other, "")),
        ended_by=result.ended_by,
        deal=result.deal,
        points=(result.points[one], result.points[other]),
        advantages=advantages,
        welfare=welfare,
        seconds=result.seconds,
        offers=result.offers,
        path=result.path.value,
        failures=(result.failures_by_seat.get(one, 0), result.failures_by_seat.get(other, 0)),
        refusals=(result.refusals_by_seat.get(one, 0), result.refusals_by_seat.get(other, 0)),
        troubles=(_trouble(result, one), _trouble(result, other)),
        measures=result.measures_row(),
        curves=result.curves,
    )


def _trouble(result: Result, seat: Seat) -> str:
    sentence = result.first_failures.get(seat) or result.first_refusals.get(seat) or ""
    return reveal_invisible(sentence)


class _Scores:
    """Advantages and welfare of a game, from the seats' final points.

    Args:
        game: The game; its profiles may be drawn for each session.
        measured: Whether its games are measured, so that the welfare is known too.
    """

    def __init__(self, game: GameSpec, *, measured: bool) -> None:
        self._game = simulated_game(game)
        self._measured = measured
        self._exact: dict[SeatMap[str], IntegerGame | None] = {}

    def of(self, result: Result) -> tuple[tuple[float | None, float | None], float | None]:
        """Return the advantages of both seats, and the welfare; None where one has no value."""
        settled = self._game.settled(result.seed, result.profiles or None)
        if settled.chosen not in self._exact:
            self._exact[settled.chosen] = _integer_game(settled)
        exact, points = self._exact[settled.chosen], [result.points[seat] for seat in settled.seats]
        one, other = (None, None) if exact is None else advantages_paid(exact, points)
        measured = self._game.measured(settled) if self._measured else ""
        return (one, other), None if isinstance(measured, str) else measured.joint_share_paid(points)


def _integer_game(game: GameSpec) -> IntegerGame | None:
    try:
        return integer_game(game)
    except NegoError:
        return None


def with_state_class(game: GameSpec) -> GameSpec:
    """Return a game that was sent from another process, with the class of its state loaded from its file."""
    if game.own_state is None or game.folder is None:
        return game
    return with_state_plugin(game, game.folder / GAME_FILE)


def without_state_class(game: GameSpec) -> GameSpec:
    """Return a game that can be sent to another process, which loads the class of its state itself."""
    if game.own_state is None:
        return game
    return replace(game, own_state=replace(game.own_state, state_class=None))
