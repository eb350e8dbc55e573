"""Games between agents, headless and on a virtual clock."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import permutations
from pathlib import Path
from statistics import fmean
from threading import Lock
from typing import assert_never

from negoplatform.analysis.bidding_measures import SentOffer, offers_sent
from negoplatform.analysis.outcome_measures import MeasuredGame, SessionMeasures, as_row
from negoplatform.analysis.trade_recorder import TradeRecorder
from negoplatform.analysis.trade_records import TRADE_KINDS
from negoplatform.analysis.trade_session_measures import TradeSessionMeasures, measure_trades, trade_row
from negoplatform.app.catalogue.search_path import keep_from_agents
from negoplatform.app.session.agent_placement import prepare_agents
from negoplatform.app.session.agent_setup import (
    PreparedAgent,
    prepare_in_process,
    starting_output_path,
)
from negoplatform.app.session.session_plan import (
    SessionPlan,
    new_session_id,
    with_usual_limit,
)
from negoplatform.app.session.session_runner import SessionRunner, run_session
from negoplatform.app.simulation.agent_processes import SimulationProcesses, play_at_once, worker_count
from negoplatform.core.bus import PublishedEvent
from negoplatform.core.events import EndedBy, EventType, Failure
from negoplatform.core.mechanisms.bargaining import left_out_seats
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.rules_faults import final_points
from negoplatform.core.state import State
from negoplatform.core.virtual_clock import VirtualClock
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.utility import Points
from negoplatform.eventlog.writer import EventSink, NoLog
from negoplatform.plugins.agent_loader import AgentPlugin


@dataclass(frozen=True, slots=True)
class Result:
    """Result of one simulated game.

    Args:
        seed: Its seed.
        agents: The agents' names, by seat.
        ended_by: Why it ended.
        points: Each seat's points; None where the end gives none.
        seconds: Session time at the end.
        offers: The number of offers.
        failures: The number of agents' failures.
        refusals: The number of refused actions.
        first_failures: By agent, the agent, the seat and the reason of its first failure.
        profiles: The name of each seat's profile, where it has several.
        measures: Measures of the end and of the bidding; None where the game cannot be measured.
        trades: Measures of a trading or market game; None for every other.
        why_unmeasured: Why some or all measures are missing, in a sentence; empty where none are.
    """

    seed: int
    agents: SeatMap[str]
    ended_by: EndedBy
    points: SeatMap[Points | None]
    seconds: float
    offers: int
    failures: int
    refusals: int
    first_failures: Mapping[str, str] = field(default_factory=dict)
    profiles: SeatMap[str] = field(default_factory=SeatMap)
    measures: SessionMeasures | None = None
    trades: TradeSessionMeasures | None = None
    why_unmeasured: str = ""

    def measures_row(self) -> Mapping[str, Points | bool | None]:
        """Return the measures as one flat row; empty where there are none."""
        if self.trades is not None:
            return trade_row(self.trades)
        return {} if self.measures is None else as_row(self.measures)


@dataclass(frozen=True, slots=True)
class Summary:
    """Results of many games of one seating.

    Args:
        agents: The agents' names, by seat.
        games: The number of games.
        agreements: The number that ended in agreement.
        points: Mean points by seat over the games that gave points; None if none did.
        seconds: Mean session time.
        offers: Mean number of offers.
        ends: The number of games by the way they ended.
        failures: Agents' failures in all.
        refusals: Refused actions in all.
        first_failures: By agent, the agent, the seat, the reason and the seed of its first failure.
        means: The mean of every measure over the games that have it, by the names of
            ``negoplatform.analysis.outcome_measures.as_row``, or of
            ``negoplatform.analysis.trade_session_measures.trade_row`` in a trading or market game; of a
            boolean measure, the share of games, 0 to 1.
        traded: Whether the game is one of trading or a market.
    """

    agents: SeatMap[str]
    games: int
    agreements: int
    points: SeatMap[float | None]
    seconds: float
    offers: float
    ends: Mapping[EndedBy, int]
    failures: int
    refusals: int
    first_failures: Mapping[str, str] = field(default_factory=dict)
    means: Mapping[str, float] = field(default_factory=dict)
    traded: bool = False


class Seatings(StrEnum):
    """Orders in which agents take the seats of a game."""

    GIVEN = "given"
    """The order in which the agents are named."""
    ROTATIONS = "rotations"
    """As many orders as seats: each agent sits in every seat once, with the same neighbours."""
    ALL = "all"
    """Every order."""


def seatings(
    agents: Sequence[AgentPlugin], how: Seatings = Seatings.ROTATIONS
) -> list[tuple[AgentPlugin, ...]]:
    """Return the orders in which agents take the seats, the given one first.

    Orders that differ only in equal agents count once. Two agents have the same orders by rotation as in all:
    as given, and reversed.
    """
    given = tuple(agents)
    orders: Iterable[tuple[AgentPlugin, ...]]
    match how:
        case Seatings.GIVEN:
            orders = [given]
        case Seatings.ROTATIONS:
            orders = [(*given[i:], *given[:i]) for i in range(len(given))]
        case Seatings.ALL:
            orders = permutations(given)
        case _:
            assert_never(how)
    distinct: dict[tuple[object, ...], tuple[AgentPlugin, ...]] = {}
    for order in orders:
        distinct.setdefault(tuple(agent.identity for agent in order), order)
    return [*distinct.values()]


def fill_seats(
    game: GameSpec, agents: Sequence[AgentPlugin], fill: AgentPlugin | None = None
) -> list[AgentPlugin]:
    """Return an agent for every seat: those given, and then ``fill`` for the seats that are left.

    Raises:
        NegoError: If there are too few or too many agents for the seats.
    """
    seats, named = len(game.seats), len(agents)
    told = (
        f"{game.name} has {seats} seats ({', '.join(game.seats)}), and {named} "
        f"agent{' is' if named == 1 else 's are'} named"
    )
    if named > seats:
        raise NegoError(f"{told}; name as many agents as there are seats.")
    if fill is None and named < seats:
        raise NegoError(f"{told}; name as many agents, or one for the other seats with --fill.")
    if fill is not None and named == seats:
        raise NegoError(f"{told}, so no seat is left for another agent; leave out --fill.")
    return [*agents, *([] if fill is None else [fill] * (seats - named))]


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
            at once, and their results come in the same order.
        how: The orders in which the agents take the seats.
        fill: The agent in all seats that the others leave; None: there are none.

    Raises:
        NegoError: If the numbers do not fit, a seat has no such profile, or an agent cannot play the game in
            a seat that it would take.
    """
    if fill is None and game.fewest_seats and game.fewest_seats <= len(agents):
        game = game.with_seats(min(len(agents), len(game.seats)))
    orders = seatings(_with_unique_names(fill_seats(game, agents, fill)), how)
    game = with_usual_limit(game)
    if logs is not None:
        keep_from_agents(logs)
    yardsticks = _MeasuredGameCache()
    for agent in {agent.identity: agent for agent in orders[0]}.values():
        agent.check_plays(game)

    def play(
        place: _Place, report: Callable[[BaseException], object], processes: SimulationProcesses | None
    ) -> Result:
        seating, game_seed = place
        settled = game.resolve_profiles(game_seed, profiles)
        return _play(settled, seating, game_seed, logs, report, yardsticks, processes)

    places = [(seating, seed + i) for seating in orders for i in range(games)]
    first = game.resolve_profiles(seed, profiles)
    if not isolated:
        _check_agents(first, orders, seed, None)
        for place in places:
            yield play(place, report, None)
        return
    with ExitStack() as stack:
        workers = [
            stack.enter_context(SimulationProcesses(games=games)) for _ in range(worker_count(len(places)))
        ]
        _check_agents(first, orders, seed, workers[0])
        yield from play_at_once(places, play, workers, report)


_Place = tuple[tuple[AgentPlugin, ...], int]
"""The agents of a game by seat, and its seed."""


class _MeasuredGameCache:
    """Cache of measured games, one for each choice of profiles. Any thread may use it."""

    def __init__(self) -> None:
        self._cache: dict[SeatMap[str], MeasuredGame | str] = {}
        self._lock = Lock()

    def get(self, game: GameSpec) -> MeasuredGame | str:
        """Return the measured game, or a sentence that says why it cannot be measured."""
        with self._lock:
            if game.chosen not in self._cache:
                try:
                    self._cache[game.chosen] = MeasuredGame(game)
                except NegoError as error:
                    self._cache[game.chosen] = str(error)
            return self._cache[game.chosen]


def _with_unique_names(agents: Sequence[AgentPlugin]) -> list[AgentPlugin]:
    """Return the agents; different ones of the same name are named after their files."""
    names = {agent.name for agent in agents}
    clash = len(names) < len({agent.identity for agent in agents})
    return [replace(agent, name=str(agent.file)) for agent in agents] if clash else list(agents)


def summarize(results: Sequence[Result]) -> list[Summary]:
    """Return a summary per seating, in the order of play."""
    by_seating: dict[tuple[str, ...], list[Result]] = {}
    for result in results:
        by_seating.setdefault(tuple(result.agents.values()), []).append(result)
    return [_summary(group) for group in by_seating.values()]


def _summary(group: list[Result]) -> Summary:
    def mean_points(seat: str) -> float | None:
        known = [points for result in group if (points := result.points[seat]) is not None]
        return fmean(known) if known else None

    first = group[0]
    return Summary(
        agents=first.agents,
        games=len(group),
        agreements=sum(result.ended_by is EndedBy.AGREEMENT for result in group),
        points=SeatMap((seat, mean_points(seat)) for seat in first.agents),
        seconds=fmean(result.seconds for result in group),
        offers=fmean(result.offers for result in group),
        ends=Counter(result.ended_by for result in group),
        failures=sum(result.failures for result in group),
        refusals=sum(result.refusals for result in group),
        first_failures={
            agent: f"{failure} (seed {result.seed})"
            for result in reversed(group)
            for agent, failure in result.first_failures.items()
        },
        traded=first.trades is not None,
        means=_means([row for result in group if (row := result.measures_row())]),
    )


def _means(rows: Sequence[Mapping[str, Points | bool | None]]) -> dict[str, float]:
    known = {
        name: [value for row in rows if (value := row[name]) is not None]
        for name in (rows[0] if rows else ())
    }
    return {name: fmean(values) for name, values in known.items() if values}


def _play(
    game: GameSpec,
    agents: tuple[AgentPlugin, ...],
    seed: int,
    logs: Path | None,
    report: Callable[[BaseException], object],
    yardsticks: _MeasuredGameCache,
    processes: SimulationProcesses | None,
) -> Result:
    session_id = new_session_id()
    prepared = _prepare_agents(game, agents, seed, logs, processes, session_id=session_id)
    plan = SessionPlan(
        game=game, seed=seed, human_seat=None, participant="", agents=prepared, session_id=session_id
    )
    log: EventSink = NoLog()
    if logs is not None:
        log = writer = plan.create_log(logs, durable=False)
        plan.move_agent_output(writer.path.parent)
    clock = VirtualClock()
    runner = SessionRunner(game, seed=seed, clock=clock, log=log, report=report, session_id=session_id)
    for seat, who in prepared.items():
        runner.assign(seat, who.assignment, who.timing)
    tally = _EventCounter(runner.session.state)
    runner.subscribe(tally.on_published)
    if processes is None:
        run_session(runner, clock)
    else:
        run_session(runner, clock, processes.check_wanted)
    names = SeatMap((seat, who.plugin.name) for seat, who in prepared.items())
    return _result(runner.session.state, seed, names, tally, yardsticks.get(game), report)


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
    checked = {(agent.identity, seat) for agent, seat in zip(orders[0], game.seats, strict=True)}
    for order in orders[1:]:
        for agent, seat in zip(order, game.seats, strict=True):
            if (agent.identity, seat) not in checked:
                checked.add((agent.identity, seat))
                _prepare_agent(game, agent, seat, seed, None, processes, session_id="")


def _prepare_agent(
    game: GameSpec,
    plugin: AgentPlugin,
    seat: Seat,
    seed: int,
    logs: Path | None,
    processes: SimulationProcesses | None,
    *,
    session_id: str,
) -> PreparedAgent:
    if processes is None:
        return prepare_in_process(plugin, seat, plugin.settings, game=game, seed=seed)
    output = None if logs is None else starting_output_path(logs, seat)
    return processes.prepare(plugin, seat, game=game, seed=seed, output=output, session_id=session_id)


def _prepare_agents(
    game: GameSpec,
    agents: Sequence[AgentPlugin],
    seed: int,
    logs: Path | None,
    processes: SimulationProcesses | None,
    *,
    session_id: str,
) -> SeatMap[PreparedAgent]:
    plugins = dict(zip(game.seats, agents, strict=True))
    if processes is not None:
        processes.warm((agent, seat) for seat, agent in plugins.items())
    return prepare_agents(
        game.seats,
        lambda seat: _prepare_agent(game, plugins[seat], seat, seed, logs, processes, session_id=session_id),
    )


class _EventCounter:
    """Counts of events during a game."""

    def __init__(self, state: State) -> None:
        self.recorder = TradeRecorder(state) if state.game.mechanism in TRADE_KINDS else None
        self.offers: list[SentOffer] = []
        self.failures = 0
        self.first_failures: dict[str, Failure] = {}
        self.refusals = 0

    def on_published(self, published: PublishedEvent) -> None:
        """Count an event."""
        event = published.event
        if self.recorder is not None:
            self.recorder.add(event, published.state)
        self.offers += offers_sent([event])
        if event.type == EventType.AGENT_FAILED:
            self.first_failures.setdefault(event.payload.seat, event.payload)
            self.failures += 1
        self.refusals += event.type == EventType.ACTION_REFUSED


def _result(
    state: State,
    seed: int,
    agents: SeatMap[str],
    tally: _EventCounter,
    measured: MeasuredGame | str,
    report: Callable[[BaseException], object],
) -> Result:
    """Return the result of a game from its final state; without points, if its rules fail at them."""
    game, ending = state.game, state.ending
    if ending is None or state.ended_at is None:
        raise NegoError(f"The game with seed {seed} came to no end.")
    points: SeatMap[Points | None]
    try:
        points = final_points(mechanism_of(game.mechanism), state, game.seats)
    except NegoError as error:
        report(error)
        points = SeatMap((seat, None) for seat in game.seats)
    measures, why = None, measured if isinstance(measured, str) else measured.solutions_error
    trades = None
    if tally.recorder is not None:
        trades, why = measure_trades(tally.recorder.records(), points), ""
    if isinstance(measured, MeasuredGame):
        measures = measured.measure_session(
            deal=ending.deal,
            ended_by=ending.ended_by,
            points=points,
            offers=tally.offers,
            left_out=left_out_seats(game, ending),
        )
    return Result(
        seed=seed,
        agents=agents,
        ended_by=ending.ended_by,
        points=points,
        seconds=state.ended_at,
        offers=len(tally.offers),
        failures=tally.failures,
        refusals=tally.refusals,
        first_failures={
            agents[seat]: f"{agents[seat]} as {seat}: {failed.reason}"
            for seat, failed in reversed(tally.first_failures.items())
        },
        profiles=game.chosen,
        measures=measures,
        trades=trades,
        why_unmeasured=why,
    )
