"""Games between agents, headless and on a virtual clock."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from negoplatform.app.catalogue.search_path import keep_from_agents
from negoplatform.app.simulation.agent_processes import SimulationProcesses, play_at_once, worker_count
from negoplatform.app.simulation.fast_path import FastPath
from negoplatform.app.simulation.full_path import play_session, prepare_seat
from negoplatform.app.simulation.game_results import GameCourse, result_of
from negoplatform.app.simulation.game_results import GamePath as GamePath  # re-exported
from negoplatform.app.simulation.game_results import Result as Result
from negoplatform.app.simulation.game_results import Summary as Summary
from negoplatform.app.simulation.game_results import summarize as summarize
from negoplatform.app.simulation.opponent_model_probe import (
    OpponentModelProbe,
    TruePreferencesCache,
    check_points,
    has_opponent_model,
)
from negoplatform.app.simulation.seatings import Seatings as Seatings
from negoplatform.app.simulation.seatings import seat_agents
from negoplatform.app.simulation.seatings import seatings as seatings
from negoplatform.app.simulation.simulated_game import SimulatedGame, simulated_game
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.plugins.agent_loader import AgentPlugin


def simulate(
    game: GameSpec,
    agents: Sequence[AgentPlugin],
    *,
    games: int,
    seed: int,
    logs: Path | None,
    report: Callable[[BaseException], object],
    profiles: Mapping[Seat, str] | None = None,
    isolated: bool = False,
    how: Seatings = Seatings.ROTATIONS,
    fill: AgentPlugin | None = None,
    measures: bool = True,
    curves: bool = False,
    fast: bool = True,
    models_at: Sequence[float] = (),
    assistants: Mapping[str, AgentPlugin] | None = None,
    principals: Mapping[str, AgentPlugin] | None = None,
) -> Iterator[Result]:
    """Play ``games`` games in each seating; game ``i`` has the seed ``seed + i`` in every one.

    Args:
        game: The game; profiles are chosen for every game, drawn ones by its seed.
        agents: As many as the game has seats, or fewer with ``fill``; fewer too where the game can be
            played with fewer seats.
        games: The number of games in each seating.
        seed: The first game's seed.
        logs: A folder for a log of every game; None: no logs.
        report: Called with errors of agents.
        profiles: Profiles by seat, instead of the game's own choice.
        isolated: Whether every agent has a separate process in each seat, with the limits of its budget.
            Slower, with the same results unless an agent exceeds its budget. Many games are played several
            at once, and their results come in the same order. Always so with an agent that needs it.
        how: The orders in which the agents take the seats.
        fill: The agent in all seats that the others leave; None: there are none.
        measures: Whether the measures of each game are computed.
        curves: Whether the utilities of proposals in its course are measured too, in games with two seats.
        fast: Whether games between quiet bidders take the fast path, which gives the same results.
        models_at: Points of progress, above 0 and up to 1, at which the opponent models of agents in this
            process are compared with the truth (``opponent_model_probe.py``); in games with two seats.
        assistants: The plug-ins of the game's assistants, by name, if the game has their kinds and seats;
            None: it is played without assistants.
        principals: The plug-ins of the game's principals, by name; None: it is played without principals.

    Raises:
        NegoError: If the numbers do not fit, a seat has no such profile, or an agent cannot play the game in
            a seat that it would take.
    """
    if not assistants:
        game = replace(game, assistants=SeatMap()) if game.assistants else game
    if not principals:
        game = replace(game, principals=SeatMap()) if game.principals else game
    game, orders = seat_agents(game, agents, how, fill)
    kind = simulated_game(game)
    if logs is not None:
        keep_from_agents(logs)
    first = kind.settled(seed, profiles)
    check_points(models_at)
    for agent in {id(agent): agent for agent in orders[0]}.values():
        agent.check_plays(kind.game)
    isolated = isolated or any(agent.own_process for agent in orders[0])
    # The fast path asks no models.
    asked = bool(models_at) and any(has_opponent_model(agent) for agent in orders[0])
    suited = fast and not asked and not isolated and FastPath.suits(kind.game)
    run = _Run(
        kind,
        logs,
        profiles=profiles,
        measures=measures,
        curves=curves,
        models_at=models_at,
        fast_path=FastPath(kind, logs) if suited else None,
        assistants=assistants or {},
        principals=principals or {},
    )
    planned = [_PlannedGame(seating, seed + i) for seating in orders for i in range(games)]
    if not isolated:
        _check_agents(first, orders, seed, None)
        for each in planned:
            yield run.play(each, report, None)
        return
    with ExitStack() as stack:
        workers = [
            stack.enter_context(SimulationProcesses(games=games)) for _ in range(worker_count(len(planned)))
        ]
        _check_agents(first, orders, seed, workers[0])
        yield from play_at_once(planned, run.play, workers, report)


class _PlannedGame(NamedTuple):
    """Game that is to be played.

    Args:
        seating: The agents, in the order of seats.
        seed: The game's seed.
    """

    seating: tuple[AgentPlugin, ...]
    seed: int


class _Run:
    """Games of one call of ``simulate``, each on the fast path where that is possible.

    Args:
        kind: The game.
        logs: A folder for a log of every game; None: no logs.
        profiles: Profiles by seat, instead of the game's own choice.
        measures: Whether the measures of each game are computed.
        curves: Whether the utilities of proposals are measured too.
        models_at: Points of progress at which opponent models are compared with the truth.
        fast_path: The fast path; None: every game is played on the full one.
        assistants: The plug-ins of the game's assistants, by name.
        principals: The plug-ins of the game's principals, by name.
    """

    def __init__(
        self,
        kind: SimulatedGame,
        logs: Path | None,
        *,
        profiles: Mapping[Seat, str] | None,
        measures: bool,
        curves: bool,
        models_at: Sequence[float],
        fast_path: FastPath | None,
        assistants: Mapping[str, AgentPlugin],
        principals: Mapping[str, AgentPlugin],
    ) -> None:
        self._kind = kind
        self._logs = logs
        self._profiles = profiles
        self._measures = measures
        self._curves = curves
        self._models_at = models_at
        self._fast_path = fast_path
        self._assistants = assistants
        self._principals = principals
        self._truths = TruePreferencesCache()
        self._latest: tuple[GameCourse, Result] | None = None
        self._names: dict[int, SeatMap[str]] = {}
        """The agents' names by seat, by the identity of the seating."""

    def play(
        self,
        planned: _PlannedGame,
        report: Callable[[BaseException], object],
        processes: SimulationProcesses | None,
    ) -> Result:
        """Play a game and return its result; with ``processes``, several threads call it at once."""
        seating, seed = planned
        game = self._kind.settled(seed, self._profiles)
        course = self._course(game, planned, report, processes)
        latest = self._latest
        if latest is not None and latest[0] is course:
            return replace(latest[1], seed=seed)  # the same game with another seed
        measured = self._kind.measured(game) if self._measures else None
        names = self._names.get(id(seating))
        if names is None:
            agents = zip(game.seats, seating, strict=True)
            names = self._names[id(seating)] = SeatMap((seat, agent.name) for seat, agent in agents)
        result = result_of(game, course, seed=seed, agents=names, measured=measured, with_curves=self._curves)
        self._latest = course, result
        return result

    def _course(
        self,
        game: GameSpec,
        planned: _PlannedGame,
        report: Callable[[BaseException], object],
        processes: SimulationProcesses | None,
    ) -> GameCourse:
        seating, seed = planned
        fast_path = self._fast_path
        course = None if fast_path is None else fast_path.play(game, seating, seed)
        if course is None:
            course = play_session(
                game,
                seating,
                seed,
                logs=self._logs,
                report=report,
                processes=processes,
                measures=self._measures,
                probe=self._probe(game, planned),
                assistants=self._assistants,
                principals=self._principals,
            )
        if fast_path is not None and fast_path.error is not None and not course.failures:
            report(fast_path.error)  # no agent's: the session had none
        return course

    def _probe(self, game: GameSpec, planned: _PlannedGame) -> OpponentModelProbe | None:
        if not self._models_at:
            return None
        names = {seat: agent.name for seat, agent in zip(game.seats, planned.seating, strict=True)}
        return OpponentModelProbe(game, planned.seed, names, self._models_at, self._truths)


def _check_agents(
    game: GameSpec,
    orders: Sequence[Sequence[AgentPlugin]],
    seed: int,
    processes: SimulationProcesses | None,
) -> None:
    """Prepare every agent once for each seat that it takes after the first order.

    An agent may refuse a game in one seat only; that must not come out after many games.
    """
    if processes is not None:
        processes.warm(
            (agent, seat) for order in orders for agent, seat in zip(order, game.seats, strict=True)
        )
    if len(orders) == 1:
        return
    checked = {(agent.identity, seat) for agent, seat in zip(orders[0], game.seats, strict=True)}
    for order in orders[1:]:
        for agent, seat in zip(order, game.seats, strict=True):
            if (agent.identity, seat) not in checked:
                checked.add((agent.identity, seat))
                prepare_seat(game, agent, seat, seed, None, processes, session_id="")
