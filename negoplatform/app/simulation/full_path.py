"""Full path of a simulated game: a session with its events, its state and its agents' hosts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from negoplatform.analysis.bidding_measures import SentOffer
from negoplatform.analysis.trade_recorder import TradeRecorder
from negoplatform.analysis.trade_records import TRADE_KINDS
from negoplatform.analysis.trade_session_measures import measure_trades
from negoplatform.app.session.agent_placement import prepare_agents
from negoplatform.app.session.agent_setup import PreparedAgent, prepare_in_process, starting_output_path
from negoplatform.app.session.assistant_setup import prepare_assistants
from negoplatform.app.session.principal_setup import prepare_principals
from negoplatform.app.session.session_plan import SessionPlan, new_session_id
from negoplatform.app.session.session_runner import SessionRunner, run_session
from negoplatform.app.simulation.agent_processes import SimulationProcesses
from negoplatform.app.simulation.game_results import GameCourse
from negoplatform.app.simulation.opponent_model_probe import OpponentModelProbe
from negoplatform.core.bus import PublishedEvent
from negoplatform.core.events import Failure, OfferMade, Refusal
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.record.notes_and_tasks_proposals import ProposerKind, StateProposal
from negoplatform.core.rules_faults import final_points
from negoplatform.core.state import State
from negoplatform.core.virtual_clock import VirtualClock
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.utility import Points
from negoplatform.eventlog.writer import EventSink, NoLog
from negoplatform.plugins.agent_loader import AgentPlugin


def play_session(
    game: GameSpec,
    agents: tuple[AgentPlugin, ...],
    seed: int,
    *,
    logs: Path | None,
    report: Callable[[BaseException], object],
    processes: SimulationProcesses | None = None,
    measures: bool = True,
    probe: OpponentModelProbe | None = None,
    assistants: Mapping[str, AgentPlugin] | None = None,
    principals: Mapping[str, AgentPlugin] | None = None,
) -> GameCourse:
    """Play a game as a session on a virtual clock.

    Args:
        game: The game, with resolved profiles.
        agents: The agents, in the order of seats.
        seed: The game's seed.
        logs: The folder for its log; None: no log.
        report: Called with errors of agents.
        processes: The processes of the agents; None: they run in this one.
        measures: Whether the trades of a trading or market game are measured.
        probe: Questions to the opponent models of agents in this process; None: they are not asked.
        assistants: The plug-ins of the game's assistants, by name; None: it has none.
        principals: The plug-ins of the game's principals, by name; None: it has none.

    Raises:
        NegoError: If an agent cannot be prepared, or the log cannot be written.
    """
    session_id = new_session_id()
    prepared = prepare_seats(game, agents, seed, logs, processes, session_id=session_id)
    helping = prepare_assistants(
        game,
        assistants or {},
        seed=seed,
        session_id=session_id,
        output=logs,
        in_program=processes is None,
    )
    commanding = prepare_principals(
        game,
        principals or {},
        seed=seed,
        session_id=session_id,
        output=logs,
        in_program=processes is None,
    )
    plan = SessionPlan(
        game=game,
        seed=seed,
        human_seat=None,
        participant="",
        agents=prepared,
        session_id=session_id,
        assistants=helping,
        principals=commanding,
    )
    log: EventSink = NoLog()
    if logs is not None:
        log = writer = plan.create_log(logs, durable=False)
        plan.move_agent_output(writer.path.parent)
    clock = VirtualClock()
    runner = SessionRunner(game, seed=seed, clock=clock, log=log, report=report, session_id=session_id)
    if probe is not None:
        runner.subscribe(probe.on_published)
    runner.assign_assistants({name: one.assignment for name, one in helping.items()})
    for seat, who in prepared.items():
        assignment = who.assignment if probe is None else probe.observe(seat, who.assignment)
        runner.assign(seat, assignment, who.timing)
    for name, principal in commanding.items():
        runner.assign_principal(name, principal.assignment)
    counter = _EventCounter(runner.session.state, trades=measures)
    runner.subscribe(counter.on_published)
    if processes is None:
        run_session(runner, clock)
    else:
        run_session(runner, clock, processes.check_wanted)
    for one in (*helping.values(), *commanding.values()):
        one.stop_process()
    course = _course(runner.session.state, seed, counter, report)
    return course if probe is None else replace(course, models=tuple(probe.rows))


def prepare_seat(
    game: GameSpec,
    plugin: AgentPlugin,
    seat: Seat,
    seed: int,
    logs: Path | None,
    processes: SimulationProcesses | None,
    *,
    session_id: str,
) -> PreparedAgent:
    """Prepare an agent for a seat, in this process or in one of its own.

    Raises:
        NegoError: If it cannot be prepared.
    """
    if processes is None:
        return prepare_in_process(plugin, seat, plugin.settings, game=game, seed=seed)
    output = None if logs is None else starting_output_path(logs, seat)
    return processes.prepare(plugin, seat, game=game, seed=seed, output=output, session_id=session_id)


def prepare_seats(
    game: GameSpec,
    agents: Sequence[AgentPlugin],
    seed: int,
    logs: Path | None,
    processes: SimulationProcesses | None,
    *,
    session_id: str,
) -> SeatMap[PreparedAgent]:
    """Prepare the agents of all seats.

    Raises:
        NegoError: If one cannot be prepared.
    """
    plugins = dict(zip(game.seats, agents, strict=True))
    if processes is not None:
        processes.warm((agent, seat) for seat, agent in plugins.items())
    return prepare_agents(
        game.seats,
        lambda seat: prepare_seat(game, plugins[seat], seat, seed, logs, processes, session_id=session_id),
    )


class _EventCounter:
    """Counts of events during a game."""

    def __init__(self, state: State, *, trades: bool) -> None:
        traded = trades and state.game.mechanism in TRADE_KINDS
        self.recorder = TradeRecorder(state) if traded else None
        self.offers: list[SentOffer] = []
        self.failures: Counter[Seat] = Counter()
        self.refusals: Counter[Seat] = Counter()
        self.first_failures: dict[Seat, str] = {}
        self.first_refusals: dict[Seat, str] = {}

    def on_published(self, published: PublishedEvent) -> None:
        """Count an event."""
        event = published.event
        if self.recorder is not None:
            self.recorder.add(event, published.state)
        payload = event.payload
        if isinstance(payload, OfferMade):  # as offers_sent, of most events
            self.offers.append((event.sender, payload.offer, event.t))
        elif isinstance(payload, Failure):
            self.first_failures.setdefault(payload.seat, payload.reason)
            self.failures[payload.seat] += 1
        elif isinstance(payload, Refusal):
            self._count_refusal(event.to[0], f"{payload.action}: {payload.reason}")
        elif (
            isinstance(payload, StateProposal)
            and not payload.accepted
            and payload.proposer.kind is ProposerKind.ASSISTANT
        ):
            self._count_refusal(payload.proposer.name, f"change of the record: {payload.reason}")

    def _count_refusal(self, name: str, refused: str) -> None:
        self.first_refusals.setdefault(name, refused)
        self.refusals[name] += 1


def _course(
    state: State, seed: int, counter: _EventCounter, report: Callable[[BaseException], object]
) -> GameCourse:
    """Return the course of a game from its final state; without points, if its rules fail at them."""
    game, ending = state.game, state.ending
    if ending is None or state.ended_at is None:
        raise NegoError(f"The game with seed {seed} came to no end.")
    points: SeatMap[Points | None]
    try:
        points = final_points(mechanism_of(game.mechanism), state, game.seats)
    except NegoError as error:
        report(error)
        points = SeatMap((seat, None) for seat in game.seats)
    recorder = counter.recorder
    return GameCourse(
        ending=ending,
        ended_at=state.ended_at,
        points=points,
        offers=counter.offers,
        failures=counter.failures,
        refusals=counter.refusals,
        first_failures=counter.first_failures,
        first_refusals=counter.first_refusals,
        trades=None if recorder is None else measure_trades(recorder.records(), points),
    )
