"""Round values for an axis."""

from __future__ import annotations

from math import ceil, floor, log10

SECONDS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200)
"""Steps of a time axis that people count in."""


def ticks(low: float, high: float, most: int) -> tuple[float, ...]:
    """Round values from ``low`` to ``high``, at most so many; ``high`` is above ``low``."""
    step = round_step((high - low) / max(1, most - 1))
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    # Decimal places of the step, so that three steps of 0.1 are 0.3.
    places = max(0, -floor(log10(step)))
    return tuple(round(i * step, places) for i in range(first, last + 1))


def round_step(least: float) -> float:
    """The smallest of 1, 2 and 5, times a power of ten, that is not below ``least``."""
    power = 10.0 ** floor(log10(least))
    for factor in (1, 2, 5):
        if factor * power >= least * (1 - 1e-9):
            return factor * power
    return 10 * power


def time_ticks(end: float, most: int) -> tuple[int, ...]:
    """Round session times from 0 to ``end`` seconds, at most so many."""
    least = end / max(1, most - 1)
    step = next((step for step in SECONDS if step >= least), SECONDS[-1] * ceil(least / SECONDS[-1]))
    return tuple(range(0, floor(end) + 1, step))


def time_text(seconds: float) -> str:
    """A session time: ``2:05``, ``1:02:05``."""
    whole = int(seconds)
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours}:{minutes:02d}:{whole % 60:02d}" if hours else f"{minutes}:{whole % 60:02d}"
