"""Context of a bidder on the fast path: the part of the context that follows from offers and time alone."""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import Any, NamedTuple, NoReturn

from negoplatform.agent_api.context import AgentContext
from negoplatform.core.mechanisms.bargaining import StandingOffer
from negoplatform.core.rounds import SINGLE_ROUND
from negoplatform.core.visibility import observer_of, visible_game
from negoplatform.domain.agreement_rules import Turns
from negoplatform.domain.game import GameSpec, Preferences
from negoplatform.domain.issue import Issue
from negoplatform.domain.offer import EMPTY_OFFER, Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.utility import Points

MOST_KNOWN_OFFERS = 100_000
"""Offers of which a seat's points are kept at once."""


class NeedsFullPathError(BaseException):
    """Signal that a game cannot be played on the fast path.

    No ``Exception``: an agent that catches all of those must not go on with it.
    """


class SentOfferRecord(NamedTuple):
    """Offer that a seat has sent.

    Args:
        offer_id: Its id.
        t: Its session time in seconds.
        offer: The offer.
    """

    offer_id: int
    t: float
    offer: Offer


class BidderMoment(NamedTuple):
    """Moment of a game on the fast path, as both seats may see it.

    Args:
        now: Session time in seconds.
        on_table: The offer on the table; None before the first.
        accepted_by: The seats that have formally accepted it.
        last_offers: The last offer of each seat, in the game's order; None before any.
        running: Whether the game runs.
        offers_made: The number of offers so far, those of both seats.
        facts: The facts about the seat that looks at it.
    """

    now: float
    on_table: StandingOffer | None
    accepted_by: tuple[Seat, ...]
    last_offers: tuple[SentOfferRecord | None, SentOfferRecord | None]
    running: bool
    offers_made: int
    facts: SeatFacts


class SeatFacts:
    """Facts about one seat of a game that stay the same, and its points of the offers so far.

    They lead to nothing that the seat may not see.

    Args:
        game: The game, with resolved profiles.
        seat: The seat.
    """

    __slots__ = (
        "alternates",
        "deadline",
        "gave_up",
        "index",
        "known_points",
        "most_offers",
        "own_game",
        "preferences",
        "reservation_value",
        "rng",
        "seat",
        "seats",
        "visible",
    )

    def __init__(self, game: GameSpec, seat: Seat) -> None:
        # A copy, as an agent in a session has one: nothing that it does to it changes the game itself.
        self.visible = deepcopy(visible_game(game, observer_of(game, seat)))
        self.own_game = self.visible.redacted_for([seat])
        self.seat = seat
        self.seats = self.visible.seats
        self.index = self.seats.index(seat)
        self.preferences: Preferences = self.own_game.preferences[seat]
        self.reservation_value: Points = self.preferences.reservation_value
        self.deadline = self.visible.rules.deadline_seconds
        self.most_offers = self.visible.rules.deadline_offers
        self.alternates = self.visible.rules.turns is not Turns.FREE
        self.known_points: dict[int, tuple[Offer, Points]] = {}
        """Offers with their points, by the identity of the offer, which the entry keeps alive."""
        self.rng = Random()
        """The seat's random numbers in the present game."""
        self.gave_up = False
        """Whether the seat's agent has asked for more than the fast path has."""

    def points_of(self, offer: Offer) -> Points:
        """Return the seat's points of an offer that fits the game.

        Raises:
            OfferError: If it does not.
        """
        if offer != EMPTY_OFFER:
            self.visible.check_offer(offer)
        points = self.preferences.utility(offer)
        if len(self.known_points) >= MOST_KNOWN_OFFERS:
            self.known_points.clear()
        self.known_points[id(offer)] = (offer, points)
        return points


def turn_of_two(
    seats: tuple[Seat, ...], on_table: StandingOffer | None, accepted_by: tuple[Seat, ...]
) -> Seat:
    """Return the seat whose turn it is in a game of two that act in turns."""
    if on_table is None:
        return seats[0]
    maker = on_table[1]
    other = seats[1] if maker == seats[0] else seats[0]
    return maker if other in accepted_by else other


class BidderContext(AgentContext):
    """Context without a view: whatever is not answered here raises :class:`NeedsFullPathError`."""

    __slots__ = ("_moment",)
    _moment: BidderMoment
    _round = SINGLE_ROUND

    def __init__(self, moment: BidderMoment) -> None:
        _set_moment(self, moment)

    @property
    def _facts(self) -> SeatFacts:
        return self._moment[6]

    @property
    def _view(self) -> Any:  # type: ignore[override]  # read alone
        self._give_up()

    def _give_up(self) -> NoReturn:
        self._moment[6].gave_up = True
        raise NeedsFullPathError

    @property
    def _game_of_offers(self) -> GameSpec:
        return self._moment[6].visible

    @property
    def _own_preferences(self) -> Preferences:
        return self._moment[6].preferences

    @property
    def game(self) -> GameSpec:  # type: ignore[override]  # read alone
        """The game, with this seat's preferences and no others."""
        return self._moment[6].own_game

    @property
    def issues(self) -> list[Issue]:
        """The issues, in the game's order."""
        return list(self._moment[6].visible.issues)

    @property
    def seats(self) -> tuple[Seat, ...]:  # type: ignore[override]  # read alone
        """All seats, in the game's order."""
        return self._moment[6].seats

    @property
    def seat(self) -> Seat:  # type: ignore[override]  # read alone
        """The agent's seat."""
        return self._moment[6].seat

    @property
    def rng(self) -> Random:  # type: ignore[override]  # read alone
        """This seat's random numbers."""
        return self._moment[6].rng

    @property
    def elapsed_time(self) -> float:  # type: ignore[override]  # read alone
        """Seconds since the start."""
        return self._moment[0]

    @property
    def remaining_time(self) -> float | None:
        """Seconds until the deadline, 0 or more; None without a deadline."""
        deadline = self._moment[6].deadline
        return None if deadline is None else max(0.0, deadline - self._moment[0])

    @property
    def remaining_offers(self) -> int | None:
        """Offers that can still be made, by both seats together; None without ``deadline_offers``."""
        most = self._moment[6].most_offers
        return None if most is None else max(0, most - self._moment[5])

    @property
    def progress(self) -> float:
        """Share of the game that is over, from 0 to 1."""
        moment = self._moment
        return moment[6].visible.rules.progress(moment[0], moment[5])

    @property
    def current_offer(self) -> Offer:
        """The offer on the table; the empty offer before the first."""
        on_table = self._moment[1]
        return on_table[2] if on_table else EMPTY_OFFER

    @property
    def current_offer_id(self) -> int | None:
        """The id of the offer on the table; None before the first."""
        on_table = self._moment[1]
        return on_table[0] if on_table else None

    @property
    def current_offer_sender(self) -> Seat | None:
        """Sender of the offer on the table; None before the first."""
        on_table = self._moment[1]
        return on_table[1] if on_table else None

    @property
    def accepted_by(self) -> tuple[Seat, ...]:
        """The seats that have formally accepted the offer on the table."""
        return self._moment[2]

    @property
    def turn(self) -> Seat | None:
        """The seat whose turn it is; None where turns are free."""
        facts = self._moment[6]
        if not facts.alternates:
            return None
        return turn_of_two(facts.seats, self._moment[1], self._moment[2])

    @property
    def current_offer_is_bindable(self) -> bool:
        """Whether the offer on the table is a deal once both seats accept it."""
        on_table = self._moment[1]
        return on_table is not None and on_table[3]

    def can_formally_accept(self) -> bool:
        """Return whether a formal accept is valid."""
        now, on_table, accepted_by, _, running, _, facts = self._moment
        if on_table is None or not on_table[3] or facts.seat in accepted_by or not running:
            return False
        if facts.deadline is not None and now >= facts.deadline:
            return False
        return not facts.alternates or on_table[1] == facts.seat or self.turn == facts.seat

    def may_move(self) -> bool:
        """Return whether this seat may make an offer now."""
        now, _, _, _, running, made, facts = self._moment
        if not running or made == facts.most_offers:
            return False
        if facts.deadline is not None and now >= facts.deadline:
            return False
        return not facts.alternates or self.turn == facts.seat

    def utility(self, offer: Offer) -> Points:
        """Return this seat's points of an offer, before time costs."""
        facts = self._moment[6]
        found = facts.known_points.get(id(offer))
        return facts.points_of(offer) if found is None else found[1]

    def get_agent_utility(self, offer: Offer | None = None) -> Points:
        """Return this seat's points of an offer; of the one on the table unless given."""
        return self.utility(self.current_offer if offer is None else offer)

    @property
    def reservation_value(self) -> Points:
        """This seat's points of a timeout, before time costs."""
        return self._moment[6].reservation_value

    @property
    def least_points(self) -> Points:
        """Fewest points to agree to: a game on this path has no principals, and so no mandates."""
        return self._moment[6].reservation_value

    @property
    def own_offer_id(self) -> int | None:
        """The id of the last offer that this seat sent; None before any."""
        last = self._moment[3][self._moment[6].index]
        return None if last is None else last[0]

    def get_last_offer(self, seat: Seat | None = None) -> dict[str, Any] | None:
        """Return a seat's last offer (by default this one's), or None."""
        facts = self._moment[6]
        asked = facts.seat if seat is None else seat
        last = self._moment[3][facts.seats.index(asked)] if asked in facts.seats else None
        if last is None:
            return None
        offer_id, t, offer = last
        complete = facts.visible.is_complete(offer)
        return {"offer_id": offer_id, "t": t, "sender": asked, "offer": offer, "complete": complete}


BidderContext.__name__ = AgentContext.__name__  # an agent that prints it plays the same on both paths
# The class allows no attribute to be set.
_set_moment = vars(BidderContext)["_moment"].__set__
