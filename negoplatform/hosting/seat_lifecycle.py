"""Who answers for a seat now, and who follows when they cannot go on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial

from negoplatform.core.events import DecidedBy, Event, FailureKind
from negoplatform.domain.errors import NegoError
from negoplatform.domain.seat import Seat
from negoplatform.hosting.agent_runner import Answer, Question
from negoplatform.hosting.executor import MakeRunner, Runner, TakeAnswer
from negoplatform.hosting.responder import (
    Casting,
    Heard,
    MakeMind,
    Mind,
    Understudy,
    without_asking,
    without_calls,
)


class Next(Enum):
    """What follows when an agent cannot go on."""

    RESTART = auto()
    UNDERSTUDY = auto()
    END = auto()


@dataclass(frozen=True, slots=True)
class Tenant:
    """How a seat is held at one moment.

    Args:
        mind: Who answers.
        heard: What it has heard.
        lost_at: The questions among that at which a mind of the seat was lost.
        pending: What was asked since it was lost, and nobody has heard yet.
        strikes: Its failures since it was made.
        restarts: How often the seat's own agent was restarted.
        stands_in: Whether it is the understudy.
        certain: How much of ``heard`` the log holds an answer to, or to something later.
        failed: The answer with which it was lost, if nothing followed yet.
        told: What became of that answer, if its failure stands in the log.
    """

    mind: Mind
    heard: Sequence[Heard] = ()
    lost_at: Sequence[Question] = ()
    pending: Sequence[Heard] = ()
    strikes: int = 0
    restarts: int = 0
    stands_in: bool = False
    certain: int = 0
    failed: Answer | None = None
    told: FailureKind | None = None


class Tenancy:
    """Who answers for a seat. Lives on the table's thread.

    Args:
        seat: The seat.
        casting: Who holds it, what it may take, and who follows.
        runner: Makes what asks a mind.
        take: Is given every answer of the one who holds the seat at the time.
    """

    def __init__(self, seat: Seat, casting: Casting, runner: MakeRunner, take: TakeAnswer) -> None:
        self.casting = casting
        self.restarts = 0
        self._seat = seat
        self._make_runner = runner
        self._take = take
        self._runner: Runner | None = None
        self._generation = 0
        self._strikes = 0
        self._stands_in = False
        # A mind that nobody will make again needs no memory of what it heard.
        self._remembers = casting.budget.restarts > 0 or casting.understudy is not None
        self._heard: list[Heard] = []
        self._lost_at: list[Question] = []
        self._answered = self._certain = 0
        self._stopped = False

    @property
    def decided_by(self) -> DecidedBy:
        """Who decides what the seat does now."""
        return DecidedBy.FALLBACK if self._stands_in else DecidedBy.AGENT

    @property
    def understudy(self) -> Understudy:
        """Who takes over in the end."""
        if self.casting.understudy is None:
            raise NegoError(f"Nobody stands by for the seat {self._seat!r}.")
        return self.casting.understudy

    def take_over(self, tenant: Tenant) -> None:
        """Goes on as a seat was held before."""
        self._strikes, self.restarts = tenant.strikes, tenant.restarts
        self._stands_in = tenant.stands_in
        self._remembers = self._remembers and not tenant.stands_in
        self._heard, self._lost_at = [*tenant.heard, *tenant.pending], list(tenant.lost_at)
        self._answered, self._certain = len(tenant.heard), tenant.certain
        self._install(lambda: tenant.mind, ())

    def ask(self, question: Question) -> None:
        """Puts a question to the one who holds the seat."""
        if self._stopped:
            return
        if self._runner is None:
            self._install(self.casting.make, ())
        if self._remembers:
            self._heard.append(question)
        if self._runner is not None:
            self._runner.ask(question)

    def see(self, event: Event) -> None:
        """Tells the one who holds the seat what it did itself."""
        if self._stopped:
            return
        if self._remembers:
            self._heard.append(event)
        if self._runner is not None:
            self._runner.see(event)

    def struck(self, answer: Answer) -> bool:
        """Counts a failure; whether this mind may no longer hold the seat."""
        self._strikes += 1
        return answer.lost or self._strikes >= self.casting.budget.strikes

    def next(self) -> Next:
        """What follows when the one who holds the seat cannot go on."""
        if self._stands_in:
            return Next.END
        if self.restarts < self.casting.budget.restarts:
            return Next.RESTART
        return Next.END if self.casting.understudy is None else Next.UNDERSTUDY

    def restart(self, lost_at: Question | None = None) -> None:
        """A fresh mind of the same agent hears again what was answered, and is asked what was not.

        Args:
            lost_at: The question at which the last mind was lost, if it was; nobody asks it again.
        """
        self.restarts += 1
        self._strikes = 0
        if lost_at is not None:
            self._lost_at.append(lost_at)
        self._start_over(self.casting.make, self._lost_at)

    def seat_understudy(self, unanswered: Question | None) -> None:
        """The understudy hears what was heard, and answers what the agent could not.

        Args:
            unanswered: The question that the agent failed at; None: it had answered, and failed at acting so.
        """
        self._strikes = 0
        self._stands_in = True
        for i, heard in enumerate(self._heard):
            if heard is unanswered:
                self._answered = max(i, self._certain)
        past, rest = self._heard[: self._answered], self._heard[self._answered :]
        # The callbacks were the agent's own.
        self._answered = len(without_calls(past))
        self._heard = [*without_calls(past), *without_calls(rest)]
        self._start_over(self.understudy.make, ())
        self._remembers = False
        self._heard.clear()

    def stop(self) -> None:
        """Ends the one who holds the seat; nobody follows."""
        self._stopped = True
        self._generation += 1
        if self._runner is not None:
            self._runner.stop()

    def _start_over(self, make: MakeMind, lost_at: Sequence[Question]) -> None:
        past = without_asking(self._heard[: self._answered], lost_at)
        rest = self._heard[self._answered :]
        self._install(make, past)
        generation = self._generation
        for heard in rest:
            if self._runner is None or self._generation != generation:
                return  # it, too, could not go on, and whoever followed was told the rest
            if isinstance(heard, Question):
                self._runner.ask(heard)
            else:
                self._runner.see(heard)

    def _install(self, make: MakeMind, past: Sequence[Heard]) -> None:
        if self._stopped:
            return
        if self._runner is not None:
            self._runner.stop()
        # What the one before still has to say is no longer wanted.
        self._generation += 1
        self._runner = self._make_runner(make, partial(self._arrived, self._generation), past)

    def _arrived(self, generation: int, answer: Answer) -> None:
        if generation != self._generation:
            return
        if self._remembers:
            while self._heard[self._answered] is not answer.question:
                self._answered += 1
            self._answered += 1
        self._take(answer)
