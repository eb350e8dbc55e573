"""Complete offers of the two relatives that do not settle issue by issue: by threshold, and by rank."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from operator import mul, sub
from statistics import fmean

from negoplatform.strategies.negochat.belief import Belief
from negoplatform.strategies.negochat.belief_by_seat import BeliefBySeat
from negoplatform.strategies.negochat.bid_space import Bid, BidTerms, BidUtility
from negoplatform.strategies.negochat.bid_thresholds import cluster
from negoplatform.strategies.negochat.negotiation_model_builder import PUBLISHED, NegotiationModel


class KnowledgeBase:
    """KBAgent's full offer for each turn and type, and its expected points of a partial offer.

    The offers themselves were not published. Ours is, of the bids that the published rule admits in the
    turn, the one that is best for the type; of ties the own best.

    Args:
        model: The negotiation model of the game.
        least: The own points of no deal.
    """

    def __init__(self, model: NegotiationModel, least: float) -> None:
        self._model = model
        self._least = least

    def offer(self, turn: int) -> Bid | None:
        """Return the offer to the current type in a turn; None if no bid is good enough."""
        found = self._cluster(turn)
        own, other = self._model.own.values, self._model.belief.type.utility.values
        best = max(found, key=lambda n: (other[n], own[n], -n), default=None)
        return None if best is None else self._model.space.bids[best]

    def is_acceptable_value(self, points: float, turn: int) -> bool:
        """Return whether these points, in a turn, reach the threshold against the current type."""
        bar = self._model.thresholds.at(self._model.belief.current, turn)
        return points >= self._least and points - turn * self._model.time_effect >= bar.own

    def expected_points(self, asked: BidTerms, turn: int) -> float:
        """Return the expected points of a partial offer: its own terms, and the average of each open issue.

        Averages are the published ones where there are some for the type, weighted as the issues are; else
        those of the bids that are admitted in this turn, which is ours.
        """
        own, space = self._model.own, self._model.space
        open_issues = [issue for issue in range(len(space.game.issues)) if issue not in asked]
        averages = self._averages(open_issues, turn)
        return sum(own.level_utility(issue, level) for issue, level in asked.items()) + sum(averages.values())

    def _averages(self, issues: Sequence[int], turn: int) -> dict[int, float]:
        model = self._model
        known = model.published and model.published.averages(model.belief.type.name)
        if model.published is not None and known and model.threshold_source == PUBLISHED:
            return {issue: known[issue] * model.published.weight(issue) for issue in issues}
        found = self._cluster(turn) or range(len(model.space.bids))
        return {
            issue: fmean(model.own.level_utility(issue, model.space.bids[n][issue]) for n in found)
            for issue in issues
        }

    def _cluster(self, turn: int) -> list[int]:
        model = self._model
        bar = model.thresholds.at(model.belief.current, turn)
        found = cluster(model.own, model.belief.type.utility, bar, turn * model.time_effect)
        return [n for n in found if model.own.values[n] >= self._least]


class BidRanking:
    """QOAgent's score of a bid: the smaller of its own rank and of its probability of acceptance.

    R. Lin, S. Kraus, J. Wilkenfeld and J. Barry (2008), "Negotiating with bounded rational agents in
    environments with incomplete information using an automated agent", Artificial Intelligence 172, 823-851.
    The rank of a bid is the share of all bids that have no more points. Its probability of acceptance is its
    rank by the Luce numbers of a type, averaged over the types by their probabilities; this last step is
    ours. With several other seats it is the least probability of those that have to accept.

    Args:
        own: The own side's utility.
        belief: The belief about the other side.
        least: The own points of no deal.
    """

    def __init__(self, own: BidUtility, belief: Belief | BeliefBySeat, least: float) -> None:
        self._own = own
        self._belief = belief
        self._possible = [n for n, points in enumerate(own.values) if points >= least]
        self._own_ranks = _ranks(own.values)
        self._type_ranks = [
            [_ranks(kind.utility.values) for kind in member.types] for member in belief.members
        ]
        self._order: list[int] = []
        self._order_for: list[float] = []

    def acceptance_probability(self, n: int) -> float:
        """Return the probability, 0 to 1, that the other side accepts the bid of that number."""
        chances = [
            sum(p * ranks[n] for p, ranks in zip(member.posterior, of_member, strict=True))
            for member, of_member in zip(self._belief.members, self._type_ranks, strict=True)
        ]
        return sorted(chances, reverse=True)[self._belief.needed - 1]

    def score(self, n: int) -> float:
        """Return the score of the bid of that number, 0 to 1."""
        return min(self._own_ranks[n], self.acceptance_probability(n))

    def order(self) -> list[int]:
        """Return the numbers of the bids, the highest score first, without those worse than no deal."""
        posteriors = [member.posterior for member in self._belief.members]
        flat = [share for posterior in posteriors for share in posterior]
        if not self._order_for or max(map(abs, map(sub, flat, self._order_for))) > 0.001:
            by_member = [
                [sum(map(mul, posterior, chances)) for chances in zip(*ranks, strict=True)]
                for posterior, ranks in zip(posteriors, self._type_ranks, strict=True)
            ]
            least = by_member[0] if len(by_member) == 1 else self._least_needed(by_member)
            worths = [
                (min(own, chance), points)
                for own, chance, points in zip(self._own_ranks, least, self._own.values, strict=True)
            ]
            self._order = sorted(self._possible, key=worths.__getitem__, reverse=True)
            self._order_for = flat
        return self._order

    def _least_needed(self, by_member: Sequence[Sequence[float]]) -> list[float]:
        """Return for each bid the least probability of the seats that have to accept it."""
        needed = self._belief.needed
        return [sorted(chances, reverse=True)[needed - 1] for chances in zip(*by_member, strict=True)]


def _ranks(points: Sequence[float]) -> list[float]:
    """Return for each bid the share of all bids that have no more points, above 0 and up to 1."""
    ranked = sorted(points)
    return [bisect_right(ranked, worth) / len(ranked) for worth in points]
