"""The shipped land market at a table, and state classes of its game's author."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from negoplatform.core.events import Event
from negoplatform.core.immutable.frozen_json import FrozenJson
from negoplatform.core.mechanisms.double_auction_state import (
    DecisionMade,
    MarketAccount,
    double_auction_state,
)
from negoplatform.core.mechanisms.double_auction_state import OrderPlaced as Order
from negoplatform.core.mechanisms.order_book import OrderSide
from negoplatform.core.visibility import Observer, visible_event
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.formats.games import load_game
from negoplatform.plugins.game_state_loader import with_state_plugin
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.testing import TrialTable

OWNER_1, OWNER_2, DEVELOPER = OWNERS = ("owner_1", "owner_2", "developer")
SPECULATOR_1, SPECULATOR_2 = SPECULATORS = ("speculator_1", "speculator_2")
FOLDER = bundled("games") / "land_market"


def land_market(path: Path = FOLDER / "game.json") -> GameSpec:
    """Return the land market, or a copy of it, with the state class in its folder."""
    return with_state_plugin(load_game(path), path)


class Land(TrialTable):
    """Table with the acts of the land market, and what the seats know."""

    def declares(self, seat: Seat, no_project: float, project: float) -> Event:
        """Declare what the seat's plot is worth."""
        return self._decides(seat, no_project=no_project, project=project)

    def buys_plots(self, seat: Seat, *plots: Seat) -> Event:
        """Choose the plots to buy."""
        return self._decides(seat, plots=list(plots))

    def orders(self, seat: Seat, side: OrderSide, price: float, quantity: int = 1) -> Event:
        """Place an order under the condition that holds."""
        order = Order(side, price, quantity, condition=double_auction_state(self.state).realised or None)
        return self.session.act(seat, "PLACE_ORDER", order)

    def _decides(self, seat: Seat, **values: Any) -> Event:
        self.start()
        return self.session.act(seat, "DECIDE", DecisionMade(FrozenJson(values)))

    def typed(self, seat: Seat) -> Any:
        """Return the state as the author's class has it for a seat."""
        return self.context(seat).state

    def account(self, seat: Seat) -> MarketAccount:
        """Return a seat's account."""
        account: MarketAccount = double_auction_state(self.state).accounts[seat]
        return account

    def money(self, seat: Seat, condition: int = 1) -> float:
        """Return a seat's money under a condition: with the project unless said otherwise."""
        return self.account(seat).money[condition] / 100

    def facts(self, kind: str, seat: Seat | None = None) -> list[Event]:
        """Return the facts of a type, or those of them that a seat receives."""
        return [
            event
            for event in self.events
            if event.type == kind and (seat is None or visible_event(event, Observer(seat)))
        ]

    def worths(self, seat: Seat) -> list[float]:
        """Return what a seat has been told that its plot is worth."""
        (told,) = self.facts("property-value", seat)
        worths: list[float] = told.data["property"]["values"]
        return worths

    def phase(self) -> str:
        """Return the name of the present phase."""
        name: str = self.facts("phase-transition")[-1].data["phase_name"]
        return name


def land(game: GameSpec | None = None, seed: int = 1) -> Land:
    """Return a table at the beginning of the game."""
    table = Land(game or land_market(), seed=seed)
    table.start()
    return table


def declared(table: Land | None = None) -> Land:
    """Return a table after a first declaration by which the project is worth more."""
    table = table or land()
    table.declares(OWNER_1, 400, 300)
    table.declares(OWNER_2, 300, 500)
    table.declares(DEVELOPER, 200, 800)
    return table


def trading(table: Land | None = None) -> Land:
    """Return a table after a first speculation without any purchase."""
    table = declared(table)
    for seat in SPECULATORS:
        table.buys_plots(seat)
    return table


def played_out(table: Land | None = None) -> Land:
    """Return a table at the end, after some trade."""
    table = trading(table)
    table.orders(OWNER_1, OrderSide.ASK, 50, 3)
    table.orders(SPECULATOR_1, OrderSide.BID, 60, 2)
    table.orders(DEVELOPER, OrderSide.BID, 55)
    return finished(table)


def finished(table: Land) -> Land:
    """Return a table at the end, after the market and a last speculation."""
    table.wait(180)
    table.declares(OWNER_1, 400, 210)
    table.declares(OWNER_2, 300, 470)
    table.declares(DEVELOPER, 200, 650)
    table.buys_plots(SPECULATOR_1, OWNER_2, DEVELOPER)
    table.buys_plots(SPECULATOR_2)
    return table
