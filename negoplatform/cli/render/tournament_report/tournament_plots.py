"""Plots of a tournament: scores with intervals, pairs of agents, outcomes of a game, moments of agreement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import sqrt
from statistics import quantiles

from negoplatform.analysis.tournament.tables import AgentScore, PairScore
from negoplatform.analysis.tournament.tournament_game import TournamentGame
from negoplatform.app.playback.outcome_space import OutcomePoints, OutcomeSpace
from negoplatform.cli.render.tournament_report.html_page import HEAT_LEVELS, PAGE_COLOURS, heat_colours
from negoplatform.domain.game import GameSpec
from negoplatform.gui.plots.outcome_plot_drawing import RING, draw_solutions, draw_space, space_entries
from negoplatform.gui.plots.plot_drawing_builder import (
    MARGIN,
    SMALL,
    AxisScale,
    LegendEntry,
    PlotDrawingBuilder,
    PlotStyle,
)
from negoplatform.gui.plots.plot_fonts import shorten_text, text_width
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.localized_names import displayable
from negoplatform.presentation.plots.axis_ticks import ticks
from negoplatform.presentation.plots.drawing import (
    Axes,
    Drawing,
    DrawingItem,
    FilledRectangle,
    Marker,
    Polyline,
    TextLabel,
)

WIDE = 900.0
"""Width of a plot across the page, in pixels at 96 dpi."""

WIDEST_AGENT = 170.0
"""Maximum width of an agent's name in a plot."""

ROW_HEIGHT = 26.0
"""Height of an agent's row in a plot."""

MOST_CELL_NUMBERS = 16
"""Number of agents up to which the fields of the heat map have numbers."""

MOST_PAIRS_NAMED = 6
"""Number of pairs of agents that the description of an agreement names."""

GRID = 120
"""Number of columns and rows of the grid in which only one outcome of a game is drawn for each field."""


def name_for_plot(name: str) -> str:
    """Return an agent's name as it fits into a plot."""
    return shorten_text(displayable(name), SMALL, WIDEST_AGENT)


def scores_plot(scores: Sequence[AgentScore], title: str, axis: str) -> Drawing:
    """Return a plot of the agents' mean scores with their intervals, the best agent on top.

    Args:
        scores: The agents' rows, the best first; those without a mean are left out.
        title: The title.
        axis: The name of the score.
    """
    rows = [row for row in scores if row.mean is not None]
    values = [value for row in rows for value in (row.low, row.mean, row.high) if value is not None]
    figure = PlotDrawingBuilder(_style(len(rows)), title)
    axes = figure.draw_axes(_value_scale(values, axis), _agent_scale([row.agent for row in rows]))
    colours = figure.style.colours
    for i, row in enumerate(rows):
        y = axes.y(-i)
        if row.low is not None and row.high is not None:
            low, high = axes.x(row.low), axes.x(row.high)
            figure.add_items(Polyline(((low, y), (high, y)), colours.mine, 3))
            figure.add_items(*(Polyline(((x, y - 5), (x, y + 5)), colours.mine, 2) for x in (low, high)))
        x = axes.x(row.mean or 0.0)
        figure.add_items(Marker(x, y, "circle", 5, colours.mine, colours.card, 1.5, _score_words(row)))
    return figure.drawing()


def _score_words(row: AgentScore) -> str:
    interval = "" if row.low is None else f", 95 % interval {row.low:.3f} to {row.high:.3f}"
    return f"{displayable(row.agent)}: {row.mean:.3f}{interval}"


def agreement_time_plot(
    games: Sequence[TournamentGame], specs: Mapping[str, GameSpec], agents: Sequence[str]
) -> Drawing | None:
    """Return a plot of when each agent's agreements came, as a share of the game's deadline.

    A thin line from the 5th to the 95th percentile, a thick one between the quartiles, and a dot at the
    median. None if no game with a deadline ended with an agreement.
    """
    moments: dict[str, list[float]] = {agent: [] for agent in agents}
    for game in games:
        moment = agreement_moment(game, specs.get(game.game))
        for agent in game.agents if moment is not None else ():
            moments[agent].append(moment or 0.0)
    known = [agent for agent in agents if moments[agent]]
    if not known:
        return None
    figure = PlotDrawingBuilder(_style(len(known)), "Moment of the agreements")
    scale = AxisScale(
        (-0.02, 1.02), (0, 0.25, 0.5, 0.75, 1), ("start", "25 %", "50 %", "75 %", "deadline"), ""
    )
    axes = figure.draw_axes(scale, _agent_scale(known))
    colours = figure.style.colours
    for i, agent in enumerate(known):
        y, own = axes.y(-i), moments[agent]
        cuts = quantiles(own, n=20, method="inclusive") if len(own) > 1 else own * 19
        for low, high, width in ((cuts[0], cuts[18], 1.5), (cuts[4], cuts[14], 6)):
            figure.add_items(Polyline(((axes.x(low), y), (axes.x(high), y)), colours.mine, width))
        words = f"{displayable(agent)}: half of {len(own)} agreements by {100 * cuts[9]:.0f} % of the game"
        figure.add_items(Marker(axes.x(cuts[9]), y, "circle", 5, colours.card, colours.mine, 2, words))
    return figure.drawing()


def agreement_moment(game: TournamentGame, spec: GameSpec | None) -> float | None:
    """Return when a game's agreement came, from 0 (start) to 1 (deadline); None without either."""
    if game.deal is None or spec is None or not spec.rules.has_deadline:
        return None
    return spec.rules.progress(game.seconds, game.offers)


def pairs_plot(
    pairs: Sequence[PairScore],
    agents: Sequence[str],
    title: str,
    value: Callable[[PairScore], float | None] = lambda row: row.mean,
) -> Drawing:
    """Return a heat map: a row for each agent, a column for each opponent.

    Args:
        pairs: The rows of the pairs.
        agents: The agents, the best first.
        title: The title.
        value: The number of a field; the mean score if it is not given.
    """
    values = {(row.agent, row.opponent): value(row) for row in pairs}
    known = [number for number in values.values() if number is not None]
    low, high = min(known, default=0.0), max(known, default=0.0)
    names = [f"{i}  {name_for_plot(agent)}" for i, agent in enumerate(agents, start=1)]
    room = max((text_width(name, SMALL) for name in names), default=0.0)
    left, top = MARGIN + room + 10, 66.0
    heads, cell = _column_heads(agents, (WIDE - left - MARGIN) / max(1, len(agents)))
    width, height = left + cell * len(agents) + MARGIN, top + ROW_HEIGHT * len(agents) + MARGIN
    items: list[DrawingItem] = [
        TextLabel(MARGIN, MARGIN + 8, title, PAGE_COLOURS.ink, 13, bold=True),
        TextLabel(MARGIN, top - 12, "agent", PAGE_COLOURS.muted, SMALL),
        TextLabel(left, top - 26, "opponent", PAGE_COLOURS.muted, SMALL),
    ]
    for i, name in enumerate(names):
        y = top + ROW_HEIGHT * (i + 0.5)
        x = left + cell * (i + 0.5)
        items.append(TextLabel(MARGIN, y, name, PAGE_COLOURS.ink, SMALL))
        items.append(TextLabel(x, top - 10, heads[i], PAGE_COLOURS.ink, SMALL, anchor="middle"))
    for i, agent in enumerate(agents):
        for j, opponent in enumerate(agents):
            number = values.get((agent, opponent))
            place = left + cell * j, top + ROW_HEIGHT * i
            items += _heat_cell(number, place, cell, low, high, numbered=len(agents) <= MOST_CELL_NUMBERS)
    axes = Axes(left, top, width - MARGIN, height - MARGIN, (0, 1), (0, 1))
    return Drawing(max(width, 320.0), height, PAGE_COLOURS.card, title, tuple(items), axes)


def _column_heads(agents: Sequence[str], space: float) -> tuple[list[str], float]:
    """Return the heads and the width of columns: names if these fit, else the rows' numbers."""
    names = [name_for_plot(agent) for agent in agents]
    width = max(72.0, *(text_width(name, SMALL) + 8 for name in names)) if names else 72.0
    if width <= space:
        return names, width
    return [str(i) for i in range(1, len(agents) + 1)], min(72.0, space)


def _heat_cell(
    value: float | None, place: tuple[float, float], cell: float, low: float, high: float, *, numbered: bool
) -> list[DrawingItem]:
    x, y = place
    middle = x + cell / 2, y + ROW_HEIGHT / 2
    if value is None:
        return [TextLabel(*middle, "–", PAGE_COLOURS.muted, SMALL, anchor="middle")]
    share = (value - low) / (high - low) if high > low else 0.5
    fill, ink = heat_colours(min(HEAT_LEVELS - 1, int(share * HEAT_LEVELS)))
    field: list[DrawingItem] = [FilledRectangle(x + 0.5, y + 0.5, cell - 1, ROW_HEIGHT - 1, fill)]
    if numbered:
        field.append(TextLabel(*middle, short_number(value), ink, SMALL, anchor="middle"))
    return field


def short_number(value: float) -> str:
    """Return a number with about three digits: ``0.513``, ``12.4``, ``340``."""
    size = abs(value)
    return (
        f"{value:.3f}"
        if size < 1
        else f"{value:.2f}"
        if size < 10
        else f"{value:.1f}"
        if size < 100
        else f"{value:.0f}"
    )


def game_plot(
    space: OutcomeSpace,
    agreements: Counter[tuple[OutcomePoints, tuple[str, str]]],
    seats: tuple[str, str],
    title: str,
) -> Drawing:
    """Return a plot of a game's outcomes with all agreements; the more at a point, the larger its mark.

    Args:
        space: The game's outcomes.
        agreements: The number of agreements by the seats' points and the agents.
        seats: The displayed names of the seats.
        title: The title.
    """
    style = PlotStyle(PAGE_COLOURS, ENGLISH, 520, 400)
    figure = PlotDrawingBuilder(style, title)
    mark = Marker(0, 0, "circle", 5, PAGE_COLOURS.theirs, PAGE_COLOURS.card, 1)
    figure.add_legend([LegendEntry("agreement", marker=mark), *space_entries(style, space)])
    if space.sample_size < space.total:
        figure.add_note(
            f"{space.sample_size:,} of {space.total:,} possible deals are shown, drawn at random."
        )
    if space.frontier_error:
        figure.add_note(space.frontier_error)
    point = draw_space(figure, replace(space, dots=_thinned(space)), seats)
    by_place: dict[OutcomePoints, Counter[tuple[str, str]]] = {}
    for (place, agents), count in agreements.items():
        by_place.setdefault(place, Counter())[agents] += count
    most = max((counts.total() for counts in by_place.values()), default=1)
    # Small marks on top of large ones, so that both are seen.
    for place, counts in sorted(by_place.items(), key=lambda pair: (-pair[1].total(), pair[0])):
        x, y = point(place)
        radius = 3 + 8 * sqrt(counts.total() / most)
        words = _agreement_words(counts)
        figure.add_items(Marker(x, y, "circle", radius, PAGE_COLOURS.theirs, PAGE_COLOURS.card, 1, words))
        figure.reserve(x, y, radius)
    for at, words, colour in draw_solutions(figure, space, point):
        figure.add_label(at, words, colour, off=RING + 4)
    return figure.drawing()


def _agreement_words(counts: Counter[tuple[str, str]]) -> str:
    named = [
        f"{displayable(a)} and {displayable(b)}: {n}" for (a, b), n in counts.most_common(MOST_PAIRS_NAMED)
    ]
    more = len(counts) - len(named)
    total = counts.total()
    lines = [f"{total} agreement{'' if total == 1 else 's'}", *named]
    return "\n".join([*lines, f"and {more} more pairs"] if more > 0 else lines)


def _thinned(space: OutcomeSpace) -> tuple[OutcomePoints, ...]:
    """Return one outcome for each field of a grid: more would make the file large and the plot no clearer."""
    fields: dict[tuple[int, int], OutcomePoints] = {}
    for dot in space.dots:
        across, up = (
            round(scale.share(points) * GRID) for scale, points in zip(space.scales, dot, strict=True)
        )
        fields.setdefault((across, up), dot)
    return tuple(fields.values())


def _style(rows: int) -> PlotStyle:
    return PlotStyle(PAGE_COLOURS, ENGLISH, WIDE, 100 + ROW_HEIGHT * rows)


def _agent_scale(agents: Sequence[str]) -> AxisScale:
    places = tuple(float(-i) for i in range(len(agents)))
    return AxisScale((0.5 - len(agents), 0.5), places, [name_for_plot(agent) for agent in agents], "")


def _value_scale(values: Sequence[float], title: str) -> AxisScale:
    low, high = min(values), max(values)
    pad = 0.05 * (high - low) or 0.5
    at = ticks(low - pad, high + pad, 10)
    return AxisScale((low - pad, high + pad), at, [f"{value:g}" for value in at], title)
