"""Replay of an agent over a log: its actions now are compared with those recorded then."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from negoplatform.agent_api.actions import FormalAccept, ShowTyping
from negoplatform.core.bus import PublishedEvent
from negoplatform.core.events import (
    GAME_END,
    DecidedBy,
    Event,
    EventType,
    Failure,
    FailureKind,
    Note,
    Refusal,
)
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.state import State
from negoplatform.core.visibility import ViewProjector
from negoplatform.domain.joining_settings import SuggestionVerdict, WizardMode
from negoplatform.domain.seat_map import Seat
from negoplatform.hosting.advice import ADVISED_STEPS, Advice, advised_steps
from negoplatform.hosting.agent_runner import AgentRequest, AgentResponse, ScheduledCall, ScriptStep
from negoplatform.hosting.agent_script_timing import (
    AgentTiming,
    Opening,
    TickFilter,
    steps_with_due_times,
)
from negoplatform.hosting.command.chain import LoggedUpstream, command_response, is_turn
from negoplatform.hosting.command.message_delays import DelayedMail, DelayedRequest
from negoplatform.hosting.logged_step_matching import (
    Divergence,
    PendingStep,
    ReplayedAdvice,
    ReplayedScript,
    ReplayedSuggestions,
    expected_event,
    has_payload,
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
from negoplatform.hosting.teams.team_votes import WaitingVote, offer_on_table
from negoplatform.hosting.wizard_control import PERFORMED_AS_AGENT, UNCONTROLLED_STEPS, Suggestion

_ADVICE_NOTES = (NoteKind.ADVISED, NoteKind.ADVICE_ANSWERED)


class AgentReplay:
    """Replay of the agent of one seat. Each action in the log is matched with a step of the replayed agent.

    Args:
        seat: The seat.
        assignment: The seat's agent and its fallback.
        viewer: Computes the seat's view of a state.
        timing: Timing of the agent's scripts.
        advises: Whether the agent advises the person in the seat, and so is compared with its advice alone.
    """

    def __init__(
        self,
        seat: Seat,
        assignment: SeatAssignment,
        viewer: ViewProjector,
        timing: AgentTiming,
        *,
        advises: bool = False,
    ) -> None:
        self.divergences: list[Divergence] = []
        self.flushed = 0
        self.opening = Opening(seat, timing, viewer.game.rules.counterpart.pace)
        self.supervisor = SeatSupervisor(
            seat, assignment, self._make_executor, self._on_response, replaying=True
        )
        self._seat = seat
        self._observer = viewer.observer
        self._viewer = viewer
        self._timing = timing
        self._flushing = mechanism_of(viewer.game.mechanism).flushing_acts
        self._advises = advises
        self.suggestions = ReplayedSuggestions()
        self.upstream = LoggedUpstream(seat, viewer.game)
        self.ticks = TickFilter(timing.tick_interval)
        self.mail = DelayedMail()
        self.advice = ReplayedAdvice()
        self.votes: list[WaitingVote] = []
        """The acceptances that wait for the votes of the seat's team."""
        self._scripts: list[ReplayedScript] = []
        self._failures: list[AgentResponse] = []
        self._executor: InlineExecutor
        self.supervisor.start()

    @property
    def responder(self) -> Responder:
        """The responder that has the seat."""
        return self._executor.responder

    def apply_event(self, published: PublishedEvent) -> None:
        """Process one event of the log, with the state after it."""
        event = published.event
        self.upstream.follow(event)
        match event.payload:
            case Note(kind=NoteKind.MESSAGE_DELIVERED, data=data) if self._seat in (
                data.get("sender"),
                data.get("recipient"),
            ):
                self._follow_message(data, published)
            case Note(kind=kind, data=data) if data.get("seat") == self._seat:
                if bool(data.get("adviser")) is self._advises or kind in _ADVICE_NOTES:
                    self._follow_note(kind, data, published)
            case Failure(seat=seat) if seat == self._seat:
                self._match_failure(event)
            case Refusal(action=action) if (
                event.to == (self._seat,) and event.cause is not None and not self._advises
            ):
                if event.decided_by is not DecidedBy.PRINCIPAL:
                    self.supervisor.history.acknowledge(event)
                if action != EventType.STATE_PROPOSED:  # its proposal was matched just before
                    self._match_action(event, action, None)
        # Acts of a seat with an adviser are those of the person, or of an agent that plays for the person.
        if event.sender == self._seat and not self._advises:
            if event.decided_by in (DecidedBy.AGENT, DecidedBy.FALLBACK):
                self.supervisor.history.acknowledge(event)
                self._match_action(event, event.type, event)
            elif event.decided_by is DecidedBy.PRINCIPAL:
                self._match_action(event, event.type, event)
        if event.type == EventType.SEND_OFFER:
            self.votes.clear()
        self._deliver(published)

    def pending_steps(self) -> Iterator[PendingStep]:
        """Return the steps that the agent decided and the log does not hold, by their due times."""
        left = [
            PendingStep(script.response, step, script.decided_at, due, script.commanded_by)
            for script in self._scripts
            for i, (step, due) in enumerate(
                steps_with_due_times(script.response, script.decided_at, self._timing, self.opening.at)
            )
            if i in script.unmatched and (isinstance(step, ScheduledCall) or not script.superseded)
        ]
        return iter(sorted(left, key=lambda one: one.due))

    def differences(self, ended_at: float | None) -> list[Divergence]:
        """Return the differences between the agent and the log.

        Args:
            ended_at: The session time at which the game ended; None: it has not.
        """
        found = [*self.divergences, *self.unlogged_actions(ended_at)]
        return without_effects_of_loss(found, self._failures)

    def unlogged_actions(self, ended_at: float | None) -> list[Divergence]:
        """Return the agent's actions that the log does not contain, although there was time for them.

        Args:
            ended_at: The session time at which the game ended; None: it has not.
        """
        if ended_at is None:
            return []
        return [
            Divergence(
                self._seat,
                left.response.request.stimulus.seq,
                f"it now also answers event {left.response.request.stimulus.seq} by "
                f"{type(left.step).__name__}, which it did not do",
            )
            for left in self.pending_steps()
            # A slow agent may have decided as late as its budget allows, and so after the end. A typing sign
            # is the wizard's own where a wizard operates the seat.
            if not (self.suggestions.count and isinstance(left.step, ShowTyping))
            and left.due + self.supervisor.assignment.budget.hard_seconds < ended_at
        ]

    # Inputs of the replayed agent

    def _deliver(self, published: PublishedEvent) -> None:
        seen = event_for_agent(self._observer, published.public)
        if seen is None:
            return
        if seen.sender == self._seat:
            self._tell(seen)
            return
        if seen.type == GAME_END:
            self.mail.drop_requests()
        if seen.type in self._flushing:
            self.flushed = seen.seq
            for script in self._scripts:
                script.retain(lambda step: not step.flushable)
        self.opening.update(seen)
        state = published.state
        if self._take_command(seen, state) or self.ticks.skips(seen):
            self._tell(seen)
        elif self._timing.is_delayed:
            self.mail.add_event(seen)
            self.mail.add_request(DelayedRequest(seen.seq, seen, None, seen.t))
        else:
            self.supervisor.submit(AgentRequest(self._viewer.view(state), seen.t, seen, None))

    def _tell(self, event: Event) -> None:
        """Pass on an event about which the agent was not asked."""
        if self._timing.is_delayed:
            self.mail.add_event(event)
        else:
            self.supervisor.notify(event)

    def _take_command(self, event: Event, state: State) -> bool:
        """Expect the acts of the command that the seat took at an event, if it took one."""
        command = self.upstream.take(event.seq) if is_turn(event.type, state, self._seat) else None
        if command is None:
            return False
        response = command_response(command, self._viewer.view(state), event)
        script = ReplayedScript(response, event.t, list(range(len(response.steps))), command.seq)
        self._scripts.append(script)
        return True

    def _follow_message(self, data: Any, published: PublishedEvent) -> None:
        """Follow the arrival of a message: the platform sees the request, or the agent is asked."""
        event = published.event
        if data.get("sender") == self._seat:
            self.mail.arrive(event.cause, published.state, event.t)
            return
        request = self.mail.answered(event.cause)
        if request is None or request.seen is None:
            self._add_divergence(event, f"it was asked about event {event.cause}, and now would not be")
            return
        for told in self.mail.events_until(request.seen.version):
            self.supervisor.notify(told)
        view = self._viewer.view(request.seen)
        self.supervisor.submit(AgentRequest(view, event.t, request.stimulus, request.call, is_told=True))

    def _make_executor(
        self, make: ResponderFactory, on_response: ResponseCallback, past: Iterable[AgentInput]
    ) -> AgentExecutor:
        self._executor = InlineExecutor(make, on_response, past)
        return self._executor

    def _on_response(self, response: AgentResponse, decided_at: float | None = None) -> None:  # noqa: ARG002 - that of the request
        if response.lost:
            self.supervisor.suspend_lost(response)
        if response.failure:
            self._failures.append(response)
        if response.steps:
            if self._timing.interrupt:
                for script in self._scripts:
                    script.superseded = True
            unmatched = [i for i, step in enumerate(response.steps) if self._is_compared(step)]
            self._scripts.append(ReplayedScript(response, response.request.now, unmatched))
        self._scripts = [script for script in self._scripts if script.unmatched]

    def _is_compared(self, step: ScriptStep) -> bool:
        """Return whether a step shows in the log: all of them, or what an adviser advises and schedules."""
        return not self._advises or isinstance(step, (ScheduledCall, *ADVISED_STEPS))

    def unlogged_advice(self) -> tuple[AgentResponse, tuple[ScriptStep, ...]] | None:
        """Return the newest script of an adviser that the log does not hold; None: it holds all."""
        left = [
            (script.response, advised_steps([step for _, step in script.steps()])) for script in self._scripts
        ]
        for script in self._scripts:
            script.retain(lambda step: isinstance(step, ScheduledCall))
        return next(((response, steps) for response, steps in reversed(left) if steps), None)

    def _follow_note(self, kind: NoteKind, data: Any, published: PublishedEvent) -> None:
        if kind is NoteKind.SCHEDULED_CALL:
            self._run_callback(data.get("number"), published)
        elif kind is NoteKind.COMMAND_TAKEN:
            if not self.upstream.match_note(data):
                took = f"it took the command {data.get('number')}, and now does not"
                self._add_divergence(published.event, took)
        elif kind is NoteKind.AGENT_RESTARTED:
            self.supervisor.restart()
        elif kind is NoteKind.WIZARD_MODE:
            self.suggestions.mode = WizardMode(data.get("mode"))
        elif kind is NoteKind.SUGGESTED:
            self._match_suggestion(data, published)
        elif kind is NoteKind.SUGGESTION_ANSWERED:
            self._answer_suggestion(data, published)
        elif kind is NoteKind.VOTE_WAITING:
            self._match_vote(data, published.event)
        elif kind is NoteKind.ADVISED and self._advises:
            self._match_advice(data, published.event)
        elif kind is NoteKind.ADVICE_ANSWERED and self._advises:
            self.advice.open = None
        elif kind is NoteKind.FALLBACK_SEATED and self.supervisor.lifecycle.has_fallback:
            self._scripts.clear()
            self.votes.clear()
            self.supervisor.seat_fallback()

    def _run_callback(self, number: object, published: PublishedEvent) -> None:
        for script in self._scripts:
            for i, step in script.steps():
                if isinstance(step, ScheduledCall) and step.number == number:
                    script.unmatched.remove(i)
                    stimulus = script.response.request.stimulus
                    if self._timing.is_delayed:
                        at = published.event
                        self.mail.add_request(DelayedRequest(at.seq, stimulus, step.number, at.t))
                        return
                    view = self._viewer.view(published.state)
                    self.supervisor.submit(AgentRequest(view, published.event.t, stimulus, call=step.number))
                    return
        self._add_divergence(
            published.event, f"its callback {number} was called, and it scheduled no such callback"
        )

    # Comparison with the log

    def _match_suggestion(self, data: Any, published: PublishedEvent) -> None:
        """Find the script that waited for the wizard; its steps are in the log from then on."""
        event, number, steps = published.event, int(data["number"]), list(data["steps"])
        self.suggestions.count = max(self.suggestions.count, number)
        found = self._find_script(event, steps)
        if found is None:
            self._add_divergence(
                event, f"it suggested {summarize_payload({'steps': steps})}, and now does not"
            )
            return
        script, taken = found
        script.retain(lambda step: isinstance(step, UNCONTROLLED_STEPS))
        suggested = tuple(script.response.steps[i] for i in taken)
        self.suggestions.open[number] = (
            Suggestion(number, script.response, suggested, event.t, None),
            taken,
        )

    def _find_script(self, event: Event, steps: Sequence[Any]) -> tuple[ReplayedScript, list[int]] | None:
        """Return the script in answer to an event's cause with these steps, and their indexes in it."""
        for script in self._scripts:
            if script.response.request.stimulus.seq == event.cause:
                taken = script.indexes_of(steps)
                if taken is not None:
                    return script, taken
        return None

    def _match_vote(self, data: Any, event: Event) -> None:
        """Find the acceptance that waits for the seat's team; it is in the log from then on."""
        offer = data.get("offer")
        for script in self._scripts:
            state = script.response.request.view.state
            if script.response.request.stimulus.seq != event.cause or offer_on_table(state) != offer:
                continue
            for i, step in script.steps():
                if isinstance(step, FormalAccept):
                    script.unmatched.remove(i)
                    self.votes.append(WaitingVote(script.response, step, script.decided_at, offer))
                    return
        self._add_divergence(event, f"it wanted to accept offer {offer}, and now does not")

    def _end_vote(self, cause: int | None) -> bool:
        """End the wait of the acceptance that answers an event; return whether there was one."""
        for vote in self.votes:
            if vote.response.request.stimulus.seq == cause:
                self.votes.remove(vote)
                return True
        return False

    def _match_advice(self, data: Any, event: Event) -> None:
        """Find the script that was shown to the person; it is in the log from then on."""
        number, steps = int(data["number"]), list(data["steps"])
        self.advice.count, self.advice.open = max(self.advice.count, number), None
        found = self._find_script(event, steps)
        if found is None:
            self._add_divergence(event, f"it advised {summarize_payload({'steps': steps})}, and now does not")
            return
        script, taken = found
        script.retain(lambda step: isinstance(step, ScheduledCall))
        advised = tuple(script.response.steps[i] for i in taken)
        self.advice.open = Advice(number, advised, event.t, event.cause or 0)

    def _answer_suggestion(self, data: Any, published: PublishedEvent) -> None:
        """End the wait of a suggestion; what is performed as the agent's own is expected in the log."""
        suggestion, taken = self.suggestions.open.pop(int(data["number"]), (None, []))
        if suggestion is not None and SuggestionVerdict(data["verdict"]) in PERFORMED_AS_AGENT:
            self._scripts.append(ReplayedScript(suggestion.response, published.event.t, taken))

    def _match_action(self, event: Event, kind: str, whole: Event | None) -> None:
        """Find the step of an event, or of a refused action."""
        if kind == EventType.FORMAL_ACCEPT and self._end_vote(event.cause):
            return
        commanded = event.decided_by is DecidedBy.PRINCIPAL
        candidates = [
            script
            for script in self._scripts
            if (commanded and script.commanded_by == event.cause)
            or (
                not commanded
                and script.commanded_by is None
                and script.response.request.stimulus.seq == event.cause
            )
        ]
        for exactly in (True, False):
            for script in candidates:
                for i, step in script.steps():
                    expected = expected_event(step, script.response.request.view.state)
                    if expected is None or expected[0] != kind:
                        continue
                    if exactly and whole is not None and not has_payload(whole, expected[1]):
                        continue
                    script.unmatched.remove(i)
                    if event.decided_at is not None:
                        script.decided_at = event.decided_at
                    if not exactly:
                        now = summarize_payload(expected[1])
                        self._add_divergence(
                            event, f"it did {kind} {summarize_payload(event.payload)}, and now {now}"
                        )
                    return
        refused = " (refused)" if whole is None else ""
        self._add_divergence(
            event, f"it did {kind}{refused} in answer to event {event.cause}, and now does not"
        )

    def _match_failure(self, event: Event) -> None:
        failure: Failure = event.payload

        def on_absent(request: AgentRequest | None) -> None:
            if not is_of_time(failure):
                self._add_divergence(event, f"it failed ({failure.reason}), and now does not")
            self._drop_failed_scripts(request, failure.kind)

        request = match_failure(
            event, self.supervisor, self._failures, on_absent=on_absent, on_lost=self._mark_lost
        )
        if request is not None:  # a fallback may be asked it, but none before it
            self.supervisor.history.retract_acknowledgement(request)

    def _drop_failed_scripts(self, request: AgentRequest | None, kind: FailureKind) -> None:
        """Drop the steps that the agent decides now and failed to decide then: they are not still to come."""
        scripts = [script for script in self._scripts if script.response.request is request]
        if kind is FailureKind.ACT:
            for script in scripts:
                del script.unmatched[:1]
        elif kind not in (FailureKind.SLOW, FailureKind.MEMBER):
            self._scripts = [script for script in self._scripts if script not in scripts]

    def _mark_lost(self, request: AgentRequest) -> None:
        """End the responder where the log says it was lost; drop its later responses."""
        history = self.supervisor.history
        place = history.find_answered(request)
        if place is None:
            return
        later = history.inputs[place + 1 :]
        self._scripts = [
            script for script in self._scripts if not any(script.response.request is one for one in later)
        ]
        history.reopen(place + 1)
        self.supervisor.abandon("It was lost, and nobody followed yet.")

    def _add_divergence(self, event: Event, reason: str) -> None:
        self.divergences.append(Divergence(self._seat, event.seq, reason))
