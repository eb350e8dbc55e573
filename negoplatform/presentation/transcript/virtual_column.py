"""Lines below one another of which only those in view are measured at once: where each stands. No Tk."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate


class VirtualColumn:
    """Heights of lines, the part of them that is in view, and where the reader is; all in pixels.

    A line's place is known from those above it. What was not measured yet has a guessed height; the reader's
    place is kept as a line and a distance in it, so what is seen stays where it is when guesses are mended.

    Args:
        height_of: Measures a line by its index.
        guess: The height of a line that was not measured yet.
        margin: Empty room above the first line and below the last.
    """

    def __init__(self, height_of: Callable[[int], int], *, guess: int, margin: int = 0) -> None:
        self._height_of = height_of
        self._guess = guess
        self._margin = margin
        self.view = 1
        self.clear()

    def clear(self) -> None:
        """Without lines."""
        self._heights: list[int] = []
        self._tops = [0]
        self._valid_tops = 0  # so many tops are right
        self._measured = bytearray()
        self._measured_from = 0  # from this index on everything is measured
        self._anchor_line, self._anchor_offset = 0, -self._margin
        self.follows_end = True

    def __len__(self) -> int:
        return len(self._heights)

    @property
    def total(self) -> int:
        """The height of everything."""
        return self.top(len(self)) + self._margin

    @property
    def bottom(self) -> int:
        """The farthest that can be scrolled to."""
        return max(0, self.total - self.view)

    @property
    def offset(self) -> int:
        """So much is above the view."""
        if self.follows_end:
            return self.bottom
        return min(max(0, self.top(self._anchor_line) + self._anchor_offset), self.bottom)

    def top(self, index: int) -> int:
        """Where a line begins."""
        if self._valid_tops < len(self._heights):
            sums = accumulate(self._heights[self._valid_tops :], initial=self._tops[self._valid_tops])
            self._tops[self._valid_tops :] = sums
            self._valid_tops = len(self._heights)
        return self._margin + self._tops[index]

    def index_at(self, place: int) -> int:
        """The line at a place; the nearest one beside all lines. There must be one."""
        self.top(0)
        return min(max(0, bisect_right(self._tops, place - self._margin) - 1), len(self) - 1)

    def in_view(self) -> range:
        """The lines of which something is in view."""
        return self._lines_from(self.offset)

    def add(self, count: int, *, touched: int = 0) -> None:
        """More lines at the end; what is in view stays in view, or the end if that was.

        ``touched``: so many of the lines before them may have got another height.
        """
        self._remeasure_tail(touched)
        self._heights += [self._guess] * count
        self._measured += bytes(count)
        self._measured_from = len(self)
        self.scroll_by(0)

    def remove_last(self, *, touched: int = 0) -> None:
        """One line less at the end; ``touched`` of those before it may have got another height."""
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
        """Every line may have got another height."""
        self._measured = bytearray(len(self))
        self._measured_from = len(self)
        self.scroll_by(0)

    def remeasure(self, index: int) -> None:
        """One line may have got another height; what is seen above it stays where it is."""
        if self._measured[index]:
            self._measure(index)
            self.scroll_by(0)

    def resize(self, view: int) -> None:
        """The view has another height."""
        self.view = max(1, view)
        self.scroll_by(0)

    def scroll_by(self, step: int) -> None:
        """Scrolls so far down, or up if ``step`` is negative."""
        self._scroll_to_offset(lambda: self.offset + step)

    @property
    def scroll_fraction(self) -> float:
        """How far it is scrolled: 0 at the beginning, 1 at the end."""
        return self.offset / max(1, self.bottom)

    def scroll_to(self, share: float) -> None:
        """Scrolls so far."""
        self._scroll_to_offset(lambda: round(share * self.bottom))

    def measure_some(self, enough: Callable[[], bool]) -> bool:
        """Measures what is still guessed, from the end upwards, until it is enough; whether some is left."""
        while self._measured_from:
            self._measured_from -= 1
            if not self._measured[self._measured_from]:
                self._measure(self._measured_from)
                if enough():
                    break
        return self._measured_from > 0

    def _scroll_to_offset(self, wanted: Callable[[], int]) -> None:
        """Goes to a place, which moves while lines that come into view are measured."""
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
