"""What an expressive agent knows in one game, and how it brings out words and offers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from negoplatform.agent_api.actions import Action, ProposeChange, SendExpression, SendMessage, SendOffer
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Expression, Preference, Relation
from negoplatform.core.mechanisms.bargaining import may_be_bound
from negoplatform.domain.offer import EMPTY_OFFER, Offer, Term
from negoplatform.domain.seat import Seat
from negoplatform.domain.utility import Points
from negoplatform.language.generation.templates import Words
from negoplatform.language.generation.verbalizer import offer_in_words, points_in_words, title_in_words
from negoplatform.strategies.expressive.behaviour import Behaviour
from negoplatform.strategies.expressive.disclosure import PlainWords
from negoplatform.strategies.expressive.emotion_policy import Faces
from negoplatform.strategies.expressive.favour_ledger import Ledger
from negoplatform.strategies.expressive.message_builder import Speech
from negoplatform.strategies.expressive.offer_policies import ConcedingOffers
from negoplatform.strategies.expressive.opponent_model import Other, own_tables
from negoplatform.strategies.expressive.ranked_outcomes import Deals

IN_A_ROW = 2
"""So often the same proposal is made in a row."""

REMINDERS = 3
"""So often in all it asks for the formal accept of one offer."""

COURTESIES_IN_A_ROW = 2
"""So many courtesies in a row are answered, lest two polite agents never stop."""

BUSY_SECONDS = 3.0
"""So long an answer may take to come out."""

DRAFT_SECONDS = 20.0
"""So long an offer that the other is building is waited for, after the last sign of it."""


SLIGHT = 1e-9
"""A difference in worth that is none."""

WITHOUT_MOVING = {"counter_offer": "counter_offer", "threat_give_way": "threat_offer"}
"""What it says with an offer that is no step towards the other, by what it says with one that may be."""

WITH_A_STEP = {"counter_offer": "offer_giving_way", "threat_give_way": "threat_give_way"}
"""What it says with one that is."""


@dataclass
class Policies:
    """What an expressive agent is made of.

    Args:
        offers: What it demands, proposes and accepts.
        words: What it tells about itself, and in which style.
        faces: Which face it shows.
        behaviour: When it acts of its own accord, and how it deals with favours.
        fixed_pie: Whether it takes for granted, until it knows better, that the other wants what it wants.
    """

    offers: ConcedingOffers = field(default_factory=ConcedingOffers)
    words: PlainWords = field(default_factory=PlainWords)
    faces: Faces = field(default_factory=Faces)
    behaviour: Behaviour = field(default_factory=Behaviour)
    fixed_pie: bool = True


class Mind:
    """One game, as one expressive agent sees it.

    Args:
        ctx: The context at its start.
        policies: What the agent is made of.
    """

    active_at = 0.0
    """When anybody did something last."""
    face_at = float("-inf")
    """When it last answered a face."""
    prompts = 0
    """How often it has broken the silence in a row."""
    hurried = 0
    """How many proposals it has made because time runs out."""
    heard = 0
    """How many offers the others have made."""
    wholes = 0
    """How many of them could be a deal."""
    stuck = 0
    """How many answers in a row brought nothing new."""
    accepted: int | None = None
    """The offer that it has accepted or is about to, by its id."""
    liked: int | None = None
    """The own offer that the other has said yes to in words, by its id."""
    asked_to_wait = False
    """Whether somebody has said last that they need time."""
    told = False
    """Whether somebody has said what they want."""
    opened = False
    """Whether it was time for the first offer."""
    over = False
    """Whether the game has ended."""
    _drafting = float("-inf")
    _last_id: int | None = None
    _lies = 0
    _courtesies = 0
    _contradiction: tuple[Preference, Preference] | None = None

    def __init__(self, ctx: AgentContext, policies: Policies) -> None:
        self.policies = policies
        self.others: dict[Seat, Other] = {
            seat: Other(ctx, seat, fixed_pie=policies.fixed_pie) for seat in ctx.game.others(ctx.seat)
        }
        self.deals = Deals(ctx, self.others)
        self.tables = own_tables(ctx)
        """The agent's own points by issue and level."""
        self.speech = Speech(Words(self.language, policies.words.style))
        self._reminded: Counter[int | None] = Counter()
        self.nodded: dict[str, Term] = {}
        """Terms that the other has agreed to in words."""
        self.stated_limit = self.deals.floor
        """What it has said that it has without a deal; until it has said so the truth."""
        self._best_heard: tuple[float, Offer] = (float("-inf"), EMPTY_OFFER)
        self._sent: list[Offer] = []
        policies.offers.begin(ctx, self)
        policies.words.begin(ctx)
        self.ledger.begin()

    @property
    def language(self) -> str:
        """What it speaks, such as ``en``."""
        return self.policies.words.language

    @property
    def ledger(self) -> Ledger:
        """The favours."""
        return self.policies.behaviour.ledger

    @property
    def presented_limit(self) -> Points:
        """Its value of no deal, as it says."""
        return self.policies.words.limit(self.deals.best_points)

    def late(self, ctx: AgentContext) -> bool:
        """Whether it has to come to an end."""
        return self.policies.behaviour.is_late(ctx.remaining_time, self.heard)

    # What it hears

    def note(self, ctx: AgentContext) -> None:
        """Somebody does something."""
        self.active_at = max(self.active_at, ctx.elapsed_time)

    def hear_offer(self, ctx: AgentContext, sender: Seat, offer: Offer) -> bool:
        """Learns from an offer of another seat.

        Returns:
            Whether it is better than all that were heard before, or a part of a deal.
        """
        self.heard += 1
        self._courtesies = 0
        self._drafting = float("-inf")
        self.others[sender].hear_offer(offer)
        if not may_be_bound(ctx.game, offer):
            self.prompts = 0
            return True
        self.wholes += 1
        points = ctx.utility(offer)
        self.ledger.offers(self.deals.gain(points), self.policies.offers.demand, by_other=True)
        better = points > self._best_heard[0]
        if better:
            self.prompts = 0
            self._best_heard = float(points), offer
        return better

    @property
    def best_heard(self) -> Offer:
        """The best whole offer that anybody else has made; the empty offer before the first."""
        return self._best_heard[1]

    def hear_draft(self, ctx: AgentContext) -> None:
        """Somebody is building an offer."""
        self._drafting = ctx.elapsed_time
        self.note(ctx)

    def waits_for_draft(self, now: float) -> bool:
        """Whether somebody is building an offer."""
        return now - self._drafting < DRAFT_SECONDS

    def is_courteous(self) -> bool:
        """Whether it answers one courtesy more: two in a row, without an offer or other talk in between."""
        self._courtesies += 1
        return self._courtesies <= COURTESIES_IN_A_ROW

    def hear_matter(self) -> None:
        """Somebody says something that is more than a courtesy."""
        self._courtesies = 0

    def hear_preference(self, sender: Seat, said: Preference) -> None:
        """Learns from a statement of another seat; one that contradicts an older one is kept to ask about."""
        contradicted = self.others[sender].hear_preference(said)
        if contradicted is not None and self._contradiction is None:
            self._contradiction = contradicted, said

    def take_contradiction(self) -> tuple[Preference, Preference] | None:
        """The older and the newer of two statements that contradict each other, to ask about, once."""
        taken, self._contradiction = self._contradiction, None
        return taken

    # What it says

    def say(self, ctx: AgentContext, kind: str, /, **more: Any) -> list[Action]:
        """The typing sign and words of a kind; nothing if it would repeat itself. See :meth:`Speech.say`."""
        self.active_at = max(self.active_at, ctx.elapsed_time + BUSY_SECONDS)
        return self.speech.say(kind, ctx.rng, **more)

    def show(self, expression: Expression | None) -> list[Action]:
        """A face, if there is one to show."""
        return [] if expression is None else [SendExpression(expression)]

    def title(self, ctx: AgentContext, issue: str) -> str:
        """An issue as it is called in a sentence."""
        return title_in_words(ctx.game.issue(issue), self.language)

    def slots(self, ctx: AgentContext, preference: Preference) -> dict[str, str]:
        """What fills words about a preference."""
        first = self.title(ctx, preference.issue1)
        if preference.issue2 is None:
            return {"issue": first}
        second = self.title(ctx, preference.issue2)
        swapped = preference.relation is Relation.LESS
        return {"first": second, "second": first} if swapped else {"first": first, "second": second}

    def state(self, ctx: AgentContext, fact: Preference) -> list[Action]:
        """Tells a fact about its preferences; one that is not true is marked in the record."""
        words = self.say(
            ctx, f"pref_info_{relation_of(fact)}", preference=fact, flushable=False, **self.slots(ctx, fact)
        )
        if not words or self.policies.words.is_true(fact):
            return words
        return [*words, self.lie(ctx, "preference", _text_of(words))]

    def state_limit(self, ctx: AgentContext) -> list[Action]:
        """Tells its value of no deal; one that is not true is marked in the record."""
        limit = self.presented_limit
        told = points_in_words(limit, self.language)
        words = self.say(ctx, "batna_info", batna=float(limit), flushable=False, value=told)
        if words:
            self.stated_limit = max(self.deals.floor, min(limit, self.deals.best_points))
        if not words or limit == ctx.reservation_value:
            return words
        return [*words, self.lie(ctx, "batna", _text_of(words))]

    def believes(self, ctx: AgentContext, seat: Seat) -> Action:
        """What it takes for another seat's order of the issues, best first, for the record."""
        order = [list(group) for group in self.others[seat].orderings.minimax()]
        return ProposeChange({"notes": {ctx.seat: {"believes": {seat: order}}}})

    def lie(self, ctx: AgentContext, about: str, said: str) -> Action:
        """The mark of a lie, for the experimenter alone."""
        self._lies += 1
        return ProposeChange(
            {"notes": {ctx.seat: {"lie": {"about": about, "said": said, "count": self._lies}}}}
        )

    # What it proposes

    def proposed(self, ctx: AgentContext) -> list[Offer]:
        """Its own offers so far, oldest first."""
        if ctx.own_offer_id != self._last_id:
            last = ctx.get_last_offer()
            assert last is not None  # there is an own offer, for it has an id
            self._last_id = last["offer_id"]
            self._sent.append(last["offer"])
        return self._sent

    def propose(
        self, ctx: AgentContext, kind: str, offer: Offer | None = None, *, asked: bool = False
    ) -> list[Action]:
        """Words and an offer, both dropped if the other does something before they are out.

        Args:
            ctx: The context.
            kind: The words.
            offer: The offer; what the policy proposes unless given.
            asked: Whether it was asked for it, so that even an old proposal is better than none.

        An offer of another seat that it has accepted is not replaced: it asks for their formal accept.
        """
        if self.accepted is not None and self.accepted == ctx.current_offer_id:
            return self.remind(ctx, "yours_missing")
        offer = offer or self.policies.offers.proposal(ctx, self)
        if offer is None:
            return self.say(ctx, "no_deal_here")
        if self._repeats(ctx, offer):
            offer = self.policies.offers.proposal(ctx, self, self.proposed(ctx)[-3:]) or offer
        kind = introduction(ctx, self, kind, offer)
        if kind == "hurry_standing":
            return self.say(ctx, kind)
        if self._repeats(ctx, offer) and not (asked and self.standing(ctx) != offer):
            return self.say(ctx, "stand_by")
        if may_be_bound(ctx.game, offer):
            own = self.deals.gain(ctx.utility(offer))
            self.ledger.offers(own, self.policies.offers.demand, by_other=False)
        words = self.say(ctx, kind)
        # In the same moment: words whose offer was dropped would go with the next one, or with none.
        return [*words, SendOffer(offer, flushable=True)]

    def remind(self, ctx: AgentContext, kind: str) -> list[Action]:
        """Asks for the formal accept of what is on the table; three times in all for one offer."""
        self._reminded[ctx.current_offer_id] += 1
        return [] if self._reminded[ctx.current_offer_id] > REMINDERS else self.say(ctx, kind)

    def in_words(self, ctx: AgentContext, offer: Offer) -> str:
        """An offer as this agent would say it."""
        return offer_in_words(offer, ctx.game, ctx.seat, language=self.language)

    def standing(self, ctx: AgentContext) -> Offer:
        """Its own offer on the table; the empty offer if there is none."""
        return ctx.current_offer if ctx.current_offer_sender == ctx.seat else EMPTY_OFFER

    def _repeats(self, ctx: AgentContext, offer: Offer) -> bool:
        last = self.proposed(ctx)[-IN_A_ROW:]
        return self.standing(ctx) == offer or (len(last) == IN_A_ROW and all(old == offer for old in last))


def relation_of(fact: Preference) -> str:
    """What the words for a preference are called after."""
    return "greater" if fact.relation is Relation.LESS else fact.relation.lower()


def _text_of(words: list[Action]) -> str:
    return next(action.text for action in words if isinstance(action, SendMessage))


def introduction(ctx: AgentContext, mind: Mind, kind: str, offer: Offer) -> str:
    """The kind of words that goes with an offer.

    Args:
        ctx: The context.
        mind: What it knows.
        kind: What the offer is meant as.
        offer: The offer.
    """
    before = mind.proposed(ctx)
    part = not ctx.game.is_complete(offer)
    if kind == "hurry":
        return kind if mind.standing(ctx) != offer else "hurry_standing"
    if kind in (*WITHOUT_MOVING, "introduce_offer") and before and before[-1] == offer:
        return "offer_same_again"
    if kind == "complete_offer":
        return "offer_one_more" if part else kind
    if kind in WITHOUT_MOVING:
        if before and gives_way(ctx, mind, before[-1], offer):
            return WITH_A_STEP[kind]
        return "part_offer" if part and kind == "counter_offer" else WITHOUT_MOVING[kind]
    return "part_offer" if part and kind == "introduce_offer" else kind


def gives_way(ctx: AgentContext, mind: Mind, before: Offer, offer: Offer) -> bool:
    """Whether an offer is a step towards the others after another one of the same issues: it costs the
    agent something, and is worth more to them as far as it can tell.
    """
    if before.issues != offer.issues:
        return False
    more = mind.deals.worth_to_others(offer) - mind.deals.worth_to_others(before)
    return more > SLIGHT and ctx.utility(offer) < ctx.utility(before)
