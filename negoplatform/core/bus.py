"""Public happenings, first in, first out."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from negoplatform.core.events import Event
from negoplatform.core.state import State


class PublishedEvent(NamedTuple):
    """An event, the same as the seats may see it, and the state right after it."""

    event: Event
    public: Event
    state: State


class EventBus:
    """Calls every subscriber for every happening, in order.

    What a subscriber publishes while it is being called is queued behind.
    """

    def __init__(self) -> None:
        self._subscribers: list[Callable[[PublishedEvent], None]] = []
        self._waiting: deque[PublishedEvent] = deque()
        self._busy = False

    def subscribe(self, subscriber: Callable[[PublishedEvent], None]) -> None:
        """Calls a subscriber from the next happening on."""
        self._subscribers.append(subscriber)

    def publish(self, published: PublishedEvent) -> None:
        """Tells everyone, now or, if somebody is being told just now, right afterwards."""
        self._waiting.append(published)
        if self._busy:
            return
        self._busy = True
        try:
            while self._waiting:
                published = self._waiting.popleft()
                for subscriber in self._subscribers:
                    subscriber(published)
        finally:
            self._busy = False
