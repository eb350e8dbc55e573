"""State of an expressive agent in one game, and its proposals."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from negoplatform.agent_api.actions import Action, ProposeChange, SendExpression, SendOffer
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Expression
from negoplatform.core.mechanisms.bargaining import is_bindable
from negoplatform.domain.offer import EMPTY_OFFER, Offer, Term
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.utility import Points
from negoplatform.strategies.dialogue.conversation_memory import HeardMessage
from negoplatform.strategies.dialogue.dialogue import Dialogue, Script
from negoplatform.strategies.dialogue.disclosures import PlainWords
from negoplatform.strategies.dialogue.manner import Manner
from negoplatform.strategies.dialogue.offer_wording import Reply, introduce, react, takes_back
from negoplatform.strategies.dialogue.opponent_model import ExpressiveOpponentModel
from negoplatform.strategies.expressive.emotion_policy import Faces
from negoplatform.strategies.expressive.favour_ledger import Ledger
from negoplatform.strategies.expressive.favour_ledger_by_seat import LedgerBySeat
from negoplatform.strategies.expressive.initiative_timing import Behaviour
from negoplatform.strategies.expressive.offer_policies import ConcedingOffers
from negoplatform.strategies.expressive.ranked_outcomes import RankedOutcomes

MAX_REPEATED_PROPOSALS = 2
"""Times that the same proposal is made in a row, at most."""

MAX_REMINDERS = 3
"""Requests for the formal accept of one offer, at most."""

DRAFT_SECONDS = 20.0
"""Seconds to wait for an offer that the other is building, after the last sign of it."""


@dataclass
class Policies:
    """The policies of an expressive agent.

    Args:
        offers: Demands, proposals and acceptance.
        words: Statements about itself, and the voice and language in which it speaks.
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
    prompts = 0
    """Number of its prompts in the present silence."""
    prompted_offer_id: int | None = -1
    """Number of the offer that was on the table when it last broke a silence; -1 before that."""
    prompted_by_other = False
    """Whether the last message of another seat was a prompt after a silence."""
    final_proposals = 0
    """Number of its proposals because time runs out."""
    final_offer: Offer | None = None
    """The last of them."""
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
    question_heard = False
    """Whether another seat has asked for preferences, so that the answers to it tell enough."""
    favour_granted = False
    """Whether another seat has just agreed to a favour, which explains that it asks for more."""
    opening_due = False
    """Whether the first offer was due."""
    news = False
    """Whether the last offer of another seat was better than all earlier ones, or a part of a deal."""
    conceded_for: int | None = None
    """Id of the last offer whose refusal came with a concession."""
    last_rejection: HeardMessage | None = None
    """Last plain no to one of its offers."""
    _last_draft = float("-inf")
    _last_id: int | None = None

    def __init__(self, ctx: AgentContext, policies: Policies) -> None:
        self.policies = policies
        others = ctx.game.others(ctx.seat)
        self.ledger = policies.behaviour.ledger_for(others)
        """Ledger of favours; of several others, with one for each."""
        self.others: dict[Seat, ExpressiveOpponentModel] = {
            seat: ExpressiveOpponentModel(ctx, seat, fixed_pie=policies.fixed_pie)
            for seat in ctx.game.others(ctx.seat)
        }
        self.deals = RankedOutcomes(ctx, self.others)
        words = policies.words
        self.manner = Manner(
            words.style, words.language, words.talkativeness, words.politeness, words.honesty
        )
        self.dialogue = Dialogue(ctx, self.manner, worth_to_others=self.deals.worth_to_others)
        self.tables = self.dialogue.points
        self._reminder_counts: Counter[int | None] = Counter()
        self.agreed_terms: dict[str, Term] = {}
        """Terms that the other has accepted in words."""
        self.stated_limit = self.deals.floor
        """Stated value of no deal; the true one before any statement."""
        self._best_received: tuple[float, Offer] = (float("-inf"), EMPTY_OFFER)
        self._best_sender: Seat | None = None
        self._sent: list[Offer] = []
        self._taken: set[Offer] = set()
        policies.offers.begin(ctx, self)
        policies.words.begin(ctx)
        self.ledger.begin()

    def follow_limit(self, ctx: AgentContext) -> None:
        """Follow a mandate that has changed the fewest points to agree to."""
        before = self.deals.floor
        self.deals.follow_limit(ctx)
        if self.deals.floor == before:
            return
        if self.stated_limit == before:  # it has stated none
            self.stated_limit = self.deals.floor
        self.policies.offers.follow_limit(ctx, self)

    def ledger_with(self, seat: Seat | None) -> Ledger:
        """Return the ledger of favours between the agent and another seat."""
        return self.ledger.of(seat) if isinstance(self.ledger, LedgerBySeat) and seat else self.ledger

    @property
    def presented_limit(self) -> Points:
        """Value of no deal that it presents to others: never more than it has asked for itself."""
        return min(self.policies.words.limit(self.deals.best_points), self.deals.cap)

    def late(self, ctx: AgentContext) -> bool:
        """Return whether the end is near."""
        offers = ctx.remaining_offers
        if offers is not None and offers <= len(ctx.seats):
            return True
        return self.policies.behaviour.is_late(ctx.remaining_time, self.offers_received)

    # Observations

    def record_activity(self, ctx: AgentContext) -> None:
        """Record an action of another seat."""
        self.last_activity = max(self.last_activity, ctx.elapsed_time)

    def record_offer(self, ctx: AgentContext, sender: Seat, offer: Offer) -> None:
        """Learn from an offer of another seat, and note whether it is better than all earlier ones."""
        self.offers_received += 1
        self.dialogue.memory.courtesies = 0
        self._last_draft = float("-inf")
        self.others[sender].update_from_offer(offer)
        if ctx.game.is_complete(offer):
            # Good enough, it is accepted or called theirs; else it must not come as the agent's own.
            self.deals.excluded.add(offer)
        if not is_bindable(ctx.game, offer):
            self.prompts = 0
            self.news = True
            return
        self.complete_offers_received += 1
        points = ctx.utility(offer)
        self.ledger.record_offer(self.deals.gain(points), self.policies.offers.demand, by_other=True)
        self.news = points > self._best_received[0]
        if self.news:
            self.prompts = 0
            self._best_received, self._best_sender = (float(points), offer), sender

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

    # Messages

    def show(self, expression: Expression | None) -> Script:
        """Return a face, if there is one to show."""
        return [] if expression is None else [SendExpression(expression)]

    def belief_note(self, ctx: AgentContext, seat: Seat) -> Action:
        """Return a note for the record with the estimated order of another seat's issues, best first."""
        order = [list(group) for group in self.others[seat].orderings.minimax()]
        return ProposeChange({"notes": {ctx.seat: {"believes": {seat: order}}}})

    def ledger_note(self, ctx: AgentContext) -> Action:
        """Return a note for the record with the ledger of favours."""
        return ProposeChange({"notes": {ctx.seat: {"ledger": self.ledger.as_note()}}})

    def remind(self, ctx: AgentContext, kind: str) -> Script:
        """Ask for the formal accept of the offer on the table; three times at most for one offer."""
        self._reminder_counts[ctx.current_offer_id] += 1
        if self._reminder_counts[ctx.current_offer_id] > MAX_REMINDERS:
            return []
        if kind != "yours_missing":
            return self.dialogue.say(ctx, kind)
        with self.dialogue.speaking_to(self._missing_seat(ctx)):
            return self.dialogue.say_acceptance_missing(ctx)

    @staticmethod
    def _missing_seat(ctx: AgentContext) -> Seat | None:
        """Return the seat whose acceptance comes next: after the others the maker's."""
        return ctx.next_to_answer if ctx.next_to_answer != ctx.seat else ctx.current_offer_sender

    # Proposals

    def own_offers(self, ctx: AgentContext) -> list[Offer]:
        """Return its own offers so far, oldest first; what it asked for limits what it may ask for later."""
        if ctx.own_offer_id != self._last_id:
            last = ctx.get_last_offer()
            assert last is not None  # its id is known, so there is an own offer
            self._last_id = last["offer_id"]
            self._sent.append(last["offer"])
            if last["complete"]:
                self.deals.cap = min(self.deals.cap, ctx.utility(last["offer"]))
        return self._sent

    def standing_offer(self, ctx: AgentContext) -> Offer:
        """Return its own offer on the table; the empty offer if there is none."""
        return ctx.current_offer if ctx.current_offer_sender == ctx.seat else EMPTY_OFFER

    def next_offer(self, ctx: AgentContext) -> Offer | None:
        """Return the policy's next proposal, another one than the last few where it can; None for none."""
        own = self.own_offers(ctx)
        offer = self.policies.offers.proposal(ctx, self)
        if offer is not None and self.is_repeated(ctx, offer):
            offer = self.policies.offers.proposal(ctx, self, own[-3:]) or offer
        if offer is None and own and ctx.game.is_complete(own[-1]):
            return own[-1]  # it asks for more by now, and takes no concession back
        return offer

    def propose(
        self,
        ctx: AgentContext,
        kind: str = "",
        offer: Offer | None = None,
        *,
        asked: bool = False,
        answers: Reply | None = None,
    ) -> Script:
        """Return an offer with the words that introduce it, both dropped if another seat acts before.

        An offer of another seat that it has accepted is not replaced: it asks for the formal accept instead.

        Args:
            ctx: The context.
            kind: The kind of message for a special occasion.
            offer: The offer; the policy's proposal unless given.
            asked: Whether an offer was requested, so that even an old proposal is better than none.
            answers: The move that it answers.
        """
        if self.accepted_offer_id is not None and self.accepted_offer_id == ctx.current_offer_id:
            return self.remind(ctx, "yours_missing")
        self.own_offers(ctx)
        # What an earlier offer of one seat is worth to the seat that asks among several is unknown.
        may_take = offer is None and kind != "final_whole" and not (asked and len(ctx.game.seats) > 2)
        if may_take and (yours := self._offer_to_take(ctx)) is not None:
            self._taken.add(yours)
            offer, kind = yours, "take_yours"
        offer = offer or self.next_offer(ctx)
        if offer is None:
            return self.dialogue.say(ctx, "no_deal_here")
        if kind == "final_whole" and self.standing_offer(ctx) == offer:
            return self.dialogue.say(ctx, "hurry_standing")
        if self.is_repeated(ctx, offer) and not (asked and self.standing_offer(ctx) != offer):
            return self.dialogue.say(ctx, "cannot_move" if asked else "stand_by")
        reaction = self._reaction(ctx, offer, answers) if answers is not None and not kind else []
        if self.favour_granted and not kind and takes_back(self.dialogue, ctx, offer):
            kind, self.favour_granted = "favor_used", False
        # An earlier offer is named as that of its maker.
        to = self._best_sender if kind == "take_yours" and offer == self.best_received else None
        to = answers.sender if answers is not None and (reaction or kind == "complete_theirs") else to
        with self.dialogue.speaking_to(to):
            words = introduce(self.dialogue, ctx, offer, answers=answers, kind=kind)
        if is_bindable(ctx.game, offer):
            gain = self.deals.gain(ctx.utility(offer))
            self.ledger.record_offer(gain, self.policies.offers.demand, by_other=False)
        return [*reaction, *words, SendOffer(offer, flushable=True)]

    def _offer_to_take(self, ctx: AgentContext) -> Offer | None:
        """Return the best earlier offer of another seat, if it is good enough by now; None if it is not."""
        best = self.best_received
        if not best.terms or best == ctx.current_offer or best in self._taken:
            return None
        return best if self.policies.offers.accepts(ctx, self, best) else None

    def _reaction(self, ctx: AgentContext, offer: Offer, answers: Reply) -> Script:
        own = self.own_offers(ctx)
        conceding = bool(own) and ctx.utility(offer) < ctx.utility(own[-1])
        return react(self.dialogue, ctx, answers, wanted=offer, conceding=conceding)

    def is_repeated(self, ctx: AgentContext, offer: Offer) -> bool:
        last = self.own_offers(ctx)[-MAX_REPEATED_PROPOSALS:]
        return self.standing_offer(ctx) == offer or (
            len(last) == MAX_REPEATED_PROPOSALS and all(old == offer for old in last)
        )
