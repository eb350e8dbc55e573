"""Demands, proposals and acceptance of an expressive agent."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Protocol

from negoplatform.agent_api.context import AgentContext
from negoplatform.domain.issue_status_board import IssueStatus
from negoplatform.domain.offer import Offer, Term
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.utility import Points
from negoplatform.strategies.dialogue.opponent_model import ExpressiveOpponentModel, LevelTables, span
from negoplatform.strategies.expressive.favour_ledger import Ledger
from negoplatform.strategies.expressive.ranked_outcomes import RankedOutcomes


class NegotiationState(Protocol):
    """Part of an agent's state in one game that an offer policy reads."""

    @property
    def deals(self) -> RankedOutcomes:
        """Deals, ranked by their utility."""

    @property
    def others(self) -> Mapping[Seat, ExpressiveOpponentModel]:
        """Models of the other seats."""

    @property
    def ledger(self) -> Ledger:
        """Ledger of favours."""

    @property
    def tables(self) -> LevelTables:
        """The agent's own points by issue and level."""

    @property
    def agreed_terms(self) -> Mapping[str, Term]:
        """Terms that another seat has accepted in words."""

    @property
    def stated_limit(self) -> Points:
        """Stated value of no deal; the true one before any statement."""

    @property
    def presented_limit(self) -> Points:
        """Value of no deal that the agent states on request."""

    @property
    def prompts(self) -> int:
        """Number of prompts in the present silence."""

    @property
    def complete_offers_received(self) -> int:
        """Number of complete offers of the other seats."""

    def late(self, ctx: AgentContext) -> bool:
        """Return whether the end is near."""


class ConcedingOffers:
    """Policy that begins high, and concedes a step at each refusal.

    Args:
        start: The gain that it demands at first: a share, 0 to 1, of the way from no deal to its best.
        step: The concession at a time, of the same.
        least: The least demand before the end.
        final: The demand of its final offer.
    """

    yields_to_threats = True
    """Whether a threat of the other to leave makes it concede."""

    def __init__(
        self, *, start: float = 0.9, step: float = 0.08, least: float = 0.15, final: float = 0.25
    ) -> None:
        self.start = start
        self.step = step
        self.least = least
        self.final_demand = final
        self.demand = start
        """Current demand, as a gain."""
        self._before_final: float | None = None

    def begin(self, ctx: AgentContext, state: NegotiationState) -> None:  # noqa: ARG002 - for policies that look at it
        """Begin a new game."""
        self.demand = self.start
        self._before_final = None

    def follow_limit(self, ctx: AgentContext, state: NegotiationState) -> None:
        """Go on after the fewest points to agree to have changed; the demand is a share of what is left."""

    @property
    def usual_demand(self) -> float:
        """The current demand, as a gain; once time runs out, the last one before that.

        A deal that the agent accepts only because time is up is not a favour to it.
        """
        return self.demand if self._before_final is None else max(self.demand, self._before_final)

    def give_way(self, steps: float = 1.0) -> None:
        """Lower the demand."""
        self.demand = max(min(self.least, self.demand), self.demand - steps * self.step)

    def wanted(self, ctx: AgentContext, state: NegotiationState) -> float:  # noqa: ARG002 - for policies
        """Return the points that it demands now, favours included.

        Never below no deal, and never below its stated value of no deal, which it would otherwise disprove
        itself.
        """
        wanted = state.deals.points_at(min(1.0, max(0.0, self.demand + state.ledger.bonus)))
        return max(wanted, float(state.stated_limit))

    def accepts(self, ctx: AgentContext, state: NegotiationState, offer: Offer) -> bool:
        """Return whether an offer meets the current demand; at the end, whether it beats no deal.

        An offer with as many points as the one that it would make next is good enough, too.
        """
        points = ctx.utility(offer)
        if state.late(ctx):
            return points >= max(state.deals.floor, state.stated_limit)
        return points >= min(self.wanted(ctx, state), state.deals.cap)

    def proposal(
        self, ctx: AgentContext, state: NegotiationState, avoid: Collection[Offer] = ()
    ) -> Offer | None:
        """Return the proposal to make now; None for none.

        Args:
            ctx: The context.
            state: The agent's state.
            avoid: Offers that would only repeat an earlier proposal.
        """
        return state.deals.best(self.wanted(ctx, state), avoid=avoid)

    def completion(self, ctx: AgentContext, state: NegotiationState, part: Offer) -> Offer | None:
        """Return a deal that keeps the terms of a partial offer; None if none is good enough."""
        return state.deals.best(self.wanted(ctx, state), keep=part)

    def final(self, ctx: AgentContext, state: NegotiationState) -> Offer | None:
        """Return the last proposal, shortly before the end."""
        if self._before_final is None:
            self._before_final = self.demand
        self.demand = min(self.demand, self.final_demand)
        return state.deals.best(self.wanted(ctx, state))


class CompetitiveOffers(ConcedingOffers):
    """Policy that wants more than the other: a share of the joint gain, above its stated value of no deal.

    Args:
        start: The gain that it demands at first.
        step: The concession at a time.
        least: The least demand.
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

    def wanted(self, ctx: AgentContext, state: NegotiationState) -> float:
        """Return the points that it demands now: before the end at least its stated value of no deal."""
        wanted = super().wanted(ctx, state)
        if state.late(ctx):
            return max(min(wanted, state.deals.points_at(self.final_demand)), float(state.stated_limit))
        return max(wanted, float(min(state.presented_limit, state.deals.best_points)))

    def accepts(self, ctx: AgentContext, state: NegotiationState, offer: Offer) -> bool:
        """Return whether an offer gives it enough, and enough more than the other."""
        points = ctx.utility(offer)
        late = state.late(ctx)
        limit = max(state.deals.floor, state.stated_limit if late else state.presented_limit)
        share = state.deals.share_of_joint(points, state.deals.worth_to_others(offer))
        return points >= limit and share >= self._share(ctx, state)

    def proposal(
        self, ctx: AgentContext, state: NegotiationState, avoid: Collection[Offer] = ()
    ) -> Offer | None:
        """Return the proposal to make now: one that it would accept itself, where there is such a deal."""
        wanted, share = self.wanted(ctx, state), self._share(ctx, state)
        found = state.deals.best(wanted, avoid=avoid, least_share=share)
        return found or (None if avoid else state.deals.best(wanted))

    def completion(self, ctx: AgentContext, state: NegotiationState, part: Offer) -> Offer | None:
        """Return a deal that keeps the terms of a partial offer, and gives it enough."""
        return state.deals.best(self.wanted(ctx, state), keep=part, least_share=self._share(ctx, state))

    def final(self, ctx: AgentContext, state: NegotiationState) -> Offer | None:
        """Return the last proposal: the deal that is best for the other of those that it still accepts."""
        return self.proposal(ctx, state)

    def _share(self, ctx: AgentContext, state: NegotiationState) -> float:
        return self.final_share if state.late(ctx) else self.share


class BuildingOffers(ConcedingOffers):
    """Policy that builds an agreement issue by issue: it settles one, keeps it, and goes on to the next.

    It always has a whole deal planned, and proposes its agreed terms and one issue more, first the issues
    that matter most to either side. It proposes the whole where a partial offer could be bound, at a table of
    several, to a seat that proposes whole deals, and shortly before the end.
    """

    def __init__(
        self, *, start: float = 0.8, step: float = 0.07, least: float = 0.15, final: float = 0.25
    ) -> None:
        super().__init__(start=start, step=step, least=least, final=final)

    def proposal(
        self, ctx: AgentContext, state: NegotiationState, avoid: Collection[Offer] = ()
    ) -> Offer | None:
        """Return the agreed terms and one issue more; the whole deal where that fits better."""
        goal = self._goal(ctx, state, avoid)
        if goal is None or self._should_propose_complete(ctx, state):
            return goal
        agreed = self.agreed(ctx, state)
        for name in self._issue_order(state):
            if name in agreed and goal.get(name) == agreed[name]:
                continue
            kept = {issue: term for issue, term in agreed.items() if goal.get(issue) == term}
            part = Offer({**kept, name: dict(goal.terms)[name]})
            if len(part) < len(ctx.issues) and part not in avoid:
                return part
        return goal

    def completion(self, ctx: AgentContext, state: NegotiationState, part: Offer) -> Offer | None:
        """Return the terms of a partial offer and one issue more, where they can lead to a good deal."""
        goal = super().completion(ctx, state, part)
        if goal is None or self._should_propose_complete(ctx, state):
            return goal
        decided = {name: term for name, term in goal.terms if name in part.issues}
        rest = [name for name in self._issue_order(state) if name not in decided]
        return Offer({**decided, **{name: dict(goal.terms)[name] for name in rest[:1]}})

    def agreed(self, ctx: AgentContext, state: NegotiationState) -> dict[str, Term]:
        """Return the terms on which both sides agree, on the board or in words."""
        board, agreed = ctx.board, dict(state.agreed_terms)
        for issue in ctx.issues:
            if board.standing(issue.name) is IssueStatus.AGREED:
                agreed[issue.name] = next(iter(board.terms(issue.name).values()))
        return agreed

    def _goal(self, ctx: AgentContext, state: NegotiationState, avoid: Collection[Offer]) -> Offer | None:
        wanted, agreed = self.wanted(ctx, state), Offer(self.agreed(ctx, state))
        return state.deals.best(wanted, keep=agreed, avoid=avoid) or state.deals.best(wanted, avoid=avoid)

    def _should_propose_complete(self, ctx: AgentContext, state: NegotiationState) -> bool:
        several = len(ctx.game.seats) > 2
        return (
            several
            or ctx.game.rules.allow_partial
            or state.complete_offers_received > 1
            or state.late(ctx)
            or state.prompts > 1
        )

    def _issue_order(self, state: NegotiationState) -> list[str]:
        """Return the issues, those first that matter most to one side or the other."""
        models = [other.weights() for other in state.others.values()]
        theirs = {name: max(weights[name] for weights in models) for name in models[0]}
        own = {name: span(table) for name, table in state.tables.items()}
        total = sum(own.values()) or 1.0
        return sorted(own, key=lambda name: -max(own[name] / total, theirs[name]))
