"""Processes of the agents of a run of simulated games, each used for many games.

A process belongs to one agent in one seat. For each game it loads the agent's file again, so that an agent
begins each game as in a fresh process; what it has left outside of its own module, such as a thread or a
change to a library, stays until the process is replaced. A process never takes another seat: what an agent
has seen there could tell it the preferences of its opponent.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from queue import SimpleQueue
from threading import Event
from types import TracebackType
from typing import Self, TypeVar

from negoplatform.app.session.agent_setup import PreparedAgent, prepare_in_subprocess
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.hosting.agent_process_proxy import AgentProcess
from negoplatform.hosting.kept_responder import KeptResponder
from negoplatform.hosting.responder import Responder
from negoplatform.plugins.agent_loader import AgentPlugin

GAMES_PER_PROCESS = 500
"""Most games for which a process is used: whatever an agent leaves in it does not grow without a limit."""

MOST_PROCESSES = 8
"""Most processes that are kept for later games, unless a game has more seats; each takes about 60 MB."""

MOST_WORKERS = 4
"""Most games that are played at once. The program itself, in which they take turns, is busy by then."""

GAMES_PER_WORKER = 10
"""Games for which it pays to start the processes for one more game at once: about a second."""

P = TypeVar("P")
T = TypeVar("T")

_Key = tuple[object, Seat]


@dataclass(frozen=True, slots=True)
class _UsedProcess:
    """Process of an agent, with the number of games for which it has been used."""

    process: AgentProcess
    games: int


class SimulationProcesses:
    """Processes of the agents of a run; ended at the end of a ``with`` statement.

    Args:
        games: The most games that are played in one seating.
    """

    def __init__(self, *, games: int) -> None:
        self._games = min(games + 1, GAMES_PER_PROCESS)  # one more, for the check before the first game
        self._kept: dict[_Key, _UsedProcess] = {}
        self._spares: list[AgentProcess] = []
        self._given_up = Event()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        for process in [*self._spares, *[used.process for used in self._kept.values()]]:
            process.stop()

    def give_up(self) -> None:
        """End the game before its next step, because its result is not needed; from any thread.

        Its agents are not stopped yet: in the log they would seem to have failed.
        """
        self._given_up.set()

    def check_wanted(self) -> None:
        """Raise an error if the game is not wanted any more.

        Raises:
            NegoError: If it has been given up.
        """
        if self._given_up.is_set():
            raise NegoError("The game was given up.")

    def warm(self, places: Iterable[tuple[AgentPlugin, Seat]]) -> None:
        """Start the processes that these agents in these seats lack, all at the same time.

        Raises:
            NegoError: If a process cannot be started.
        """
        missing = {(plugin.identity, seat) for plugin, seat in places} - set(self._kept)
        while len(self._spares) < min(len(missing), MOST_PROCESSES):
            self._spares.append(AgentProcess.spawn())

    def prepare(
        self,
        plugin: AgentPlugin,
        seat: Seat,
        *,
        game: GameSpec,
        seed: int,
        output: Path | None,
        session_id: str,
    ) -> PreparedAgent:
        """Prepare an agent for its next game, in its process if that still runs, otherwise in another one.

        Raises:
            NegoError: If it cannot be prepared.
        """
        key = (plugin.identity, seat)
        self.check_wanted()

        def prepare_with(process: AgentProcess | None) -> PreparedAgent:
            return prepare_in_subprocess(
                plugin,
                seat,
                plugin.settings,
                game=game,
                seed=seed,
                output=output,
                warm_process=process,
                session_id=session_id,
                games=self._games,
            )

        used = self._take(key)
        try:
            prepared = prepare_with(self._spare() if used is None else used.process)
        except NegoError:
            if used is None:
                raise
            # Whatever it is that an earlier game has left in the process.
            used, prepared = None, prepare_with(self._spare())
        most = max(MOST_PROCESSES, len(game.seats))
        return self._keep(key, prepared, 1 if used is None else used.games + 1, most)

    def _spare(self) -> AgentProcess | None:
        return self._spares.pop(0) if self._spares else None

    def _take(self, key: _Key) -> _UsedProcess | None:
        """Take the process of an agent, if it can be used for another game."""
        used = self._kept.pop(key, None)
        if used is None or (used.games < self._games and used.process.alive):
            return used
        used.process.stop()
        return None

    def _keep(self, key: _Key, prepared: PreparedAgent, games: int, most: int) -> PreparedAgent:
        """Return the agent with responders whose process is kept when they are stopped, unless it is lost."""
        if isinstance(prepared.process, AgentProcess):
            self._kept[key] = _UsedProcess(prepared.process, games)
        while len(self._kept) > most:
            self._kept.pop(next(iter(self._kept))).process.stop()
        ready = [prepared.process]

        def make() -> Responder:
            if not ready and key in self._kept:
                self._kept.pop(key).process.stop()  # the agent is restarted, so it gets a fresh process
            ready.clear()
            responder = prepared.assignment.make()
            if not isinstance(responder, AgentProcess):
                return responder
            self._kept.setdefault(key, _UsedProcess(responder, 1))
            return KeptResponder(responder)

        return replace(prepared, assignment=replace(prepared.assignment, make=make))


def worker_count(games: int) -> int:
    """Return how many of some games to play at once: no more than there are processors."""
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(processors, MOST_WORKERS, games // GAMES_PER_WORKER))


def play_at_once(
    planned: Iterable[P],
    play: Callable[[P, Callable[[BaseException], object], SimulationProcesses], T],
    workers: Sequence[SimulationProcesses],
    report: Callable[[BaseException], object],
) -> Iterator[T]:
    """Play games, as many at once as there are workers; yield the results in the order of the games.

    Args:
        planned: The games.
        play: Called with a game, with a function for the errors of its agents, and with the processes that it
            may use; on several threads.
        workers: The processes for each of the games that are played at once.
        report: Called with the errors of the agents, on the caller's thread, in the order of the games.
    """
    free: SimpleQueue[SimulationProcesses] = SimpleQueue()
    for worker in workers:
        free.put(worker)

    def play_next(each: P, errors: list[BaseException]) -> T:
        processes = free.get()
        try:
            return play(each, errors.append, processes)
        finally:
            free.put(processes)

    waiting: deque[tuple[Future[T], list[BaseException]]] = deque()

    def take() -> T:
        future, errors = waiting.popleft()
        try:
            return future.result()
        finally:
            for error in errors:
                report(error)

    with ThreadPoolExecutor(len(workers), "game") as executor:
        try:
            for each in planned:
                errors: list[BaseException] = []
                waiting.append((executor.submit(play_next, each, errors), errors))
                if len(waiting) > 2 * len(workers):
                    yield take()
            while waiting:
                yield take()
        except (KeyboardInterrupt, GeneratorExit):
            for worker in workers:
                worker.give_up()
            raise
        finally:
            for future, _ in waiting:
                future.cancel()
