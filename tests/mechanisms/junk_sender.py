"""An agent that sends acts with payloads that no log can hold."""

from __future__ import annotations

from typing import Any

from negoplatform.agent_api import AgentContext, Event, NegotiationAgent
from negoplatform.agent_api.actions import Action, MechanismAct
from negoplatform.core.events import Accepted, Drafting, OfferMade
from tests.mechanisms.sealed_bid import PLACE_BID, BidPlaced


def forged_bid(price: Any) -> BidPlaced:
    """Return a bid whose own check was got round."""
    bid = BidPlaced(1)
    object.__setattr__(bid, "price", price)
    return bid


JUNK: tuple[tuple[str, Any], ...] = (
    ("OFFER_IN_PROGRESS", Drafting(5)),  # type: ignore[arg-type]  # that is what is tried
    ("FORMAL_ACCEPT", Accepted(2.0)),  # type: ignore[arg-type]
    ("FORMAL_ACCEPT", Accepted(10**8000)),
    ("SEND_OFFER", OfferMade("all of it")),  # type: ignore[arg-type]
    (PLACE_BID, forged_bid("9")),
    (PLACE_BID, forged_bid(float("nan"))),
    (PLACE_BID, forged_bid(10**8000)),
    (PLACE_BID, forged_bid(True)),
)


class JunkSender(NegotiationAgent):
    """Sends one piece of junk in each round."""

    mechanisms = ("sealed_bid",)

    def on_round_opened(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Send the junk of this round."""
        kind, payload = JUNK[event.data["round"] - 1]
        return [MechanismAct(kind, payload)]
