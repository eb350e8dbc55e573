"""Round values for an axis, and the grid of a plot at them."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, floor, log10

from negoplatform.presentation.color_palette import LIGHT
from negoplatform.presentation.plots.drawing import Axes, DrawingItem, Polyline, TextLabel

SECONDS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200)
"""Usual steps of a time axis, in seconds."""


def ticks(low: float, high: float, most: int) -> tuple[float, ...]:
    """Return at most ``most`` round values from ``low`` to ``high``, which is above ``low``."""
    step = round_step((high - low) / max(1, most - 1))
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    # Rounded to the decimal places of the step, so three steps of 0.1 are 0.3.
    places = max(0, -floor(log10(step)))
    return tuple(round(i * step, places) for i in range(first, last + 1))


def round_step(least: float) -> float:
    """Return the smallest 1, 2 or 5 times a power of ten that is not below ``least``."""
    power = 10.0 ** floor(log10(least))
    for factor in (1, 2, 5):
        if factor * power >= least * (1 - 1e-9):
            return factor * power
    return 10 * power


def grid(axes: Axes, most: int, form: str = "g") -> Iterator[DrawingItem]:
    """Yield the lines of a plot at round values, with the values at its left and lower edge.

    Args:
        axes: The plot area.
        most: The maximum number of lines in each direction.
        form: The format of the values at the lower edge.
    """
    for value in ticks(*axes.horizontal, most):
        x = axes.x(value)
        yield Polyline(((x, axes.top), (x, axes.bottom)), LIGHT.line, 1.0)
        yield TextLabel(x, axes.bottom + 14, f"{value:{form}}", LIGHT.muted, anchor="middle")
    for value in ticks(*axes.vertical, most):
        y = axes.y(value)
        yield Polyline(((axes.left, y), (axes.right, y)), LIGHT.line, 1.0)
        yield TextLabel(axes.left - 6, y, f"{value:g}", LIGHT.muted, anchor="end")


def time_ticks(end: float, most: int) -> tuple[int, ...]:
    """Return at most ``most`` round session times from 0 to ``end`` seconds."""
    least = end / max(1, most - 1)
    step = next((step for step in SECONDS if step >= least), SECONDS[-1] * ceil(least / SECONDS[-1]))
    return tuple(range(0, floor(end) + 1, step))


def time_text(seconds: float) -> str:
    """Return a session time as text: ``2:05``, ``1:02:05``."""
    whole = int(seconds)
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours}:{minutes:02d}:{whole % 60:02d}" if hours else f"{minutes}:{whole % 60:02d}"
