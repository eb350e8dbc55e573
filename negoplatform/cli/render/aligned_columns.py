"""Rows of text in aligned columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def align_columns(rows: Sequence[Sequence[str]], names: int) -> Iterator[str]:
    """Yield rows as aligned columns; the first ``names`` columns are left-aligned, numbers right-aligned."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            cell.ljust(width) if i < names else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join(cells).rstrip()


def decimal_number(value: float | None, digits: int = 3) -> str:
    """Return a number with as many decimal places; a dash for None."""
    return "-" if value is None else f"{value:.{digits}f}"


def percent(share: float | None) -> str:
    """Return a share, 0 to 1, in per cent; a dash for None."""
    return "-" if share is None else f"{100 * share:.0f} %"
