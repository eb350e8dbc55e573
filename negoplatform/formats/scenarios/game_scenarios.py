"""Scenarios of games: what other platforms can hold of them, exactly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import islice, product
from typing import Any

from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec, Preferences
from negoplatform.domain.issue import Issue, QuantityIssue
from negoplatform.domain.offer import Allocation, Term
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.utility import AdditiveUtility, InteractionUtility, Points
from negoplatform.formats.game_files.seat_preferences import MOST_NUMBERS
from negoplatform.formats.scenarios.scenario import ROUNDING, Scenario, ScenarioIssue, ScenarioProfile


@dataclass(frozen=True, slots=True)
class Abilities:
    """Limits of a format.

    Args:
        name: Its name.
        at_most: The limit of utilities that it sets itself; None: it has none.
        discounts: Whether it has discount factors.
        unit_interval: Whether its utilities lie between 0 and 1.
    """

    name: str
    at_most: Fraction | None
    discounts: bool
    unit_interval: bool


def game_scenario(game: GameSpec, abilities: Abilities, *, rescale: bool) -> Scenario:
    """Return the scenario of a game for a format; every issue has values.

    Quantity issues get one value for each way to divide their units, number issues the text of each number.
    The evaluation of a value is its points, and every weight is 1.

    Args:
        game: The game, with the preferences of all seats.
        abilities: What the format can hold.
        rescale: Whether each seat's points are shifted and divided so that its worst outcome is worth 0 and
            its best one 1; the reservation value too.

    Raises:
        NegoError: If the format cannot hold something of the game; the sentence names it.
    """
    if not game.issues:
        raise NegoError(f"{game.name} has no issues; only games with issues can be exported.")
    if game.profiles:
        seats = ", ".join(game.profiles)
        raise NegoError(
            f"In {game.name} the profile of {seats} is still to be chosen; choose one (--profile)."
        )
    terms = {issue.name: _terms(issue, game) for issue in game.issues}
    return Scenario(
        name=game.name,
        issues=tuple(ScenarioIssue(issue.title, tuple(terms[issue.name])) for issue in game.issues),
        profiles=tuple(
            _profile(game, seat, game.preferences[seat], terms, abilities, rescale=rescale)
            for seat in game.seats
        ),
        source=abilities.name,
    )


def _terms(issue: Issue, game: GameSpec) -> dict[str, Term]:
    """Return the terms of an issue by their texts."""
    if issue.count(game.seats) > MOST_NUMBERS:
        raise NegoError(f"{issue.title} of {game.name} has more than {MOST_NUMBERS:,} values.")
    return {_text(term, issue, game): term for term in issue.terms(game.seats)}


def _text(term: Term, issue: Issue, game: GameSpec) -> str:
    if isinstance(issue, QuantityIssue) and isinstance(term, Allocation):
        return ", ".join(f"{seat} {term.of(seat)}" for seat in game.seats)
    return str(term)


def _profile(
    game: GameSpec,
    seat: Seat,
    own: Preferences,
    terms: Mapping[str, Mapping[str, Term]],
    abilities: Abilities,
    *,
    rescale: bool,
) -> ScenarioProfile:
    utility = _additive(game, seat, own, abilities)
    tables = [
        [_exact(utility.tables[name][_level(term, seat)]) for term in of_issue.values()]
        for name, of_issue in terms.items()
    ]
    reservation = _exact(own.reservation_value)
    limit = None
    if isinstance(own.utility, InteractionUtility) and own.utility.at_most is not None:
        limit = _exact(own.utility.at_most)
    if limit is not None and limit != abilities.at_most and _exceeds(tables, limit):
        raise _refusal(game, seat, "a limit of all points", abilities)
    if rescale:
        lowest, highest = sum(map(min, tables), Fraction(0)), sum(map(max, tables), Fraction(0))
        if limit is not None:
            # The limit becomes that of the format: nothing is worth more than the best outcome.
            lowest, highest = min(lowest, limit), min(highest, limit)
        width = highest - lowest
        if width:
            tables = [[(points - min(table)) / width for points in table] for table in tables]
        else:
            tables = [[Fraction(0)] * len(table) for table in tables]
        reservation = (reservation - lowest) / (width or 1)
    elif abilities.unit_interval and (
        min(map(min, tables)) < 0
        or ((limit is None or limit != abilities.at_most) and _exceeds(tables, Fraction(1)))
    ):
        raise NegoError(
            f"The points of {seat} in {game.name} are not from 0 to 1 in every issue and altogether, as in "
            f"{abilities.name}; --rescale makes its worst outcome 0 and its best one 1."
        )
    return ScenarioProfile(
        name=seat,
        weights=(Fraction(1),) * len(tables),
        evaluations=tuple(map(tuple, tables)),
        at_most=abilities.at_most,
        reservation=reservation,
        discount=_exact(own.discount_factor),
    )


def _exceeds(tables: Sequence[Sequence[Fraction]], limit: Fraction) -> bool:
    """Return whether some outcome is worth more than a limit, by more than rounding."""
    return sum(map(max, tables), Fraction(0)) > limit + ROUNDING * len(tables)


def _additive(game: GameSpec, seat: Seat, own: Preferences, abilities: Abilities) -> AdditiveUtility:
    """Return the sum over issues; raise NegoError, with a name, for what the format does not have."""
    utility, missing = own.utility, ""
    if own.time_cost is not None:
        missing = "a cost of time"
    elif own.opt_out is not None and own.opt_out != own.reservation_value:
        missing = "another value of quitting than of a timeout"
    elif own.discount_factor != 1 and not abilities.discounts:
        missing = "a discount factor"
    elif isinstance(utility, InteractionUtility) and utility.interactions:
        missing = "interactions of issues"
    if missing:
        raise _refusal(game, seat, missing, abilities)
    if isinstance(utility, AdditiveUtility | InteractionUtility):
        return utility.additive
    raise NegoError(
        f"The utility of {seat} in {game.name} is no sum over issues; only such utilities can be exported."
    )


def _refusal(game: GameSpec, seat: Seat, missing: str, abilities: Abilities) -> NegoError:
    return NegoError(
        f"{seat} in {game.name} has {missing}, which {abilities.name} cannot hold; export a copy of the game "
        "without it."
    )


def _level(term: Term, seat: Seat) -> Any:
    return term.of(seat) if isinstance(term, Allocation) else term


def _exact(points: Points) -> Fraction:
    return Fraction(repr(points))


MOST_SEARCHED = 1_000_000
"""Maximum number of outcomes among which a reservation bid is searched for."""


def bid_worth(scenario: Scenario, profile: ScenarioProfile, worth: Fraction) -> dict[str, str] | None:
    """Return a bid that has a utility for a profile; None if there is none among the first million."""
    for places in islice(_outcomes(profile), MOST_SEARCHED):
        if sum(own[place] for own, place in zip(profile.evaluations, places, strict=True)) == worth:
            return {
                issue.title: issue.values[place] for issue, place in zip(scenario.issues, places, strict=True)
            }
    return None


def _outcomes(profile: ScenarioProfile) -> Iterator[tuple[int, ...]]:
    return product(*(range(len(own)) for own in profile.evaluations))


def decimal_text(value: Fraction, digits: int) -> str:
    """Return a number in decimal notation, exactly if it has no more than some digits, else rounded."""
    if value.denominator == 1:
        return str(value.numerator)
    with localcontext() as context:
        context.prec = digits
        return f"{Decimal(value.numerator) / Decimal(value.denominator):f}"
