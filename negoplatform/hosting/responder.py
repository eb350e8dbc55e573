"""What answers for an agent: the agent itself, beside the table, or a process in which it runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from negoplatform.core.events import Event, EventType
from negoplatform.core.visibility import RESTRICTED_EVENTS, Observer, visible_event
from negoplatform.domain.agent_budget import DEFAULT_BUDGET, AgentBudget
from negoplatform.domain.errors import NegoError
from negoplatform.hosting.agent_runner import AgentRequest, AgentResponse


class Responder(Protocol):
    """One agent's mind, from its first event on. Asked by one thread at a time, which it may hold up."""

    def respond(self, request: AgentRequest) -> AgentResponse:
        """The agent's answer; an agent that fails gives one too, and a lost mind says so in it."""
        ...

    def notify(self, event: Event) -> None:
        """Takes note of an event that nobody asks the agent about: its own."""
        ...

    def stop(self) -> None:
        """Ends it; from any thread, at once, and more than once."""
        ...


ResponderFactory = Callable[[], Responder]
"""Makes a fresh mind, with its seat's chance at its beginning.

Raises:
    NegoError: If the agent cannot be made; a sentence.
"""

AgentInput = AgentRequest | Event
"""What a mind was told, in order: what it was asked, and its own events."""


@dataclass(frozen=True, slots=True)
class FallbackAgent:
    """A shipped agent that takes over a seat whose own agent cannot hold it.

    Args:
        name: Its name in the catalogue.
        sha256: The hash of its file.
        make: Makes its mind.
    """

    name: str
    sha256: str
    make: ResponderFactory


@dataclass(frozen=True, slots=True)
class SeatAssignment:
    """Who holds a seat, and who follows.

    Args:
        make: Makes the agent's mind, each time a fresh one.
        budget: What the agent may take.
        fallback: Who takes over in the end; None: the session ends.
    """

    make: ResponderFactory
    budget: AgentBudget = DEFAULT_BUDGET
    fallback: FallbackAgent | None = None


class LostResponder:
    """Stands where no mind could be made: every question is answered with the reason.

    Args:
        reason: A sentence.
        error: The error behind it, for the crash file.
    """

    def __init__(self, reason: str, error: BaseException | None = None) -> None:
        self._reason = reason
        self._error = error

    def respond(self, request: AgentRequest) -> AgentResponse:
        """The reason."""
        return AgentResponse(request, failure=self._reason, error=self._error, lost=True)

    def notify(self, event: Event) -> None:
        """Nothing."""

    def stop(self) -> None:
        """Nothing."""


def event_for_agent(observer: Observer, event: Event) -> Event | None:
    """What a seat's agent is told of an event, as the seat may see it; None: nothing.

    Args:
        observer: The seat's.
        event: The event, without the experimenter's part.
    """
    if event.type == EventType.RESUMED:
        return None  # nothing has happened at the table
    return visible_event(event, observer) if event.to or event.type in RESTRICTED_EVENTS else event


def replayed_responder(make: ResponderFactory, past: Iterable[AgentInput]) -> Responder:
    """A fresh mind that has heard what another one heard; what it answers to that is discarded."""
    try:
        mind = make()
    except NegoError as error:
        return LostResponder(str(error), error)
    except Exception as error:  # noqa: BLE001 - no thread, no memory: the seat is lost, and not its thread
        return LostResponder(f"It could not be made ({type(error).__name__}).", error)
    try:
        for heard in past:
            if not isinstance(heard, AgentRequest):
                mind.notify(heard)
                continue
            answer = mind.respond(heard)
            if answer.lost:
                mind.stop()
                return LostResponder(answer.failure, answer.error)
    except Exception as error:  # noqa: BLE001 - no memory: as above
        return lost_responder(mind, error)
    return mind


def lost_responder(responder: Responder, error: Exception) -> LostResponder:
    """What stands in the place of a mind that could not even be told what happened; the mind is ended."""
    responder.stop()
    return LostResponder(f"It could not be told what happened ({type(error).__name__}).", error)
