"""Drawing of a recorded outcome among those of its forks, by the points of both sides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from negoplatform.presentation.color_palette import LIGHT
from negoplatform.presentation.plots.axis_ticks import ticks
from negoplatform.presentation.plots.drawing import (
    Axes,
    Drawing,
    DrawingItem,
    Marker,
    Polyline,
    TextLabel,
)

WIDTH, HEIGHT = 520.0, 440.0
LEFT, TOP, RIGHT, BOTTOM = 64.0, 44.0, 24.0, 56.0
MOST_TICKS = 7

PointPair = tuple[float, float]
"""Points of the other side and of the seat of the other agent."""


def fork_drawing(
    recorded: PointPair | None, forks: Sequence[PointPair], *, sides: tuple[str, str], title: str
) -> Drawing:
    """Return the drawing: a star for the recorded outcome, a circle for each fork's, a cross for their mean.

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
    yield TextLabel(LEFT, TOP / 2, title, LIGHT.ink, size=13, bold=True)
    for value in ticks(*axes.horizontal, MOST_TICKS):
        x = axes.x(value)
        yield Polyline(((x, axes.top), (x, axes.bottom)), LIGHT.line, 1.0)
        yield TextLabel(x, axes.bottom + 14, f"{value:g}", LIGHT.muted, anchor="middle")
    for value in ticks(*axes.vertical, MOST_TICKS):
        y = axes.y(value)
        yield Polyline(((axes.left, y), (axes.right, y)), LIGHT.line, 1.0)
        yield TextLabel(axes.left - 6, y, f"{value:g}", LIGHT.muted, anchor="end")
    yield TextLabel((axes.left + axes.right) / 2, axes.bottom + 36, sides[0], LIGHT.ink, anchor="middle")
    yield TextLabel(axes.left, axes.top - 8, sides[1], LIGHT.ink)


def _marks(axes: Axes, recorded: PointPair | None, forks: Sequence[PointPair]) -> Iterator[DrawingItem]:
    def mark(pair: PointPair, name: str, **style: object) -> Marker:
        tip = f"{name}: {pair[0]:g}, {pair[1]:g}"
        return Marker(axes.x(pair[0]), axes.y(pair[1]), tooltip=tip, **style)  # type: ignore[arg-type]

    for number, pair in enumerate(forks, start=1):
        yield mark(pair, f"fork {number}", radius=4.5, edge=LIGHT.theirs)
    if forks:
        mean = (sum(pair[0] for pair in forks) / len(forks), sum(pair[1] for pair in forks) / len(forks))
        yield mark(mean, "mean of the forks", shape="cross", radius=7.0, fill=LIGHT.theirs)
    if recorded is not None:
        yield mark(recorded, "recorded", shape="star", radius=7.0, fill=LIGHT.mine)
