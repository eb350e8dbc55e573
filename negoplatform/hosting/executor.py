"""Where an agent is asked: on the table's own thread, or on one of its own. Nobody waits for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from queue import SimpleQueue
from threading import Thread
from typing import Protocol

from negoplatform.core.events import Event
from negoplatform.hosting.agent_runner import Answer, Question, failed
from negoplatform.hosting.responder import Heard, MakeMind, Mind, lost, mind_after

TakeAnswer = Callable[[Answer], None]


class Runner(Protocol):
    """Asks an agent; its answers come back through the callable that the runner was made with."""

    def ask(self, question: Question) -> None:
        """Puts a question; questions are answered in the order in which they were put."""
        ...

    def see(self, event: Event) -> None:
        """Tells the agent's mind of an event that nobody asks it about."""
        ...

    def stop(self) -> None:
        """No more questions will come, and no more answers are wanted."""
        ...


MakeRunner = Callable[[MakeMind, TakeAnswer, Iterable[Heard]], Runner]
"""Makes a runner of a fresh mind that has heard some past, given where answers go."""


class DirectRunner:
    """Answers at once, on the caller's thread: for simulations and tests.

    Args:
        make: Makes the mind.
        take: Is given each answer.
        past: What the mind has heard before.
    """

    def __init__(self, make: MakeMind, take: TakeAnswer, past: Iterable[Heard] = ()) -> None:
        self._mind = mind_after(make, past)
        self._take = take

    def ask(self, question: Question) -> None:
        """Asks and answers."""
        self._take(self._mind.answer(question))

    def see(self, event: Event) -> None:
        """Tells the mind at once."""
        self._mind.see(event)

    def stop(self) -> None:
        """Ends the mind."""
        self._mind.stop()


class ThreadRunner:
    """Answers on a thread of its own, so that a slow agent holds nobody up.

    Args:
        make: Makes the mind, on that thread.
        take: Is given each answer, on the agent's thread: it must hand it on to the table's.
        past: What the mind has heard before.
        name: The thread's name.
    """

    def __init__(self, make: MakeMind, take: TakeAnswer, past: Iterable[Heard], name: str) -> None:
        self._take = take
        self._stopped = False
        self._mind: Mind | None = None
        self._queue: SimpleQueue[Heard | None] = SimpleQueue()
        # A daemon thread, not an executor: an executor waits for a hung agent at exit.
        Thread(target=self._run, args=(make, tuple(past)), name=name, daemon=True).start()

    def ask(self, question: Question) -> None:
        """Puts a question into the agent's queue."""
        self._queue.put(question)

    def see(self, event: Event) -> None:
        """Puts an event into the agent's queue."""
        self._queue.put(event)

    def stop(self) -> None:
        """Ends the mind, in the middle of an answer if need be, and the thread with it."""
        self._stopped = True
        if self._mind is not None:
            self._mind.stop()
        self._queue.put(None)

    def _run(self, make: MakeMind, past: tuple[Heard, ...]) -> None:
        self._mind = mind = mind_after(make, past)
        if self._stopped:
            mind.stop()  # it was stopped while its mind was being made
        while (heard := self._queue.get()) is not None and not self._stopped:
            if isinstance(heard, Question):
                self._take(_asked(mind, heard))
            else:
                try:
                    mind.see(heard)
                except Exception as error:  # noqa: BLE001 - the next question says so; nobody asks a dead thread
                    self._mind = mind = lost(mind, error)


def _asked(mind: Mind, question: Question) -> Answer:
    """A mind's answer; one that raises is lost, and the thread that asks it is not."""
    try:
        return mind.answer(question)
    except Exception as error:  # noqa: BLE001 - whatever it is, somebody waits for an answer
        return failed(question, error)._replace(lost=True)
