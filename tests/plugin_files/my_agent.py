from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.actions import SendMessage, SendOffer, FormalAccept
from negoplatform.core.events import MessageSubtype

class MyAgent(NegotiationAgent):
    def on_game_start(self, ctx, event):
        return [SendMessage("Hello! Let's negotiate.", subtype=MessageSubtype.GREETING)]
    
    def on_send_offer(self, ctx, event):
        if ctx.get_agent_utility_percent() >= 0.5:
            if ctx.can_formally_accept():
                return [
                    SendMessage("Deal!", subtype=MessageSubtype.OFFER_ACCEPT),
                    FormalAccept()
                ]
        return [SendMessage("I need more.", subtype=MessageSubtype.OFFER_REJECT)]
