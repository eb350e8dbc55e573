"""Pictures of all sample screens: ``python -m tests.gui.study.save_pictures FOLDER LANGUAGE THEME SIZE``."""

from __future__ import annotations

import sys
from pathlib import Path

from negoplatform.gui.study.screen_pictures import save_screens
from negoplatform.gui.theming.theme import WINDOW_SIZE, Theme
from negoplatform.presentation.appearance import Appearance
from tests.gui.study.sample_pages import pages


def main() -> None:
    """Save the pictures."""
    folder, language, palette, size = sys.argv[1:5]
    theme = Theme("Study", Appearance(theme=palette, text_size=float(size), language=language), _raised)
    theme.fit(*WINDOW_SIZE)
    theme.root.update()
    theme.apply_appearance(theme.appearance)
    wanted = sys.argv[5:]
    chosen = [(name, page) for name, page in pages(theme.translate).items() if not wanted or name in wanted]
    save_screens(theme, chosen, Path(folder), lambda _name: None)


def _raised(error: BaseException) -> None:
    raise error


if __name__ == "__main__":
    main()
