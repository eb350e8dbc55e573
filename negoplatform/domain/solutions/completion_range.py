"""Range of points that a partial offer can still reach."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.utility import AdditiveUtility, InteractionUtility, Points, UtilityFunction


def completion_range(game: GameSpec, utility: UtilityFunction, offer: Offer) -> tuple[Points, Points]:
    """Return the least and the most points among the complete offers that keep an offer's terms.

    Both are the same for a complete offer. For a utility whose points by issue are not known, a partial
    offer can reach anything between the utility's lowest and highest points.

    Args:
        game: The game of the offer.
        utility: One seat's utility.
        offer: A complete or partial offer.
    """
    if game.is_complete(offer):
        points = utility(offer)
        return points, points
    match utility:
        case AdditiveUtility():
            tables = _reachable(utility, offer).values()
            return sum(min(table.values()) for table in tables), sum(max(table.values()) for table in tables)
        case InteractionUtility():
            return _with_interactions(utility, offer)
        case _:
            return utility.lowest, utility.highest


@lru_cache(maxsize=64)
def _with_interactions(utility: InteractionUtility, offer: Offer) -> tuple[Points, Points]:
    # The extremes of the same utility over the remaining levels. Cached: where many issues interact they take
    # time, and a window asks for the same offer again and again.
    additive = utility.additive
    left = AdditiveUtility(additive.seat, _reachable(additive, offer))
    restricted = InteractionUtility(left, utility.interactions, utility.at_most)
    return restricted.lowest, restricted.highest


def _reachable(utility: AdditiveUtility, offer: Offer) -> Mapping[str, Mapping[Any, Points]]:
    """Return each issue's levels that an offer leaves open, with their points."""
    tables: dict[str, dict[Any, Points]] = {}
    for issue, table in utility.tables.items():
        term = offer.get(issue)
        if term is None:
            tables[issue] = dict(table)
        elif isinstance(term, Allocation):
            own = term.of(utility.seat)
            tables[issue] = {units: table[units] for units in range(own, own + term.undecided + 1)}
        else:
            tables[issue] = {term: table[term]}
    return tables
