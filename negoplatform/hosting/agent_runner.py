"""An agent and what is kept beside it, wherever it runs: its chance, and the callbacks it scheduled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from threading import current_thread, main_thread
from typing import Any, NamedTuple

from negoplatform.agent_api.actions import ACTIONS, Action, Schedule, as_script
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event, EventType, clean_text
from negoplatform.core.visibility import View
from negoplatform.domain.errors import AgentError, text_of
from negoplatform.domain.fast_tuple import make


class Question(NamedTuple):
    """What an agent is asked to answer: an event, or the call of a callback that it scheduled.

    Args:
        view: What its seat sees now.
        now: Session time in seconds.
        stimulus: The event; for a callback, the one that it was scheduled in answer to.
        call: The number of the callback; None for an event.
    """

    view: View
    now: float
    stimulus: Event
    call: int | None = None


@dataclass(frozen=True, slots=True)
class ScheduledCall:
    """A callback that stays with the agent, under a number."""

    number: int
    delay_ms: float
    flushable: bool


Step = Action | ScheduledCall

LONGEST_FAILURE = 500
"""Characters of an agent's error that are kept in the log; the crash file has them all."""


class Answer(NamedTuple):
    """What an agent wants done.

    Args:
        question: What it was asked.
        steps: Its script, in order; callbacks are replaced by their numbers.
        failure: A sentence, if it failed. Steps come with it only if it was merely slow.
        error: The error behind the failure, for the crash file.
        lost: Whether nothing can be asked any more: its process ended, or had to be ended.
    """

    question: Question
    steps: tuple[Step, ...] = ()
    failure: str = ""
    error: BaseException | None = None
    lost: bool = False


class Brain:
    """Asks an agent and turns whatever happens into an answer.

    Args:
        agent: The agent, configured.
        rng: Its seat's source of chance.
    """

    def __init__(self, agent: NegotiationAgent, rng: Random) -> None:
        self._agent = agent
        self._rng = rng
        self._callbacks: dict[int, Callable[[AgentContext], Any]] = {}
        self._calls = 0
        self._begun = False

    def answer(self, question: Question) -> Answer:
        """The agent's answer; an agent that fails gives one too."""
        ctx = AgentContext(question.view, now=question.now, rng=self._rng)
        try:
            script = self._ask(ctx, question)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt) and current_thread() is main_thread():
                raise  # somebody pressed Ctrl-C
            return failed(question, error)
        return make(
            Answer, (question, tuple([self._keep_callback(action) for action in script]), "", None, False)
        )

    def see(self, event: Event) -> None:
        """Nothing: what it is asked next brings the state with it."""

    def stop(self) -> None:
        """Nothing: it holds nothing."""

    def _ask(self, ctx: AgentContext, question: Question) -> list[Action]:
        if question.call is None:
            if question.stimulus.type == EventType.GAME_START or not self._begun:
                # An agent that was restarted may never be asked about the start at which it was lost.
                self._agent.reset()
                self._begun = True
            returned = self._agent.handle_event(ctx, question.stimulus)
            # The base class has checked what its handlers returned; an author's own may return anything.
            own = type(self._agent).handle_event is not NegotiationAgent.handle_event
            return as_script(returned, "handle_event") if own else returned
        returned = self._callbacks.pop(question.call)(ctx)
        if isinstance(returned, ACTIONS):
            returned = [returned]
        return as_script(returned, "a scheduled callback")

    def _keep_callback(self, action: Action) -> Step:
        if type(action) is not Schedule:
            return action
        callback = action.callback
        self._calls += 1
        self._callbacks[self._calls] = callback if callable(callback) else lambda ctx: callback  # noqa: ARG005
        return ScheduledCall(self._calls, action.delay_ms, action.flushable)


def failed(question: Question, error: BaseException) -> Answer:
    """The answer of an agent that failed."""
    return Answer(question, failure=_failure(error), error=error)


def _failure(error: BaseException) -> str:
    """What went wrong, in one sentence that a log can hold."""
    if isinstance(error, AgentError):
        return clean_text(text_of(error))[:LONGEST_FAILURE]
    traceback = error.__traceback__
    where = ""
    while traceback is not None:
        where = f" in line {traceback.tb_lineno} of {traceback.tb_frame.f_code.co_name}"
        traceback = traceback.tb_next
    text = text_of(error)[:LONGEST_FAILURE]
    return clean_text(f"It raised {type(error).__name__}{f' ({text})' if text else ''}{where}.")
