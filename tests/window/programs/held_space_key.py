"""Space held on a button: its cost, and the number of presses."""

from __future__ import annotations

import time

from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.appearance import Appearance

TIMES = 30
"""Repetitions of a held key in one second."""


def main() -> None:
    """Print the number of times that the button was pressed, and the milliseconds that all of it took."""
    theme = Theme("Space held", Appearance(), print)
    pressed: list[None] = []
    button = theme.button(theme.root, "Press", "Plain.TButton", lambda: pressed.append(None))
    button.pack()
    theme.root.deiconify()
    theme.root.update()
    button.focus_force()
    theme.root.update()
    began = time.monotonic()
    for _ in range(TIMES):
        button.event_generate("<space>")
        theme.root.update()
    print(len(pressed), round((time.monotonic() - began) * 1000))
    theme.root.destroy()


if __name__ == "__main__":
    main()
