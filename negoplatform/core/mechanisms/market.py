"""Market: a continuous double auction in timed phases, with private accounts.

Seats place and cancel orders in phases that trade, and make decisions, all at the same time, in phases that
decide. An order that arrives trades at once with what is in the book, by price and then by time, at the price
of the order in the book (Smith 1962,
doi.org/10.1086/258609); the rest of it goes into the book. The types and
keys of the five facts about orders and trades are those of econagents.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

from negoplatform.core.events import EndedBy, Event, EventType
from negoplatform.core.features.numeric_features import Feature
from negoplatform.core.immutable.persistent_list import PersistentList
from negoplatform.core.immutable.persistent_sorted_map import PersistentSortedMap
from negoplatform.core.mechanisms.base import ActAudience, ActRule, Fact, Mechanism
from negoplatform.core.mechanisms.double_auction_state import (
    DecisionMade,
    DoubleAuctionState,
    MarketAccount,
    OrderCancelled,
    OrderPlaced,
    conditions_of,
    current_phase,
    double_auction_state,
    market_terms,
)
from negoplatform.core.mechanisms.market_books import book_name, gain
from negoplatform.core.mechanisms.market_changes import market_state_after
from negoplatform.core.mechanisms.market_checks import check_market_act, deciders, possible_order
from negoplatform.core.mechanisms.market_feature_vectors import market_features
from negoplatform.core.mechanisms.market_order_facts import (
    ADD_ORDER,
    ASSET_MOVEMENT,
    CONTRACT_FULFILLED,
    DELETE_ORDER,
    UPDATE_ORDER,
    order_expiry_facts,
)
from negoplatform.core.mechanisms.market_phase_facts import (
    CONDITION_REALISED,
    DECISIONS_MADE,
    PERIOD_RESULT,
    PHASE_TRANSITION,
    SEATED,
    end_phase,
    market_facts_behind,
)
from negoplatform.core.mechanisms.market_terms import MarketTerms
from negoplatform.core.mechanisms.order_book import OrderBook, OrderSide
from negoplatform.core.mechanisms.phase_rules import announced_types, check_phase_rules
from negoplatform.core.state import State
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec, economy_of
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.trading.worth import ConditionWorth
from negoplatform.domain.utility import Points

PLACE_ORDER, CANCEL_ORDER, DECIDE = "PLACE_ORDER", "CANCEL_ORDER", "DECIDE"

_NO_ORDERS: PersistentSortedMap[int, int] = PersistentSortedMap()


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

    def view(self, mechanism_state: DoubleAuctionState, seats: tuple[Seat, ...]) -> DoubleAuctionState:
        """Return the state with the accounts, orders and decisions of some seats."""
        return mechanism_state.restricted_to(seats)

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
        check_market_act(state, seat, payload)

    def apply(self, state: State, event: Event) -> DoubleAuctionState:
        """Return the state after an event; books and accounts change with facts alone."""
        return market_state_after(state, event)

    def consequences(self, state: State, event: Event) -> tuple[Fact, ...]:
        """Return what follows from the start, an order, a cancellation, a decision or a seat's leaving."""
        return market_facts_behind(state, event)

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
            return tuple(end_phase(state))
        return order_expiry_facts(state, now)

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
        """Return each seat's account, orders and worths that the state holds, the books and the prices."""
        return market_features(state)

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
