"""Where an agent runs: beside the table, or in a thread of its own. Nobody waits for it."""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import Protocol

from negoplatform.hosting.brain import Answer, Brain, Question

TakeAnswer = Callable[[Answer], None]


class Runner(Protocol):
    """Asks an agent; its answers come back through the callable that the runner was made with."""

    def ask(self, question: Question) -> None:
        """Puts a question; questions are answered in the order in which they were put."""
        ...

    def stop(self) -> None:
        """No more questions will come."""
        ...


class DirectRunner:
    """Answers at once, on the caller's thread: for simulations and tests.

    Args:
        brain: The agent.
        take: Is given each answer.
    """

    def __init__(self, brain: Brain, take: TakeAnswer) -> None:
        self._brain = brain
        self._take = take

    def ask(self, question: Question) -> None:
        """Asks and answers."""
        self._take(self._brain.answer(question))

    def stop(self) -> None:
        """Does nothing."""


class ThreadRunner:
    """Answers on a thread of its own, so that a slow agent holds nobody up.

    Args:
        brain: The agent.
        take: Is given each answer, on the agent's thread: it must hand it on to the table's.
        name: The thread's name.
    """

    def __init__(self, brain: Brain, take: TakeAnswer, name: str) -> None:
        self._brain = brain
        self._take = take
        self._questions: SimpleQueue[Question | None] = SimpleQueue()
        # A daemon thread, not an executor: an executor waits for a hung agent at exit.
        Thread(target=self._run, name=name, daemon=True).start()

    def ask(self, question: Question) -> None:
        """Puts a question into the agent's queue."""
        self._questions.put(question)

    def stop(self) -> None:
        """Ends the thread once it has answered what it was asked."""
        self._questions.put(None)

    def _run(self) -> None:
        while (question := self._questions.get()) is not None:
            self._take(self._brain.answer(question))
