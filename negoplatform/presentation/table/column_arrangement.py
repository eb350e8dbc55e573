"""How the table's columns share a window of any size. No Tk.

All lengths are for 96 dpi at the text size that is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

TableColumn = Literal["side", "talk", "offer"]

COLUMNS: tuple[TableColumn, ...] = ("side", "talk", "offer")
"""In the order in which they are read."""

MIN_WIDTHS: dict[TableColumn, int] = {"side": 250, "talk": 340, "offer": 384}
"""Widths below which a column isn't usable."""

GROWTH_STAGES: tuple[dict[TableColumn, int], ...] = (
    {"talk": 372},
    {"side": 316},
    {"talk": 600},
    {"side": 360, "offer": 420, "talk": 900},
    {"side": 520, "offer": 640, "talk": 1300},
)
"""What columns grow to, one stage after the other; the columns of one stage grow evenly."""

GAP, NARROW_GAP = 12, 8
"""Between columns and around them."""

WIDE_GAP_SIZE = 1200, 680
"""Windows of this width and height have the larger gap."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The columns that stand side by side.

    Args:
        shown: Those that are seen, in the order in which they are read.
        widths: Of these, in the same order.
        tabs: Those among which a press chooses; none if all are seen.
        gap: Between columns.
        margin: Left and right of all columns.
    """

    shown: tuple[TableColumn, ...]
    widths: tuple[int, ...]
    tabs: tuple[TableColumn, ...]
    gap: int
    margin: int


def arrange_columns(width: float, height: float, chosen: TableColumn) -> Arrangement:
    """Return what a window shows.

    Args:
        width: Of the window.
        height: Of the window.
        chosen: The column that was asked for last.
    """
    gap = GAP if width >= WIDE_GAP_SIZE[0] and height >= WIDE_GAP_SIZE[1] else NARROW_GAP
    shown: tuple[TableColumn, ...]
    tabs: tuple[TableColumn, ...] = ()
    if _min_width(COLUMNS, gap) <= width:
        shown = COLUMNS
    elif _min_width(("talk", "offer"), gap) <= width:
        # The talk is always seen.
        shown, tabs = ("talk", "side" if chosen == "side" else "offer"), ("offer", "side")
    else:
        shown, tabs = (chosen,), COLUMNS
    widths, left = _distribute_width(shown, int(width) - (len(shown) + 1) * gap, single=len(shown) == 1)
    return Arrangement(shown, widths, tabs, gap, gap + left // 2)


def _min_width(columns: Sequence[TableColumn], gap: int) -> int:
    return sum(MIN_WIDTHS[column] for column in columns) + (len(columns) + 1) * gap


def _distribute_width(
    columns: Sequence[TableColumn], room: int, *, single: bool
) -> tuple[tuple[int, ...], int]:
    """The columns' widths in all of the room, and what is left of it."""
    if single:
        return (room,), 0
    widths = {column: MIN_WIDTHS[column] for column in columns}
    spare = room - sum(widths.values())
    if len(columns) < len(COLUMNS):
        widths["talk"] += spare
        return tuple(widths[column] for column in columns), 0
    for stage in GROWTH_STAGES:
        wanted = {column: most - widths[column] for column, most in stage.items()}
        share = min(1.0, max(0, spare) / sum(wanted.values()))
        for column, more in wanted.items():
            widths[column] += int(more * share)
            spare -= int(more * share)
    return tuple(widths[column] for column in columns), max(0, spare)
