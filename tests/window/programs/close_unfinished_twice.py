"""Closing of an unfinished session, pressed twice at once: the number of open questions."""

from __future__ import annotations

import tkinter as tk
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from negoplatform.app.session.unfinished_sessions import UnfinishedSession
from negoplatform.gui.start.unfinished_screen import UnfinishedScreen
from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.appearance import Appearance


def main() -> None:
    """Press the buttons without a mouse: a window that opens slowly does not hold them back yet."""
    theme = Theme("Asked twice", Appearance(), print)
    widgets: dict[str, Any] = {}
    listener: Any = SimpleNamespace(register=widgets.__setitem__, announce=lambda *_told, **_data: None)
    found = UnfinishedSession(Path("events.jsonl"), "0123456789ab", "Rent", "P01", datetime.now(UTC), 3.0)
    screen = UnfinishedScreen(
        theme,
        [found],
        announcer=listener,
        on_resume=lambda _session: None,
        on_close=lambda _session: None,
        on_keep=lambda: None,
    )
    screen.frame.pack(fill="both", expand=True)

    def say_how_many() -> None:
        print(sum(isinstance(child, tk.Canvas) for child in theme.root.winfo_children()))

    widgets["close"].invoke()
    widgets["close"].invoke()
    say_how_many()
    widgets["keep"].invoke()
    say_how_many()
    theme.root.destroy()


if __name__ == "__main__":
    main()
