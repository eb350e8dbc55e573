"""Agent that does nothing at all."""

from negoplatform.agent_api.base import NegotiationAgent


class Mute(NegotiationAgent):
    pass


# It is bad on purpose.
# mypy: ignore-errors
# ruff: noqa
