"""Table of transitions in an agent's lifecycle, and the recovery from each failure."""

from __future__ import annotations

from functools import reduce

import pytest

from negoplatform.core.agent_lifecycle import (
    AgentLifecycle,
    AgentPhase,
    LifecycleEvent,
    RecoveryAction,
    transition,
)
from negoplatform.domain.agent_limits import AgentBudget

LOST = LifecycleEvent.RESPONDER_LOST
LOSS = LifecycleEvent.LOSS_LOGGED
STRIKE = LifecycleEvent.STRIKE_LOGGED
RESTARTED = LifecycleEvent.RESTARTED
SEATED = LifecycleEvent.FALLBACK_SEATED
STOPPED = LifecycleEvent.STOPPED

HISTORIES = {
    AgentPhase.RUNNING: (),
    AgentPhase.LOST: (LOST,),
    AgentPhase.FAILED: (LOSS,),
    AgentPhase.ENDED: (STOPPED,),
}


def after(
    *events: LifecycleEvent, budget: AgentBudget | None = None, fallback: bool = False
) -> AgentLifecycle:
    return reduce(transition, events, AgentLifecycle(budget or AgentBudget(), fallback))


@pytest.mark.parametrize(
    ("phase", "event", "expected"),
    [
        (AgentPhase.RUNNING, LOST, AgentPhase.LOST),
        (AgentPhase.RUNNING, LOSS, AgentPhase.FAILED),
        (AgentPhase.RUNNING, STRIKE, AgentPhase.RUNNING),
        (AgentPhase.RUNNING, RESTARTED, AgentPhase.RUNNING),
        (AgentPhase.RUNNING, SEATED, AgentPhase.RUNNING),
        (AgentPhase.LOST, LOST, AgentPhase.LOST),
        (AgentPhase.LOST, LOSS, AgentPhase.FAILED),
        (AgentPhase.LOST, STRIKE, AgentPhase.LOST),
        (AgentPhase.LOST, RESTARTED, AgentPhase.RUNNING),
        (AgentPhase.LOST, SEATED, AgentPhase.RUNNING),
        (AgentPhase.FAILED, LOST, AgentPhase.LOST),
        (AgentPhase.FAILED, LOSS, AgentPhase.FAILED),
        (AgentPhase.FAILED, STRIKE, AgentPhase.FAILED),
        (AgentPhase.FAILED, RESTARTED, AgentPhase.RUNNING),
        (AgentPhase.FAILED, SEATED, AgentPhase.RUNNING),
        *((phase, STOPPED, AgentPhase.ENDED) for phase in AgentPhase),
        *((AgentPhase.ENDED, event, AgentPhase.ENDED) for event in LifecycleEvent),
    ],
)
def test_the_table(phase: AgentPhase, event: LifecycleEvent, expected: AgentPhase) -> None:
    assert after(*HISTORIES[phase], event).phase is expected


def test_the_last_strike_of_the_budget_is_a_failure() -> None:
    phases = [after(*[STRIKE] * n, budget=AgentBudget(strikes=3)).phase for n in range(1, 5)]

    assert phases == [AgentPhase.RUNNING, AgentPhase.RUNNING, AgentPhase.FAILED, AgentPhase.FAILED]


def test_a_restart_and_a_fallback_begin_without_strikes_and_all_failures_count() -> None:
    restarted, replaced = after(STRIKE, LOSS, RESTARTED), after(STRIKE, LOSS, SEATED)

    assert (restarted.strikes, restarted.restarts, restarted.is_fallback) == (0, 1, False)
    assert (replaced.strikes, replaced.restarts, replaced.is_fallback) == (0, 0, True)
    assert restarted.failures == replaced.failures == 2
    assert after(STRIKE, STOPPED, STRIKE).failures == 2


def test_recovery_is_a_restart_then_the_fallback_then_the_end() -> None:
    budget = AgentBudget(restarts=1)
    lives = [
        after(*events, budget=budget, fallback=True)
        for events in [(LOSS,), (LOSS, RESTARTED, LOSS), (LOSS, RESTARTED, LOSS, SEATED, LOSS)]
    ]

    assert [life.recovery for life in lives] == [
        RecoveryAction.RESTART,
        RecoveryAction.SEAT_FALLBACK,
        RecoveryAction.END_SESSION,
    ]


def test_without_a_fallback_the_session_ends() -> None:
    assert after(LOSS, budget=AgentBudget(restarts=0)).recovery is RecoveryAction.END_SESSION


@pytest.mark.parametrize("phase", [AgentPhase.RUNNING, AgentPhase.LOST, AgentPhase.ENDED])
def test_only_a_logged_failure_is_recovered_from(phase: AgentPhase) -> None:
    assert after(*HISTORIES[phase]).recovery is None
