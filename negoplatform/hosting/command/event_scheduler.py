"""Scheduler of what principals and delayed agents do: ticks, deliveries, effects and simulation steps.

The entries are in the session's own scheduler, so that one heap orders everything that happens.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from random import Random
from typing import Any

from negoplatform.core.scheduler import Priority, Scheduler, TimerHandle
from negoplatform.domain.command_settings import PrincipalTiming
from negoplatform.domain.errors import NegoError


class ScheduledKind(StrEnum):
    """Kind of a scheduled entry; none of them is a type of event in the log."""

    AGENT_TICK = "agent_tick"
    """A principal begins its turn."""
    MESSAGE_DELIVERY = "message_delivery"
    """A message arrives."""
    ACTION_EFFECT = "action_effect"
    """A decision takes effect."""
    SIMULATION = "simulation"
    """Time alone makes facts happen, which are recorded."""


@dataclass(frozen=True, slots=True)
class ScheduledEntry:
    """Entry of the scheduler.

    Args:
        kind: Its kind.
        timestamp: The session time (s) at which it is due.
        agent_id: The principal or the seat that handles it.
        payload: Further values for its handler.
    """

    kind: ScheduledKind
    timestamp: float
    agent_id: str
    payload: Mapping[str, Any] = field(default_factory=dict)


EntryHandler = Callable[[ScheduledEntry], None]


class EventScheduler:
    """Scheduler of entries for named handlers, with a timing for each.

    Args:
        scheduler: The session's scheduler.
        clock: Session time in seconds.
    """

    def __init__(self, scheduler: Scheduler, clock: Callable[[], float]) -> None:
        self._scheduler = scheduler
        self._clock = clock
        self._handlers: dict[str, EntryHandler] = {}
        self._timings: dict[str, PrincipalTiming] = {}
        self._timers: list[TimerHandle] = []

    @property
    def current_time(self) -> float:
        """Session time in seconds."""
        return self._clock()

    def attach(self, agent_id: str, handler: EntryHandler, timing: PrincipalTiming | None = None) -> None:
        """Set the handler of all entries of a name, and its timing; the usual timing unless given."""
        self._handlers[agent_id] = handler
        self._timings[agent_id] = timing or PrincipalTiming()

    def schedule(self, entry: ScheduledEntry) -> TimerHandle:
        """Schedule an entry; one that is due in the past comes next.

        Raises:
            NegoError: If its name has no handler.
        """
        handler = self._handlers.get(entry.agent_id)
        if handler is None:
            raise NegoError(f"No handler of {entry.agent_id!r} is attached to the scheduler.")
        due = max(entry.timestamp, self.current_time)
        timer = self._scheduler.call_at(due, partial(handler, entry), Priority.SEAT)
        self._timers = [*(old for old in self._timers if old.pending), timer]
        return timer

    def schedule_agent_tick(self, agent_id: str, delay: float | None = None) -> TimerHandle:
        """Schedule the next tick of a principal; after its tick_interval unless a delay (s) is given."""
        seconds = self._timing(agent_id).tick_interval if delay is None else delay
        return self._schedule_after(ScheduledKind.AGENT_TICK, agent_id, seconds)

    def schedule_action_effect(
        self, agent_id: str, delay: float | None = None, payload: Mapping[str, Any] | None = None
    ) -> TimerHandle:
        """Schedule the effect of a decision; after its act_delay unless a delay (s) is given."""
        seconds = self._timing(agent_id).act_delay if delay is None else delay
        return self._schedule_after(ScheduledKind.ACTION_EFFECT, agent_id, seconds, payload)

    def schedule_simulation(self, agent_id: str, wait_interval: float | None = None) -> TimerHandle:
        """Schedule a simulation step; after the wait_interval of the name unless one (s) is given."""
        seconds = self._timing(agent_id).wait_interval if wait_interval is None else wait_interval
        return self._schedule_after(ScheduledKind.SIMULATION, agent_id, seconds)

    def schedule_message_delivery(
        self, sender_id: str, recipient_id: str, message: Mapping[str, Any], delay: float = 0.0
    ) -> TimerHandle:
        """Schedule the arrival of a message at its recipient.

        Args:
            sender_id: The sender.
            recipient_id: The recipient, whose handler gets ``sender``, ``recipient`` and ``message``.
            message: The message.
            delay: Seconds until then.
        """
        payload = {"sender": sender_id, "recipient": recipient_id, "message": message}
        return self._schedule_after(ScheduledKind.MESSAGE_DELIVERY, recipient_id, delay, payload)

    def reset(self) -> None:
        """Cancel all entries; handlers and timings stay."""
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()

    def _schedule_after(
        self, kind: ScheduledKind, agent_id: str, seconds: float, payload: Mapping[str, Any] | None = None
    ) -> TimerHandle:
        at = round(self.current_time + seconds, 3)
        return self.schedule(ScheduledEntry(kind, at, agent_id, payload or {}))

    def _timing(self, agent_id: str) -> PrincipalTiming:
        return self._timings.get(agent_id) or PrincipalTiming()


@dataclass(frozen=True, slots=True)
class Delays:
    """Delays of one tick or one stimulus, in seconds.

    Args:
        request: Until the platform sees the request.
        answer: From then until the answer arrives.
        effect: From then until the decision takes effect.
    """

    request: float
    answer: float
    effect: float


def drawn_delays(msg_delay: float, act_delay: float, jitter: float, source: str) -> Delays:
    """Return the delays of one tick or stimulus; chance adds to each of them, from 0 up to the jitter.

    Stateless: a resumed session and a rerun draw the same without having drawn those before.

    Args:
        msg_delay: Seconds that a message takes.
        act_delay: Seconds between a decision and its effect.
        jitter: Largest number of seconds that is added.
        source: The seed of this one tick or stimulus, such as ``7/head/jitter/3``.
    """
    if not jitter:
        return Delays(msg_delay, msg_delay, act_delay)
    rng = Random(source)
    return Delays(*(base + rng.uniform(0.0, jitter) for base in (msg_delay, msg_delay, act_delay)))
