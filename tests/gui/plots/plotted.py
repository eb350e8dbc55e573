"""Played session, its plots, and a search for their items."""

from __future__ import annotations

import gettext
from collections.abc import Callable, Mapping
from pathlib import Path

from negoplatform.app.playback.offer_metrics import RecordedOffer, recorded_offers, utility_scales
from negoplatform.app.playback.outcome_space import OutcomeSpace, outcome_space
from negoplatform.app.playback.playback import Playback
from negoplatform.core.visibility import EXPERIMENTER, Observer
from negoplatform.domain.game import GameSpec
from negoplatform.gui.plots.outcome_plot_drawing import outcomes_plot
from negoplatform.gui.plots.plot_drawing_builder import PlotStyle
from negoplatform.gui.plots.utility_plot_drawing import utilities_plot
from negoplatform.presentation.color_palette import LIGHT, Palette
from negoplatform.presentation.i18n import ENGLISH, Language
from negoplatform.presentation.plots.drawing import Drawing, Marker, Polyline, TextLabel
from negoplatform.presentation.plots.seat_styles import SeatStyle, seat_styles
from negoplatform.testing import TrialTable
from tests.eventlog.logs import recorded

NAMES = {"human": "Participant", "agent": "Rowan"}


def talk(table: TrialTable) -> None:
    """Play offers of (11, 0) points at 0 s, (0, 11) at 60 s, a partial one, and (4, 9) at 180 s.

    The points are those of human and agent.
    """
    table.human.offers(colour="red", size="large")
    table.wait(60)
    table.agent.offers(colour="blue", size="small")
    table.wait(60)
    table.human.offers(size="small")
    table.wait(60)
    table.agent.offers(colour="green", size="small")
    table.human.accepts()
    table.agent.accepts()
    table.play_out()


class Whispering(Language):
    """Language that marks the window's own texts, to distinguish them from data."""

    def __init__(self, code: str = "en") -> None:
        super().__init__(code, gettext.NullTranslations())

    def __call__(self, text: str, /, **values: object) -> str:
        return "~" + super().__call__(text, **values)

    def plural(self, one: str, many: str, number: float, /, **values: object) -> str:
        return "~" + super().plural(one, many, number, **values)


class Session:
    """Played session with its plots."""

    def __init__(
        self, folder: Path, game: GameSpec, play: Callable[[TrialTable], object], names: Mapping[str, str]
    ) -> None:
        self.playback = Playback.open(recorded(folder, game, play))
        self.names = names

    def offers(self, observer: Observer = EXPERIMENTER) -> tuple[RecordedOffer, ...]:
        return recorded_offers(self.playback, observer)

    def sides(self, colours: Palette = LIGHT) -> tuple[SeatStyle, ...]:
        return seat_styles(self.names, next(iter(self.names)), colours)

    def utilities(self, paper: PlotStyle, observer: Observer = EXPERIMENTER) -> Drawing:
        end = self.playback.state_at(len(self.playback.events))
        return utilities_plot(
            paper,
            self.offers(observer),
            utility_scales(self.playback.header_for(observer).game),
            self.sides(paper.colours),
            seconds=self.playback.seconds,
            ended_at=end.ended_at,
        )

    def outcomes(self, paper: PlotStyle, space: OutcomeSpace | None = None) -> Drawing:
        space = space or outcome_space(self.playback.game)
        return outcomes_plot(paper, space, self.offers(), self.sides(paper.colours))


def paper(colours: Palette = LIGHT, translate: Language = ENGLISH) -> PlotStyle:
    return PlotStyle(colours, translate, 560, 340)


def words(drawing: Drawing) -> list[str]:
    return [item.text for item in drawing.items if isinstance(item, TextLabel)]


def dots(drawing: Drawing, *, told: bool = True) -> list[Marker]:
    return [item for item in drawing.items if isinstance(item, Marker) and bool(item.tooltip) is told]


def lines(drawing: Drawing, colour: str) -> list[Polyline]:
    return [item for item in drawing.items if isinstance(item, Polyline) and item.colour == colour]
