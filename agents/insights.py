"""An assistant that follows how the other side negotiates."""

from negoplatform.agent_api import InsightsAssistant, NextSteps
from negoplatform.strategies.assistants.insights import insights_about, next_steps


class Insights(InsightsAssistant):
    """Describes how each other seat concedes, what seems to matter to it, and what could be done next.

    It reads the offers that its seat sees, and estimates priorities with the frequency model. It knows
    bargaining alone.
    """

    mechanisms = ("bargaining",)

    def get_name(self):
        return self.get_config("name", "Insights")

    def follow(self, ctx):
        found = {other: insights_about(ctx, other) for other in ctx.game.others(ctx.seat)}
        return NextSteps(next_steps(ctx, found), {"annotations": {self.agent_id: {"others": found}}})
