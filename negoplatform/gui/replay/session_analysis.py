"""What a researcher wants to know of a recorded session: its offers in figures, and plots of them. No Tk."""

from __future__ import annotations

from bisect import bisect_right
from enum import StrEnum

from negoplatform.app.playback.offer_metrics import PlayedOffer, played_offers, scales_of
from negoplatform.app.playback.outcome_space import OutcomeSpace, outcome_space
from negoplatform.app.playback.playback import Playback
from negoplatform.formats.interpretations import readings_by_message
from negoplatform.gui.plots.figure import Paper
from negoplatform.gui.plots.outcome_plot import outcomes_plot
from negoplatform.gui.plots.utility_plot import utilities_plot
from negoplatform.gui.replay.transcript_picture import transcript_picture
from negoplatform.presentation.color_palette import Palette
from negoplatform.presentation.plots.drawing import Drawing
from negoplatform.presentation.plots.labels import Side, sides_of
from negoplatform.presentation.replay.participants import Cast
from negoplatform.presentation.replay.replay_presenter import Reading


class Picture(StrEnum):
    """What can be kept as a picture."""

    UTILITIES = "utilities"
    OUTCOMES = "outcomes"
    TRANSCRIPT = "transcript"


class Study:
    """A session's figures, as far as its log holds them; what takes long is computed when it is asked for.

    Args:
        playback: The session.
        cast: Who sits where.
    """

    def __init__(self, playback: Playback, cast: Cast) -> None:
        self.playback, self.cast = playback, cast
        self.observer = playback.observers[0]
        self.game = playback.header_for(self.observer).game
        self.offers = played_offers(playback, self.observer)
        self.scales = scales_of(self.game)
        self.space: OutcomeSpace | None = None
        self.readings = readings_by_message(playback.events)
        self._positions = [offer.position for offer in self.offers]
        self._ended_at = playback.state_at(len(playback.events)).ended_at

    def offer_at(self, position: int) -> PlayedOffer | None:
        """The offer that was sent last by a position."""
        at = bisect_right(self._positions, position)
        return self.offers[at - 1] if at else None

    def sides(self, colours: Palette) -> tuple[Side, ...]:
        """How the seats look."""
        return sides_of(self.cast.names, self.cast.mine, colours)

    def look_at_outcomes(self) -> OutcomeSpace:
        """Every deal that there could have been; takes up to a few seconds.

        Raises:
            NegoError: If the preferences of a seat are not in the log, or have no tables.
        """
        return outcome_space(self.game)

    def utilities(self, paper: Paper) -> Drawing:
        """What the offers were worth, over time."""
        return utilities_plot(
            paper,
            self.offers,
            self.scales,
            self.sides(paper.colours),
            seconds=self.playback.seconds,
            ended_at=self._ended_at,
        )

    def outcomes(self, paper: Paper, space: OutcomeSpace) -> Drawing:
        """Every deal, and the way that the offers took."""
        return outcomes_plot(paper, space, self.offers, self.sides(paper.colours))

    def picture(self, which: Picture, paper: Paper) -> Drawing:
        """A picture to be kept; the transcript is as high as it has to be.

        Raises:
            NegoError: If it cannot be drawn.
        """
        match which:
            case Picture.UTILITIES:
                return self.utilities(paper)
            case Picture.OUTCOMES:
                self.space = self.space or self.look_at_outcomes()
                return self.outcomes(paper, self.space)
            case Picture.TRANSCRIPT:
                reading = Reading(self.playback, self.observer, self.cast, paper.say)
                return transcript_picture(reading.lines, paper)
