"""Bargaining: offers on a board, and a deal when all seats stand by the same one."""

from __future__ import annotations

from typing import NamedTuple

from negoplatform.core.events import (
    Accepted,
    Drafting,
    EndedBy,
    Ending,
    Event,
    EventType,
    OfferMade,
    Payload,
    new_tuple,
)
from negoplatform.core.state import State
from negoplatform.domain.errors import Refused
from negoplatform.domain.game import Acceptance, GameSpec
from negoplatform.domain.issue_status_board import Board, update_positions
from negoplatform.domain.offer import EMPTY_OFFER, Offer
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.utility import Points


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


class Bargaining:
    """Both rules of acceptance: a new offer clears acceptances, and an accept names its offer."""

    def initial_state(self, game: GameSpec) -> BargainingState:  # noqa: ARG002 - other mechanisms begin with the game
        """Return an empty board."""
        return BargainingState()

    def check(self, state: State, seat: Seat, payload: Payload) -> None:
        """Raise Refused if the seat may not do this now."""
        match payload:
            case OfferMade(offer):
                state.game.check_offer(offer)
            case Drafting(draft=Offer() as draft) if draft != EMPTY_OFFER:
                state.game.check_offer(draft)
            case Accepted(offer_id):
                reason = acceptance_error(state, seat, offer_id)
                if reason:
                    raise Refused(reason)
            case _:
                return

    def apply(self, state: State, event: Event) -> BargainingState:
        """Return the bargaining state after an event."""
        play = bargaining_state(state)
        match event.payload:
            case OfferMade(offer):
                binding = is_bindable(state.game, offer)
                by_its_maker = binding and state.game.rules.acceptance is Acceptance.MAKER_ACCEPTS
                on_table = new_tuple(StandingOffer, (event.seq, event.sender, offer, binding))
                latest = update_positions(play.latest, event.sender, offer)
                return new_tuple(BargainingState, (latest, on_table, (event.sender,) if by_its_maker else ()))
            case Accepted() if play.on_table:
                return BargainingState(
                    update_positions(play.latest, event.sender, play.on_table.offer),
                    play.on_table,
                    (*play.accepted_by, event.sender),
                )
            case _:
                return play

    def consequence(self, state: State, event: Event) -> Ending | None:
        """Return the end, once all seats have accepted or one has walked away."""
        if event.type == EventType.FORMAL_QUIT:
            return Ending(EndedBy.QUIT, by=event.sender)
        if event.type != EventType.FORMAL_ACCEPT:
            return None
        play = bargaining_state(state)
        if play.on_table is None or set(play.accepted_by) != set(state.game.seats):
            return None
        deal = play.on_table
        return Ending(EndedBy.AGREEMENT, by=event.sender, deal=deal.offer, deal_id=deal.offer_id)

    def points(self, state: State, seat: Seat) -> Points | None:
        """Return the points of the deal, the reservation value or the quit value, less the cost of time."""
        if state.ending is None or state.ended_at is None:
            return None
        preferences = state.game.preferences[seat]
        worth: Points
        match state.ending:
            case Ending(ended_by=EndedBy.AGREEMENT, deal=Offer() as deal):
                worth = preferences.utility(deal)
            case Ending(ended_by=EndedBy.TIMEOUT):
                worth = preferences.reservation_value
            case Ending(ended_by=EndedBy.QUIT):
                worth = preferences.quit_value
            case _:
                return None
        return worth - preferences.cost_at(state.ended_at)

    def acceptance_target(self, state: State) -> int:
        """Return the id of the offer on the table."""
        on_table = bargaining_state(state).on_table
        return on_table.offer_id if on_table else 0

    def describe(self, state: State) -> list[str]:
        """Return the board and the offer on the table."""
        play, board = bargaining_state(state), board_of(state)
        standings = ", ".join(f"{issue.name} {board.standing(issue.name)}" for issue in state.game.issues)
        if play.on_table is None:
            return [f"board: {standings}", "on the table: nothing"]
        accepted = ", ".join(play.accepted_by) or "nobody"
        return [
            f"board: {standings}",
            f"on the table: offer {play.on_table.offer_id} of {play.on_table.sender}, accepted by {accepted}",
        ]


def bargaining_state(state: State) -> BargainingState:
    """Return the bargaining part of a state."""
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
