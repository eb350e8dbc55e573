"""Average of several complete offers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import Issue, NumberIssue, QuantityIssue
from negoplatform.domain.offer import Allocation, Offer, Term
from negoplatform.domain.seat_map import Seat


def average_offer(game: GameSpec, offers: Sequence[Offer]) -> Offer | None:
    """Return the average of the complete ones among some offers, as a complete offer that fits the game.

    The units of a quantity are divided by the mean numbers, and what rounding leaves goes to the largest
    remainders. Of a number it is the allowed one nearest to the mean, of values the most frequent one; at a
    tie the earliest seat, the lowest number and the value of the earliest offer.

    Args:
        game: The game.
        offers: The offers.

    Returns:
        The average; None: no offer is complete, or the average does not fit the game.
    """
    complete = [offer for offer in offers if game.is_complete(offer)]
    if not complete:
        return None
    found = Offer((issue.name, _average_term(issue, game.seats, complete)) for issue in game.issues)
    try:
        game.check_offer(found)
    except NegoError:
        return None
    return found


def _average_term(issue: Issue, seats: Sequence[Seat], offers: Sequence[Offer]) -> Term:
    if isinstance(issue, QuantityIssue):
        return _average_division(issue, seats, offers)
    terms: list[Term] = [term for offer in offers if (term := offer.get(issue.name)) is not None]
    if isinstance(issue, NumberIssue):
        mean = sum(Fraction(str(term)) for term in terms) / len(terms)
        return min(issue.values, key=lambda value: (abs(Fraction(str(value)) - mean), value))
    return Counter(terms).most_common(1)[0][0]


def _average_division(issue: QuantityIssue, seats: Sequence[Seat], offers: Sequence[Offer]) -> Allocation:
    means = {
        seat: Fraction(sum(offer.units(issue.name, seat) for offer in offers), len(offers)) for seat in seats
    }
    units = {seat: int(mean) for seat, mean in means.items()}
    left = issue.quantity - sum(units.values())
    by_remainder = sorted(seats, key=lambda seat: units[seat] - means[seat])
    for seat in by_remainder[:left]:
        units[seat] += 1
    return Allocation(units)
