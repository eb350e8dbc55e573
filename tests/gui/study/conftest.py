"""A window in this process on a private X server, in which tests show screens of a study."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from negoplatform.app.visit.visit_run import GivenAnswer
from negoplatform.domain.errors import Refused
from negoplatform.gui.study import step_frame
from negoplatform.gui.study.screen_pictures import NoActions
from negoplatform.gui.study.step_frame import StepFrame
from negoplatform.gui.study.step_screens import make_step_screen
from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation import key_debounce
from negoplatform.presentation.appearance import Appearance
from negoplatform.presentation.study.step_page import StepPage
from tests.window.conftest import _leave_windows_in_memory
from tests.x_server import Screen

__all__ = ["_leave_windows_in_memory"]

LONGEST = 10.0
"""Seconds that a test waits for something; an upper bound, not a measure."""


class RecordedActions(NoActions):
    """Actions that are recorded, and refused while ``refusal`` is set."""

    def __init__(self) -> None:
        self.done: list[tuple[Any, ...]] = []
        self.drafts: list[dict[str, Any]] = []
        self.refusal = ""

    def _do(self, *what: Any) -> None:
        if self.refusal:
            raise Refused(self.refusal)
        self.done.append(what)

    def consent(self, ticks: Sequence[str], signature: str) -> None:
        self._do("consent", list(ticks), signature)

    def decline(self) -> None:
        self._do("decline")

    def go_on(self) -> None:
        self._do("go_on")

    def show_page(self, page: int) -> None:
        self._do("show_page", page)

    def answer_page(self, answers: Sequence[GivenAnswer]) -> None:
        self._do("answer_page", {answer.item: answer.value for answer in answers}, list(answers))

    def try_quiz(self, answers: Mapping[str, Any]) -> None:
        self._do("try_quiz", dict(answers))

    def choose(self, option: str) -> None:
        self._do("choose", option)

    def open_call(self) -> None:
        self._do("open_call")

    def return_from_call(self, word: str) -> None:
        self._do("return_from_call", word)

    def ask_for_help(self, text: str) -> None:
        self._do("ask_for_help", text)

    def ask_experimenter(self) -> None:
        self._do("ask_experimenter")

    def keep_draft(self, values: Mapping[str, Any]) -> None:
        self.drafts.append(dict(values))

    def time_out(self) -> None:
        self._do("time_out")

    def wait_is_over(self) -> None:
        self._do("wait_is_over")


class NamedWidgets:
    """Announcer that keeps the controls that screens name, and what they announce."""

    def __init__(self) -> None:
        self.found: dict[str, tk.Misc] = {}
        self.announced: list[tuple[str, dict[str, Any]]] = []

    def register(self, name: str, widget: tk.Misc) -> None:
        self.found[name] = widget

    def announce(self, event_name: str, **data: Any) -> None:
        self.announced.append((event_name, data))


class Desk:
    """Window that shows one screen of a study after the other.

    Args:
        theme: The window.
    """

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self.named: Any = NamedWidgets()
        self.actions = RecordedActions()
        self._screen: StepFrame | None = None
        self._now = 1000

    def appear(self, **changes: Any) -> None:
        """Change the appearance: the language, the size, the colours."""
        self.close()
        self.theme.apply_appearance(replace(Appearance(), **changes))

    def show(self, page: StepPage) -> StepFrame:
        """Show the screen of a page."""
        self.close()
        self.named, self.actions = NamedWidgets(), RecordedActions()
        screen = make_step_screen(
            self.theme, page, self.actions, announcer=self.named, picture=lambda _name: None
        )
        assert isinstance(screen, StepFrame)
        screen.frame.pack(fill="both", expand=True)
        self.theme.root.update()
        self.theme.root.focus_force()
        screen.focus_first()
        self.theme.root.update()
        self._screen = screen
        return screen

    def close(self) -> None:
        """Close the screen."""
        if self._screen is not None:
            self._screen.close()
            self._screen.frame.destroy()
            self._screen = None

    def widget(self, name: str) -> Any:
        """Return a control by its name."""
        return self.named.found[name]

    def press(self, *keys: str) -> None:
        """Press and release keys where the keyboard focus is."""
        for key in keys:
            focused = self.theme.root.focus_get()
            assert focused is not None
            self._now += 100
            focused.event_generate(f"<KeyPress-{key}>", time=self._now)
            self.theme.root.update()
            focused = self.theme.root.focus_get()
            if focused is not None:
                focused.event_generate(f"<KeyRelease-{key}>", time=self._now + 50)
                self.theme.root.update()

    def click(self, name: str, x: int | None = None) -> None:
        """Click the middle of a control, or at a distance from its left side in pixels."""
        widget = self.widget(name)
        across, down = widget.winfo_width() // 2 if x is None else x, widget.winfo_height() // 2
        where = {
            "x": across,
            "y": down,
            "rootx": widget.winfo_rootx() + across,
            "rooty": widget.winfo_rooty() + down,
        }
        # A button is pressed only while the pointer is over it.
        for event in ("<Enter>", "<ButtonPress-1>", "<ButtonRelease-1>"):
            widget.event_generate(event, **where)
            self.theme.root.update()

    @property
    def focused(self) -> str:
        """The name of the control with the keyboard focus; empty: no named one."""
        focused = self.theme.root.focus_get()
        return next((name for name, widget in self.named.found.items() if widget is focused), "")

    def wait_until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds."""
        end = time.monotonic() + LONGEST
        while not holds():
            assert time.monotonic() < end, "it did not happen"
            self.theme.root.update()
            time.sleep(0.005)


@pytest.fixture(scope="session")
def window() -> Iterator[Theme]:
    """Window on a screen of 1366 x 768; until the end, because Tk ends a process whose screen is gone."""
    with Screen(size=(1366, 768)) as screen:
        # Not for longer: tests of the same process that show no screens have no display.
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("DISPLAY", screen.env["DISPLAY"])
            theme = Theme("Study", Appearance(), _raised)
        theme.fit(1366, 768)
        theme.root.update()
        yield theme
        theme.root.destroy()


@pytest.fixture
def display(window: Theme, monkeypatch: pytest.MonkeyPatch) -> None:
    """Private X server as the display of the program."""
    monkeypatch.setenv("DISPLAY", window.root.winfo_screen())


@pytest.fixture
def desk(window: Theme, monkeypatch: pytest.MonkeyPatch, display: None) -> Iterator[Desk]:
    """Window in which keys count at once, without the second that a person needs to read."""
    monkeypatch.setattr(key_debounce, "MIN_VISIBLE_SECONDS", 0.0)
    monkeypatch.setattr(step_frame, "DOUBLE_CLICK_SECONDS", 0.0)
    desk = Desk(window)
    desk.appear()
    yield desk
    desk.close()


def _raised(error: BaseException) -> None:
    raise error
