"""State of a land market in the form that the documentation of such states shows, as an author writes it."""

from typing import Any, Optional

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


class HarbergerMetaInformation(MetaInformation):
    """Players and the phase."""

    player_name: Optional[str] = EventField(default=None, event_key="name")  # noqa: UP045 - as authors write it
    player_number: Optional[int] = EventField(default=None, event_key="number")  # noqa: UP045
    players: list[dict[str, Any]] = EventField(default_factory=list, event_key="players")
    phase: int = EventField(default=0, event_key="phase")


class HarbergerPrivateInformation(PrivateInformation):
    """Wallet, signals, declarations and property of the player."""

    wallet: list[dict[str, Any]] = EventField(default_factory=list)
    value_signals: list[float] = EventField(default_factory=list, event_key="signals")
    declarations: list[dict[str, Any]] = EventField(default_factory=list)
    property: dict[str, Any] = EventField(default_factory=dict, exclude_events=["profit"])


class HarbergerPublicInformation(PublicInformation):
    """Taxes, conditions, signals and the market."""

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
        """Return the condition that holds."""
        return self.conditions[self.winning_condition] if self.conditions else {}


class HarbergerGameState(GameState):
    """The three parts, with one handler for the five events of the market."""

    meta: HarbergerMetaInformation = Field(default_factory=HarbergerMetaInformation)
    private_information: HarbergerPrivateInformation = Field(default_factory=HarbergerPrivateInformation)
    public_information: HarbergerPublicInformation = Field(default_factory=HarbergerPublicInformation)

    def __init__(self, game_id: int):
        super().__init__()
        self.meta.game_id = game_id

    def get_custom_handlers(self) -> dict[str, EventHandler]:
        """Return the handler of each event of the market."""
        names = ["add-order", "update-order", "delete-order", "contract-fulfilled", "asset-movement"]
        return dict.fromkeys(names, self._handle_market_event)

    def _handle_market_event(self, event_type: str, data: dict[str, Any]) -> None:
        self.public_information.market_state.process_event(event_type=event_type, data=data)
        if event_type == "asset-movement":
            winning = self.public_information.winning_condition
            self.private_information.wallet[winning]["balance"] = data["balance"]
            self.private_information.wallet[winning]["shares"] = data["shares"]
