"""Bargaining: offers on a board, and a deal when everyone stands for the same one."""

from __future__ import annotations

from dataclasses import dataclass, replace

from negoplatform.core.events import Accepted, Drafting, EndedBy, Ending, Event, EventType, OfferMade, Payload
from negoplatform.core.state import State
from negoplatform.domain.board import Board
from negoplatform.domain.errors import Refused
from negoplatform.domain.game import Acceptance, GameSpec
from negoplatform.domain.offer import EMPTY_OFFER, Offer
from negoplatform.domain.seat import Seat
from negoplatform.domain.utility import Points


@dataclass(frozen=True, slots=True)
class OnTable:
    """The offer on the table: the last one that was sent."""

    offer_id: int
    sender: Seat
    offer: Offer


@dataclass(frozen=True, slots=True)
class BargainingState:
    """What bargaining keeps.

    Args:
        board: Each seat's latest terms.
        on_table: The last offer that was sent; None before the first.
        accepted_by: The seats that have formally accepted the offer on the table.
    """

    board: Board
    on_table: OnTable | None = None
    accepted_by: tuple[Seat, ...] = ()


class Bargaining:
    """Both rules of acceptance; a new offer clears acceptances, and an accept names its offer."""

    def begin(self, game: GameSpec) -> BargainingState:
        """An empty board."""
        return BargainingState(Board(game.seats))

    def check(self, state: State, seat: Seat, payload: Payload) -> None:
        """Raises Refused if the seat may not do this now."""
        match payload:
            case OfferMade(offer):
                state.game.check_offer(offer)
            case Drafting(draft=Offer() as draft) if draft != EMPTY_OFFER:
                state.game.check_offer(draft)
            case Accepted(offer_id):
                reason = why_not_accept(state, seat, offer_id)
                if reason:
                    raise Refused(reason)
            case _:
                return

    def apply(self, state: State, event: Event) -> BargainingState:
        """The bargaining state after an event."""
        play = bargaining(state)
        match event.payload:
            case OfferMade(offer):
                binds_its_maker = state.game.rules.acceptance is Acceptance.MAKER_ACCEPTS and may_be_bound(
                    state.game, offer
                )
                return BargainingState(
                    board=play.board.after(event.sender, offer),
                    on_table=OnTable(event.seq, event.sender, offer),
                    accepted_by=(event.sender,) if binds_its_maker else (),
                )
            case Accepted() if play.on_table:
                return replace(
                    play,
                    board=play.board.after(event.sender, play.on_table.offer),
                    accepted_by=(*play.accepted_by, event.sender),
                )
            case _:
                return play

    def consequence(self, state: State, event: Event) -> Ending | None:
        """The end, once everyone has accepted or somebody has walked away."""
        play = bargaining(state)
        if event.type == EventType.FORMAL_QUIT:
            return Ending(EndedBy.QUIT, by=event.sender)
        if (
            event.type == EventType.FORMAL_ACCEPT
            and play.on_table
            and set(play.accepted_by) == set(state.game.seats)
        ):
            return Ending(
                EndedBy.AGREEMENT, by=event.sender, deal=play.on_table.offer, deal_id=play.on_table.offer_id
            )
        return None

    def points(self, state: State, seat: Seat) -> Points | None:
        """The worth of the deal, the reservation value or the quit value, less what time has cost."""
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

    def named_by_accept(self, state: State) -> int:
        """The id of the offer on the table."""
        on_table = bargaining(state).on_table
        return on_table.offer_id if on_table else 0

    def describe(self, state: State) -> list[str]:
        """The board and the offer on the table."""
        play = bargaining(state)
        standings = ", ".join(
            f"{issue.name} {play.board.standing(issue.name)}" for issue in state.game.issues
        )
        if play.on_table is None:
            return [f"board: {standings}", "on the table: nothing"]
        accepted = ", ".join(play.accepted_by) or "nobody"
        return [
            f"board: {standings}",
            f"on the table: offer {play.on_table.offer_id} of {play.on_table.sender}, accepted by {accepted}",
        ]


def bargaining(state: State) -> BargainingState:
    """The bargaining part of a state."""
    if not isinstance(state.play, BargainingState):
        raise TypeError(f"This is no bargaining game but {state.game.mechanism!r}.")
    return state.play


def may_be_bound(game: GameSpec, offer: Offer) -> bool:
    """Whether an offer, once accepted, can be a deal."""
    return bool(offer.terms) and (game.rules.allow_partial or game.is_complete(offer))


def why_not_accept(state: State, seat: Seat, offer_id: int) -> str:
    """The reason why a seat cannot accept an offer now; empty if it can."""
    play = bargaining(state)
    if play.on_table is None:
        return "There is no offer on the table yet."
    if play.on_table.offer_id != offer_id:
        return "That offer is no longer on the table."
    if not may_be_bound(state.game, play.on_table.offer):
        return "That offer leaves something undecided, so it cannot be accepted yet."
    if seat in play.accepted_by:
        return "You have already accepted this offer."
    return ""
