"""Games and acts of bargaining, for the laws."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from negoplatform.core.events import (
    NOTHING,
    Accepted,
    Drafting,
    EventType,
    OfferMade,
)
from negoplatform.core.mechanisms.bargaining import bargaining_state
from negoplatform.core.state import State
from negoplatform.domain.agreement_rules import Agreement, Outvoted, Quota, Turns
from negoplatform.domain.game import Acceptance, GameSpec, Preferences, Rules, Visibility
from negoplatform.domain.issue import CategoricalIssue, QuantityIssue
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.utility import AdditiveUtility
from tests.mechanisms.moves import SEATS, MechanismCase, Move, TriedAct, tried_act

AGREEMENTS: list[Agreement | Quota] = [Agreement.UNANIMOUS, Agreement.MAJORITY, Quota(2)]


@st.composite
def bargaining_games(draw: DrawFn) -> GameSpec:
    """Draw a game with few outcomes, so that random seats sometimes agree."""
    seats = draw(st.sampled_from(SEATS))
    tables: dict[str, Any] = {"crates": {0: 0, 1: 3, 2: 4}, "day": {"Friday": -1, "Sunday": 2}}
    return GameSpec(
        name="small",
        issues=(QuantityIssue("crates", 2), CategoricalIssue("day", ("Friday", "Sunday"))),
        seats=seats,
        preferences=SeatMap((seat, Preferences(AdditiveUtility(seat, tables), 1)) for seat in seats),
        visibility=SeatMap(
            (seat, draw(st.sampled_from([Visibility.PUBLIC, Visibility.OWNER]))) for seat in seats
        ),
        rules=Rules(
            acceptance=draw(st.sampled_from(Acceptance)),
            allow_partial=draw(st.booleans()),
            deadline_seconds=draw(st.sampled_from([None, 20.0, 7.5])),
            deadline_offers=draw(st.sampled_from([None, None, 1, 3])),
            share_drafts=draw(st.booleans()),
            agreement=draw(st.sampled_from(AGREEMENTS)),
            outvoted=draw(st.sampled_from(Outvoted)),
            turns=draw(st.sampled_from(Turns)),
        ),
        title="Small",
    )


def bargaining_acts(game: GameSpec) -> SearchStrategy[Move]:
    """Return acts of bargaining, allowed or not."""
    seats = st.sampled_from(game.seats)
    offers = st.sampled_from(
        [
            Offer({"crates": Allocation({game.seats[0]: 1, game.seats[-1]: 1}), "day": "Sunday"}),
            Offer({"crates": Allocation({game.seats[1]: 2}), "day": "Friday"}),
            Offer({"day": "Sunday"}),
            Offer({"crates": Allocation({game.seats[0]: 1}, 1)}),
            Offer({"day": "Monday"}),
            Offer(),
        ]
    )
    return st.one_of(
        st.builds(tried_act, seats, st.just(EventType.SEND_OFFER), offers.map(OfferMade)),
        st.builds(tried_act, seats, st.just(EventType.OFFER_IN_PROGRESS), (st.none() | offers).map(Drafting)),
        st.builds(tried_act, seats, st.just(EventType.FORMAL_ACCEPT), st.integers(0, 9).map(Accepted)),
        seats.map(lambda seat: lambda state: TriedAct(seat, EventType.FORMAL_ACCEPT, accept_newest(state))),
        seats.map(lambda seat: lambda state: TriedAct(seat, EventType.FORMAL_ACCEPT, accept_newest(state))),
    )


def accept_newest(state: State) -> Accepted:
    """Return an acceptance of the offer on the table, or of none."""
    on_table = bargaining_state(state).on_table
    return Accepted(on_table.offer_id if on_table else 0)


def valid_bargaining_act(state: State, seat: Seat, kind: str) -> TriedAct:
    """Return an act of bargaining that is accepted where its type is legal."""
    payload: Any = {
        EventType.SEND_OFFER: OfferMade(Offer({"day": "Sunday"})),
        EventType.OFFER_IN_PROGRESS: Drafting(None),
        EventType.FORMAL_ACCEPT: accept_newest(state),
        EventType.FORMAL_QUIT: NOTHING,
    }[EventType(kind)]
    return TriedAct(seat, kind, payload)


BARGAINING = MechanismCase("bargaining", bargaining_games, bargaining_acts, valid_bargaining_act)
