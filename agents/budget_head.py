"""A principal that splits a budget among the seats below it."""

from typing import Annotated

from pydantic import BaseModel, Field

from negoplatform.agent_api import Instruct, PrincipalAgent

Value = Annotated[float, Field(ge=-1e9, le=1e9)]


class BudgetHead(PrincipalAgent):
    """Gives the seats below it one mandate: a budget, which its protocol splits, and a reservation value.

    It repeats the mandate only when it changes: a budget from the principal above replaces its own.
    """

    class Settings(BaseModel):
        total: Value | int | None = Field(
            None, title="Budget", description="Split among the seats by the protocol of the game."
        )
        reservation_value: Value | int | None = Field(
            None, title="Reservation value", description="Points below which no seat should agree."
        )

    def reset(self):
        self.given = {}

    def get_name(self):
        return self.get_config("name", "Head")

    def on_tick(self, ctx):
        values = {"budget": self.settings.total, "reservation_value": self.settings.reservation_value}
        own = {name: value for name, value in values.items() if value is not None}
        decision = {**own, **ctx.mandate}
        if not decision:
            return []
        mandates, _ = ctx.coordinate(decision)
        told = []
        for name in ctx.subordinates:
            mandate = mandates.get(name, decision)
            if self.given.get(name) != mandate:
                self.given[name] = mandate
                told.append(Instruct(name, mandate))
        return told
