"""Learning curve of a training, as an SVG file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from negoplatform.presentation.color_palette import LIGHT
from negoplatform.presentation.plots.axis_ticks import grid
from negoplatform.presentation.plots.drawing import Axes, Drawing, DrawingItem, Polyline, TextLabel
from negoplatform.presentation.plots.svg import to_svg
from negoplatform.training.policies.trainer import Generation

WIDTH, HEIGHT = 640.0, 400.0
LEFT, TOP, RIGHT, BOTTOM = 64.0, 76.0, 24.0, 56.0
MOST_TICKS = 7

LINES = (
    ("best candidate", LIGHT.muted),
    ("mean of candidates", LIGHT.theirs),
    ("policy", LIGHT.mine),
)
"""Lines with their colours, later ones on top."""


def learning_curve(generations: Sequence[Generation], title: str) -> str:
    """Return the scores of a training's generations by the steps made, as the text of an SVG file.

    Args:
        generations: The generations, one at least.
        title: The title.
    """
    scores = [value for each in generations for value in (each.mean, each.best, each.score)]
    low, high = min(scores), max(scores)
    room = 0.05 * (high - low) or 0.5
    axes = Axes(
        LEFT, TOP, WIDTH - RIGHT, HEIGHT - BOTTOM, (0, generations[-1].steps), (low - room, high + room)
    )
    items = (*_frame(axes, title), *_lines(axes, generations))
    return to_svg(Drawing(WIDTH, HEIGHT, LIGHT.ground, title, items, axes))


def _frame(axes: Axes, title: str) -> Iterator[DrawingItem]:
    yield TextLabel(LEFT, 20, title, LIGHT.ink, size=13, bold=True)
    for number, (words, colour) in enumerate(LINES):
        x = LEFT + 160 * number
        yield Polyline(((x, 44), (x + 22, 44)), colour, 3.0)
        yield TextLabel(x + 28, 44, words, LIGHT.ink)
    yield from grid(axes, MOST_TICKS, ",.0f")
    yield TextLabel((axes.left + axes.right) / 2, axes.bottom + 36, "steps", LIGHT.ink, anchor="middle")
    yield TextLabel(axes.left, axes.top - 10, "mean final points of an episode", LIGHT.ink)


def _lines(axes: Axes, generations: Sequence[Generation]) -> Iterator[DrawingItem]:
    values = (
        [each.best for each in generations],
        [each.mean for each in generations],
        [each.score for each in generations],
    )
    for (_, colour), heights in zip(LINES, values, strict=True):
        points = tuple(
            (axes.x(each.steps), axes.y(height)) for each, height in zip(generations, heights, strict=True)
        )
        yield Polyline(points if len(points) > 1 else points * 2, colour, 2.0)
