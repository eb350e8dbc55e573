"""Comparison of an agent's steps with the events of a log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from negoplatform.agent_api.actions import ProposeChange, Schedule
from negoplatform.core.events import Event, EventType, Failure, FailureKind
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.record.notes_and_tasks_proposals import StateProposal
from negoplatform.core.state import State
from negoplatform.domain.joining_settings import WizardMode
from negoplatform.domain.seat_map import Seat
from negoplatform.formats.agent_actions import dump_step
from negoplatform.formats.event_payloads import encode_payload
from negoplatform.hosting.advice import Advice
from negoplatform.hosting.agent_runner import (
    NO_REACTION,
    AgentRequest,
    AgentResponse,
    ScheduledCall,
    ScriptStep,
)
from negoplatform.hosting.agent_script_timing import with_set_durations
from negoplatform.hosting.seat_actions import as_act
from negoplatform.hosting.seat_supervisor import SeatSupervisor
from negoplatform.hosting.wizard_control import Suggestion

LONGEST_SUMMARY = 200
"""Characters of a payload that a summary shows."""


@dataclass(slots=True)
class ReplayedScript:
    """Response of a replayed agent, and the indexes of its steps that are not found in the log yet.

    Args:
        response: The response.
        decided_at: The session time at which it was decided.
        unmatched: The indexes.
        commanded_by: The number of the STATE_PROPOSED that commanded it; None: the agent decided it.
        superseded: Whether a later response interrupts it when that arrives; its steps before that are in
            the log.
    """

    response: AgentResponse
    decided_at: float
    unmatched: list[int]
    commanded_by: int | None = None
    superseded: bool = False

    def steps(self) -> list[tuple[int, ScriptStep]]:
        """Return the unmatched steps with their indexes."""
        return [(i, self.response.steps[i]) for i in self.unmatched]

    def retain(self, wanted: Callable[[ScriptStep], bool]) -> None:
        """Drop all unmatched steps but the wanted ones."""
        self.unmatched = [i for i, step in self.steps() if wanted(step)]

    def indexes_of(self, steps: Sequence[Any]) -> list[int] | None:
        """Return the indexes of unmatched steps with these forms, in order; None: it has others."""
        found: list[int] = []
        left = iter(self.steps())
        for wanted in steps:
            for i, step in left:
                if not isinstance(step, ScheduledCall) and dump_step(step) == wanted:
                    found.append(i)
                    break
            else:
                return None
        return found


@dataclass(frozen=True, slots=True)
class PendingStep:
    """Step that the log does not hold yet.

    Args:
        response: The response that it is of.
        step: The step.
        decided_at: The session time at which it was decided.
        due: The session time at which it is due.
        commanded_by: The number of the STATE_PROPOSED that commanded it; None: the agent decided it.
    """

    response: AgentResponse
    step: ScriptStep
    decided_at: float
    due: float
    commanded_by: int | None = None


@dataclass(frozen=True, slots=True)
class Divergence:
    """Divergence of a replayed agent from the log.

    Args:
        seat: The agent's seat.
        seq: The number of the event at which it shows.
        reason: A sentence.
        is_loss: Whether the agent was lost there in the replay alone, and was not compared any further.
    """

    seat: Seat
    seq: int
    reason: str
    is_loss: bool = False


@dataclass(slots=True)
class ReplayedSuggestions:
    """Suggestions to a wizard in a log.

    Args:
        mode: The mode of the seat since its last change; None: it has not changed.
        count: The number of suggestions.
        open: Those that wait, by number, each with the indexes of its steps in the agent's script.
    """

    mode: WizardMode | None = None
    count: int = 0
    open: dict[int, tuple[Suggestion, list[int]]] = field(default_factory=dict)

    def waiting(self) -> list[Suggestion]:
        """Return the suggestions without an answer, oldest first."""
        return [suggestion for suggestion, _ in self.open.values()]


@dataclass(slots=True)
class ReplayedAdvice:
    """Advice to the person in a seat in a log.

    Args:
        count: The number of pieces of advice.
        open: The one that is not answered; None: there is none.
    """

    count: int = 0
    open: Advice | None = None


def expected_event(step: ScriptStep, decided_in: State) -> tuple[str, Any] | None:
    """Return the type and payload of the event that a step becomes; None for a callback.

    Args:
        step: The step.
        decided_in: The state in which it was decided.
    """
    step = with_set_durations(step, decided_in.game.rules.counterpart)
    if isinstance(step, ProposeChange):
        return EventType.STATE_PROPOSED, dict(step.updates)
    if isinstance(step, Schedule | ScheduledCall):
        return None
    act = as_act(step, decided_in)
    if act is None or not act.refers:
        return None if act is None else (act.type, act.payload)
    try:
        return act.type, mechanism_of(decided_in.game.mechanism).resolve(act.payload, decided_in)
    except Exception:  # noqa: BLE001 - where the rules fail, the session has refused the act as it was
        return act.type, act.payload


def has_payload(event: Event, payload: Any) -> bool:
    """Return whether an event's payload is that of a step."""
    if isinstance(event.payload, StateProposal):
        return bool(event.payload.updates.to_dict() == payload)
    return bool(event.payload == payload)


def summarize_payload(payload: Any) -> str:
    """Return a payload as a short text."""
    words = str(payload) if isinstance(payload, dict) else encode_payload(payload)
    return words[:LONGEST_SUMMARY]


def is_of_time(failure: Failure) -> bool:
    """Return whether a failure in a log is one of time, which a replay need not repeat."""
    if failure.kind is FailureKind.SLOW:
        return True
    return failure.kind is FailureKind.LOST and failure.reason.startswith(NO_REACTION)


def without_effects_of_loss(
    found: Sequence[Divergence], unlogged_failures: Sequence[AgentResponse]
) -> list[Divergence]:
    """Return divergences; those from where the agent was lost in the replay alone on are one.

    A loss that explains none of them is left out: there was nothing more to compare.

    Args:
        found: The divergences of one agent.
        unlogged_failures: Its failures that the log does not have.
    """
    lost = next((response for response in unlogged_failures if response.lost), None)
    if lost is None:
        return [*found]
    known = lost.request.view.state.version
    later = [one for one in found if one.seq >= known]
    if not later:
        return [*found]
    reason = lost.failure.rstrip(".")
    sentence = f"{reason[:1].lower()}{reason[1:]} now, and what it did from there on is not compared"
    loss = Divergence(later[0].seat, lost.request.stimulus.seq, sentence, is_loss=True)
    return [loss, *(one for one in found if one.seq < known)]


def match_failure(
    event: Event,
    supervisor: SeatSupervisor,
    failures: list[AgentResponse],
    *,
    on_absent: Callable[[AgentRequest | None], object],
    on_lost: Callable[[AgentRequest], object],
) -> AgentRequest | None:
    """Match a failure in a log with one of the replayed plug-in, and record it there.

    Args:
        event: The failure.
        supervisor: The supervisor of the replayed plug-in.
        failures: Its failures that are not in the log so far; the matching one is removed.
        on_absent: Called if it has no such failure, with the request that it has answered instead.
        on_lost: Called if it was lost in the log at a request, and is not.

    Returns:
        The request, if the recovery from the failure is due; None otherwise.
    """
    failure: Failure = event.payload
    history = supervisor.history
    history.acknowledge(event)
    repeated = next((one for one in failures if one.request.stimulus.seq == event.cause), None)
    if repeated is not None:
        failures.remove(repeated)
        request: AgentRequest | None = repeated.request
    else:
        request = history.newest_answered(event.cause)
        on_absent(request)
    if request is None:
        supervisor.record_unmatched_failure()
        return None
    if failure.kind is FailureKind.LOST and not history.was_lost_at(request):
        on_lost(request)
    owed = supervisor.failed_response
    # The first logs do not tell a loss from any other failure.
    is_the_loss = failure.kind is FailureKind.FAILED and owed is not None and owed.request is request
    lost = failure.kind is FailureKind.LOST or is_the_loss
    response = AgentResponse(request, failure=failure.reason, lost=lost)
    return request if supervisor.record_failure(response, failure.kind) else None
