"""Market as one seat sees it, for tests of what its window shows."""

from __future__ import annotations

from typing import Any

from negoplatform.core.state import State
from negoplatform.core.visibility import Observer, view_of
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.market.market_draft import MarketDraft, empty_draft
from negoplatform.presentation.market.market_presenter import MarketPanelsView, MarketPresenter
from negoplatform.presentation.market.order_outcomes import OrderOutcomes
from tests.mechanisms.grain_market import BUYER, OTHER, SELLER, Market, market

NAMES = {BUYER: "Robin", SELLER: "Kim", OTHER: "Noa"}


class SeenMarket:
    """A running market, what a seat prepares in it, and what its window shows.

    Args:
        seat: The participant's seat.
        terms: Terms of the market.
    """

    def __init__(self, seat: Seat = BUYER, **terms: Any) -> None:
        self.seat = seat
        self.table: Market = market(**terms)
        names = {other: NAMES[other] for other in NAMES if other != seat}
        self.presenter = MarketPresenter(seat, names, ENGLISH)
        self.draft: MarketDraft = empty_draft(self.table.state.game, seat)
        self.outcomes: OrderOutcomes = self.presenter.outcomes(self.table.state.game)
        self.outcomes.update(self.state)

    @property
    def state(self) -> State:
        """The state as the seat sees it."""
        return view_of(self.table.state, Observer(self.seat)).state

    @property
    def view(self) -> MarketPanelsView:
        """The view of the window now."""
        self.outcomes.update(self.state)
        return self.presenter.view(self.state, self.now, self.draft, notice=self.outcomes.notice)

    @property
    def now(self) -> float:
        """Session time in seconds."""
        return self.table.context(self.seat).elapsed_seconds

    def writes(self, price: str, quantity: str = "1") -> MarketPanelsView:
        """Write a price and a quantity into the ticket; return what is shown then."""
        self.draft = self.draft.with_price(price).with_quantity(quantity)
        self.outcomes.update(self.state)
        self.outcomes.on_changed()
        return self.view
