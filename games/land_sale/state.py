"""What a player of the land sale knows beside the offers: the tax, the signals about the plot's value."""

from typing import Any

from pydantic import Field

from negoplatform.core.state import EventField, GameState, PrivateInformation, PublicInformation


class LandPrivate(PrivateInformation):
    """What this seat alone was told."""

    value_signals: list[float] = EventField(
        default_factory=list, event_key="signals", events=["value-signals"]
    )


class LandPublic(PublicInformation):
    """What everybody was told."""

    tax_rate: float = EventField(default=0, event_key="taxRate")
    initial_tax_rate: float = EventField(default=0, event_key="initialTaxRate", events=["land-registered"])
    final_tax_rate: float = EventField(
        default=0, event_key="finalTaxRate", exclude_events=["land-registered"]
    )
    public_signal: list[float] = EventField(default_factory=list, event_key="publicSignal")
    conditions: list[dict[str, Any]] = EventField(default_factory=list)
    winning_condition: int | None = EventField(default=None, event_key="winningCondition")

    def winning_condition_description(self) -> dict[str, Any]:
        """What the town decided; empty before it has."""
        if self.winning_condition is None or self.winning_condition >= len(self.conditions):
            return {}
        return self.conditions[self.winning_condition]


class LandState(GameState):
    """The game's state as one seat knows it: ``ctx.state`` for an agent."""

    private_information: LandPrivate = Field(default_factory=LandPrivate)
    public_information: LandPublic = Field(default_factory=LandPublic)
