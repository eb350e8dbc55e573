"""Windows of a live session: acts of people and wizards, and the consequences of a lost connection."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, assert_never

from negoplatform.agent_api.actions import FormalQuit
from negoplatform.app.session.participant_actions import (
    AbortGame,
    ParticipantProposal,
    ProposalPerformer,
    RecordNote,
)
from negoplatform.app.session.participant_seat import NO_ADVICE_NOW, AnswerAdvice, ShownAdvice
from negoplatform.app.session.session_plan import SessionPlan
from negoplatform.app.session.session_runner import SessionRunner
from negoplatform.app.session.windows.attached_windows import AttachedWindows, Put
from negoplatform.app.session.windows.session_feed import (
    AnswerSuggestion,
    ChangeWizardMode,
    FeedStatus,
    HoldSuggestion,
    JoinRole,
    OpenWholeState,
    RoleKind,
    SessionIntroduction,
    WizardEntry,
)
from negoplatform.app.session.windows.window_presence import WindowPresence
from negoplatform.core.bus import PublishedEvent
from negoplatform.core.events import DecidedBy, EndedBy, Event
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.scheduler import TimerHandle
from negoplatform.core.session import ActionOrigin
from negoplatform.core.state import Phase
from negoplatform.domain.errors import Refused
from negoplatform.domain.joining_settings import LostLinkAction, SuggestionVerdict, WizardMode
from negoplatform.domain.seat_map import SYSTEM, Seat
from negoplatform.eventlog.observer_export import filter_header
from negoplatform.hosting.adviser_host import AdviserHost
from negoplatform.hosting.agent_host import AgentHost
from negoplatform.hosting.seat_actions import ShareDraft
from negoplatform.hosting.staying_agent import restored_events
from negoplatform.hosting.wizard_control import Suggestion, WizardControl

SEAT_TAKEN_OVER = "The connection was lost for too long, so an agent has taken your seat."
"""Sentence for a person who comes back too late; the window translates it."""


@dataclass(frozen=True, slots=True)
class AttachWindow:
    """Request to feed a window."""

    role: JoinRole
    put: Put


@dataclass(frozen=True, slots=True)
class DetachWindow:
    """Request to stop feeding a window."""

    role: JoinRole
    put: Put
    reason: str


@dataclass(frozen=True, slots=True)
class WizardRequest:
    """Request of the wizard of a seat: a script for the seat, or an entry about the agent."""

    seat: Seat
    entry: tuple[ParticipantProposal, ...] | WizardEntry


@dataclass(frozen=True, slots=True)
class SaveRemoteDraft:
    """Request to save what a person in another window has prepared."""

    seat: Seat
    draft: Mapping[str, Any]


WindowRequest = AttachWindow | DetachWindow | WizardRequest


class SessionWindows:
    """Windows of a live session. Used on the session's thread.

    Args:
        plan: The session's plan.
        past: The events of the log from which it is resumed.
        has_window: Whether the first person's window is in this process.
        note: Records a note as soon as the log takes one.
        on_changed: Called when a status has changed that is no event.
    """

    def __init__(
        self,
        plan: SessionPlan,
        past: Sequence[Event],
        *,
        has_window: bool,
        note: Callable[[NoteKind, Mapping[str, Any]], object],
        on_changed: Callable[[], object],
    ) -> None:
        people = tuple(plan.codes_of_people)
        self.presence = WindowPresence(
            people,
            people[1:] if has_window else people,
            [seat for seat, settings in plan.wizards.items() if settings.mode is not WizardMode.AUTONOMOUS],
        )
        self._plan = plan
        self._people = people
        self._note, self._on_changed = note, on_changed
        self._attached = AttachedWindows(plan.header, past)
        self._controls: dict[Seat, WizardControl] = {}
        self._advisers: dict[Seat, AdviserHost] = {}
        self._performers: dict[JoinRole, ProposalPerformer] = {}
        self._lost_timers: dict[Seat, TimerHandle] = {}
        self._runner: SessionRunner | None = None
        self._seat_stand_in: Callable[[Seat], AgentHost] | None = None

    def set_control(self, seat: Seat, control: WizardControl | None) -> None:
        """Connect the control of an agent's seat with the window of its wizard."""
        if control is None:
            return
        self._controls[seat] = control

        def made(suggestion: Suggestion) -> None:
            self._attached.put_suggestions(seat, [suggestion])

        def closed(number: int, verdict: SuggestionVerdict) -> None:
            self._attached.put_closed(seat, number, verdict)

        control.on_made, control.on_closed = made, closed

    def set_adviser(self, host: AdviserHost) -> None:
        """Connect the adviser of a person with their window."""
        self._advisers[host.seat] = host

        def changed() -> None:
            self._attached.put_advice(host.seat, self.advice_for(host.seat))
            self._on_changed()

        host.advice.on_changed = changed

    def advice_for(self, seat: Seat) -> ShownAdvice | None:
        """Return the open advice to the person in a seat; None: they have no adviser."""
        host = self._advisers.get(seat)
        if host is None:
            return None
        given = host.advice.open
        if given is None:
            return replace(NO_ADVICE_NOW, has_stopped=host.has_stopped)
        return ShownAdvice(given.number, given.steps)

    def answer_advice(self, seat: Seat, answer: AnswerAdvice) -> None:
        """Answer advice for the person in a seat."""
        if seat in self._advisers:
            self._advisers[seat].advice.answer(answer.number, used=answer.used)

    def begin(self, runner: SessionRunner, seat_stand_in: Callable[[Seat], AgentHost]) -> None:
        """Feed the past events, and take acts from now on.

        Args:
            runner: The session's runner.
            seat_stand_in: Assigns the seat of a person to the agent that stands in for them.
        """
        self._runner, self._seat_stand_in = runner, seat_stand_in
        self._attached.begin()

    def publish(self, published: PublishedEvent) -> None:
        """Feed an event to the windows that may see it."""
        self._attached.put_shared(published.state)
        self._attached.publish(published.event)
        for seat, control in self._controls.items():
            self._attached.put_wizard(seat, control.mode, published.state)

    @property
    def absent(self) -> tuple[Seat, ...]:
        """The seats of people whose connections are lost in the running game."""
        runner = self._runner
        return self.presence.absent if runner and runner.session.state.phase is Phase.NEGOTIATING else ()

    def put_status(self, status: FeedStatus) -> None:
        """Feed a status to all windows."""
        self._attached.put_status(status)

    def perform(self, seat: Seat, script: tuple[ParticipantProposal, ...]) -> None:
        """Carry out a person's script.

        Raises:
            Refused: At the first refusal; the rest of the script is dropped.
        """
        self._performer(JoinRole(RoleKind.SEAT, seat)).perform(script)
        if any(isinstance(proposal, FormalQuit) for proposal in script) and self.presence.give_up(seat):
            # Where the rules let the others go on, nobody is left who would see it.
            self._require_runner().session.end(EndedBy.QUIT, by=seat)

    def handle(self, request: WindowRequest) -> None:
        """Handle a request about a window.

        Raises:
            Refused: If the session refuses an act of a wizard.
        """
        match request:
            case AttachWindow(role, put):
                self._attach(role, put)
            case DetachWindow(role, put, reason):
                self._detach(role, put, reason)
            case WizardRequest(seat, entry):
                self._handle_wizard(seat, entry)
            case _:
                assert_never(request)

    # Windows that come and go

    def _attach(self, role: JoinRole, put: Put) -> None:
        back = self.presence.join(role)
        self._note(NoteKind.SEAT_JOINED, {**_about(role), "back": back})
        if role.kind is RoleKind.EXPERIMENTER:
            self._note(NoteKind.RAW_VIEW_OPENED, _about(role))
        self._attached.attach(role, put, begun=self._runner is not None)
        if self._runner is not None:
            self._attached.put_shared(self._runner.session.state)
        if role.kind is RoleKind.SEAT and role.seat is not None:
            timer = self._lost_timers.pop(role.seat, None)
            if timer is not None:
                timer.cancel()
            if role.seat in self._advisers:
                self._attached.put_advice(role.seat, self.advice_for(role.seat))
        if role.kind is RoleKind.WIZARD and role.seat is not None:
            self._feed_wizard(role.seat)
        self._on_changed()

    def _detach(self, role: JoinRole, put: Put, reason: str) -> None:
        if not self._attached.detach(role, put):
            return  # another window of this role has come in its place
        if self._attached.has(role):
            self._note(NoteKind.SEAT_LEFT, {**_about(role), "reason": reason})
            return  # one of several observers
        self.presence.leave(role, begun=self._runner is not None)
        self._note(NoteKind.SEAT_LEFT, {**_about(role), "reason": reason})
        if role.kind is RoleKind.SEAT and role.seat is not None:
            self._start_lost_timer(role.seat)
        if role.kind is RoleKind.WIZARD and role.seat in self._controls:
            self._controls[role.seat].release()
        self._on_changed()

    def _start_lost_timer(self, seat: Seat) -> None:
        rule, runner = self._plan.lost_link, self._runner
        if runner is None or rule.action is LostLinkAction.WAIT or self.presence.has_gone(seat):
            return
        if runner.session.state.phase is not Phase.NEGOTIATING:
            return
        due = round(runner.session.now() + rule.seconds, 3)
        self._lost_timers[seat] = runner.scheduler.call_at(due, lambda: self._on_lost(seat))

    def _on_lost(self, seat: Seat) -> None:
        """End the game, or seat an agent: a connection has been lost for as long as the rule allows."""
        self._lost_timers.pop(seat, None)
        session = self._require_runner().session
        if session.state.phase is not Phase.NEGOTIATING:
            return
        if self._plan.lost_link.action is LostLinkAction.END:
            with suppress(Refused):
                session.end(EndedBy.ABORTED, "A connection was lost for too long.", by=seat)
            return
        agent = self._plan.stand_ins[seat]
        self.presence.take_over(seat)
        if seat in self._advisers:
            self._advisers.pop(seat).dismiss()
        session.note(NoteKind.SEAT_TAKEN_OVER, seat=seat, agent=agent.plugin.name, sha256=agent.plugin.sha256)
        self._attached.end_seat(seat, SEAT_TAKEN_OVER)
        if self._seat_stand_in is not None:
            past = restored_events(
                self._plan.game,
                self._attached.events,
                session_id=self._plan.session_id,
                record=self._plan.record,
            )
            self._seat_stand_in(seat).take_over(past)
        self._on_changed()

    # The wizard

    def _feed_wizard(self, seat: Seat) -> None:
        control, runner = self._controls.get(seat), self._runner
        settings = self._plan.wizards[seat]
        state = None if runner is None else runner.session.state
        self._attached.put_wizard(seat, settings.mode if control is None else control.mode, state)
        self._attached.put_all_closed(seat)
        if control is not None:
            self._attached.put_suggestions(seat, control.waiting)

    def _handle_wizard(self, seat: Seat, entry: tuple[ParticipantProposal, ...] | WizardEntry) -> None:
        control, runner = self._controls.get(seat), self._runner
        if control is None or runner is None or runner.finished:
            return  # the game has not begun, and nothing can be decided in it
        match entry:
            case ChangeWizardMode(mode):
                control.change_mode(mode)
                self._attached.put_wizard(seat, control.mode, runner.session.state)
            case AnswerSuggestion(number, send, steps):
                control.answer(number, send=send, steps=steps)
            case HoldSuggestion(number, held):
                control.hold(number, held=held)
            case OpenWholeState():
                runner.session.note(NoteKind.RAW_VIEW_OPENED, role=RoleKind.WIZARD.value, seat=seat)
                self._attached.open_whole_state(seat)
                self._attached.put_wizard(seat, control.mode, runner.session.state)
            case tuple():
                # A wizard's window that is closed ends nothing, and in autonomous mode the agent acts alone.
                # No agent shows that it builds an offer, so a wizard does not either.
                if control.is_autonomous or any(_is_not_for_wizards(proposal) for proposal in entry):
                    return
                self._performer(JoinRole(RoleKind.WIZARD, seat)).perform(entry)
            case _:
                assert_never(entry)

    def _performer(self, role: JoinRole) -> ProposalPerformer:
        if role not in self._performers:
            by = DecidedBy.WIZARD if role.kind is RoleKind.WIZARD else DecidedBy.HUMAN
            session = self._require_runner().session
            self._performers[role] = ProposalPerformer(session, role.seat or "", ActionOrigin(by))
        return self._performers[role]

    def _require_runner(self) -> SessionRunner:
        assert self._runner is not None, "acts come after the beginning"
        return self._runner


def _is_not_for_wizards(proposal: ParticipantProposal) -> bool:
    closes = isinstance(proposal, RecordNote) and proposal.kind is NoteKind.WINDOW_CLOSED
    return closes or isinstance(proposal, AbortGame | ShareDraft)


def _about(role: JoinRole) -> dict[str, Any]:
    """Return a role as the data of a note."""
    if role.seat is None:
        return {"role": role.kind.value}
    return {"role": role.kind.value, "principal" if role.kind is RoleKind.PRINCIPAL else "seat": role.seat}


def introduction_of(
    plan: SessionPlan,
    role: JoinRole,
    draft: Mapping[str, Any] | None,
    *,
    resumed: bool,
) -> SessionIntroduction:
    """Return what a window in a role gets first.

    Args:
        plan: The session's plan.
        role: The role.
        draft: The unsent draft of the person who comes back.
        resumed: Whether the session is resumed.
    """
    views = {RoleKind.EXPERIMENTER: "complete", RoleKind.PUBLIC: "public", RoleKind.SYSTEM: SYSTEM}
    view = views.get(role.kind, role.seat or "")
    names = plan.names
    is_person = role.kind is RoleKind.SEAT
    return SessionIntroduction(
        role,
        filter_header(plan.header(), view),
        participant=plan.codes_of_people.get(role.seat or "", "") if is_person else "",
        names={seat: names[seat] for seat in plan.game.seats if seat != role.seat},
        avatars={
            seat: agent.avatar for seat, agent in plan.agents.items() if agent.avatar and seat != role.seat
        },
        debriefings=plan.debriefings if is_person else (),
        saved_draft=draft,
        shows_briefing=is_person and not resumed,
    )
