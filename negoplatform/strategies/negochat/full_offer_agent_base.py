"""Base class of the relatives of NegoChat that make complete offers alone."""

from __future__ import annotations

from abc import abstractmethod

from negoplatform.agent_api.bids import keeps
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Expression
from negoplatform.domain.offer import Offer
from negoplatform.domain.utility import Points
from negoplatform.strategies.dialogue.conversation_memory import HeardMessage
from negoplatform.strategies.dialogue.offer_wording import Reply, react
from negoplatform.strategies.negochat.bid_space import Bid
from negoplatform.strategies.negochat.conversational_agent_base import Script
from negoplatform.strategies.negochat.reply_scheduling_agent import HURRY_SECONDS, ReplySchedulingAgent


class FullOfferAgent(ReplySchedulingAgent):
    """Agent that makes complete offers; a subclass decides which, when, and what is good enough."""

    standing_bid: Bid | None = None
    """Last bid of the agent."""

    def reset(self) -> None:
        """Reset the state of the last negotiation."""
        super().reset()
        self.standing_bid = None
        self.turn = self.offered_turn = 1

    @abstractmethod
    def new_offer(self, ctx: AgentContext) -> Bid | None:
        """Return the offer for this turn; None for none."""

    @abstractmethod
    def is_acceptable_value(self, ctx: AgentContext, points: Points) -> bool:
        """Return whether a deal with these points is good enough now."""

    def is_too_early(self) -> bool:
        """Return whether it is too early for a new offer."""
        return self.standing_bid is not None and self.turn == self.offered_turn

    def propose(self, ctx: AgentContext, answers: Reply | None = None, *, asked: bool = False) -> Script:
        """Return a new offer if it is time for one, else the last one again, with words that say which.

        Args:
            ctx: The context.
            answers: The offer that it answers.
            asked: Whether an offer was asked for.
        """
        if not self.is_too_early():
            self.standing_bid, self.offered_turn = self.new_offer(ctx) or self.standing_bid, self.turn
        if self.standing_bid is None:
            return self.say(ctx, "no_deal_here")
        offer = self.model.space.offer(self.standing_bid)
        return [*self._words_for(ctx, offer, answers, asked=asked), *self.offer(ctx, offer)]

    def _words_for(self, ctx: AgentContext, offer: Offer, answers: Reply | None, *, asked: bool) -> Script:
        last = ctx.get_last_offer()
        if self.settings.quiet:
            return []
        if last is not None and last["offer"] == offer:
            return self.say(ctx, "cannot_move" if asked else "stand_by")
        reaction: Script = []
        if answers is not None and answers.offer.terms:
            conceding = last is not None and ctx.utility(offer) < ctx.utility(last["offer"])
            reaction = react(self.dialogue, ctx, answers, wanted=offer, conceding=conceding)
        kind = "offer_asked" if asked and last is None else ""
        return [*reaction, *self.word_whole(ctx, offer, kind, answers)]

    def set_turn(self, turn: int) -> None:
        """Set the turn."""
        self.turn = turn

    def position(self) -> object:
        """Return its last offer."""
        return self.standing_bid

    def opening(self, ctx: AgentContext) -> Script:
        """Return its first offer."""
        return self.propose(ctx)

    def evaluate_offer(self, ctx: AgentContext, bid: Bid) -> bool:
        """Learn from an offer."""
        self.model.belief.observe_offer(bid, self.turn)
        return self.is_acceptable_value(ctx, self.model.own.of(bid))

    def is_acceptable(self, ctx: AgentContext) -> bool:
        """Return whether the points of the offer on the table are enough."""
        return self.is_acceptable_value(ctx, ctx.get_agent_utility())

    def answer_complete_offer(self, ctx: AgentContext, bid: Bid, answers: Reply) -> Script:  # noqa: ARG002 - the signature of the hook
        """Answer with an offer of its own."""
        return [*self.show_expression(Expression.SAD), *self.propose(ctx, answers)]

    def continue_after_yes(self, ctx: AgentContext) -> Script:
        """Answer with an offer, as none of its own is on the table."""
        return self.propose(ctx)

    def answer_rejection(self, ctx: AgentContext, message: HeardMessage) -> Script:  # noqa: ARG002
        """Learn from the refusal, and make another offer if it is time for one."""
        if self.standing_bid is None:
            return self.propose(ctx)
        self.model.belief.observe_refusal(self.standing_bid)
        return [*self.note_belief(ctx), *self.propose(ctx)]

    def answer_compromise(self, ctx: AgentContext, about: list[int]) -> Script:  # noqa: ARG002 - the signature of the hook
        """Answer with another offer if it is time for one."""
        return self.propose(ctx, asked=True)

    def repeat_proposal(self, ctx: AgentContext, *, in_silence: bool = False) -> Script:
        """Repeat its last offer, or make a new one."""
        if self.standing_bid is None or not self.is_too_early():
            return self.propose(ctx, asked=not in_silence)
        offer = self.model.space.offer(self.standing_bid)
        last = ctx.get_last_offer()
        if last is not None and last["offer"] != offer:
            words = self.word_whole(ctx, offer, "")
        else:
            words = self.say(ctx, "idle_prompt_offer" if in_silence else "cannot_move")
        return [*words, *self.offer(ctx, offer)]

    def act_on_new_turn(self, ctx: AgentContext) -> Script:
        """Make a new offer if it is time for one."""
        return [] if self.is_too_early() else self.propose(ctx)

    def final_proposal(self, ctx: AgentContext) -> Offer | None:
        """Return the newest offer."""
        bid = self.new_offer(ctx) or self.standing_bid
        return None if bid is None else self.model.space.offer(bid)

    def would_accept(self, ctx: AgentContext, offer: Offer) -> bool:
        """Return whether a complete offer would be enough now."""
        points = ctx.utility(offer)
        return points >= ctx.least_points and self.is_acceptable_value(ctx, points)

    def deal_with(self, ctx: AgentContext, part: Offer) -> Offer | None:
        """Return its last offer, if that has these terms; None if not."""
        wanted = self.wanted_offer(ctx)
        return wanted if wanted is not None and keeps(wanted, part) else None

    def wanted_offer(self, ctx: AgentContext) -> Offer | None:  # noqa: ARG002 - the signature of the layer
        """Return its last offer; None before the first."""
        return None if self.standing_bid is None else self.model.space.offer(self.standing_bid)

    def may_yield(self, ctx: AgentContext) -> bool:
        """Return whether there are turns left in which it may ask for less."""
        return ctx.remaining_time is None or ctx.remaining_time > HURRY_SECONDS
