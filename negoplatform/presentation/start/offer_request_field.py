"""Form field for the buttons that ask the other side for an offer; without Tk."""

from __future__ import annotations

from negoplatform.presentation.i18n import Language
from negoplatform.presentation.start.agent_option_fields import AgentOption

OFFER_REQUESTS = "offer_requests"
"""Name of the field."""


def offer_request_options(translate: Language) -> tuple[AgentOption, ...]:
    """Return the field; ticked, it leaves the game's own rule."""
    return (
        AgentOption(
            OFFER_REQUESTS,
            translate("Buttons that ask for an offer"),
            translate("“What would you give me for this?” and “Make this fairer”, if the game allows them."),
            "check",
            default=True,
        ),
    )
