"""State of the bargaining mechanism: the latest terms of each seat, and the offer on the table."""

from __future__ import annotations

from typing import NamedTuple

from negoplatform.core.events import EndedBy
from negoplatform.core.state import State
from negoplatform.domain.agreement_rules import FREE_TURNS
from negoplatform.domain.errors import Refused
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue_status_board import Board
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import Seat, SeatMap

REPLACED_OFFER = "That offer is no longer on the table."
"""Refusal of an acceptance of an offer that another one has replaced."""

NO_OFFER = "There’s no offer on the table yet."
"""Refusal of an acceptance before any offer."""

ALREADY_ACCEPTED = "You’ve already accepted this offer."
"""Refusal of a second acceptance of an offer by the same seat."""

OUT_OF_TURN = "It’s not your turn yet. You can send messages at any time."
"""Refusal of an action for which a seat has to wait."""

NO_OFFERS_LEFT = "No offers are left in this game. The last one can only be accepted or left."
"""Refusal of an offer after the last one of a game with ``deadline_offers``."""


class StandingOffer(NamedTuple):
    """The offer on the table: the last one sent, and whether it may be bound."""

    offer_id: int
    sender: Seat
    offer: Offer
    is_bindable: bool


class BargainingState(NamedTuple):
    """State of the bargaining mechanism.

    Args:
        latest: The terms that each seat currently stands by, as one offer; only seats that have made some.
        on_table: The last offer sent; None before the first.
        accepted_by: The seats that have formally accepted the offer on the table.
        offer_count: The number of offers so far, those of all seats together.
        ends_at: Session time (s) at which the game ends unless the last offer is accepted before; None before
            the last offer, and in a game without ``deadline_offers``.
    """

    latest: SeatMap[Offer] = SeatMap()
    on_table: StandingOffer | None = None
    accepted_by: tuple[Seat, ...] = ()
    offer_count: int = 0
    ends_at: float | None = None


def bargaining_state(state: State) -> BargainingState:
    """Return the bargaining part of a state.

    Raises:
        TypeError: If the session plays another kind of game.
    """
    if not isinstance(state.mechanism_state, BargainingState):
        raise TypeError(f"This is no bargaining game but {state.game.mechanism!r}.")
    return state.mechanism_state


def board_of(state: State) -> Board:
    """Return each seat's latest terms per issue, and which issues are agreed, open or disputed."""
    return Board(state.game.seats, bargaining_state(state).latest)


def is_bindable(game: GameSpec, offer: Offer) -> bool:
    """Return whether an offer, once accepted, can be a deal."""
    return bool(offer.terms) and (game.rules.allow_partial or game.is_complete(offer))


def acceptance_error(state: State, seat: Seat, offer_id: int | None = None) -> str:
    """Return why a seat cannot accept an offer now, the one on the table unless given; empty if it can."""
    play = state.mechanism_state
    if not isinstance(play, BargainingState):
        play = bargaining_state(state)
    if play.on_table is None:
        return NO_OFFER
    if offer_id is not None and play.on_table.offer_id != offer_id:
        return REPLACED_OFFER
    if not play.on_table.is_bindable:
        return "That offer leaves something undecided, so it cannot be accepted yet."
    if seat in play.accepted_by:
        return ALREADY_ACCEPTED
    # A maker confirms its own offer at any time: its turn is the offer.
    free = state.game.rules.turns is FREE_TURNS or seat == play.on_table.sender
    if not free and not may_move(state, seat):
        return OUT_OF_TURN
    return ""


def turn_of(state: State) -> Seat | None:
    """Return the seat whose turn it is; None in a game without turns.

    The seats act in the game's order, from the first. An offer passes the turn on, and so does the acceptance
    of another seat's offer; a maker that confirms its own offer needs no turn for it and passes none on.
    """
    game = state.game
    if game.rules.turns is FREE_TURNS:
        return None
    play = bargaining_state(state)
    if play.on_table is None:
        return game.seats[0]
    maker = play.on_table.sender
    passed = 1 + sum(seat != maker for seat in play.accepted_by)
    return game.seats[(game.seats.index(maker) + passed) % len(game.seats)]


def may_move(state: State, seat: Seat) -> bool:
    """Return whether a seat may make an offer, and accept another's, as far as turns go."""
    return state.game.rules.turns is FREE_TURNS or turn_of(state) == seat


def offers_made(state: State) -> int:
    """Return how many offers have been made; 0 in a game in which that plays no part."""
    return 0 if state.game.rules.deadline_offers is None else bargaining_state(state).offer_count


def remaining_offers(state: State) -> int | None:
    """Return how many offers can still be made, by all seats together; None without such a limit."""
    limit = state.game.rules.deadline_offers
    return None if limit is None else max(0, limit - bargaining_state(state).offer_count)


def is_last_offer_unanswered(state: State) -> bool:
    """Return whether the game has ended because the last offer was not accepted in time."""
    play = state.mechanism_state
    if state.ending is None or state.ended_at is None or not isinstance(play, BargainingState):
        return False
    late = play.ends_at is not None and state.ended_at >= play.ends_at
    return late and state.ending.ended_by is EndedBy.TIMEOUT


def may_offer(state: State, seat: Seat) -> bool:
    """Return whether a seat may make an offer, as far as turns and the number of offers go."""
    rules = state.game.rules
    if rules.turns is FREE_TURNS and rules.deadline_offers is None:
        return True  # most games
    return may_move(state, seat) and remaining_offers(state) != 0


def check_may_offer(state: State, seat: Seat) -> None:
    """Raise Refused if no offers are left, or if a seat has to wait for its turn."""
    if remaining_offers(state) == 0:
        raise Refused(NO_OFFERS_LEFT)
    if not may_move(state, seat):
        raise Refused(OUT_OF_TURN)
