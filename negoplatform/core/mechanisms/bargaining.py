"""Bargaining: offers on a board, and a deal when enough seats accept the same one.

The game's rules say how many are enough (``agreement``), what a deal means for the others (``outvoted``), and
whether the seats act in turns (``turns``).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

from negoplatform.core.events import (
    SEND_OFFER,
    Accepted,
    Drafting,
    EndedBy,
    Ending,
    Event,
    EventType,
    OfferMade,
    new_tuple,
)
from negoplatform.core.features.numeric_features import Feature
from negoplatform.core.mechanisms.bargaining_feature_vectors import bargaining_features
from negoplatform.core.mechanisms.bargaining_state import BargainingState as BargainingState  # re-exported
from negoplatform.core.mechanisms.bargaining_state import StandingOffer as StandingOffer
from negoplatform.core.mechanisms.bargaining_state import acceptance_error as acceptance_error
from negoplatform.core.mechanisms.bargaining_state import bargaining_state as bargaining_state
from negoplatform.core.mechanisms.bargaining_state import board_of as board_of
from negoplatform.core.mechanisms.bargaining_state import check_may_offer as check_may_offer
from negoplatform.core.mechanisms.bargaining_state import is_bindable as is_bindable
from negoplatform.core.mechanisms.bargaining_state import is_last_offer_unanswered as is_last_offer_unanswered
from negoplatform.core.mechanisms.bargaining_state import may_move as may_move
from negoplatform.core.mechanisms.bargaining_state import may_offer as may_offer
from negoplatform.core.mechanisms.bargaining_state import offers_made as offers_made
from negoplatform.core.mechanisms.bargaining_state import remaining_offers as remaining_offers
from negoplatform.core.mechanisms.bargaining_state import turn_of as turn_of
from negoplatform.core.mechanisms.base import ActRule, Fact, Mechanism, game_end
from negoplatform.core.state import State
from negoplatform.domain.agreement_rules import FREE_TURNS, Outvoted
from negoplatform.domain.errors import NegoError, Refused
from negoplatform.domain.game import LAST_ANSWER_SECONDS, MAKER_ACCEPTS, GameSpec, Preferences
from negoplatform.domain.issue_status_board import update_positions
from negoplatform.domain.offer import EMPTY_OFFER, Offer
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.utility import Points

ACCEPT_OFFER_ON_TABLE = Accepted(0)
"""Acceptance of whichever offer is on the table when it is decided; no offer has the id 0."""


ALWAYS_LEGAL = frozenset({EventType.OFFER_IN_PROGRESS, EventType.FORMAL_QUIT})
"""Acts that are open to every seat at any time."""


class Bargaining(Mechanism):
    """Both rules of acceptance: a new offer clears acceptances, and an accept names its offer."""

    name = "bargaining"
    acts: ClassVar[Mapping[str, ActRule]] = MappingProxyType(
        {
            SEND_OFFER: ActRule(OfferMade, flushes=True, intention="propose", has_consequences=False),
            EventType.OFFER_IN_PROGRESS: ActRule(Drafting, in_transcript=False, has_consequences=False),
            EventType.FORMAL_ACCEPT: ActRule(Accepted, flushes=True, intention="accept"),
        }
    )
    rules = (
        "acceptance",
        "allow_partial",
        "deadline_offers",
        "share_drafts",
        "reads_talk",
        "reading_language",
        "show_left_on_table",
        "offer_requests",
        "talk",
        "agreement",
        "outvoted",
        "turns",
    )

    def check_game(self, game: GameSpec) -> None:
        """Raise NegoError unless the game has issues."""
        if not game.issues:
            raise NegoError("a bargaining game has 'issues', at least one, and neither 'goods' nor 'money'")

    def initial_state(self, game: GameSpec) -> BargainingState:  # noqa: ARG002 - other mechanisms begin with the game
        """Return an empty board."""
        return BargainingState()

    def check(self, state: State, seat: Seat, payload: Any, to: tuple[Seat, ...] = ()) -> None:  # noqa: ARG002 - the board is public
        """Raise Refused if the seat may not do this now."""
        match payload:
            case OfferMade(offer=offer):
                rules = state.game.rules
                if rules.turns is not FREE_TURNS or rules.deadline_offers is not None:
                    check_may_offer(state, seat)
                # Looked up here as well: most offers have been sent before.
                known = state.game.known_offers.get(id(offer.terms)) if type(offer) is Offer else None
                if known is None or known[0] is not offer.terms:
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
        play, payload = state.mechanism_state, event.payload
        if not isinstance(play, BargainingState):
            play = bargaining_state(state)
        if type(payload) is OfferMade:
            offer, sender, game, rules = payload.offer, event.sender, state.game, state.game.rules
            known = game.known_offers.get(id(offer.terms))
            if known is not None and known[0] is offer.terms and known[1]:
                binding, latest = True, play.latest.with_value(sender, offer)  # it decides every issue
            else:
                binding, latest = is_bindable(game, offer), update_positions(play.latest, sender, offer)
            by_its_maker = binding and rules.acceptance is MAKER_ACCEPTS
            on_table = new_tuple(StandingOffer, (event.seq, sender, offer, binding))
            accepted, count = (sender,) if by_its_maker else (), play.offer_count + 1
            last = count == rules.deadline_offers
            ends_at = event.t + LAST_ANSWER_SECONDS if last else None
            return new_tuple(BargainingState, (latest, on_table, accepted, count, ends_at))
        match payload:
            case Accepted() if play.on_table:
                return BargainingState(
                    update_positions(play.latest, event.sender, play.on_table.offer),
                    play.on_table,
                    (*play.accepted_by, event.sender),
                    play.offer_count,
                    play.ends_at,
                )
            case _:
                return play

    def consequences(self, state: State, event: Event) -> tuple[Fact, ...]:
        """Return the end, once enough seats have accepted or one has walked away."""
        if event.type == EventType.FORMAL_QUIT:
            return (game_end(Ending(EndedBy.QUIT, by=event.sender)),)
        if event.type != EventType.FORMAL_ACCEPT:
            return ()
        play = bargaining_state(state)
        deal = play.on_table
        if deal is None or not has_agreement(state.game, deal.sender, play.accepted_by):
            return ()
        signed = tuple(seat for seat in state.game.seats if seat in play.accepted_by)
        ending = Ending(
            EndedBy.AGREEMENT,
            by=event.sender,
            deal=deal.offer,
            deal_id=deal.offer_id,
            signed_by=() if signed == state.game.seats else signed,
        )
        return (game_end(ending),)

    def keeps_time(self, game: GameSpec) -> bool:
        """Return whether the game ends some time after its last offer."""
        return game.rules.deadline_offers is not None

    def next_due(self, state: State) -> float | None:
        """Return the session time (s) at which the time to answer the last offer is over."""
        return bargaining_state(state).ends_at

    def falls_due(self, state: State, now: float) -> tuple[Fact, ...]:  # noqa: ARG002 - asked only when it is time
        """Return the end by timeout, because the last offer has not been accepted."""
        return (game_end(Ending(EndedBy.TIMEOUT)),)

    def resolve(self, payload: Any, seen: State) -> Any:
        """Return an acceptance of the offer that was on the table when it was decided."""
        if payload != ACCEPT_OFFER_ON_TABLE:
            return payload
        on_table = bargaining_state(seen).on_table
        return Accepted(on_table.offer_id) if on_table else payload

    def legal(self, state: State, seat: Seat) -> frozenset[str]:
        """Return the acts that are open: offers in turn and while some are left, and an acceptance."""
        offer = {SEND_OFFER} if may_offer(state, seat) else set()
        accept = set() if acceptance_error(state, seat) else {EventType.FORMAL_ACCEPT}
        return frozenset({*ALWAYS_LEGAL, *offer, *accept})

    def points(self, state: State, seat: Seat) -> Points | None:
        """Return the points of the deal, of a timeout or of quitting, after discount and the cost of time."""
        preferences = state.game.preferences.get(seat)
        if state.ending is None or state.ended_at is None or preferences is None:
            return None
        worth = points_before_time_costs(state.game, seat, state.ending)
        return None if worth is None else points_over_time(state, preferences, worth, state.ended_at)

    def standing(self, state: State, seat: Seat) -> Points | None:
        """Return the reservation value, which a timeout pays, after discount and the cost of time."""
        preferences = state.game.preferences.get(seat)
        if preferences is None:
            return None
        return points_over_time(state, preferences, preferences.reservation_value, state.t)

    def features(self, state: State, now: float) -> SeatMap[Sequence[Feature]]:  # noqa: ARG002 - time changes none
        """Return the offer on the table, each seat's latest terms, and the visible preferences."""
        return bargaining_features(state)

    def describe(self, state: State) -> list[str]:
        """Return the board and the offer on the table."""
        play, board = bargaining_state(state), board_of(state)
        turn = [f"turn: {next_seat}"] if (next_seat := turn_of(state)) else []
        left = remaining_offers(state)
        turn += [] if left is None else [f"offers left: {left}"]
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


def points_over_time(state: State, preferences: Preferences, points: Points, at: float) -> Points:
    """Return what points are worth at a session time (s), after the discount and the cost of time."""
    return preferences.points_at(points, at, state.game.rules.progress(at, offers_made(state)))


def points_before_time_costs(game: GameSpec, seat: Seat, ending: Ending) -> Points | None:
    """Return what an ending pays a seat, before discount and cost of time; None where it gives no points."""
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
