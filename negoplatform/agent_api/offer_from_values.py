"""Offers from plain values, in the forms in which agents write terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from negoplatform.domain.errors import OfferError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import Issue, QuantityIssue
from negoplatform.domain.offer import Allocation, Offer, Term
from negoplatform.domain.seat_map import Seat

TermSpec = Allocation | str | int | float | Sequence[int] | Mapping[Seat, int] | None
"""Term in one of the forms that :meth:`~negoplatform.agent_api.AgentContext.make_offer` takes."""


def offer_from_values(game: GameSpec, seat: Seat, terms: Mapping[str, TermSpec]) -> Offer:
    """Return an offer from plain values, by issue name; whether all of it fits the game is not checked.

    Args:
        game: The game.
        seat: The seat to which a number of units is meant to go.
        terms: A value or number; units of the seat, by seat or in the order of the seats; None leaves the
            issue out.

    Raises:
        OfferError: If there is no such issue, or a number of units does not fit it.
    """
    return Offer(
        (name, _term(game, seat, game.issue(name), spec)) for name, spec in terms.items() if spec is not None
    )


def _term(game: GameSpec, seat: Seat, issue: Issue, spec: TermSpec) -> Term:
    if isinstance(spec, Allocation) or not isinstance(issue, QuantityIssue):
        return spec  # type: ignore[return-value]  # what does not fit is refused by the offer's check
    return Allocation(*_units(game, seat, issue, spec))


def _units(
    game: GameSpec, seat: Seat, issue: QuantityIssue, spec: TermSpec
) -> tuple[Mapping[Seat, int], int]:
    """Return the units of each seat, and how many are undecided."""
    seats = game.seats
    units: Mapping[Seat, int]
    if isinstance(spec, int) and len(seats) == 2:
        if not 0 <= spec <= issue.quantity:
            raise OfferError(f"{issue.name}: there are 0 to {issue.quantity} units to give, not {spec}.")
        other = game.others(seat)[0]
        units = {seat: spec, other: issue.quantity - spec}
    elif isinstance(spec, int):
        units = {seat: spec}
    elif isinstance(spec, Mapping):
        units = spec
    elif isinstance(spec, Sequence) and not isinstance(spec, str) and len(spec) == len(seats):
        units = dict(zip(seats, spec, strict=True))
    else:
        raise OfferError(f"{issue.name}: {spec!r} says no units; give a number, or units by seat.")
    given = sum(units.values())
    if given > issue.quantity:
        raise OfferError(f"{issue.name}: {given} units are given away, but there are {issue.quantity}.")
    return units, issue.quantity - given
