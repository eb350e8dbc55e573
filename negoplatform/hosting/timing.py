"""When an agent's script is performed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from negoplatform.core.events import EventType
from negoplatform.domain.errors import AgentError
from negoplatform.hosting.brain import Answer, ScheduledCall, Step

FLUSHING = frozenset(
    {EventType.SEND_MESSAGE, EventType.SEND_OFFER, EventType.FORMAL_ACCEPT, EventType.FORMAL_QUIT}
)
"""What another seat does that makes a waiting flushable action pointless."""


@dataclass(frozen=True, slots=True)
class AgentTiming:
    """How an agent's script is timed.

    Args:
        act_delay: Seconds from a stimulus to the first action of the answer; above 0.
        interrupt: Whether a new script cancels what still waits of the older ones.

    Raises:
        AgentError: If act_delay is not above 0.
    """

    act_delay: float = 1.0
    interrupt: bool = False

    def __post_init__(self) -> None:
        value = self.act_delay
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0.001 <= value <= 3600:
            raise AgentError(f"timing.act_delay is a number of seconds from 0.001 to 3600, not {value!r}.")
        if not isinstance(self.interrupt, bool):
            raise AgentError(f"timing.interrupt is true or false, not {self.interrupt!r}.")


def timed(answer: Answer, decided_at: float, timing: AgentTiming) -> Iterator[tuple[Step, float]]:
    """Every step of an answer with the session time at which it is due.

    A script begins ``act_delay`` after its stimulus; a scheduled callback counts from the decision, stands
    beside the script and delays nothing.

    Args:
        answer: The answer.
        decided_at: Session time at which the answer arrived.
        timing: How the agent's scripts are timed.
    """
    question = answer.question
    at = decided_at
    if question.call is None:
        at = max(question.stimulus.t + timing.act_delay, decided_at)
    for step in answer.steps:
        if isinstance(step, ScheduledCall):
            yield step, decided_at + step.delay_ms / 1000
        else:
            at += getattr(step, "delay_ms", 0) / 1000
            yield step, at
