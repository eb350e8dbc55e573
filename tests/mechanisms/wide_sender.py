"""An agent of the auction that addresses odd recipients."""

from __future__ import annotations

from negoplatform.agent_api import AgentContext, Event, NegotiationAgent
from negoplatform.agent_api.actions import Action, MechanismAct, SendMessage
from tests.mechanisms.sealed_bid import GIVE_MONEY, MoneyOffered

RECIPIENTS = [
    ("ben",) * 101,
    ("cook",),
    ("ben", "ben"),
    ("ann",),
    ("b" * 3_000_000,),
    ("ben", "cho"),
    ("\ud800",),
]


class WideSender(NegotiationAgent):
    """Sends a message and money to odd recipients, other ones in each round."""

    mechanisms = ("sealed_bid",)

    def on_round_opened(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Address the next ones."""
        to = RECIPIENTS[(event.data["round"] - 1) % len(RECIPIENTS)]
        return [
            SendMessage("Hello", to=to),
            MechanismAct(GIVE_MONEY, MoneyOffered(1), to=to),
        ]
