"""Progress of long work on the standard error stream: a bar in a terminal, a line every minute elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TextIO

BAR_WIDTH = 24

TERMINAL_SECONDS, FILE_SECONDS = 0.1, 60.0
"""Least seconds between two updates in a terminal, and between two lines elsewhere."""


class ProgressLine:
    """Progress of counted work: done and all, the rate, and the time left.

    Args:
        stream: The stream, such as ``sys.stderr``.
        noun: The counted things, in the plural.
        clock: The time (s) from any start.
    """

    def __init__(self, stream: TextIO, noun: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._noun = noun
        self._clock = clock
        self._in_terminal = stream.isatty()
        self._first: tuple[float, int] | None = None
        self._shown_at = 0.0
        self._longest = 0

    def update(self, done: int, total: int, note: str = "") -> None:
        """Show how much is done, and a note; the first call says how much had been done before."""
        now = self._clock()
        if self._first is None:
            self._first = now, done
            self._shown_at = now
            if not self._in_terminal:
                return
        elif now - self._shown_at < (TERMINAL_SECONDS if self._in_terminal else FILE_SECONDS):
            return
        self._shown_at = now
        self._show("  ".join(filter(None, (self._text(now, done, total), note))))

    def close(self) -> None:
        """Remove the bar from the terminal, so that other output follows in its place."""
        if self._in_terminal and self._longest:
            self._stream.write(f"\r{' ' * self._longest}\r")
            self._stream.flush()

    def _show(self, text: str) -> None:
        if self._in_terminal:
            self._longest = max(self._longest, len(text))
            self._stream.write(f"\r{text.ljust(self._longest)}")
        else:
            self._stream.write(f"{text}\n")
        self._stream.flush()

    def _text(self, now: float, done: int, total: int) -> str:
        started, before = self._first or (now, done)
        rate = (done - before) / (now - started) if now > started else 0.0
        parts = [f"{done:,} of {total:,} {self._noun}"]
        if rate:
            parts += [f"{rate:,.1f} {self._noun}/s", f"{duration_text((total - done) / rate)} left"]
        if self._in_terminal:
            full = BAR_WIDTH * done // total if total else BAR_WIDTH
            parts.insert(0, f"[{'#' * full}{'-' * (BAR_WIDTH - full)}]")
        return "  ".join(parts)


def duration_text(seconds: float) -> str:
    """Return a duration such as ``0:45`` or ``2:03:20``."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
