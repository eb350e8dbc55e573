"""Words for the events of a recorded session, as an observer of the whole log reads them. No Tk."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from negoplatform.core.events import EndedBy, Ending, Event, EventType, Note
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.state import State
from negoplatform.domain.game import LAST_ANSWER_SECONDS, GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.event_texts import displayed_name, event_text
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import displayable, localized_text
from negoplatform.presentation.replay.note_words import NoteReader
from negoplatform.presentation.replay.proposal_words import failure_sentence, proposal_sentence
from negoplatform.presentation.replay.seat_occupant_names import SEPARATOR
from negoplatform.presentation.table.work_presenter import WorkClock


@dataclass(frozen=True, slots=True)
class MomentView:
    """View of one moment of a game without offers: a heading, and sentences."""

    title: str
    lines: tuple[str, ...]


class ActWords(Protocol):
    """Words of one kind of game."""

    def add(self, event: Event, /) -> None:
        """Add a later event, to which others may refer."""

    def text(self, event: Event, /) -> str:
        """Return an event in one sentence or a few words."""

    def has_line(self, event: Event, /) -> bool:
        """Return whether an event has a line in the transcript."""

    def state_text(self, state: State, now: float, /) -> str:
        """Return the state at a session time (s) in one line."""

    def clock(self, state: State, now: float, /) -> WorkClock | None:
        """Return a clock at a session time (s) in place of that of the game; None without one."""

    def moment(self, state: State, /) -> MomentView:
        """Return what happens in a state."""


class GeneralWords:
    """Words of a kind of game without words of its own: acts are shown with their fields.

    Args:
        events: The events that the observer may see.
        game: The game.
        names: The names of all seats.
        translate: The window's language, with the game's texts.
        seat: The seat as whose participant the observer reads; empty: as an observer of everything.
    """

    def __init__(
        self,
        events: Iterable[Event],
        game: GameSpec,
        names: Mapping[Seat, str],
        translate: Language,
        seat: Seat = "",
    ) -> None:
        self.events = {event.seq: event for event in events}
        self.game, self.names, self.translate, self.seat = game, names, translate, seat

    def add(self, event: Event) -> None:
        """Add a later event, to which others may refer."""
        self.events[event.seq] = event

    def text(self, event: Event) -> str:
        """Return an event in one sentence or a few words."""
        if isinstance(event.payload, Note) and (noted := self.notes.text(event.payload)):
            return noted
        if proposed := proposal_sentence(event, self.game, self.names, self.translate):
            return proposed
        if failed := failure_sentence(event, self.game, self.translate):
            return failed
        own = self.seat if event.sender == self.seat else ""
        # A participant's transcript has no words for some acts, which an observer reads with their fields.
        return (own and self._text(event, own)) or self._text(event, None)

    @property
    def notes(self) -> NoteReader:
        """The words for notes about joined windows and wizards."""
        return NoteReader(self.game, self.names, self.translate, self.text)

    def _text(self, event: Event, seat: Seat | None) -> str:
        return event_text(
            event,
            seat,
            self.names,
            self.translate,
            mechanism=self.game.mechanism,
            outvoted=self.game.rules.outvoted,
            last_offer=self._is_last_offer_unanswered(event),
        )

    def _is_last_offer_unanswered(self, event: Event) -> bool:
        """Return whether an event is the end of a game whose last offer was not accepted in time."""
        most = self.game.rules.deadline_offers
        if most is None or not isinstance(event.payload, Ending):
            return False
        offers = [made.t for made in self.events.values() if made.type == EventType.SEND_OFFER]
        return len(offers) >= most and event.t >= max(offers) + LAST_ANSWER_SECONDS

    def has_line(self, event: Event) -> bool:
        """Return False for the calls that agents have scheduled, of which there is one for most acts."""
        return not (isinstance(event.payload, Note) and event.payload.kind is NoteKind.SCHEDULED_CALL)

    def state_text(self, state: State, now: float) -> str:  # noqa: ARG002 - the same call for every kind of game
        """Return what the rules say about the state."""
        lines = mechanism_of(self.game.mechanism).describe(state)
        return SEPARATOR.join(displayable(line) for line in lines)

    def clock(self, state: State, now: float) -> WorkClock | None:  # noqa: ARG002 - the same call for every kind of game
        """Return None: the clock is that of the game."""
        return None

    def moment(self, state: State) -> MomentView:  # noqa: ARG002 - the same call for every kind of game
        """Return the game's title and description."""
        game, translate = self.game, self.translate
        lines = (localized_text(game.description, translate),)
        return MomentView(localized_text(game.title, translate), tuple(filter(None, lines)))

    def name(self, seat: str) -> str:
        """Return the name of a seat, or of the platform."""
        return displayed_name(seat, self.names, self.translate)


class GoodsWords(GeneralWords, ABC):
    """Words of a game of goods and money; one kind of game has the words for its acts and facts."""

    def text(self, event: Event) -> str:
        """Return an event in one sentence or a few words."""
        return self.own_text(event) or self._ending(event) or super().text(event)

    @abstractmethod
    def own_text(self, event: Event) -> str:
        """Return an act or a fact of this kind of game in words; empty for any other event."""

    def _ending(self, event: Event) -> str:
        """Return the start or the end of the game, in which there is no deal; empty for any other event."""
        translate = self.translate
        if event.type == EventType.GAME_START:
            return translate("The game starts")
        match event.payload:
            case Ending(ended_by=EndedBy.TIMEOUT):
                return translate("Time is up")
            case Ending(ended_by=EndedBy.QUIT, by=by):
                return translate("{name} has left, and the game ends", name=self.name(by or ""))
            case Ending(ended_by=EndedBy.ABORTED | EndedBy.AGENT_FAILURE, reason=reason):
                why = displayable(translate(reason)) if reason else ""
                return translate("The game has ended early. {reason}", reason=why).strip()
            case _:
                return ""
