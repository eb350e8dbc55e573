"""Small window with an error message, for a program started without a terminal."""

from __future__ import annotations

import tkinter as tk
from pathlib import Path

from negoplatform.gui.shell.window_startup import make_theme
from negoplatform.gui.widgets.selectable_text import SelectableText
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.appearance import Appearance, read_appearance
from negoplatform.presentation.localized_names import displayable

CHARS_PER_LINE = 56
"""The width of the text."""

VISIBLE_LINES = 8
"""The largest number of lines that are visible at once."""


def show_error(
    sentence: str, data_dir: Path | None, *, is_crash: bool = False, announce: bool = False
) -> None:
    """Show an error message until the window is closed.

    Args:
        sentence: The message: what went wrong and what to do.
        data_dir: The folder with the saved appearance; None: the default appearance.
        is_crash: Whether an error of the program is the reason.
        announce: Whether to report to UI tests what is shown.

    Raises:
        NegoError: If there is no display.
    """
    theme = make_theme(Appearance() if data_dir is None else read_appearance(data_dir))
    root, px, card = theme.root, theme.px, theme.colours.card
    announcer = UiTestAnnouncer(root, announce)
    root.configure(bg=card, padx=px(24), pady=px(20))
    translate = theme.translate
    heading = translate("Something went wrong") if is_crash else translate("This couldn’t be opened")
    theme.label(root, heading, "heading").pack(anchor=theme.west)
    rows = 2 + len(sentence) // CHARS_PER_LINE
    field = SelectableText(root, theme, on_close=root.destroy, scrolls=rows > VISIBLE_LINES)
    field.text.configure(width=CHARS_PER_LINE, height=min(VISIBLE_LINES, rows), padx=0)
    field.show([displayable(sentence)])
    field.text.see("1.0")
    field.frame.pack(fill="both", expand=True, pady=px(8))
    close = theme.button(root, translate("Close"), "Primary.TButton", root.destroy)
    close.pack(side="bottom", anchor=theme.east)
    close.bind("<Escape>", lambda _event: root.destroy())
    announcer.register("error.close", close)
    _center_window(root)
    close.focus_force()
    announcer.announce("error_window", text=sentence)
    root.mainloop()


def _center_window(root: tk.Tk) -> None:
    root.update_idletasks()
    x = (root.winfo_screenwidth() - root.winfo_reqwidth()) // 2
    y = (root.winfo_screenheight() - root.winfo_reqheight()) // 3
    root.geometry(f"+{max(0, x)}+{max(0, y)}")
    root.deiconify()
