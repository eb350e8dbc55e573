"""Counterfactuals: a recorded session up to an event, and then another agent in one of its seats."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import negoplatform
from negoplatform.analysis.bidding_measures import offers_sent
from negoplatform.analysis.outcome_measures import MeasuredGame, as_row
from negoplatform.app.catalogue.search_path import keep_from_agents
from negoplatform.app.session.resume import logged_game
from negoplatform.app.session.session_plan import new_session_id, with_usual_limit
from negoplatform.app.session.session_runner import SessionRunner
from negoplatform.app.simulation.agent_processes import SimulationProcesses
from negoplatform.app.simulation.late_entry import LateEntry
from negoplatform.app.simulation.recorded_moves import RecordedMoves
from negoplatform.core.bus import PublishedEvent
from negoplatform.core.events import EndedBy, Event, EventType
from negoplatform.core.mechanisms.bargaining import left_out_seats
from negoplatform.core.mechanisms.registry import BARGAINING, mechanism_of
from negoplatform.core.rules_faults import final_points
from negoplatform.core.state import Phase, State
from negoplatform.core.virtual_clock import VirtualClock
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.utility import Points
from negoplatform.eventlog.reader import SessionLog
from negoplatform.eventlog.replay import replay
from negoplatform.eventlog.writer import LogWriter, NoLog, wall_clock
from negoplatform.formats.log_header import ForkOrigin, Header, Occupant
from negoplatform.plugins.agent_loader import AgentPlugin


@dataclass(frozen=True, slots=True)
class ForkedSession:
    """Outcome of the recorded session or of one fork.

    Args:
        seed: The fork's seed; None: the recorded session.
        ended_by: How it ended.
        points: Points by seat; None where the ending gives none.
        seconds: Session time at the end.
        offers: The number of offers.
        measures: Measures by their names in ``negoplatform.analysis.outcome_measures.as_row``; empty where
            the game cannot be measured.
        stood_in: Session time (s) at which the stand-in entered, by seat; a seat is missing where its
            recorded moves lasted to the end.
        log: The log; None: none was kept.
    """

    seed: int | None
    ended_by: EndedBy
    points: SeatMap[Points | None]
    seconds: float
    offers: int
    measures: Mapping[str, Points | bool | None]
    stood_in: Mapping[Seat, float]
    log: Path | None


@dataclass(frozen=True, slots=True)
class Fork:
    """Place of a fork, and who plays after it.

    Args:
        log: The recorded session: complete, over, of bargaining.
        game: Its game, ready to be played.
        event: The number of the last event that is kept.
        seat: The seat in which another agent goes on.
        agent: That agent.
        stand_in: The agent that goes on in the other seats where their recorded moves end.
    """

    log: SessionLog
    game: GameSpec
    event: int
    seat: Seat
    agent: AgentPlugin
    stand_in: AgentPlugin

    @property
    def kept(self) -> tuple[Event, ...]:
        """Events of the recorded session up to the fork."""
        return tuple(event for event in self.log.events if event.seq <= self.event)

    @property
    def at(self) -> float:
        """Session time (s) of the fork."""
        return self.kept[-1].t

    def agent_of(self, seat: Seat) -> AgentPlugin:
        """Return the agent of a seat after the fork."""
        return self.agent if seat == self.seat else self.stand_in


def plan_fork(
    log: SessionLog,
    data_dir: Path,
    *,
    event: int,
    seat: Seat | None,
    agent: AgentPlugin,
    stand_in: AgentPlugin,
) -> Fork:
    """Return a fork of a recorded session, checked.

    Args:
        log: The recorded session.
        data_dir: The user's folder, which is searched for the game's own code.
        event: The number of the last event that is kept.
        seat: The seat of the other agent; None: the only seat in which an agent played.
        agent: The other agent.
        stand_in: The agent that goes on in the other seats where their recorded moves end.

    Raises:
        NegoError: If the log cannot be forked there, or an agent cannot play the game.
    """
    if log.header.view != "complete" or log.header.seed is None:
        raise NegoError(
            f"{log.path}: only a complete log can be forked; this one was exported for one observer."
        )
    game = logged_game(log.header, data_dir)
    if game.mechanism != BARGAINING:
        raise NegoError(
            f"{log.path}: {game.name} is a game of the kind {game.mechanism}; only bargaining can be forked."
        )
    log = replace(log, header=replace(log.header, game=game))
    if replay(log).state.ending is None:
        raise NegoError(f"{log.path}: this session is not over, so no outcome can be compared with others.")
    end = next(e for e in log.events if e.type == EventType.GAME_END)
    # The act that ends the session, such as an acceptance, leaves nothing to go on with.
    last = end.seq - (2 if end.payload.ended_by in (EndedBy.AGREEMENT, EndedBy.QUIT) else 1)
    first = log.events[0].seq
    if not first <= event <= last:
        raise NegoError(
            f"{log.path}: there is no event {event} before the end of this session; --at is from {first} to "
            f"{last}."
        )
    seat = _forked_seat(log, seat)
    for plugin in (agent, stand_in):
        plugin.check_plays(game)
    return Fork(log, with_usual_limit(game), event, seat, agent, stand_in)


def _forked_seat(log: SessionLog, seat: Seat | None) -> Seat:
    seats = log.header.seats
    if seat is not None:
        if seat not in seats:
            raise NegoError(f"{log.path}: there is no seat {seat!r}; there is {', '.join(seats)}.")
        return seat
    agents = [name for name, who in seats.items() if who.kind == "agent"]
    if len(agents) != 1:
        raise NegoError(
            f"{log.path}: agents played in {len(agents)} seats; name the one of the other agent with --seat, "
            f"one of {', '.join(seats)}."
        )
    return agents[0]


def recorded_outcome(fork: Fork) -> ForkedSession:
    """Return the outcome of the recorded session."""
    state = replay(fork.log).state
    return _outcome(state, fork.log.events, _measured(fork.game), None, {}, fork.log.path)


def play_forks(
    fork: Fork,
    *,
    n: int,
    seed: int,
    logs: Path | None,
    report: Callable[[BaseException], object],
) -> Iterator[ForkedSession]:
    """Play the session on from the fork, with several seeds; every agent runs in a process of its own.

    Args:
        fork: The fork.
        n: How often.
        seed: The first seed; each further fork adds one.
        logs: The folder for a log of each fork; None: no logs.
        report: Called with errors of agents.

    Raises:
        NegoError: If an agent cannot be prepared, or fails at the session up to the fork.
    """
    keep_from_agents(fork.log.path)
    if logs is not None:
        keep_from_agents(logs)
    measured = _measured(fork.game)
    with SimulationProcesses(games=n) as processes:
        for each in range(seed, seed + n):
            yield _play(fork, each, logs, report, processes, measured)


def _play(
    fork: Fork,
    seed: int,
    logs: Path | None,
    report: Callable[[BaseException], object],
    processes: SimulationProcesses,
    measured: MeasuredGame | None,
) -> ForkedSession:
    game, session_id = fork.game, new_session_id()
    prepared = {
        seat: processes.prepare(
            fork.agent_of(seat), seat, game=game, seed=seed, output=None, session_id=session_id
        )
        for seat in game.seats
    }
    log = NoLog() if logs is None else _open_log(fork, prepared[fork.seat].occupant(), logs, seed, session_id)
    clock = VirtualClock()
    clock.advance_to(fork.at)
    runner = SessionRunner(
        game,
        seed=seed,
        clock=clock,
        log=log,
        report=report,
        session_id=session_id,
        record=fork.log.header.initial_record,
    )
    entries = {
        seat: LateEntry(seat, who.assignment, who.timing, runner=runner) for seat, who in prepared.items()
    }
    events: list[Event] = list(fork.kept)
    _continue(fork, runner, entries)
    runner.subscribe(lambda published: events.append(published.event))
    stood_in: dict[Seat, float] = {}

    def stand_in(seat: Seat) -> None:
        stood_in[seat] = runner.session.now()
        entries[seat].enter(moves_now=True)

    for seat in game.others(fork.seat):
        RecordedMoves(seat, fork.log.events, after=fork.event, runner=runner, on_end=partial(stand_in, seat))
    entries[fork.seat].enter()
    runner.run_on(clock, processes.check_wanted)
    path = log.path if isinstance(log, LogWriter) else None
    return _outcome(runner.session.state, events, measured, seed, stood_in, path)


def _continue(fork: Fork, runner: SessionRunner, entries: Mapping[Seat, LateEntry]) -> None:
    """Bring a session and its agents to the place of the fork.

    Raises:
        NegoError: If the session is over there, or an agent has failed before.
    """

    def observe(published: PublishedEvent) -> None:
        for entry in entries.values():
            entry.observe(published)

    runner.continue_with_others(fork.kept, observe)
    if runner.session.state.phase is not Phase.NEGOTIATING:
        raise NegoError(f"{fork.log.path}: the session ends with event {fork.event}; name an earlier one.")
    for seat, entry in entries.items():
        entry.check(fork.agent_of(seat).name)


def _open_log(fork: Fork, own: Occupant, logs: Path, seed: int, session_id: str) -> LogWriter:
    """Return the log of a fork, with the events that both sessions have."""
    agent = Path(fork.agent.name.replace(":", "-")).stem
    folder = logs / f"{fork.game.name}-fork{fork.event}-{agent}-seed{seed}-{session_id}"
    seats = SeatMap(
        # Without the participant's code: what follows the fork is not theirs.
        (seat, own if seat == fork.seat else replace(who, participant=None))
        for seat, who in fork.log.header.seats.items()
    )
    log = LogWriter(folder, _header(fork, seats, seed, session_id), durable=False)
    for event in fork.kept:
        log.write(event)
    return log


def _header(fork: Fork, seats: SeatMap[Occupant], seed: int, session_id: str) -> Header:
    return Header(
        session_id=session_id,
        created_at=wall_clock(),
        app_version=negoplatform.__version__,
        seed=seed,
        game=fork.game,
        seats=seats,
        record=fork.log.header.record,
        forked=ForkOrigin(fork.log.header.session_id, fork.event, fork.seat, fork.stand_in.name),
    )


def _measured(game: GameSpec) -> MeasuredGame | None:
    try:
        return MeasuredGame(game)
    except NegoError:
        return None


def _outcome(
    state: State,
    events: Sequence[Event],
    measured: MeasuredGame | None,
    seed: int | None,
    stood_in: Mapping[Seat, float],
    log: Path | None,
) -> ForkedSession:
    game, ending = state.game, state.ending
    if ending is None or state.ended_at is None:
        raise NegoError(f"The fork with seed {seed} came to no end.")
    points = SeatMap(final_points(mechanism_of(game.mechanism), state, game.seats))
    sent = offers_sent(events)
    measures: Mapping[str, Points | bool | None] = {}
    if measured is not None:
        measures = as_row(
            measured.measure_session(
                deal=ending.deal,
                ended_by=ending.ended_by,
                points=points,
                offers=sent,
                left_out=left_out_seats(game, ending),
            )
        )
    return ForkedSession(
        seed, ending.ended_by, points, state.ended_at, len(sent), measures, dict(stood_in), log
    )
