"""Hosts of the assistants of a session, and the order in which they are asked."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import deepcopy
from typing import Any, NamedTuple

from negoplatform.agent_api.actions import ProposeChange
from negoplatform.agent_api.assistant_requests import asked_kinds, changes_record
from negoplatform.core.agent_lifecycle import ENDED, AgentPhase, RecoveryAction
from negoplatform.core.bus import PublishedEvent
from negoplatform.core.events import GAME_END, Event
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.record.notes_and_tasks_proposals import Proposer
from negoplatform.core.scheduler import Scheduler, TimerHandle
from negoplatform.core.session import ActionOrigin, Session
from negoplatform.core.state import NEGOTIATING, State
from negoplatform.core.visibility import ViewProjector, observer_of, visible_game
from negoplatform.domain.assistant_settings import AssistantKind, AssistantSpec
from negoplatform.domain.errors import NegoError, Refused
from negoplatform.hosting.agent_runner import AgentRequest, AgentResponse
from negoplatform.hosting.assistants.assistant_replay import AssistantReplay, checked_response
from negoplatform.hosting.responder import SeatAssignment, event_for_agent
from negoplatform.hosting.responder_executors import ExecutorFactory
from negoplatform.hosting.seat_supervisor import SeatSupervisor

LONGEST_HOLD_SECONDS = 2.0
"""Longest time (s) for which the agents wait for the answer of an assistant to an event."""


class _Input(NamedTuple):
    """Event for an assistant, in its turn.

    Args:
        host: The assistant's host.
        seen: The event as the assistant may see it.
        state: The state right after it.
        is_request: Whether the assistant is asked; otherwise it is only told the event.
    """

    host: AssistantHost
    seen: Event
    state: State
    is_request: bool


class AssistantHost:
    """Host of one assistant. Runs on the session's thread.

    Args:
        spec: The assistant, with its kind and its seat.
        session: The session.
        proposer: The proposer of its changes of the record.
        assignment: Its plug-in and its budget; nothing follows it when it fails.
        executor_factory: Makes the executor of each responder.
        report: Called with its errors, for the crash file.
        on_done: Called when a request is answered and its answer committed.
    """

    def __init__(
        self,
        spec: AssistantSpec,
        *,
        session: Session,
        proposer: Proposer,
        assignment: SeatAssignment,
        executor_factory: ExecutorFactory,
        report: Callable[[BaseException], object],
        on_done: Callable[[], object],
    ) -> None:
        if spec.kind is None:
            raise NegoError(f"The assistant {spec.name!r} has no kind yet: its plug-in decides that.")
        game = session.state.game
        self.name, self.kind = spec.name, spec.kind
        self.observer = observer_of(game, spec.name)
        self.unlogged: tuple[AgentResponse, ...] = ()
        """The answers that the log of a resumed session lacks."""
        # A copy: nothing that an assistant does to it, by whatever trick, changes the session's.
        self._projector = ViewProjector(self.observer, deepcopy(visible_game(game, self.observer)))
        self._session = session
        self._proposer = proposer
        self._report = report
        self._on_done = on_done
        self._supervisor = SeatSupervisor(
            spec.name, SeatAssignment(assignment.make, assignment.budget), executor_factory, self._on_response
        )

    @property
    def is_asked(self) -> bool:
        """Whether it still answers: after its last failure it is not asked any more."""
        return self._supervisor.lifecycle.phase is not ENDED

    @property
    def takes_events(self) -> bool:
        """Whether it is told the events that it is not asked about."""
        return self.is_asked and self._supervisor.takes_events

    def submit(self, seen: Event, state: State) -> None:
        """Ask it about an event, in the state right after the event."""
        self._supervisor.submit(AgentRequest(self._projector.view(state), seen.t, seen))

    def notify(self, seen: Event) -> None:
        """Tell it an event."""
        self._supervisor.notify(seen)

    def stop(self) -> None:
        """Stop the assistant."""
        self._supervisor.stop()

    def resume(self, published_events: Iterable[PublishedEvent]) -> None:
        """Continue after the events of a log: a fresh assistant is given its past requests again."""
        replayed = AssistantReplay(self.name, self._supervisor.assignment, self._projector)
        for published in published_events:
            replayed.apply_event(published)
        self._supervisor.restore(replayed.supervisor, replayed.responder)
        self.unlogged = replayed.unlogged_responses()

    def commit(self, response: AgentResponse) -> None:
        """Propose the changes of a response; the session records its verdict."""
        origin = ActionOrigin(None, response.request.stimulus.seq)
        for updates in _proposed_updates(response):
            record = self._session.state.record
            if not changes_record(record, updates):
                continue
            try:
                self._session.propose_change(self._proposer, updates, record.version, origin)
            except Refused:
                continue  # the log has the reason, or the session is over

    def complete_recovery(self) -> None:
        """Record the failure that the log of a resumed session lacks, or make the recovery that it lacks."""
        failed = self._supervisor.failed_response
        if self._supervisor.lifecycle.phase is AgentPhase.LOST and failed is not None:
            self._record_failure(failed)
        elif self._supervisor.lifecycle.phase is AgentPhase.FAILED:
            self._recover()

    def _on_response(self, response: AgentResponse, decided_at: float | None = None) -> None:  # noqa: ARG002 - as hosts of seats are called
        response = checked_response(response)
        if response.failure:
            self._record_failure(response)
        self.commit(response)
        self._on_done()

    def _record_failure(self, response: AgentResponse) -> None:
        """Record a failure; it never ends the session."""
        if response.error is not None:
            self._report(response.error)
        kind = response.failure_kind
        try:
            self._session.record_agent_failure(
                self.name, response.failure, kind, cause=response.request.stimulus.seq
            )
        except Refused:
            return  # after the closing
        if self._supervisor.record_failure(response, kind):
            self._recover()

    def _recover(self) -> None:
        """Restart the assistant while its budget allows that, and else stop it."""
        if self._supervisor.lifecycle.recovery is not RecoveryAction.RESTART:
            self._supervisor.stop()
        elif self._session.state.phase is NEGOTIATING:
            times = self._supervisor.lifecycle.restarts + 1
            self._session.note(NoteKind.AGENT_RESTARTED, seat=self.name, times=times)
            self._supervisor.restart()


def _proposed_updates(response: AgentResponse) -> Iterator[Mapping[str, Any]]:
    """Yield the updates that a response proposes, in order."""
    for step in response.steps:
        if isinstance(step, ProposeChange):
            yield step.updates


class AssistantPipeline:
    """Assistants of a session, asked one after the other; agents get each event through it.

    Only one request is open at any time, and each answer is committed before the next request. The agents
    wait for the agenda, but not for long, and never for the end of the game.

    Args:
        scheduler: The scheduler, for the longest wait.
        now: Returns the session time in seconds.
    """

    def __init__(self, scheduler: Scheduler, now: Callable[[], float]) -> None:
        self._scheduler = scheduler
        self._now = now
        self._hosts: list[AssistantHost] = []
        self._agents: list[Callable[[PublishedEvent], None]] = []
        self._inputs: deque[_Input] = deque()
        self._held: deque[PublishedEvent] = deque()
        self._timer: TimerHandle | None = None
        self._past_kinds: dict[int, tuple[AssistantKind, ...]] = {}
        self._is_open = False
        self._is_advancing = False

    def add(self, host: AssistantHost) -> None:
        """Add an assistant; those of one kind are asked in the order in which they were added."""
        self._hosts.append(host)

    def subscribe_agent(self, on_event: Callable[[PublishedEvent], None]) -> None:
        """Pass every event from now on to the host of an agent."""
        self._agents.append(on_event)

    def on_event(self, published: PublishedEvent) -> None:
        """Ask the assistants about an event, and pass it on to the agents."""
        kinds = asked_kinds(published.event, published.state)
        # In this order the assistants are asked; those that are only told the event come last.
        ranks = {kind: rank for rank, kind in enumerate(kinds)}
        for host in sorted(self._hosts, key=lambda host: ranks.get(host.kind, len(kinds))):
            self._add_input(host, published, is_request=host.kind in kinds)
        self._held.append(published)
        self._advance()
        if published.event.type == GAME_END:
            self._release()
        else:
            self._release_or_wait()

    def _add_input(self, host: AssistantHost, published: PublishedEvent, *, is_request: bool) -> None:
        if not (host.is_asked if is_request else host.takes_events):
            return
        seen = event_for_agent(host.observer, published.public)
        if seen is not None:
            self._inputs.append(_Input(host, seen, published.state, is_request))

    def _advance(self) -> None:
        """Work through the inputs until a request waits for its answer."""
        if self._is_advancing:
            return
        self._is_advancing = True
        try:
            while self._inputs and not self._is_open:
                host, seen, state, is_request = self._inputs.popleft()
                if not is_request:
                    host.notify(seen)
                elif host.is_asked:
                    self._is_open = True
                    host.submit(seen, state)
        finally:
            self._is_advancing = False

    def on_done(self) -> None:
        """Go on after an answer."""
        self._is_open = False
        self._advance()
        if not self._is_waited_for:
            self._release()

    @property
    def _is_waited_for(self) -> bool:
        """Whether an agenda has still to answer."""
        return self._is_open or any(
            one.is_request and one.host.kind is AssistantKind.AGENDA for one in self._inputs
        )

    def _release_or_wait(self) -> None:
        if not self._is_waited_for:
            self._release()
        elif self._timer is None:
            due = self._now() + LONGEST_HOLD_SECONDS
            self._timer = self._scheduler.call_at(due, self._release)

    def _release(self) -> None:
        """Pass the events that were held on to the agents."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        while self._held:
            published = self._held.popleft()
            for on_event in self._agents:
                on_event(published)

    def resume(self, published_events: Iterable[PublishedEvent]) -> None:
        """Continue after the events of a log."""
        events = tuple(published_events)
        self._past_kinds = {event.seq: asked_kinds(event, state) for event, _, state in events}
        for host in self._hosts:
            host.resume(events)

    def commit_unlogged(self) -> None:
        """Commit the answers that the log of a resumed session lacks, in the order of the requests."""
        waiting = []
        for host in self._hosts:
            for response in host.unlogged:
                seq = response.request.stimulus.seq
                waiting.append((seq, self._past_kinds[seq].index(host.kind), host, response))
            host.unlogged = ()
        for _, _, host, response in sorted(waiting, key=lambda each: each[:2]):
            host.commit(response)
        for host in self._hosts:
            host.complete_recovery()

    def stop(self) -> None:
        """Stop all assistants."""
        self._inputs.clear()
        for host in self._hosts:
            host.stop()
