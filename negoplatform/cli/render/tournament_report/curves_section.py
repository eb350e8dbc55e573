"""Utility of the agents' proposals over time in the report of a tournament."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from negoplatform.analysis.tournament.tournament_game import TournamentGame
from negoplatform.analysis.tournament.utility_bands import UtilityBand, utility_bands
from negoplatform.cli.render.tournament_report.html_page import (
    PAGE_COLOURS,
    figure,
    figures,
    folded,
    paragraph,
)
from negoplatform.gui.plots.plot_drawing_builder import (
    AxisScale,
    LegendEntry,
    PlotDrawingBuilder,
    PlotStyle,
)
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.localized_names import displayable
from negoplatform.presentation.plots.drawing import Drawing, FilledArea, Marker, Polyline

WIDTH, HEIGHT = 340.0, 270.0

MOST_PLOTS = 150
"""Number of plots of single games up to which they are drawn; each is 8 kB."""

THIN = 1.0
DASHES = (3.0, 3.0)

CAPTION = (
    "The latest proposal of an agent at the end of each twentieth of a game, on average over its games. "
    "Utilities are shares of a side's range of points: 0 its worst outcome, 1 its best. A game counts up to "
    "the twentieth in which it ended, so later values are those of the games that took long. Own is what "
    "the agent's proposal is worth to the agent itself, other's is what the same proposal is worth to the "
    "other side. Pointing at a dot shows the numbers."
)


def curve_parts(games: Sequence[TournamentGame], agents: Sequence[str]) -> Iterator[str]:
    """Yield the HTML of the part about utilities over time; nothing without curves.

    Args:
        games: The games.
        agents: The agents, in the order of the plots.
    """
    bands = utility_bands(games)
    if not bands:
        return
    yield paragraph(CAPTION)
    yield _plots(bands, agents)
    by_game = utility_bands(games, by_game=True)
    names = sorted({band.game for band in by_game})
    plots = len({(band.game, band.agent) for band in by_game})
    if len(names) < 2:
        return
    if plots > MOST_PLOTS:
        yield paragraph("Those of single games are in curves.csv; they would be too many plots.")
        return
    for name in names:
        yield folded(name, _plots([band for band in by_game if band.game == name], agents))


def _plots(bands: Sequence[UtilityBand], agents: Sequence[str]) -> str:
    of_agents = [(agent, [band for band in bands if band.agent == agent]) for agent in agents]
    return figures(figure(curve_plot(agent, own)) for agent, own in of_agents if own)


def curve_plot(agent: str, bands: Sequence[UtilityBand]) -> Drawing:
    """Return a plot of an agent's proposals: the utility for itself in a band, and for the other side.

    Args:
        agent: The agent.
        bands: Its bands, in the order of progress, one or more.
    """
    colours = PAGE_COLOURS
    plot = PlotDrawingBuilder(PlotStyle(colours, ENGLISH, WIDTH, HEIGHT), displayable(agent))
    own = Marker(0, 0, "circle", 3, colours.mine, colours.card, 1)
    other = Marker(0, 0, "square", 3, colours.theirs, colours.card, 1)
    line = Polyline(((0, 0), (1, 0)), colours.mine_soft, 12)
    plot.add_legend(
        [
            LegendEntry("own, mean", marker=own),
            LegendEntry("80 % of the games", line=line),
            LegendEntry("other's, mean", marker=other),
            LegendEntry("80 % of the games", line=Polyline(((0, 0), (1, 0)), colours.theirs, THIN, DASHES)),
        ]
    )
    shares, progress = (0.0, 0.25, 0.5, 0.75, 1.0), ("start", "25 %", "50 %", "75 %", "end")
    axes = plot.draw_axes(
        AxisScale((0, 1.03), shares, progress, ""),
        AxisScale((-0.04, 1.04), shares, [f"{share:g}" for share in shares], "utility"),
    )

    def line_of(values: Sequence[float]) -> tuple[tuple[float, float], ...]:
        places = zip(bands, values, strict=True)
        return tuple((axes.x(band.progress), axes.y(value)) for band, value in places)

    low, high = line_of([band.own_low for band in bands]), line_of([band.own_high for band in bands])
    if len(bands) > 1:
        plot.add_items(FilledArea((*low, *reversed(high)), colours.mine_soft))
        plot.add_items(*(Polyline(edge, colours.mine, 0.5) for edge in (low, high)))
        for values in ([band.other_low for band in bands], [band.other_high for band in bands]):
            plot.add_items(Polyline(line_of(values), colours.theirs, THIN, DASHES))
        plot.add_items(Polyline(line_of([band.other_mean for band in bands]), colours.theirs, 1.5))
        plot.add_items(Polyline(line_of([band.own_mean for band in bands]), colours.mine, 2))
    for band, (x, y) in zip(bands, line_of([band.other_mean for band in bands]), strict=True):
        plot.add_items(Marker(x, y, "square", 2.5, colours.theirs, colours.card, 1, _words(band)))
    for band, (x, y) in zip(bands, line_of([band.own_mean for band in bands]), strict=True):
        plot.add_items(Marker(x, y, "circle", 3, colours.mine, colours.card, 1, _words(band)))
    return plot.drawing()


def _words(band: UtilityBand) -> str:
    return (
        f"{100 * band.progress:.0f} %, {band.games:,} game{'' if band.games == 1 else 's'}\n"
        f"own {band.own_mean:.3f} ({band.own_low:.3f} to {band.own_high:.3f})\n"
        f"other's {band.other_mean:.3f} ({band.other_low:.3f} to {band.other_high:.3f})"
    )
