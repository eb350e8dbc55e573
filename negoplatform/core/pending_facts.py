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

from negoplatform.core.events import GAME_END, GAME_START, Event
from negoplatform.core.mechanisms.base import Fact, Mechanism
from negoplatform.core.rules_faults import END_BY_FAULT, checked_facts, due_time
from negoplatform.core.state import NEGOTIATING, State
from negoplatform.domain.seat_map import PLATFORM

MOST_AT_ONE_DUE_TIME = 1000
"""Most times that something falls due without ``next_due`` moving on to a later millisecond."""


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
        self._asked: tuple[State | None, float | None] = (None, None)
        self._last_due = float("-inf")
        self._times_due = 0
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
            if fact.type == GAME_END:
                break

    def add_due(self, state: State, t: float, *, recorded: int = 0) -> None:
        """Add what falls due at a session time (s), without the facts of it that are recorded already."""
        at, facts = self._find_due(state, t)
        if not facts:
            return
        moved_on = at > self._last_due
        self._times_due = 1 if moved_on else self._times_due + 1
        self._last_due = max(at, self._last_due)
        self.add(facts[recorded:], t)

    def replace_by_abortion(self) -> None:
        """Drop all facts, because the rules failed at one, and end the session instead."""
        self.facts = deque([END_BY_FAULT])

    def follow(self, before: State, event: Event, after: State) -> None:
        """Follow an event that was recorded, or read from a log."""
        if event.type == GAME_END:
            self.facts.clear()
        elif self.facts and self.next.matches(event):
            self.facts.popleft()
        elif after.phase is not NEGOTIATING:
            return
        elif event.sender != PLATFORM or event.type == GAME_START:
            try:
                facts = self._mechanism.consequences(after, event)
                if facts != ():
                    facts = checked_facts(self._mechanism, after, facts)
            except Exception as error:  # noqa: BLE001 - the act has happened, so the session can only end
                facts = self._abortion(error)
            if facts:
                self.add(facts, event.t)
        elif event.type in self._mechanism.fact_types(before.game):
            self.add_due(before, event.t, recorded=1)

    def next_due(self, state: State) -> float | None:
        """Return the session time (s) at which something falls due; None: at none.

        Raises:
            Exception: Whatever the rules raise.
        """
        if self._asked[0] is not state:
            self._asked = (state, due_time(self._mechanism, state))
        return self._asked[1]

    def due(self, state: State, t: float) -> tuple[Fact, ...]:
        """Return what falls due at a session time (s), complete and in order.

        Events are stamped in whole milliseconds, and a due time may lie a fraction behind one. What would
        fall due after the deadline does not happen, however late the clock is read.
        """
        return self._find_due(state, t)[1]

    def _find_due(self, state: State, t: float) -> tuple[float, tuple[Fact, ...]]:
        """Return the due time in whole milliseconds, and what falls due."""
        if not self._mechanism.keeps_time(state.game):
            return 0.0, ()
        deadline = state.game.rules.deadline_seconds
        now = t if deadline is None else min(t, deadline)
        try:
            at = self.next_due(state)
            if at is None or round(at, 3) > round(now, 3):
                return 0.0, ()
            if round(at, 3) <= self._last_due and self._times_due >= MOST_AT_ONE_DUE_TIME:
                raise RuntimeError(
                    f"something has fallen due {self._times_due:,} times, and next_due still returns {at:g} s"
                )
            facts = self._mechanism.falls_due(state, max(now, at))
            return round(at, 3), checked_facts(self._mechanism, state, facts)
        except Exception as error:  # noqa: BLE001 - the time does not go back, so the session can only end
            return t, self._abortion(error)

    def _abortion(self, error: Exception) -> tuple[Fact, ...]:
        self._report(error)
        return (END_BY_FAULT,)
