"""Life of the agent of one seat as a pure automaton.

``AgentLifecycle`` is a frozen value, and ``transition`` computes the next one. The events are facts of a log,
so live play, a replay of the log and the log validator follow the same rules.

========  ==============  ============  =============  ===============  =========
phase     RESPONDER_LOST  LOSS_LOGGED   STRIKE_LOGGED  RESTARTED,       STOPPED
                                                       FALLBACK_SEATED
========  ==============  ============  =============  ===============  =========
RUNNING   LOST            FAILED        RUNNING [1]_   RUNNING          ENDED
LOST      LOST            FAILED        LOST [1]_      RUNNING          ENDED
FAILED    LOST            FAILED        FAILED         RUNNING          ENDED
ENDED     ENDED           ENDED         ENDED          ENDED            ENDED
========  ==============  ============  =============  ===============  =========

.. [1] FAILED at the last strike of the budget.

In LOST the failure has to be recorded. In FAILED, ``AgentLifecycle.recovery`` is due: a restart while the
budget has one left, then the fallback; without a fallback, or if it fails too, the end of the session.
The table is total: after the game nothing is recovered, but failures still count.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Final

from negoplatform.domain.agent_limits import DEFAULT_BUDGET, AgentBudget


class AgentPhase(Enum):
    """Phase in the life of a seat's agent."""

    RUNNING = auto()
    """Requests are answered."""
    LOST = auto()
    """The process is gone, and the log does not hold the failure yet."""
    FAILED = auto()
    """The log holds the failure, but not yet the recovery from it."""
    ENDED = auto()
    """Requests are dropped."""


ENDED: Final = AgentPhase.ENDED
"""Member for code that runs at every event, as in ``core/events.py``."""


class LifecycleEvent(Enum):
    """Event that can change the phase."""

    RESPONDER_LOST = auto()
    """A request was answered by the news that the process is gone."""
    LOSS_LOGGED = auto()
    """AGENT_FAILED: the process ended, or had to be ended."""
    STRIKE_LOGGED = auto()
    """AGENT_FAILED: any other failure."""
    RESTARTED = auto()
    """The note AGENT_RESTARTED."""
    FALLBACK_SEATED = auto()
    """The note FALLBACK_SEATED."""
    STOPPED = auto()
    """The agent was stopped for good."""


class RecoveryAction(Enum):
    """Recovery from a failure that the log holds."""

    RESTART = auto()
    SEAT_FALLBACK = auto()
    END_SESSION = auto()


@dataclass(frozen=True, slots=True)
class AgentLifecycle:
    """State of a seat's agent.

    Args:
        budget: Limits on strikes and restarts.
        has_fallback: Whether a fallback agent can take the seat.
        phase: The phase.
        failures: Failures in the whole session, as AGENT_FAILED counts them.
        strikes: Failures since the last restart or replacement.
        restarts: Restarts so far.
        is_fallback: Whether the fallback agent has the seat.
    """

    budget: AgentBudget = DEFAULT_BUDGET
    has_fallback: bool = False
    phase: AgentPhase = AgentPhase.RUNNING
    failures: int = 0
    strikes: int = 0
    restarts: int = 0
    is_fallback: bool = False

    @property
    def is_out_of_strikes(self) -> bool:
        """Whether the budget allows no more failures."""
        return self.strikes >= self.budget.strikes

    @property
    def recovery(self) -> RecoveryAction | None:
        """The recovery that is due; None: none."""
        if self.phase is not AgentPhase.FAILED:
            return None
        if self.is_fallback:
            return RecoveryAction.END_SESSION
        if self.restarts < self.budget.restarts:
            return RecoveryAction.RESTART
        return RecoveryAction.SEAT_FALLBACK if self.has_fallback else RecoveryAction.END_SESSION


def transition(before: AgentLifecycle, event: LifecycleEvent) -> AgentLifecycle:
    """Return the state after an event; the table is at the top of the module."""
    after = _count(before, event)
    if before.phase is AgentPhase.ENDED:
        return after
    match event:
        case LifecycleEvent.RESPONDER_LOST:
            phase = AgentPhase.LOST
        case LifecycleEvent.LOSS_LOGGED:
            phase = AgentPhase.FAILED
        case LifecycleEvent.STRIKE_LOGGED:
            phase = AgentPhase.FAILED if after.is_out_of_strikes else before.phase
        case LifecycleEvent.RESTARTED | LifecycleEvent.FALLBACK_SEATED:
            phase = AgentPhase.RUNNING
        case LifecycleEvent.STOPPED:
            phase = AgentPhase.ENDED
    return replace(after, phase=phase)


def logged_failure(*, lost: bool) -> LifecycleEvent:
    """Return the event that an AGENT_FAILED stands for."""
    return LifecycleEvent.LOSS_LOGGED if lost else LifecycleEvent.STRIKE_LOGGED


def _count(before: AgentLifecycle, event: LifecycleEvent) -> AgentLifecycle:
    match event:
        case LifecycleEvent.LOSS_LOGGED | LifecycleEvent.STRIKE_LOGGED:
            return replace(before, failures=before.failures + 1, strikes=before.strikes + 1)
        case LifecycleEvent.RESTARTED:
            return replace(before, strikes=0, restarts=before.restarts + 1)
        case LifecycleEvent.FALLBACK_SEATED:
            return replace(before, strikes=0, is_fallback=True)
        case _:
            return before
