"""The whole state of a session in words, for a wizard who has opened it. No Tk."""

from __future__ import annotations

from negoplatform.core.events import Event, OfferMade
from negoplatform.core.fold import apply, initial_state
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.visibility import EXPERIMENTER
from negoplatform.formats.log_header import Header
from negoplatform.presentation.event_texts import address_text
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import displayable
from negoplatform.presentation.offers.term_texts import offer_line
from negoplatform.presentation.replay.act_words import act_words
from negoplatform.presentation.replay.all_sides_view import header_view, side_priorities
from negoplatform.presentation.replay.seat_occupant_names import participants_of
from negoplatform.presentation.time_and_points_text import clock_text


class WholeState:
    """Whole state of a session: the complete header of its log, and the events so far.

    Args:
        header: The complete header.
        translate: The window's language.
    """

    def __init__(self, header: Header, translate: Language) -> None:
        self._header = header
        self._participants = participants_of(header, translate)
        self._mechanism = mechanism_of(header.game.mechanism)
        self._state = initial_state(header.game, self._mechanism, header.session_id, header.initial_record)
        self._events: list[Event] = []

    def add(self, event: Event) -> None:
        """Add the next event; one that is known already changes nothing."""
        if self._events and event.seq <= self._events[-1].seq:
            return
        self._events.append(event)
        self._state = apply(self._state, event, self._mechanism)

    @property
    def count(self) -> int:
        """The number of events."""
        return len(self._events)

    def summary(self, now: float, translate: Language) -> tuple[str, ...]:
        """Return the state of all sides at a session time in seconds, one sentence or heading per line."""
        game, participants = self._header.game, self._participants
        words = act_words(self._events, game, participants.names, translate)
        header = header_view(self._state, now, participants, EXPERIMENTER, translate)
        lines = [
            displayable(f"{participants.names[seat]}: {who.agent or who.participant or who.name}")
            for seat, who in self._header.seats.items()
        ]
        lines += [f"{header.points_words}: {header.points}" if header.points else header.points_words]
        lines += [header.compared, words.state_text(self._state, now)]
        for section in side_priorities(game, participants, translate):
            worths = [
                ": ".join(filter(None, (issue.title, issue.text)))
                + "".join(f"; {value} {points}" for value, points in issue.levels)
                for issue in section.priorities.issues
            ]
            lines.append(f"{section.title} ({section.note})")
            lines += [*worths, *section.priorities.interactions]
        return tuple(line for line in lines if line.strip())

    def event_lines(self, translate: Language, after: int = 0) -> tuple[str, ...]:
        """Return the events from a position on in words, one line each.

        Args:
            translate: The window's language, with the game's texts.
            after: The number of events that are left out at the beginning.
        """
        names = self._participants.names
        words = act_words(self._events, self._header.game, names, translate)
        return tuple(self._line(event, words.text(event), translate) for event in self._events[after:])

    def _line(self, event: Event, text: str, translate: Language) -> str:
        who = self._participants.name(event.sender, translate)
        decided = "" if event.decided_by is None else f" ({event.decided_by.value})"
        to = address_text(event, None, self._participants.names, translate)
        said = f"{text} [{to}]" if to else text
        if isinstance(event.payload, OfferMade):
            offer, game = event.payload.offer, self._header.game
            said = f"{said} ({offer_line(offer, game, None, self._participants.names, translate)})"
        return f"{event.seq}  {clock_text(event.t, translate)}  {who}{decided}: {said}"
