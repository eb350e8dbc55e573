"""Market of grain with one buyer and two sellers, and a table for it."""

from __future__ import annotations

from typing import Any

from negoplatform.core.events import Event
from negoplatform.core.immutable.frozen_json import FrozenJson
from negoplatform.core.mechanisms.double_auction_state import (
    DecisionMade,
    OrderCancelled,
    OrderPlaced,
)
from negoplatform.core.mechanisms.market_terms import (
    MarketPeriods,
    MarketTerms,
)
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.domain.game import GameSpec, Rules
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.trading.economy import Currency, Economy, Endowment, Good
from negoplatform.domain.trading.worth import UnitWorth
from negoplatform.testing import TrialTable

BUYER, SELLER, OTHER = "buyer", "seller", "other"


def grain_market(**terms: Any) -> GameSpec:
    """Return a market with one buyer and two sellers of grain, for one period of 60 seconds unless given."""
    settings: dict[str, Any] = {"periods": MarketPeriods(seconds=60), "orders_per_seat": 3, **terms}
    worth = UnitWorth(((110, 90, 70),))
    return GameSpec(
        name="grain",
        issues=(),
        seats=(BUYER, SELLER, OTHER),
        preferences=SeatMap(),
        mechanism="market",
        rules=Rules(),
        economy=Economy(
            (Good("grain", "Grain"),),
            Currency("€", 0),
            SeatMap(
                [(BUYER, Endowment(500, (0,))), (SELLER, Endowment(0, (3,))), (OTHER, Endowment(0, (3,)))]
            ),
            SeatMap((seat, worth) for seat in (BUYER, SELLER, OTHER)),
            MarketTerms(**settings),
        ),
    )


class Market(TrialTable):
    """Table with the acts of a market game."""

    def bid(self, price: float, quantity: int = 1, *, seat: Seat = BUYER, **more: Any) -> Event:
        """Place a bid."""
        self.start()
        return self.session.act(seat, "PLACE_ORDER", OrderPlaced("bid", price, quantity, **more))  # type: ignore[arg-type]  # becomes a side

    def ask(self, price: float, quantity: int = 1, *, seat: Seat = SELLER, **more: Any) -> Event:
        """Place an ask."""
        self.start()
        return self.session.act(seat, "PLACE_ORDER", OrderPlaced("ask", price, quantity, **more))  # type: ignore[arg-type]  # becomes a side

    def cancel(self, order: Event, *, seat: Seat | None = None) -> Event:
        """Cancel an order."""
        return self.session.act(seat or order.sender, "CANCEL_ORDER", OrderCancelled(order.seq))

    def decide(self, seat: Seat, **values: Any) -> Event:
        """Make a decision."""
        self.start()
        return self.session.act(seat, "DECIDE", DecisionMade(FrozenJson(values)))

    def facts(self, kind: str) -> list[Event]:
        """Return the facts of a type."""
        return [event for event in self.events if event.type == kind]

    def gains(self) -> dict[Seat, Any]:
        """Return every seat's points at the end."""
        mechanism = mechanism_of("market")
        return {seat: mechanism.points(self.state, seat) for seat in self.state.game.seats}

    def prices(self) -> list[tuple[int, int]]:
        """Return price and quantity of each trade."""
        return [(event.data["price"], event.data["quantity"]) for event in self.facts("contract-fulfilled")]


def market(**terms: Any) -> Market:
    """Return a table at the beginning of such a market."""
    made = Market(grain_market(**terms))
    made.start()
    return made
