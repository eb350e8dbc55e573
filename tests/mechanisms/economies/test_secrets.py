"""Secrets planted in accounts, dialogues, orders and decisions, and a search for them on every way out."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from negoplatform.core.bus import PublishedEvent
from negoplatform.core.events import EventType
from negoplatform.core.immutable.frozen_json import FrozenJson
from negoplatform.core.mechanisms.double_auction_state import DecisionMade, OrderCancelled, OrderPlaced
from negoplatform.core.mechanisms.market_terms import (
    DecisionField,
    Identities,
    MarketPeriods,
    MarketPhase,
    MarketTerms,
)
from negoplatform.core.mechanisms.order_book import OrderSide
from negoplatform.core.mechanisms.trading_state import (
    ProposalAccepted,
    ProposalCall,
    ProposalDeclined,
    ProposalMade,
    TradingTerms,
    TransactionRequested,
)
from negoplatform.core.visibility import EXPERIMENTER, Observer, view_of, visible_event
from negoplatform.domain.command_settings import PrincipalSpec
from negoplatform.domain.game import GameSpec, Rules, Visibility
from negoplatform.domain.seat_map import SeatMap
from negoplatform.domain.trading.economy import Currency, Economy, Endowment, Good, Quantities
from negoplatform.domain.trading.worth import LogWorth, UnitWorth
from negoplatform.eventlog.observer_export import encode_log, filter_log
from negoplatform.hosting.agent_process_proxy import AgentProcess
from negoplatform.hosting.agent_runner import AgentRequest
from tests.eventlog.logs import SESSION_ID
from tests.hosting.conftest import make as make
from tests.hosting.conftest import take_spare as take_spare
from tests.hosting.processes import start_request_for
from tests.mechanisms.economies.test_market_mirror import with_mirror
from tests.planted_secrets import (
    FRIEND,
    OWNER,
    SEATS,
    SPY,
    WAYS_OUT,
    PlantedSession,
    Secrets,
    WayOut,
    from_exports,
    from_handlers,
    from_the_window,
    from_views,
)

CHANCE = 7_071_071
MONEY, WORTH, UNITS = 7001.25, 7021.25, 7911
OFFERED, PENDING, TRADED, LIMIT, DECIDED = 7031.25, 7051.25, 7061.25, 6941.25, 7081
NUMBERS = {CHANCE, UNITS, DECIDED} | {
    amount * scale for amount in (MONEY, WORTH, OFFERED, PENDING, TRADED, LIMIT) for scale in (1, 100)
}
"""Numbers of the owner's, in the game's money and in its minor units."""

WORDS = ("secret-pending", "secret-settled", "secret-unanswered")
"""Ids of the owner's transactions."""

found_in = Secrets(frozenset(NUMBERS), WORDS).found_in


def game_of(mechanism: str, terms: Any, visibility: Visibility) -> GameSpec:
    """Return a game in which the owner's side is full of secrets."""
    worth: Any = (
        {seat: LogWorth((100.0 * n, 300.0)) for n, seat in enumerate(SEATS, start=1)}
        if mechanism == "trading"
        else {seat: UnitWorth(((300, 200), (100,))) for seat in SEATS}
    )
    worth[OWNER] = (
        LogWorth((WORTH * 100, 300.0))
        if mechanism == "trading"
        else UnitWorth(((round(WORTH * 100), 200), (100,)))
    )
    rich = Endowment(900_000_000, (9000, 9000))
    return GameSpec(
        name="planted",
        issues=(),
        seats=SEATS,
        preferences=SeatMap(),
        visibility=SeatMap({OWNER: visibility}),
        mechanism=mechanism,
        rules=Rules(),
        economy=Economy(
            (Good("wool"), Good("wine")),
            Currency("€", 2),
            SeatMap([(OWNER, Endowment(round(MONEY * 100), (UNITS, 50))), (SPY, rich), (FRIEND, rich)]),
            SeatMap(worth),
            terms,
            CHANCE,
        ),
        principals=SeatMap(
            {"boss": PrincipalSpec("boss", (OWNER, FRIEND)), "rival": PrincipalSpec("rival", (SPY,))}
        ),
    )


def trade_in_private(planted: PlantedSession) -> None:
    """Let owner and friend talk, request, settle and fail, and the spy try to get into it."""
    act, refused = planted.act, planted.refused
    wine = Quantities({"wine": 1})
    call = act(OWNER, "CALL_FOR_PROPOSALS", ProposalCall(False, ("wine",)), FRIEND)
    proposal = act(FRIEND, "PROPOSE", ProposalMade(True, OFFERED, wine, call.seq), OWNER)
    mine = act(OWNER, "PROPOSE", ProposalMade(False, OFFERED, wine), FRIEND)
    pending = TransactionRequested("secret-pending", False, FRIEND, PENDING, wine)
    act(OWNER, "SUBMIT_TRANSACTION", pending)
    for seat, buyer, other in ((OWNER, False, FRIEND), (FRIEND, True, OWNER)):
        act(seat, "SUBMIT_TRANSACTION", TransactionRequested("secret-settled", buyer, other, TRADED, wine))
    act(FRIEND, "SUBMIT_TRANSACTION", TransactionRequested("secret-unanswered", True, OWNER, PENDING, wine))
    for kind, payload in (("ACCEPT_PROPOSAL", ProposalAccepted), ("DECLINE_PROPOSAL", ProposalDeclined)):
        for made in (proposal, mine):
            refused(SPY, kind, payload(made.seq), OWNER)
            refused(SPY, kind, payload(made.seq))
    answer = ProposalMade(True, 1, wine, proposal.seq)
    refused(SPY, "PROPOSE", answer, OWNER)
    # Taking over an id: it belongs to a pair.
    act(SPY, "SUBMIT_TRANSACTION", TransactionRequested("secret-pending"[7:], True, OWNER, 1, wine))
    # What the documentation says is told: that the other side has not enough. Not how much it has.
    act(SPY, "SUBMIT_TRANSACTION", TransactionRequested("probe", False, OWNER, 1_000_000, wine))
    act(
        SPY,
        "SUBMIT_TRANSACTION",
        TransactionRequested("probe-2", True, OWNER, 1, Quantities({"wool": 8_500})),
    )


def trade_in_the_market(planted: PlantedSession) -> None:
    """Let the owner trade with a private limit, keep orders, and decide; the spy tries to get into it."""
    act = planted.act
    ask = OrderPlaced(OrderSide.ASK, 5, 1, "wine")
    act(FRIEND, "PLACE_ORDER", ask)
    act(OWNER, "PLACE_ORDER", OrderPlaced(OrderSide.BID, LIMIT, 1, "wine", None, True))
    resting = act(OWNER, "PLACE_ORDER", OrderPlaced(OrderSide.ASK, 20, 2, "wool"))
    planted.refused(SPY, "CANCEL_ORDER", OrderCancelled(resting.seq))
    planted.refused(SPY, "PLACE_ORDER", OrderPlaced(OrderSide.ASK, 0.001, 1, "wool"))
    planted.refused(OWNER, "PLACE_ORDER", OrderPlaced(OrderSide.BID, LIMIT, 2, "wool"))
    planted.table.wait(60)
    act(OWNER, "DECIDE", DecisionMade(FrozenJson({"value": DECIDED})))
    planted.refused(SPY, "DECIDE", DecisionMade(FrozenJson({"value": -1})))


MARKET_TERMS = MarketTerms(
    tick=0.25,
    highest=10_000,
    lowest=0.25,
    orders_per_seat=5,
    identities=Identities.HIDDEN,
    periods=MarketPeriods(),
    phases=(
        MarketPhase("market", 60, trade=True),
        MarketPhase("decide", 60, decide=(DecisionField("value", high=9000),)),
    ),
)

WATCHERS = (SPY, "rival", "public")


def trading(visibility: Visibility, watchers: tuple[str, ...] = WATCHERS) -> PlantedSession:
    """Return a session of a trading game."""
    game = game_of("trading", TradingTerms(fee=0.5), visibility)
    return PlantedSession(game, trade_in_private, watchers)


def market(visibility: Visibility, watchers: tuple[str, ...] = WATCHERS) -> PlantedSession:
    """Return a session of a market game."""
    game = with_mirror(game_of("market", MARKET_TERMS, visibility))
    return PlantedSession(game, trade_in_the_market, watchers)


PLAYS: dict[str, Callable[..., PlantedSession]] = {"trading": trading, "market": market}
every_kind = pytest.mark.parametrize("kind", PLAYS)


@pytest.mark.parametrize("way", WAYS_OUT)
@every_kind
def test_nothing_of_another_seat_is_found_on_any_way_out(kind: str, way: WayOut) -> None:
    held = list(way(PLAYS[kind](Visibility.OWNER)))

    assert len(held) > 2
    assert found_in(*held) == (set(), set())


@pytest.mark.parametrize("way", WAYS_OUT)
@every_kind
def test_where_the_worth_is_public_nothing_else_is(kind: str, way: WayOut) -> None:
    numbers, words = found_in(*way(PLAYS[kind](Visibility.PUBLIC)))

    assert numbers <= {WORTH, WORTH * 100}
    assert words == set()


@pytest.mark.parametrize("name", ["boss", "system"])
@pytest.mark.parametrize("visibility", [Visibility.OWNER, Visibility.UPPER_LEVEL, Visibility.SYSTEM])
@every_kind
def test_those_above_a_seat_see_its_account_and_its_worth_only_where_the_game_says_so(
    kind: str, visibility: Visibility, name: str
) -> None:
    party = PLAYS[kind](visibility, (name,))
    sees_worth = visibility is (Visibility.UPPER_LEVEL if name == "boss" else Visibility.SYSTEM)

    found = {way: found_in(*way(party))[0] for way in WAYS_OUT if way not in (from_handlers, from_the_window)}

    for way, numbers in found.items():
        assert CHANCE not in numbers
        assert sees_worth or not {WORTH, WORTH * 100} & numbers, way
    assert found[from_views] >= {UNITS, MONEY * 100}
    assert bool({WORTH, WORTH * 100} & found[from_exports]) is sees_worth


@every_kind
def test_what_is_looked_for_can_be_found_where_it_may_be_known(kind: str) -> None:
    party = PLAYS[kind](Visibility.OWNER)
    all_of_it = found_in(
        party.log.header, party.log.events, *(view_of(each.state, EXPERIMENTER) for each in party.happenings)
    )
    own = found_in(
        encode_log(filter_log(party.log, OWNER)),
        *(view_of(each.state, Observer(OWNER)) for each in party.happenings),
    )

    common = {CHANCE, UNITS, MONEY * 100, WORTH * 100}
    kinds = {
        "trading": {MONEY, OFFERED, PENDING, TRADED, OFFERED * 100, PENDING * 100, TRADED * 100},
        "market": {MONEY, LIMIT, DECIDED},
    }
    assert all_of_it[0] >= common | kinds[kind]
    assert own[0] >= (common | kinds[kind]) - {CHANCE}
    assert CHANCE not in own[0]
    assert own[1] == set(WORDS[:2] if kind == "trading" else ())


@every_kind
def test_a_refusal_and_an_error_tell_a_seat_nothing_of_another_s_accounts(kind: str) -> None:
    party = PLAYS[kind](Visibility.OWNER)
    told = [
        event.payload
        for event in party.table.events
        if event.type in (EventType.ACTION_REFUSED, "transaction-error")
        and visible_event(event, Observer(SPY))
    ]

    assert len(told) >= 3
    assert found_in(*told) == (set(), set())
    if kind == "trading":
        reasons = [payload.text for payload in told if hasattr(payload, "text")]
        assert reasons == ["owner does not have enough money.", "owner does not have enough to sell."]


def test_a_hidden_identity_is_in_no_event_and_in_no_view_of_another_seat() -> None:
    party = PLAYS["market"](Visibility.OWNER)
    kinds = ("add-order", "update-order", "delete-order", "contract-fulfilled")
    events = [event for event in party.table.events if event.type in kinds]

    assert {event.type for event in events} == {"add-order", "delete-order", "contract-fulfilled"}
    for event in events:
        assert not {OWNER, FRIEND} & set(re.findall(r"\w+", event.payload.json))
    for each in party.happenings:
        seen: Any = view_of(each.state, Observer(SPY)).state.mechanism_state
        assert OWNER not in repr((seen.books, list(seen.trades), seen.own_orders, seen.placed))


@every_kind
def test_an_agent_s_process_holds_what_its_seat_sees_and_nothing_else(
    kind: str,
    make: Callable[..., AgentProcess],
    tmp_path: Path,
) -> None:
    game = replace(PLAYS[kind](Visibility.OWNER).table.state.game, own_state=None)
    output = tmp_path / "mirror.txt"
    file = Path(__file__).parent / "printing_agent.py"
    request = start_request_for(file, "PrintingAgent", game, seat=SPY, output=output, session_id=SESSION_ID)
    process = make(request)
    answers: list[str] = []

    def tell(published: PublishedEvent) -> None:
        seen = visible_event(published.public, Observer(SPY))
        if seen is not None and seen.sender != SPY:
            view = view_of(published.state, Observer(SPY))
            answers.append(process.respond(AgentRequest(view, seen.t, seen)).failure)

    def play(planted: PlantedSession) -> None:
        planted.table.subscribe(tell)
        (trade_in_private if kind == "trading" else trade_in_the_market)(planted)

    PlantedSession(game, play)

    assert set(answers) == {""}
    assert len(answers) > 3
    told = output.read_text(encoding="utf-8")
    assert "900000000" in told  # its own money
    assert found_in(told) == (set(), set())
