"""FIFO event bus."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from negoplatform.core.events import Event
from negoplatform.core.state import State


class PublishedEvent(NamedTuple):
    """An event, its public form as the seats may see it, and the state right after it."""

    event: Event
    public: Event
    state: State


class EventBus:
    """Bus that calls every subscriber for every published event, in order.

    Events that a subscriber publishes while it is being called are queued.
    """

    def __init__(self) -> None:
        self._subscribers: list[Callable[[PublishedEvent], None]] = []
        self._waiting: deque[PublishedEvent] = deque()
        self._busy = False

    def subscribe(self, subscriber: Callable[[PublishedEvent], None]) -> None:
        """Call a subscriber from the next event on."""
        self._subscribers.append(subscriber)

    def publish(self, published: PublishedEvent) -> None:
        """Publish an event to all subscribers, or queue it while an earlier one is being published."""
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
