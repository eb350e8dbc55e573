"""Where an agent is asked: on the table's own thread, or on one of its own. Nobody waits for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from queue import SimpleQueue
from threading import Thread
from typing import Protocol

from negoplatform.core.events import Event
from negoplatform.hosting.agent_runner import AgentRequest, AgentResponse, failure_response
from negoplatform.hosting.responder import (
    AgentInput,
    Responder,
    ResponderFactory,
    lost_responder,
    replayed_responder,
)

ResponseCallback = Callable[[AgentResponse], None]


class AgentExecutor(Protocol):
    """Asks an agent; its answers come back through the callable that the runner was made with."""

    def submit(self, request: AgentRequest) -> None:
        """Puts a question; questions are answered in the order in which they were put."""
        ...

    def notify(self, event: Event) -> None:
        """Tells the agent's mind of an event that nobody asks it about."""
        ...

    def stop(self) -> None:
        """No more questions will come, and no more answers are wanted."""
        ...


ExecutorFactory = Callable[[ResponderFactory, ResponseCallback, Iterable[AgentInput]], AgentExecutor]
"""Makes a runner of a fresh mind that has heard some past, given where answers go."""


class InlineExecutor:
    """Answers at once, on the caller's thread: for simulations and tests.

    Args:
        make: Makes the mind.
        take: Is given each answer.
        past: What the mind has heard before.
    """

    def __init__(
        self, make: ResponderFactory, on_response: ResponseCallback, past: Iterable[AgentInput] = ()
    ) -> None:
        self.responder = replayed_responder(make, past)
        self._on_response = on_response

    def submit(self, request: AgentRequest) -> None:
        """Asks and answers."""
        self._on_response(self.responder.respond(request))

    def notify(self, event: Event) -> None:
        """Tells the mind at once."""
        self.responder.notify(event)

    def stop(self) -> None:
        """Ends the mind."""
        self.responder.stop()


class ThreadExecutor:
    """Answers on a thread of its own, so that a slow agent holds nobody up.

    Args:
        make: Makes the mind, on that thread.
        take: Is given each answer, on the agent's thread: it must hand it on to the table's.
        past: What the mind has heard before.
        name: The thread's name.
    """

    def __init__(
        self, make: ResponderFactory, on_response: ResponseCallback, past: Iterable[AgentInput], name: str
    ) -> None:
        self._on_response = on_response
        self._stopped = False
        self._responder: Responder | None = None
        self._queue: SimpleQueue[AgentInput | None] = SimpleQueue()
        # A daemon thread, not an executor: an executor waits for a hung agent at exit.
        Thread(target=self._run, args=(make, tuple(past)), name=name, daemon=True).start()

    def submit(self, request: AgentRequest) -> None:
        """Puts a question into the agent's queue."""
        self._queue.put(request)

    def notify(self, event: Event) -> None:
        """Puts an event into the agent's queue."""
        self._queue.put(event)

    def stop(self) -> None:
        """Ends the mind, in the middle of an answer if need be, and the thread with it."""
        self._stopped = True
        if self._responder is not None:
            self._responder.stop()
        self._queue.put(None)

    def _run(self, make: ResponderFactory, past: tuple[AgentInput, ...]) -> None:
        self._responder = mind = replayed_responder(make, past)
        if self._stopped:
            mind.stop()  # it was stopped while its mind was being made
        while (heard := self._queue.get()) is not None and not self._stopped:
            if isinstance(heard, AgentRequest):
                self._on_response(_respond_or_lose(mind, heard))
            else:
                try:
                    mind.notify(heard)
                except Exception as error:  # noqa: BLE001 - the next question says so; nobody asks a dead thread
                    self._responder = mind = lost_responder(mind, error)


def _respond_or_lose(mind: Responder, question: AgentRequest) -> AgentResponse:
    """A mind's answer; one that raises is lost, and the thread that asks it is not."""
    try:
        return mind.respond(question)
    except Exception as error:  # noqa: BLE001 - whatever it is, somebody waits for an answer
        return failure_response(question, error)._replace(lost=True)
