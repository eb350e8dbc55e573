"""An agent and what is kept beside it, wherever it runs: its chance, and the callbacks it scheduled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from threading import current_thread, main_thread
from typing import Any, NamedTuple

from negoplatform.agent_api.actions import ACTIONS, Action, Schedule, normalize_actions
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event, EventType, clean_text
from negoplatform.core.visibility import View
from negoplatform.domain.errors import AgentError, text_of
from negoplatform.domain.fast_tuple import new_tuple


class AgentRequest(NamedTuple):
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


ScriptStep = Action | ScheduledCall

LONGEST_FAILURE = 500
"""Characters of an agent's error that are kept in the log; the crash file has them all."""


class AgentResponse(NamedTuple):
    """What an agent wants done.

    Args:
        request: What it was asked.
        steps: Its script, in order; callbacks are replaced by their numbers.
        failure: A sentence, if it failed. Steps come with it only if it was merely slow.
        error: The error behind the failure, for the crash file.
        lost: Whether nothing can be asked any more: its process ended, or had to be ended.
    """

    request: AgentRequest
    steps: tuple[ScriptStep, ...] = ()
    failure: str = ""
    error: BaseException | None = None
    lost: bool = False


class AgentRunner:
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
        self._started = False

    def respond(self, request: AgentRequest) -> AgentResponse:
        """The agent's answer; an agent that fails gives one too."""
        ctx = AgentContext(request.view, now=request.now, rng=self._rng)
        try:
            script = self._call_agent(ctx, request)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt) and current_thread() is main_thread():
                raise  # somebody pressed Ctrl-C
            return failure_response(request, error)
        return new_tuple(
            AgentResponse,
            (request, tuple([self._register_callback(action) for action in script]), "", None, False),
        )

    def notify(self, event: Event) -> None:
        """Nothing: what it is asked next brings the state with it."""

    def stop(self) -> None:
        """Nothing: it holds nothing."""

    def _call_agent(self, ctx: AgentContext, question: AgentRequest) -> list[Action]:
        if question.call is None:
            if question.stimulus.type == EventType.GAME_START or not self._started:
                # An agent that was restarted may never be asked about the start at which it was lost.
                self._agent.reset()
                self._started = True
            returned = self._agent.handle_event(ctx, question.stimulus)
            # The base class has checked what its handlers returned; an author's own may return anything.
            own = type(self._agent).handle_event is not NegotiationAgent.handle_event
            return normalize_actions(returned, "handle_event") if own else returned
        returned = self._callbacks.pop(question.call)(ctx)
        if isinstance(returned, ACTIONS):
            returned = [returned]
        return normalize_actions(returned, "a scheduled callback")

    def _register_callback(self, action: Action) -> ScriptStep:
        if type(action) is not Schedule:
            return action
        callback = action.callback
        self._calls += 1
        self._callbacks[self._calls] = callback if callable(callback) else lambda ctx: callback  # noqa: ARG005
        return ScheduledCall(self._calls, action.delay_ms, action.flushable)


def failure_response(request: AgentRequest, error: BaseException) -> AgentResponse:
    """The answer of an agent that failed."""
    return AgentResponse(request, failure=_failure_sentence(error), error=error)


def _failure_sentence(error: BaseException) -> str:
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
