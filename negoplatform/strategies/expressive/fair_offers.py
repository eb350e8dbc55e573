"""Offers that split evenly by value."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from negoplatform.agent_api.bids import Bids
from negoplatform.agent_api.context import AgentContext
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.utility import Points
from negoplatform.strategies.dialogue.opponent_model import issue_importance
from negoplatform.strategies.expressive.offer_policies import ConcedingOffers, NegotiationState

MAX_PROPOSALS = 4
"""Proposals that it has, each with a little less for itself."""

STEP_SHARE = 0.05
"""Difference between two of them, as a share of the range of its points."""


class FairOffers(ConcedingOffers):
    """Policy that asks for the fairest outcome it knows, and then for up to three with a little less.

    Where the game shows the other's preferences it looks for the outcome that leaves the worse-off side best
    off; where it does not, it halves what can be divided and asks for a share of what it could gain.

    Args:
        share: The share, 0 to 1, of what it could gain that it asks for where nothing is visible.
    """

    def __init__(self, share: float = 0.5) -> None:
        super().__init__(least=0.0, final=0.0)
        self.share = share
        self._proposals: list[tuple[Points, Offer]] = []
        self._bids: Bids | None = None
        self._first_issue = ""

    def begin(self, ctx: AgentContext, state: NegotiationState) -> None:
        """Begin a new game: work out its proposals."""
        self._bids = Bids(ctx)
        importance = issue_importance(ctx, state.tables)
        self._first_issue = max(importance, key=lambda name: importance[name])
        self._proposals = self._fair_proposals(ctx)
        self._update_demand(state)

    def follow_limit(self, ctx: AgentContext, state: NegotiationState) -> None:
        """Work out its proposals again; go on with those that ask no more than the current one, if any."""
        asked = ctx.utility(self._proposals[0][1]) if self._proposals else float("inf")
        found = self._fair_proposals(ctx)
        self._proposals = [pair for pair in found if ctx.utility(pair[1]) <= asked] or found
        self._update_demand(state)

    def give_way(self, steps: float = 1.0) -> None:
        """Go on to the next proposal; the last one stands."""
        if steps >= 1 and len(self._proposals) > 1:
            self._proposals.pop(0)

    @property
    def threshold(self) -> Points:
        """Least points that it accepts before the end."""
        return self._proposals[0][0] if self._proposals else float("inf")

    def wanted(self, ctx: AgentContext, state: NegotiationState) -> float:  # noqa: ARG002 - the policy's call
        """Return the points that it demands now."""
        self._update_demand(state)
        return float(max(self.threshold, state.stated_limit))

    def proposal(
        self,
        ctx: AgentContext,
        state: NegotiationState,
        avoid: Collection[Offer] = (),
    ) -> Offer | None:
        """Return the present proposal; None for none, and where it would only repeat an earlier one."""
        self._update_demand(state)
        if not self._proposals or ctx.utility(self._proposals[0][1]) < state.stated_limit:
            return None
        found = self._proposals[0][1]
        if found in state.deals.excluded:
            return state.deals.best(self.wanted(ctx, state), avoid=avoid)
        return None if found in avoid else found

    def completion(self, ctx: AgentContext, state: NegotiationState, part: Offer) -> Offer | None:
        """Return the deal with the terms of a partial offer that is just enough; None if there is none."""
        assert self._bids is not None
        least = self.wanted(ctx, state)
        found = (offer for offer in self._bids.keeping(part, least) if offer not in state.deals.excluded)
        return next(found, None)

    def final(self, ctx: AgentContext, state: NegotiationState) -> Offer | None:
        """Return its present proposal, which it calls its last."""
        return self.proposal(ctx, state)

    def _update_demand(self, state: NegotiationState) -> None:
        self.demand = state.deals.gain(self.threshold) if self._proposals else 1.0
        self.least = state.deals.gain(self._proposals[-1][0]) if self._proposals else 1.0

    def _fair_proposals(self, ctx: AgentContext) -> list[tuple[Points, Offer]]:
        """Return pairs of the points that it asks for and the offer, the fairest first.

        None if no outcome is as good as no deal.
        """
        assert self._bids is not None
        found: list[tuple[Points, Offer]] = []
        low, high = self._bids.lowest, self._bids.highest
        visible = ctx.opponent_preferences_visible
        asked: Points = max(ctx.least_points, low + self.share * (high - low))
        last: Points = float("inf")
        measure = self._even_by_value if visible else self._even_by_units
        for _ in range(MAX_PROPOSALS):
            best = self._bids.max_by(partial(measure, ctx, asked, last))
            points = ctx.utility(best)
            if not ctx.least_points <= points < last:
                break
            asked = min(asked, points) if found or not visible else points
            found.append((asked, best))
            asked, last = max(ctx.least_points, asked - STEP_SHARE * (high - low)), points
        return found

    @staticmethod
    def _even_by_value(ctx: AgentContext, asked: Points, last: Points, offer: Offer) -> tuple[object, ...]:
        """Score an offer: at first by the points of the worse-off side, later by the others' points."""
        mine = ctx.utility(offer)
        others = [ctx.get_opponent_utility(offer, seat) for seat in ctx.game.others(ctx.seat)]
        if last == float("inf"):
            return mine >= ctx.least_points, min(mine, *others), mine + sum(others)
        return asked <= mine < last, min(others), mine

    def _even_by_units(
        self, ctx: AgentContext, asked: Points, last: Points, offer: Offer
    ) -> tuple[object, ...]:
        """Score an offer: between the demand and the last proposal, in heaps as equal as can be."""
        mine = ctx.utility(offer)
        heaps = [
            [term.of(seat) for seat in ctx.game.seats]
            for _, term in offer.terms
            if isinstance(term, Allocation)
        ]
        unevenness = sum(max(heap) - min(heap) for heap in heaps)
        # Of equally even ones, that with the most of the goods that matter most to it.
        first = offer.get(self._first_issue)
        kept = first.of(ctx.seat) if isinstance(first, Allocation) else 0
        return asked <= mine < last, mine >= ctx.least_points, -unevenness, kept, -abs(mine - asked)
