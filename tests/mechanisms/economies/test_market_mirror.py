"""Each seat's own copy of the book: after any session it equals the engine's."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from negoplatform.core.events import Event
from negoplatform.core.market_state import MarketState, Order, Trade
from negoplatform.core.mechanisms.double_auction_state import double_auction_state, market_terms
from negoplatform.core.mechanisms.market_books import book_place, number_of
from negoplatform.core.mechanisms.market_terms import Identities
from negoplatform.core.state import EventField, EventHandler, GameState, PublicInformation, State
from negoplatform.core.visibility import Observer, visible_event
from negoplatform.domain.game import GameSpec
from negoplatform.domain.game_state_reference import GameStateReference
from negoplatform.domain.seat_map import Seat
from tests.mechanisms.bench import Bench, played, resumed
from tests.mechanisms.cases import CASES, plays
from tests.mechanisms.economies.busy import busy_market_plays
from tests.mechanisms.grain_market import BUYER, OTHER, SELLER, Market, grain_market, market
from tests.mechanisms.moves import Play
from tests.mechanisms.test_laws import law

FIVE = ("add-order", "update-order", "delete-order", "contract-fulfilled", "asset-movement")


class Mirrored(PublicInformation):
    """A market in the public part."""

    market_state: MarketState = EventField(default_factory=MarketState)


class MirrorState(GameState):
    """State of a game's author that keeps the market, and counts what its handler receives."""

    public_information: Mirrored = Field(default_factory=Mirrored)
    received: list[tuple[str, str]] = Field(default_factory=list)

    def __init__(self, game_id: int) -> None:
        super().__init__()
        self.meta.game_id = game_id

    def get_custom_handlers(self) -> dict[str, EventHandler]:
        """Return one handler for the five events."""
        return dict.fromkeys(FIVE, self._on_market_event)

    def _on_market_event(self, event_type: str, data: dict[str, Any]) -> None:
        self.received.append((event_type, type(data).__name__))
        self.public_information.market_state.process_event(event_type=event_type, data=data)


def with_mirror(game: GameSpec) -> GameSpec:
    """Return a game with this state."""
    return replace(game, own_state=GameStateReference(MirrorState, "state.py", "0" * 64))


def expected(state: State) -> tuple[dict[int, Order], list[Trade]]:
    """Return the engine's orders and trades as a seat's own copy has them, without medians."""
    game, market = state.game, double_auction_state(state)
    assert game.economy is not None
    goods = game.economy.good_names
    orders = {
        order.order_id: Order(
            id=order.order_id,
            sender=order.seat or None,
            price=number_of(game, order.price),
            quantity=order.quantity,
            type=str(order.side),
            condition=book_place(game, number)[0],
            good=goods[book_place(game, number)[1]],
        )
        for number, book in enumerate(market.books)
        for order in book.orders
    }
    trades = [
        Trade(
            from_id=trade.seller or None,
            to_id=trade.buyer or None,
            price=number_of(game, trade.price),
            quantity=trade.quantity,
            condition=trade.condition,
            good=goods[trade.good],
        )
        for trade in market.trades
    ]
    return orders, trades


def mirrors(bench: Bench) -> dict[Seat, MarketState]:
    """Return the copy that each seat's state holds."""
    return {
        seat: typed.public_information.market_state  # type: ignore[attr-defined]  # the class above
        for seat, typed in bench.state.typed.items()
    }


def check(bench: Bench) -> None:
    """Check every seat's copy, and that hidden identities are in none of them."""
    orders, trades = expected(bench.state)
    copies = mirrors(bench)
    assert set(copies) == set(bench.state.game.seats)
    for copy in copies.values():
        assert copy.orders == orders
        assert [trade.model_copy(update={"median": None}) for trade in copy.trades] == trades
    if market_terms(bench.state.game).identities is Identities.HIDDEN:
        assert all(order.sender is None for order in orders.values())
        assert all(trade.from_id is trade.to_id is None for trade in trades)


@law
@given(data=st.data())
def test_after_any_session_each_seat_s_own_copy_equals_the_engine_s_book(data: st.DataObject) -> None:
    drawn = data.draw(plays(CASES["market"]) | busy_market_plays())
    play = Play(with_mirror(drawn.game), drawn.moves)
    bench = played(play)

    check(bench)
    ends = [i for i, event in enumerate(bench.events) if event.type == "GAME_END"]
    cut = data.draw(st.integers(1, ends[0] if ends else len(bench.events)))
    check(resumed(play, bench, cut))


@law
@given(data=st.data())
def test_the_copy_follows_from_the_events_that_its_seat_may_see(data: st.DataObject) -> None:
    drawn = data.draw(plays(CASES["market"]) | busy_market_plays())
    bench = played(Play(with_mirror(drawn.game), drawn.moves))

    for seat, copy in mirrors(bench).items():
        again = MarketState()
        for event in bench.events:
            seen = visible_event(event, Observer(seat))
            if seen is not None and seen.type in FIVE:
                again.process_event(event_type=seen.type, data=seen.data)
        assert again == copy


@pytest.mark.parametrize("identities", list(Identities))
def test_ctx_state_has_the_copy_at_every_moment(identities: Identities) -> None:
    table = Market(with_mirror(grain_market(identities=identities)))
    table.start()

    def same() -> bool:
        orders, trades = expected(table.state)
        states: list[Any] = [table.context(seat).state for seat in (BUYER, SELLER, OTHER)]
        copies = [state.public_information.market_state for state in states]
        return all(copy.orders == orders and len(copy.trades) == len(trades) for copy in copies)

    resting = table.bid(60, 3)
    assert same()
    table.ask(50)
    assert same()
    table.ask(55, 2, seat=OTHER)
    assert same()
    assert resting.seq not in expected(table.state)[0]
    table.cancel(table.bid(20))
    assert same()
    assert len(expected(table.state)[1]) == 2


def test_what_an_agent_changes_in_its_copy_changes_nobody_else_s() -> None:
    table = Market(with_mirror(grain_market()))
    table.start()
    table.bid(60, 3)

    state: Any = table.context(SELLER).state
    state.public_information.market_state.orders.clear()
    for event in table.facts("add-order"):
        event.data["order"]["price"] = 1

    again: Any = table.context(SELLER).state
    other: Any = table.context(OTHER).state
    for copy in (again, other):
        assert [order.price for order in copy.public_information.market_state.orders.values()] == [60]


class Counting(MirrorState):
    """State whose author has changed how it is updated."""

    updates: int = 0

    def update(self, message: Any, addressed: bool = False) -> None:
        """Count the events, and take them up as usual."""
        self.updates += 1
        super().update(message, addressed)


def test_an_author_s_state_may_change_how_it_is_updated() -> None:
    game = replace(grain_market(), own_state=GameStateReference(Counting, "state.py", "0" * 64))
    table = Market(game)
    table.start()
    before: Any = table.context(SELLER).state

    table.bid(60)

    state: Any = table.context(SELLER).state
    assert state.updates > before.updates
    assert list(state.public_information.market_state.orders) == [
        table.facts("add-order")[0].data["order"]["id"]
    ]


class PriceField(Mirrored):
    """The same with a field that has the name of a key of trades."""

    price: float = EventField(default=0)


class Handled(MirrorState):
    """State in which a handler takes the trades."""

    public_information: PriceField = Field(default_factory=PriceField)


class Unhandled(Handled):
    """State in which no handler does."""

    def get_custom_handlers(self) -> dict[str, EventHandler]:
        """Return no handlers."""
        return {}


@pytest.mark.parametrize(("state_class", "price"), [(Handled, 0), (Unhandled, 60)])
def test_a_market_event_goes_to_its_handler_or_to_the_fields_and_never_to_both(
    state_class: type[GameState], price: float
) -> None:
    game = replace(grain_market(), own_state=GameStateReference(state_class, "state.py", "0" * 64))
    table = Market(game)
    table.start()

    table.bid(60)
    table.ask(50)

    public: Any = table.context(SELLER).state.public_information
    assert public.price == price
    assert len(public.market_state.trades) == (1 if state_class is Handled else 0)


# One test for each of the documented parts


def order(**more: Any) -> dict[str, Any]:
    """Return the data of an order."""
    return {"id": 7, "sender": "a", "price": 12.5, "quantity": 4, "type": "bid", "condition": 1, **more}


def test_an_added_order_is_in_the_copy_under_its_id() -> None:
    copy = MarketState()

    copy.process_event("add-order", {"order": order()})

    assert copy.orders == {
        7: Order(id=7, sender="a", price=12.5, quantity=4, type="bid", condition=1, now=False)
    }


def test_an_updated_order_has_another_quantity_and_nothing_else() -> None:
    copy = MarketState()
    copy.process_event("add-order", {"order": order()})

    copy.process_event("update-order", {"order": {"id": 7, "quantity": 1}})
    copy.process_event("update-order", {"order": {"id": 8, "quantity": 1}})

    assert {number: (each.price, each.quantity) for number, each in copy.orders.items()} == {7: (12.5, 1)}


def test_a_deleted_order_is_gone() -> None:
    copy = MarketState()
    copy.process_event("add-order", {"order": order()})

    copy.process_event("delete-order", {"order": {"id": 8}})
    assert list(copy.orders) == [7]
    copy.process_event("delete-order", {"order": {"id": 7}})

    assert copy.orders == {}


def test_a_contract_is_kept_as_a_trade_and_any_other_event_changes_nothing() -> None:
    copy = MarketState()
    data = {"from": "s", "to": "b", "price": 9, "quantity": 2, "condition": 0, "median": 8.5}

    copy.process_event(event_type="contract-fulfilled", data=data)
    copy.process_event("asset-movement", {"balance": 1, "shares": 1})
    copy.process_event("weather", {})

    assert copy.trades == [Trade(from_id="s", to_id="b", price=9, quantity=2, condition=0, median=8.5)]
    assert copy.orders == {}


def test_the_orders_of_a_player_and_the_book_in_words() -> None:
    copy = MarketState()
    for data in (order(), order(id=8, type="ask", price=14), order(id=9, sender="b", price=13)):
        copy.process_event("add-order", {"order": data})

    assert [each.id for each in copy.get_orders_from_player("a")] == [7, 8]
    assert copy.order_book == "ask 14 x 4\nbid 13 x 4\nbid 12.5 x 4"


def test_the_market_emits_the_five_events_and_the_handler_receives_each_with_its_data() -> None:
    table = Market(with_mirror(grain_market()))
    table.start()
    table.bid(60, 3)
    table.ask(50)
    table.cancel(table.ask(100))
    events: list[Event] = [event for event in table.events if event.type in FIVE]

    state: Any = table.context(SELLER).state

    assert {event.type for event in events} == set(FIVE)
    visible = [event.type for event in events if visible_event(event, Observer(SELLER))]
    assert state.received == [(kind, "dict") for kind in visible]


def test_a_market_s_identities_are_shown_unless_its_game_hides_them() -> None:
    assert market_terms(market().state.game).identities is Identities.SHOWN
