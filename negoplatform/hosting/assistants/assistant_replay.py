"""Replay of an assistant over a log: its proposals now are compared with those recorded then."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from negoplatform.agent_api.actions import ProposeChange
from negoplatform.agent_api.assistant_requests import asked_kinds, changes_record
from negoplatform.core.bus import PublishedEvent
from negoplatform.core.events import Event, Failure, Note
from negoplatform.core.intention_ledger import intentions
from negoplatform.core.notes_and_tasks_derivation import completed_updates
from negoplatform.core.record.notes_and_tasks import Record
from negoplatform.core.record.notes_and_tasks_proposals import (
    Proposer,
    ProposerKind,
    StateProposal,
    review_proposal,
    task_origins_of,
)
from negoplatform.core.state import State
from negoplatform.core.visibility import ViewProjector
from negoplatform.domain.errors import AgentError
from negoplatform.hosting.agent_replay import AgentReplay
from negoplatform.hosting.agent_runner import AgentRequest, AgentResponse, failure_response
from negoplatform.hosting.agent_script_timing import AgentTiming
from negoplatform.hosting.logged_step_matching import Divergence, summarize_payload
from negoplatform.hosting.responder import SeatAssignment, event_for_agent


def checked_response(response: AgentResponse) -> AgentResponse:
    """Return a response of an assistant; a failure, if it holds anything but proposals."""
    strange = next((step for step in response.steps if not isinstance(step, ProposeChange)), None)
    if strange is None or response.failure:
        return response
    error = AgentError(
        f"An assistant only proposes changes of the record, and returned {type(strange).__name__}."
    )
    return failure_response(response.request, error)


class AssistantReplay(AgentReplay):
    """Replay of one assistant, whose proposals in the log are matched with its answers now.

    Args:
        name: The assistant's name.
        assignment: Its plug-in and its budget.
        viewer: Computes its view of a state.
    """

    def __init__(self, name: str, assignment: SeatAssignment, viewer: ViewProjector) -> None:
        super().__init__(name, SeatAssignment(assignment.make, assignment.budget), viewer, AgentTiming())
        self._proposer = Proposer(ProposerKind.ASSISTANT, name)
        self._kind = viewer.game.assistants[name].kind
        self._before: State | None = None
        self._idle: set[int] = set()
        """The events after which it was asked and would have changed nothing: then it proposed nothing."""

    def apply_event(self, published: PublishedEvent) -> None:
        """Process one event of the log, with the state after it."""
        event = published.event
        match event.payload:
            case Note(kind=kind, data=data) if data.get("seat") == self._seat:
                self._follow_note(kind, data, published)
            case Failure(seat=seat) if seat == self._seat:
                self._match_failure(event)
            case StateProposal(proposer=proposer) if proposer == self._proposer:
                self.supervisor.history.acknowledge(event)
                self._match_proposal(event, event.payload)
        if self._before is None or published.state.record is not self._before.record:
            self._find_idle(published.state.record)
        self._before = published.state
        self._deliver(published)

    def unlogged_responses(self) -> tuple[AgentResponse, ...]:
        """Return the answers that the log does not hold, and that would have changed the record, in order."""
        return tuple(
            script.response._replace(steps=tuple(step for _, step in script.steps()))
            for script in self._scripts
            if script.unmatched and script.response.request.stimulus.seq not in self._idle
        )

    def unlogged_actions(self, ended_at: float | None) -> list[Divergence]:
        """Return the answers that the log does not hold, although there was time for them.

        Args:
            ended_at: The session time at which the game ended; None: it has not.
        """
        if ended_at is None:
            return []
        longest = self.supervisor.assignment.budget.hard_seconds
        stimuli = [response.request.stimulus for response in self.unlogged_responses()]
        return [
            Divergence(
                self._seat,
                stimulus.seq,
                f"it now also proposes a change after event {stimulus.seq}, which it did not do",
            )
            for stimulus in stimuli
            if stimulus.t + longest < ended_at
        ]

    def _deliver(self, published: PublishedEvent) -> None:
        seen = event_for_agent(self._observer, published.public)
        if seen is None:
            return
        if self._kind not in asked_kinds(published.event, published.state):
            self.supervisor.notify(seen)
            return
        self.supervisor.submit(AgentRequest(self._viewer.view(published.state), seen.t, seen))
        self._find_idle(published.state.record)

    def _on_response(self, response: AgentResponse, decided_at: float | None = None) -> None:
        super()._on_response(checked_response(response), decided_at)

    def _find_idle(self, record: Record) -> None:
        """Note the answers that would change nothing in a record."""
        for script in self._scripts:
            seq = script.response.request.stimulus.seq
            updates = [step.updates for _, step in script.steps() if isinstance(step, ProposeChange)]
            if seq not in self._idle and not any(changes_record(record, one) for one in updates):
                self._idle.add(seq)

    def _match_proposal(self, event: Event, proposal: StateProposal) -> None:
        """Find the answer of a proposal."""
        for script in self._scripts:
            if script.response.request.stimulus.seq != event.cause:
                continue
            for i, step in script.steps():
                if not isinstance(step, ProposeChange):
                    continue
                script.unmatched.remove(i)
                now = self._reviewed(step.updates, proposal.base_version)
                if now.updates != proposal.updates:
                    then, here = (
                        summarize_payload({"updates": one.updates.to_dict()}) for one in (proposal, now)
                    )
                    self._add_divergence(event, f"it proposed {then}, and now {here}")
                return
        self._add_divergence(event, f"it proposed a change after event {event.cause}, and now does not")

    def _reviewed(self, updates: Mapping[str, Any], base_version: int) -> StateProposal:
        """Return a proposal as the session would have recorded it."""
        state = self._before
        if state is None:
            raise ValueError("a proposal cannot be the first event")
        seat = self._observer.seat or ""

        def tasks() -> list[Any]:
            return intentions(state.transcript_of(seat))

        complete = completed_updates(state.record, updates, tasks)
        origins = task_origins_of(state.game, self._proposer)
        return review_proposal(state.record, self._proposer, base_version, complete, tasks, origins).proposal
