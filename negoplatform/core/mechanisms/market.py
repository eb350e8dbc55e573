"""Market: a continuous double auction in timed phases, with private accounts.

Seats place and cancel orders in phases that trade, and make decisions, all at the same time, in phases that
decide. An order that arrives trades at once with what is in the book, by price and then by time, at the price
of the order in the book (Smith 1962,
doi.org/10.1086/258609); the rest of it goes into the book. The types and
keys of the five facts about orders and trades are those of econagents.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from statistics import median
from types import MappingProxyType
from typing import Any, ClassVar

from negoplatform.core.events import EndedBy, Ending, Event, EventType, Nothing, new_tuple, shared_data
from negoplatform.core.features.numeric_features import Feature
from negoplatform.core.mechanisms.base import ActAudience, ActRule, Fact, Mechanism, fact, game_end
from negoplatform.core.mechanisms.double_auction_state import (
    RECENT_PRICES,
    DecisionMade,
    DoubleAuctionState,
    MarketAccount,
    MarketTrade,
    OrderCancelled,
    OrderPlaced,
    conditions_of,
    current_phase,
    double_auction_state,
    market_terms,
    period_of,
    replaced,
)
from negoplatform.core.mechanisms.market_terms import (
    DRAWN_CONDITION,
    CarryOver,
    Identities,
    MarketTerms,
)
from negoplatform.core.mechanisms.order_book import BookOrder, OrderBook, OrderSide
from negoplatform.core.mechanisms.phase_rules import START, announced_types, check_phase_rules, resolved_facts
from negoplatform.core.persistent_list import PersistentList
from negoplatform.core.persistent_sorted_map import PersistentSortedMap
from negoplatform.core.state import State
from negoplatform.domain.economy import Money
from negoplatform.domain.errors import NegoError, Refused
from negoplatform.domain.game import GameSpec, Visibility, economy_of
from negoplatform.domain.seat_map import PLATFORM, Seat, SeatMap
from negoplatform.domain.utility import Points
from negoplatform.domain.worth import ConditionWorth

PLACE_ORDER, CANCEL_ORDER, DECIDE = "PLACE_ORDER", "CANCEL_ORDER", "DECIDE"
ADD_ORDER, UPDATE_ORDER, DELETE_ORDER = "add-order", "update-order", "delete-order"
CONTRACT_FULFILLED, ASSET_MOVEMENT = "contract-fulfilled", "asset-movement"
SEATED, PHASE_TRANSITION, PERIOD_RESULT = "seated", "phase-transition", "period-result"
DECISIONS_MADE, CONDITION_REALISED = "decisions-made", "condition-realised"

LATEST_TIMER_SECONDS = 1.0
"""Seconds by which the end of a phase may be recorded late without moving the phases after it."""

_NO_ORDERS: PersistentSortedMap[int, int] = PersistentSortedMap()


class MarketHoldings(Feature):
    """A seat's money and units, and what its orders may cost and sell; only the seat itself sees them."""

    money: tuple[float, ...] = ()
    units: tuple[float, ...] = ()
    committed_money: tuple[float, ...] = ()
    committed_units: tuple[float, ...] = ()


class MarketPrices(Feature):
    """The phase, and of each book the best bid, the best ask and the last price; 0 where there is none."""

    visibility: ClassVar[Sequence[str]] = (Visibility.PUBLIC,)

    phase: float = 0.0
    best_bids: tuple[float, ...] = ()
    best_asks: tuple[float, ...] = ()
    last_prices: tuple[float, ...] = ()


class Market(Mechanism):
    """Continuous double auction with timed phases."""

    name = "market"
    acts: ClassVar[Mapping[str, ActRule]] = MappingProxyType(
        {
            PLACE_ORDER: ActRule(OrderPlaced, ActAudience.SENDER, intention="order"),
            CANCEL_ORDER: ActRule(OrderCancelled, ActAudience.SENDER, intention="cancel"),
            DECIDE: ActRule(DecisionMade, ActAudience.SENDER, intention="decide"),
        }
    )
    facts: ClassVar[Mapping[str, bool]] = MappingProxyType(
        {
            ADD_ORDER: False,
            UPDATE_ORDER: False,
            DELETE_ORDER: False,
            CONTRACT_FULFILLED: False,
            ASSET_MOVEMENT: False,
            SEATED: False,
            PHASE_TRANSITION: True,
            PERIOD_RESULT: True,
            DECISIONS_MADE: True,
            CONDITION_REALISED: True,
        }
    )
    terms_class = MarketTerms
    rules = ("talk",)

    # Game

    def check_game(self, game: GameSpec) -> None:
        """Raise NegoError unless the game has goods, prices in its money, and time for its phases."""
        economy = game.economy
        if economy is None or not economy.goods:
            raise NegoError("a market game has 'goods', at least one, and no 'issues'")
        terms = market_terms(game)
        for name in ("tick", "lowest", "highest"):
            economy.currency.from_number(getattr(terms, name))
        deadline = game.rules.deadline_seconds
        if deadline is not None and deadline < terms.total_seconds:
            raise NegoError(
                f"'rules.deadline_seconds' is {deadline:g}, "
                f"but the phases take {terms.total_seconds:g} seconds"
            )
        for phase in terms.phases:
            odd = [seat for seat in phase.by if seat not in game.seats]
            if odd:
                raise NegoError(f"in the phase {phase.name!r} decides {odd[0]!r}, and there is no such seat")
        check_phase_rules(game)
        if game.fewest_seats:
            self._check_with_fewest_seats(game)
        for seat, worth in economy.worths.items():
            if isinstance(worth, ConditionWorth):
                missing = set(terms.conditions) - {name for name, _ in worth.by_condition}
                if missing or not terms.conditions:
                    raise NegoError(f"'seats.{seat}.worth' does not have exactly the conditions of 'terms'")

    def _check_with_fewest_seats(self, game: GameSpec) -> None:
        try:
            self.check_game(game.with_seats(game.fewest_seats))
        except NegoError as error:
            raise NegoError(f"with the fewest seats, {game.fewest_seats}: {error}") from None

    def initial_state(self, game: GameSpec) -> DoubleAuctionState:
        """Return empty books, and the endowments that the game holds."""
        economy, conditions = economy_of(game), conditions_of(game)
        goods = len(economy.goods)
        nothing = ((0,) * goods,) * len(conditions)
        accounts = SeatMap(
            (
                seat,
                MarketAccount(
                    (endowment.money,) * len(conditions),
                    (endowment.units,) * len(conditions),
                    (0,) * len(conditions),
                    nothing,
                ),
            )
            for seat, endowment in economy.endowments.items()
        )
        return DoubleAuctionState(
            phase=0,
            phase_began=0.0,
            books=tuple(OrderBook() for _ in range(goods * len(conditions))),
            trades=PersistentList(),
            recent_prices=((),) * (goods * len(conditions)),
            accounts=accounts,
            own_orders=SeatMap((seat, _NO_ORDERS) for seat in accounts),
            placed=SeatMap((seat, 0) for seat in accounts),
            decisions=SeatMap((seat, ()) for seat in accounts),
        )

    def view(self, mechanism_state: DoubleAuctionState, seat: Seat | None) -> DoubleAuctionState:
        """Return the state with the seat's own account, orders and decisions."""
        return mechanism_state.restricted_to((seat,) if seat else ())

    def copy_for_thread(self, mechanism_state: DoubleAuctionState) -> DoubleAuctionState:
        """Return the state with books of its own."""
        return mechanism_state._replace(books=tuple(book.copy() for book in mechanism_state.books))

    # Acts and facts

    def fact_types(self, game: GameSpec) -> frozenset[str]:
        """Return the mechanism's own types, and those that the game's rules announce."""
        rules = market_terms(game).rules
        return self.own_facts | announced_types(rules) if rules else self.own_facts

    def check(self, state: State, seat: Seat, payload: Any, to: tuple[Seat, ...] = ()) -> None:  # noqa: ARG002
        """Raise Refused if the seat may not do this now."""
        market = double_auction_state(state)
        if seat in market.left and isinstance(payload, Nothing | OrderPlaced | OrderCancelled | DecisionMade):
            raise Refused("You’ve left the market.")
        match payload:
            case OrderPlaced():
                _check_order(state, seat, payload)
            case OrderCancelled(order_id):
                if order_id not in market.own_orders[seat]:
                    raise Refused("That order is no longer in the book.")
            case DecisionMade(values=values):
                _check_decision(state, seat, values.to_dict())

    def apply(self, state: State, event: Event) -> DoubleAuctionState:
        """Return the state after an event; books and accounts change with facts alone."""
        market = double_auction_state(state)
        match event.type:
            case "PLACE_ORDER":
                if event.sender not in market.placed:
                    return market
                return market._replace(placed=market.placed.with_value(event.sender, event.seq))
            case "add-order":
                return _with_order(state, market, event)
            case "update-order" | "delete-order":
                order = shared_data(event.payload.json)["order"]
                return _with_quantity(state, market, order["id"], order.get("quantity", 0))
            case "contract-fulfilled":
                return _with_trade(state, market, event)
            case "asset-movement":
                return _with_movement(state, market, shared_data(event.payload.json))
            case "phase-transition":
                return market._replace(
                    phase=event.data["phase"],
                    phase_began=_beginning_of_next_phase(state, event.t),
                    recent_prices=((),) * len(market.recent_prices),
                )
            case "period-result":
                return _with_result(state, market, shared_data(event.payload.json))
            case "DECIDE":
                return _with_decision(state, market, event)
            case "condition-realised":
                return market._replace(realised=event.data["condition"])
            case EventType.FORMAL_QUIT:
                left = tuple(seat for seat in state.game.seats if seat in (*market.left, event.sender))
                return market._replace(left=left)
            case _:
                return market

    def consequences(self, state: State, event: Event) -> tuple[Fact, ...]:
        """Return what follows from the start, an order, a cancellation, a decision or a seat's leaving."""
        match event.type:
            case EventType.GAME_START:
                seated = [_seated(state, seat) for seat in state.game.seats]
                return (*seated, *resolved_facts(state, START), *_begin_phase(state, 1))
            case "PLACE_ORDER":
                return tuple(_order_facts(state, event))
            case "CANCEL_ORDER":
                return (_deleted(event.payload.order_id),)
            case "DECIDE" if _all_have_decided(state):
                return tuple(_end_phase(state))
            case EventType.FORMAL_QUIT:
                return tuple(_after_leaving(state, event.sender))
            case _:
                return ()

    # Time

    def next_due(self, state: State) -> float | None:
        """Return the time at which the phase ends, or an order leaves the book by itself."""
        # Asked twice at every event, so in few calls.
        market = double_auction_state(state)
        if not market.phase:
            return None
        terms = market_terms(state.game)
        due = market.phase_began + terms.all_phases[market.phase - 1].seconds
        lifetime = terms.order_lifetime_seconds
        if lifetime is not None:
            for book in market.books:
                first = book.oldest
                if first is not None and first.placed_at + lifetime < due:
                    due = first.placed_at + lifetime
        return due

    def falls_due(self, state: State, now: float) -> tuple[Fact, ...]:
        """Return the end of the phase, or else the orders that leave the books by themselves."""
        market, phase = double_auction_state(state), current_phase(state)
        if phase is None:
            return ()
        if now >= market.phase_began + phase.seconds:
            return tuple(_end_phase(state))
        lifetime = market_terms(state.game).order_lifetime_seconds
        if lifetime is None:
            return ()
        expired = [order for book in market.books for order in _expired(book, lifetime, now)]
        return tuple(_deleted(order.order_id) for order in sorted(expired))

    # Points and presentation

    def legal(self, state: State, seat: Seat) -> frozenset[str]:
        """Return the acts that are open; for an order some price and quantity is allowed."""
        market, phase = double_auction_state(state), current_phase(state)
        if seat not in market.accounts or seat in market.left:
            return frozenset()
        kinds = {str(EventType.FORMAL_QUIT)}
        if len(market.own_orders[seat]):
            kinds.add(CANCEL_ORDER)
        if phase is None:
            return frozenset(kinds)
        if phase.trade and possible_order(state, seat):
            kinds.add(PLACE_ORDER)
        if seat in deciders(state) and market.decision_of(seat, phase) is None:
            kinds.add(DECIDE)
        return frozenset(kinds)

    def points(self, state: State, seat: Seat) -> Points | None:
        """Return the gain: money and worth of units at the end less those at the start, of all periods."""
        ended = state.ending is not None and state.ending.ended_by is not EndedBy.ABORTED
        return self.standing(state, seat) if ended else None

    def standing(self, state: State, seat: Seat) -> Points | None:
        """Return the gain so far; None too while it depends on a condition that is not known."""
        account = double_auction_state(state).accounts.get(seat)
        if account is None or seat not in economy_of(state.game).worths:
            return None
        return gain(state, seat, account)

    def features(self, state: State, now: float) -> SeatMap[Sequence[Feature]]:  # noqa: ARG002 - time changes none
        """Return the holdings that the state holds, and the prices."""
        market = double_auction_state(state)

        def amounts(money: Sequence[Money]) -> tuple[float, ...]:
            return tuple(float(number_of(state.game, amount)) for amount in money)

        own = [
            (
                seat,
                [
                    MarketHoldings(
                        money=amounts(account.money),
                        units=tuple(float(n) for row in account.units for n in row),
                        committed_money=amounts(account.committed_money),
                        committed_units=tuple(float(n) for row in account.committed_units for n in row),
                    )
                ],
            )
            for seat, account in market.accounts.items()
        ]
        best = {
            side: [order.price if (order := book.best(side)) else 0 for book in market.books]
            for side in OrderSide
        }
        prices = MarketPrices(
            phase=market.phase,
            best_bids=amounts(best[OrderSide.BID]),
            best_asks=amounts(best[OrderSide.ASK]),
            last_prices=amounts([prices[-1] if prices else 0 for prices in market.recent_prices]),
        )
        return SeatMap([*own, (PLATFORM, [prices])])

    def describe(self, state: State) -> list[str]:
        """Return the phase, the best prices and the accounts."""
        market, economy = double_auction_state(state), economy_of(state.game)
        phase, currency = current_phase(state), economy.currency
        lines = [f"phase {market.phase}: {phase.name}" if phase else "before the first phase"]
        for number, book in enumerate(market.books):
            prices = [
                f"{side} {currency.format(order.price) if (order := book.best(side)) else 'none'}"
                for side in OrderSide
            ]
            count = len(book)
            orders = f"{count} order{'' if count == 1 else 's'}"
            lines.append(f"{book_name(state.game, number)}: {', '.join(prices)}, {orders}")
        lines += [
            f"{seat}: {', '.join(currency.format(money) for money in account.money)}; "
            f"{'; '.join(economy.describe_units(row) for row in account.units)}"
            for seat, account in market.accounts.items()
        ]
        return lines


# Numbers and names


def minor_of(game: GameSpec, amount: int | float) -> Money:
    """Return an amount of an event in minor units; amounts of events are known to be exact."""
    scale: int = 10 ** economy_of(game).currency.decimals
    return amount * scale if isinstance(amount, int) else round(amount * scale)


def number_of(game: GameSpec, amount: float) -> int | float:
    """Return an amount in minor units as events have it: in the game's money, whole ones as int."""
    scale: int = 10 ** economy_of(game).currency.decimals
    if isinstance(amount, int) and amount % scale == 0:
        return amount // scale
    return amount / scale


def book_number(game: GameSpec, condition: int, good: int) -> int:
    """Return the number of a book."""
    return condition * len(economy_of(game).goods) + good


def book_place(game: GameSpec, number: int) -> tuple[int, int]:
    """Return the condition and the good of a book, both as numbers from 0."""
    return divmod(number, len(economy_of(game).goods))


def book_name(game: GameSpec, number: int) -> str:
    """Return the good of a book, and its condition where there are several."""
    condition, good = book_place(game, number)
    title, name = economy_of(game).goods[good].title, conditions_of(game)[condition]
    return f"{title}, {name}" if name else title


def find_book(game: GameSpec, good: str | None, condition: str | None) -> int:
    """Return the number of the book of a good and a condition.

    Raises:
        Refused: If there is no such book, or one of the two has to be named and is not.
    """
    return book_number(
        game,
        _index("condition", condition, market_terms(game).conditions),
        _index("good", good, economy_of(game).good_names),
    )


def _index(what: str, name: str | None, names: Sequence[str]) -> int:
    if name is None:
        if len(names) > 1:
            raise Refused(f"Say which {what}: {', '.join(names)}.")
        return 0
    if name not in names:
        raise Refused(f"There is no {what} {name!r} here; there is {', '.join(names) or 'none'}.")
    return names.index(name)


def gain(state: State, seat: Seat, account: MarketAccount) -> Points | None:
    """Return what an account has gained, in the game's money; None while that is not known."""
    game, economy = state.game, economy_of(state.game)
    market, conditions = double_auction_state(state), market_terms(game).conditions
    if conditions and not market.realised:
        return None
    index = conditions.index(market.realised) if conditions else 0
    worth, endowment = economy.worths[seat], economy.endowments[seat]
    now = account.money[index] + worth.of(account.units[index], market.realised)
    before = endowment.money + worth.of(endowment.units, market.realised)
    return number_of(game, account.earned + now - before)


# Checks


def _check_order(state: State, seat: Seat, asked: OrderPlaced) -> None:
    fault = order_fault(state, seat, asked)
    if fault:
        raise Refused(fault)


def order_fault(state: State, seat: Seat, asked: OrderPlaced) -> str:
    """Return why a seat may not place an order now, a sentence; empty: it may. Also of the seat's view."""
    game, market, phase = state.game, double_auction_state(state), current_phase(state)
    if phase is None or not phase.trade:
        return "The market is closed now."
    terms, economy = market_terms(game), economy_of(game)
    try:
        number = find_book(game, asked.good, asked.condition or market.realised or None)
        price = economy.currency.from_number(asked.price)
        tick, lowest, highest = (
            economy.currency.from_number(each) for each in (terms.tick, terms.lowest, terms.highest)
        )
    except Refused as refusal:
        return str(refusal)
    except NegoError as error:
        return f"{str(error).rstrip('.')}."
    condition, good = book_place(game, number)
    if market.realised and conditions_of(game)[condition] != market.realised:
        return f"It is known that {market.realised} holds; trade under this condition."
    if not lowest <= price <= highest:
        return f"The price is from {economy.currency.format(lowest)} to {economy.currency.format(highest)}."
    if (price - lowest) % tick:
        return f"The price goes in steps of {economy.currency.format(tick)}."
    account = market.accounts[seat]
    if asked.side is OrderSide.BID and price * asked.quantity > account.free_money(condition):
        free = economy.currency.format(account.free_money(condition))
        return f"You don’t have enough free money: {free} is not in orders yet."
    if asked.side is OrderSide.ASK and asked.quantity > account.free_units(condition, good):
        return f"You don’t have that many free units to sell: {account.free_units(condition, good)} are left."
    fills = market.books[number].match(asked.side, price, asked.quantity)
    if any(fill.resting.order_id in market.own_orders[seat] for fill in fills):
        return "You would trade with yourself; cancel your own order first."
    rests = not asked.now and sum(fill.quantity for fill in fills) < asked.quantity
    if rests and len(market.own_orders[seat]) >= terms.orders_per_seat:
        return (
            "You already have an order in the book; cancel it first."
            if terms.orders_per_seat == 1
            else f"You already have {terms.orders_per_seat} orders in the books; cancel one first."
        )
    if asked.now and not fills:
        return f"Nobody {'sells' if asked.side is OrderSide.BID else 'buys'} at this price now."
    return ""


def possible_order(state: State, seat: Seat) -> OrderPlaced | None:
    """Return an order that a seat may place now; None if there is none."""
    game, terms = state.game, market_terms(state.game)
    for number in range(len(double_auction_state(state).books)):
        condition, good = book_place(game, number)
        names = (
            economy_of(game).good_names[good],
            terms.conditions[condition] if terms.conditions else None,
        )
        for order in _candidates(state, number, names):
            if not order_fault(state, seat, order):
                return order
    return None


def _candidates(state: State, number: int, names: tuple[str, str | None]) -> Iterator[OrderPlaced]:
    """Yield orders of one unit of which one is allowed if any order in the book is."""
    game, terms = state.game, market_terms(state.game)
    book = double_auction_state(state).books[number]
    highest = terms.lowest + int((terms.highest - terms.lowest) / terms.tick + 1e-9) * terms.tick
    yield OrderPlaced(OrderSide.BID, terms.lowest, 1, *names)
    yield OrderPlaced(OrderSide.ASK, highest, 1, *names)
    for side in OrderSide:
        # A seat without room for another order may still trade with what is in the book.
        other = book.best(OrderSide.ASK if side is OrderSide.BID else OrderSide.BID)
        if other is not None:
            yield OrderPlaced(side, number_of(game, other.price), 1, *names)


def deciders(state: State) -> tuple[Seat, ...]:
    """Return the seats that decide in this phase and have not left."""
    phase = current_phase(state)
    if phase is None or not phase.decide:
        return ()
    left = double_auction_state(state).left
    return tuple(seat for seat in phase.by or state.game.seats if seat not in left)


def _all_have_decided(state: State) -> bool:
    phase, market = current_phase(state), double_auction_state(state)
    return (
        phase is not None
        and bool(phase.decide)
        and all(market.decision_of(seat, phase) is not None for seat in deciders(state))
    )


def _check_decision(state: State, seat: Seat, values: Mapping[str, Any]) -> None:
    phase = current_phase(state)
    if phase is None or seat not in deciders(state):
        raise Refused("There is nothing for you to decide now.")
    if double_auction_state(state).decision_of(seat, phase) is not None:
        raise Refused("You’ve already decided; the others are still deciding.")
    names = [field.name for field in phase.decide]
    odd = [name for name in values if name not in names]
    if odd:
        raise Refused(f"There is no decision {odd[0]!r} here; there is {', '.join(names)}.")
    for field in phase.decide:
        if field.name not in values:
            raise Refused(f"{field.title}: choose a value.")
        value = values[field.name]
        fault = field.fault_of(tuple(value) if isinstance(value, list) else value)
        if fault:
            raise Refused(fault)


# What events change


def _beginning_of_next_phase(state: State, t: float) -> float:
    """Return the session time at which a phase begins that is announced now.

    Right behind the end of the phase before it, if that has run its time, however late a timer is: else the
    last of several phases would end after a deadline that leaves time for just all of them.
    """
    before = current_phase(state)
    if before is None:
        return t
    ended = double_auction_state(state).phase_began + before.seconds
    return ended if ended <= t <= ended + LATEST_TIMER_SECONDS else t


def _with_order(state: State, market: DoubleAuctionState, event: Event) -> DoubleAuctionState:
    found = shared_data(event.payload.json)["order"]
    number = book_number(
        state.game, found["condition"], economy_of(state.game).good_names.index(found["good"])
    )
    side = OrderSide.BID if found["type"] == OrderSide.BID else OrderSide.ASK
    price = minor_of(state.game, found["price"])
    order = new_tuple(
        BookOrder, (found["id"], found["sender"] or "", side, price, found["quantity"], event.t)
    )
    books = replaced(market.books, number, market.books[number].add(order))
    for seat, placed in market.placed.pairs:
        if placed == order.order_id:
            account = market.accounts[seat].with_commitment(
                order, *book_place(state.game, number), order.quantity
            )
            own = market.own_orders[seat].with_item(order.order_id, number)
            accounts = market.accounts.with_value(seat, account)
            return market.with_books(books, accounts, market.own_orders.with_value(seat, own))
    return market._replace(books=books)


def _with_quantity(
    state: State, market: DoubleAuctionState, order_id: int, quantity: int
) -> DoubleAuctionState:
    """Return the state with another quantity of an order; 0 takes it out of its book."""
    found = market.find_order(order_id)
    if found is None:
        return market
    number, order = found
    book = market.books[number]
    book = book.reduce(order_id, quantity) if quantity else book.remove(order_id)
    books = replaced(market.books, number, book)
    owner = market.owner_of(order_id)
    if owner is None:
        return market._replace(books=books)
    change = quantity - order.quantity
    account = market.accounts[owner].with_commitment(order, *book_place(state.game, number), change)
    own_orders = market.own_orders
    if not quantity:
        own_orders = own_orders.with_value(owner, own_orders[owner].without(order_id))
    return market.with_books(books, market.accounts.with_value(owner, account), own_orders)


def _with_trade(state: State, market: DoubleAuctionState, event: Event) -> DoubleAuctionState:
    data = shared_data(event.payload.json)
    good = economy_of(state.game).good_names.index(data["good"])
    trade = MarketTrade(
        event.t,
        minor_of(state.game, data["price"]),
        data["quantity"],
        good,
        data["condition"],
        data["to"] or "",
        data["from"] or "",
        data["bid_id"],
        data["ask_id"],
        market.phase,
    )
    number = book_number(state.game, trade.condition, good)
    recent = (*market.recent_prices[number], trade.price)[-RECENT_PRICES:]
    return market._replace(
        trades=market.trades.append(trade), recent_prices=replaced(market.recent_prices, number, recent)
    )


def _with_movement(state: State, market: DoubleAuctionState, data: Mapping[str, Any]) -> DoubleAuctionState:
    seat = data["seat"]
    if seat not in market.accounts:
        return market
    good = economy_of(state.game).good_names.index(data["good"])
    account = market.accounts[seat].with_holding(
        data["condition"], good, minor_of(state.game, data["balance"]), data["shares"]
    )
    return market._replace(accounts=market.accounts.with_value(seat, account))


def _with_result(state: State, market: DoubleAuctionState, data: Mapping[str, Any]) -> DoubleAuctionState:
    seat = data["seat"]
    if seat not in market.accounts or not data["begins_anew"]:
        return market
    account = market.accounts[seat]._replace(earned=minor_of(state.game, data["total"]))
    return market._replace(accounts=market.accounts.with_value(seat, account))


def _with_decision(state: State, market: DoubleAuctionState, event: Event) -> DoubleAuctionState:
    phase = current_phase(state)
    if event.sender not in market.decisions or phase is None:
        return market
    made = (*market.decisions[event.sender], (phase.name, event.payload.values))
    return market._replace(decisions=market.decisions.with_value(event.sender, made))


# Facts


def _seated(state: State, seat: Seat) -> Fact:
    """Return who is who, and what a seat begins with."""
    game, economy = state.game, economy_of(state.game)
    names = [game.names.get(each, each) for each in game.seats]
    endowment = economy.endowments[seat]
    units = dict(zip(economy.good_names, endowment.units, strict=True))
    wallet = [
        {
            "condition": condition,
            "balance": number_of(game, endowment.money),
            "shares": endowment.units[0],
            "units": units,
        }
        for condition in range(len(conditions_of(game)))
    ]
    number = game.seats.index(seat) + 1
    data = {
        "name": names[number - 1],
        "number": number,
        "players": [{"number": i, "name": name} for i, name in enumerate(names, start=1)],
        "wallet": wallet,
    }
    return fact(SEATED, data, to=(seat,))


def _order_facts(state: State, event: Event) -> Iterator[Fact]:
    """Yield the trades of an order that has arrived, and what is left of it."""
    game, market, asked = state.game, double_auction_state(state), event.payload
    number = find_book(game, asked.good, asked.condition or market.realised or None)
    condition, good = book_place(game, number)
    price = minor_of(game, asked.price)
    held: dict[Seat, tuple[Money, int]] = {}
    recent, left = market.recent_prices[number], asked.quantity
    for resting, quantity in market.books[number].match(asked.side, price, asked.quantity):
        owner = market.owner_of(resting.order_id)
        assert owner is not None
        bids = asked.side is OrderSide.BID
        buyer, seller = (event.sender, owner) if bids else (owner, event.sender)
        ids = (event.seq, resting.order_id) if bids else (resting.order_id, event.seq)
        recent = (*recent, resting.price)[-RECENT_PRICES:]
        yield _contract(game, number, resting.price, quantity, (buyer, seller), ids, recent)
        if quantity < resting.quantity:
            order = {"id": resting.order_id, "quantity": resting.quantity - quantity}
            yield fact(UPDATE_ORDER, {"order": order})
        else:
            yield _deleted(resting.order_id)
        for seat, sign in ((buyer, 1), (seller, -1)):
            account = market.accounts[seat]
            money, units = held.get(seat, (account.money[condition], account.units[condition][good]))
            held[seat] = (money - sign * resting.price * quantity, units + sign * quantity)
            yield _movement(game, seat, condition, good, *held[seat])
        left -= quantity
    if left and not asked.now:
        shown = market_terms(game).identities is Identities.SHOWN
        added = {
            "id": event.seq,
            "sender": event.sender if shown else None,
            "price": asked.price,
            "quantity": left,
            "type": str(asked.side),
            "condition": condition,
            "now": False,
            "good": economy_of(game).good_names[good],
        }
        yield fact(ADD_ORDER, {"order": added})


def _contract(
    game: GameSpec,
    number: int,
    price: Money,
    quantity: int,
    pair: tuple[Seat, Seat],
    ids: tuple[int, int],
    recent: Sequence[Money],
) -> Fact:
    """Return the fact of one trade; ``recent`` are the last prices, this one included."""
    condition, good = book_place(game, number)
    shown = market_terms(game).identities is Identities.SHOWN
    data = {
        "from": pair[1] if shown else None,
        "to": pair[0] if shown else None,
        "price": number_of(game, price),
        "quantity": quantity,
        "condition": condition,
        "median": number_of(game, median(recent)),
        "good": economy_of(game).good_names[good],
        "bid_id": ids[0],
        "ask_id": ids[1],
    }
    return fact(CONTRACT_FULFILLED, data)


def _deleted(order_id: int) -> Fact:
    return fact(DELETE_ORDER, {"order": {"id": order_id}})


def _movement(game: GameSpec, seat: Seat, condition: int, good: int, money: Money, units: int) -> Fact:
    data = {
        "seat": seat,
        "balance": number_of(game, money),
        "shares": units,
        "condition": condition,
        "good": economy_of(game).good_names[good],
    }
    return fact(ASSET_MOVEMENT, data, to=(seat,))


def _expired(book: OrderBook, lifetime: float, now: float) -> Iterator[BookOrder]:
    # The sum of next_due, and no difference: that may come out a little before it.
    while (oldest := book.oldest) is not None and oldest.placed_at + lifetime <= now:
        yield oldest
        book = book.remove(oldest.order_id)


def _after_leaving(state: State, leaver: Seat) -> Iterator[Fact]:
    """Yield what follows when a seat leaves: its orders go, and with the last pair the game ends."""
    market = double_auction_state(state)
    for order_id in market.own_orders[leaver]:
        yield _deleted(order_id)
    if len(state.game.seats) - len(market.left) < 2:
        yield from _end_game(state, by=leaver)
    elif _all_have_decided(state):
        yield from _end_phase(state)


# Phases


def _begin_phase(state: State, number: int) -> Iterator[Fact]:
    game, terms = state.game, market_terms(state.game)
    phase = terms.all_phases[number - 1]
    data = {
        "phase": number,
        "phase_name": phase.name,
        "period": period_of(game, number),
        "seconds": phase.seconds,
        "trade": phase.trade,
        "deciders": list(phase.by or game.seats) if phase.decide else [],
    }
    yield fact(PHASE_TRANSITION, data, text=_phase_text(game, number))


def _phase_text(game: GameSpec, number: int) -> str:
    """Return that a phase begins, for people."""
    terms = market_terms(game)
    phase = terms.all_phases[number - 1]
    if terms.phases:
        return f"{phase.title} begins."
    if not phase.trade:
        return "The market is closed for a break."
    return f"Period {period_of(game, number)} begins." if terms.periods.count > 1 else "The market opens."


def _endow(state: State) -> Iterator[Fact]:
    game, economy = state.game, economy_of(state.game)
    for seat, endowment in economy.endowments.items():
        for condition in range(len(conditions_of(game))):
            for good, units in enumerate(endowment.units):
                yield _movement(game, seat, condition, good, endowment.money, units)


def _end_phase(state: State) -> Iterator[Fact]:
    """Yield what follows at the end of a phase: orders go, decisions count, and the next one begins."""
    market, phase = double_auction_state(state), current_phase(state)
    terms = market_terms(state.game)
    assert phase is not None
    if phase.trade:
        for book in market.books:
            for order in book.orders:
                yield _deleted(order.order_id)
        yield from _period_results(state)
    if phase.decide:
        decided = [seat for seat in deciders(state) if market.decision_of(seat, phase) is not None]
        yield fact(
            DECISIONS_MADE, {"phase_name": phase.name, "seats": decided}, text="The decisions are made."
        )
    ruled = resolved_facts(state, phase.name)
    yield from ruled
    if market.phase < len(terms.all_phases):
        yield from _begin_phase(state, market.phase + 1)
    else:
        yield from _end_game(state, known=any(each.type == CONDITION_REALISED for each in ruled))


def _period_results(state: State) -> Iterator[Fact]:
    """Yield each seat's gain in a trading period that ends; none where it depends on a condition."""
    market, terms = double_auction_state(state), market_terms(state.game)
    if terms.conditions:
        return
    reset = terms.periods.carry is CarryOver.RESET
    anew = reset and any(phase.trade for phase in terms.all_phases[market.phase :])
    for seat, account in market.accounts.items():
        total = gain(state, seat, account)
        if total is None:
            continue
        data = {
            "seat": seat,
            "period": period_of(state.game, market.phase),
            "total": total,
            "gain": number_of(state.game, minor_of(state.game, total) - account.earned) if reset else total,
            "begins_anew": anew,
        }
        yield fact(PERIOD_RESULT, data, to=(seat,))
    if anew:
        yield from _endow(state)


def _end_game(state: State, by: Seat | None = None, *, known: bool = False) -> Iterator[Fact]:
    """Yield the end of the game, after the condition that holds unless that is known already."""
    terms, economy = market_terms(state.game), economy_of(state.game)
    if terms.conditions and not known and not double_auction_state(state).realised:
        realised = terms.realised
        if realised == DRAWN_CONDITION:
            realised = Random(f"{economy.chance}/condition").choice(terms.conditions)
        data = {"condition": realised, "winningCondition": terms.conditions.index(realised)}
        yield fact(CONDITION_REALISED, data, text=f"{realised} holds.")
    yield game_end(Ending(EndedBy.COMPLETED, by=by))
