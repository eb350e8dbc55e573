"""Market for land under a self-assessed tax: the largest typed state in the tests."""

from __future__ import annotations

from typing import Any, Literal, Optional

from pydantic import BaseModel, Field

from negoplatform.core.typed_state.typed_game_state import (
    EventField,
    EventHandler,
    GameState,
    MetaInformation,
    PrivateInformation,
    PublicInformation,
)

SEATS = ("developer", "owner", "speculator")
MARKET_EVENTS = ("add-order", "update-order", "delete-order", "contract-fulfilled", "asset-movement")


class Order(BaseModel):
    """Standing order in the book."""

    id: int
    sender: int
    price: float
    quantity: float
    type: Literal["bid", "ask"]
    condition: int


class Trade(BaseModel):
    """Trade that was made."""

    from_id: int
    to_id: int
    price: float
    quantity: float
    condition: int


class MarketState(BaseModel):
    """Standing orders by id, and trades, oldest first."""

    orders: dict[int, Order] = Field(default_factory=dict)
    trades: list[Trade] = Field(default_factory=list)

    def process_event(self, event_type: str, data: dict[str, Any]) -> None:
        """Process one of the market's events; others are ignored."""
        match event_type:
            case "add-order":
                order = Order.model_validate(data["order"])
                self.orders[order.id] = order
            case "update-order":
                self.orders[data["order"]["id"]].quantity = data["order"]["quantity"]
            case "delete-order":
                del self.orders[data["order"]["id"]]
            case "contract-fulfilled":
                self.trades.append(Trade(from_id=data["from"], to_id=data["to"], **data["terms"]))


class HarbergerMetaInformation(MetaInformation):
    """Players, and the stage of the game."""

    player_name: Optional[str] = EventField(default=None, event_key="name")  # noqa: UP045 - as authors write it
    player_number: Optional[int] = EventField(default=None, event_key="number")  # noqa: UP045
    players: list[dict[str, Any]] = EventField(default_factory=list, event_key="players")
    phase: int = EventField(default=0, event_key="phase")


class HarbergerPrivateInformation(PrivateInformation):
    """Player's property, and information for the player alone."""

    wallet: list[dict[str, Any]] = EventField(default_factory=list)
    value_signals: list[float] = EventField(default_factory=list, event_key="signals")
    declarations: list[dict[str, Any]] = EventField(default_factory=list)
    property: dict[str, Any] = EventField(default_factory=dict, exclude_events=["profit"])


class HarbergerPublicInformation(PublicInformation):
    """Taxes, values and the market."""

    tax_rate: float = EventField(default=0, event_key="taxRate")
    initial_tax_rate: float = EventField(default=0, event_key="initialTaxRate")
    final_tax_rate: float = EventField(default=0, event_key="finalTaxRate")

    boundaries: dict[str, Any] = EventField(default_factory=dict)
    conditions: list[dict[str, Any]] = EventField(default_factory=list)

    value_signals: list[float] = EventField(default_factory=list)
    market_state: MarketState = EventField(default_factory=MarketState)
    public_signal: list[float] = EventField(default_factory=list, event_key="publicSignal")

    winning_condition: int = EventField(default=0, event_key="winningCondition")

    def winning_condition_description(self) -> dict[str, Any]:
        """Return the condition that came true; empty before the conditions are known."""
        return self.conditions[self.winning_condition] if self.conditions else {}


class HarbergerGameState(GameState):
    """Typed state with its three parts, and with the market's events, which no mapping can process."""

    meta: HarbergerMetaInformation = Field(default_factory=HarbergerMetaInformation)
    private_information: HarbergerPrivateInformation = Field(default_factory=HarbergerPrivateInformation)
    public_information: HarbergerPublicInformation = Field(default_factory=HarbergerPublicInformation)

    def __init__(self, game_id: int) -> None:
        super().__init__()
        self.meta.game_id = game_id

    def get_custom_handlers(self) -> dict[str, EventHandler]:
        """Return one handler for all of the market's events."""
        return dict.fromkeys(MARKET_EVENTS, self._handle_market_event)

    def _handle_market_event(self, event_type: str, data: dict[str, Any]) -> None:
        self.public_information.market_state.process_event(event_type=event_type, data=data)

        if event_type == "asset-movement":
            winning_condition = self.public_information.winning_condition
            self.private_information.wallet[winning_condition]["balance"] = data["balance"]
            self.private_information.wallet[winning_condition]["shares"] = data["shares"]
