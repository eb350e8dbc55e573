"""Host of one agent in one seat: events go out to it, and its script comes back as proposals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from functools import partial
from typing import Any

from negoplatform.agent_api.actions import FormalAccept, SendExpression, SendMessage, SendOffer, ShowTyping
from negoplatform.core.agent_lifecycle import AgentPhase, RecoveryAction
from negoplatform.core.bus import PublishedEvent
from negoplatform.core.events import (
    GAME_END,
    GAME_START,
    SEND_OFFER,
    DecidedBy,
    EndedBy,
    Event,
    Failure,
    FailureKind,
    OfferMade,
    new_tuple,
)
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.record.notes_and_tasks_proposals import Proposer
from negoplatform.core.scheduler import Scheduler
from negoplatform.core.session import ActionOrigin, Session
from negoplatform.core.state import NEGOTIATING, State
from negoplatform.core.visibility import ViewProjector, observer_of, visible_game
from negoplatform.domain.counterpart_settings import DEFAULT_COUNTERPART
from negoplatform.domain.errors import AgentError, LogWriteError, Refused
from negoplatform.domain.joining_settings import WizardSettings
from negoplatform.domain.seat_map import Seat
from negoplatform.formats.sent_commands import SentCommand
from negoplatform.hosting.agent_replay import AgentReplay
from negoplatform.hosting.agent_runner import (
    AgentRequest,
    AgentResponse,
    ScheduledCall,
    ScriptStep,
    failure_response,
)
from negoplatform.hosting.agent_script_timing import (
    AgentTiming,
    Opening,
    TickFilter,
    steps_with_due_times,
    suggested_steps_with_due_times,
    with_set_durations,
)
from negoplatform.hosting.command.chain import Upstream, command_response, is_turn, note_taken
from negoplatform.hosting.command.event_scheduler import EventScheduler
from negoplatform.hosting.command.message_delays import DelayedMessages, DelayedRequest
from negoplatform.hosting.responder import UNCOMMON_EVENTS, SeatAssignment, event_for_agent
from negoplatform.hosting.responder_executors import ExecutorFactory
from negoplatform.hosting.scheduled_steps import (
    MAX_SCHEDULED_STEPS,
    OWN_DECISIONS,
    RestoredStep,
    ScheduledStep,
    ScheduledSteps,
)
from negoplatform.hosting.seat_actions import perform_action
from negoplatform.hosting.seat_supervisor import SeatSupervisor
from negoplatform.hosting.teams.team_votes import TeamVotes, offer_on_table
from negoplatform.hosting.wizard_control import UNCONTROLLED_STEPS, WizardControl, is_suggested


class AgentHost:
    """Host of the agent of a seat. Runs on the session's thread.

    Args:
        seat: The agent's seat.
        session: The session, for the agent's actions; the window calls the same methods for a person's.
        proposer: The proposer of the seat's changes of the record.
        scheduler: The scheduler, for the steps of scripts.
        timing: Timing of the scripts.
        assignment: The seat's agent, its budget and its fallback.
        executor_factory: Makes the executor of each responder.
        report: Called with an agent's error, for the crash file.
        wizard: The settings of the wizard who operates the seat; None: the agent acts by itself.
        upstream: The commands of the seat's principal; None: it has none.
        votes: The votes of the seat's team; None: its agent decides alone.
    """

    note_marks: Mapping[str, Any] = {}
    """Further data of the notes about its agent."""

    def __init__(
        self,
        seat: Seat,
        *,
        session: Session,
        proposer: Proposer,
        scheduler: Scheduler,
        timing: AgentTiming,
        assignment: SeatAssignment,
        executor_factory: ExecutorFactory,
        report: Callable[[BaseException], object],
        wizard: WizardSettings | None = None,
        upstream: Upstream | None = None,
        votes: TeamVotes | None = None,
    ) -> None:
        self._seat = seat
        self._votes = votes
        self._upstream = upstream
        self._unnoted: list[tuple[int, SentCommand]] = []
        self._observer = observer_of(session.state.game, seat)
        # A copy: nothing that an agent does to it, by whatever trick, changes the session's.
        self._projector = ViewProjector(
            self._observer, deepcopy(visible_game(session.state.game, self._observer))
        )
        self._session = session
        self._scheduler = scheduler
        self._timing = timing
        self._settings = session.state.game.rules.counterpart
        self._opening = Opening(seat, timing, self._settings.pace)
        mechanism = mechanism_of(session.state.game.mechanism)
        self._flushing = mechanism.flushing_acts
        self._view_costs = mechanism.hides_state
        self._proposer = proposer
        self._report = report
        self._scheduled = ScheduledSteps(scheduler, perform=self._perform, call=self._run_callback)
        self._performing: AgentResponse | None = None
        self._flushed = self._ended = 0
        self._restored_phase = AgentPhase.RUNNING
        self._supervisor = SeatSupervisor(seat, assignment, executor_factory, self.on_response)
        self._ticks = TickFilter(timing.tick_interval)
        self._delayed: DelayedMessages | None = None
        if timing.is_delayed:
            self._delayed = DelayedMessages(
                seat,
                delays_of=partial(timing.delays_of, pace=self._settings.pace),
                session=session,
                scheduler=EventScheduler(scheduler, session.now),
                tell=self._supervisor.notify,
                ask=self._ask_late,
            )
        self._asks_at_once = not (
            upstream is not None or timing.is_delayed or timing.tick_interval or self._view_costs
        )
        """Whether the agent is asked about every event that it sees as soon as it happens."""
        self._performs_all = wizard is None
        """Whether all steps of a script are performed."""
        self.wizard: WizardControl | None = None
        """The wizard's control of the seat; None where the agent acts by itself."""
        if wizard is not None:
            self.wizard = WizardControl(
                seat,
                wizard,
                session=session,
                scheduler=scheduler,
                perform=self._perform_suggested,
                withdraw=self._scheduled.withdraw,
            )

    def on_event(self, published: PublishedEvent) -> None:
        """Put an event to the agent, if its seat may see the event and did not cause it."""
        _, seen, state = published
        seq, t, kind, sender, _, to, _, _, _ = seen
        if kind == SEND_OFFER and self.wizard is not None:
            self.wizard.outdate_acceptances()
        if sender == self._seat and not self._supervisor.takes_events:
            return
        if to or kind in UNCOMMON_EVENTS:
            visible = event_for_agent(self._observer, seen)
            if visible is None:
                return
            seen = visible
        if kind == GAME_END:
            self._ended = seq
            self._cancel_at_the_end()
        if sender == self._seat:
            self._tell(seen)
            return
        if kind in self._flushing:
            self._flushed = seq
            if self._scheduled.waiting:
                self._scheduled.cancel(lambda waiting: bool(waiting.step.flushable))
        opening = self._opening
        if (t < opening.at or kind == GAME_START) and (earlier := opening.update(seen)):
            self._scheduled.advance_opening(earlier)
        if not self._asks_at_once and self._is_passed_on(seen, state):
            return
        try:
            view = self._projector.view(state)
        except Exception:
            if not self._is_over_by_fault():
                raise
            return
        self._supervisor.submit(new_tuple(AgentRequest, (view, seen.t, seen, None, False)))

    def _is_passed_on(self, seen: Event, state: State) -> bool:
        """Pass on an event about which the agent is not asked now; return whether it is not."""
        if (self._upstream is not None and self._take_command(seen, state)) or self._ticks.skips(seen):
            self._tell(seen)
        elif self._delayed is not None:
            self._delayed.mail.add_event(seen)
            self._delayed.send_request(seen.seq, seen, None, seen.t)
        elif self._view_costs and self._supervisor.ignores(seen):
            self._supervisor.notify(seen)
        else:
            return False
        return True

    def _tell(self, event: Event) -> None:
        """Pass on an event about which the agent is not asked."""
        if self._delayed is None:
            self._supervisor.notify(event)
        else:
            self._delayed.mail.add_event(event)

    def _ask_late(self, request: DelayedRequest, now: float) -> None:
        """Ask the agent with the view that it was sent."""
        if request.seen is None:
            return
        try:
            view = self._projector.view(request.seen)
        except Exception:
            if not self._is_over_by_fault():
                raise
            return
        self._supervisor.submit(AgentRequest(view, now, request.stimulus, request.call, is_told=True))

    def _take_command(self, event: Event, state: State) -> bool:
        """Have a command of the principal performed in place of a decision; return whether there was one."""
        if self._upstream is None or not is_turn(event.type, state, self._seat):
            return False
        command = self._upstream.take()
        if command is None:
            return False
        response = command_response(command, self._projector.view(state), event)
        note_taken(self._session, self._seat, event.seq, command)
        origin = ActionOrigin(DecidedBy.PRINCIPAL, command.seq, event.t)
        for step, due in steps_with_due_times(response, event.t, self._timing, self._opening.at):
            self._scheduled.add(response, step, due, origin)
        return True

    def _is_over_by_fault(self) -> bool:
        """End the session if its rules cannot say what the seat sees; return whether no game runs now."""
        return self._session.end_if_rules_fail() or self._session.state.phase is not NEGOTIATING

    def resume(self, published_events: Iterable[PublishedEvent]) -> list[RestoredStep]:
        """Take the seat in a session that was interrupted.

        A fresh agent is given its past requests again. Of its responses, only the steps that the log does not
        hold yet are kept.

        Returns:
            The steps that were still to come. They are rescheduled by the caller, for all seats together: of
            two steps that are due at one instant, the one that was decided first comes first.
        """
        return self._restore(published_events)

    def _restore(
        self, published_events: Iterable[PublishedEvent], decided_by: DecidedBy | None = None
    ) -> list[RestoredStep]:
        replayed = self._replay()
        for published in published_events:
            replayed.apply_event(published)
        self._take_replayed(replayed)
        for vote in replayed.votes:
            if self._votes is None:
                break
            by, cause = self._supervisor.decided_by, vote.response.request.stimulus.seq
            origin = ActionOrigin(by, cause, vote.decided_at)
            self._votes.restore(self._seat, partial(self._perform, vote.step, vote.response, origin))
        self._flushed = replayed.flushed
        self._opening = replayed.opening
        self._supervisor.restore(replayed.supervisor, replayed.responder)
        self._restored_phase = self._supervisor.lifecycle.phase
        if decided_by is not None:
            self._supervisor.decided_by = decided_by
        now, found = self._session.now(), []
        if self._upstream is not None:
            self._upstream.restore(replayed.upstream.waiting)
            self._unnoted = replayed.upstream.unnoted
        self._ticks = replayed.ticks
        if self._delayed is not None:
            self._delayed.restore(replayed.mail.requests, replayed.mail.untold)
        for left in replayed.pending_steps():
            by, cause = self._supervisor.decided_by, left.response.request.stimulus.seq
            if left.commanded_by is not None:
                by, cause = DecidedBy.PRINCIPAL, left.commanded_by
            origin = ActionOrigin(by, cause, left.decided_at)
            put = partial(self._scheduled.add, left.response, left.step, max(left.due, now), origin)
            found.append(RestoredStep(left.decided_at, left.response.request.view.state.version, put))
        return found

    def _replay(self) -> AgentReplay:
        return self._make_replay()

    def _make_replay(self, *, advises: bool = False) -> AgentReplay:
        assignment, viewer = self._supervisor.assignment, self._projector
        return AgentReplay(self._seat, assignment, viewer, self._timing, advises=advises)

    def _take_replayed(self, replayed: AgentReplay) -> None:
        """Continue with what a replay of the log has found besides the steps to come."""
        if self.wizard is not None:
            mode = replayed.suggestions.mode or self.wizard.mode
            self.wizard.restore(mode, replayed.suggestions.count, replayed.suggestions.waiting())

    def take_over(self, published_events: Iterable[PublishedEvent]) -> None:
        """Take the seat of a person in a running session: only the newest event is still answered.

        Args:
            published_events: All events so far.
        """
        # Failures in the seat of a person were those of the adviser.
        others = (one for one in published_events if not _is_failure_at(one, self._seat))
        steps = self._restore(others, DecidedBy.FALLBACK)
        newest = max((step.known_seq for step in steps), default=0)
        for step in steps:
            if step.known_seq == newest:
                step.reschedule()

    def complete_recovery(self) -> None:
        """Record the failure that the log of a resumed session lacks, or make the recovery that it lacks.

        The same for the note of a command that was taken.
        """
        while self._unnoted:
            note_taken(self._session, self._seat, *self._unnoted.pop(0))
        phase, self._restored_phase = self._restored_phase, AgentPhase.RUNNING
        failed = self._supervisor.failed_response
        if phase is AgentPhase.LOST and failed is not None:
            self._record_failure(failed, FailureKind.LOST)
        elif phase is AgentPhase.FAILED and failed is not None:
            self._recover()

    def on_response(self, response: AgentResponse, decided_at: float | None = None) -> None:
        """Schedule the script of a response; called on the session's thread.

        Args:
            response: The response.
            decided_at: The session time (s) at which it arrived; None: now.
        """
        request, steps, failure, _, _ = response
        if failure:
            if self._session.end_if_rules_fail():
                return  # the agent has asked the rules what they cannot answer
            if self._record_failure(response, response.failure_kind):
                return  # the fallback answers in its place
        known = request.view.state.version
        if known < self._ended or not steps:
            return  # no steps, or decided before the end, which cancels all steps
        if len(self._scheduled.waiting) + len(steps) > MAX_SCHEDULED_STEPS:
            error = AgentError(f"More than {MAX_SCHEDULED_STEPS:,} of its actions wait.")
            self._record_failure(failure_response(response.request, error), FailureKind.FAILED)
            return
        if self._timing.interrupt:
            self._scheduled.interrupt()
            if self.wizard is not None:
                self.wizard.supersede()
        if decided_at is None:
            decided_at = self._session.now()
        by, cause = self._supervisor.decided_by, request.stimulus.seq
        origin = new_tuple(ActionOrigin, (by, cause, decided_at, ()))
        due_steps = steps_with_due_times(response, decided_at, self._timing, self._opening.at)
        if not self._performs_all:
            due_steps = self._steps_to_schedule(response, due_steps)
        scheduled = self._scheduled
        for step, due in due_steps:
            if self._ended and isinstance(step, ScheduledCall):
                continue  # no callback outlives the end
            if known < self._flushed and step.flushable:
                continue  # the other seat's action makes it pointless
            # As in ScheduledSteps.add, without a call.
            number = next(scheduled.numbers)
            if type(step) is ScheduledCall:
                call = partial(self._run_callback, number)
            else:
                call = partial(self._perform, step, response, origin, number)
            timer = self._scheduler.call_at(due, call)
            scheduled.waiting[number] = new_tuple(ScheduledStep, (timer, step, response, origin))

    def _steps_to_schedule(
        self, response: AgentResponse, steps: list[tuple[ScriptStep, float]]
    ) -> list[tuple[ScriptStep, float]]:
        """Return the steps of a script that are performed; the wizard decides on others."""
        wizard = self.wizard
        if wizard is None or wizard.is_autonomous:
            return steps
        suggested = [step for step, _ in steps if is_suggested(step) and not self._is_stale(response, step)]
        wizard.suggest(response, tuple(suggested))
        return [(step, due) for step, due in steps if isinstance(step, UNCONTROLLED_STEPS)]

    def _is_stale(self, response: AgentResponse, step: ScriptStep) -> bool:
        """Return whether another seat's act, after the decision, has made a step pointless."""
        return bool(step.flushable) and response.request.view.state.version < self._flushed

    def _perform_suggested(
        self,
        response: AgentResponse,
        steps: Sequence[ScriptStep],
        decided_at: float,
        delay: float,
        origin: ActionOrigin,
    ) -> float:
        """Schedule steps that waited for the wizard as if decided at a time; return when the last is due."""
        if origin.decided_by is DecidedBy.AGENT:  # or the fallback in its place
            origin = origin._replace(decided_by=self._supervisor.decided_by)
        # The other seats must not notice who has decided, so they get what the agent's own script would show.
        steps_and_signs = suggested_steps_with_due_times(
            response, steps, decided_at, decided_at + delay, self._timing, self._opening.at
        )
        for step, due in steps_and_signs:
            by = origin._replace(decided_by=DecidedBy.WIZARD) if isinstance(step, ShowTyping) else origin
            self._scheduled.add(response, step, due, by)
        return max((due for _, due in steps_and_signs), default=decided_at)

    def schedule_decided(self, response: AgentResponse, step: ScriptStep, due: float) -> None:
        """Schedule a step of a response that was decided earlier.

        Args:
            response: The response.
            step: The step.
            due: The session time at which it is due; if that is over, it is due now.
        """
        request = response.request
        origin = ActionOrigin(self._supervisor.decided_by, request.stimulus.seq, request.now)
        self._scheduled.add(response, step, max(due, self._session.now()), origin)

    def call_unlogged(self, number: int, stimulus: Event, *, state: State, now: float) -> None:
        """Put a call of a callback to an agent that does not act yet; the log has no note of it.

        Args:
            number: The number of the callback.
            stimulus: The event in answer to which it was scheduled.
            state: The state at the time of the call.
            now: Session time in seconds of the call.
        """
        self._supervisor.submit(AgentRequest(self._projector.view(state), now, stimulus, call=number))

    def stop(self) -> None:
        """Stop the agent."""
        self._supervisor.stop()

    def _perform(
        self, step: ScriptStep, response: AgentResponse, origin: ActionOrigin, number: int | None = None
    ) -> None:
        """Perform a step; a scheduled one has a number, and its team may vote first."""
        if number is not None:
            del self._scheduled.waiting[number]
            if (
                (votes := self._votes) is not None
                and isinstance(step, FormalAccept)
                and self._waits_for_team(votes, step, response, origin)
            ):
                return
        outer, self._performing = self._performing, response
        request = response.request
        try:
            if type(step) is SendOffer:  # most steps
                made = _new_object(OfferMade)
                _set_offer(made, step.offer)
                self._session.act(self._seat, SEND_OFFER, made, origin)
                return
            if self._settings is not DEFAULT_COUNTERPART:
                step = with_set_durations(step, self._settings)
            perform_action(self._session, self._seat, step, origin, self._proposer, request.view.state)
        except Refused:
            # The session has recorded it, and the agent's on_action_refused is called.
            return
        except LogWriteError:
            raise
        except Exception as error:  # noqa: BLE001 - what an agent made must not end the table
            self._record_failure(failure_response(request, error), FailureKind.ACT)
        finally:
            self._performing = outer

    def _waits_for_team(
        self, votes: TeamVotes, step: FormalAccept, response: AgentResponse, origin: ActionOrigin
    ) -> bool:
        """Return whether an acceptance of the agent waits for the votes of its team."""
        if origin.decided_by not in OWN_DECISIONS:
            return False
        request = response.request
        perform = partial(self._perform, step, response, origin)
        offer_id = offer_on_table(request.view.state)
        return votes.holds(self._seat, offer_id, request.stimulus.seq, perform)

    def _run_callback(self, number: int) -> None:
        _, step, response, _ = self._scheduled.waiting.pop(number)
        if not isinstance(step, ScheduledCall):
            raise TypeError(f"{type(step).__name__} is performed and not called")
        stimulus, call, phase = response.request.stimulus, step.number, self._session.state.phase
        noted = self._session.note(
            NoteKind.SCHEDULED_CALL, stimulus.seq, seat=self._seat, number=call, **self.note_marks
        )
        if self._session.state.phase is not phase:
            # The note was one event too many for this instant and ended the game: no callback is due.
            return
        if self._delayed is not None:
            self._delayed.send_request(noted.seq, stimulus, call, noted.t)
            return
        try:
            view = self._projector.view(self._session.state)
        except Exception:
            if not self._is_over_by_fault():
                raise
            return
        self._supervisor.submit(AgentRequest(view, noted.t, stimulus, call))

    def _cancel_at_the_end(self) -> None:
        """Cancel all steps but the messages and expressions behind the very action that ended the game."""
        if self.wizard is not None:
            self.wizard.end_game()
        if self._delayed is not None:
            self._delayed.mail.drop_requests()
        self._scheduled.cancel(
            lambda waiting: (
                waiting.response is not self._performing
                or not isinstance(waiting.step, SendMessage | SendExpression)
            )
        )

    def _record_failure(self, response: AgentResponse, kind: FailureKind) -> bool:
        """Record a failure and recover from it; return whether the fallback took the seat."""
        if response.error is not None:
            self._report(response.error)
        try:
            self._session.record_agent_failure(
                self._seat, response.failure, kind, cause=response.request.stimulus.seq
            )
        except Refused:
            return False  # it failed after the closing, when failures are no longer recorded
        return self._supervisor.record_failure(response, kind) and self._recover()

    def _recover(self) -> bool:
        """Replace an agent that cannot go on; return whether the fallback took the seat."""
        if self._session.state.phase is not NEGOTIATING:
            return False
        match self._supervisor.lifecycle.recovery:
            case RecoveryAction.RESTART:
                times = self._supervisor.lifecycle.restarts + 1
                self._session.note(NoteKind.AGENT_RESTARTED, seat=self._seat, times=times, **self.note_marks)
                self._supervisor.restart()
            case RecoveryAction.SEAT_FALLBACK:
                fallback = self._supervisor.fallback
                named = {"agent": fallback.name, "sha256": fallback.sha256}
                self._session.note(NoteKind.FALLBACK_SEATED, seat=self._seat, **named)
                self._scheduled.cancel(lambda _waiting: True)
                if self._votes is not None:
                    self._votes.withdraw(self._seat)
                if self.wizard is not None:
                    self.wizard.supersede()
                self._supervisor.seat_fallback()
                return True
            case RecoveryAction.END_SESSION:
                self._supervisor.stop()  # it is not asked for a closing message that it cannot give
                self._session.end(EndedBy.AGENT_FAILURE, "The other side can’t continue.", by=self._seat)
        return False


_new_object, _set_offer = object.__new__, vars(OfferMade)["offer"].__set__
"""Parts of ``OfferMade(offer)``, the most frequent payload, without a call in Python."""


def _is_failure_at(published: PublishedEvent, seat: Seat) -> bool:
    failure = published.event.payload
    return isinstance(failure, Failure) and failure.seat == seat
