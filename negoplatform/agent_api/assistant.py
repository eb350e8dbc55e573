"""Assistants: programs that read one seat's view of a session, and propose changes of its record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from negoplatform.agent_api.actions import Action, ProposeChange
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event
from negoplatform.core.intention_ledger import SeatLedger
from negoplatform.core.mechanisms.market import Market
from negoplatform.core.mechanisms.registry import BARGAINING
from negoplatform.core.mechanisms.trading import Trading
from negoplatform.core.record.notes_and_tasks import Task, TaskStatus
from negoplatform.domain.errors import AgentError

TASK_STRUCTURE, NEXT_STEPS, SUMMARY = "task_structure", "next_steps", "summary"
"""Keys of an assistant's annotations for the answers of its kind."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Answer of an agenda.

    Args:
        task_structure: The tasks in their order, each a mapping with ``task_id`` and, if it has any,
            ``subtasks`` of the same form; further keys are free. JSON values.
        proposed_state_diff: Further changes of the record, such as ``{"tasks": [...]}``.
    """

    task_structure: Sequence[Mapping[str, Any]]
    proposed_state_diff: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NextSteps:
    """Answer of an insights assistant.

    Args:
        next_steps: What could be done next, the most useful first: mappings with a ``code`` and further keys.
            JSON values.
        proposed_state_diff: Further changes of the record: its insights as annotations, and tasks.
    """

    next_steps: Sequence[Mapping[str, Any]]
    proposed_state_diff: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Conclusion:
    """Answer of a debriefing assistant.

    Args:
        summary: The summary: ``text`` in plain sentences, ``items`` with a ``code`` each, and further keys.
            JSON values.
        proposed_state_diff: Further changes of the record, such as tasks that are done.
    """

    summary: Mapping[str, Any]
    proposed_state_diff: Mapping[str, Any] = field(default_factory=dict)


class Assistant(NegotiationAgent):
    """Base class of assistants; subclass one of the three kinds.

    An assistant has no seat: ``self.agent_id`` is its own name, and ``ctx`` is the context of the seat that
    it serves, in which ``ctx.get_state()`` also has its own tasks and annotations. It changes nothing
    itself: each answer becomes one proposal, for its annotations (``annotations/<its name>``) and tasks; the
    session records a verdict with a reason. An answer that changes nothing is not proposed.
    """

    mechanisms: tuple[str, ...] = (BARGAINING, Trading.name, Market.name)

    _ledger: SeatLedger | None = None

    def unanswered_questions(self, ctx: AgentContext) -> list[Task]:
        """Return the questions without an answer that its seat was asked, or has asked.

        The same tasks are in ``ctx.get_state()``, which goes through all events; this goes through those that
        have happened since the last call.
        """
        if self._ledger is None:
            self._ledger = SeatLedger()
        return self._ledger.unanswered_questions(ctx._view.state, ctx.seat)

    def answer(self, ctx: AgentContext) -> tuple[str, Any, Mapping[str, Any]]:
        """Return the key of the answer in the annotations, the answer, and the further changes."""
        raise NotImplementedError

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:  # noqa: ARG002 - the signature that is overridden
        """Return the proposal that the assistant's answer stands for."""
        key, said, diff = self.answer(ctx)
        if not isinstance(diff, Mapping):
            raise AgentError(
                "proposed_state_diff is an object by sections of the record, such as "
                f'{{"tasks": [...]}}, not {type(diff).__name__}.'
            )
        return [ProposeChange(self._updates(key, said, diff))]

    def _missing(self, method: str) -> AgentError:
        name = type(self).__name__
        return AgentError(
            f"{name} has no method {method}(self, ctx), with which {self.role} assistants answer."
        )

    def _updates(self, key: str, said: Any, diff: Mapping[str, Any]) -> dict[str, Any]:
        annotations = diff.get("annotations", {})
        own = annotations.get(self.agent_id, {}) if isinstance(annotations, Mapping) else None
        if not isinstance(annotations, Mapping) or not isinstance(own, Mapping):
            raise AgentError(
                "The annotations in proposed_state_diff are an object by assistants' names, and "
                f"{self.agent_id!r} in it is one too."
            )
        return {**diff, "annotations": {**annotations, self.agent_id: {**own, key: said}}}

    def task(
        self,
        ctx: AgentContext,
        task_id: str,
        intent: str,
        status: TaskStatus | str = TaskStatus.PENDING,
        **metadata: Any,
    ) -> dict[str, Any]:
        """Return a task of this assistant, for ``{"tasks": [...]}`` in ``proposed_state_diff``.

        Args:
            ctx: The context; a new task has its time.
            task_id: Its name among this assistant's tasks; the record has it as ``<own name>/<task_id>``.
            intent: The intention, in one word.
            status: ``pending``, ``in_progress`` or ``done``.
            metadata: Further information; JSON values.
        """
        whole = f"{self.agent_id}/{task_id}"
        known = next((task for task in ctx.recorded_tasks if task.task_id == whole), None)
        return {
            "task_id": whole,
            "timestamp": ctx.elapsed_seconds if known is None else known.timestamp,
            "agent_origin": self.agent_id,
            "intent": intent,
            "status": TaskStatus(status).value,
            "metadata": metadata,
        }


def _objects(name: str, value: Any) -> list[Mapping[str, Any]]:
    """Return the objects of a plan or of next steps; windows and tables would leave out anything else."""
    if not isinstance(value, Sequence) or isinstance(value, str | bytes):
        raise AgentError(f"{name} is a list of objects, not {type(value).__name__}.")
    for number, each in enumerate(value):
        if not isinstance(each, Mapping):
            raise AgentError(f"{name}[{number}] is an object, not {type(each).__name__}.")
    return list(value)


class AgendaAssistant(Assistant):
    """Assistant that plans: override :meth:`plan`.

    It is asked at the start, after each act that its seat sees, and at the end.
    """

    role = "agenda"

    def plan(self, ctx: AgentContext) -> Plan:  # noqa: ARG002 - the signature that is overridden
        """Return the plan: the open tasks, and the changes of the record that go with it."""
        raise self._missing("plan")

    def answer(self, ctx: AgentContext) -> tuple[str, Any, Mapping[str, Any]]:
        """Return the plan as annotations."""
        plan = self.plan(ctx)
        if not isinstance(plan, Plan):
            raise AgentError(f"plan returns a Plan, not {type(plan).__name__}.")
        return TASK_STRUCTURE, _objects("task_structure", plan.task_structure), plan.proposed_state_diff


class InsightsAssistant(Assistant):
    """Assistant that follows the negotiation: override :meth:`follow`.

    It is asked after each act of an agent that its seat sees. No participant ever sees what it writes.
    """

    role = "insights"

    def follow(self, ctx: AgentContext) -> NextSteps:  # noqa: ARG002 - the signature that is overridden
        """Return the next steps, and the insights as changes of the record."""
        raise self._missing("follow")

    def answer(self, ctx: AgentContext) -> tuple[str, Any, Mapping[str, Any]]:
        """Return the next steps as annotations."""
        steps = self.follow(ctx)
        if not isinstance(steps, NextSteps):
            raise AgentError(f"follow returns NextSteps, not {type(steps).__name__}.")
        return NEXT_STEPS, _objects("next_steps", steps.next_steps), steps.proposed_state_diff


class DebriefAssistant(Assistant):
    """Assistant that sums up: override :meth:`conclude`. It is asked once, at the end."""

    role = "debrief"

    def conclude(self, ctx: AgentContext) -> Conclusion:  # noqa: ARG002 - the signature that is overridden
        """Return the summary, and the changes of the record that go with it."""
        raise self._missing("conclude")

    def answer(self, ctx: AgentContext) -> tuple[str, Any, Mapping[str, Any]]:
        """Return the summary as annotations."""
        conclusion = self.conclude(ctx)
        if not isinstance(conclusion, Conclusion):
            raise AgentError(f"conclude returns a Conclusion, not {type(conclusion).__name__}.")
        summary = conclusion.summary
        if not isinstance(summary, Mapping):
            raise AgentError(
                f'summary is an object, such as {{"text": "..."}}, not {type(summary).__name__}.'
            )
        return SUMMARY, dict(summary), conclusion.proposed_state_diff
