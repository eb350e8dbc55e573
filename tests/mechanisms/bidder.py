"""An agent of the auction: it bids up to what a unit is worth to it, and sometimes gives money away."""

from __future__ import annotations

from typing import Any

from negoplatform.agent_api import AgentContext, Event, NegotiationAgent
from negoplatform.agent_api.actions import Action, FormalQuit, MechanismAct, SendMessage
from tests.mechanisms.sealed_bid import GIVE_MONEY, PLACE_BID, BidPlaced, MoneyOffered


class Bidder(NegotiationAgent):
    """Bids a random share of what the next unit is worth to it."""

    mechanisms = ("sealed_bid",)

    def on_round_opened(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Bid, after a word to one other seat; give it something now and then."""
        if PLACE_BID not in ctx.legal:
            return []
        economy, auction = ctx.game.economy, ctx.mechanism_state
        assert economy is not None
        money, units = auction.accounts[ctx.seat]
        worths = economy.worths[ctx.seat]
        worth = int(worths.of([units + 1]) - worths.of([units]))
        other = ctx.rng.choice([seat for seat in ctx.seats if seat != ctx.seat])
        script: list[Action] = [SendMessage(f"Round {event.data['round']}.", to=(other,))]
        gift = ctx.rng.choice([0, 0, 5])
        if money > gift > 0:
            script.append(MechanismAct(GIVE_MONEY, MoneyOffered(gift), to=(other,), delay_ms=300))
        price = min(money - gift, ctx.rng.randint(0, worth))
        return [*script, MechanismAct(PLACE_BID, BidPlaced(price), delay_ms=ctx.rng.randint(100, 4000))]

    def on_money_given(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Thank for a gift."""
        data: dict[str, Any] = event.data
        return [SendMessage("Thank you.", to=(data["from"],))] if data["to"] == ctx.seat else []

    def on_round_closed(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Leave with empty hands and purse."""
        return [FormalQuit()] if ctx.standing == 0 else []
