"""Drawn letter heights at each text size: ``python -m tests.window.programs.drawn_text_sizes``."""

from __future__ import annotations

import json

from negoplatform.gui.theming.theme import WINDOW_SIZE, Theme
from negoplatform.presentation.appearance import TEXT_SIZES, Appearance


def main() -> None:
    """Print, by the text size in per cent, the height of letters in pixels and the message about it."""
    found = {}
    for size in TEXT_SIZES:
        theme = Theme("Sizes", Appearance(text_size=size), _raised)
        theme.fit(*WINDOW_SIZE)
        theme.root.update()
        found[f"{100 * size:.0f}"] = abs(int(theme.font("body").cget("size"))), theme.size_note
        theme.root.destroy()
    print(json.dumps(found))


def _raised(error: BaseException) -> None:
    raise error


if __name__ == "__main__":
    main()
