"""What a player of the land market knows beside accounts and orders, filled by the game's events."""

from typing import Any

from pydantic import Field

from negoplatform.core.market_state import MarketState
from negoplatform.core.state import (
    EventField,
    EventHandler,
    GameState,
    MetaInformation,
    PrivateInformation,
    PublicInformation,
)


class LandMarketMeta(MetaInformation):
    """Who this seat is, who else there is, and the number of the phase."""

    player_name: str | None = EventField(default=None, event_key="name")
    player_number: int | None = EventField(default=None, event_key="number")
    players: list[dict[str, Any]] = EventField(default_factory=list, event_key="players")
    phase: int = EventField(default=0, event_key="phase")


class LandMarketPrivate(PrivateInformation):
    """What this seat alone knows."""

    wallet: list[dict[str, Any]] = EventField(default_factory=list)
    value_signals: list[float] = EventField(default_factory=list, event_key="signals")
    declarations: list[dict[str, Any]] = EventField(default_factory=list)
    property: dict[str, Any] = EventField(default_factory=dict, exclude_events=["profit"])


class LandMarketPublic(PublicInformation):
    """What every seat knows."""

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
        """Return the condition that holds; empty before the conditions are known."""
        if self.winning_condition >= len(self.conditions):
            return {}
        return self.conditions[self.winning_condition]


class LandMarketState(GameState):
    """The game's state as one seat knows it: ``ctx.state`` for an agent."""

    meta: LandMarketMeta = Field(default_factory=LandMarketMeta)
    private_information: LandMarketPrivate = Field(default_factory=LandMarketPrivate)
    public_information: LandMarketPublic = Field(default_factory=LandMarketPublic)

    def __init__(self, game_id: int):
        super().__init__()
        self.meta.game_id = game_id

    def get_custom_handlers(self) -> dict[str, EventHandler]:
        """Return the handler of the market's events."""
        names = ("add-order", "update-order", "delete-order", "contract-fulfilled", "asset-movement")
        return dict.fromkeys(names, self._on_market_event)

    def _on_market_event(self, event_type: str, data: dict[str, Any]) -> None:
        self.public_information.market_state.process_event(event_type=event_type, data=data)
        if event_type == "asset-movement":
            wallet = self.private_information.wallet[self.public_information.winning_condition]
            wallet["balance"] = data["balance"]
            wallet["shares"] = data["shares"]
