"""Benchmark of the transcript, compared with a bare text field: ``python -m benchmarks.transcript``."""

from __future__ import annotations

import os
import platform
import resource
import time
import tkinter as tk
from collections.abc import Callable
from statistics import fmean, quantiles

from negoplatform.core.events import Expression
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.transcript.transcript_view import Transcript
from negoplatform.presentation.appearance import Appearance
from negoplatform.presentation.transcript.transcript_entries import TranscriptEntry
from tests.x_server import Screen

MESSAGES, TIMES, RESIZES = 10_000, 400, 30

SENTENCE = "I could give you one more wood if I keep the grain and you take all of the spices today"
STEP = 48
"""Pixels of one scrolling step."""


def line(number: int) -> TranscriptEntry:
    """Return a message of 3 to 20 words, from either side; every tenth one is an offer."""
    text = f"{number} " + " ".join(SENTENCE.split()[: 3 + number * 7 % 17])
    if number % 10 == 0:
        rows = (("Bananas", "4", "0"), ("Grain", "3", "2"), ("Wood", "1", "2"), ("Spices", "0", "3"))
        return TranscriptEntry("offer_mine", "You", "Your offer", ("You", "Rowan"), rows, "27 points for you")
    if number % 2:
        return TranscriptEntry("theirs", "Rowan", text, expression=Expression.NEUTRAL)
    return TranscriptEntry("mine", "You", text)


class Race:
    """The transcript and a bare text field side by side; both do the same in turn.

    Args:
        theme: The window.
    """

    def __init__(self, theme: Theme) -> None:
        self._root = theme.root
        self.transcript = Transcript(theme.root, theme)
        self.bare = tk.Text(theme.root, wrap="word", font=theme.font("body"))
        self._size = theme.px(560), theme.px(620)
        for widget, x in ((self.transcript.frame, 0), (self.bare, self._size[0])):
            widget.place(x=x, y=0, width=self._size[0], height=self._size[1])
        self._root.update()

    def fill(self) -> None:
        """Add all messages except the timed ones, and wait until all delayed work on them is done."""
        lines = [line(number) for number in range(MESSAGES)]
        self.transcript.add(lines)
        self.bare.insert("end", "".join(f"{each.text}\n" for each in lines))
        self.bare.see("end")
        end = time.monotonic() + 6
        while time.monotonic() < end:
            self._root.update()

    def append(self, number: int) -> tuple[float, float]:
        """Add one message, shown at once; return the milliseconds of each."""
        new = line(number)

        def to_bare() -> None:
            self.bare.insert("end", f"{new.text}\n")
            self.bare.see("end")

        return self._drawn(lambda: self.transcript.add([new])), self._drawn(to_bare)

    def scroll(self, number: int) -> tuple[float, float]:
        """Scroll one step up, or down after half of the steps; return the milliseconds of each."""
        step = -STEP if number < TIMES // 2 else STEP
        wheel = "<Button-4>" if step < 0 else "<Button-5>"
        return (
            self._drawn(lambda: self.transcript.canvas.event_generate(wheel)),
            self._drawn(lambda: self.bare.yview_scroll(step, "pixels")),
        )

    def resize(self, number: int) -> tuple[float, float]:
        """Change the width, so that the visible lines are wrapped again; return the milliseconds of each."""
        width = self._size[0] - 3 * number
        return (
            self._drawn(lambda: self.transcript.frame.place(width=width), everything=True),
            self._drawn(lambda: self.bare.place(width=width), everything=True),
        )

    def _drawn(self, change: Callable[[], object], *, everything: bool = False) -> float:
        began = time.perf_counter()
        change()
        if everything:
            self._root.update()
        self._root.update_idletasks()
        self._root.winfo_pointerxy()  # answered after everything that was asked before
        return 1000 * (time.perf_counter() - began)


def table_line(name: str, found: list[tuple[float, float]]) -> str:
    """Return means and 99th percentiles of both, and the ratio of the means."""
    ours, bare = ([pair[side] for pair in found] for side in (0, 1))
    times = [f"{fmean(part):8.2f} {quantiles(part, n=100)[98]:8.2f} ms" for part in (ours, bare)]
    return f"{name:8} {times[0]:>21} {times[1]:>21} {fmean(ours) / fmean(bare):7.1f}x"


def memory() -> float:
    """Return the peak memory of this process, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Print the table, using a private screen."""
    problems: list[BaseException] = []
    with Screen() as screen:
        os.environ["DISPLAY"] = screen.env["DISPLAY"]
        theme = Theme("Transcript", Appearance(), problems.append)
        theme.fit(1280, 720, least=(200, 200))
        race = Race(theme)
        race.fill()
        filled = memory()
        print(f"{MESSAGES:,} messages on {platform.node()}, {platform.machine()}, {os.cpu_count()} cores")
        print(f"{'':8} {'transcript':>21} {'bare text field':>21} {'ratio':>8}")
        appended = [race.append(MESSAGES + number) for number in range(TIMES)]
        print(table_line("append", appended))
        print(table_line("scroll", [race.scroll(number) for number in range(TIMES)]))
        print(table_line("resize", [race.resize(number) for number in range(RESIZES)]))
        print(f"memory   {filled:.0f} MB filled, {memory():.0f} MB at the end")
        theme.root.destroy()
    if problems:
        raise problems[0]


if __name__ == "__main__":
    main()
