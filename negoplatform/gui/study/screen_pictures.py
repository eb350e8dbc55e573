"""Pictures of a study's screens: each is shown in the window and saved as a PNG."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from PIL import Image

from negoplatform.domain.errors import NegoError
from negoplatform.gui.study.step_actions import StepActions, StepScreen
from negoplatform.gui.study.step_screens import make_step_screen
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.dialog_backdrop_pictures import grab_window
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.study.step_page import StepPage


class NoActions(StepActions):
    """Actions of screens that are only shown: they do nothing."""

    def consent(self, ticks: Sequence[str], signature: str) -> None:
        """Do nothing."""

    def decline(self) -> None:
        """Do nothing."""

    def go_on(self) -> None:
        """Do nothing."""

    def show_page(self, page: int) -> None:
        """Do nothing."""

    def answer_page(self, answers: Sequence[Any]) -> None:
        """Do nothing."""

    def try_quiz(self, answers: Mapping[str, Any]) -> None:
        """Do nothing."""

    def choose(self, option: str) -> None:
        """Do nothing."""

    def open_call(self) -> None:
        """Do nothing."""

    def return_from_call(self, word: str) -> None:
        """Do nothing."""

    def ask_for_help(self, text: str) -> None:
        """Do nothing."""

    def ask_experimenter(self) -> None:
        """Do nothing."""

    def keep_draft(self, values: Mapping[str, Any]) -> None:
        """Do nothing."""

    def time_out(self) -> None:
        """Do nothing."""

    def wait_is_over(self) -> None:
        """Do nothing."""


def shown_screens(
    theme: Theme, pages: Iterable[tuple[str, StepPage]], picture: Callable[[str], Path | None]
) -> Iterator[tuple[str, StepScreen]]:
    """Show the screen of each page in the window, one after the other, and yield each while it is shown.

    Args:
        theme: The window, which is visible.
        pages: Names and pages.
        picture: Returns the file of a picture of the study.
    """
    announcer = UiTestAnnouncer(theme.root, active=False)
    for name, page in pages:
        screen = make_step_screen(theme, page, NoActions(), announcer=announcer, picture=picture)
        screen.frame.pack(fill="both", expand=True)
        theme.root.update()
        screen.focus_first()
        theme.root.update()
        yield name, screen
        screen.close()
        screen.frame.destroy()


def save_screens(
    theme: Theme,
    pages: Iterable[tuple[str, StepPage]],
    folder: Path,
    picture: Callable[[str], Path | None],
) -> list[Path]:
    """Save a picture of the screen of each page as ``NAME.png`` in a folder; return the files.

    Args:
        theme: The window, which is visible and not covered by others.
        pages: Names and pages.
        folder: The folder, which is created if it does not exist.
        picture: Returns the file of a picture of the study.

    Raises:
        NegoError: If the system provides no pictures of windows, or a file cannot be written.
    """
    files = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, _screen in shown_screens(theme, pages, picture):
            files.append(folder / f"{name}.png")
            _window_image(theme).save(files[-1], optimize=True)
    except OSError as error:
        raise NegoError(f"The pictures of the screens cannot be saved in {folder}: {error}.") from error
    return files


def _window_image(theme: Theme) -> Image.Image:
    root = theme.root
    image = grab_window(theme, (0, 0, root.winfo_width(), root.winfo_height()))
    if image is None:
        raise NegoError("The system provides no pictures of the window, so its screens cannot be saved.")
    return image
