"""An assistant that sums up a session at its end."""

from negoplatform.agent_api import Conclusion, DebriefAssistant
from negoplatform.strategies.assistants.summaries import finished_tasks, summary_items, summary_text


class Debrief(DebriefAssistant):
    """Sums up the end: the deal and who proposed it, the own points, offers, messages and the time.

    It proposes to mark the tasks as done that are over with it.
    """

    def get_name(self):
        return self.get_config("name", "Debrief")

    def conclude(self, ctx):
        items = summary_items(ctx)
        done = finished_tasks(ctx)
        return Conclusion(
            {"items": items, "text": summary_text(items)},
            {"tasks": done} if done else {},
        )
