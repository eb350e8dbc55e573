"""Bids of a game as tuples of integers: quick to compare, with a utility for each side."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from math import prod
from random import Random

from negoplatform.agent_api.bids import keeps
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import Issue, QuantityIssue
from negoplatform.domain.offer import Allocation, Offer, Term
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.utility import AdditiveUtility, Points

MAX_LISTED_BIDS = 20_000
"""Number of bids up to which all are listed where points are sums over issues."""

MAX_LISTED_NONADDITIVE_BIDS = 2_000
"""Number of bids up to which all are listed where issues interact: then each has to be looked up by itself.
"""

SAMPLE_SIZE = 2_000
"""Number of bids in the sample of a larger game."""

MAX_WALKS = 100
"""Most random walks from the own best to the own worst bid."""

MAX_ALLOCATIONS = 2_000
"""Number of ways to divide one issue up to which all are kept; of more, one for each number of own units."""

MAX_SAMPLED_LEVELS = 40
"""Most levels of one issue in a sample's walk."""

Bid = tuple[int, ...]
"""A complete bid: for each issue, in the game's order, the number of its level."""

BidTerms = dict[int, int]
"""Terms of some issues of a bid: levels by the number of the issue."""


class BidSpace:
    """All bids of a game, or a representative sample.

    Where not all are listed, the bids that contain certain terms are the sampled ones with these terms
    inserted, so that there are bids with any terms that the other side may ask for.

    Args:
        game: The game, with the preferences of ``seat`` at least.
        seat: The seat of these bids.
        rng: Random numbers for the sample of a large game; not used where all bids are listed.
    """

    def __init__(self, game: GameSpec, seat: Seat, rng: Random) -> None:
        self.game = game
        self.seat = seat
        self.utility = game.preferences[seat].utility
        self._names = [issue.name for issue in game.issues]
        self._levels = [_levels(issue, game, seat) for issue in game.issues]
        sums = isinstance(self.utility, AdditiveUtility)
        most = MAX_LISTED_BIDS if sums else MAX_LISTED_NONADDITIVE_BIDS
        self.complete = game.count_outcomes() <= most
        listed = prod(map(len, self._levels)) <= most
        self.bids: list[Bid] = (
            list(product(*(range(len(levels)) for levels in self._levels))) if listed else self._sample(rng)
        )

    def levels(self, issue: int) -> list[Term]:
        """Return the known levels of an issue."""
        return self._levels[issue]

    def issue(self, name: str) -> int:
        """Return the number of an issue; ValueError if there is none of that name."""
        return self._names.index(name)

    def name(self, issue: int) -> str:
        """Return the name of an issue."""
        return self._names[issue]

    def offer(self, terms: Mapping[int, int] | Bid) -> Offer:
        """Return a bid, or some terms, as an offer."""
        pairs = enumerate(terms) if isinstance(terms, tuple) else terms.items()
        return Offer((self._names[i], self._levels[i][level]) for i, level in pairs)

    def terms(self, offer: Offer) -> BidTerms:
        """Return an offer as terms; undecided parts within an issue are filled to suit the own side best."""
        return {(i := self.issue(name)): self._level(i, term) for name, term in offer.terms}

    def own_term_utility(self, issue: int, level: int) -> Points:
        """Return the own points of one term alone."""
        return self.utility(Offer({self._names[issue]: self._levels[issue][level]}))

    def _level(self, issue: int, term: Term) -> int:
        levels = self._levels[issue]
        if isinstance(term, Allocation) and not term.complete:
            asked = Offer({self._names[issue]: term})
            fitting = [
                n for n, whole in enumerate(levels) if keeps(Offer({self._names[issue]: whole}), asked)
            ]
            if fitting:
                return max(fitting, key=lambda level: self.own_term_utility(issue, level))
            term = Allocation(term.units.with_value(self.seat, term.of(self.seat) + term.undecided))
        if term not in levels:
            levels.append(term)
        return levels.index(term)

    def _sample(self, rng: Random) -> list[Bid]:
        """Return bids on random walks from the own best to the own worst, and as many drawn at random."""
        ladders = [self._ladder(issue) for issue in range(len(self._levels))]
        found: dict[Bid, None] = {}
        for _ in range(MAX_WALKS):
            at = [0] * len(ladders)
            found[tuple(ladder[0] for ladder in ladders)] = None
            while movable := [i for i, ladder in enumerate(ladders) if at[i] + 1 < len(ladder)]:
                at[rng.choice(movable)] += 1
                found[tuple(ladder[n] for ladder, n in zip(ladders, at, strict=True))] = None
            if len(found) >= SAMPLE_SIZE // 2:
                break
        for _ in range(SAMPLE_SIZE - len(found)):
            found[tuple(rng.randrange(len(levels)) for levels in self._levels)] = None
        return list(found)

    def _ladder(self, issue: int) -> list[int]:
        """Return levels of an issue from the own best to the own worst: a limited number, with both ends."""
        worth = [self.own_term_utility(issue, level) for level in range(len(self._levels[issue]))]
        ranked = sorted(range(len(worth)), key=lambda level: -worth[level])
        stride = -(-len(ranked) // MAX_SAMPLED_LEVELS)
        return ranked[::stride] + ([ranked[-1]] if (len(ranked) - 1) % stride else [])


class BidUtility:
    """Utility of the bids of a space for one side.

    Args:
        space: The bids.
        level_utility: The points of a level of an issue, by their numbers.
        whole: The points of a bid as a whole, where these are more than the sum of its parts.
    """

    def __init__(
        self,
        space: BidSpace,
        part: Callable[[int, int], Points],
        whole: Callable[[Offer], Points] | None = None,
    ) -> None:
        self._space = space
        self._level_utility = part
        self._bid_utility = whole
        self._level_utilities: dict[tuple[int, int], Points] = {}
        self.values: list[Points] = self._compute_values()
        """Points of each bid of the space, in its order."""
        self.lowest: Points = min(self.values)
        """Points of the worst bid."""
        self.highest: Points = max(self.values)
        """Points of the best bid."""

    def level_utility(self, issue: int, level: int) -> Points:
        """Return the points that a level adds; where a bid is more than its parts, its own points."""
        key = issue, level
        if key not in self._level_utilities:
            self._level_utilities[key] = self._level_utility(issue, level)
        return self._level_utilities[key]

    def of_terms(self, terms: BidTerms) -> Points:
        """Return the points of some terms, added up."""
        return sum(self.level_utility(*term) for term in terms.items())

    def best_level(self, issue: int) -> int:
        """Return the level of an issue with the most points."""
        return max(range(len(self._space.levels(issue))), key=lambda level: self.level_utility(issue, level))

    def of(self, bid: Bid) -> Points:
        """Return the points of a bid, in the space or not."""
        if self._bid_utility is not None:
            return self._bid_utility(self._space.offer(bid))
        return sum([self.level_utility(issue, level) for issue, level in enumerate(bid)])

    def _compute_values(self) -> list[Points]:
        if self._bid_utility is not None or not self._space.complete:
            return [self.of(bid) for bid in self._space.bids]
        # In the order of itertools.product, one addition for each bid.
        sums: list[Points] = [0]
        for issue in range(len(self._space.game.issues)):
            table = [self.level_utility(issue, level) for level in range(len(self._space.levels(issue)))]
            sums = [points + more for points in sums for more in table]
        return sums


def own_utility(space: BidSpace) -> BidUtility:
    """Return the own side's utility of the bids."""
    utility, seat = space.utility, space.seat
    if not isinstance(utility, AdditiveUtility):
        return BidUtility(space, space.own_term_utility, utility)
    tables = utility.tables

    def part(issue: int, level: int) -> Points:
        term = space.levels(issue)[level]
        return tables[space.name(issue)][term.of(seat) if isinstance(term, Allocation) else term]

    return BidUtility(space, part)


def _levels(issue: Issue, game: GameSpec, seat: Seat) -> list[Term]:
    """Return every level of an issue; of very many ways to share it, an even one per own share."""
    if not isinstance(issue, QuantityIssue) or issue.count(game.seats) <= MAX_ALLOCATIONS:
        return list(issue.terms(game.seats))
    return [_even_allocation(issue.quantity, own, game, seat) for own in range(issue.quantity + 1)]


def _even_allocation(quantity: int, own: int, game: GameSpec, seat: Seat) -> Allocation:
    others = game.others(seat)
    each, rest = divmod(quantity - own, len(others))
    units = {other: each + (n < rest) for n, other in enumerate(others)}
    return Allocation({seat: own} | units)
