"""Executors: they put requests to a responder, on the session's thread or without blocking it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from queue import SimpleQueue
from threading import Thread
from typing import NamedTuple, Protocol

from negoplatform.core.events import Event
from negoplatform.core.visibility import copy_for_thread
from negoplatform.hosting.agent_runner import AgentRequest, AgentResponse, AgentRunner, failure_response
from negoplatform.hosting.kept_responder import KeptResponder
from negoplatform.hosting.responder import (
    AgentInput,
    Responder,
    ResponderFactory,
    lost_responder,
    replayed_responder,
)

ResponseCallback = Callable[[AgentResponse], None]


class AgentExecutor(Protocol):
    """Executor of one responder; later responses go to the callback that it was made with."""

    def submit(self, request: AgentRequest) -> AgentResponse | None:
        """Submit a request; requests are answered in order.

        Returns:
            The response, if it comes at once; None: the callback is called with it later.
        """
        ...

    def notify(self, event: Event) -> None:
        """Submit an event that needs no response."""
        ...

    def stop(self) -> None:
        """Stop the responder; later requests and responses are dropped."""
        ...


ExecutorFactory = Callable[[ResponderFactory, ResponseCallback, Iterable[AgentInput]], AgentExecutor]
"""Factory of executors: of a fresh responder that was given some past, with a callback for its responses."""


class InlineExecutor:
    """Executor that answers at once on the caller's thread, for simulations and tests.

    Args:
        make: Makes the responder.
        on_response: Not used, as responses are returned.
        past: Past inputs, which the responder is given first.
    """

    def __init__(
        self,
        make: ResponderFactory,
        on_response: ResponseCallback,  # noqa: ARG002 - as other executors are made
        past: Iterable[AgentInput] = (),
    ) -> None:
        self.responder = replayed_responder(make, past)

    def submit(self, request: AgentRequest) -> AgentResponse:
        """Answer a request."""
        return self.responder.respond(request)

    def notify(self, event: Event) -> None:
        """Pass on an event."""
        if type(self.responder) is not AgentRunner:  # the next request brings the state with it
            self.responder.notify(event)

    def stop(self) -> None:
        """Stop the responder."""
        self.responder.stop()


class _Asked(NamedTuple):
    """A request, and the same with a view for the agent's thread, which the responder is given."""

    request: AgentRequest
    given: AgentRequest


class ThreadExecutor:
    """Executor that answers on a separate thread, so a slow agent blocks no other.

    Args:
        make: Makes the responder, on that thread.
        on_response: Called with each response, on that thread: it must hand it on to the session's.
        past: Past inputs, which the responder is given first.
        name: The name of the thread.
    """

    def __init__(
        self, make: ResponderFactory, on_response: ResponseCallback, past: Iterable[AgentInput], name: str
    ) -> None:
        self._on_response = on_response
        self._stopped = False
        self._responder: Responder | None = None
        self._queue: SimpleQueue[_Asked | Event | None] = SimpleQueue()
        # A daemon thread, not an executor: an executor waits for a hung agent at exit.
        inputs = tuple(
            item._replace(view=copy_for_thread(item.view)) if isinstance(item, AgentRequest) else item
            for item in past
        )
        Thread(target=self._run, args=(make, inputs), name=name, daemon=True).start()

    def submit(self, request: AgentRequest) -> None:
        """Put a request into the agent's queue."""
        self._queue.put(_Asked(request, request._replace(view=copy_for_thread(request.view))))

    def notify(self, event: Event) -> None:
        """Put an event into the agent's queue."""
        self._queue.put(event)

    def stop(self) -> None:
        """Stop the responder, in the middle of a response if need be, and the thread with it."""
        self._stopped = True
        if self._responder is not None:
            self._responder.stop()
        self._queue.put(None)

    def _run(self, make: ResponderFactory, past: tuple[AgentInput, ...]) -> None:
        self._responder = responder = replayed_responder(make, past)
        # An agent that stays receives the rest of the game, although its answers no longer count.
        stays = isinstance(responder, KeptResponder)
        if isinstance(responder, KeptResponder):
            responder.drained.clear()
        if self._stopped:
            responder.stop()  # it was stopped while the responder was being made
        while (item := self._queue.get()) is not None and (stays or not self._stopped):
            if isinstance(item, _Asked):
                self._on_response(_respond_or_lose(responder, item.given)._replace(request=item.request))
            else:
                try:
                    responder.notify(item)
                except Exception as error:  # noqa: BLE001 - the next response says so; a dead thread would give none
                    self._responder = responder = lost_responder(responder, error)
        if isinstance(responder, KeptResponder):
            responder.drained.set()


def _respond_or_lose(responder: Responder, request: AgentRequest) -> AgentResponse:
    """Return the response of a responder; one that raises is lost, but its thread goes on."""
    try:
        return responder.respond(request)
    except Exception as error:  # noqa: BLE001 - every request needs a response
        return failure_response(request, error)._replace(lost=True)
