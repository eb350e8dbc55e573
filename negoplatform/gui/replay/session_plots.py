"""Offers of a recorded session in figures, and plots of them. No Tk."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import combinations

from negoplatform.app.playback.offer_metrics import OfferLedger, RecordedOffer, utility_scales
from negoplatform.app.playback.outcome_space import OutcomeSpace, outcome_space
from negoplatform.app.playback.playback import Playback
from negoplatform.gui.plots.outcome_plot_drawing import outcomes_plot
from negoplatform.gui.plots.plot_drawing_builder import PlotStyle
from negoplatform.gui.plots.utility_plot_drawing import utilities_plot
from negoplatform.gui.replay.recorded_session import FigureKind, RecordedSession
from negoplatform.presentation.plots.drawing import Drawing
from negoplatform.presentation.replay.seat_occupant_names import SeatOccupantNames


class SessionPlots(RecordedSession):
    """Figures of a session of bargaining, as far as its log has them; slow ones are computed on demand.

    Args:
        playback: The session.
        participants: The names of the session.
    """

    def __init__(self, playback: Playback, participants: SeatOccupantNames) -> None:
        super().__init__(playback, participants)
        self._ledger = OfferLedger(self.game)
        self._positions: list[int] = []
        self._added = 0
        self.scales = utility_scales(self.game)
        self.space: OutcomeSpace | None = None
        self.axis_pairs = _axis_pairs(self.game.seats.index(participants.mine), len(self.game.seats))
        self.axes = self.axis_pairs[0]

    @property
    def offers(self) -> Sequence[RecordedOffer]:
        """The offers, oldest first; with those that a session in progress has had since."""
        observed, ledger = self.playback.observed_events(self.observer), self._ledger
        for moment in observed[self._added :]:
            ledger.add(moment)
        self._added = len(observed)
        self._positions += [offer.position for offer in ledger.offers[len(self._positions) :]]
        return ledger.offers

    def offer_at(self, position: int) -> RecordedOffer | None:
        """Return the last offer sent before a position."""
        offers = self.offers
        at = bisect_right(self._positions, position)
        return offers[at - 1] if at else None

    def compute_outcomes(self) -> OutcomeSpace:
        """Compute every possible deal; takes up to a few seconds.

        Raises:
            NegoError: If the preferences of a seat are not in the log, or have no tables.
        """
        return outcome_space(self.game)

    def utilities(self, style: PlotStyle) -> Drawing:
        """Return a plot of the offers' utilities over time."""
        return utilities_plot(
            style,
            self.offers,
            self.scales,
            self.seat_styles(style.colours),
            seconds=self.playback.seconds,
            ended_at=self.playback.state_at(len(self.playback.events)).ended_at,
        )

    def outcomes(self, style: PlotStyle, space: OutcomeSpace) -> Drawing:
        """Return a plot of every possible deal and of the offers' path, by the points of two seats."""
        return outcomes_plot(style, space, self.offers, self.seat_styles(style.colours), self.axes)

    def show_next_axes(self) -> None:
        """Choose the next two seats for the plot of outcomes."""
        at = self.axis_pairs.index(self.axes)
        self.axes = self.axis_pairs[(at + 1) % len(self.axis_pairs)]

    def export_drawing(self, which: FigureKind, style: PlotStyle) -> Drawing:
        """Return a drawing to be saved; a transcript is as high as its text needs.

        Raises:
            NegoError: If it cannot be drawn.
        """
        match which:
            case FigureKind.UTILITIES:
                return self.utilities(style)
            case FigureKind.OUTCOMES:
                self.space = self.space or self.compute_outcomes()
                return self.outcomes(style, self.space)
            case _:
                return super().export_drawing(which, style)


def _axis_pairs(mine: int, seats: int) -> list[tuple[int, int]]:
    """Return every pair of seats once: with two in the game's order, with more those with a seat first."""
    if seats <= 2:
        return [(0, 1)]
    others = [i for i in range(seats) if i != mine]
    return [*((mine, i) for i in others), *combinations(others, 2)]
