"""Responders of agents that stay after a game, and the inputs that they have received in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from threading import Event as Signal
from threading import Lock
from typing import Generic, TypeVar

from negoplatform.core.events import Event, Note
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.visibility import Observer
from negoplatform.hosting.agent_runner import AgentRequest, AgentResponse
from negoplatform.hosting.responder import LastingResponder, event_for_agent

InputKey = tuple[str, object]
"""Input of an agent, so that two lists of inputs can be compared: an event, or the call of a callback."""

R = TypeVar("R", bound=LastingResponder)


class KeptResponder(Generic[R]):
    """Responder of an agent that stays after the game: ``stop`` ends the agent only if it is lost.

    Args:
        inner: The responder of the agent.
    """

    def __init__(self, inner: R) -> None:
        self.inner = inner
        self.inputs: list[InputKey] = []
        self.drained = Signal()
        """Set while no input waits for the agent; an executor with a queue clears it."""
        self.drained.set()
        self._lost = False
        self._lock = Lock()

    def respond(self, request: AgentRequest) -> AgentResponse:
        """Return the agent's response."""
        with self._lock:
            self.inputs.append(
                ("event", request.stimulus.seq) if request.call is None else ("call", request.call)
            )
            response = self.inner.respond(request)
            self._lost = self._lost or response.lost
            return response

    def notify(self, event: Event) -> None:
        """Pass on an event that needs no response."""
        with self._lock:
            self.inputs.append(("event", event.seq))
            self.inner.notify(event)

    def stop(self) -> None:
        """Stop the agent if it is lost; otherwise it stays."""
        if self._lost:
            self.inner.stop()

    def end(self) -> None:
        """Stop the agent."""
        self.inner.stop()

    def has_seen(self, events: Iterable[Event], observer: Observer, *, within: float) -> bool:
        """Return whether the agent is running, and has received all inputs that a log has for it.

        Args:
            events: The events of the log.
            observer: The agent's seat as an observer.
            within: Maximum seconds to wait for inputs that are still in its queue.
        """
        if not self.drained.wait(within):
            return False
        with self._lock:
            return not self._lost and self.inputs == list(logged_inputs(events, observer))


def logged_inputs(events: Iterable[Event], observer: Observer) -> Iterator[InputKey]:
    """Yield the inputs that the agent of a seat received in a session."""
    for event in events:
        note = event.payload
        if isinstance(note, Note):
            if note.kind is NoteKind.SCHEDULED_CALL and note.data.get("seat") == observer.seat:
                yield ("call", note.data.get("number"))
        elif event_for_agent(observer, event) is not None:
            yield ("event", event.seq)
