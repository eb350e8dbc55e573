"""Runner of an agent, in any process: it holds the random number generator and the scheduled callbacks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from threading import current_thread, main_thread
from typing import Any, NamedTuple

from negoplatform.agent_api.actions import (
    ACTIONS,
    MechanismAct,
    MechanismAction,
    NormalizedAction,
    ProposeChange,
    Schedule,
    normalize_actions,
)
from negoplatform.agent_api.base import NegotiationAgent, check_agent_plays, name_of_handler
from negoplatform.agent_api.context import AgentContext
from negoplatform.agent_api.principal import PrincipalAgent, PrincipalContext, normalize_instructions
from negoplatform.agent_api.trading_agents import EMPTY_HANDLERS
from negoplatform.core.events import GAME_START, Event, EventType, FailureKind, clean_text, new_tuple
from negoplatform.core.mechanisms.registry import handler_name
from negoplatform.core.rounds import SINGLE_ROUND, Round
from negoplatform.core.visibility import View, observer_of, visible_game
from negoplatform.domain.agent_team_settings import TeamMemberError
from negoplatform.domain.errors import AgentError, author_frame, text_of
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.formats.agent_actions import checked_act
from negoplatform.formats.sent_commands import dump_instruction


class AgentRequest(NamedTuple):
    """Request to an agent: to answer an event, or to call a callback that it scheduled.

    Args:
        view: The present view of its seat.
        now: Session time in seconds.
        stimulus: The event; for a callback, the event in answer to which it was scheduled.
        call: The number of the callback; ``TICK`` for a tick of a principal; None for an event.
        is_told: Whether the responder was notified of the stimulus earlier: messages take their time.
    """

    view: View
    now: float
    stimulus: Event
    call: int | None = None
    is_told: bool = False


TICK = 0
"""Number of a call that is the tick of a principal."""


@dataclass(frozen=True, slots=True)
class ScheduledCall:
    """A callback that stays with the agent, under a number."""

    number: int
    delay_ms: float
    flushable: bool


ScriptStep = NormalizedAction | ScheduledCall

CONVERTED_ACTIONS = frozenset({MechanismAct, Schedule})
"""Actions that are no steps of a script as they are."""

LONGEST_FAILURE = 500
"""Characters of an agent's error that the log holds; the crash file has all of them."""

NO_REACTION = "It did not react within"
"""Beginning of the failure of an agent whose process was ended after its time for a reaction."""


class AgentResponse(NamedTuple):
    """Response of an agent.

    Args:
        request: The request.
        steps: The script, in order; callbacks are replaced by their numbers.
        failure: A sentence, if the agent failed. Steps come with it only if it was merely slow.
        error: The error behind the failure, for the crash file.
        lost: Whether the agent cannot answer any more: its process ended, or had to be ended.
    """

    request: AgentRequest
    steps: tuple[ScriptStep, ...] = ()
    failure: str = ""
    error: BaseException | None = None
    lost: bool = False

    @property
    def failure_kind(self) -> FailureKind:
        """Kind of the failure, which the log names."""
        if self.lost:
            return FailureKind.LOST
        if isinstance(self.error, TeamMemberError):
            return FailureKind.MEMBER
        return FailureKind.SLOW if self.steps else FailureKind.FAILED


RngState = tuple[int, tuple[int, ...], float | None]
"""State of a random number generator: ``random.Random.getstate()``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentGame:
    """Game of an agent, one of those that it plays in a row.

    Args:
        seat: The agent's seat.
        game: The game; the agent is given the part that the seat may see.
        rng_state: The state of its random number generator.
        round: Its place among the games that the agent plays in a row.
        config: Settings with which the agent is configured again; None: it keeps those that it has. Only
            the recorded responses of a language model differ from game to game.
        record: The sections with which the session's record begins.
        session_id: The session's id; empty where it has none.
        output: The file for the output of its process; None: output is dropped.
        advises: Whether it advises the person in its seat.
    """

    seat: Seat
    game: GameSpec
    rng_state: RngState
    round: Round
    config: Mapping[str, Any] | None = None
    record: Mapping[str, Any] = field(default_factory=dict)
    session_id: str = ""
    output: Path | None = None
    advises: bool = False

    def without_config(self) -> AgentGame:
        """Return the game for an agent that keeps its settings."""
        return replace(self, config=None)


class AgentRunner:
    """Responder that calls an agent and turns every result, also an error, into a response.

    Args:
        agent: The agent, configured.
        rng: The random number generator of its seat.
        round_: The place of its game among those that it plays in a row.
    """

    def __init__(self, agent: NegotiationAgent, rng: Random, round_: Round = SINGLE_ROUND) -> None:
        self._agent = agent
        self._rng = rng
        self._round = round_
        self._callbacks: dict[int, Callable[[AgentContext], Any]] = {}
        self._calls = 0
        self._started = False

    @property
    def agent(self) -> NegotiationAgent:
        """The agent."""
        return self._agent

    @property
    def rng(self) -> Random:
        """Random number generator of the agent's seat."""
        return self._rng

    def respond(self, request: AgentRequest) -> AgentResponse:
        """Return the agent's response; a failure is a response too."""
        view, now, stimulus, call, _ = request
        try:
            if call is None:
                if stimulus.type == GAME_START or not self._started:
                    # An agent lost at the start is not asked about the start again after its restart.
                    self._agent.reset()
                    self._started = True
                name, handler = self._handler_of(stimulus)
                if handler is None:
                    return new_tuple(AgentResponse, (request, (), "", None, False))
                actions = normalize_actions(
                    handler(AgentContext(view, now, self._rng, self._round), stimulus), name
                )
            elif call == TICK:
                actions = self._tick(PrincipalContext(view, now, self._rng, self._round))
            else:
                ctx = AgentContext(view, now=now, rng=self._rng, round_=self._round)
                actions = self._call_back(ctx, call)
            converted = not CONVERTED_ACTIONS.isdisjoint(map(type, actions))
            steps = tuple(map(self._step, actions) if converted else actions)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt) and current_thread() is main_thread():
                raise  # Ctrl-C was pressed
            return failure_response(request, error)
        return new_tuple(AgentResponse, (request, steps, "", None, False))

    def ignores(self, event: Event) -> bool:
        """Return whether the agent has no handler of its own for an event, such as most facts of a market."""
        kind = event.type
        return self._started and kind != GAME_START and self._handler_of(event)[1] is None

    def _handler_of(self, event: Event) -> tuple[str, Callable[[AgentContext, Event], Any] | None]:
        """Return the name and the agent's own handler of an event; None: it has none."""
        agent = self._agent
        if getattr(agent.handle_event, "__func__", None) is not NegotiationAgent.handle_event:
            return "handle_event", agent.handle_event
        # Found as the base class does, and called from here, so that it is looked up once.
        kind = event.type
        name = name_of_handler(event) if kind == EventType.STATE_PROPOSED else handler_name(kind)
        handler = getattr(agent, name, None)
        return name, None if getattr(handler, "__func__", None) in EMPTY_HANDLERS else handler

    def begin_next(self, following: AgentGame) -> None:
        """Have the same agent play another game; its ``reset`` is called at the start of that.

        Raises:
            AgentError: If it cannot play that game.
        """
        self._agent.agent_id = following.seat
        if following.config is not None:
            self._agent.configure(dict(following.config))
        check_agent_plays(
            self._agent, visible_game(following.game, observer_of(following.game, following.seat))
        )
        self._rng = Random()
        self._rng.setstate(following.rng_state)
        self._round = following.round
        self._callbacks.clear()
        self._calls = 0
        self._started = False

    def notify(self, event: Event) -> None:
        """Do nothing: the next request brings the state with it."""

    def stop(self) -> None:
        """Do nothing: there is nothing to release."""

    def _tick(self, ctx: PrincipalContext) -> list[NormalizedAction]:
        """Return the instructions of a principal, each as a change of its own commands."""
        if not isinstance(self._agent, PrincipalAgent):
            raise AgentError(f"{type(self._agent).__name__} is no principal.")
        if not self._started:
            self._agent.reset()
            self._started = True
        given = normalize_instructions(self._agent.on_tick(ctx))
        return [
            ProposeChange({"commands": {ctx.seat: {str(number): dump_instruction(instruction)}}})
            for number, instruction in enumerate(given, 1)
        ]

    def _call_back(self, ctx: AgentContext, number: int) -> list[NormalizedAction]:
        returned = self._callbacks.pop(number)(ctx)
        if isinstance(returned, (*ACTIONS, MechanismAction)):
            returned = [returned]
        return normalize_actions(returned, "a scheduled callback")

    def _step(self, action: NormalizedAction) -> ScriptStep:
        """Return an action as a step: an act of the mechanism is checked, a callback gets a number."""
        if type(action) is MechanismAct:
            return checked_act(action)
        if type(action) is not Schedule:
            return action
        callback = action.callback
        self._calls += 1
        self._callbacks[self._calls] = callback if callable(callback) else lambda ctx: callback  # noqa: ARG005
        return ScheduledCall(self._calls, action.delay_ms, action.flushable)


def failure_response(request: AgentRequest, error: BaseException) -> AgentResponse:
    """Return the response of an agent that failed."""
    return AgentResponse(request, failure=_failure_sentence(error), error=error)


def _failure_sentence(error: BaseException) -> str:
    """Describe an error in one sentence that a log can hold."""
    if isinstance(error, AgentError):
        return clean_text(text_of(error))[:LONGEST_FAILURE]
    frame = author_frame(error)
    where = "" if frame is None else f" in line {frame[0]} of {frame[1]}"
    text = text_of(error)[:LONGEST_FAILURE]
    return clean_text(f"It raised {type(error).__name__}{f' ({text})' if text else ''}{where}.")
