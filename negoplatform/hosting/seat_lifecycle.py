"""Who answers for a seat now, and who follows when they cannot go on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial

from negoplatform.core.events import DecidedBy, Event, FailureKind
from negoplatform.domain.errors import NegoError
from negoplatform.domain.seat import Seat
from negoplatform.hosting.agent_runner import AgentRequest, AgentResponse
from negoplatform.hosting.executor import AgentExecutor, ExecutorFactory, ResponseCallback
from negoplatform.hosting.responder import (
    AgentInput,
    FallbackAgent,
    Responder,
    ResponderFactory,
    SeatAssignment,
    without_callbacks,
    without_lost_requests,
)


class RecoveryAction(Enum):
    """What follows when an agent cannot go on."""

    RESTART = auto()
    FALLBACK = auto()
    END = auto()


@dataclass(frozen=True, slots=True)
class SeatSnapshot:
    """How a seat is held at one moment.

    Args:
        responder: Who answers.
        inputs: What it has heard.
        lost_requests: The questions among that at which a mind of the seat was lost.
        pending: What was asked since it was lost, and nobody has heard yet.
        strikes: Its failures since it was made.
        restarts: How often the seat's own agent was restarted.
        is_fallback: Whether it is the understudy.
        acknowledged: How much of ``heard`` the log holds an answer to, or to something later.
        failed_response: The answer with which it was lost, if nothing followed yet.
        recorded_kind: What became of that answer, if its failure stands in the log.
    """

    responder: Responder
    inputs: Sequence[AgentInput] = ()
    lost_requests: Sequence[AgentRequest] = ()
    pending: Sequence[AgentInput] = ()
    strikes: int = 0
    restarts: int = 0
    is_fallback: bool = False
    acknowledged: int = 0
    failed_response: AgentResponse | None = None
    recorded_kind: FailureKind | None = None


class SeatSupervisor:
    """Who answers for a seat. Lives on the table's thread.

    Args:
        seat: The seat.
        assignment: Who holds it, what it may take, and who follows.
        runner: Makes what asks a mind.
        take: Is given every answer of the one who holds the seat at the time.
    """

    def __init__(
        self,
        seat: Seat,
        assignment: SeatAssignment,
        executor_factory: ExecutorFactory,
        on_response: ResponseCallback,
    ) -> None:
        self.assignment = assignment
        self.restarts = 0
        self._seat = seat
        self._executor_factory = executor_factory
        self._on_response = on_response
        self._executor: AgentExecutor | None = None
        self._generation = 0
        self._strikes = 0
        self._is_fallback = False
        # A mind that nobody will make again needs no memory of what it heard.
        self._records_inputs = assignment.budget.restarts > 0 or assignment.fallback is not None
        self._inputs: list[AgentInput] = []
        self._lost_requests: list[AgentRequest] = []
        self._answered_count = self._acknowledged = 0
        self._stopped = False

    @property
    def decided_by(self) -> DecidedBy:
        """Who decides what the seat does now."""
        return DecidedBy.FALLBACK if self._is_fallback else DecidedBy.AGENT

    @property
    def fallback(self) -> FallbackAgent:
        """Who takes over in the end."""
        if self.assignment.fallback is None:
            raise NegoError(f"Nobody stands by for the seat {self._seat!r}.")
        return self.assignment.fallback

    def restore(self, snapshot: SeatSnapshot) -> None:
        """Goes on as a seat was held before."""
        self._strikes, self.restarts = snapshot.strikes, snapshot.restarts
        self._is_fallback = snapshot.is_fallback
        self._records_inputs = self._records_inputs and not snapshot.is_fallback
        self._inputs, self._lost_requests = (
            [*snapshot.inputs, *snapshot.pending],
            list(snapshot.lost_requests),
        )
        self._answered_count, self._acknowledged = len(snapshot.inputs), snapshot.acknowledged
        self._start_executor(lambda: snapshot.responder, ())

    def submit(self, request: AgentRequest) -> None:
        """Puts a question to the one who holds the seat."""
        if self._stopped:
            return
        if self._executor is None:
            self._start_executor(self.assignment.make, ())
        if self._records_inputs:
            self._inputs.append(request)
        if self._executor is not None:
            self._executor.submit(request)

    def notify(self, event: Event) -> None:
        """Tells the one who holds the seat what it did itself."""
        if self._stopped:
            return
        if self._records_inputs:
            self._inputs.append(event)
        if self._executor is not None:
            self._executor.notify(event)

    def record_failure(self, response: AgentResponse) -> bool:
        """Counts a failure; whether this mind may no longer hold the seat."""
        self._strikes += 1
        return response.lost or self._strikes >= self.assignment.budget.strikes

    def next_action(self) -> RecoveryAction:
        """What follows when the one who holds the seat cannot go on."""
        if self._is_fallback:
            return RecoveryAction.END
        if self.restarts < self.assignment.budget.restarts:
            return RecoveryAction.RESTART
        return RecoveryAction.END if self.assignment.fallback is None else RecoveryAction.FALLBACK

    def restart(self, lost_request: AgentRequest | None = None) -> None:
        """A fresh mind of the same agent hears again what was answered, and is asked what was not.

        Args:
            lost_request: The question at which the last mind was lost, if it was; nobody asks it again.
        """
        self.restarts += 1
        self._strikes = 0
        if lost_request is not None:
            self._lost_requests.append(lost_request)
        self._replace_responder(self.assignment.make, self._lost_requests)

    def seat_fallback(self, unanswered: AgentRequest | None) -> None:
        """The understudy hears what was heard, and answers what the agent could not.

        Args:
            unanswered: The question that the agent failed at; None: it had answered, and failed at acting so.
        """
        self._strikes = 0
        self._is_fallback = True
        for i, heard in enumerate(self._inputs):
            if heard is unanswered:
                self._answered_count = max(i, self._acknowledged)
        past, rest = self._inputs[: self._answered_count], self._inputs[self._answered_count :]
        # The callbacks were the agent's own.
        self._answered_count = len(without_callbacks(past))
        self._inputs = [*without_callbacks(past), *without_callbacks(rest)]
        self._replace_responder(self.fallback.make, ())
        self._records_inputs = False
        self._inputs.clear()

    def stop(self) -> None:
        """Ends the one who holds the seat; nobody follows."""
        self._stopped = True
        self._generation += 1
        if self._executor is not None:
            self._executor.stop()

    def _replace_responder(self, make: ResponderFactory, lost_at: Sequence[AgentRequest]) -> None:
        past = without_lost_requests(self._inputs[: self._answered_count], lost_at)
        rest = self._inputs[self._answered_count :]
        self._start_executor(make, past)
        generation = self._generation
        for heard in rest:
            if self._executor is None or self._generation != generation:
                return  # it, too, could not go on, and whoever followed was told the rest
            if isinstance(heard, AgentRequest):
                self._executor.submit(heard)
            else:
                self._executor.notify(heard)

    def _start_executor(self, make: ResponderFactory, past: Sequence[AgentInput]) -> None:
        if self._stopped:
            return
        if self._executor is not None:
            self._executor.stop()
        # What the one before still has to say is no longer wanted.
        self._generation += 1
        self._executor = self._executor_factory(make, partial(self._deliver_response, self._generation), past)

    def _deliver_response(self, generation: int, answer: AgentResponse) -> None:
        if generation != self._generation:
            return
        if self._records_inputs:
            while self._inputs[self._answered_count] is not answer.request:
                self._answered_count += 1
            self._answered_count += 1
        self._on_response(answer)
