"""Bargaining: offers on a board, and a deal when enough seats accept the same one.

The game's rules say how many are enough (``agreement``), what a deal means for the others (``outvoted``), and
whether the seats act in turns (``turns``).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from negoplatform.core.events import (
    Accepted,
    Drafting,
    EndedBy,
    Ending,
    Event,
    EventType,
    Nothing,
    OfferMade,
    Payload,
    new_tuple,
)
from negoplatform.core.state import State
from negoplatform.domain.agreement_rules import Outvoted, Turns
from negoplatform.domain.errors import Refused
from negoplatform.domain.game import Acceptance, GameSpec
from negoplatform.domain.issue_status_board import Board, update_positions
from negoplatform.domain.offer import EMPTY_OFFER, Offer
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.utility import Points

OUT_OF_TURN = "It’s not your turn yet. You can send messages at any time."
"""Refusal of an action for which a seat has to wait."""


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
                check_turn(state, seat)
                state.game.check_offer(offer)
            case Nothing():  # a walk-out: the only action without a payload
                check_turn(state, seat)
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
        """Return the end, once enough seats have accepted or one has walked away."""
        if event.type == EventType.FORMAL_QUIT:
            return Ending(EndedBy.QUIT, by=event.sender)
        if event.type != EventType.FORMAL_ACCEPT:
            return None
        play = bargaining_state(state)
        deal = play.on_table
        if deal is None or not has_agreement(state.game, deal.sender, play.accepted_by):
            return None
        signed = tuple(seat for seat in state.game.seats if seat in play.accepted_by)
        return Ending(
            EndedBy.AGREEMENT,
            by=event.sender,
            deal=deal.offer,
            deal_id=deal.offer_id,
            signed_by=() if signed == state.game.seats else signed,
        )

    def points(self, state: State, seat: Seat) -> Points | None:
        """Return the points of the deal, the reservation value or the quit value, less the cost of time."""
        if state.ending is None or state.ended_at is None:
            return None
        worth = points_before_time_costs(state.game, seat, state.ending)
        return None if worth is None else worth - state.game.preferences[seat].cost_at(state.ended_at)

    def acceptance_target(self, state: State) -> int:
        """Return the id of the offer on the table."""
        on_table = bargaining_state(state).on_table
        return on_table.offer_id if on_table else 0

    def describe(self, state: State) -> list[str]:
        """Return the board and the offer on the table."""
        play, board = bargaining_state(state), board_of(state)
        turn = [f"turn: {next_seat}"] if (next_seat := turn_of(state)) else []
        standings = ", ".join(f"{issue.name} {board.standing(issue.name)}" for issue in state.game.issues)
        if play.on_table is None:
            return [f"board: {standings}", "on the table: nothing", *turn]
        accepted, needed = ", ".join(play.accepted_by) or "nobody", state.game.acceptances_needed
        share = "" if needed == len(state.game.seats) else f" ({needed} of {len(state.game.seats)} needed)"
        return [
            f"board: {standings}",
            f"on the table: offer {play.on_table.offer_id} of {play.on_table.sender}, "
            f"accepted by {accepted}{share}",
            *turn,
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
    # A maker confirms its own offer at any time: its turn is the offer.
    if seat != play.on_table.sender and not may_move(state, seat):
        return OUT_OF_TURN
    return ""


def has_agreement(game: GameSpec, maker: Seat, accepted_by: Collection[Seat]) -> bool:
    """Return whether an offer is a deal: enough seats have accepted it, and its maker is one of them."""
    return maker in accepted_by and len(accepted_by) >= game.acceptances_needed


def would_close(state: State, seat: Seat) -> bool:
    """Return whether the offer on the table is a deal once a seat has accepted it as well."""
    on_table, accepted_by = bargaining_state(state).on_table, bargaining_state(state).accepted_by
    return on_table is not None and has_agreement(state.game, on_table.sender, {*accepted_by, seat})


def left_out_seats(game: GameSpec, ending: Ending) -> tuple[Seat, ...]:
    """Return the seats that get nothing of a deal because they have not accepted it."""
    if ending.deal is None or game.rules.outvoted is not Outvoted.LEFT_OUT:
        return ()
    return tuple(seat for seat in game.seats if not ending.is_signed_by(seat))


def points_before_time_costs(game: GameSpec, seat: Seat, ending: Ending) -> Points | None:
    """Return what an ending pays a seat, before the cost of time; None where it gives no points."""
    preferences = game.preferences[seat]
    match ending:
        case Ending(ended_by=EndedBy.AGREEMENT, deal=Offer() as deal):
            left_out = seat in left_out_seats(game, ending)
            return preferences.reservation_value if left_out else preferences.utility(deal)
        case Ending(ended_by=EndedBy.TIMEOUT):
            return preferences.reservation_value
        case Ending(ended_by=EndedBy.QUIT):
            return preferences.quit_value
        case _:
            return None


def turn_of(state: State) -> Seat | None:
    """Return the seat whose turn it is; None in a game without turns.

    The seats act in the game's order, from the first. An offer passes the turn on, and so does the acceptance
    of another seat's offer; a maker that confirms its own offer needs no turn for it and passes none on.
    """
    game, play = state.game, bargaining_state(state)
    if game.rules.turns is Turns.FREE:
        return None
    if play.on_table is None:
        return game.seats[0]
    maker = play.on_table.sender
    passed = 1 + sum(seat != maker for seat in play.accepted_by)
    return game.seats[(game.seats.index(maker) + passed) % len(game.seats)]


def may_move(state: State, seat: Seat) -> bool:
    """Return whether a seat may make an offer, accept another's and walk away, as far as turns go."""
    return turn_of(state) in (None, seat)


def check_turn(state: State, seat: Seat) -> None:
    """Raise Refused if a seat has to wait for its turn."""
    if not may_move(state, seat):
        raise Refused(OUT_OF_TURN)
