"""What an expressive agent demands, proposes and accepts."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Protocol

from negoplatform.agent_api.context import AgentContext
from negoplatform.domain.board import Standing
from negoplatform.domain.offer import Offer, Term
from negoplatform.domain.seat import Seat
from negoplatform.domain.utility import Points
from negoplatform.strategies.expressive.favour_ledger import Ledger
from negoplatform.strategies.expressive.opponent_model import Other, Tables, span
from negoplatform.strategies.expressive.ranked_outcomes import Deals


class NegotiationState(Protocol):
    """The part of an agent's state in one game that an offer policy reads."""

    @property
    def deals(self) -> Deals:
        """The deals, ranked by what they are worth."""

    @property
    def others(self) -> Mapping[Seat, Other]:
        """Models of the other seats."""

    @property
    def ledger(self) -> Ledger:
        """Favors owed and granted."""

    @property
    def tables(self) -> Tables:
        """The agent's own points by issue and level."""

    @property
    def nodded(self) -> Mapping[str, Term]:
        """Terms that another seat has agreed to in words."""

    @property
    def stated_limit(self) -> Points:
        """The value of no deal that the agent has stated; the true one until then."""

    @property
    def presented_limit(self) -> Points:
        """The value of no deal that the agent states when it is asked."""

    @property
    def prompts(self) -> int:
        """How many times in a row the agent has broken a silence."""

    @property
    def wholes(self) -> int:
        """How many complete offers the other seats have made."""

    def late(self, ctx: AgentContext) -> bool:
        """Return whether the agent has to come to an end."""


class ConcedingOffers:
    """Begins high, and gives way by a step each time that it is told no.

    Args:
        start: The gain that it demands at first: a share, 0 to 1, of the way from no deal to its best.
        step: What it gives up at a time, of the same.
        least: Below this it does not go before the end.
        final: What it demands in its final offer.
    """

    yields_to_threats = True
    """Whether it gives way when it is told that the other may leave."""

    def __init__(
        self, *, start: float = 0.9, step: float = 0.08, least: float = 0.15, final: float = 0.25
    ) -> None:
        self.start = start
        self.step = step
        self.least = least
        self.last = final
        self.demand = start
        """The gain that it demands now."""

    def begin(self, ctx: AgentContext, mind: NegotiationState) -> None:  # noqa: ARG002 - for policies that look at it
        """A new game."""
        self.demand = self.start

    def give_way(self, steps: float = 1.0) -> None:
        """Demands less from now on."""
        self.demand = max(min(self.least, self.demand), self.demand - steps * self.step)

    def wanted(self, ctx: AgentContext, mind: NegotiationState) -> float:
        """The points that it demands now, favours included.

        Never below no deal; and until it is late not below what it has said to have without one, lest it
        gives itself the lie.
        """
        wanted = mind.deals.points_at(min(1.0, max(0.0, self.demand + mind.ledger.bonus)))
        return wanted if mind.late(ctx) else max(wanted, float(mind.stated_limit))

    def accepts(self, ctx: AgentContext, mind: NegotiationState, offer: Offer) -> bool:
        """Whether an offer is good enough: by now, or at the end when it is better than no deal."""
        points = ctx.utility(offer)
        return points >= (mind.deals.floor if mind.late(ctx) else self.wanted(ctx, mind))

    def proposal(
        self, ctx: AgentContext, mind: NegotiationState, avoid: Collection[Offer] = ()
    ) -> Offer | None:
        """What to propose now; None for nothing.

        Args:
            ctx: The context.
            mind: What the agent knows.
            avoid: Offers that would only repeat what was proposed.
        """
        return mind.deals.best(self.wanted(ctx, mind), avoid=avoid)

    def completion(self, ctx: AgentContext, mind: NegotiationState, part: Offer) -> Offer | None:
        """A deal that keeps what a partial offer decides; None if none is good enough."""
        return mind.deals.best(self.wanted(ctx, mind), keep=part)

    def final(self, ctx: AgentContext, mind: NegotiationState) -> Offer | None:
        """The last proposal, shortly before the end."""
        self.demand = min(self.demand, self.last)
        return mind.deals.best(self.wanted(ctx, mind))


class CompetitiveOffers(ConcedingOffers):
    """Wants more than the other: a part of what there is for both, and more than it says to have anyway.

    Args:
        start: The gain that it demands at first.
        step: What it gives up at a time.
        least: Below this gain it does not go.
        share: The least part of the joint gain, 0 to 1, that it accepts.
        final_share: The same shortly before the end.
    """

    yields_to_threats = False

    def __init__(
        self,
        *,
        start: float = 1.0,
        step: float = 0.05,
        least: float = 0.4,
        share: float = 0.6,
        final_share: float = 0.35,
    ) -> None:
        super().__init__(start=start, step=step, least=least, final=least)
        self.share = share
        self.final_share = final_share

    def wanted(self, ctx: AgentContext, mind: NegotiationState) -> float:
        """The points that it demands now: until it is late at least what it says to have anyway."""
        wanted = super().wanted(ctx, mind)
        if mind.late(ctx):
            return min(wanted, mind.deals.points_at(self.last))
        return max(wanted, float(min(mind.presented_limit, mind.deals.best_points)))

    def accepts(self, ctx: AgentContext, mind: NegotiationState, offer: Offer) -> bool:
        """Whether an offer gives it enough, and enough more than the other."""
        points = ctx.utility(offer)
        late = mind.late(ctx)
        limit = mind.deals.floor if late else max(mind.deals.floor, mind.presented_limit)
        share = mind.deals.share_of_joint(points, mind.deals.worth_to_others(offer))
        return points >= limit and share >= self._share(ctx, mind)

    def proposal(
        self, ctx: AgentContext, mind: NegotiationState, avoid: Collection[Offer] = ()
    ) -> Offer | None:
        """What to propose now: nothing that it would not accept, where there is such a deal."""
        wanted, share = self.wanted(ctx, mind), self._share(ctx, mind)
        found = mind.deals.best(wanted, avoid=avoid, least_share=share)
        return found or (None if avoid else mind.deals.best(wanted))

    def completion(self, ctx: AgentContext, mind: NegotiationState, part: Offer) -> Offer | None:
        """A deal that keeps what a partial offer decides, and gives it enough."""
        return mind.deals.best(self.wanted(ctx, mind), keep=part, least_share=self._share(ctx, mind))

    def final(self, ctx: AgentContext, mind: NegotiationState) -> Offer | None:
        """The last proposal: the deal that is best for the other of those that it still accepts."""
        return self.proposal(ctx, mind)

    def _share(self, ctx: AgentContext, mind: NegotiationState) -> float:
        return self.final_share if mind.late(ctx) else self.share


class BuildingOffers(ConcedingOffers):
    """Grows an agreement issue by issue: it settles one, keeps it, and goes on to the next.

    It always has a whole deal in mind and proposes what is agreed of it and one issue more, first what
    matters most to either side. Where a partial offer could be bound, at a table of several, with somebody
    who proposes whole deals, and shortly before the end, it proposes the whole.
    """

    def __init__(
        self, *, start: float = 0.8, step: float = 0.07, least: float = 0.15, final: float = 0.25
    ) -> None:
        super().__init__(start=start, step=step, least=least, final=final)

    def proposal(
        self, ctx: AgentContext, mind: NegotiationState, avoid: Collection[Offer] = ()
    ) -> Offer | None:
        """What is agreed, and one issue more; the whole deal where that fits better."""
        goal = self._goal(ctx, mind, avoid)
        if goal is None or self._wholly(ctx, mind):
            return goal
        agreed = self.agreed(ctx, mind)
        for name in self._order(mind):
            if name in agreed and goal.get(name) == agreed[name]:
                continue
            kept = {issue: term for issue, term in agreed.items() if goal.get(issue) == term}
            part = Offer({**kept, name: dict(goal.terms)[name]})
            if len(part) < len(ctx.issues) and part not in avoid:
                return part
        return goal

    def completion(self, ctx: AgentContext, mind: NegotiationState, part: Offer) -> Offer | None:
        """What a partial offer decides, and one issue more, where a good deal can come of it."""
        goal = super().completion(ctx, mind, part)
        if goal is None or self._wholly(ctx, mind):
            return goal
        decided = {name: term for name, term in goal.terms if name in part.issues}
        rest = [name for name in self._order(mind) if name not in decided]
        return Offer({**decided, **{name: dict(goal.terms)[name] for name in rest[:1]}})

    def agreed(self, ctx: AgentContext, mind: NegotiationState) -> dict[str, Term]:
        """What both sides stand for, on the board or in words."""
        board, agreed = ctx.board, dict(mind.nodded)
        for issue in ctx.issues:
            if board.standing(issue.name) is Standing.AGREED:
                agreed[issue.name] = next(iter(board.terms(issue.name).values()))
        return agreed

    def _goal(self, ctx: AgentContext, mind: NegotiationState, avoid: Collection[Offer]) -> Offer | None:
        wanted, agreed = self.wanted(ctx, mind), Offer(self.agreed(ctx, mind))
        return mind.deals.best(wanted, keep=agreed, avoid=avoid) or mind.deals.best(wanted, avoid=avoid)

    def _wholly(self, ctx: AgentContext, mind: NegotiationState) -> bool:
        several = len(ctx.game.seats) > 2
        return (
            several or ctx.game.rules.allow_partial or mind.wholes > 1 or mind.late(ctx) or mind.prompts > 1
        )

    def _order(self, mind: NegotiationState) -> list[str]:
        """The issues, those first that matter most to one side or the other."""
        (other, *_) = mind.others.values()
        theirs = other.weights()
        own = {name: span(table) for name, table in mind.tables.items()}
        total = sum(own.values()) or 1.0
        return sorted(own, key=lambda name: -max(own[name] / total, theirs[name]))
