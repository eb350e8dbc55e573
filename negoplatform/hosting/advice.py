"""Advice to the person in a seat: scripts of an agent that are shown and never performed.

At most one piece of advice is open at a time:

    made -> used          the person took it over into the offer builder or the message field, or accepted or
                          quit as advised
    made -> dismissed     the person closed it
    made -> superseded    newer advice came, the person offered, accepted or quit by themselves, or another
                          seat made an offer
    made -> game ended
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from negoplatform.agent_api.actions import (
    FormalAccept,
    FormalQuit,
    MechanismAct,
    SendMessage,
    SendOffer,
)
from negoplatform.core.bus import PublishedEvent
from negoplatform.core.events import EventType
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.session import Session
from negoplatform.core.state import NEGOTIATING
from negoplatform.domain.errors import Refused
from negoplatform.domain.joining_settings import AdviceVerdict
from negoplatform.domain.seat_map import Seat
from negoplatform.formats.agent_actions import dump_step
from negoplatform.hosting.agent_runner import AgentResponse, ScriptStep

ADVISED_STEPS = (SendMessage, SendOffer, FormalAccept, FormalQuit, MechanismAct)
"""Steps that are advice; expressions, typing signs and changes of the record are not."""

_DECISIONS: dict[str, type] = {EventType.FORMAL_ACCEPT: FormalAccept, EventType.FORMAL_QUIT: FormalQuit}
"""Acts that no button takes over: the person performs them, or does not."""


def advised_steps(steps: Sequence[ScriptStep]) -> tuple[ScriptStep, ...]:
    """Return the steps of a script that are advice, in order."""
    return tuple(step for step in steps if isinstance(step, ADVISED_STEPS))


class Advice(NamedTuple):
    """Open piece of advice.

    Args:
        number: Its number, 1, 2, 3 … for its seat in the session.
        steps: Its steps, in order.
        made_at: Session time (s) at which it was made.
        cause: The number of the event that the adviser answered by it.
    """

    number: int
    steps: tuple[ScriptStep, ...]
    made_at: float
    cause: int


class AdviceControl:
    """Advice to the person in one seat. Runs on the session's thread.

    Args:
        seat: The person's seat.
        session: The session.
    """

    def __init__(self, seat: Seat, session: Session) -> None:
        self.on_changed: Callable[[], object] = lambda: None
        """Called when there is other advice than before, or none any more."""
        self.open: Advice | None = None
        """The open piece of advice; None: there is none."""
        self._seat = seat
        self._session = session
        self._count = 0

    def advise(self, response: AgentResponse, steps: Sequence[ScriptStep]) -> None:
        """Advise the person to do some steps of a response; older advice is superseded."""
        if not steps or self._session.state.phase is not NEGOTIATING:
            return
        self._close(AdviceVerdict.SUPERSEDED)
        cause, number = response.request.stimulus.seq, self._count + 1
        try:
            self._session.note(
                NoteKind.ADVISED,
                cause,
                seat=self._seat,
                number=number,
                steps=[dump_step(step) for step in steps],  # type: ignore[arg-type]  # none is a callback
            )
        except Refused:
            return  # the session is over
        self._count = number
        self.open = Advice(number, tuple(steps), self._session.now(), cause)
        self.on_changed()

    def answer(self, number: int, *, used: bool) -> bool:
        """Answer a piece of advice for the person; return whether it was still open."""
        if self.open is None or self.open.number != number:
            return False
        self._close(AdviceVerdict.USED if used else AdviceVerdict.DISMISSED)
        return True

    def follow(self, published: PublishedEvent) -> None:
        """End advice that an event has made pointless."""
        event = published.event
        if self.open is None:
            return
        if event.type == EventType.GAME_END:
            self._close(AdviceVerdict.GAME_ENDED)
        elif event.sender == self._seat and event.type in _DECISIONS:
            followed = any(isinstance(step, _DECISIONS[event.type]) for step in self.open.steps)
            self._close(AdviceVerdict.USED if followed else AdviceVerdict.SUPERSEDED)
        elif event.type == EventType.SEND_OFFER:
            self._close(AdviceVerdict.SUPERSEDED)

    def supersede(self) -> None:
        """End open advice: the adviser no longer advises."""
        self._close(AdviceVerdict.SUPERSEDED)

    def restore(self, count: int, left_open: Advice | None) -> None:
        """Continue in the state that the log of a resumed session has.

        Args:
            count: The number of pieces of advice so far.
            left_open: The one without an answer.
        """
        self._count, self.open = count, left_open

    def _close(self, verdict: AdviceVerdict) -> None:
        closed, self.open = self.open, None
        if closed is None:
            return
        self._session.note(
            NoteKind.ADVICE_ANSWERED,
            closed.cause,
            seat=self._seat,
            number=closed.number,
            verdict=verdict.value,
            seconds=round(self._session.now() - closed.made_at, 3),
        )
        self.on_changed()
