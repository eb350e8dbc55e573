"""Host of one principal: ticks go out to it, and its commands come back as proposals.

A tick begins every ``tick_interval``. The request for an observation reaches the platform ``msg_delay``
later, and the answer the principal as long after that: then it is asked, with the view of the moment in
between. Its commands take effect ``act_delay`` after that. The arrival of each answer is a note in the log,
and so is that of a request which takes its time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy

from negoplatform.core.agent_lifecycle import AgentPhase, RecoveryAction
from negoplatform.core.broker import GET_INFO, GET_OBS_RESPONSE, MessageBroker, MessageType
from negoplatform.core.bus import PublishedEvent
from negoplatform.core.events import GAME_END, GAME_START, Event, FailureKind
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.record.notes_and_tasks_proposals import Proposer
from negoplatform.core.scheduler import Scheduler
from negoplatform.core.session import ActionOrigin, Session
from negoplatform.core.state import NEGOTIATING
from negoplatform.core.visibility import ViewProjector, observer_of, visible_game
from negoplatform.domain.command_settings import PrincipalTiming
from negoplatform.domain.errors import NegoError, Refused
from negoplatform.domain.seat_map import PLATFORM
from negoplatform.formats.sent_commands import SentCommand
from negoplatform.hosting.agent_runner import TICK, AgentRequest, AgentResponse, failure_response
from negoplatform.hosting.command.chain import Upstream, note_taken
from negoplatform.hosting.command.event_scheduler import (
    Delays,
    EventScheduler,
    ScheduledEntry,
    ScheduledKind,
    drawn_delays,
)
from negoplatform.hosting.principals.platform_requests import PlatformRequests
from negoplatform.hosting.principals.principal_replay import (
    PrincipalReplay,
    SeenState,
    TickDecision,
    decided_forms,
    take_until,
)
from negoplatform.hosting.responder import SeatAssignment, event_for_agent
from negoplatform.hosting.responder_executors import ExecutorFactory
from negoplatform.hosting.seat_supervisor import SeatSupervisor


class PrincipalHost:
    """Host of a principal. Runs on the session's thread.

    Args:
        name: The principal.
        session: The session.
        proposer: The proposer of its commands.
        scheduler: The session's scheduler.
        timing: Its timing.
        seed: The session's seed, from which its jitter is drawn.
        assignment: Its plug-in; without a fallback.
        executor_factory: Makes the executor of its responder.
        report: Called with an error of the plug-in, for the crash file.
        broker: The session's broker.
        env_id: The session's id.
    """

    def __init__(
        self,
        name: str,
        *,
        session: Session,
        proposer: Proposer,
        scheduler: Scheduler,
        timing: PrincipalTiming,
        seed: int,
        assignment: SeatAssignment,
        executor_factory: ExecutorFactory,
        report: Callable[[BaseException], object],
        broker: MessageBroker,
        env_id: str,
    ) -> None:
        self._name = name
        self._session = session
        self._timing = timing
        self._seed = seed
        self._report = report
        self._game = session.state.game
        self._observer = observer_of(self._game, name)
        self._projector = ViewProjector(self._observer, deepcopy(visible_game(self._game, self._observer)))
        self._requests = PlatformRequests(session, broker, env_id)
        self._requests.attach(name, proposer)
        self._upstream = Upstream(name, self._game.upstream_of(name), broker, env_id)
        self._entries = EventScheduler(scheduler, session.now)
        self._entries.attach(name, self._on_entry, timing)
        self._entries.attach(PLATFORM, self._deliver_request)
        self._supervisor = SeatSupervisor(name, assignment, executor_factory, self._on_response)
        self._started_at = 0.0
        self._tick_number = self._given = 0
        self._latest_request = self._latest_answer = 0.0
        self._seen: dict[int, SeenState] = {}
        self._untold: list[Event] = []
        self._asked: dict[int, int] = {}
        """The number of the tick by the number of the note of its answer."""
        self._decisions: dict[int, TickDecision] = {}
        self._unnoted: list[tuple[int, SentCommand]] = []

    def on_event(self, published: PublishedEvent) -> None:
        """Take an event into account; the principal is told it with the next view that holds it."""
        event = published.event
        seen = event_for_agent(self._observer, published.public)
        if seen is not None:
            self._untold.append(seen)
        if event.type == GAME_START:
            self._started_at = event.t
            self._schedule_tick(1)
        elif event.type == GAME_END:
            self._entries.reset()

    def stop(self) -> None:
        """Stop the plug-in."""
        self._supervisor.stop()

    # Entries of the scheduler

    def _on_entry(self, entry: ScheduledEntry) -> None:
        if self._session.state.phase is not NEGOTIATING:
            return
        match entry.kind:
            case ScheduledKind.AGENT_TICK:
                self._tick(self._tick_number + 1)
            case ScheduledKind.MESSAGE_DELIVERY:
                self._deliver_answer(entry.payload["message"][GET_OBS_RESPONSE]["number"])
            case ScheduledKind.ACTION_EFFECT:
                self._give(self._decisions.pop(entry.payload["number"]))
            case ScheduledKind.SIMULATION:
                self._session.fall_due()

    def _due_of(self, number: int) -> float:
        return round(self._started_at + (number - 1) * self._timing.tick_interval, 3)

    def _schedule_tick(self, number: int) -> None:
        self._entries.schedule_agent_tick(self._name, self._due_of(number) - self._entries.current_time)

    def _delays(self, number: int) -> Delays:
        timing = self._timing
        source = f"{self._seed}/{self._name}/jitter/{number}"
        return drawn_delays(timing.msg_delay, timing.act_delay, timing.jitter, source)

    def _tick(self, number: int) -> None:
        """Begin a tick: send the request for an observation, and schedule the next tick."""
        self._send_request(number)
        if self._timing.wait_interval:
            self._entries.schedule_simulation(self._name)
        self._schedule_tick(number + 1)

    def _send_request(self, number: int) -> None:
        self._tick_number = number
        due = max(self._due_of(number) + self._delays(number).request, self._latest_request)
        self._latest_request = due
        message = {"get_info": "obs", "number": number}
        self._requests.send(MessageType.INFO, self._name, PLATFORM, message)
        self._entries.schedule_message_delivery(
            self._name, PLATFORM, message, due - self._entries.current_time
        )

    def _deliver_request(self, entry: ScheduledEntry) -> None:
        """Answer a request with the view of this moment."""
        if self._session.state.phase is not NEGOTIATING:
            return
        number = entry.payload["message"]["number"]
        if self._delays(number).request and self._note(GET_INFO, number, None) is None:
            return
        self._requests.answer_questions(self._name)
        self._seen[number] = SeenState(self._session.state, self._session.now())
        self._schedule_answer(number)

    def _schedule_answer(self, number: int) -> None:
        due = max(self._seen[number].t + self._delays(number).answer, self._latest_answer)
        self._latest_answer = due
        message = {GET_OBS_RESPONSE: {"number": number}}
        delay = due - self._entries.current_time
        self._entries.schedule_message_delivery(PLATFORM, self._name, message, delay)

    def _deliver_answer(self, number: int) -> None:
        """Ask the principal, unless a command from above takes the place of its decision."""
        seen = self._seen.pop(number)
        is_delayed = bool(self._delays(number).request)
        noted = self._note(GET_OBS_RESPONSE, number, seen.state.version if is_delayed else None)
        if noted is None:
            return
        self._requests.take_answers(self._name)
        # Without delays nothing is noted at the platform, so the note of the answer names the view.
        state = seen.state if is_delayed else self._session.state
        for event in take_until(self._untold, state.version):
            self._supervisor.notify(event)
        command = self._upstream.take()
        if command is not None:
            note_taken(self._session, self._name, noted.seq, command)
            self._decide(TickDecision(number, command.seq, noted.t, list(command.forms)))
            return
        self._asked[noted.seq] = number
        view = self._projector.view(state._replace(t=seen.t if is_delayed else noted.t))
        self._supervisor.submit(AgentRequest(view, noted.t, noted.redacted(), TICK))

    def _note(self, message: str, number: int, cause: int | None) -> Event | None:
        sender, recipient = (self._name, PLATFORM) if message == GET_INFO else (PLATFORM, self._name)
        try:
            return self._session.note(
                NoteKind.MESSAGE_DELIVERED,
                cause,
                message=message,
                sender=sender,
                recipient=recipient,
                number=number,
            )
        except Refused:
            return None

    # Decisions

    def _on_response(self, response: AgentResponse, decided_at: float | None = None) -> None:  # noqa: ARG002 - the note has it
        request = response.request
        number = self._asked.pop(request.stimulus.seq)
        if response.failure:
            self._record_failure(response, response.failure_kind)
        try:
            forms = decided_forms(response, self._name, self._game)
        except NegoError as error:
            self._record_failure(failure_response(request, error), FailureKind.FAILED)
            return
        self._decide(TickDecision(number, request.stimulus.seq, request.now, forms))

    def _decide(self, decision: TickDecision) -> None:
        """Schedule the effect of a decision."""
        if not decision.forms or self._session.state.phase is not NEGOTIATING:
            return
        self._decisions[decision.number] = decision
        due = decision.asked_at + self._delays(decision.number).effect
        delay = due - self._entries.current_time
        self._entries.schedule_action_effect(self._name, delay, {"number": decision.number})

    def _give(self, decision: TickDecision) -> None:
        """Propose the commands of a decision."""
        origin = ActionOrigin(decided_by=None, cause=decision.cause, decided_at=decision.asked_at)
        for form in decision.forms:
            if self._session.state.phase is not NEGOTIATING:
                return
            self._given += 1
            body = {"commands": {self._name: {str(self._given): dict(form)}}}
            version = self._session.state.record.version
            update = {"set_state": "local", "body": body, "base_version": version}
            try:
                self._requests.send(MessageType.STATE_UPDATE, self._name, PLATFORM, update)
            except NegoError as error:
                self._report(error)
                continue
            self._requests.take_proposals(self._name, origin)

    # Failures, and resumption

    def _record_failure(self, response: AgentResponse, kind: FailureKind) -> None:
        if response.error is not None:
            self._report(response.error)
        try:
            self._session.record_agent_failure(
                self._name, response.failure, kind, cause=response.request.stimulus.seq
            )
        except Refused:
            return
        if self._supervisor.record_failure(response, kind):
            self._recover()

    def _recover(self) -> None:
        """Restart the plug-in, or ask it no more; the session goes on without it."""
        if self._session.state.phase is not NEGOTIATING:
            return
        if self._supervisor.lifecycle.recovery is RecoveryAction.RESTART:
            times = self._supervisor.lifecycle.restarts + 1
            self._session.note(NoteKind.AGENT_RESTARTED, seat=self._name, times=times)
            self._supervisor.restart()
            return
        self._entries.reset()
        self._supervisor.stop()

    def resume(self, published_events: Sequence[PublishedEvent]) -> None:
        """Go on in a session that was interrupted: a fresh plug-in is given its past requests again."""
        replayed = PrincipalReplay(self._name, self._game, self._supervisor.assignment, self._projector)
        for published in published_events:
            replayed.apply_event(published)
        self._supervisor.restore(replayed.supervisor, replayed.responder)
        self._upstream.restore(replayed.upstream.waiting)
        self._unnoted = replayed.upstream.unnoted
        self._given, self._tick_number = replayed.given, replayed.ticks
        self._untold, self._seen = replayed.untold, dict(replayed.seen)
        if replayed.started_at is None or self._supervisor.lifecycle.phase is AgentPhase.ENDED:
            return
        self._started_at = replayed.started_at
        for decision in replayed.decisions:
            self._decide(decision)
        for number in self._seen:
            self._schedule_answer(number)
        while self._due_of(self._tick_number + 1) <= self._session.now():
            self._send_request(self._tick_number + 1)
        self._schedule_tick(self._tick_number + 1)

    def complete_recovery(self) -> None:
        """Record the failure that the log of a resumed session lacks, or make the recovery that it lacks."""
        while self._unnoted:
            note_taken(self._session, self._name, *self._unnoted.pop(0))
        failed, phase = self._supervisor.failed_response, self._supervisor.lifecycle.phase
        if failed is not None and phase is AgentPhase.LOST:
            self._record_failure(failed, FailureKind.LOST)
        elif failed is not None and phase is AgentPhase.FAILED:
            self._recover()
