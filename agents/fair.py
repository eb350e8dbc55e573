"""An agent that talks, and splits evenly by value."""

from pydantic import Field

from negoplatform.strategies.dialogue import Voice, persona_field
from negoplatform.strategies.expressive import FairOffers, PolicyAgent, PolicySettings


class Fair(PolicyAgent):
    """Talks, splits evenly by value, and responds to messages, emotions, silence and the deadline.

    Where the game shows the other's preferences it looks for the outcome that leaves the worse-off side
    best off; where it does not, it halves what can be divided and asks for half of what it could gain.
    """

    class Settings(PolicySettings):
        persona: Voice = persona_field("neutral")
        share: float = Field(
            0.5, ge=0, le=1, title="Share it asks for", description="Of what it could gain at most."
        )

    def get_name(self):
        return self.get_config("name", "Rowan")

    def offers(self):
        return FairOffers(self.settings.share)
