"""State of an expressive agent in one game, and the composition of its messages and offers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from negoplatform.agent_api.actions import Action, ProposeChange, SendExpression, SendMessage, SendOffer
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Expression, Preference, Relation
from negoplatform.core.mechanisms.bargaining import is_bindable
from negoplatform.domain.offer import EMPTY_OFFER, Offer, Term
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.utility import Points
from negoplatform.language.generation import Words, offer_in_words, points_in_words, title_in_words
from negoplatform.strategies.expressive.disclosure_policies import PlainWords
from negoplatform.strategies.expressive.emotion_policy import Faces
from negoplatform.strategies.expressive.favour_ledger import Ledger
from negoplatform.strategies.expressive.initiative_timing import Behaviour
from negoplatform.strategies.expressive.message_builder import ExpressiveMessageBuilder
from negoplatform.strategies.expressive.offer_policies import ConcedingOffers
from negoplatform.strategies.expressive.opponent_model import ExpressiveOpponentModel, own_tables
from negoplatform.strategies.expressive.ranked_outcomes import RankedOutcomes

MAX_REPEATED_PROPOSALS = 2
"""Times that the same proposal is made in a row, at most."""

MAX_REMINDERS = 3
"""Requests for the formal accept of one offer, at most."""

MAX_CONSECUTIVE_COURTESIES = 2
"""Courtesies that are answered in a row; more, and two polite agents would never stop."""

BUSY_SECONDS = 3.0
"""Seconds that an answer may take to be sent."""

DRAFT_SECONDS = 20.0
"""Seconds to wait for an offer that the other is building, after the last sign of it."""

WORTH_TOLERANCE = 1e-9
"""Difference in utility that counts as none."""

NON_CONCESSION_KINDS = {"counter_offer": "counter_offer", "threat_give_way": "threat_offer"}
"""Kinds of message with an offer that is no step towards the other, by the kinds with one that may be."""

CONCESSION_KINDS = {"counter_offer": "offer_giving_way", "threat_give_way": "threat_give_way"}
"""Kinds of message with an offer that is one."""


@dataclass
class Policies:
    """The policies of an expressive agent.

    Args:
        offers: Demands, proposals and acceptance.
        words: Statements about itself, and their style.
        faces: Facial expressions.
        behaviour: Initiative and favours.
        fixed_pie: Whether the other is assumed to want the same issues until there is better evidence.
    """

    offers: ConcedingOffers = field(default_factory=ConcedingOffers)
    words: PlainWords = field(default_factory=PlainWords)
    faces: Faces = field(default_factory=Faces)
    behaviour: Behaviour = field(default_factory=Behaviour)
    fixed_pie: bool = True


class ExpressiveAgentState:
    """State of one game, from the point of view of one expressive agent.

    Args:
        ctx: The context at its start.
        policies: The agent's policies.
    """

    last_activity = 0.0
    """Session time of the last action of any seat."""
    last_expression_reply = float("-inf")
    """Session time of its last answer to a face."""
    prompts = 0
    """Number of its prompts in the present silence."""
    final_proposals = 0
    """Number of its proposals because time runs out."""
    offers_received = 0
    """Number of the others' offers."""
    complete_offers_received = 0
    """Number of the others' offers that could be a deal."""
    stalled_turns = 0
    """Number of answers in a row without any news."""
    accepted_offer_id: int | None = None
    """Id of the offer that it has accepted or is about to accept."""
    verbally_accepted_id: int | None = None
    """Id of its own offer that the other has accepted in words."""
    wait_requested = False
    """Whether the last statement about time was a request to wait."""
    preferences_received = False
    """Whether any seat has stated a preference."""
    opening_due = False
    """Whether the first offer was due."""
    is_over = False
    """Whether the game has ended."""
    _last_draft = float("-inf")
    _last_id: int | None = None
    _lie_count = 0
    _courtesy_count = 0
    _contradiction: tuple[Preference, Preference] | None = None

    def __init__(self, ctx: AgentContext, policies: Policies) -> None:
        self.policies = policies
        self.others: dict[Seat, ExpressiveOpponentModel] = {
            seat: ExpressiveOpponentModel(ctx, seat, fixed_pie=policies.fixed_pie)
            for seat in ctx.game.others(ctx.seat)
        }
        self.deals = RankedOutcomes(ctx, self.others)
        self.tables = own_tables(ctx)
        """The agent's own points by issue and level."""
        self.messages = ExpressiveMessageBuilder(Words(self.language, policies.words.style))
        self._reminder_counts: Counter[int | None] = Counter()
        self.agreed_terms: dict[str, Term] = {}
        """Terms that the other has accepted in words."""
        self.stated_limit = self.deals.floor
        """Stated value of no deal; the true one before any statement."""
        self._best_received: tuple[float, Offer] = (float("-inf"), EMPTY_OFFER)
        self._sent: list[Offer] = []
        policies.offers.begin(ctx, self)
        policies.words.begin(ctx)
        self.ledger.begin()

    @property
    def language(self) -> str:
        """Language of its messages, such as ``en``."""
        return self.policies.words.language

    @property
    def ledger(self) -> Ledger:
        """Ledger of favours."""
        return self.policies.behaviour.ledger

    @property
    def presented_limit(self) -> Points:
        """Value of no deal that it presents to others."""
        return self.policies.words.limit(self.deals.best_points)

    def late(self, ctx: AgentContext) -> bool:
        """Return whether the end is near."""
        return self.policies.behaviour.is_late(ctx.remaining_time, self.offers_received)

    # Observations

    def record_activity(self, ctx: AgentContext) -> None:
        """Record an action of another seat."""
        self.last_activity = max(self.last_activity, ctx.elapsed_time)

    def record_offer(self, ctx: AgentContext, sender: Seat, offer: Offer) -> bool:
        """Learn from an offer of another seat.

        Returns:
            Whether it is better than all earlier ones, or a part of a deal.
        """
        self.offers_received += 1
        self._courtesy_count = 0
        self._last_draft = float("-inf")
        self.others[sender].update_from_offer(offer)
        if not is_bindable(ctx.game, offer):
            self.prompts = 0
            return True
        self.complete_offers_received += 1
        points = ctx.utility(offer)
        self.ledger.record_offer(self.deals.gain(points), self.policies.offers.demand, by_other=True)
        better = points > self._best_received[0]
        if better:
            self.prompts = 0
            self._best_received = float(points), offer
        return better

    @property
    def best_received(self) -> Offer:
        """Best whole offer of any other seat; the empty offer before the first."""
        return self._best_received[1]

    def record_draft(self, ctx: AgentContext) -> None:
        """Record that another seat is building an offer."""
        self._last_draft = ctx.elapsed_time
        self.record_activity(ctx)

    def is_draft_pending(self, now: float) -> bool:
        """Return whether another seat is building an offer."""
        return now - self._last_draft < DRAFT_SECONDS

    def should_answer_courtesy(self) -> bool:
        """Return whether to answer one more courtesy: two in a row, without other events in between."""
        self._courtesy_count += 1
        return self._courtesy_count <= MAX_CONSECUTIVE_COURTESIES

    def reset_courtesies(self) -> None:
        """Reset the count of courtesies after a message that is more than one."""
        self._courtesy_count = 0

    def record_preference(self, sender: Seat, statement: Preference) -> None:
        """Learn from another seat's statement; one that contradicts an older one is kept for a question."""
        contradicted = self.others[sender].update_from_preference(statement)
        if contradicted is not None and self._contradiction is None:
            self._contradiction = contradicted, statement

    def pop_contradiction(self) -> tuple[Preference, Preference] | None:
        """Return two statements that contradict each other, the older first, once, for a question."""
        taken, self._contradiction = self._contradiction, None
        return taken

    # Messages

    def say(self, ctx: AgentContext, kind: str, /, **more: Any) -> list[Action]:
        """Return the typing sign and a message of a kind, or nothing rather than a repetition.

        See :meth:`ExpressiveMessageBuilder.say`.
        """
        self.last_activity = max(self.last_activity, ctx.elapsed_time + BUSY_SECONDS)
        return self.messages.say(kind, ctx.rng, **more)

    def show(self, expression: Expression | None) -> list[Action]:
        """Return a face, if there is one to show."""
        return [] if expression is None else [SendExpression(expression)]

    def title(self, ctx: AgentContext, issue: str) -> str:
        """Return the name of an issue within a sentence."""
        return title_in_words(ctx.game.issue(issue), self.language)

    def slots(self, ctx: AgentContext, preference: Preference) -> dict[str, str]:
        """Return the slots of a message about a preference."""
        first = self.title(ctx, preference.issue1)
        if preference.issue2 is None:
            return {"issue": first}
        second = self.title(ctx, preference.issue2)
        swapped = preference.relation is Relation.LESS
        return {"first": second, "second": first} if swapped else {"first": first, "second": second}

    def disclose(self, ctx: AgentContext, fact: Preference) -> list[Action]:
        """State a fact about its preferences; one that is not true is marked in the record."""
        words = self.say(
            ctx, f"pref_info_{relation_of(fact)}", preference=fact, flushable=False, **self.slots(ctx, fact)
        )
        if not words or self.policies.words.is_true(fact):
            return words
        return [*words, self.lie_note(ctx, "preference", _text_of(words))]

    def disclose_limit(self, ctx: AgentContext) -> list[Action]:
        """State its value of no deal; one that is not true is marked in the record."""
        limit = self.presented_limit
        limit_text = points_in_words(limit, self.language)
        words = self.say(ctx, "batna_info", batna=float(limit), flushable=False, value=limit_text)
        if words:
            self.stated_limit = max(self.deals.floor, min(limit, self.deals.best_points))
        if not words or limit == ctx.reservation_value:
            return words
        return [*words, self.lie_note(ctx, "batna", _text_of(words))]

    def belief_note(self, ctx: AgentContext, seat: Seat) -> Action:
        """Return a note for the record with the estimated order of another seat's issues, best first."""
        order = [list(group) for group in self.others[seat].orderings.minimax()]
        return ProposeChange({"notes": {ctx.seat: {"believes": {seat: order}}}})

    def lie_note(self, ctx: AgentContext, about: str, statement: str) -> Action:
        """Return the mark of a lie, for the experimenter alone."""
        self._lie_count += 1
        return ProposeChange(
            {"notes": {ctx.seat: {"lie": {"about": about, "said": statement, "count": self._lie_count}}}}
        )

    # Proposals

    def own_offers(self, ctx: AgentContext) -> list[Offer]:
        """Return its own offers so far, oldest first."""
        if ctx.own_offer_id != self._last_id:
            last = ctx.get_last_offer()
            assert last is not None  # its id is known, so there is an own offer
            self._last_id = last["offer_id"]
            self._sent.append(last["offer"])
        return self._sent

    def propose(
        self, ctx: AgentContext, kind: str, offer: Offer | None = None, *, asked: bool = False
    ) -> list[Action]:
        """Return a message and an offer, both dropped if another seat acts before they are sent.

        An offer of another seat that it has accepted is not replaced: it asks for the formal accept instead.

        Args:
            ctx: The context.
            kind: The kind of message.
            offer: The offer; the policy's proposal unless given.
            asked: Whether an offer was requested, so that even an old proposal is better than none.
        """
        if self.accepted_offer_id is not None and self.accepted_offer_id == ctx.current_offer_id:
            return self.remind(ctx, "yours_missing")
        offer = offer or self.policies.offers.proposal(ctx, self)
        if offer is None:
            return self.say(ctx, "no_deal_here")
        if self._is_repeated(ctx, offer):
            offer = self.policies.offers.proposal(ctx, self, self.own_offers(ctx)[-3:]) or offer
        kind = offer_message_kind(ctx, self, kind, offer)
        if kind == "hurry_standing":
            return self.say(ctx, kind)
        if self._is_repeated(ctx, offer) and not (asked and self.standing_offer(ctx) != offer):
            return self.say(ctx, "stand_by")
        if is_bindable(ctx.game, offer):
            own = self.deals.gain(ctx.utility(offer))
            self.ledger.record_offer(own, self.policies.offers.demand, by_other=False)
        words = self.say(ctx, kind)
        # In the same moment: a message whose offer was dropped would go with the next one, or with none.
        return [*words, SendOffer(offer, flushable=True)]

    def remind(self, ctx: AgentContext, kind: str) -> list[Action]:
        """Ask for the formal accept of the offer on the table; three times at most for one offer."""
        self._reminder_counts[ctx.current_offer_id] += 1
        return [] if self._reminder_counts[ctx.current_offer_id] > MAX_REMINDERS else self.say(ctx, kind)

    def offer_text(self, ctx: AgentContext, offer: Offer) -> str:
        """Return an offer in the agent's language."""
        return offer_in_words(offer, ctx.game, ctx.seat, language=self.language)

    def standing_offer(self, ctx: AgentContext) -> Offer:
        """Return its own offer on the table; the empty offer if there is none."""
        return ctx.current_offer if ctx.current_offer_sender == ctx.seat else EMPTY_OFFER

    def _is_repeated(self, ctx: AgentContext, offer: Offer) -> bool:
        last = self.own_offers(ctx)[-MAX_REPEATED_PROPOSALS:]
        return self.standing_offer(ctx) == offer or (
            len(last) == MAX_REPEATED_PROPOSALS and all(old == offer for old in last)
        )


def relation_of(fact: Preference) -> str:
    """Return the name of a preference's relation in the kinds of message."""
    return "greater" if fact.relation is Relation.LESS else fact.relation.lower()


def _text_of(words: list[Action]) -> str:
    return next(action.text for action in words if isinstance(action, SendMessage))


def offer_message_kind(ctx: AgentContext, state: ExpressiveAgentState, kind: str, offer: Offer) -> str:
    """Return the kind of message that goes with an offer.

    Args:
        ctx: The context.
        state: The agent's state.
        kind: The intended kind.
        offer: The offer.
    """
    before = state.own_offers(ctx)
    part = not ctx.game.is_complete(offer)
    if kind == "hurry":
        return kind if state.standing_offer(ctx) != offer else "hurry_standing"
    if kind in (*NON_CONCESSION_KINDS, "introduce_offer") and before and before[-1] == offer:
        return "offer_same_again"
    if kind == "complete_offer":
        return "offer_one_more" if part else kind
    if kind in NON_CONCESSION_KINDS:
        if before and is_concession(ctx, state, before[-1], offer):
            return CONCESSION_KINDS[kind]
        return "part_offer" if part and kind == "counter_offer" else NON_CONCESSION_KINDS[kind]
    return "part_offer" if part and kind == "introduce_offer" else kind


def is_concession(ctx: AgentContext, state: ExpressiveAgentState, before: Offer, offer: Offer) -> bool:
    """Return whether an offer is a concession to the others, compared with an earlier one of the same issues.

    It is if it costs the agent something, and is worth more to them by its model.
    """
    if before.issues != offer.issues:
        return False
    more = state.deals.worth_to_others(offer) - state.deals.worth_to_others(before)
    return more > WORTH_TOLERANCE and ctx.utility(offer) < ctx.utility(before)
