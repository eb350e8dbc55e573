"""Bargaining: offers on a board, and a deal when all seats stand by the same one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

from negoplatform.core.events import (
    Accepted,
    Drafting,
    EndedBy,
    Ending,
    Event,
    EventType,
    OfferMade,
    new_tuple,
)
from negoplatform.core.mechanisms.bargaining_feature_vectors import bargaining_features
from negoplatform.core.mechanisms.bargaining_state import BargainingState as BargainingState  # re-exported
from negoplatform.core.mechanisms.bargaining_state import StandingOffer as StandingOffer
from negoplatform.core.mechanisms.bargaining_state import acceptance_error as acceptance_error
from negoplatform.core.mechanisms.bargaining_state import bargaining_state as bargaining_state
from negoplatform.core.mechanisms.bargaining_state import board_of as board_of
from negoplatform.core.mechanisms.bargaining_state import is_bindable as is_bindable
from negoplatform.core.mechanisms.base import ActRule, Fact, Mechanism, game_end
from negoplatform.core.numeric_features import Feature
from negoplatform.core.state import State
from negoplatform.domain.errors import NegoError, Refused
from negoplatform.domain.game import Acceptance, GameSpec
from negoplatform.domain.issue_status_board import update_positions
from negoplatform.domain.offer import EMPTY_OFFER, Offer
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.utility import Points

ACCEPT_OFFER_ON_TABLE = Accepted(0)
"""Acceptance of whichever offer is on the table when it is decided; no offer has the id 0."""


ALWAYS_LEGAL = frozenset({EventType.SEND_OFFER, EventType.OFFER_IN_PROGRESS, EventType.FORMAL_QUIT})
"""Acts that are open to every seat at any time."""


class Bargaining(Mechanism):
    """Both rules of acceptance: a new offer clears acceptances, and an accept names its offer."""

    name = "bargaining"
    acts: ClassVar[Mapping[str, ActRule]] = MappingProxyType(
        {
            EventType.SEND_OFFER: ActRule(OfferMade, flushes=True, intention="propose"),
            EventType.OFFER_IN_PROGRESS: ActRule(Drafting, in_transcript=False),
            EventType.FORMAL_ACCEPT: ActRule(Accepted, flushes=True, intention="accept"),
        }
    )

    def check_game(self, game: GameSpec) -> None:
        """Raise NegoError unless the game has issues."""
        if not game.issues:
            raise NegoError("a bargaining game has 'issues', at least one, and no 'goods'")

    def initial_state(self, game: GameSpec) -> BargainingState:  # noqa: ARG002 - other mechanisms begin with the game
        """Return an empty board."""
        return BargainingState()

    def check(self, state: State, seat: Seat, payload: Any) -> None:
        """Raise Refused if the seat may not do this now."""
        match payload:
            case OfferMade(offer):
                state.game.check_offer(offer)
            case Drafting(draft=Offer() as draft):
                if not state.game.rules.share_drafts:
                    raise Refused("In this game drafts are not shared.")
                if draft != EMPTY_OFFER:
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

    def consequences(self, state: State, event: Event) -> tuple[Fact, ...]:
        """Return the end, once all seats have accepted or one has walked away."""
        if event.type == EventType.FORMAL_QUIT:
            return (game_end(Ending(EndedBy.QUIT, by=event.sender)),)
        if event.type != EventType.FORMAL_ACCEPT:
            return ()
        play = bargaining_state(state)
        if play.on_table is None or set(play.accepted_by) != set(state.game.seats):
            return ()
        deal = play.on_table
        ending = Ending(EndedBy.AGREEMENT, by=event.sender, deal=deal.offer, deal_id=deal.offer_id)
        return (game_end(ending),)

    def resolve(self, payload: Any, seen: State) -> Any:
        """Return an acceptance of the offer that was on the table when it was decided."""
        if payload != ACCEPT_OFFER_ON_TABLE:
            return payload
        on_table = bargaining_state(seen).on_table
        return Accepted(on_table.offer_id) if on_table else payload

    def legal(self, state: State, seat: Seat) -> frozenset[str]:
        """Return the acts that are open: an acceptance only of an offer that may be bound."""
        return ALWAYS_LEGAL if acceptance_error(state, seat) else ALWAYS_LEGAL | {EventType.FORMAL_ACCEPT}

    def points(self, state: State, seat: Seat) -> Points | None:
        """Return the points of the deal, the reservation value or the quit value, less the cost of time."""
        preferences = state.game.preferences.get(seat)
        if state.ending is None or state.ended_at is None or preferences is None:
            return None
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

    def standing(self, state: State, seat: Seat) -> Points | None:
        """Return the reservation value, which a timeout pays, less the cost of time."""
        preferences = state.game.preferences.get(seat)
        return None if preferences is None else preferences.reservation_value - preferences.cost_at(state.t)

    def features(self, state: State, now: float) -> SeatMap[Sequence[Feature]]:  # noqa: ARG002 - time changes none
        """Return the offer on the table, each seat's latest terms, and the visible preferences."""
        return bargaining_features(state)

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
