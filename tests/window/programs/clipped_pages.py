"""Clipped parts of the rules and help pages: ``python -m tests.window.programs.clipped_pages SIZE``."""

from __future__ import annotations

import json
import sys
import tkinter as tk
from collections.abc import Iterator

from negoplatform.gui.table.rules_and_help_page import RulesAndHelpPage
from negoplatform.gui.theming.theme import WINDOW_SIZE, Theme
from negoplatform.presentation.appearance import Appearance
from tests.presentation.bargaining_desk import help_page


def main() -> None:
    """Print the widgets that begin left of the window or end right of it, by page."""
    theme = Theme("Pages", Appearance(text_size=int(sys.argv[1]) / 100), _raised)
    theme.fit(*WINDOW_SIZE)
    found = {}
    for wide in (False, True):
        panel = RulesAndHelpPage(
            theme.root,
            theme,
            help_page(theme.translate),
            button=theme.translate("Begin"),
            note=theme.translate("The clock starts when you press Begin."),
            escape=True,
            wide=wide,
            on_close=lambda: None,
            on_help=lambda: None,
            back_label=(theme.translate("Leave"), lambda: None),
        )
        theme.root.update()
        left, right = theme.root.winfo_rootx(), theme.root.winfo_rootx() + theme.root.winfo_width()
        found["help" if wide else "rules"] = [
            str(widget)
            for widget in _inside(panel.frame)
            if widget.winfo_rootx() < left or widget.winfo_rootx() + widget.winfo_width() > right
        ]
        panel.close()
    print(json.dumps(found))


def _inside(widget: tk.Misc) -> Iterator[tk.Misc]:
    for child in widget.winfo_children():
        yield child
        yield from _inside(child)


def _raised(error: BaseException) -> None:
    raise error


if __name__ == "__main__":
    main()
