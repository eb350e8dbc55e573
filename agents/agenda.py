"""An assistant that plans what a seat has still to do."""

from functools import partial

from negoplatform.agent_api import AgendaAssistant, Plan
from negoplatform.strategies.assistants.plans import changed_tasks, planned_tasks, task_tree


class Agenda(AgendaAssistant):
    """Keeps a list of what is open: one task per issue, and the answers that are due.

    In a trading game there is a task per good of which the seat could use more, in a market one for the phase
    and what it asks for.
    """

    def get_name(self):
        return self.get_config("name", "Agenda")

    def plan(self, ctx):
        tasks = planned_tasks(ctx, partial(self.task, ctx), self.unanswered_questions(ctx))
        changed = changed_tasks(ctx, tasks)
        return Plan(task_tree(tasks), {"tasks": changed} if changed else {})
