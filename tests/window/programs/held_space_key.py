"""Space is held on a button: what it costs, and how often it presses."""

from __future__ import annotations

import time

from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.appearance import Appearance

TIMES = 30
"""How often a held key comes in a second."""


def main() -> None:
    """Prints how often the button was pressed, and the milliseconds that all of it took."""
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
