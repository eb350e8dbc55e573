"""Guided practice: a small game against a scripted partner who agrees. Nothing of it is recorded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from negoplatform.agent_api.actions import (
    Action,
    FormalAccept,
    SendExpression,
    SendMessage,
    SendOffer,
    ShowTyping,
)
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.app.session.agent_setup import PreparedAgent
from negoplatform.app.session.live_session import LiveSession
from negoplatform.app.session.session_plan import SessionPlan
from negoplatform.app.session.session_runner import seat_rng
from negoplatform.core.events import Event, Expression, MessageSubtype
from negoplatform.domain.errors import LogWriteError
from negoplatform.domain.game import GameSpec, Preferences, Rules
from negoplatform.domain.issue import QuantityIssue
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat_map import SeatMap
from negoplatform.domain.utility import AdditiveUtility
from negoplatform.eventlog.failover import LogRelocation
from negoplatform.eventlog.writer import NoLog
from negoplatform.hosting.agent_runner import AgentRunner
from negoplatform.hosting.agent_script_timing import AgentTiming
from negoplatform.hosting.responder import SeatAssignment
from negoplatform.plugins.agent_loader import AgentPlugin

PERSON, PARTNER = "human", "agent"
UNITS, MORE, LESS, NO_DEAL = 4, 3, 1, 4
"""Units of each of the two issues; points per unit for the side that prefers it, and for the other; points of
no deal."""

OPENING_OFFER = Offer({name: Allocation({PERSON: 2, PARTNER: 2}) for name in ("apples", "bananas")})
"""The partner's first offer."""

MAX_HINTS = 2
"""Number of times that the partner answers messages that are neither a greeting nor an offer."""


@dataclass(frozen=True, slots=True)
class PracticeTexts:
    """Texts of the practice, in the window's language.

    Args:
        title: The game's title.
        briefing: The participant's instructions.
        partner: The partner's name.
        greeting: The message before the first offer.
        hint: The answer to other messages.
        second_offer_request: The answer to the first offer, where a second one is to be practised.
        completing_offer: The message before an offer that completes the participant's own.
        agreed: The message when the partner accepts.
        farewell: The message at the end.
    """

    title: str
    briefing: str
    partner: str
    greeting: str
    hint: str
    second_offer_request: str
    completing_offer: str
    agreed: str
    farewell: str


class PracticePartner(NegotiationAgent):
    """Partner that answers each act of the participant, and never acts by itself.

    Args:
        texts: Its messages.
        offers_required: The participant's offer of this number, and each later one, is accepted; one that
            leaves something undecided is completed in the participant's favour instead.
    """

    def __init__(self, texts: PracticeTexts, offers_required: int) -> None:
        super().__init__(PARTNER)
        self._texts = texts
        self._offers_required = offers_required
        self._greeted = False
        self._hints = self._offers = 0

    def get_name(self) -> str:
        """Return its name."""
        return self._texts.partner

    def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Greet and make an offer; later, answer messages that are no offer."""
        if event.payload.subtype in (MessageSubtype.OFFER_PROPOSE, MessageSubtype.FAREWELL):
            return []
        if not self._greeted and not self._offers:
            self._greeted = True
            greeting = self._message_actions(self._texts.greeting, MessageSubtype.GREETING)
            return [SendExpression(Expression.HAPPY), *greeting, SendOffer(OPENING_OFFER, delay_ms=900)]
        self._hints += 1
        if self._hints > MAX_HINTS or ctx.state.meta.phase == "closing":
            return []
        # A message may come with the offer that it was typed for: an answer to the offer is enough.
        return [SendMessage(self._texts.hint, delay_ms=1200, flushable=True)]

    def on_send_offer(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Ask for one more offer, complete a partial one, or accept."""
        self._offers += 1
        if self._offers < self._offers_required:
            return [
                SendExpression(Expression.HAPPY),
                *self._message_actions(self._texts.second_offer_request),
            ]
        if not ctx.can_formally_accept():
            whole = complete_offer(event.get_offer())
            return [*self._message_actions(self._texts.completing_offer), SendOffer(whole, delay_ms=700)]
        return [SendExpression(Expression.HAPPY), *self._message_actions(self._texts.agreed), FormalAccept()]

    def on_formal_accept(self, ctx: AgentContext, event: Event) -> list[Action]:  # noqa: ARG002 - API
        """Accept its own offer once the participant has accepted that."""
        return [FormalAccept()] if ctx.can_formally_accept() else []

    def on_game_end(self, ctx: AgentContext, event: Event) -> list[Action]:  # noqa: ARG002 - API
        """Say goodbye."""
        return [SendMessage(self._texts.farewell, MessageSubtype.FAREWELL)]

    @staticmethod
    def _message_actions(text: str, subtype: MessageSubtype = MessageSubtype.GENERIC) -> list[Action]:
        return [ShowTyping(800), SendMessage(text, subtype, delay_ms=800)]


def complete_offer(offer: Offer) -> Offer:
    """Return a practice offer with everything undecided given to the participant."""
    terms = {}
    for name, opening in OPENING_OFFER.terms:
        term = offer.get(name) or Allocation({}, undecided=UNITS)
        assert isinstance(term, Allocation)
        assert isinstance(opening, Allocation)
        terms[name] = Allocation(
            {PERSON: term.of(PERSON) + term.undecided, PARTNER: term.of(PARTNER)}, undecided=0
        )
    return Offer(terms)


def practice_game(texts: PracticeTexts, *, language: str, reads_talk: bool) -> GameSpec:
    """Return the game: apples and bananas, without a time limit."""

    def preferences(seat: str, apple: int, banana: int) -> Preferences:
        tables = {
            name: {units: worth * units for units in range(UNITS + 1)}
            for name, worth in (("apples", apple), ("bananas", banana))
        }
        return Preferences(AdditiveUtility(seat, tables), NO_DEAL)

    return GameSpec(
        name="guided_practice",
        title=texts.title,
        issues=(
            QuantityIssue("apples", UNITS, label="Apples", picture="apple"),
            QuantityIssue("bananas", UNITS, label="Bananas", picture="banana"),
        ),
        seats=(PERSON, PARTNER),
        preferences=SeatMap(
            {PERSON: preferences(PERSON, MORE, LESS), PARTNER: preferences(PARTNER, LESS, MORE)}
        ),
        stories=SeatMap({PERSON: texts.briefing}),
        rules=Rules(
            reads_talk=reads_talk,
            reading_language="" if language == "en" else language,
            # The scripted partner has no answer to them, and the sessions that follow may leave them out.
            offer_requests=False,
            closing_seconds=3600.0,
        ),
    )


class NullLiveLog(NoLog):
    """Log of a live session that stores nothing."""

    def __init__(self) -> None:
        self.on_unwritable: Callable[[LogWriteError], bool] = lambda _error: False

    @property
    def sync_due(self) -> float | None:
        """None: nothing waits."""
        return None

    def sync(self) -> None:
        """Do nothing."""

    def take_relocations(self) -> list[LogRelocation]:
        """Return nothing: it has no folder."""
        return []


def practice_session(
    game: GameSpec, texts: PracticeTexts, *, report: Callable[[BaseException], object]
) -> LiveSession:
    """Return a live session for the practice, not yet started.

    Args:
        game: The practice game; where it interprets typed text, a second offer is practised, in words.
        texts: The texts.
        report: Called with an unexpected error.
    """

    def make() -> AgentRunner:
        return AgentRunner(PracticePartner(texts, 2 if game.rules.reads_talk else 1), seat_rng(0, PARTNER))

    partner = PreparedAgent(
        AgentPlugin("guided_practice", PracticePartner.__name__, Path(__file__), "", ""),
        {},
        AgentTiming(),
        texts.partner,
        SeatAssignment(make),
    )
    agents = SeatMap([(PARTNER, partner)])
    plan = SessionPlan(game=game, seed=0, human_seat=PERSON, participant="", agents=agents)
    return LiveSession(plan, log=NullLiveLog(), report=report)
