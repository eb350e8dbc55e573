"""An agent that prints everything it is given, for a test that reads its output."""

from __future__ import annotations

from negoplatform.agent_api import AgentContext, Event, NegotiationAgent
from negoplatform.agent_api.actions import Action
from negoplatform.formats.games import dump_game


class PrintingAgent(NegotiationAgent):
    """Agent that prints its game, its view and every event."""

    mechanisms = ("trading", "market")

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Print what this agent can reach."""
        own = ctx.trading if ctx.game.mechanism == "trading" else ctx.market
        values = [getattr(own, name) for name in dir(own) if not name.startswith("_")]
        print(dump_game(ctx.game), ctx._view, event, ctx.mechanism_state, ctx.standing, ctx.legal)
        print([value for value in values if not callable(value)], [vars(self), ctx.get_state()], flush=True)
        return []
