"""Column of lines of which only those in view are measured at once, with the position of each. No Tk."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate


class VirtualColumn:
    """Line heights, visible part and scroll position of a column, in pixels.

    A line's position follows from the heights above it. Lines not yet measured have an estimated height; the
    scroll position is stored as a line and an offset in it, so the view does not move when estimates change.

    Args:
        height_of: Measures a line by its index.
        guess: Estimated height of a line.
        margin: Empty space above the first line and below the last.
    """

    def __init__(self, height_of: Callable[[int], int], *, guess: int, margin: int = 0) -> None:
        self._height_of = height_of
        self._guess = guess
        self._margin = margin
        self.view = 1
        self.clear()

    def clear(self) -> None:
        """Remove all lines."""
        self._heights: list[int] = []
        self._tops = [0]
        self._valid_tops = 0  # number of tops that are valid
        self._measured = bytearray()
        self._measured_from = 0  # all lines from this index on are measured
        self._anchor_line, self._anchor_offset = 0, -self._margin
        self.follows_end = True

    def __len__(self) -> int:
        return len(self._heights)

    @property
    def total(self) -> int:
        """Total height."""
        return self.top(len(self)) + self._margin

    @property
    def bottom(self) -> int:
        """Greatest scroll offset."""
        return max(0, self.total - self.view)

    @property
    def offset(self) -> int:
        """Height above the view."""
        if self.follows_end:
            return self.bottom
        return min(max(0, self.top(self._anchor_line) + self._anchor_offset), self.bottom)

    def top(self, index: int) -> int:
        """Return the top of a line."""
        if self._valid_tops < len(self._heights):
            sums = accumulate(self._heights[self._valid_tops :], initial=self._tops[self._valid_tops])
            self._tops[self._valid_tops :] = sums
            self._valid_tops = len(self._heights)
        return self._margin + self._tops[index]

    def index_at(self, place: int) -> int:
        """Return the index of the line at a position, or of the nearest line; there must be a line."""
        self.top(0)
        return min(max(0, bisect_right(self._tops, place - self._margin) - 1), len(self) - 1)

    def in_view(self) -> range:
        """Return the indexes of the lines that are at least partly in view."""
        return self._lines_from(self.offset)

    def add(self, count: int, *, touched: int = 0) -> None:
        """Add lines at the end; keep the view where it is, or at the end.

        ``touched``: number of lines before them whose height may have changed.
        """
        self._remeasure_tail(touched)
        self._heights += [self._guess] * count
        self._measured += bytes(count)
        self._measured_from = len(self)
        self.scroll_by(0)

    def remove_last(self, *, touched: int = 0) -> None:
        """Remove the last line; the heights of ``touched`` lines before it may have changed."""
        del self._heights[-1], self._measured[-1]
        self._valid_tops = min(self._valid_tops, len(self))
        del self._tops[len(self) + 1 :]
        self._measured_from = min(self._measured_from, len(self))
        self._remeasure_tail(touched)
        self.scroll_by(0)

    def _remeasure_tail(self, count: int) -> None:
        if count:
            self._measured[-count:] = bytes(count)
            self._measured_from = len(self)

    def invalidate(self) -> None:
        """Mark all heights as changed."""
        self._measured = bytearray(len(self))
        self._measured_from = len(self)
        self.scroll_by(0)

    def remeasure(self, index: int) -> None:
        """Measure a line again; the lines above it in view do not move."""
        if self._measured[index]:
            self._measure(index)
            self.scroll_by(0)

    def resize(self, view: int) -> None:
        """Set the height of the view."""
        self.view = max(1, view)
        self.scroll_by(0)

    def scroll_by(self, step: int) -> None:
        """Scroll down by a number of pixels, or up if ``step`` is negative."""
        self._scroll_to_offset(lambda: self.offset + step)

    @property
    def scroll_fraction(self) -> float:
        """Scroll position: 0 at the beginning, 1 at the end."""
        return self.offset / max(1, self.bottom)

    def scroll_to(self, share: float) -> None:
        """Scroll to a position from 0 to 1."""
        self._scroll_to_offset(lambda: round(share * self.bottom))

    def measure_some(self, enough: Callable[[], bool]) -> bool:
        """Measure estimated lines, last first, until ``enough`` returns true; return whether any are left."""
        while self._measured_from:
            self._measured_from -= 1
            if not self._measured[self._measured_from]:
                self._measure(self._measured_from)
                if enough():
                    break
        return self._measured_from > 0

    def _scroll_to_offset(self, wanted: Callable[[], int]) -> None:
        """Scroll to an offset, which may move while lines that come into view are measured."""
        while True:
            place = min(max(0, wanted()), self.bottom)
            guessed = [index for index in self._lines_from(place) if not self._measured[index]]
            if not guessed:
                break
            for index in guessed:
                self._measure(index)
        self.follows_end = place >= self.bottom
        if len(self):
            self._anchor_line = self.index_at(place)
            self._anchor_offset = place - self.top(self._anchor_line)

    def _measure(self, index: int) -> None:
        self._measured[index] = 1
        height = self._height_of(index)
        if height != self._heights[index]:
            self._heights[index] = height
            self._valid_tops = min(self._valid_tops, index)

    def _lines_from(self, offset: int) -> range:
        if not len(self):
            return range(0)
        return range(self.index_at(offset), self.index_at(offset + self.view - 1) + 1)
