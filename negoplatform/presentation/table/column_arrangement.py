"""Arrangement of the table's columns in windows of any size. No Tk.

All lengths are in pixels at 96 dpi and the text size in use.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

TableColumn = Literal["side", "talk", "offer"]

COLUMNS: tuple[TableColumn, ...] = ("side", "talk", "offer")
"""Columns in reading order."""

MIN_WIDTHS: dict[TableColumn, int] = {"side": 250, "talk": 340, "offer": 384}
"""Widths below which a column is not usable."""

GROWTH_STAGES: tuple[dict[TableColumn, int], ...] = (
    {"talk": 372},
    {"side": 316},
    {"talk": 600},
    {"side": 360, "offer": 420, "talk": 900},
    {"side": 520, "offer": 640, "talk": 1300},
)
"""Widths to which columns grow, stage by stage; the columns of a stage grow in parallel."""

GAP, NARROW_GAP = 12, 8
"""Gap between and around columns: usual, and in small windows."""

WIDE_GAP_SIZE = 1200, 680
"""Minimum width and height of a window for the larger gap."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Columns that are shown side by side.

    Args:
        shown: Visible columns, in reading order.
        widths: Widths of the visible columns.
        tabs: Columns that can be selected by tabs; empty if all are visible.
        gap: Gap between columns.
        margin: Margin left and right of all columns.
    """

    shown: tuple[TableColumn, ...]
    widths: tuple[int, ...]
    tabs: tuple[TableColumn, ...]
    gap: int
    margin: int


def arrange_columns(width: float, height: float, chosen: TableColumn) -> Arrangement:
    """Return the arrangement for a window.

    Args:
        width: Width of the window.
        height: Height of the window.
        chosen: Column that was selected last.
    """
    gap = GAP if width >= WIDE_GAP_SIZE[0] and height >= WIDE_GAP_SIZE[1] else NARROW_GAP
    shown: tuple[TableColumn, ...]
    tabs: tuple[TableColumn, ...] = ()
    if _min_width(COLUMNS, gap) <= width:
        shown = COLUMNS
    elif _min_width(("talk", "offer"), gap) <= width:
        # The talk is always visible.
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
    """Return the columns' widths, and the width that is left over."""
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
