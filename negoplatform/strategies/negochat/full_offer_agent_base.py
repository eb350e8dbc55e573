"""Base class of the relatives of NegoChat that make complete offers alone."""

from __future__ import annotations

from abc import abstractmethod

from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Expression, MessageSubtype
from negoplatform.domain.offer import Offer
from negoplatform.domain.utility import Points
from negoplatform.strategies.negochat.bid_space import Bid
from negoplatform.strategies.negochat.conversational_agent_base import Script
from negoplatform.strategies.negochat.reply_scheduling_agent import ReplySchedulingAgent

M = MessageSubtype


class FullOfferAgent(ReplySchedulingAgent):
    """Agent that makes complete offers; a subclass decides which, when, and what is good enough."""

    unchanged_kind = "whole_stands"
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

    def propose(self, ctx: AgentContext, kind: str) -> Script:
        """Return a new offer if it is time for one, else the last one again; with a message that says which.

        Args:
            ctx: The context.
            kind: The kind of message for a new offer; ``whole_instead`` answers one that it refuses.
        """
        before, own = self.standing_bid, self.model.own
        if not self.is_too_early():
            self.standing_bid, self.offered_turn = self.new_offer(ctx) or self.standing_bid, self.turn
        if self.standing_bid is None:
            return self.say(ctx, "no_deal_here", M.OFFER_REJECT)
        if self.standing_bid == before:
            kind = self.unchanged_kind if kind == "whole_instead" else "repeat_asked"
        elif kind == "whole_instead" and before is not None and own.of(self.standing_bid) < own.of(before):
            kind = "whole_gives_way"
        words = self.say(ctx, kind, M.OFFER_PROPOSE, terms=self.position_text(ctx))
        return [*words, *self.offer(ctx, self.model.space.offer(self.standing_bid))]

    def set_turn(self, turn: int) -> None:
        """Set the turn."""
        self.turn = turn

    def position(self) -> object:
        """Return its last offer."""
        return self.standing_bid

    def position_text(self, ctx: AgentContext) -> str:
        """Return its last offer in words."""
        return (
            ""
            if self.standing_bid is None
            else self.offer_text(ctx, self.model.space.offer(self.standing_bid))
        )

    def opening(self, ctx: AgentContext) -> Script:
        """Return its first offer."""
        return self.propose(ctx, "introduce_offer")

    def evaluate_offer(self, ctx: AgentContext, bid: Bid) -> bool:
        """Learn from an offer."""
        self.model.belief.observe_offer(bid, self.turn)
        return self.is_acceptable_value(ctx, self.model.own.of(bid))

    def is_acceptable(self, ctx: AgentContext) -> bool:
        """Return whether the points of the offer on the table are enough."""
        return self.is_acceptable_value(ctx, ctx.get_agent_utility())

    def answer_complete_offer(self, ctx: AgentContext, bid: Bid) -> Script:  # noqa: ARG002 - the signature of the hook
        """Answer with an offer of its own."""
        return [*self.show_expression(Expression.SAD), *self.propose(ctx, "whole_instead")]

    def answer_acceptance(self, ctx: AgentContext) -> Script:
        """Answer with an offer, as none of its own is on the table."""
        return self.propose(ctx, "introduce_offer")

    def answer_rejection(self, ctx: AgentContext) -> Script:
        """Learn from the refusal, and make another offer if it is time for one."""
        if self.standing_bid is None:
            return self.propose(ctx, "introduce_offer")
        self.model.belief.observe_refusal(self.standing_bid)
        return [*self.note_belief(ctx), *self.propose(ctx, "whole_instead")]

    def answer_compromise(self, ctx: AgentContext, about: list[int]) -> Script:  # noqa: ARG002 - the signature of the hook
        """Answer with another offer if it is time for one."""
        return self.propose(ctx, "whole_instead")

    def answer_query(self, ctx: AgentContext, about: list[int], *, least: bool) -> Script:
        """Answer with its last offer."""
        issue = (about or self.model.order[-1 if least else 0 :])[0]
        if least and not about:
            return self.say(ctx, "need_least", M.CLARIFICATION, issue=self.title(ctx, issue))
        level = self.model.own.best_level(issue) if self.standing_bid is None else self.standing_bid[issue]
        return self.state_preferred_term(ctx, "issue_wish" if about else "need_most", issue, level)

    def repeat_proposal(self, ctx: AgentContext, kind: str, subtype: MessageSubtype) -> Script:
        """Repeat its last offer, or make a new one."""
        if self.standing_bid is None or not self.is_too_early():
            return self.propose(ctx, "introduce_offer")
        words = self.say(ctx, kind, subtype, terms=self.position_text(ctx))
        return [*words, *self.offer(ctx, self.model.space.offer(self.standing_bid))]

    def act_on_new_turn(self, ctx: AgentContext) -> Script:
        """Make a new offer if it is time for one."""
        return [] if self.is_too_early() else self.propose(ctx, "introduce_offer")

    def final_proposal(self, ctx: AgentContext) -> Offer | None:
        """Return the newest offer."""
        bid = self.new_offer(ctx) or self.standing_bid
        return None if bid is None else self.model.space.offer(bid)
