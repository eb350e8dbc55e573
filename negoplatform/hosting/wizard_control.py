"""Control of an agent's seat by a wizard: a person who lets the agent act, corrects it or acts in its place.

In autonomous mode the agent's scripts are performed as without a wizard. In the two other modes they
wait as suggestions:

    made -> sent or edited   the wizard releases it, unchanged or changed; decided_by is wizard
    made -> dropped          the wizard rejects it
    made -> timed out        assisted mode only: performed as the agent's own, or dropped, by the settings
    made -> autonomous       the mode was changed: performed as the agent's own
    made -> superseded       the agent interrupts itself with a newer script, the fallback has its seat, or
                             the offer that it accepts is replaced by another one
    made -> game ended       the agent is called again for the messages and expressions that can follow a game
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from negoplatform.agent_api.actions import FormalAccept, ProposeChange, Schedule, ShowTyping
from negoplatform.core.events import DecidedBy
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.scheduler import Scheduler, TimerHandle
from negoplatform.core.session import ActionOrigin, Session
from negoplatform.domain.errors import Refused
from negoplatform.domain.joining_settings import (
    SuggestionTimeout,
    SuggestionVerdict,
    WizardMode,
    WizardSettings,
)
from negoplatform.domain.seat_map import Seat
from negoplatform.formats.agent_actions import dump_step
from negoplatform.hosting.agent_runner import AgentResponse, ScheduledCall, ScriptStep

UNCONTROLLED_STEPS = (ProposeChange, Schedule, ScheduledCall)
"""Steps that are performed in every mode: the other seats see nothing of them."""

PERFORMED_AS_AGENT = frozenset({SuggestionVerdict.TIMED_OUT_SENT, SuggestionVerdict.AUTONOMOUS})
"""Verdicts after which a suggestion is performed as the agent's own decision."""


def is_suggested(step: ScriptStep) -> bool:
    """Return whether a step waits for the wizard; a typing sign is the wizard's own."""
    return not isinstance(step, (*UNCONTROLLED_STEPS, ShowTyping))


class Suggestion(NamedTuple):
    """Script of the agent that waits for the wizard.

    Args:
        number: Its number, 1, 2, 3 … in the session.
        response: The response that it is of.
        steps: Its steps, in order.
        made_at: Session time (s) at which it was made.
        expires_at: Session time (s) at which it times out; None: it does not.
    """

    number: int
    response: AgentResponse
    steps: tuple[ScriptStep, ...]
    made_at: float
    expires_at: float | None


class WizardControl:
    """Control of one seat. Runs on the session's thread.

    Args:
        seat: The seat.
        settings: Its settings.
        session: The session.
        scheduler: The scheduler, for time-outs.
        perform: Performs steps of a response as if they were decided at a session time, the first not before
            a delay in seconds after it; returns the session time of the last.
        withdraw: Takes the steps back that the agent has decided and not performed, by response.
    """

    def __init__(
        self,
        seat: Seat,
        settings: WizardSettings,
        *,
        session: Session,
        scheduler: Scheduler,
        perform: Callable[[AgentResponse, Sequence[ScriptStep], float, float, ActionOrigin], float],
        withdraw: Callable[[], Iterable[tuple[AgentResponse, tuple[ScriptStep, ...]]]],
    ) -> None:
        self.mode = settings.mode
        self.on_made: Callable[[Suggestion], object] = lambda _suggestion: None
        """Called with each new suggestion."""
        self.on_closed: Callable[[int, SuggestionVerdict], object] = lambda _number, _verdict: None
        """Called with the number of a suggestion that no longer waits, and its verdict."""
        self._seat = seat
        self._settings = settings
        self._session = session
        self._scheduler = scheduler
        self._perform = perform
        self._withdraw = withdraw
        self._waiting: dict[int, Suggestion] = {}
        self._timers: dict[int, TimerHandle] = {}
        self._held: set[int] = set()
        self._count = 0

    @property
    def is_autonomous(self) -> bool:
        """Whether the agent acts by itself."""
        return self.mode is WizardMode.AUTONOMOUS

    @property
    def waiting(self) -> tuple[Suggestion, ...]:
        """The suggestions that wait, oldest first."""
        return tuple(self._waiting.values())

    def suggest(self, response: AgentResponse, steps: tuple[ScriptStep, ...]) -> None:
        """Have a script wait for the wizard."""
        if not steps:
            return
        now, number = self._session.now(), self._count + 1
        try:
            self._session.note(
                NoteKind.SUGGESTED,
                response.request.stimulus.seq,
                seat=self._seat,
                number=number,
                steps=[dump_step(step) for step in steps if not isinstance(step, ScheduledCall)],
            )
        except Refused:
            return  # the session is over
        self._count = number
        self._keep(Suggestion(number, response, steps, now, self._timeout()))

    def _keep(self, suggestion: Suggestion) -> None:
        number = suggestion.number
        self._waiting[number] = suggestion
        if suggestion.expires_at is not None:
            self._timers[number] = self._scheduler.call_at(
                suggestion.expires_at, lambda: self._time_out(number)
            )
        self.on_made(suggestion)

    def answer(self, number: int, *, send: bool, steps: tuple[ScriptStep, ...] | None = None) -> bool:
        """Answer a suggestion for the wizard; return whether it still waited.

        Args:
            number: Its number.
            send: Whether it is performed.
            steps: The steps that are performed in place of the suggested ones; None: they are unchanged.
        """
        suggestion = self._waiting.get(number)
        if suggestion is None:
            return False
        if not send:
            self._close(suggestion, SuggestionVerdict.DROPPED)
            return True
        if steps is not None and steps != suggestion.steps:
            self._close(suggestion, SuggestionVerdict.EDITED, steps)
        else:
            steps = suggestion.steps
            self._close(suggestion, SuggestionVerdict.SENT)
        self._send(suggestion, steps, DecidedBy.WIZARD, delay=self._settings.delay_seconds)
        return True

    def hold(self, number: int, *, held: bool) -> None:
        """Stop the time-outs while the wizard edits a suggestion, or start them again.

        All of them stop: otherwise a later suggestion would be performed before the one that is edited.
        """
        if number not in self._waiting or self.mode is not WizardMode.ASSISTED:
            return
        if held:
            self._held.add(number)
        else:
            self._held.discard(number)
        self._set_timeouts()

    def release(self) -> None:
        """Start the time-outs that were stopped: the wizard's window is gone."""
        if self._held:
            self._held.clear()
            self._set_timeouts()

    def outdate_acceptances(self) -> None:
        """End the wait of suggested acceptances: another offer is on the table than the one that they name.

        The acceptance would be refused, while the words in front of it would announce a deal.
        """
        for suggestion in self.waiting:
            if any(isinstance(step, FormalAccept) for step in suggestion.steps):
                self._close(suggestion, SuggestionVerdict.SUPERSEDED)

    def _timeout(self) -> float | None:
        if self.mode is not WizardMode.ASSISTED or self._held:
            return None
        return round(self._session.now() + self._settings.suggestion_seconds, 3)

    def change_mode(self, mode: WizardMode) -> None:
        """Change the mode; the agent's scripts that wait go over into the new one."""
        if mode is self.mode:
            return
        self._session.note(NoteKind.WIZARD_MODE, seat=self._seat, mode=mode.value, before=self.mode.value)
        before, self.mode = self.mode, mode
        if mode is WizardMode.AUTONOMOUS:
            begins = 0.0
            for suggestion in self.waiting:  # one after the other, or their messages would mix
                self._close(suggestion, SuggestionVerdict.AUTONOMOUS)
                begins = self._send(suggestion, suggestion.steps, DecidedBy.AGENT, begins=begins)
        elif before is WizardMode.AUTONOMOUS:
            for response, steps in self._withdraw():
                self.suggest(response, steps)
        else:
            self._held.clear()
            self._set_timeouts()

    def supersede(self) -> None:
        """End the wait of all suggestions: the agent has interrupted itself, or the fallback has its seat."""
        self._close_all(SuggestionVerdict.SUPERSEDED)

    def end_game(self) -> None:
        """End the wait of all suggestions: the game is over."""
        self._close_all(SuggestionVerdict.GAME_ENDED)

    def restore(self, mode: WizardMode, count: int, waiting: Iterable[Suggestion]) -> None:
        """Continue in the state that the log of a resumed session has.

        Args:
            mode: The mode.
            count: The number of suggestions so far.
            waiting: Those without an answer; in assisted mode they wait for the full time again.
        """
        self.mode, self._count = mode, count
        for suggestion in waiting:
            self._keep(suggestion._replace(expires_at=self._timeout()))

    def _set_timeouts(self) -> None:
        """Start the time-outs of the mode again, for their full time."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        waiting, self._waiting = self.waiting, {}
        for suggestion in waiting:
            self._keep(suggestion._replace(expires_at=self._timeout()))

    def _time_out(self, number: int) -> None:
        suggestion = self._waiting.get(number)
        if suggestion is None:
            return
        if self._settings.on_timeout is SuggestionTimeout.DROP:
            self._close(suggestion, SuggestionVerdict.TIMED_OUT_DROPPED)
            return
        self._close(suggestion, SuggestionVerdict.TIMED_OUT_SENT)
        self._send(suggestion, suggestion.steps, DecidedBy.AGENT)

    def _send(
        self,
        suggestion: Suggestion,
        steps: tuple[ScriptStep, ...],
        by: DecidedBy,
        *,
        delay: float = 0.0,
        begins: float = 0.0,
    ) -> float:
        """Perform steps from now on, or from a later session time; return when the last is due."""
        now = self._session.now()
        origin = ActionOrigin(by, suggestion.response.request.stimulus.seq, now)
        return self._perform(suggestion.response, steps, max(now, begins), delay, origin)

    def _close_all(self, verdict: SuggestionVerdict) -> None:
        for suggestion in self.waiting:
            self._close(suggestion, verdict)

    def _close(
        self,
        suggestion: Suggestion,
        verdict: SuggestionVerdict,
        steps: tuple[ScriptStep, ...] | None = None,
    ) -> None:
        number, now = suggestion.number, self._session.now()
        changed = {} if steps is None else {"steps": [_dump(step) for step in steps]}
        self._session.note(
            NoteKind.SUGGESTION_ANSWERED,
            suggestion.response.request.stimulus.seq,
            seat=self._seat,
            number=number,
            verdict=verdict.value,
            seconds=round(now - suggestion.made_at, 3),
            **changed,
        )
        del self._waiting[number]
        timer = self._timers.pop(number, None)
        if timer is not None:
            timer.cancel()
        self.on_closed(number, verdict)
        if number in self._held:
            self._held.discard(number)
            self._set_timeouts()


def _dump(step: ScriptStep) -> dict[str, object]:
    if isinstance(step, ScheduledCall):
        raise TypeError("a callback is no step of a suggestion")
    return dump_step(step)
