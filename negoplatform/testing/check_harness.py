"""Harness of a check: a table with the agent in one seat, and a record of its answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from random import Random

from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.bids import Bids
from negoplatform.core.events import Event, Expression, Message, MessageSubtype, Preference
from negoplatform.core.state import Phase
from negoplatform.domain.errors import Refused
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import QuantityIssue
from negoplatform.domain.offer import Allocation, Offer, Term
from negoplatform.domain.seat_map import Seat
from negoplatform.hosting.agent_runner import AgentRequest
from negoplatform.hosting.responder import AgentInput, ResponderFactory
from negoplatform.hosting.responder_executors import InlineExecutor, ResponseCallback
from negoplatform.language.generation import offer_in_words
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
        self._clock = clock

    def executor(
        self, make: ResponderFactory, take: ResponseCallback, past: Iterable[AgentInput]
    ) -> InlineExecutor:
        """Return an executor that records the calls."""
        return _RecordingExecutor(make, take, past, self, self._clock)


class _RecordingExecutor(InlineExecutor):
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

    def submit(self, request: AgentRequest) -> None:
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
        self._on_response(answer)


def _handler_of(request: AgentRequest) -> str:
    name = f"on_{request.stimulus.type.lower()}"
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

    def offers(self, offer: Offer) -> Event | None:
        """Send an offer from the other; return its event."""
        with suppress(Refused):
            return self.table.participant(self.others[0]).offers(offer)
        return None

    def says_and_offers(self, offer: Offer) -> None:
        """Send an offer that the other typed: the text, and the offer at the same moment."""
        self.says(offer_in_words(offer, self.game, self.others[0]))
        self.offers(offer)

    def accept(self) -> None:
        """Formally accept the offer on the table, from every other seat."""
        for seat in self.others:
            with suppress(Refused):
                self.table.participant(seat).accepts()

    def shows(self, expression: Expression) -> None:
        """Show an emotion of the other."""
        with suppress(Refused):
            self.table.participant(self.others[0]).shows(expression)

    def works_on(self, draft: Offer) -> None:
        """Type and build an offer, from the other."""
        with suppress(Refused):
            self.table.participant(self.others[0]).types()
            self.table.participant(self.others[0]).drafts(draft)

    def quits(self) -> None:
        """Walk away, from the other."""
        with suppress(Refused):
            self.table.participant(self.others[0]).quits()

    # Prepared offers

    @cached_property
    def best_offer(self) -> Offer:
        """Best offer that the agent could get."""
        return Bids(self.table.context(self.seat)).best()

    @cached_property
    def worst_offer(self) -> Offer:
        """An offer among the worst for the agent."""
        bids = Bids(self.table.context(self.seat))
        return bids.near(bids.lowest, Random(1))

    @cached_property
    def partial_offer(self) -> Offer:
        """Best offer for the agent, with one issue or one unit of it left undecided."""
        terms: dict[str, Term] = dict(self.best_offer.terms)
        for issue in self.game.issues:
            term = terms[issue.name]
            if isinstance(issue, QuantityIssue) and isinstance(term, Allocation) and issue.quantity > 1:
                seat = max(term.units, key=term.of)
                terms[issue.name] = Allocation(term.units.with_value(seat, term.of(seat) - 1), 1)
                return Offer(terms)
        if len(terms) > 1:
            del terms[self.game.issues[-1].name]
        return Offer(terms)

    def demand(self, share: float) -> Offer:
        """Return an offer with the other's demand, from their best (1) to their points of no deal (0)."""
        context = self.table.context(self.others[0])
        bids = self._others_bids
        least = max(context.reservation_value, bids.lowest)
        return bids.near(least + share * (bids.highest - least), Random(1))

    @cached_property
    def _others_bids(self) -> Bids:
        return Bids(self.table.context(self.others[0]))

    def is_other_satisfied(self, share: float) -> bool:
        """Return whether the agent's offer on the table meets the other's demand."""
        context = self.table.context(self.others[0])
        on_table = context.current_offer
        if context.current_offer_sender != self.seat or not self.game.is_complete(on_table):
            return False
        return context.utility(on_table) >= context.utility(self.demand(share))
