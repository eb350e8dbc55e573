"""Endless session: both seats act at random, as fast as the log can be written."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from random import Random

from negoplatform.core.bus import PublishedEvent
from negoplatform.core.events import Event, Expression, Message, MessageSubtype
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.mechanisms.bargaining import bargaining_state
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.record.notes_and_tasks_proposals import Proposer, ProposerKind
from negoplatform.core.session import Session
from negoplatform.core.state import Phase
from negoplatform.domain.errors import Refused
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, Issue, NumberIssue, QuantityIssue
from negoplatform.domain.offer import Allocation, Offer, Term
from negoplatform.domain.seat_map import Seat
from tests.eventlog.logs import SESSION_ID
from tests.proposers import issued
from tests.torture.sessions import shipped_games

WORDS = ("Hello!", "Two for me?", 'A "quote",\nand a break', "שלום", "🍌 = 1+1", "=1+1", "x" * 700)


@cache
def endless_game() -> GameSpec:
    """Return a shipped game without a deadline."""
    game = next(game for game in shipped_games() if game.name == "resource_exchange").resolve_profiles(1)
    return replace(game, rules=replace(game.rules, deadline_seconds=None))


class Players:
    """Session with the random numbers that drive it.

    Args:
        log: The function that writes one event.
        random: The random numbers that determine every act.
        game: The game.
        publish: The function that receives every published event.
    """

    def __init__(
        self,
        log: Callable[[Event], None],
        random: Random,
        *,
        game: GameSpec | None = None,
        publish: Callable[[PublishedEvent], None] = lambda happening: None,
    ) -> None:
        self.game = game or endless_game()
        self.clock = 0.0
        self._random = random
        self.session = Session(
            self.game,
            mechanism=mechanism_of(self.game.mechanism),
            clock=lambda: self.clock,
            log=log,
            publish=publish,
            report=_raise,
            session_id=SESSION_ID,
        )

    def take_up(self, past: Iterable[Event], torn_bytes: int) -> None:
        """Continue where a log ends; start the game if it ends before the start."""
        self.session.restore(past)
        self.clock = self.session.state.t
        if self.session.state.phase is Phase.SETUP:
            self.session.start()
        else:
            self.session.resume(torn_bytes)

    def act(self) -> None:
        """Do one random act; occasionally it is refused, which is recorded too."""
        self.clock += self._random.choice((0.001, 0.2, 0.7, 1.9))
        with contextlib.suppress(Refused):
            self._random.choice(self._acts())()

    def _acts(self) -> tuple[Callable[[], object], ...]:
        random, session, seat = self._random, self.session, self._random.choice(self.game.seats)
        return (
            lambda: session.send_message(
                seat, Message(random.choice(WORDS), random.choice((MessageSubtype.GENERIC, *MessageSubtype)))
            ),
            lambda: session.send_offer(seat, self._offer()),
            lambda: session.send_offer(seat, self._offer()),
            lambda: session.send_expression(seat, random.choice(list(Expression))),
            lambda: session.show_typing(seat),
            lambda: session.offer_in_progress(seat, self._offer()),
            self._one_accepts,
            lambda: session.formal_accept(seat, 1),
            session.tick,
            lambda: session.note(NoteKind.WARNING_SHOWN, about="nothing", points=1.5),
            lambda: session.record_agent_failure(seat, "It raised."),
            lambda: session.propose_change(
                issued(session, Proposer(ProposerKind.SEAT, seat)),
                {"notes": {seat: {"mine": random.random()}}},
                session.state.record.version,
            ),
        )

    def _one_accepts(self) -> None:
        """Accept for one seat alone, always the same, so that the game never ends."""
        on_table = bargaining_state(self.session.state).on_table
        if on_table is not None:
            self.session.formal_accept(self.game.seats[0], on_table.offer_id)

    def end(self) -> None:
        """Make one more offer that all seats accept."""
        first, *others = self.game.seats
        offer_id = self.session.send_offer(first, self._offer()).seq
        for seat in (first, *others):
            self.session.formal_accept(seat, offer_id)

    def _offer(self) -> Offer:
        """Return a complete offer."""
        return Offer({issue.name: self._term(issue, self.game.seats) for issue in self.game.issues})

    def _term(self, issue: Issue, seats: tuple[Seat, ...]) -> Term:
        match issue:
            case QuantityIssue():
                mine = self._random.randint(0, issue.quantity)
                return Allocation({seats[0]: mine, seats[1]: issue.quantity - mine})
            case CategoricalIssue():
                return self._random.choice(issue.values)
            case NumberIssue():
                return issue.low


def _raise(error: BaseException) -> None:
    raise error
