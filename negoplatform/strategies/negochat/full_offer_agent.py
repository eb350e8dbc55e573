"""What the relatives of NegoChat share that do not talk by issues: they make complete offers alone."""

from __future__ import annotations

from abc import abstractmethod

from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Expression, MessageSubtype
from negoplatform.domain.offer import Offer
from negoplatform.domain.utility import Points
from negoplatform.strategies.negochat.bid_space import Bid
from negoplatform.strategies.negochat.conversational_agent import Script
from negoplatform.strategies.negochat.turn_taking_agent import Paced

M = MessageSubtype


class Wholesale(Paced):
    """Makes complete offers; a subclass says which, when, and what is good enough."""

    same_again = "whole_stands"
    standing: Bid | None = None
    """The bid that it offered last."""

    def reset(self) -> None:
        """Forgets the last negotiation."""
        super().reset()
        self.standing = None
        self.turn = self.offered_in = 1

    @abstractmethod
    def new_offer(self, ctx: AgentContext) -> Bid | None:
        """The offer for this turn; None for none."""

    @abstractmethod
    def is_good(self, ctx: AgentContext, points: Points) -> bool:
        """Whether a deal that is worth so much to it is good enough now."""

    def waits(self) -> bool:
        """Whether it is too early for a new offer."""
        return self.standing is not None and self.turn == self.offered_in

    def put_forward(self, ctx: AgentContext, kind: str) -> Script:
        """A new offer where it is time for one, else the last one once more; in words that say which.

        Args:
            ctx: The table.
            kind: The kind of words for a new offer; ``whole_instead`` answers one that it refuses.
        """
        before, own = self.standing, self.kit.own
        if not self.waits():
            self.standing, self.offered_in = self.new_offer(ctx) or self.standing, self.turn
        if self.standing is None:
            return self.say(ctx, "no_deal_here", M.OFFER_REJECT)
        if self.standing == before:
            kind = self.same_again if kind == "whole_instead" else "repeat_asked"
        elif kind == "whole_instead" and before is not None and own.of(self.standing) < own.of(before):
            kind = "whole_gives_way"
        words = self.say(ctx, kind, M.OFFER_PROPOSE, terms=self.stand_in_words(ctx))
        return [*words, *self.offer(ctx, self.kit.space.offer(self.standing))]

    def at_turn(self, turn: int) -> None:
        """Remembers the turn."""
        self.turn = turn

    def stand(self) -> object:
        """Its last offer."""
        return self.standing

    def stand_in_words(self, ctx: AgentContext) -> str:
        """Its last offer in words."""
        return "" if self.standing is None else self.in_words(ctx, self.kit.space.offer(self.standing))

    def opening(self, ctx: AgentContext) -> Script:
        """Its first offer."""
        return self.put_forward(ctx, "introduce_offer")

    def judge(self, ctx: AgentContext, bid: Bid) -> bool:
        """Learns from an offer."""
        self.kit.belief.offered(bid, self.turn)
        return self.is_good(ctx, self.kit.own.of(bid))

    def is_enough(self, ctx: AgentContext) -> bool:
        """By its points."""
        return self.is_good(ctx, ctx.get_agent_utility())

    def answer_full(self, ctx: AgentContext, bid: Bid) -> Script:  # noqa: ARG002 - as told
        """With an offer of its own."""
        return [*self.face(Expression.SAD), *self.put_forward(ctx, "whole_instead")]

    def answer_yes(self, ctx: AgentContext) -> Script:
        """With an offer, as none of its own is on the table."""
        return self.put_forward(ctx, "introduce_offer")

    def answer_no(self, ctx: AgentContext) -> Script:
        """Learns from it, and makes another offer if it is time for one."""
        if self.standing is None:
            return self.put_forward(ctx, "introduce_offer")
        self.kit.belief.refused(self.standing)
        return [*self.tell_belief(ctx), *self.put_forward(ctx, "whole_instead")]

    def answer_compromise(self, ctx: AgentContext, about: list[int]) -> Script:  # noqa: ARG002 - as told
        """With another offer if it is time for one."""
        return self.put_forward(ctx, "whole_instead")

    def answer_query(self, ctx: AgentContext, about: list[int], *, least: bool) -> Script:
        """By its last offer."""
        issue = (about or self.kit.order[-1 if least else 0 :])[0]
        if least and not about:
            return self.say(ctx, "need_least", M.CLARIFICATION, issue=self.title(ctx, issue))
        level = self.kit.own.best(issue) if self.standing is None else self.standing[issue]
        return self.wish(ctx, "issue_wish" if about else "need_most", issue, level)

    def repeat(self, ctx: AgentContext, kind: str, subtype: MessageSubtype) -> Script:
        """Says its last offer again, or makes a new one."""
        if self.standing is None or not self.waits():
            return self.put_forward(ctx, "introduce_offer")
        words = self.say(ctx, kind, subtype, terms=self.stand_in_words(ctx))
        return [*words, *self.offer(ctx, self.kit.space.offer(self.standing))]

    def turn_comes(self, ctx: AgentContext) -> Script:
        """With a new offer if it is time for one."""
        return [] if self.waits() else self.put_forward(ctx, "introduce_offer")

    def last_proposal(self, ctx: AgentContext) -> Offer | None:
        """The newest."""
        bid = self.new_offer(ctx) or self.standing
        return None if bid is None else self.kit.space.offer(bid)
