"""The inside of an offer's card in the transcript: a small table. No Tk."""

from __future__ import annotations

from collections.abc import Sequence

from negoplatform.gui.lines import Line
from negoplatform.gui.transcript_pieces import Piece, Setter, To
from negoplatform.gui.transcript_words import cleaned

LEAST_TITLE, GAP = 90, 18
"""The least width of an issue's title, and the room between it and what the offer says; for 96 dpi."""


class Card:
    """An offer's heading, its rows and what stands below them, set from top to bottom.

    Args:
        line: The offer.
        most: The width that it may have.
        setter: Sets its words.
    """

    def __init__(self, line: Line, most: int, setter: Setter) -> None:
        self._set = setter
        self.pieces: list[Piece] = []
        self.height = 0
        self._columns = self._widths_of_columns(line.columns, round(0.62 * most))
        self._divide(line, line.footer, most)
        self._head(line)
        for title, *cells in line.rows:
            self._row(title, cells)
        self._foot(line.footer)

    def _widths_of_columns(self, names: Sequence[str], most: int) -> list[int]:
        """The same for all if there is room, so that numbers are compared at a glance."""
        px = self._set.px
        own = [max(px(44), self._set.width(cleaned(name), "small") + px(12)) for name in names]
        same = [max(own, default=0)] * len(own)
        fitting = (widths for widths in (same, own) if sum(widths) <= most)
        return next(fitting, [most // max(1, len(own))] * len(own))

    def _divide(self, line: Line, footer: str, most: int) -> None:
        """How wide it is, and how much of that is for titles and how much for what the offer says."""
        px, width = self._set.px, self._set.width
        gap = px(GAP)
        single = [cells[0] for _, *cells in line.rows if not self._is_divided(cells)]
        titles = [width(cleaned(title), "body") for title, *_ in line.rows]
        heading = width(cleaned(line.text), "bold")
        names = max([px(LEAST_TITLE), *titles, heading if self._columns else 0])
        # Where both are long, each has its share.
        room = most - gap - min(names, max(px(LEAST_TITLE), round(0.45 * most)))
        widest = max((width(cleaned(value), "bold") for value in single), default=0)
        values = max(sum(self._columns), min(room, widest))
        names = max(px(LEAST_TITLE), min(names, most - gap - values))
        below = min(most, max(width(cleaned(footer), "small"), heading))
        self.width = max(names + gap + values, below)
        self._names = self.width - gap - values
        self._values = values

    def _is_divided(self, cells: Sequence[str]) -> bool:
        return bool(self._columns) and len(cells) == len(self._columns)

    def _head(self, line: Line) -> None:
        """The heading, and the columns' names beside it."""
        setter, px = self._set, self._set.px
        room = self._names if self._columns else self.width
        lines = setter.lines(line.text, "bold", room)
        colour = "primary" if line.mine else "theirs_words"
        self._put((0, 0, room), lines, "bold", colour, "left")
        drop = max(0, (setter.height("bold") - setter.height("small") + 1) // 2)
        x = self.width - sum(self._columns)
        for name, wide in zip(line.columns, self._columns, strict=True):
            self._put((x, drop, wide), setter.line(name, "small", wide - px(4)), "small", "muted", "middle")
            x += wide
        self.height = setter.height("bold", len(lines)) + px(4)

    def _row(self, title: str, cells: Sequence[str]) -> None:
        """One issue: a number in each column, or one value."""
        setter, air = self._set, self._set.px(4)
        titles, y = setter.lines(title, "body", self._names), self.height + air
        self._put((0, y, self._names), titles, "body", "ink", "left")
        tall = 1
        if self._is_divided(cells):
            x = self.width - sum(self._columns)
            for cell, wide in zip(cells, self._columns, strict=True):
                self._put((x, y, wide), setter.lines(cell, "bold", wide), "bold", "ink", "middle")
                x += wide
        else:
            lines = setter.lines(cells[0], "bold", self._values)
            tall = len(lines)
            to: To = "middle" if self._columns else "right"
            self._put((self.width - self._values, y, self._values), lines, "bold", "ink", to)
        self.height = y + max(setter.height("body", len(titles)), setter.height("bold", tall)) + air

    def _foot(self, text: str) -> None:
        if not text:
            return
        air = self._set.px(6)
        lines = self._set.lines(text, "small", self.width)
        self._put((0, self.height + air, self.width), lines, "small", "muted", "left")
        self.height += self._set.height("small", len(lines)) + air

    def _put(self, place: tuple[int, int, int], lines: Sequence[str], font: str, colour: str, to: To) -> None:
        self.pieces += self._set.words(place, lines, font, colour, to)
