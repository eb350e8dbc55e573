"""Remains of closed replay viewers, in Tk and in Python."""

from __future__ import annotations

import gc
import sys
import time
from pathlib import Path
from weakref import ref

from negoplatform.app.playback.playback import Playback
from negoplatform.gui.replay.replay_screen import ReplayScreen
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.appearance import Appearance

TIMES = 4

TURN_S = 0.4
"""Seconds longer than any delayed call that a viewer leaves behind."""


def main() -> None:
    """Print the number of Tk commands early and late, and the number of viewers alive at the end."""
    theme = Theme("Left behind", Appearance(), _raised)
    theme.fit(1280, 800, least=(100, 100))
    playback = Playback.open(Path(sys.argv[1]))
    live: list[ref[ReplayScreen]] = []
    known: list[int] = []
    for _ in range(TIMES):
        live.append(shown(theme, playback))
        turn(theme)
        gc.collect()
        known.append(len(theme.root.tk.call("info", "commands")))
    print(known[1], known[-1], sum(screen() is not None for screen in live))
    theme.root.destroy()


def shown(theme: Theme, playback: Playback) -> ref[ReplayScreen]:
    """Return a reference to a viewer that played for every observer, and was closed."""
    silent = UiTestAnnouncer(theme.root, active=False)
    screen = ReplayScreen(theme, playback, announcer=silent, report=_raised, on_done=theme.root.destroy)
    screen.frame.pack(fill="both", expand=True)
    turn(theme)
    screen.play_or_pause()
    for observer in playback.observers:
        screen.view_as(observer)
        theme.root.update()
    screen.frame.destroy()
    return ref(screen)


def turn(theme: Theme) -> None:
    """Let the window process its events."""
    end = time.monotonic() + TURN_S
    while time.monotonic() < end:
        theme.root.update()
        time.sleep(0.005)


def _raised(error: BaseException) -> None:
    raise error


if __name__ == "__main__":
    main()
