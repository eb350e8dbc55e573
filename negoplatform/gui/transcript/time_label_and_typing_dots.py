"""Transient items on the transcript's canvas: the time of the line under the pointer, and the typing dots."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.timers import Ticker
from negoplatform.presentation.transcript.transcript_entries import TranscriptEntry

STEP_MS = 180
"""Milliseconds for which each of the three dots is dark."""

TIME_TAG = "time"


class LineTimeLabel:
    """The time at which a line was said, shown next to its bubble while the pointer is on it.

    At most one line's time is shown.

    Args:
        canvas: The transcript's canvas.
        theme: The window's theme.
    """

    def __init__(self, canvas: tk.Canvas, theme: Theme) -> None:
        self._canvas, self._theme = canvas, theme
        self._line: TranscriptEntry | None = None

    def show(self, line: TranscriptEntry | None, body: tuple[int, int, int, int], y: int) -> None:
        """Show the time of a line whose block begins at ``y``; hide it if ``line`` is None."""
        if line is self._line:
            return
        self.hide()
        self._line = line
        if line is None:
            return
        theme = self._theme
        left, top, right, bottom = body
        text = theme.translate("{clock} left", clock=line.clock) if line.clock else line.time_text
        if line.kind == "emotion_mine":
            # The entry is a face without words.
            text = theme.translate("{looks} · {time}", looks=line.text, time=text)
        # On the free side of the bubble, aligned with its last row.
        before = line.is_mine != theme.rtl
        gap, high = theme.px(8), theme.font("small").metrics("linespace")
        self._canvas.create_text(
            left - gap if before else right + gap,
            y + bottom - min(gap, (bottom - top - high) // 2),
            text=theme.visual_order(text),
            anchor="se" if before else "sw",
            font=theme.font("small"),
            fill=theme.colours.muted,
            tags=TIME_TAG,
        )

    def hide(self) -> None:
        """Remove the time from the canvas."""
        if self._line is not None:
            self._canvas.delete(TIME_TAG)
            self._line = None


class TypingDotsAnimation:
    """Animation of the typing dots: each turns dark in turn.

    Args:
        canvas: The canvas with the dots.
        darken: Called with the number of the dot to draw dark, 0 to 2; -1: none.
    """

    def __init__(self, canvas: tk.Canvas, darken: Callable[[int], None]) -> None:
        self._darken = darken
        self._step = 0
        self._ticker = Ticker(canvas, self._advance)

    def start(self) -> None:
        """Start the animation."""
        self._ticker.schedule(STEP_MS)

    def stop(self) -> None:
        """Stop the animation; the dots stay as they are."""
        self._ticker.stop()

    def _advance(self) -> None:
        self._step = (self._step + 1) % 4  # in every fourth step all dots are pale
        self._darken(self._step - 1)
        self._ticker.schedule(STEP_MS)
