"""Session runner: a session with its clock, its seats and its log."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from random import Random

from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.app.session.session_template import record_template
from negoplatform.core.action_rules import closing_deadline
from negoplatform.core.broker import InMemoryBroker
from negoplatform.core.bus import EventBus, PublishedEvent
from negoplatform.core.events import GAME_END, Announced, EndedBy, Event, EventType, Note
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.record.notes_and_tasks import EMPTY_RECORD, Record
from negoplatform.core.record.notes_and_tasks_proposals import Proposer, ProposerIssuer, ProposerKind
from negoplatform.core.rounds import SINGLE_ROUND, Round
from negoplatform.core.scheduler import Priority, Scheduler, TimerHandle
from negoplatform.core.session import Session
from negoplatform.core.state import NEGOTIATING, State
from negoplatform.core.virtual_clock import Clock, VirtualClock
from negoplatform.domain.announcement import Announcement
from negoplatform.domain.errors import NegoError, Refused
from negoplatform.domain.game import GameSpec
from negoplatform.domain.joining_settings import WizardSettings
from negoplatform.domain.seat_map import Seat
from negoplatform.eventlog.writer import EventSink
from negoplatform.hosting.adviser_host import AdviserHost
from negoplatform.hosting.agent_host import AgentHost
from negoplatform.hosting.agent_runner import AgentRunner
from negoplatform.hosting.agent_script_timing import AgentTiming
from negoplatform.hosting.assistants.assistant_host import AssistantHost, AssistantPipeline
from negoplatform.hosting.command.chain import CommandSender, Upstream
from negoplatform.hosting.principals.principal_host import PrincipalHost
from negoplatform.hosting.responder import SeatAssignment
from negoplatform.hosting.responder_executors import ExecutorFactory, InlineExecutor
from negoplatform.hosting.teams.team_votes import team_votes

STATE_PROPOSED = EventType.STATE_PROPOSED


class SessionRunner:
    """A session and everything that drives it; used on one thread.

    Args:
        game: The game; profiles that it leaves to the seed are drawn.
        seed: The seed of every seat's random numbers.
        clock: Session time in seconds; 0 when the game starts.
        log: The log.
        report: Called with an unexpected error, for the crash file.
        on_closed: Called with the session time when the closing is over, instead of finishing; None: the
            session is finished then.
        session_id: The session's id; empty where it has none.
        record: The record before the first event.
    """

    def __init__(
        self,
        game: GameSpec,
        *,
        seed: int,
        clock: Clock,
        log: EventSink,
        report: Callable[[BaseException], object],
        on_closed: Callable[[float], object] | None = None,
        session_id: str = "",
        record: Record = EMPTY_RECORD,
    ) -> None:
        game = game.resolve_profiles(seed)
        self._game = game
        self._seed = seed
        self._clock = clock
        self._log = log
        self._report = report
        self._on_closed = on_closed
        self._mechanism = mechanism_of(game.mechanism)
        self._keeps_time = self._mechanism.keeps_time(game)
        self._bus = EventBus()
        self._hosts: list[AgentHost] = []
        self._assistants: AssistantPipeline | None = None
        self._timers: list[TimerHandle] = []
        self._mechanism_timer: TimerHandle | None = None
        self._timed_state: State | None = None
        """The state for which the timer was set."""
        self._deadline_tick_sent = False
        self.scheduler = Scheduler()
        self.finished = False
        self._proposers = ProposerIssuer(game.seats)
        self.session = Session(
            game,
            mechanism=self._mechanism,
            clock=clock,
            log=log.write,
            publish=self._bus.publish,
            report=report,
            session_id=session_id,
            record_template=record_template(),
            record=record,
            proposers=self._proposers,
        )
        self._principals: list[PrincipalHost] = []
        self._broker = InMemoryBroker()
        self._env_id = session_id or "default"
        if game.principals:  # before any seat is asked about the event that gives it
            sender = CommandSender(game, self._broker, self._env_id)
            self._bus.subscribe(lambda published: sender.send_commands(published.event), (STATE_PROPOSED,))
        self._votes = team_votes(game, self.session, self._bus)
        self._closing = False
        self._bus.subscribe(self._on_published, None if self._keeps_time else (GAME_END,))

    def subscribe(self, subscriber: Callable[[PublishedEvent], None]) -> None:
        """Call a subscriber for every event from now on."""
        self._bus.subscribe(subscriber)

    def assign_agent(
        self,
        seat: Seat,
        agent: NegotiationAgent,
        timing: AgentTiming | None = None,
        executor_factory: ExecutorFactory = InlineExecutor,
        round_: Round = SINGLE_ROUND,
    ) -> None:
        """Assign a configured agent in this process to a seat; its third failure ends the session."""
        rng = seat_rng(self._seed, seat)
        once = replace(self._game.rules.agents, restarts=0)
        assignment = SeatAssignment(lambda: AgentRunner(agent, rng, round_), once)
        self.assign(seat, assignment, timing, executor_factory)

    def assign(
        self,
        seat: Seat,
        assignment: SeatAssignment,
        timing: AgentTiming | None = None,
        executor_factory: ExecutorFactory = InlineExecutor,
        wizard: WizardSettings | None = None,
    ) -> AgentHost:
        """Assign a seat; return the host of its agent, which a wizard may operate."""
        host = AgentHost(
            seat,
            session=self.session,
            proposer=self._proposers.issue(ProposerKind.SEAT, seat),
            scheduler=self.scheduler,
            timing=(timing or AgentTiming()).seeded(seat_seed(self._seed, seat)),
            assignment=assignment,
            executor_factory=executor_factory,
            report=self._report,
            wizard=wizard,
            upstream=self.upstream_of(seat),
            votes=self._votes.get(seat),
        )
        self._hosts.append(host)
        if self._assistants is None:
            self._bus.subscribe(host.on_event)
        else:
            self._assistants.subscribe_agent(host.on_event)
        return host

    def assign_adviser(
        self,
        seat: Seat,
        assignment: SeatAssignment,
        timing: AgentTiming | None = None,
        executor_factory: ExecutorFactory = InlineExecutor,
    ) -> AdviserHost:
        """Assign an adviser to the person in a seat; return its host."""
        host = AdviserHost(
            seat,
            session=self.session,
            proposer=self._proposers.issue(ProposerKind.SEAT, seat),
            scheduler=self.scheduler,
            timing=timing or AgentTiming(),
            assignment=assignment,
            executor_factory=executor_factory,
            report=self._report,
        )
        self._hosts.append(host)
        self._bus.subscribe(host.on_event)
        return host

    def upstream_of(self, name: str) -> Upstream | None:
        """Return the commands that wait for a seat or a principal; None: no principal is above it."""
        above = self._game.upstream_of(name)
        return None if above is None else Upstream(name, above, self._broker, self._env_id)

    def principal_proposer(self, name: str) -> Proposer:
        """Return the proposer of a principal's commands, for a program that gives them in its place.

        Raises:
            NegoError: If the game has no such principal.
        """
        if name not in self._game.principals:
            raise NegoError(f"{self._game.name} has no principal {name!r}.")
        return self._proposers.issue(ProposerKind.PRINCIPAL, name)

    def assign_principal(
        self, name: str, assignment: SeatAssignment, executor_factory: ExecutorFactory = InlineExecutor
    ) -> PrincipalHost:
        """Have a plug-in decide for a principal of the game, with the timing in the game's file.

        Raises:
            NegoError: If the game has no such principal.
        """
        proposer = self.principal_proposer(name)
        host = PrincipalHost(
            name,
            session=self.session,
            proposer=proposer,
            scheduler=self.scheduler,
            timing=self._game.principals[name].timing,
            seed=self._seed,
            assignment=replace(assignment, fallback=None),
            executor_factory=executor_factory,
            report=self._report,
            broker=self._broker,
            env_id=self._env_id,
        )
        self._principals.append(host)
        self._bus.subscribe(host.on_event)
        return host

    def assign_assistants(
        self,
        assignments: Mapping[str, SeatAssignment],
        executor_of: Callable[[str], ExecutorFactory] = lambda _name: InlineExecutor,
    ) -> None:
        """Assign the plug-ins of the game's assistants; to be called before any seat is assigned.

        Args:
            assignments: The plug-in of each assistant, by its name.
            executor_of: Returns the factory of the executors of an assistant, by its name.
        """
        if not assignments:
            return
        pipeline = self._assistants = AssistantPipeline(self.scheduler, self.session.now)
        self._bus.subscribe(pipeline.on_event)
        for name, assignment in assignments.items():
            host = AssistantHost(
                self._game.assistants[name],
                session=self.session,
                proposer=self._proposers.issue(ProposerKind.ASSISTANT, name),
                assignment=assignment,
                executor_factory=executor_of(name),
                report=self._report,
                on_done=pipeline.on_done,
            )
            pipeline.add(host)

    def start(self) -> None:
        """Start the game and its timers."""
        self._schedule_timers(ticks=0, already_made=Counter())
        self.session.start()

    def resume(self, events: Sequence[Event], torn_bytes: int = 0) -> None:
        """Continue after the end of a log: state, agents and everything that is still to come.

        Args:
            events: The log's events; none: the game starts.
            torn_bytes: The number of bytes of a torn last line that were set aside.

        Raises:
            NegoError: If the log does not fit the rules, or its session is over.
        """
        if not events:
            self.start()
            return
        published_events = self.session.restore(events)
        if self.session.state.phase is not NEGOTIATING:
            raise NegoError("This session is over, so there is nothing to resume.")
        if self._assistants is not None:
            self._assistants.resume(published_events)
        waiting = [step for host in self._hosts for step in host.resume(published_events)]
        for step in sorted(waiting, key=lambda step: (step.decided_at, step.known_seq)):
            step.reschedule()
        for principal in self._principals:
            principal.resume(published_events)
        self._restore_timers(events)
        self.session.resume(torn_bytes)
        for host in self._hosts:
            host.complete_recovery()
        for principal in self._principals:
            principal.complete_recovery()
        if self._assistants is not None:
            self._assistants.commit_unlogged()

    def continue_with_others(
        self, events: Sequence[Event], observe: Callable[[PublishedEvent], object]
    ) -> None:
        """Continue after the first events of a log with agents that did not act in them.

        Each agent is asked about every event again, and its responder drops the answers.

        Args:
            events: The events, one at least; the session is not over with the last one.
            observe: Called with each event before the agents are asked about it.

        Raises:
            NegoError: If they do not fit the rules.
        """
        for published in self.session.restore(events):
            observe(published)
            for host in self._hosts:
                host.on_event(published)
        self._restore_timers(events)
        self.session.resume()

    def _restore_timers(self, events: Sequence[Event]) -> None:
        """Schedule what time alone makes happen after some events."""
        ticks = [event.t for event in events if event.type == EventType.TIME]
        deadline = self._game.rules.deadline_seconds
        self._deadline_tick_sent = deadline is not None and ticks[-1:] >= [round(deadline, 3)]
        self._schedule_timers(
            ticks=len(ticks), already_made=Counter(_announcement_key(event) for event in events)
        )

    def _schedule_timers(self, *, ticks: int, already_made: Counter[object]) -> None:
        """Schedule the deadline, the announcements that were not made yet, and the next tick of the clock."""
        rules = self._game.rules
        if rules.deadline_seconds is not None:
            self._timers.append(
                self.scheduler.call_at(rules.deadline_seconds, self._time_out, Priority.PLATFORM)
            )
        for announcement in sorted(self._game.announcements, key=lambda a: a.at_seconds):
            key = (announcement.type, announcement.to, json.dumps(announcement.data, sort_keys=True))
            if already_made[key] > 0:
                already_made[key] -= 1
                continue
            call = partial(self._announce, announcement)
            self._timers.append(self.scheduler.call_at(announcement.at_seconds, call, Priority.PLATFORM))
        self._schedule_tick((ticks + 1) * rules.time_tick_seconds)

    def run_one_due(self) -> bool:
        """Run the first call that is due by now; return whether there was one."""
        if self.finished or not self.scheduler.run_next(self._clock()):
            return False
        if self._closing:
            self._cut_short()
        return True

    def run_on(self, clock: VirtualClock, check: Callable[[], object] | None = None) -> None:
        """Run to the end on a virtual clock, which is advanced from call to call.

        Args:
            clock: The clock of the session.
            check: Called before each call; what it raises ends the run. None: nothing is.
        """
        scheduler = self.scheduler
        while not self.finished and (entry := scheduler.pop_next()) is not None:
            if check is not None:
                check()
            due, call = entry
            clock.advance_to(due)
            call()
            if self._closing:
                self._cut_short()

    def _cut_short(self) -> None:
        """Finish a session with an endless exchange in its closing: there is no game to abort."""
        if self.session.event_limit_exceeded:
            self.finish()

    def next_due(self) -> float | None:
        """Return the session time of the next call."""
        return None if self.finished else self.scheduler.next_due()

    def finish(self) -> None:
        """Finish the session: nothing is recorded from now on, and the log is closed."""
        if self.finished:
            return
        self.abandon()
        self._log.close()

    def abandon(self) -> None:
        """Finish the session where the log can no longer be closed."""
        self.finished = True
        self.scheduler.clear()
        self.session.close()
        for host in self._hosts:
            host.stop()
        for principal in self._principals:
            principal.stop()
        self._broker.clear()
        if self._assistants is not None:
            self._assistants.stop()

    def _on_published(self, published: PublishedEvent) -> None:
        if published.event.type != GAME_END:
            if self._keeps_time and published.state.phase is NEGOTIATING:
                self._schedule_mechanism()
            return
        self._closing = True
        for timer in self._timers:
            timer.cancel()
        if self._mechanism_timer is not None:
            self._mechanism_timer.cancel()
        at = closing_deadline(published.state)
        self.scheduler.call_at(at, lambda: self._close(at), Priority.PLATFORM)

    def _schedule_mechanism(self) -> None:
        """Have the mechanism asked when time alone makes something happen; that may move with every event."""
        state = self.session.state
        if state is self._timed_state:
            return  # published with an event before this one
        self._timed_state = state
        try:
            due = self.session.next_due()
        except Exception:  # noqa: BLE001 - asked again at once, it ends the session with a report
            due = self.session.now()
        if due is not None:
            due = round(due, 3)
        timer = self._mechanism_timer
        if timer is not None:
            if timer.pending and timer.when == due:
                return
            timer.cancel()
            self._mechanism_timer = None
        if due is not None:
            self._mechanism_timer = self.scheduler.call_at(due, self.session.fall_due, Priority.PLATFORM)

    def _close(self, at: float) -> None:
        """End the closing."""
        if self._on_closed is None:
            self.finish()
        else:
            self._on_closed(at)

    def _schedule_tick(self, t: float) -> None:
        deadline = self._game.rules.deadline_seconds
        if deadline is None or t < deadline:
            timer = self.scheduler.call_at(t, lambda: self._tick(t), Priority.PLATFORM)
            self._timers = [*(old for old in self._timers if old.pending), timer]

    def _tick(self, t: float) -> None:
        self.session.fall_due()
        if self.session.state.phase is NEGOTIATING:
            self._schedule_tick(t + self._game.rules.time_tick_seconds)
            self._record_tick()

    def _record_tick(self) -> None:
        with suppress(Refused):  # the rules fail at it, and the session has ended
            self.session.tick()

    def _announce(self, announcement: Announcement) -> None:
        if self.session.state.phase is NEGOTIATING:
            self.session.announce(announcement)

    def _time_out(self) -> None:
        self.session.fall_due()  # what falls due at the deadline itself still happens
        if self.session.state.phase is NEGOTIATING:
            if not self._deadline_tick_sent:
                self._record_tick()
            self.session.end(EndedBy.TIMEOUT)


def seat_rng(seed: int, seat: Seat) -> Random:
    """Return a seat's source of random numbers, at its beginning."""
    return Random(seat_seed(seed, seat))


def seat_seed(seed: int, seat: Seat) -> str:
    """Return the seed of a seat's random numbers in a game with a seed."""
    return f"{seed}/{seat}"


def _announcement_key(event: Event) -> object:
    """Return the key of an announcement that an event made or refused; None for any other event."""
    match event.payload:
        case Announced(data=data):
            return event.type, event.to, json.dumps(data, sort_keys=True)
        case Note(kind=NoteKind.ANNOUNCEMENT_REFUSED, data=data):
            return data.get("type"), tuple(data.get("to", ())), json.dumps(data.get("data"), sort_keys=True)
    return None


def run_session(
    runner: SessionRunner, clock: VirtualClock, check: Callable[[], object] | None = None
) -> None:
    """Run a session to its end on a virtual clock: no thread, no waiting.

    Args:
        runner: The session.
        clock: Its clock.
        check: Called before each step; what it raises ends the run. None: nothing is.
    """
    runner.start()
    runner.run_on(clock, check)
