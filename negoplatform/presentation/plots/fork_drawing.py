"""Drawing of a recorded outcome among those of its forks, by the points of both sides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import sqrt

from negoplatform.presentation.color_palette import LIGHT
from negoplatform.presentation.plots.axis_ticks import grid
from negoplatform.presentation.plots.drawing import (
    Axes,
    Drawing,
    DrawingItem,
    Marker,
    TextLabel,
)

WIDTH, HEIGHT = 520.0, 440.0
LEFT, TOP, RIGHT, BOTTOM = 64.0, 72.0, 24.0, 56.0
LEGEND_STEP = 150.0
MOST_TICKS = 7

RECORDED = Marker(0, 0, "star", 7.0, fill=LIGHT.mine)
FORK = Marker(0, 0, radius=4.5, edge=LIGHT.theirs)
MEAN = Marker(0, 0, "cross", 7.0, fill=LIGHT.theirs)

PointPair = tuple[float, float]
"""Points of the other side and of the seat of the other agent."""


def fork_drawing(
    recorded: PointPair | None, forks: Sequence[PointPair], *, sides: tuple[str, str], title: str
) -> Drawing:
    """Return the drawing: a star for the recorded outcome, circles for those of forks, a cross for the mean.

    Forks with one outcome are one circle, larger the more there are.

    Args:
        recorded: The recorded outcome; None: it gave no points.
        forks: The outcomes of the forks; those without points are left out.
        sides: The names of the axes: the horizontal one, the vertical one.
        title: The title.
    """
    known = [*forks, *([] if recorded is None else [recorded])]
    axes = Axes(
        LEFT,
        TOP,
        WIDTH - RIGHT,
        HEIGHT - BOTTOM,
        _range([pair[0] for pair in known]),
        _range([pair[1] for pair in known]),
    )
    items = [*_frame(axes, sides, title), *_marks(axes, recorded, forks)]
    return Drawing(WIDTH, HEIGHT, LIGHT.ground, title, tuple(items), axes)


def _range(values: Sequence[float]) -> tuple[float, float]:
    """Return an axis with some room around its values."""
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    room = 0.08 * (high - low) or max(1.0, 0.1 * abs(high))
    return low - room, high + room


def _frame(axes: Axes, sides: tuple[str, str], title: str) -> Iterator[DrawingItem]:
    yield TextLabel(LEFT, 18, title, LIGHT.ink, size=13, bold=True)
    for i, (look, words) in enumerate(
        ((RECORDED, "recorded"), (FORK, "forks, larger: more"), (MEAN, "their mean"))
    ):
        x = LEFT + 6 + i * LEGEND_STEP
        yield replace(look, x=x, y=40)
        yield TextLabel(x + 12, 40, words, LIGHT.ink)
    yield from grid(axes, MOST_TICKS)
    yield TextLabel((axes.left + axes.right) / 2, axes.bottom + 36, sides[0], LIGHT.ink, anchor="middle")
    yield TextLabel(axes.left, axes.top - 8, sides[1], LIGHT.ink)


def _marks(axes: Axes, recorded: PointPair | None, forks: Sequence[PointPair]) -> Iterator[DrawingItem]:
    def mark(pair: PointPair, name: str, look: Marker) -> Marker:
        tip = f"{name}: {pair[0]:g}, {pair[1]:g}"
        return replace(look, x=axes.x(pair[0]), y=axes.y(pair[1]), tooltip=tip)

    counts = Counter(forks)
    for pair, count in counts.most_common():  # small circles on top of large ones
        radius = FORK.radius + 6 * sqrt((count - 1) / len(forks))
        yield mark(pair, f"{count} fork{'' if count == 1 else 's'}", replace(FORK, radius=radius))
    if forks:
        mean = (sum(pair[0] for pair in forks) / len(forks), sum(pair[1] for pair in forks) / len(forks))
        yield mark(mean, "mean of the forks", MEAN)
    if recorded is not None:
        yield mark(recorded, "recorded", RECORDED)
