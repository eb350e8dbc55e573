"""Recorded session with what the replay of every kind of game needs, and pictures of it. No Tk."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from negoplatform.app.playback.playback import ObservedEvent, Playback
from negoplatform.core.events import Message
from negoplatform.domain.errors import NegoError
from negoplatform.formats.interpretations import RecordedInterpretation, interpretations_by_message
from negoplatform.gui.plots.plot_drawing_builder import PlotStyle
from negoplatform.gui.replay.transcript_picture import transcript_picture
from negoplatform.presentation.color_palette import Palette
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.plots.drawing import Drawing
from negoplatform.presentation.plots.seat_styles import SeatStyle, seat_styles
from negoplatform.presentation.replay.act_words import act_words
from negoplatform.presentation.replay.event_words import ActWords
from negoplatform.presentation.replay.replay_presenter import ReplayPresenter
from negoplatform.presentation.replay.seat_occupant_names import SeatOccupantNames


class FigureKind(StrEnum):
    """Kind of picture that can be saved."""

    UTILITIES = "utilities"
    OUTCOMES = "outcomes"
    PRICES = "prices"
    SCORES = "scores"
    TRANSCRIPT = "transcript"


class RecordedSession:
    """Session as the first observer of its log sees it: the one who sees most.

    Args:
        playback: The session.
        participants: The names of the session.
    """

    def __init__(self, playback: Playback, participants: SeatOccupantNames) -> None:
        self.playback, self.participants = playback, participants
        self.observer = playback.observers[0]
        self.game = playback.header_for(self.observer).game
        self._interpretations: tuple[int, Mapping[int, RecordedInterpretation]] = (0, {})
        self._words: ActWords | None = None
        self._read = 0

    def seat_styles(self, colours: Palette) -> tuple[SeatStyle, ...]:
        """Return the style of each seat."""
        return seat_styles(self.participants.names, self.participants.mine, colours)

    def interpretation_of(self, moment: ObservedEvent) -> RecordedInterpretation | None:
        """Return the interpretation of a typed message; None for every other event."""
        if not isinstance(moment.event.payload, Message):
            return None
        events = self.playback.events
        if self._interpretations[0] != len(events):
            self._interpretations = len(events), interpretations_by_message(events)
        return self._interpretations[1].get(moment.event.seq)

    def event_text(self, moment: ObservedEvent, translate: Language) -> str:
        """Return an event in words for the experimenter."""
        if self._words is None:
            translate = translate.for_game(self.game.name)
            self._words = act_words((), self.game, self.participants.names, translate)
        observed = self.playback.observed_events(self.observer)
        for each in observed[self._read :]:
            self._words.add(each.event)
        self._read = len(observed)
        return self._words.text(moment.event)

    def export_drawing(self, which: FigureKind, style: PlotStyle) -> Drawing:
        """Return a drawing to be saved; a transcript is as high as its text needs.

        Raises:
            NegoError: If a session of this kind of game has no such picture, or it cannot be drawn.
        """
        if which is not FigureKind.TRANSCRIPT:
            raise NegoError(
                style.translate(
                    "{game} is a kind of game without the picture {name}; please choose another picture.",
                    game=self.game.title,
                    name=which.value,
                )
            )
        reading = ReplayPresenter(self.playback, self.observer, self.participants, style.translate)
        return transcript_picture(reading.lines, style)
