"""Agents that show their state after a restart."""

from __future__ import annotations

import time
from typing import Any

from negoplatform.agent_api.actions import (
    Action,
    FormalAccept,
    FormalQuit,
    ProposeChange,
    Schedule,
    SendExpression,
    SendMessage,
    SendOffer,
    ShowTyping,
)
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event, Expression, MessageSubtype, Preference, Relation


class Counts(NegotiationAgent):
    """Agent that counts its events, draws random numbers, and schedules callbacks."""

    def reset(self) -> None:
        self.told = 0

    def get_name(self) -> str:
        return f"  {self.get_config('name', 'Count')}\nof Tales \ud800" + "x" * 100

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        if event.type == "GAME_START":
            self.told = 0
        self.told += 1
        told, drawn = self.told, ctx.rng.random()

        def later(ctx: AgentContext) -> list[Action]:
            text = f"{told} became {self.told} by {ctx.elapsed_time:g}, {drawn} and {ctx.rng.random()}"
            return [SendMessage(text), Schedule(1, SendMessage("And once more."))]

        return [SendMessage(f"{told}: {drawn}"), Schedule(500, later, flushable=True)]


class DoesEverything(NegotiationAgent):
    """Agent that asks for every action there is, valid and invalid."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        issue = ctx.issues[0].name
        unsound: Any = "unsound"
        return [
            SendMessage("Hi 🙂 \ud800 \x00", MessageSubtype.GREETING, 300),
            SendMessage("שלום", MessageSubtype.GENERIC_POS, 0.5, to=ctx.game.others(ctx.seat), batna=2.5),
            SendMessage("?", preference=Preference(issue, Relation.BEST, None, True), flushable=True),
            SendMessage("Unsound", preference=unsound, batna=unsound),
            SendMessage("Too much", batna=float("inf")),
            SendMessage("Too much", batna=10**400),
            SendMessage("No issue", preference=Preference(unsound * 2, Relation.LESS, issue)),
            SendMessage("x" * 4001),
            *[SendOffer(offer, i) for i, offer in zip(range(5), ctx.outcomes(), strict=False)],
            SendOffer(ctx.make_offer({issue: next(ctx.outcomes()).get(issue)}), flushable=True),
            SendExpression(Expression.ANGRY, 1500, 10),
            FormalAccept(10),
            FormalQuit(10**8),
            ShowTyping(800, flushable=False),
            ProposeChange({"notes": {ctx.seat: {"mood": [1, 2.5, None, "é"]}}}),
            ProposeChange({"notes": {}}, base_version=unsound),
            ProposeChange({"deal": {}}, base_version=0, flushable=True),
            Schedule(0, lambda ctx: None),
        ]


class Hangs(NegotiationAgent):
    """Agent that answers the start and hangs afterwards."""

    def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action]:
        time.sleep(3600)
        return []
