"""Bidding of a seat in a session: its concessions, and the effect of its steps on the other side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from negoplatform.core.events import Event, OfferMade
from negoplatform.domain.offer import Allocation, Offer, Term
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.solutions.integer_scaling import IntegerGame, IntegerUtility
from negoplatform.domain.step_analysis import (
    StepClass,
    awareness,
    classify_moved_step,
    classify_step,
    count_steps,
    direction_changes,
    move_correlation,
    sensitivity,
)

SentOffer = tuple[Seat, Offer, float]
"""Sender, offer and session time in seconds."""


def offers_sent(events: Iterable[Event]) -> list[SentOffer]:
    """Return the offers among some events, partial ones too, in order."""
    return [
        (event.sender, event.payload.offer, event.t)
        for event in events
        if isinstance(event.payload, OfferMade)
    ]


class ProposedOffer(NamedTuple):
    """Complete proposal of a seat after one of its offers.

    Attributes:
        seat: The seat that made it.
        t: The session time (s) of the offer.
        offer: The offer, completed with the seat's earlier terms where it decides nothing.
        worth: The utility of every seat, in whole points and in the order of seats.
        step: The class of the step from the seat's previous proposal; None for its first one, and in games
            without exactly two seats.
    """

    seat: Seat
    t: float
    offer: Offer
    worth: tuple[int, ...]
    step: StepClass | None


class _Change(NamedTuple):
    """Effect of a step of a seat from one complete proposal to the next.

    Attributes:
        own: The change of its own points, in integer points.
        other: The change of the other side's points; 0 in games without exactly two seats.
        step: The class of the step; None in games without exactly two seats.
        moved: Its class with NegoLog's threshold; None for silent steps as well.
        several: Whether it changed two issues or more.
        logrolling: Whether it gave at one issue and took at another with more weight.
    """

    own: int
    other: int
    step: StepClass | None
    moved: StepClass | None
    several: bool
    logrolling: bool


MAX_KNOWN_OFFERS = 100_000
"""Offers, and steps, of one game of which the effects are kept, at most."""


class KnownOffers:
    """Complete offers of one game with their points, and the steps between them: each is looked up once.

    Offers are numbered, since a number is found faster than an offer.

    Args:
        exact: The game in whole points.
    """

    def __init__(self, exact: IntegerGame) -> None:
        self._exact = exact
        self._ranges = [high - low for low, high in (exact.utility_range(seat) for seat in exact.game.seats)]
        self.numbers: dict[Offer, int] = {}
        """Number of every complete offer."""
        self.offers: list[Offer] = []
        """The complete offers, by number."""
        self.worths: list[tuple[int, ...]] = []
        """Utility of every seat, in whole points and in the order of seats, by number."""
        self._changes: list[dict[tuple[int, int], _Change]] = [{} for _ in exact.game.seats]

    def limit(self) -> None:
        """Forget everything if it has become too much."""
        if max(len(self.offers), *map(len, self._changes)) > MAX_KNOWN_OFFERS:
            self.numbers.clear()
            self.offers.clear()
            self.worths.clear()
            for changes in self._changes:
                changes.clear()

    def number_proposals(self, sent: Iterable[SentOffer]) -> list[int | None]:
        """Return the number of the complete proposal that each offer makes; None where it makes none."""
        game, numbers = self._exact.game, self.numbers
        standing: dict[Seat, Offer] = {}
        found: list[int | None] = []
        for seat, sent_offer, _ in sent:
            offer, number = sent_offer, numbers.get(sent_offer)
            if number is None:
                # Only an offer that is not complete by itself keeps earlier terms.
                offer = standing[seat].with_terms_of(sent_offer) if seat in standing else sent_offer
                number = numbers.get(offer)
                if number is None and game.is_complete(offer):
                    number = numbers[offer] = len(self.offers)
                    self.offers.append(offer)
                    self.worths.append(self._exact.integer_points(offer))
            standing[seat] = offer
            found.append(number)
        return found

    def changes(self, seat: int, proposals: Sequence[int]) -> list[_Change]:
        """Return the effects of the steps of a seat, by its place, from each proposal to the next."""
        known = self._changes[seat]
        found: list[_Change] = []
        for step in pairwise(proposals):
            change = known.get(step)
            if change is None:
                change = known[step] = self._find_change(seat, *step)
            found.append(change)
        return found

    def _find_change(self, seat: int, before: int, after: int) -> _Change:
        was, becomes = self.worths[before], self.worths[after]
        changes = changed_terms(self.offers[before], self.offers[after])
        several = len(changes) > 1  # so many, at least, are needed to give at one and to take at another
        utility = self._exact.utilities[self._exact.game.seats[seat]]
        logrolling = several and _is_logrolling(utility, changes)
        own, other = becomes[seat] - was[seat], 0
        step = moved = None
        if len(self._ranges) == 2:
            other = becomes[1 - seat] - was[1 - seat]
            step = classify_step(own, other)
            if own or other:
                moved = classify_moved_step(own, other, self._ranges[seat], self._ranges[1 - seat])
        return _Change(own, other, step, None if moved is StepClass.SILENT else moved, several, logrolling)


def trace_proposals(exact: IntegerGame, sent: Iterable[SentOffer]) -> list[ProposedOffer | None]:
    """Return the proposal that each offer made; None for an offer after which something is still undecided.

    A partial offer changes only its own issues, so a proposal combines all offers of its seat so far. It
    exists from the offer with which every issue is decided.

    Args:
        exact: The game in whole points.
        sent: The offers, in order.
    """
    known = KnownOffers(exact)
    places = {seat: i for i, seat in enumerate(exact.game.seats)}
    latest: dict[Seat, int] = {}
    found: list[ProposedOffer | None] = []
    listed = [*sent]
    for (seat, _, t), number in zip(listed, known.number_proposals(listed), strict=True):
        if number is None:
            found.append(None)
            continue
        changes = known.changes(places[seat], [latest[seat], number]) if seat in latest else []
        latest[seat] = number
        step = changes[0].step if changes else None
        found.append(ProposedOffer(seat, t, known.offers[number], known.worths[number], step))
    return found


@dataclass(frozen=True, slots=True)
class BiddingMeasures:
    """Bidding measures of one seat. A *step* leads from one of its proposals to its next.

    Points are taken as shares of the seat's range of points: 0 its worst outcome, 1 its best. A measure
    without a value is None: without proposals or steps, for a seat whose points never vary, and, in games
    without exactly two seats, every measure that needs one other side.

    Args:
        offers: Number of offers sent, partial ones too.
        proposals: Number of offers that led to a complete proposal.
        concession: Utility of the seat's first proposal minus that of its last, -1 to 1 (NegMAS).
        mean_concession: The same per step, -1 to 1 (NegMAS).
        concession_per_minute: The same per minute from its first to its last proposal.
        patience: Temporal patience: the share, above 0 to 1, of its proposals that come before the first one
            with less utility for itself than its predecessor; 1 if there is none (after NegMAS).
        monotonic: Share of steps, 0 to 1, that do not raise the seat's own demand (after NegMAS).
        unique: Number of different proposals.
        novelty: The same per proposal, 0 to 1 (Genius).
        explored: The same per outcome of the game, 0 to 1 (NegMAS).
        coupling: Gain of the other side per change of the seat's own points: the sum of the other side's
            gains over the sum of its own gains and losses, 0 up; None where its own points never changed
            (after NegMAS, without its small constant in the denominator).
        several_issues: Number of steps that changed two issues or more.
        logrolling: Number of steps in which its points fell at one issue and rose at another with more weight
            for it: with a larger range of points, taken issue by issue. Our definition.
        steps: Number of steps of each class, all six (Hindriks, Jonker & Tykhonov 2007).
        moved_steps: The same with NegoLog's threshold, and without its silent steps: those that change each
            side's points by less than 3 % of its range. *silent* is always 0 here.
        sensitivity: Steps towards the other side per other step, 0 up (the same authors, 2011).
        awareness: Share, 0 to 1, of its changes of direction that the other side meets with one (NegoLog).
        correlation: Agreement of the two sides' directions at these changes, -1 to 1 (NegoLog).
    """

    offers: int
    proposals: int
    concession: float | None
    mean_concession: float | None
    concession_per_minute: float | None
    patience: float | None
    monotonic: float | None
    unique: int
    novelty: float | None
    explored: float
    coupling: float | None
    several_issues: int
    logrolling: int
    steps: Mapping[StepClass, int] | None
    moved_steps: Mapping[StepClass, int] | None
    sensitivity: float | None
    awareness: float | None
    correlation: float | None


def bidding_measures(
    exact: IntegerGame, sent: Sequence[SentOffer], known: KnownOffers | None = None
) -> SeatMap[BiddingMeasures]:
    """Return the bidding measures of every seat.

    Args:
        exact: The game in whole points.
        sent: The offers, in order.
        known: Offers of this game that were looked up before, which these offers are added to.
    """
    known = KnownOffers(exact) if known is None else known
    known.limit()
    seats = exact.game.seats
    times: dict[Seat, list[float]] = {seat: [] for seat in seats}
    made: dict[Seat, list[int]] = {seat: [] for seat in seats}
    for (seat, _, t), number in zip(sent, known.number_proposals(sent), strict=True):
        if number is not None:
            made[seat].append(number)
            times[seat].append(t)
    changes = [known.changes(i, made[seat]) for i, seat in enumerate(seats)]
    offers = Counter([sender for sender, _, _ in sent])
    steps = [[change.step for change in of_seat if change.step is not None] for of_seat in changes]
    turns = direction_changes(*steps) if len(seats) == 2 else None
    return SeatMap(
        [
            (seat, _bidding_measures(exact, i, offers[seat], made[seat], times[seat], changes[i], turns))
            for i, seat in enumerate(seats)
        ]
    )


def _bidding_measures(
    exact: IntegerGame,
    seat: int,
    offers: int,
    own: Sequence[int],
    times: Sequence[float],
    changes: Sequence[_Change],
    turns: tuple[list[int], list[int]] | None,
) -> BiddingMeasures:
    unique = len({*own})
    gains = [change.own for change in changes]
    low, high = exact.utility_range(exact.game.seats[seat])
    span = high - low
    total = -sum(gains) if own and span else None
    # Exact, as quotients of whole numbers: one division at the end, which rounds correctly.
    passed, parts = (times[-1] - times[0]).as_integer_ratio() if own else (0, 1)
    first_drop = next((i for i, gain in enumerate(gains, start=1) if gain < 0), len(own))
    steps = [change.step for change in changes if change.step is not None]
    mine, others = ([], []) if turns is None else (turns[seat], turns[1 - seat])
    return BiddingMeasures(
        offers=offers,
        proposals=len(own),
        concession=_ratio(total, span),
        mean_concession=_ratio(total, span * len(gains)),
        concession_per_minute=None if total is None else _ratio(total * 60 * parts, span * passed),
        patience=_ratio(first_drop, len(own)),
        monotonic=_ratio(sum([gain <= 0 for gain in gains]), len(gains)),
        unique=unique,
        novelty=_ratio(unique, len(own)),
        explored=unique / exact.game.count_outcomes(),
        coupling=None if turns is None else _coupling(exact, seat, changes),
        several_issues=sum([change.several for change in changes]),
        logrolling=sum([change.logrolling for change in changes]),
        steps=None if turns is None else count_steps(steps),
        moved_steps=None if turns is None else count_steps([c.moved for c in changes if c.moved is not None]),
        sensitivity=None if turns is None else sensitivity(steps),
        awareness=None if turns is None else awareness(mine, others),
        correlation=None if turns is None else move_correlation(mine, others),
    )


def _ratio(share: int | None, of: int) -> float | None:
    return share / of if share is not None and of else None


def _coupling(exact: IntegerGame, seat: int, changes: Sequence[_Change]) -> float | None:
    ranges = [high - low for low, high in (exact.utility_range(one) for one in exact.game.seats)]
    if not all(ranges):
        return None
    given = sum([change.other for change in changes if change.other > 0])
    moved = sum([abs(change.own) for change in changes])
    return _ratio(given * ranges[seat], moved * ranges[1 - seat])


ChangedTerms = list[tuple[str, Term, Term]]
"""Issues changed by a step, with the terms before and after."""


def changed_terms(before: Offer, after: Offer) -> ChangedTerms:
    """Return the issues that a step from one complete offer to another changes."""
    return [
        (issue, old, new)
        for (issue, old), (_, new) in zip(before.terms, after.terms, strict=True)
        if old != new
    ]


def is_logrolling(utility: IntegerUtility, before: Offer, after: Offer) -> bool:
    """Return whether a step gives at one issue and takes at another with more weight.

    Args:
        utility: The utility of the seat that makes the step; an issue's weight is its range of points.
        before: The seat's previous proposal, complete.
        after: Its new proposal, complete.
    """
    return _is_logrolling(utility, changed_terms(before, after))


def _is_logrolling(utility: IntegerUtility, changes: ChangedTerms) -> bool:
    given: list[int] = []
    taken: list[int] = []
    for issue, old, new in changes:
        table = utility.tables[issue]
        was = table[old.of(utility.seat) if isinstance(old, Allocation) else old]
        becomes = table[new.of(utility.seat) if isinstance(new, Allocation) else new]
        if was != becomes:
            (given if becomes < was else taken).append(utility.ranges[issue])
    return bool(given and taken) and min(given) < max(taken)
