"""Session as it is held by a window in another process: views, and updates for the screen of a seat."""

from __future__ import annotations

import time
from collections import deque
from queue import SimpleQueue

from negoplatform.app.joining.feed_lines import TimedItem
from negoplatform.app.session.participant_seat import SessionUpdate, ShownAdvice
from negoplatform.app.session.windows.session_feed import (
    FeedAdvice,
    FeedEvent,
    FeedShared,
    FeedStatus,
    SessionIntroduction,
)
from negoplatform.core.events import Event
from negoplatform.core.visibility import NOTHING_SHARED, copy_for_thread
from negoplatform.core.visible_fold import VisibleFold
from negoplatform.formats.agent_protocol import decode_shared

SAMPLES = 8
"""Number of pings of which the quickest counts."""

NOTICED_SECONDS = 0.05
"""Smallest correction of the clock that is passed to the window."""


class HostClock:
    """Difference between the monotonic clocks of the host and of this process, for display alone.

    It is measured by the midpoint of a ping and its answer, as in Cristian's algorithm (Cristian 1989,
    "Probabilistic clock synchronization"); of the last eight measurements the quickest counts.
    """

    def __init__(self) -> None:
        self._samples: deque[tuple[float, float]] = deque(maxlen=SAMPLES)

    @property
    def offset(self) -> float | None:
        """Seconds by which the host's clock is ahead; None before the first measurement."""
        return min(self._samples)[1] if self._samples else None

    def measure(self, sent: float, host_time: float, received: float) -> None:
        """Add a measurement.

        Args:
            sent: This process's ``time.monotonic()`` when the ping was sent.
            host_time: That of the host when it answered.
            received: This process's when the answer arrived.
        """
        self._samples.append((received - sent, host_time - (sent + received) / 2))


class ObservedSession:
    """Fold of a feed for the screen of a seat.

    All events before the first status of a game that has begun are one update, as in a resumed session.

    Args:
        introduction: The introduction to the session.
        updates: The queue of updates.
        clock: The clock of the host.
    """

    def __init__(
        self, introduction: SessionIntroduction, updates: SimpleQueue[SessionUpdate], clock: HostClock
    ) -> None:
        self._updates, self._clock = updates, clock
        self.restart(introduction)

    def restart(self, introduction: SessionIntroduction) -> None:
        """Begin with the introduction again; all events so far follow."""
        header = introduction.header
        self._fold = VisibleFold(
            header.game, introduction.role.observer_in(header.game), header.session_id, header.initial_record
        )
        self._status: FeedStatus | None = None
        self._advice: ShownAdvice | None = None
        self._shared = NOTHING_SHARED
        self._made: float | None = None
        self._arrived = time.monotonic()
        self._origin = self._arrived

    def take(self, timed: TimedItem) -> None:
        """Fold an event in, or take a status, and put an update for the window."""
        match timed.item:
            case FeedEvent(event):
                self._fold.apply(event)
                if self._status is not None and self._status.started:
                    self._put(event)
            case FeedStatus() as status:
                self._status, self._made, self._arrived = status, timed.made, time.monotonic()
                self._origin = self._time_origin()
                self._put(None)
            case FeedAdvice(advice):
                self._advice = advice
                self._put(None)
            case FeedShared(features):
                self._shared = decode_shared(features)
            case _:
                pass

    def correct_clock(self) -> None:
        """Pass a correction of the clock to the window, if it is large enough to be noticed."""
        origin = self._time_origin()
        if abs(origin - self._origin) >= NOTICED_SECONDS:
            self._origin = origin
            self._put(None)

    def _time_origin(self) -> float:
        """Return this process's ``time.monotonic()`` at which session time was 0, or would have been."""
        if self._status is None:
            return self._origin
        offset = self._clock.offset
        if self._made is None or offset is None or not self._status.running:
            return self._arrived - self._status.session_time
        return self._made - offset - self._status.session_time

    def _put(self, event: Event | None) -> None:
        status = self._status
        if status is None or not (
            status.started or status.finished or status.error_message or status.frozen or status.absent
        ):
            return  # as at the host, where there is no update before the game begins
        self._updates.put(
            SessionUpdate(
                copy_for_thread(self._fold.view(shared=self._shared)),
                event,
                self._origin,
                finished=status.finished,
                error_message=status.error_message,
                frozen=status.frozen,
                paused=status.paused,
                improvement=status.improvement,
                absent=status.absent,
                advice=self._advice,
            )
        )
