"""Offers of a recorded session in figures, for analysis."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from negoplatform.app.playback.playback import ObservedEvent, Playback
from negoplatform.core.events import Accepted, Ending, OfferMade
from negoplatform.core.visibility import Observer
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.solutions.integer_scaling import IntegerGame, integer_game
from negoplatform.domain.step_analysis import StepClass, classify_step
from negoplatform.domain.utility import Points, fraction


@dataclass(frozen=True, slots=True)
class UtilityScale:
    """Meaning of points to one seat; time costs are left out.

    Args:
        seat: The seat.
        low: The lowest utility of a complete offer.
        high: The highest.
        reservation: The utility of no deal.
    """

    seat: Seat
    low: Points
    high: Points
    reservation: Points

    def share(self, points: Points) -> float:
        """Return points as a share of the range of outcomes: 0 the worst, 1 the best, 1 if they never vary.

        Values that are no outcome, such as no deal, may lie outside of 0 to 1.
        """
        return (points - self.low) / (self.high - self.low) if self.high > self.low else 1.0


@dataclass(frozen=True, slots=True)
class RecordedOffer:
    """Offer of a session in figures, as an observer may see it.

    Args:
        number: 1 for the session's first offer, and so on.
        position: Its position in the log.
        offer_id: Its id.
        seat: The seat that sent it.
        t: Its session time in seconds.
        offer: The offer exactly as sent.
        points: Its utility to each seat whose preferences the observer may see; undecided parts
            count 0, and time costs are left out.
        shares: The same from 0, the worst outcome, to 1, the best.
        proposal_points: The utility of everything that its sender proposes with it; None while that leaves
            something undecided, or where the observer does not know every seat's preferences.
        step: The class of the step from its sender's proposal before; None for the first one, likewise, and
            in games without exactly two seats.
        accepted_by: The seats that formally accepted it, in order.
        deal: Whether it became the deal.
    """

    number: int
    position: int
    offer_id: int
    seat: Seat
    t: float
    offer: Offer
    points: SeatMap[Points]
    shares: SeatMap[float]
    proposal_points: tuple[Points, ...] | None
    step: StepClass | None
    accepted_by: tuple[Seat, ...]
    deal: bool


def utility_scales(game: GameSpec) -> tuple[UtilityScale, ...]:
    """Return the scale of each seat whose preferences a game shows."""
    return tuple(
        UtilityScale(seat, mine.utility.lowest, mine.utility.highest, mine.reservation_value)
        for seat, mine in game.preferences.items()
    )


class OfferLedger:
    """Offers of a session in figures, one event after another, without any figure that may not be known.

    Args:
        game: The game as the observer may see it.
    """

    def __init__(self, game: GameSpec) -> None:
        self._game = game
        try:
            exact = integer_game(game)
        except NegoError:  # some preferences are hidden from this observer, or are of a kind without tables
            exact = None
        self._proposals = _ProposalTracker(exact)
        self._indexes: dict[int, int] = {}
        self.offers: list[RecordedOffer] = []
        """The offers so far, oldest first."""

    def add(self, moment: ObservedEvent) -> None:
        """Add the next event that the observer may see."""
        match moment.event.payload:
            case OfferMade(offer):
                self._add_offer(moment, offer)
            case Accepted(offer_id) if offer_id in self._indexes:
                made = self.offers[self._indexes[offer_id]]
                accepted_by = (*made.accepted_by, moment.event.sender)
                self.offers[made.number - 1] = replace(made, accepted_by=accepted_by)
            case Ending(deal_id=int(deal_id)) if deal_id in self._indexes:
                made = self.offers[self._indexes[deal_id]]
                self.offers[made.number - 1] = replace(made, deal=True)
            case _:
                pass

    def _add_offer(self, moment: ObservedEvent, offer: Offer) -> None:
        event = moment.event
        place, step = self._proposals.record(event.sender, offer)
        preferences = self._game.preferences.items()
        self._indexes[event.seq] = len(self.offers)
        self.offers.append(
            RecordedOffer(
                number=len(self.offers) + 1,
                position=moment.position,
                offer_id=event.seq,
                seat=event.sender,
                t=event.t,
                offer=offer,
                points=SeatMap((seat, mine.utility(offer)) for seat, mine in preferences),
                shares=SeatMap((seat, fraction(mine.utility, offer)) for seat, mine in preferences),
                proposal_points=place,
                step=step,
                accepted_by=(),
                deal=False,
            )
        )


def recorded_offers(playback: Playback, observer: Observer) -> tuple[RecordedOffer, ...]:
    """Return the offers of a session in figures, without any figure that the observer may not know."""
    ledger = OfferLedger(playback.header_for(observer).game)
    for moment in playback.observed_events(observer):
        ledger.add(moment)
    return tuple(ledger.offers)


def utility_steps(offers: Iterable[RecordedOffer], seat: Seat) -> tuple[tuple[float, float], ...]:
    """Return the utility of the offer on the table to a seat, as a step function.

    Returns:
        Session times in seconds with shares from 0 to 1, each valid until the next.
    """
    return tuple((offer.t, offer.shares[seat]) for offer in offers if seat in offer.shares)


class _ProposalTracker:
    """Proposals of all seats: a partial offer changes only its own issues.

    Args:
        exact: The game in whole points; None where these cannot be known.
    """

    def __init__(self, exact: IntegerGame | None) -> None:
        self._exact = exact
        self._current: dict[Seat, Offer] = {}
        self._points: dict[Seat, tuple[int, ...]] = {}

    def record(self, seat: Seat, offer: Offer) -> tuple[tuple[Points, ...] | None, StepClass | None]:
        """Record an offer; return its seat's proposal in points of every seat, and the class of the step."""
        exact = self._exact
        if exact is None:
            return None, None
        offer = self._current[seat].with_terms_of(offer) if seat in self._current else offer
        self._current[seat] = offer
        if not exact.game.is_complete(offer):
            return None, None
        before, worth = self._points.get(seat), exact.integer_points(offer)
        self._points[seat] = worth
        place = tuple(map(exact.to_points, worth))
        if before is None or len(worth) != 2:
            return place, None
        own, other = (after - was for was, after in zip(before, worth, strict=True))
        if seat != exact.game.seats[0]:
            own, other = other, own
        return place, classify_step(own, other)
