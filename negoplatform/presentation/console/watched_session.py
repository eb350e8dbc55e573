"""Session in progress, held by a window that only watches: events, status and occupants of seats. No Tk."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from negoplatform.app.playback.playback import LivePlayback
from negoplatform.app.session.windows.session_feed import (
    FeedEvent,
    FeedItem,
    FeedStatus,
    RoleKind,
    SessionIntroduction,
)
from negoplatform.core.events import Event, EventType, Note
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.visibility import Observer
from negoplatform.domain.joining_settings import WizardMode
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.replay.seat_occupant_names import SeatOccupantNames, participants_of


@dataclass(slots=True)
class WatchedSeat:
    """Facts about the occupant of a seat that the notes of a log give.

    Args:
        mode: The mode of its wizard; None: there is none.
        wizard_joined: Whether the wizard's window is connected; None: it has not joined as far as is known.
        agent: The agent that has taken the seat over; empty: none.
    """

    mode: WizardMode | None = None
    wizard_joined: bool | None = None
    agent: str = ""


class WatchedSession:
    """Session in progress, folded from the items of its feed, each of which costs the same.

    Args:
        introduction: The introduction of the window.
        translate: The window's language.
        now: The clock, in seconds; it is used for the display alone.
    """

    def __init__(
        self,
        introduction: SessionIntroduction,
        translate: Language,
        *,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.introduction = introduction
        self.role = introduction.role
        self.playback = LivePlayback(introduction.header)
        self.participants: SeatOccupantNames = participants_of(introduction.header, translate)
        wizards = introduction.header.wizards
        self.seats: dict[Seat, WatchedSeat] = {
            seat: WatchedSeat(wizards[seat].mode if seat in wizards else None)
            for seat in introduction.header.seats
        }
        self.status = FeedStatus(0.0, running=False, started=False)
        self._now = now
        self._status_at = now()

    @property
    def observer(self) -> Observer:
        """The observer whose view is shown."""
        return self.playback.observers[0]

    @property
    def shows_everything(self) -> bool:
        """Whether the whole session is shown, from all sides."""
        return self.role.kind is RoleKind.EXPERIMENTER

    @property
    def session_time(self) -> float:
        """The session time in seconds, by the clock of this window since the last status."""
        t = self.status.session_time
        if self.status.running:
            t += self._now() - self._status_at
        return max(t, self.playback.seconds)

    def take(self, item: FeedItem) -> None:
        """Take an item of the feed; events that are known already are left out."""
        match item:
            case FeedEvent(event):
                if self.playback.append(event):
                    self._read(event)
            case FeedStatus():
                self.status, self._status_at = item, self._now()
            case _:
                pass  # the wizard's own items do not reach a window that watches

    def _read(self, event: Event) -> None:
        if event.type == EventType.RESUMED:
            for facts in self.seats.values():
                facts.wizard_joined = None  # the windows of an interrupted session have to join again
        elif isinstance(event.payload, Note):
            self._read_note(event.payload)

    def _read_note(self, note: Note) -> None:
        seat = note.data.get("seat")
        facts = self.seats.get(seat) if isinstance(seat, str) else None
        if facts is None:
            return
        match note.kind:
            case NoteKind.WIZARD_MODE:
                facts.mode = WizardMode(note.data["mode"])
            case NoteKind.SEAT_JOINED if note.data.get("role") == RoleKind.WIZARD:
                facts.wizard_joined = True
            case NoteKind.SEAT_LEFT if note.data.get("role") == RoleKind.WIZARD:
                facts.wizard_joined = False
            case NoteKind.FALLBACK_SEATED | NoteKind.SEAT_TAKEN_OVER:
                facts.agent = str(note.data.get("agent", ""))
            case _:
                pass
