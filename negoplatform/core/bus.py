"""FIFO event bus."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection
from typing import NamedTuple

from negoplatform.core.events import Event
from negoplatform.core.state import State


class PublishedEvent(NamedTuple):
    """An event, its public form as the seats may see it, and the state right after it."""

    event: Event
    public: Event
    state: State


class EventBus:
    """Bus that calls every subscriber for every published event that it wants, in order.

    Events that a subscriber publishes while it is being called are queued.
    """

    def __init__(self) -> None:
        self._subscribers: list[tuple[Callable[[PublishedEvent], None], Collection[str] | None]] = []
        self._of_type: dict[str, list[Callable[[PublishedEvent], None]]] = {}
        self._waiting: deque[PublishedEvent] = deque()
        self._busy = False

    def subscribe(
        self, subscriber: Callable[[PublishedEvent], None], types: Collection[str] | None = None
    ) -> None:
        """Call a subscriber from the next event on; for the types of event named, or for all."""
        self._subscribers.append((subscriber, types))
        self._of_type.clear()

    def publish(self, published: PublishedEvent) -> None:
        """Publish an event to all subscribers, or queue it while an earlier one is being published."""
        waiting = self._waiting
        if self._busy or waiting:
            waiting.append(published)
            if self._busy:
                return
            published = waiting.popleft()  # one that was left when a subscriber raised comes first
        self._busy = True
        try:
            while True:
                kind = published.event.type
                for subscriber in self._of_type.get(kind) or self._subscribers_of(kind):
                    subscriber(published)
                if not waiting:
                    return
                published = waiting.popleft()
        finally:
            self._busy = False

    def _subscribers_of(self, kind: str) -> list[Callable[[PublishedEvent], None]]:
        """Return the subscribers for a type of event, and keep them for the next one."""
        wanted = [subscriber for subscriber, types in self._subscribers if types is None or kind in types]
        self._of_type[kind] = wanted
        return wanted
