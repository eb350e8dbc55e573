"""Responders: they answer the requests to an agent, in this process or in a separate one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from negoplatform.core.events import Event, EventType
from negoplatform.core.visibility import RESTRICTED_EVENTS, Observer, visible_event
from negoplatform.domain.agent_limits import DEFAULT_BUDGET, AgentBudget
from negoplatform.domain.errors import NegoError
from negoplatform.hosting.agent_runner import AgentGame, AgentRequest, AgentResponse


class Responder(Protocol):
    """Responder for one agent, from its first event on. One thread at a time calls it, and may be blocked."""

    def respond(self, request: AgentRequest) -> AgentResponse:
        """Return the agent's response; a failure, also the loss of the agent, is a response too."""
        ...

    def notify(self, event: Event) -> None:
        """Take an event that needs no response: one that the agent caused itself."""
        ...

    def stop(self) -> None:
        """Stop the agent; from any thread, at once, and more than once."""
        ...


class LastingResponder(Responder, Protocol):
    """Responder whose agent can play another game after the first."""

    def begin_next(self, following: AgentGame) -> None:
        """Have the same agent play another game.

        Raises:
            NegoError: If it cannot.
        """
        ...


ResponderFactory = Callable[[], Responder]
"""Factory of fresh responders, with the seat's random number generator in its first state.

Raises:
    NegoError: If the agent cannot be made; a sentence.
"""

AgentInput = AgentRequest | Event
"""Input of an agent: a request, or an event that it caused itself."""


@dataclass(frozen=True, slots=True)
class FallbackAgent:
    """A shipped agent that takes the seat of an agent that cannot go on.

    Args:
        name: Its name in the catalogue.
        sha256: The hash of its file.
        make: Makes its responder.
    """

    name: str
    sha256: str
    make: ResponderFactory


@dataclass(frozen=True, slots=True)
class SeatAssignment:
    """The agent of a seat, and its fallback.

    Args:
        make: Makes a fresh responder of the agent each time.
        budget: The agent's budget.
        fallback: The fallback agent; None: the session ends instead.
    """

    make: ResponderFactory
    budget: AgentBudget = DEFAULT_BUDGET
    fallback: FallbackAgent | None = None


class LostResponder:
    """Responder of an agent that could not be made: every response is the reason.

    Args:
        reason: A sentence.
        error: The error behind it, for the crash file.
    """

    def __init__(self, reason: str, error: BaseException | None = None) -> None:
        self.reason = reason
        self._error = error

    def respond(self, request: AgentRequest) -> AgentResponse:
        """Return the reason."""
        return AgentResponse(request, failure=self.reason, error=self._error, lost=True)

    def notify(self, event: Event) -> None:
        """Do nothing."""

    def stop(self) -> None:
        """Do nothing."""


UNCOMMON_EVENTS = RESTRICTED_EVENTS | {EventType.RESUMED}
"""Event types that an agent's seat may see otherwise than as they are, even without recipients."""


def event_for_agent(observer: Observer, event: Event) -> Event | None:
    """Return an event as the agent of a seat may see it; None: not at all.

    Args:
        observer: The seat's observer.
        event: The event, without the experimenter's part.
    """
    if event.type == EventType.RESUMED:
        return None  # no event of the game
    return visible_event(event, observer) if event.to or event.type in UNCOMMON_EVENTS else event


def replayed_responder(make: ResponderFactory, past: Iterable[AgentInput]) -> Responder:
    """Return a fresh responder that was given the inputs of another; its responses to them are dropped."""
    try:
        responder = make()
    except NegoError as error:
        return LostResponder(str(error), error)
    except Exception as error:  # noqa: BLE001 - no thread, no memory: the agent is lost, but not the thread that called
        return LostResponder(f"It could not be made ({type(error).__name__}).", error)
    try:
        for item in past:
            if not isinstance(item, AgentRequest):
                responder.notify(item)
                continue
            response = responder.respond(item)
            if response.lost:
                responder.stop()
                return LostResponder(response.failure, response.error)
    except Exception as error:  # noqa: BLE001 - no memory: as above
        return lost_responder(responder, error)
    return responder


def lost_responder(responder: Responder, error: Exception) -> LostResponder:
    """Stop a responder that failed at its past inputs; return its replacement."""
    responder.stop()
    return LostResponder(f"It could not get the past events ({type(error).__name__}).", error)
