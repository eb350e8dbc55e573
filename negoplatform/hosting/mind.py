"""What answers for an agent: the agent itself, beside the table, or a process in which it runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from negoplatform.core.events import Event
from negoplatform.hosting.brain import Answer, Question


class Mind(Protocol):
    """One agent's mind, from its first event on. Asked by one thread at a time, which it may hold up."""

    def answer(self, question: Question) -> Answer:
        """The agent's answer; an agent that fails gives one too, and a lost mind says so in it."""
        ...

    def see(self, event: Event) -> None:
        """Takes note of an event that nobody asks the agent about: its own."""
        ...

    def stop(self) -> None:
        """Ends it; from any thread, at once, and more than once."""
        ...


MakeMind = Callable[[], Mind]
"""Makes a fresh mind, with its seat's chance at its beginning.

Raises:
    NegoError: If the agent cannot be made; a sentence.
"""

Heard = Question | Event
"""What a mind was told, in order: what it was asked, and its own events."""
