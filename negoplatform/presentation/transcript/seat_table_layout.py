"""Table of units with a row per seat, for an offer's card on which the seats do not fit as columns. No Tk."""

from __future__ import annotations

from collections.abc import Sequence

from negoplatform.presentation.plots.seat_styles import SeatMark
from negoplatform.presentation.transcript.layout_items import LayoutItem, SeatMarkItem, TextLayout, move_item
from negoplatform.presentation.transcript.text_metrics import drawable_text

MIN_COLUMN, MIN_NAMES = 52, 84
"""Minimum width of the column of an issue, and of the names, in pixels at 96 dpi."""

MAX_COLUMN = 96
"""Maximum width of the column of an issue, in pixels at 96 dpi."""

MARK, MARK_GAP, AIR = 10, 5, 2
"""Size of the mark before a name, gap after it, and space above and below a row, in pixels at 96 dpi."""


class SeatTableLayout:
    """Layout of an offer's units: a row per seat, a column per issue; more issues use a further table.

    Args:
        seats: Names of the seats, and at the end perhaps that of the undecided units.
        marks: Marks of the seats; empty, or None for a name without one.
        issues: Each issue: its title, then its units by seat.
        width: Width in pixels.
        text_layout: Layout of texts.
    """

    def __init__(
        self,
        seats: Sequence[str],
        marks: Sequence[SeatMark | None],
        issues: Sequence[Sequence[str]],
        width: int,
        text_layout: TextLayout,
    ) -> None:
        px = text_layout.px
        self._text_layout, self._width = text_layout, width
        self._marks = [*marks, *[None] * (len(seats) - len(marks))]
        self.pieces: list[LayoutItem] = []
        self.height = 0
        per_table = max(1, (width - px(MIN_NAMES)) // px(MIN_COLUMN))
        for first in range(0, len(issues), per_table):
            self._add_table(seats, issues[first : first + per_table])

    def _add_table(self, seats: Sequence[str], issues: Sequence[Sequence[str]]) -> None:
        layout, px = self._text_layout, self._text_layout.px
        most = (self._width - px(MIN_NAMES)) // len(issues)
        widest = max(layout.width(drawable_text(title), "small") for title, *_ in issues) + px(10)
        column = max(px(MIN_COLUMN), min(widest, most, px(MAX_COLUMN)))
        names = self._width - column * len(issues)
        titles = [layout.lines(title, "small", column - px(6)) for title, *_ in issues]
        tall = max(map(len, titles))
        for index, lines in enumerate(titles):
            top = self.height + layout.height("small", tall - len(lines))
            self._add_text((names + index * column, top, column), lines, "small", "muted")
        self.height += layout.height("small", tall) + px(AIR)
        for row, (name, mark) in enumerate(zip(seats, self._marks, strict=True)):
            cells = [issue[row + 1] for issue in issues]
            self._add_row(name, mark, cells, names, column)
        self.height += px(AIR)

    def _add_row(
        self, name: str, mark: SeatMark | None, cells: Sequence[str], names: int, column: int
    ) -> None:
        layout, px = self._text_layout, self._text_layout.px
        y, x = self.height + px(AIR), 0
        if any(self._marks):
            side, x = px(MARK), px(MARK + MARK_GAP)
            if mark is not None:
                self.pieces.append(SeatMarkItem(0, y + (layout.height("body") - side + 1) // 2, side, mark))
        room = names - x - px(4)
        self.pieces += layout.text_items((x, y, room), layout.line(name, "body", room), "body", "ink", "left")
        for index, cell in enumerate(cells):
            self._add_text(
                (names + index * column, y, column), [cell], "bold", "muted" if cell == "0" else "ink"
            )
        self.height = y + max(layout.height("body"), layout.height("bold")) + px(AIR)

    def _add_text(self, place: tuple[int, int, int], lines: Sequence[str], font: str, colour: str) -> None:
        self.pieces += self._text_layout.text_items(place, lines, font, colour, "middle")

    def moved_down(self, distance: int) -> list[LayoutItem]:
        """Return the pieces, lower by a distance in pixels."""
        return [move_item(piece, 0, distance) for piece in self.pieces]
