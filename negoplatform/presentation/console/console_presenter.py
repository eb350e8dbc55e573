"""Contents of the console: a session in progress, who sits where, and the list of its events. No Tk."""

from __future__ import annotations

from dataclasses import dataclass

from negoplatform.app.playback.playback import ObservedEvent
from negoplatform.core.events import DecidedBy, EventType
from negoplatform.core.state import Phase
from negoplatform.domain.game_display_texts import names_role
from negoplatform.domain.joining_settings import WizardMode
from negoplatform.domain.seat_map import SYSTEM, Seat
from negoplatform.presentation.console.watched_session import WatchedSession
from negoplatform.presentation.i18n import Language, gettext_noop
from negoplatform.presentation.localized_names import displayable, localized_role
from negoplatform.presentation.plots.axis_ticks import time_text
from negoplatform.presentation.replay.replay_presenter import ReplayFrame, ReplayPresenter
from negoplatform.presentation.replay.seat_occupant_names import SEPARATOR

MODE_WORDS = {
    WizardMode.AUTONOMOUS: gettext_noop("wizard: autonomous"),
    WizardMode.ASSISTED: gettext_noop("wizard: assisted"),
    WizardMode.MANUAL: gettext_noop("wizard: manual"),
}
"""Modes of the wizard of a seat in words."""

DECIDED_WORDS = {
    DecidedBy.AGENT: gettext_noop("agent"),
    DecidedBy.WIZARD: gettext_noop("wizard"),
    DecidedBy.PRINCIPAL: gettext_noop("principal"),
    DecidedBy.FALLBACK: gettext_noop("fallback agent"),
}
"""Makers of decisions in words; a person in their own seat has none."""

WIZARD_NOT_CONNECTED = gettext_noop("wizard not connected")
NOT_CONNECTED = gettext_noop("not connected")


@dataclass(frozen=True, slots=True)
class OccupantRow:
    """Occupant of a seat in words.

    Args:
        seat: The seat.
        name: The name of the occupant.
        words: The role of the seat, who holds it, its wizard and its connection.
        is_lost: Whether a connection is lost.
    """

    seat: Seat
    name: str
    words: str
    is_lost: bool = False


@dataclass(frozen=True, slots=True)
class EventRow:
    """Row of the list of events.

    Args:
        position: The position of the event in the session.
        number: Its number.
        time: Its session time.
        who: Who caused it, with who decided it where that is no matter of course.
        text: The event in words, in one line.
    """

    position: int
    number: str
    time: str
    who: str
    text: str


@dataclass(frozen=True, slots=True)
class ConsoleView:
    """View of the console at one moment.

    Args:
        frame: The panels.
        t: The session time in seconds.
        seats: The seats' occupants.
        status: The state of the session in words.
        is_urgent: Whether the status needs the experimenter.
    """

    frame: ReplayFrame
    t: float
    seats: tuple[OccupantRow, ...]
    status: str
    is_urgent: bool


class ConsolePresenter:
    """Presenter of a session in progress.

    Args:
        session: The session.
        translate: The window's language.
    """

    def __init__(self, session: WatchedSession, translate: Language) -> None:
        self._session = session
        self._translate = translate
        self.replay = ReplayPresenter(session.playback, session.observer, session.participants, translate)
        self._game_words = translate.for_game(session.playback.game.name)

    @property
    def notice(self) -> str:
        """The sentence that says what is shown, and to whom it must not be shown; empty for the public."""
        observer, translate = self._session.observer, self._translate
        if observer.seat == SYSTEM:
            return translate(
                "This window shows what the system sees, as it happens. Participants must not see it."
            )
        if observer.own_seat is None and observer.seat is not None:
            return translate(
                "This window shows what {name} sees, as it happens. Participants must not see it.",
                name=self._session.participants.view_name(observer, translate),
            )
        if not self._session.shows_everything:
            return ""
        return translate(
            "This window shows everything, from all sides, as it happens. Participants must not see it."
        )

    def extend(self) -> None:
        """Add the events that the session has had since."""
        self.replay.extend()

    def view(self, position: int | None) -> ConsoleView:
        """Return the view at a position of the past; None: at the present moment."""
        session = self._session
        if position is None:
            position, t = len(session.playback.events), session.session_time
        else:
            t = session.playback.time_at(position)
        status, is_urgent = self._status()
        return ConsoleView(
            self.replay.frame_at(position, t),
            t,
            tuple(map(self._seat_row, session.seats)),
            status,
            is_urgent,
        )

    def event_row(self, moment: ObservedEvent, text: str) -> EventRow | None:
        """Return the row of an event, of which ``text`` are the words; None for a tick of the clock."""
        event, translate = moment.event, self._translate
        if event.type == EventType.TIME:
            return None
        who = self._session.participants.name(event.sender, translate)
        kind, decided = self._kind(event.sender), event.decided_by
        if kind and decided in DECIDED_WORDS and decided.value != kind:
            who = translate("{name} ({kind})", name=who, kind=translate(DECIDED_WORDS[decided]))
        return EventRow(moment.position, str(event.seq), time_text(event.t), who, " ".join(text.split()))

    def _kind(self, seat: str) -> str:
        occupant = self._session.participants.occupants.get(seat)
        return "" if occupant is None else occupant.kind

    def _seat_row(self, seat: Seat) -> OccupantRow:
        session, translate = self._session, self._translate
        words, lost = [], self._lost_words(seat)
        if names_role(seat, session.playback.game):
            words.append(localized_role(seat, self._game_words))
        if session.shows_everything:
            words += self._operator_words(seat)
        words += [translate(sentence) for sentence in lost]
        return OccupantRow(seat, session.participants.names[seat], SEPARATOR.join(words), bool(lost))

    def _operator_words(self, seat: Seat) -> list[str]:
        """Return who acts in a seat: a person or an agent, and the mode of its wizard."""
        session, translate = self._session, self._translate
        occupant, facts = session.participants.occupants[seat], session.seats[seat]
        if facts.agent:
            words = [translate("now the agent {name}", name=displayable(facts.agent))]
        elif occupant.kind == "agent":
            words = [translate("agent {name}", name=displayable(occupant.agent or occupant.name))]
        else:
            words = [translate("person")]
        return words if facts.mode is None else [*words, translate(MODE_WORDS[facts.mode])]

    def _lost_words(self, seat: Seat) -> list[str]:
        """Return whose connections to a seat are missing in a session that is not over."""
        session = self._session
        facts, status = session.seats[seat], session.status
        if status.finished:
            return []
        waits = facts.wizard_joined is False or (facts.wizard_joined is None and status.started)
        words = (
            [WIZARD_NOT_CONNECTED] if session.shows_everything and facts.mode is not None and waits else []
        )
        return [*words, NOT_CONNECTED] if seat in status.absent else words

    def _status(self) -> tuple[str, bool]:
        """Return the state of the session in words, and whether it needs the experimenter."""
        session, translate = self._session, self._translate
        status = session.status
        if status.error_message:
            return displayable(translate(status.error_message)), True
        if status.finished:
            return translate(
                "The session is over. Everything stays readable here until you close the window."
            ), False
        if status.frozen:
            return displayable(status.frozen), True
        state = session.playback.state_at(len(session.playback.events))
        if state.phase is Phase.CLOSING:
            return translate("The game has ended; last messages are possible."), False
        if not status.started:
            return translate("The game has not begun yet."), False
        if status.paused:
            return translate("The clock is stopped while a participant reads."), False
        if status.absent:
            return translate("A connection is lost."), True
        return translate("The session is running."), False
