"""Bidding of a seat in a session: its concessions, and the effect of its steps on the other side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from negoplatform.core.events import Event, OfferMade
from negoplatform.domain.integer_scaling import IntegerGame, IntegerUtility
from negoplatform.domain.offer import Allocation, Offer, Term
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.step_analysis import (
    StepClass,
    awareness,
    classify_moved_step,
    classify_step,
    count_steps,
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


KnownWorths = dict[Offer, tuple[int, ...]]
"""Complete offers of one game with the utility of every seat, in whole points and in the order of seats."""


def trace_proposals(
    exact: IntegerGame, sent: Iterable[SentOffer], known: KnownWorths | None = None
) -> list[ProposedOffer | None]:
    """Return the proposal that each offer made; None for an offer after which something is still undecided.

    A partial offer changes only its own issues, so a proposal combines all offers of its seat so far. It
    exists from the offer with which every issue is decided.

    Args:
        exact: The game in whole points.
        sent: The offers, in order.
        known: Offers of this game that were looked up before, which these offers are added to.
    """
    known = {} if known is None else known
    seats = exact.game.seats
    places = {seat: i for i, seat in enumerate(seats)}
    standing: dict[Seat, Offer] = {}
    latest: dict[Seat, ProposedOffer] = {}
    found: list[ProposedOffer | None] = []
    for seat, sent_offer, t in sent:
        offer, worth = sent_offer, known.get(sent_offer)
        if worth is None:
            # Only an offer that is not complete by itself keeps earlier terms.
            offer = standing[seat].with_terms_of(sent_offer) if seat in standing else sent_offer
            if exact.game.is_complete(offer):
                worth = known[offer] = exact.integer_points(offer)
        standing[seat] = offer
        if worth is None:
            found.append(None)
            continue
        before, step = latest.get(seat), None
        if before is not None and len(seats) == 2:
            i = places[seat]
            step = classify_step(worth[i] - before.worth[i], worth[1 - i] - before.worth[1 - i])
        latest[seat] = ProposedOffer(seat, t, offer, worth, step)
        found.append(latest[seat])
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
    exact: IntegerGame, sent: Sequence[SentOffer], known: KnownWorths | None = None
) -> SeatMap[BiddingMeasures]:
    """Return the bidding measures of every seat.

    Args:
        exact: The game in whole points.
        sent: The offers, in order.
        known: Offers of this game that were looked up before, which these offers are added to.
    """
    seats = exact.game.seats
    made: dict[Seat, list[ProposedOffer]] = {seat: [] for seat in seats}
    for proposal in trace_proposals(exact, sent, known):
        if proposal is not None:
            made[proposal.seat].append(proposal)
    offers = Counter([sender for sender, _, _ in sent])
    spans = [exact.utility_range(seat) for seat in seats]
    return SeatMap(
        [(seat, _bidding_measures(exact, i, offers[seat], made, spans)) for i, seat in enumerate(seats)]
    )


def _bidding_measures(
    exact: IntegerGame,
    seat: int,
    offers: int,
    made: Mapping[Seat, list[ProposedOffer]],
    spans: Sequence[tuple[int, int]],
) -> BiddingMeasures:
    seats = exact.game.seats
    ranges = [high - low for low, high in spans]
    own = made[seats[seat]]
    unique = len({proposal.offer for proposal in own})
    drops = [a.worth[seat] - b.worth[seat] for a, b in pairwise(own)]
    span = ranges[seat]
    total = sum(drops) if own and span else None
    # Exact, as quotients of whole numbers: one division at the end, which rounds correctly.
    passed, parts = (own[-1].t - own[0].t).as_integer_ratio() if own else (0, 1)
    first_drop = next((i for i, drop in enumerate(drops, start=1) if drop > 0), len(own))
    two = len(seats) == 2
    steps = [p.step for p in own if p.step is not None]
    others = [p.step for p in made[seats[1 - seat]] if p.step is not None] if two else []
    several_issues, logrolling = _count_changes(exact.utilities[seats[seat]], own)
    return BiddingMeasures(
        offers=offers,
        proposals=len(own),
        concession=_ratio(total, span),
        mean_concession=_ratio(total, span * len(drops)),
        concession_per_minute=None if total is None else _ratio(total * 60 * parts, span * passed),
        patience=_ratio(first_drop, len(own)),
        monotonic=_ratio(sum([drop >= 0 for drop in drops]), len(drops)),
        unique=unique,
        novelty=_ratio(unique, len(own)),
        explored=unique / exact.game.count_outcomes(),
        coupling=_coupling(ranges, seat, own) if two else None,
        several_issues=several_issues,
        logrolling=logrolling,
        steps=count_steps(steps) if two else None,
        moved_steps=_count_moved_steps(ranges, seat, own) if two else None,
        sensitivity=sensitivity(steps) if two else None,
        awareness=awareness(steps, others) if two else None,
        correlation=move_correlation(steps, others) if two else None,
    )


def _count_moved_steps(
    ranges: Sequence[int], seat: int, own: Sequence[ProposedOffer]
) -> Mapping[StepClass, int]:
    changes = [
        (b.worth[seat] - a.worth[seat], b.worth[1 - seat] - a.worth[1 - seat])
        for a, b in pairwise(own)
        if a.worth != b.worth
    ]
    classes = [classify_moved_step(*change, ranges[seat], ranges[1 - seat]) for change in changes]
    return count_steps([step for step in classes if step is not StepClass.SILENT])


def _ratio(share: int | None, of: int) -> float | None:
    return share / of if share is not None and of else None


def _coupling(ranges: Sequence[int], seat: int, own: Sequence[ProposedOffer]) -> float | None:
    if not all(ranges):
        return None
    given = sum([gain for a, b in pairwise(own) if (gain := b.worth[1 - seat] - a.worth[1 - seat]) > 0])
    moved = sum([abs(b.worth[seat] - a.worth[seat]) for a, b in pairwise(own)])
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


def _count_changes(utility: IntegerUtility, own: Sequence[ProposedOffer]) -> tuple[int, int]:
    """Return how many steps changed two issues or more, and how many were logrolling."""
    several = logrolling = 0
    for before, after in pairwise(own):
        if before.offer is not after.offer:
            changes = changed_terms(before.offer, after.offer)
            if len(changes) > 1:  # so many, at least, are needed to give at one and to take at another
                several += 1
                logrolling += _is_logrolling(utility, changes)
    return several, logrolling
