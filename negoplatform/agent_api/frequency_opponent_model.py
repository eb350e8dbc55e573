"""Estimate of the other side's preferences from its offers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from negoplatform.domain.errors import AgentError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import Issue, QuantityIssue
from negoplatform.domain.offer import Allocation, Offer, Term
from negoplatform.domain.seat_map import Seat

Level = int | float | str
"""Level of an issue for one seat: its units of a quantity issue, the value or number of another."""

LEARNING_RATE = 0.2
"""Usual learning rate of an estimate."""


class FrequencyEstimate:
    """Another seat's weights and scores, estimated from how often and how steadily it asks for each level.

    The frequency model of the agent HardHeaded, winner of ANAC 2011: T. van Krimpen, D. Looije and
    S. Hajizadeh (2013), "HardHeaded", Complex Automated Negotiations: Theories, Models, and Software
    Competitions, Studies in Computational Intelligence 435, 223-227. An issue that a seat holds on to from
    one offer to the next has weight; a level that it asks for often has a high score.

    Every issue starts with the weight ``1 / n`` and every level with a count of 1. With each offer

    - the count of each level that it asks for rises by one; a level's score is its count divided by the
      highest count in its issue;
    - each issue with the same level as the last time gains ``learning / n`` of weight (unless it has
      nearly all weight already), and all weights are scaled to sum to 1.

    An issue that an offer leaves undecided is left as it was. Before the first offer every offer is
    estimated at 1. The implementation in Genius counts from the second offer on; the first is counted here,
    because it shows most about a seat that makes few.

    Args:
        game: The game; an agent passes ``ctx.game``.
        seat: The seat whose offers are observed. At a table of several, each gets an estimate of its own.
        learning: How fast weights follow the issues that the seat holds on to, 0 to 1.

    Raises:
        AgentError: If the game has no such seat, or the learning rate is out of range.
    """

    def __init__(self, game: GameSpec, seat: Seat, *, learning: float = LEARNING_RATE) -> None:
        if seat not in game.seats:
            raise AgentError(f"Nobody sits at {seat!r}; an estimate is about one of {', '.join(game.seats)}.")
        if isinstance(learning, bool) or not isinstance(learning, int | float) or not 0 <= learning <= 1:
            raise AgentError(f"The learning rate of an estimate is a share from 0 to 1, not {learning!r}.")
        self._game = game
        self._seat = seat
        self._gain = learning / len(game.issues)
        self._weights = {issue.name: 1 / len(game.issues) for issue in game.issues}
        self._counts = {issue.name: dict.fromkeys(_levels(issue), 1) for issue in game.issues}
        self._highest = dict.fromkeys(self._counts, 1)
        self._last: dict[str, Level] = {}
        self._offer_count = 0

    @property
    def seat(self) -> Seat:
        """Seat whose preferences are estimated."""
        return self._seat

    @property
    def heard(self) -> int:
        """Number of offers observed."""
        return self._offer_count

    @property
    def weights(self) -> Mapping[str, float]:
        """Estimated weight of each issue, 0 to 1; together 1."""
        return MappingProxyType(dict(self._weights))

    def scores(self, issue: str) -> dict[Level, float]:
        """Return the estimated score of each level of an issue, above 0 and up to 1; the best has 1.

        A level of a quantity issue is the number of units that the seat gets.

        Raises:
            OfferError: If the game has no such issue.
        """
        self._game.issue(issue)
        return {level: count / self._highest[issue] for level, count in self._counts[issue].items()}

    def hear(self, offer: Offer) -> None:
        """Learn from an offer of the seat, complete or partial.

        Raises:
            OfferError: If the offer does not fit the game.
        """
        if not offer.terms:
            return
        self._game.check_offer(offer)
        asked = {name: level for name, term in offer.terms for level in self._requested_levels(term)}
        kept = [name for name, level in asked.items() if self._last.get(name) == level]
        self._update_weights(kept)
        for name, level in asked.items():
            self._counts[name][level] += 1
            self._highest[name] = max(self._highest[name], self._counts[name][level])
        self._last.update(asked)
        self._offer_count += 1

    def estimate_utility(self, offer: Offer) -> float:
        """Return the estimated utility of an offer for the seat, 0 to 1.

        Scores times weights; undecided parts count 0.

        Raises:
            OfferError: If the offer does not fit the game.
        """
        if not offer.terms:
            return 0.0
        self._game.check_offer(offer)
        return min(
            1.0,
            sum(
                self._weights[name] * self._counts[name][level] / self._highest[name]
                for name, term in offer.terms
                for level in self._received_levels(term)
            ),
        )

    def estimate_utilities(self, offers: Sequence[Offer]) -> list[float]:
        """Return the estimated utilities of many offers, the same as :meth:`estimate_utility`, but faster.

        Raises:
            OfferError: If an offer does not fit the game.
        """
        # By the terms' identities: offers of one list share their terms, and allocations are slow to hash.
        worths: dict[str, dict[int, float]] = {name: {} for name in self._weights}
        found: list[float] = []
        for offer in offers:
            total = 0.0
            for name, term in offer.terms:
                known = worths.get(name, {})
                if id(term) not in known:
                    known[id(term)] = self.estimate_utility(Offer({name: term}))
                total += known[id(term)]
            found.append(min(1.0, total))
        return found

    def _update_weights(self, kept: list[str]) -> None:
        """Give more weight to the issues that the seat held on to; as in the source, none may take it all."""
        total = 1 + self._gain * len(kept)
        most = 1 - len(self._weights) * self._gain / total
        for name, weight in self._weights.items():
            gains = name in kept and weight < most
            self._weights[name] = (weight + self._gain if gains else weight) / total
        # Where an issue was at its limit, the weights no longer sum to 1.
        total = sum(self._weights.values())
        self._weights = {name: weight / total for name, weight in self._weights.items()}

    def _requested_levels(self, term: Term) -> Iterator[Level]:
        """Yield the level that a term asks for; none if it leaves units open and claims none of them."""
        if not isinstance(term, Allocation):
            yield term
        elif term.complete or term.of(self._seat):
            yield term.of(self._seat)

    def _received_levels(self, term: Term) -> Iterator[Level]:
        """Yield the level of a term as utility functions count it; none if it decides nothing."""
        if not isinstance(term, Allocation):
            yield term
        elif term.complete or term.undecided != term.total:
            yield term.of(self._seat)


def estimates_of_others(
    game: GameSpec, seat: Seat, *, learning: float = LEARNING_RATE
) -> dict[Seat, FrequencyEstimate]:
    """Return an estimate for each other seat: ``estimates_of_others(ctx.game, ctx.seat)``."""
    return {other: FrequencyEstimate(game, other, learning=learning) for other in game.others(seat)}


def _levels(issue: Issue) -> Iterator[Level]:
    if isinstance(issue, QuantityIssue):
        yield from range(issue.quantity + 1)
    else:
        yield from issue.values
