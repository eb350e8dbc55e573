"""Harness of a check: a table with the agent in one seat, its situations, and a record of its answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.app.session.session_runner import seat_rng
from negoplatform.core.events import Expression, Message, MessageSubtype, Preference
from negoplatform.core.mechanisms.registry import handler_name
from negoplatform.core.state import Phase
from negoplatform.domain.errors import Refused
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.hosting.agent_runner import AgentRequest, AgentResponse, AgentRunner
from negoplatform.hosting.responder import AgentInput, Responder, ResponderFactory
from negoplatform.hosting.responder_executors import InlineExecutor, ResponseCallback
from negoplatform.testing.trial_table import TrialTable

MAX_GAME_SECONDS = 900.0
"""Session time after which a situation is over in a game whose deadline is later."""

NO_DEADLINE_SECONDS = 120.0
"""Session time of a situation in a game without a deadline."""


@dataclass(frozen=True, slots=True)
class HandlerCall:
    """A call of the agent and its result.

    Args:
        handler: The handler.
        t: Session time in seconds.
        seconds: Duration of the answer, by the clock of the check.
        failure: A sentence, if the agent failed.
        error: The error behind it.
    """

    handler: str
    t: float
    seconds: float
    failure: str = ""
    error: BaseException | None = None


class CallRecorder:
    """Recorder of an agent's answers and their times. Written on the agent's thread, read on the check's.

    Args:
        clock: Seconds from any origin.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self.calls: list[HandlerCall] = []
        self.started_calls = 0
        self.current_call: tuple[str, float] | None = None
        self.is_abandoned = False
        self.executor_in_use: RecordingExecutor | None = None
        self.forgotten: tuple[str, float] | None = None
        """Handler and session time of an answer that the agent did not repeat after a restart."""
        self._clock = clock

    def executor(
        self, make: ResponderFactory, take: ResponseCallback, past: Iterable[AgentInput]
    ) -> InlineExecutor:
        """Return an executor that records the calls."""
        return RecordingExecutor(make, take, past, self, self._clock)


class RecordingExecutor(InlineExecutor):
    """Executor that tells a recorder of every call, and can restart its agent."""

    def __init__(
        self,
        make: ResponderFactory,
        on_response: ResponseCallback,
        past: Iterable[AgentInput],
        recorder: CallRecorder,
        clock: Callable[[], float],
    ) -> None:
        super().__init__(make, on_response, past)
        self._recorder = recorder
        self._clock = clock
        self._answers: list[AgentResponse] = []
        recorder.executor_in_use = self

    def submit(self, request: AgentRequest) -> AgentResponse:
        """Answer a request, and record the call."""
        if self._recorder.is_abandoned:
            # This game was abandoned; the end of its thread, and of nothing else.
            raise SystemExit
        handler = _handler_of(request)
        self._recorder.current_call = handler, request.now
        self._recorder.started_calls += 1
        began = self._clock()
        answer = self.responder.respond(request)
        seconds = self._clock() - began
        self._recorder.current_call = None
        self._recorder.calls.append(HandlerCall(handler, request.now, seconds, answer.failure, answer.error))
        self._answers.append(answer)
        return answer

    def restart(self, responder: Responder) -> None:
        """Continue with a fresh responder, which is given the same requests first.

        Its answers to them are compared with those of the one before.
        """
        for answer in self._answers:
            again = responder.respond(answer.request)
            if (again.steps, again.failure) != (answer.steps, answer.failure):
                self._recorder.forgotten = _handler_of(answer.request), answer.request.now
                return  # it has other callbacks, so its place cannot be taken
        self.responder = responder


def _handler_of(request: AgentRequest) -> str:
    name = handler_name(request.stimulus.type)
    return name if request.call is None else f"a callback that was scheduled in {name}"


class CheckHarness:
    """Table of a situation, with methods for the actions of the other seats; refused actions are left out.

    Args:
        game: The game.
        seat: The agent's seat.
        agent: The agent.
        seed: Seed for everything random.
        recorder: The recorder of the agent's answers.
    """

    def __init__(
        self, game: GameSpec, seat: Seat, agent: NegotiationAgent, *, seed: int, recorder: CallRecorder
    ) -> None:
        self.game = game
        self.seat = seat
        self.others = game.others(seat)
        self.table = TrialTable(game, seed=seed, agents_may_fail=True)
        self.table.seat(agent, seat, executor_factory=recorder.executor)
        self.confirmed: bool | None = None
        """Whether the agent confirmed an offer of its own that all others had accepted; None: no chance."""
        self._agent = agent
        self._seed = seed
        self._recorder = recorder

    @property
    def running(self) -> bool:
        """Whether the game still runs."""
        return self.table.state.phase is not Phase.CLOSING and not self.table.closed

    @property
    def now(self) -> float:
        """Session time in seconds."""
        return self.table.context(self.seat).elapsed_time

    @cached_property
    def length(self) -> float:
        """Duration in seconds of a situation that waits for the end."""
        deadline = self.game.rules.deadline_seconds
        return NO_DEADLINE_SECONDS if deadline is None else min(deadline, MAX_GAME_SECONDS)

    def wait(self, seconds: float) -> None:
        """Let session time pass."""
        self.table.wait(seconds)

    def wait_until_closed(self) -> None:
        """Let the deadline and the closing pass."""
        self.table.wait(max(0.0, self.length - self.now) + self.game.rules.closing + 1)

    def restart_agent(self) -> None:
        """Replace the agent by a new one that is given the same events first, as after a crash."""
        executor = self._recorder.executor_in_use
        if executor is None:
            return
        fresh = type(self._agent)(self.seat)
        fresh.configure(dict(getattr(self._agent, "_config", {})))
        executor.restart(AgentRunner(fresh, seat_rng(self._seed, self.seat)))

    # Actions of the others

    def says(
        self,
        text: str,
        subtype: MessageSubtype = MessageSubtype.GENERIC,
        preference: Preference | None = None,
        batna: float | None = None,
    ) -> None:
        """Send a message from the other."""
        self.table.start()
        with suppress(Refused):
            message = Message(text, subtype, preference, batna)
            self.table.session.send_message(self.others[0], message)

    def shows(self, expression: Expression) -> None:
        """Show an emotion of the other."""
        with suppress(Refused):
            self.table.participant(self.others[0]).shows(expression)

    def quits(self) -> None:
        """Walk away, from the other."""
        with suppress(Refused):
            self.table.participant(self.others[0]).quits()


@dataclass(frozen=True, slots=True)
class CheckSituation:
    """Behaviour of the other seats.

    Args:
        name: Its name in findings.
        play: Function that plays it, given the harness of its kind of game; one of a module, so that another
            process can play it too.
        games: Number of games that the agent plays one after another; the last one is looked at.
        needs_deadline: Whether it makes sense only in a game with a deadline.
        in_another_process: Whether it is also played in a process whose sets are in another order.
    """

    name: str
    play: Callable[[Any], None]
    games: int = 1
    needs_deadline: bool = False
    in_another_process: bool = False


@dataclass(frozen=True, slots=True)
class CheckCase:
    """A situation in a game, with the agent in one of its seats.

    Args:
        game: The game.
        seat: The agent's seat.
        situation: The situation.
        harness: The class of the harness of this kind of game.
    """

    game: GameSpec
    seat: Seat
    situation: CheckSituation
    harness: type[CheckHarness]

    @property
    def name(self) -> str:
        """Name in findings."""
        return f"{self.game.name}, as {self.seat}, {self.situation.name}"
