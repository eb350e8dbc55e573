"""Small assistants, and events of their proposals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from negoplatform.agent_api import (
    AgendaAssistant,
    AgentContext,
    Conclusion,
    DebriefAssistant,
    InsightsAssistant,
    NextSteps,
    Plan,
)
from negoplatform.core.events import Event, EventType
from negoplatform.core.record.notes_and_tasks_proposals import StateProposal


class CountingAgenda(AgendaAssistant):
    """Agenda that counts how often it was asked, and keeps the views that it read."""

    def reset(self) -> None:
        super().reset()
        self.times = 0
        self.views: list[dict[str, Any]] = []

    def plan(self, ctx: AgentContext) -> Plan:
        self.times += 1
        self.views.append(ctx.get_state())
        task = self.task(ctx, "deal", "settle_deal", "in_progress", times=self.times)
        return Plan([{"task_id": task["task_id"]}], {"tasks": [task]})


class CountingInsights(InsightsAssistant):
    """Insights that count how often they were asked for."""

    def reset(self) -> None:
        super().reset()
        self.times = 0

    def follow(self, ctx: AgentContext) -> NextSteps:
        self.times += 1
        return NextSteps([{"code": "hold_firm"}], {"annotations": {self.agent_id: {"times": self.times}}})


class ShortDebrief(DebriefAssistant):
    """Debriefing of one sentence, which also finishes the tasks that it sees."""

    def conclude(self, ctx: AgentContext) -> Conclusion:
        done = [{"task_id": task.task_id, "status": "done"} for task in ctx.recorded_tasks]
        ending = ctx.ending
        text = "Over." if ending is None else f"Over by {ending.ended_by}."
        return Conclusion({"text": text}, {"tasks": done} if done else {})


def proposals(events: Sequence[Event]) -> list[tuple[str, int | None, StateProposal]]:
    """Return the assistants' proposals among events: name, cause and proposal, in order."""
    return [
        (event.payload.proposer.name, event.cause, event.payload)
        for event in events
        if event.type == EventType.STATE_PROPOSED and event.payload.proposer.kind == "assistant"
    ]


def course(events: Sequence[Event]) -> list[str]:
    """Return the types of events, and the assistants' names in place of those of their proposals."""
    return [
        event.payload.proposer.name if event.type == EventType.STATE_PROPOSED else str(event.type)
        for event in events
        if event.type != EventType.TIME
    ]
