"""Host of the agent that advises the person in a seat."""

from __future__ import annotations

from collections.abc import Callable

from negoplatform.core.agent_lifecycle import RecoveryAction
from negoplatform.core.bus import PublishedEvent
from negoplatform.core.record.notes_and_tasks_proposals import Proposer
from negoplatform.core.scheduler import Scheduler
from negoplatform.core.session import Session
from negoplatform.domain.seat_map import Seat
from negoplatform.hosting.advice import AdviceControl, advised_steps
from negoplatform.hosting.agent_host import AgentHost
from negoplatform.hosting.agent_replay import AgentReplay
from negoplatform.hosting.agent_runner import AgentResponse, ScheduledCall, ScriptStep
from negoplatform.hosting.agent_script_timing import AgentTiming
from negoplatform.hosting.responder import SeatAssignment
from negoplatform.hosting.responder_executors import ExecutorFactory

ADVISER_MARK = {"adviser": True}
"""Data of notes about an adviser, which tell them from notes about an agent that takes the same seat."""


class AdviserHost(AgentHost):
    """Host of an adviser. It sees what the person sees; its scripts become advice and are never performed.

    Its failures end nothing: after those that its budget allows it is no longer asked.

    Args:
        seat: The person's seat.
        session: The session.
        proposer: The proposer of the seat; nothing is proposed for the adviser.
        scheduler: The scheduler, for the adviser's callbacks.
        timing: Timing of its scripts.
        assignment: The adviser and its budget.
        executor_factory: Makes the executor of each responder.
        report: Called with an error of the adviser, for the crash file.
    """

    note_marks = ADVISER_MARK

    def __init__(
        self,
        seat: Seat,
        *,
        session: Session,
        proposer: Proposer,
        scheduler: Scheduler,
        timing: AgentTiming,
        assignment: SeatAssignment,
        executor_factory: ExecutorFactory,
        report: Callable[[BaseException], object],
    ) -> None:
        super().__init__(
            seat,
            session=session,
            proposer=proposer,
            scheduler=scheduler,
            timing=timing,
            assignment=SeatAssignment(assignment.make, assignment.budget),
            executor_factory=executor_factory,
            report=report,
        )
        self._performs_all = False
        self.advice = AdviceControl(seat, session)
        self.has_stopped = False
        """Whether the adviser is no longer asked."""
        self._unlogged: tuple[AgentResponse, tuple[ScriptStep, ...]] | None = None

    @property
    def seat(self) -> Seat:
        """The person's seat."""
        return self._seat

    def on_event(self, published: PublishedEvent) -> None:
        """Put an event to the adviser, after the end of advice that it has made pointless."""
        self.advice.follow(published)
        super().on_event(published)

    def complete_recovery(self) -> None:
        """Record what the log of a resumed session lacks: a failure, a recovery, or the newest advice."""
        super().complete_recovery()
        left, self._unlogged = self._unlogged, None
        if left is not None:
            self.advice.advise(*left)

    def dismiss(self) -> None:
        """Stop the adviser: the person has left the seat, or it has failed too often."""
        self.has_stopped = True
        self.advice.supersede()
        self.advice.on_changed()
        self.stop()

    def _steps_to_schedule(
        self, response: AgentResponse, steps: list[tuple[ScriptStep, float]]
    ) -> list[tuple[ScriptStep, float]]:
        self.advice.advise(
            response, advised_steps([step for step, _ in steps if not self._is_stale(response, step)])
        )
        return [(step, due) for step, due in steps if isinstance(step, ScheduledCall)]

    def _replay(self) -> AgentReplay:
        return self._make_replay(advises=True)

    def _take_replayed(self, replayed: AgentReplay) -> None:
        advice = replayed.advice
        self.advice.restore(advice.count, advice.open)
        self._unlogged = replayed.unlogged_advice()

    def _recover(self) -> bool:
        if self._supervisor.lifecycle.recovery is RecoveryAction.END_SESSION:
            self.dismiss()
            return False
        return super()._recover()
