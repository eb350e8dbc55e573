"""Steps of an agent's scripts that are scheduled, with their timers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count
from typing import NamedTuple

from negoplatform.core.events import DecidedBy, new_tuple
from negoplatform.core.scheduler import Scheduler, TimerHandle
from negoplatform.core.session import ActionOrigin
from negoplatform.hosting.agent_runner import AgentResponse, ScheduledCall, ScriptStep
from negoplatform.hosting.agent_script_timing import is_opening
from negoplatform.hosting.wizard_control import UNCONTROLLED_STEPS, is_suggested

MAX_SCHEDULED_STEPS = 1000
"""Steps of one agent that may be scheduled at once; callbacks that schedule callbacks would fill the
memory.
"""

OWN_DECISIONS = (DecidedBy.AGENT, DecidedBy.FALLBACK)
"""Decision makers whose waiting steps go over to a wizard who takes over the seat."""


class ScheduledStep(NamedTuple):
    """A scheduled step, its timer, its response and its origin."""

    timer: TimerHandle
    step: ScriptStep
    response: AgentResponse
    origin: ActionOrigin


class RestoredStep(NamedTuple):
    """A step of a script that was scheduled when a session was interrupted.

    Args:
        decided_at: The session time at which it was decided.
        known_seq: The number of the newest event that was known then.
        reschedule: Schedules it again.
    """

    decided_at: float
    known_seq: int
    reschedule: Callable[[], None]


class ScheduledSteps:
    """Scheduled steps of the agent of one seat.

    Args:
        scheduler: The session's scheduler.
        perform: Performs a step, with its response, its origin and its number.
        call: Calls the callback of the step with a number.
    """

    def __init__(
        self,
        scheduler: Scheduler,
        *,
        perform: Callable[[ScriptStep, AgentResponse, ActionOrigin, int], None],
        call: Callable[[int], None],
    ) -> None:
        self.waiting: dict[int, ScheduledStep] = {}
        """The steps that wait, by number, in the order in which they were scheduled."""
        self.numbers = count(1)
        """The numbers of the steps to come."""
        self._scheduler = scheduler
        self._perform = perform
        self._call = call

    def add(self, response: AgentResponse, step: ScriptStep, due: float, origin: ActionOrigin) -> None:
        """Schedule a step.

        Args:
            response: The response that it is of.
            step: The step.
            due: The session time (s) at which it is due.
            origin: Its origin.
        """
        number = next(self.numbers)
        if type(step) is ScheduledCall:
            call = partial(self._call, number)
        else:
            call = partial(self._perform, step, response, origin, number)
        timer = self._scheduler.call_at(due, call)
        self.waiting[number] = new_tuple(ScheduledStep, (timer, step, response, origin))

    def cancel(self, wanted: Callable[[ScheduledStep], bool]) -> None:
        """Cancel the steps that a condition holds for."""
        for number, waiting in [*self.waiting.items()]:
            if wanted(waiting):
                waiting.timer.cancel()
                del self.waiting[number]

    def interrupt(self) -> None:
        """Cancel what a newer script of the agent replaces: no callbacks, and no steps of others."""
        self.cancel(
            lambda waiting: (
                not isinstance(waiting.step, ScheduledCall)
                and waiting.origin.decided_by not in (DecidedBy.WIZARD, DecidedBy.PRINCIPAL)
            )
        )

    def withdraw(self) -> list[tuple[AgentResponse, tuple[ScriptStep, ...]]]:
        """Cancel the steps that the agent has decided and not performed; return those for the wizard."""
        found: dict[int, tuple[AgentResponse, list[ScriptStep]]] = {}
        for waiting in self.waiting.values():
            if waiting.origin.decided_by in OWN_DECISIONS and is_suggested(waiting.step):
                found.setdefault(id(waiting.response), (waiting.response, []))[1].append(waiting.step)
        self.cancel(
            lambda waiting: (
                waiting.origin.decided_by in OWN_DECISIONS
                and not isinstance(waiting.step, UNCONTROLLED_STEPS)
            )
        )
        return [(response, tuple(steps)) for response, steps in found.values()]

    def advance_opening(self, seconds: float) -> None:
        """Advance the response to the start: another seat has acted before it was due."""
        for number, waiting in self.waiting.items():
            timer, call = waiting.timer, waiting.timer.callback
            if call is not None and is_opening(waiting.response):
                timer.cancel()
                earlier = self._scheduler.call_at(timer.when - seconds, call)
                self.waiting[number] = waiting._replace(timer=earlier)
