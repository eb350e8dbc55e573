"""Supervisor of a seat: it passes inputs to the seat's agent, restarts it, and seats its fallback.

``core.agent_lifecycle`` has the phases and the table of transitions; the supervisor holds that value, the
inputs and the executor in use. A live session and a replay of a log use the same supervisor: the session
takes the restarts from ``AgentLifecycle.recovery``, the replay from the notes of the log.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from negoplatform.core.agent_lifecycle import (
    ENDED,
    AgentLifecycle,
    LifecycleEvent,
    logged_failure,
    transition,
)
from negoplatform.core.events import DecidedBy, Event, FailureKind
from negoplatform.domain.errors import NegoError
from negoplatform.domain.seat_map import Seat
from negoplatform.hosting.agent_runner import AgentRequest, AgentResponse, AgentRunner
from negoplatform.hosting.input_history import InputHistory
from negoplatform.hosting.responder import (
    AgentInput,
    FallbackAgent,
    LostResponder,
    Responder,
    ResponderFactory,
    SeatAssignment,
)
from negoplatform.hosting.responder_executors import (
    AgentExecutor,
    ExecutorFactory,
    InlineExecutor,
)


class SeatSupervisor:
    """Supervisor of one seat. Runs on the session's thread.

    Args:
        seat: The seat.
        assignment: The seat's agent, its budget and its fallback.
        executor_factory: Makes the executor of each responder.
        on_response: Called with every response of the agent that has the seat at the time, and with the
            session time of its request if it came at once, else None.
        replaying: Whether every input is kept; live, only those that a successor may need.
    """

    def __init__(
        self,
        seat: Seat,
        assignment: SeatAssignment,
        executor_factory: ExecutorFactory,
        on_response: Callable[[AgentResponse, float | None], None],
        *,
        replaying: bool = False,
    ) -> None:
        self.assignment = assignment
        self.lifecycle = AgentLifecycle(assignment.budget, assignment.fallback is not None)
        self.decided_by = DecidedBy.AGENT
        """The agent that decides for the seat now."""
        self.history = InputHistory()
        self.failed_response: AgentResponse | None = None
        """The response that is to be recovered from; None: there is none."""
        self._failed_request: AgentRequest | None = None
        self._seat = seat
        self._executor_factory = executor_factory
        self._on_response = on_response
        self._replaying = replaying
        self._executor: AgentExecutor | None = None
        self._generation = 0
        self._suspended = False
        # A responder that has no successor needs no history.
        self._records_inputs = replaying or assignment.budget.restarts > 0 or assignment.fallback is not None
        self.takes_events = self._records_inputs
        """Whether events that need no response are passed on, or kept for a successor."""

    @property
    def fallback(self) -> FallbackAgent:
        """The fallback agent."""
        if self.assignment.fallback is None:
            raise NegoError(f"Nobody stands by for the seat {self._seat!r}.")
        return self.assignment.fallback

    def start(self) -> None:
        """Start the seat's own agent; the first request does so otherwise."""
        self._start_executor(self.assignment.make, ())

    def restore(self, replayed: SeatSupervisor, responder: Responder) -> None:
        """Continue with the responder and in the state of a supervisor that replayed a log."""
        self.lifecycle, self.decided_by = replayed.lifecycle, replayed.decided_by
        self.history = replayed.history
        self.failed_response = replayed.failed_response
        self._failed_request = replayed._failed_request
        self._records_inputs = self._records_inputs and not self.lifecycle.is_fallback
        self._start_executor(lambda: responder, ())

    def submit(self, request: AgentRequest) -> None:
        """Put a request to the agent that has the seat."""
        if self.lifecycle.phase is ENDED:
            return
        if self._executor is None:
            self.start()
        if self._records_inputs:
            self.history.inputs.append(request)
        if self._executor is not None and not self._suspended:
            generation = self._generation
            response = self._executor.submit(request)
            if response is not None and generation == self._generation:  # as in _deliver_response
                if self._records_inputs:
                    self.history.mark_answered(request)
                self._on_response(response, request.now)

    def ignores(self, event: Event) -> bool:
        """Return whether the agent that has the seat need not be asked about an event."""
        executor = self._executor
        if not isinstance(executor, InlineExecutor) or self._suspended:
            return False
        responder = executor.responder
        return isinstance(responder, AgentRunner) and responder.ignores(event)

    def notify(self, event: Event) -> None:
        """Pass on an event that needs no response: the agent caused it itself, or ignores it."""
        if self.lifecycle.phase is ENDED:
            return
        if self._executor is None:
            self.start()  # where messages take their time, events come before the first request
        if self._records_inputs:
            self.history.inputs.append(event)
        executor = self._executor
        if executor is not None and not self._suspended:
            executor.notify(event)

    def record_failure(self, response: AgentResponse, kind: FailureKind) -> bool:
        """Count a failure that the log now holds; return whether this one requires a recovery."""
        if kind is FailureKind.MEMBER:
            return False  # the team goes on without it
        self.lifecycle = transition(self.lifecycle, logged_failure(lost=response.lost))
        if response.lost:
            self.history.mark_lost(response.request)
        elif not self.lifecycle.is_out_of_strikes:
            return False
        self.failed_response = response
        # A response that could not be acted on was a response: the fallback is not asked again.
        self._failed_request = None if kind is FailureKind.ACT else response.request
        return True

    def record_unmatched_failure(self) -> None:
        """Count a failure that the log holds without a request of this agent."""
        self.lifecycle = transition(self.lifecycle, logged_failure(lost=False))

    def suspend_lost(self, response: AgentResponse) -> None:
        """Suspend the seat after a loss that the log does not hold yet."""
        self.lifecycle = transition(self.lifecycle, LifecycleEvent.RESPONDER_LOST)
        self.failed_response = response
        self.history.mark_lost(response.request)
        self._suspend()

    def abandon(self, reason: str) -> None:
        """End the responder and suspend the seat.

        Args:
            reason: The failure that further requests would be answered with, in a sentence.
        """
        self._start_executor(lambda: LostResponder(reason), ())
        self._suspend()

    def restart(self) -> None:
        """Replace the responder by a fresh one of the same agent."""
        self.lifecycle = transition(self.lifecycle, LifecycleEvent.RESTARTED)
        self._replace_responder(self.assignment.make, *self.history.split_for_restart())

    def seat_fallback(self) -> None:
        """Replace the responder by the fallback's, which answers the request that the agent failed at."""
        self.lifecycle = transition(self.lifecycle, LifecycleEvent.FALLBACK_SEATED)
        self.decided_by = DecidedBy.FALLBACK
        past, rest = self.history.split_for_fallback(self._failed_request)
        self._records_inputs = self._replaying
        self._replace_responder(self.fallback.make, past, rest)
        if not self._records_inputs:
            self.history.clear()

    def stop(self) -> None:
        """Stop the agent for good."""
        self.lifecycle = transition(self.lifecycle, LifecycleEvent.STOPPED)
        self._generation += 1
        if self._executor is not None:
            self._executor.stop()

    def _suspend(self) -> None:
        """Only record inputs, until a restart or a replacement."""
        self._generation += 1
        self._suspended = True

    def _replace_responder(
        self, make: ResponderFactory, past: Sequence[AgentInput], rest: Sequence[AgentInput]
    ) -> None:
        self.failed_response = None
        self._start_executor(make, past)
        generation = self._generation
        for item in rest:
            if self._executor is None or self._generation != generation:
                return  # this responder failed too; the rest is its successor's
            if isinstance(item, AgentRequest):
                response = self._executor.submit(item)
                if response is not None:
                    self._deliver_response(generation, response)
            else:
                self._executor.notify(item)

    def _start_executor(self, make: ResponderFactory, past: Sequence[AgentInput]) -> None:
        if self.lifecycle.phase is ENDED:
            return
        if self._executor is not None:
            self._executor.stop()
        # Responses of the previous responder are dropped from now on.
        self._generation += 1
        self._suspended = False
        self._executor = self._executor_factory(make, partial(self._deliver_response, self._generation), past)
        self.takes_events = True
        if isinstance(self._executor, InlineExecutor):
            responder = self._executor.responder
            # The next request to an agent in this process brings the state with it.
            self.takes_events = self._records_inputs or type(responder) is not AgentRunner

    def _deliver_response(self, generation: int, response: AgentResponse) -> None:
        if generation != self._generation:
            return
        if self._records_inputs:
            self.history.mark_answered(response.request)
        self._on_response(response, None)
