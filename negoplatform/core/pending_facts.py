"""Facts that follow from the events of a session and are not recorded yet.

The session, a resumed session and the validator of logs derive them in the same way:

    an act, or the start      ->  all of its consequences are pending, at the same session time
    a fact that time causes   ->  the rest of what fell due with it is pending
    the pending fact          ->  it is no longer pending
    the end of the game       ->  nothing is pending
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

from negoplatform.core.events import EndedBy, Ending, Event, EventType
from negoplatform.core.mechanisms.base import Fact, Mechanism, game_end
from negoplatform.core.state import Phase, State
from negoplatform.domain.seat_map import PLATFORM

FAULTY_RULES = "Something went wrong in this game’s rules, so the session was stopped."
"""Reason for the end of a session whose mechanism raised."""


class PendingFacts:
    """Facts that the platform has to record before anything else, in order.

    Args:
        mechanism: The rules.
        report: Receives an unexpected error of the rules, for the crash file.

    Attributes:
        facts: The pending facts, first the one that is recorded next.
        t: Their session time, in seconds.
    """

    def __init__(self, mechanism: Mechanism, report: Callable[[BaseException], object]) -> None:
        self.t = 0.0
        self._mechanism = mechanism
        self._report = report
        self.facts: deque[Fact] = deque()

    @property
    def next(self) -> Fact:
        """The fact that is recorded next."""
        return self.facts[0]

    def add(self, facts: Iterable[Fact], t: float) -> None:
        """Add facts that happen at a session time (s); nothing comes after the end of the game."""
        self.t = t
        for fact in facts:
            self.facts.append(fact)
            if fact.type == EventType.GAME_END:
                break

    def replace_by_abortion(self) -> None:
        """Drop all facts, because the rules failed at one, and end the session instead."""
        self.facts = deque([game_end(Ending(EndedBy.ABORTED, reason=FAULTY_RULES))])

    def follow(self, before: State, event: Event, after: State) -> None:
        """Follow an event that was recorded, or read from a log."""
        if event.type == EventType.GAME_END:
            self.facts.clear()
        elif self.facts and self.next.matches(event):
            self.facts.popleft()
        elif after.phase is not Phase.NEGOTIATING:
            return
        elif event.sender != PLATFORM or event.type == EventType.GAME_START:
            try:
                facts = self._mechanism.consequences(after, event)
            except Exception as error:  # noqa: BLE001 - the act has happened, so the session can only end
                facts = self._abortion(error)
            if facts:
                self.add(facts, event.t)
        elif event.type in self._mechanism.facts:
            self.add(self.due(before, event.t)[1:], event.t)

    def due(self, state: State, t: float) -> tuple[Fact, ...]:
        """Return what falls due at a session time (s), complete and in order.

        Events are stamped in whole milliseconds, and a due time may lie a fraction behind one.
        """
        try:
            at = self._mechanism.next_due(state)
            if at is None or round(at, 3) > t:
                return ()
            return self._mechanism.falls_due(state, max(t, at))
        except Exception as error:  # noqa: BLE001 - the time does not go back, so the session can only end
            return self._abortion(error)

    def _abortion(self, error: Exception) -> tuple[Fact, ...]:
        self._report(error)
        return (game_end(Ending(EndedBy.ABORTED, reason=FAULTY_RULES)),)
