"""Replay of a principal over a log: its commands now are compared with those recorded then."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from negoplatform.agent_api.actions import ProposeChange
from negoplatform.core.agent_lifecycle import RecoveryAction
from negoplatform.core.broker import GET_INFO
from negoplatform.core.bus import PublishedEvent
from negoplatform.core.events import GAME_START, Event, Failure, Note
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.record.notes_and_tasks_proposals import ProposerKind, StateProposal
from negoplatform.core.state import State
from negoplatform.core.visibility import ViewProjector, observer_of
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.formats.sent_commands import check_given
from negoplatform.hosting.agent_runner import TICK, AgentRequest, AgentResponse, failure_response
from negoplatform.hosting.command.chain import LoggedUpstream
from negoplatform.hosting.logged_step_matching import (
    Divergence,
    is_of_time,
    match_failure,
    summarize_payload,
    without_effects_of_loss,
)
from negoplatform.hosting.responder import (
    AgentInput,
    Responder,
    ResponderFactory,
    SeatAssignment,
    event_for_agent,
)
from negoplatform.hosting.responder_executors import AgentExecutor, InlineExecutor, ResponseCallback
from negoplatform.hosting.seat_supervisor import SeatSupervisor


class SeenState(NamedTuple):
    """State at the platform when the request of a tick arrived there, and the session time (s) of that."""

    state: State
    t: float


@dataclass(slots=True)
class TickDecision:
    """Commands of one tick that are still to be given.

    Args:
        number: The number of the tick, from 1.
        cause: The number of the event that its proposals name: of the answer, or of the command from above.
        asked_at: The session time (s) at which the principal was asked.
        forms: The commands, JSON values.
    """

    number: int
    cause: int
    asked_at: float
    forms: list[Mapping[str, Any]]


def decided_forms(response: AgentResponse, name: str, game: GameSpec) -> list[Mapping[str, Any]]:
    """Return the commands of a principal's response.

    Raises:
        NegoError: If it did anything but command those directly below it; a sentence.
    """
    forms: list[Mapping[str, Any]] = []
    for step in response.steps:
        updates = step.updates if isinstance(step, ProposeChange) else {}
        commands = dict(updates).get("commands")
        own = commands.get(name) if isinstance(commands, Mapping) and len(updates) == 1 else None
        if not isinstance(own, Mapping) or len(commands or ()) != 1:
            raise NegoError(f"The principal {name!r} did something else than to give commands of its own.")
        for form in own.values():
            check_given(form, name, game)
            forms.append(form)
    return forms


class PrincipalReplay:
    """Replay of one principal. Each of its proposals in the log is matched with one of the replayed plug-in.

    Args:
        name: The principal.
        game: The whole game.
        assignment: Its plug-in.
        viewer: Computes its view of a state.
    """

    def __init__(self, name: str, game: GameSpec, assignment: SeatAssignment, viewer: ViewProjector) -> None:
        self.divergences: list[Divergence] = []
        self.ticks = self.given = 0
        """The numbers of ticks whose requests have arrived, and of proposals."""
        self.started_at: float | None = None
        self.seen: dict[int, SeenState] = {}
        self.decisions: list[TickDecision] = []
        self.untold: list[Event] = []
        self.upstream = LoggedUpstream(name, game)
        self.supervisor = SeatSupervisor(
            name, assignment, self._make_executor, self._on_response, replaying=True
        )
        self._name = name
        self._game = game
        self._observer = observer_of(game, name)
        self._viewer = viewer
        self._asked: dict[int, int] = {}
        self._failures: list[AgentResponse] = []
        self._executor: InlineExecutor
        self.supervisor.start()

    @property
    def responder(self) -> Responder:
        """The responder that replays the plug-in."""
        return self._executor.responder

    def apply_event(self, published: PublishedEvent) -> None:
        """Process one event of the log, with the state after it."""
        event = published.event
        if event.type == GAME_START:
            self.started_at = event.t
        match event.payload:
            case Note(kind=NoteKind.MESSAGE_DELIVERED, data=data):
                self._follow_message(data, published)
            case Note(kind=NoteKind.COMMAND_TAKEN, data=data) if data.get("seat") == self._name:
                if not self.upstream.match_note(data):
                    self._add(event, f"it took the command {data.get('number')}, and now does not")
            case Note(kind=NoteKind.AGENT_RESTARTED, data=data) if data.get("seat") == self._name:
                self.supervisor.restart()
            case Failure(seat=seat) if seat == self._name:
                self._match_failure(event)
            case StateProposal(proposer=proposer) as proposal if (
                proposer.kind is ProposerKind.PRINCIPAL and proposer.name == self._name
            ):
                self._match_proposal(event, proposal)
        self.upstream.follow(event)
        seen = event_for_agent(self._observer, published.public)
        if seen is not None:
            self.untold.append(seen)

    def differences(self, ended_at: float | None, act_delay: float) -> list[Divergence]:
        """Return the differences between the principal and the log.

        Args:
            ended_at: The session time at which the game ended; None: it has not.
            act_delay: Longest time in seconds between a decision and its effect.
        """
        found = [*self.divergences, *self.unlogged_commands(ended_at, act_delay)]
        return without_effects_of_loss(found, self._failures)

    def unlogged_commands(self, ended_at: float | None, act_delay: float) -> Iterator[Divergence]:
        """Yield the commands that the log lacks, although there was time for them.

        Args:
            ended_at: The session time at which the game ended; None: it has not.
            act_delay: Longest time in seconds between a decision and its effect.
        """
        budget = self.supervisor.assignment.budget.hard_seconds
        for decision in self.decisions:
            if ended_at is not None and decision.asked_at + act_delay + budget < ended_at:
                for form in decision.forms:
                    yield self._divergence(
                        decision.cause, f"it now also gives {summarize_payload(dict(form))}"
                    )

    def _follow_message(self, data: Mapping[str, Any], published: PublishedEvent) -> None:
        number, event = data.get("number"), published.event
        if not isinstance(number, int) or self._name not in (data.get("sender"), data.get("recipient")):
            return
        if data.get("message") == GET_INFO:
            self.ticks = max(self.ticks, number)
            self.seen[number] = SeenState(published.state, event.t)
            return
        self.ticks = max(self.ticks, number)
        seen = self.seen.pop(number, SeenState(published.state, event.t))
        for told in take_until(self.untold, seen.state.version):
            self.supervisor.notify(told)
        command = self.upstream.take(event.seq)
        if command is not None:
            self._keep(TickDecision(number, command.seq, event.t, list(command.forms)))
            return
        self._asked[event.seq] = number
        view = self._viewer.view(seen.state._replace(t=seen.t))
        self.supervisor.submit(AgentRequest(view, event.t, event.redacted(), TICK))

    def _keep(self, decision: TickDecision) -> None:
        if decision.forms:
            self.decisions.append(decision)

    def _on_response(self, response: AgentResponse, decided_at: float | None = None) -> None:  # noqa: ARG002 - that of the request
        if response.lost:
            self.supervisor.suspend_lost(response)
        if response.failure:
            self._failures.append(response)
        try:
            forms = decided_forms(response, self._name, self._game)
        except NegoError as error:
            self._failures.append(failure_response(response.request, error))
            return
        request = response.request
        number = self._asked[request.stimulus.seq]
        self._keep(TickDecision(number, request.stimulus.seq, request.now, forms))

    def _match_proposal(self, event: Event, proposal: StateProposal) -> None:
        self.given += 1
        self.supervisor.history.acknowledge(event)
        own = proposal.updates.to_dict().get("commands", {}).get(self._name, {})
        given = next(iter(own.values()), None) if isinstance(own, dict) else None
        for decision in self.decisions:
            if decision.cause != event.cause:
                continue
            form = decision.forms.pop(0)
            if not decision.forms:
                self.decisions.remove(decision)
            if dict(form) != given:
                now = summarize_payload(dict(form))
                self._add(event, f"it gave {summarize_payload({'command': given})}, and now {now}")
            return
        self._add(event, f"it gave {summarize_payload({'command': given})}, and now does not")

    def _match_failure(self, event: Event) -> None:
        failure: Failure = event.payload

        def on_absent(_request: AgentRequest | None) -> None:
            if not is_of_time(failure):
                self._add(event, f"it failed ({failure.reason}), and now does not")

        def on_lost(_request: AgentRequest) -> None:
            self.supervisor.abandon("It was lost, and nothing followed yet.")

        request = match_failure(event, self.supervisor, self._failures, on_absent=on_absent, on_lost=on_lost)
        if request is not None and self.supervisor.lifecycle.recovery is not RecoveryAction.RESTART:
            self.supervisor.stop()

    def _make_executor(
        self, make: ResponderFactory, on_response: ResponseCallback, past: Iterable[AgentInput]
    ) -> AgentExecutor:
        self._executor = InlineExecutor(make, on_response, past)
        return self._executor

    def _add(self, event: Event, reason: str) -> None:
        self.divergences.append(self._divergence(event.seq, reason))

    def _divergence(self, seq: int, reason: str) -> Divergence:
        return Divergence(self._name, seq, reason)


def take_until(untold: list[Event], version: int) -> Iterator[Event]:
    """Take the events up to a number out of a list, oldest first."""
    while untold and untold[0].seq <= version:
        yield untold.pop(0)
