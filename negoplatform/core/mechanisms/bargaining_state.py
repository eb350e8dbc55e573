"""State of the bargaining mechanism: the latest terms of each seat, and the offer on the table."""

from __future__ import annotations

from typing import NamedTuple

from negoplatform.core.state import State
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue_status_board import Board
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import Seat, SeatMap


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
    """

    latest: SeatMap[Offer] = SeatMap()
    on_table: StandingOffer | None = None
    accepted_by: tuple[Seat, ...] = ()


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
    play = bargaining_state(state)
    if play.on_table is None:
        return "There’s no offer on the table yet."
    if offer_id is not None and play.on_table.offer_id != offer_id:
        return "That offer is no longer on the table."
    if not play.on_table.is_bindable:
        return "That offer leaves something undecided, so it cannot be accepted yet."
    if seat in play.accepted_by:
        return "You’ve already accepted this offer."
    return ""
