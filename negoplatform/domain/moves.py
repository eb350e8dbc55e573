"""Moves: the step from one proposal of a seat to its next, classified by what it means for both sides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from types import MappingProxyType

from negoplatform.domain.errors import NegoError
from negoplatform.domain.exact import WholeGame
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat import BySeat, Seat


class Step(StrEnum):
    """A step between two successive proposals of one seat.

    Source: Hindriks, Jonker & Tykhonov 2007, "Analysis of negotiation dynamics" (CIA 2007), and 2011,
    "Let's DANS! An analytic framework of negotiation dynamics and strategies".
    """

    FORTUNATE = "fortunate"
    """More for both sides."""
    SELFISH = "selfish"
    """More for oneself, and no more for the other side."""
    CONCESSION = "concession"
    """Less for oneself, and no less for the other side."""
    UNFORTUNATE = "unfortunate"
    """No more for oneself, and less for the other side."""
    NICE = "nice"
    """The same for oneself, and more for the other side."""
    SILENT = "silent"
    """The same for both."""


TOWARDS = frozenset({Step.FORTUNATE, Step.NICE, Step.CONCESSION})
"""Steps that are good, or at least not bad, for the other side."""


@dataclass(frozen=True, slots=True)
class Move:
    """One step of one seat.

    Args:
        seat: Who moved.
        before: Everything it had proposed before; complete.
        after: Everything it proposes now; complete.
        own: What the step changes for the seat itself, in whole points.
        other: What it changes for the other side, in whole points.
        step: Its class.
    """

    seat: Seat
    before: Offer
    after: Offer
    own: int
    other: int
    step: Step


def step_class(own: float, other: float, own_threshold: float = 0, other_threshold: float = 0) -> Step:
    """The class of a step.

    Args:
        own: What changes for the seat that moves, in points.
        other: What changes for the other side, in points.
        own_threshold: Changes for oneself below this many points count as none for *nice* and *silent*; 0 is
            the exact definition.
        other_threshold: Changes for the other side below this count as none for *silent*.
    """
    still = own == 0 or abs(own) < own_threshold
    if still and (other == 0 or abs(other) < other_threshold):
        return Step.SILENT
    if still and other > 0:
        return Step.NICE
    if own > 0:
        return Step.FORTUNATE if other > 0 else Step.SELFISH
    return Step.CONCESSION if own < 0 and other >= 0 else Step.UNFORTUNATE


def proposals(exact: WholeGame, offers: Iterable[tuple[Seat, Offer]]) -> BySeat[tuple[Offer, ...]]:
    """What each seat proposed, one complete proposal after the other.

    A partial offer changes only its own issues, so a proposal is everything that its seat has proposed so
    far. It counts from the moment when it decides everything.
    """
    standing: dict[Seat, Offer] = {}
    complete: dict[Seat, list[Offer]] = {seat: [] for seat in exact.game.seats}
    for seat, offer in offers:
        standing[seat] = standing[seat].with_terms_of(offer) if seat in standing else offer
        if exact.game.is_complete(standing[seat]):
            complete[seat].append(standing[seat])
    return BySeat((seat, tuple(of_seat)) for seat, of_seat in complete.items())


def moves(
    exact: WholeGame, offers: Iterable[tuple[Seat, Offer]], threshold: float = 0
) -> BySeat[tuple[Move, ...]]:
    """Every seat's moves, in order.

    Args:
        exact: The game in whole points, for two seats.
        offers: Who sent what, in order.
        threshold: A share, 0 to 1, of what each seat's points range over; smaller changes count as none.
            0 is the exact definition; NegoLog takes 0.03 of utilities that range from 0 to 1.

    Raises:
        NegoError: If the game has not two seats: there is no one other side then.
    """
    seats = exact.game.seats
    if len(seats) != 2:
        raise NegoError(f"Steps are classified between two seats; {exact.game.name} has {len(seats)}.")
    limits = [threshold * (high - low) for low, high in map(exact.span, seats)]
    made = proposals(exact, offers)

    def move(i: int, before: Offer, after: Offer) -> Move:
        old, new = exact.of(before), exact.of(after)
        own, other = new[i] - old[i], new[1 - i] - old[1 - i]
        return Move(seats[i], before, after, own, other, step_class(own, other, limits[i], limits[1 - i]))

    return BySeat(
        (seat, tuple(move(i, before, after) for before, after in pairwise(made[seat])))
        for i, seat in enumerate(seats)
    )


def count_steps(steps: Iterable[Step]) -> Mapping[Step, int]:
    """How often each class occurs, all six in their order."""
    counts = dict.fromkeys(Step, 0)
    for step in steps:
        counts[step] += 1
    return MappingProxyType(counts)


def sensitivity(steps: Sequence[Step]) -> float | None:
    """Sensitivity to the other side: steps towards it per step that is not; above 1 is sensitive.

    Source: Hindriks, Jonker & Tykhonov 2011. None where no step fails to go towards the other side.
    """
    towards = sum(step in TOWARDS for step in steps)
    return towards / (len(steps) - towards) if towards < len(steps) else None


def awareness(own: Sequence[Step], other: Sequence[Step]) -> float | None:
    """Of a seat's changes of direction, the share, 0 to 1, that the other side meets with one of its own.

    A direction is towards the other side or not; steps of both are compared one by one, as in NegoLog
    (Dogru et al. 2024), and what one side has more than the other is left out. None without such a change.
    """
    own_turns, other_turns = _turns(own, other)
    changes = [other for own, other in zip(own_turns, other_turns, strict=True) if own]
    return sum(change != 0 for change in changes) / len(changes) if changes else None


def move_correlation(own: Sequence[Step], other: Sequence[Step]) -> float | None:
    """Whether the other side changes direction the same way, -1 to 1.

    Per change of the seat's own direction, 1 where the other side makes the same change at its step of that
    number, -1 where it makes the opposite one. Source: NegoLog (Dogru et al. 2024). None without a change.
    """
    products = [own * other for own, other in zip(*_turns(own, other), strict=True) if own]
    return sum(products) / len(products) if products else None


def _turns(own: Sequence[Step], other: Sequence[Step]) -> tuple[list[int], list[int]]:
    """1 where a direction turns towards the other side, -1 where away, 0 where it stays; of equal length."""
    length = min(len(own), len(other))
    towards = [[step in TOWARDS for step in steps[:length]] for steps in (own, other)]
    first, second = ([after - before for before, after in pairwise(steps)] for steps in towards)
    return first, second
