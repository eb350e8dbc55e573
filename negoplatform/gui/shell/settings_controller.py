"""The settings of the window: shown, worn at once, and kept for the next start."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from negoplatform.app.support.experimenter_code import has_code, write_code
from negoplatform.gui.shell.settings_panel import SettingsPanel
from negoplatform.gui.widgets.navigator import Navigator
from negoplatform.gui.widgets.test_announcer import UiTestAnnouncer
from negoplatform.presentation.appearance import Appearance, read_appearance, write_appearance


class SettingsController:
    """How the window looks, for the experimenter to change.

    What a participant changes at the table holds until the next one comes: ``usual`` is what it goes back to.

    Args:
        screens: The window.
        data_dir: Where the looks are kept, and the code that leaves the full screen.
        announcer: Is told what is shown.
        wear: Is given other looks; the screen is built anew then.
    """

    def __init__(
        self,
        screens: Navigator,
        *,
        data_dir: Path,
        announcer: UiTestAnnouncer,
        apply_appearance: Callable[[Appearance], None],
    ) -> None:
        self._screens, self._theme = screens, screens.theme
        self._data_dir = data_dir
        self._announcer = announcer
        self._apply_appearance = apply_appearance
        self.default_appearance = self._theme.appearance

    def restore_default(self) -> None:
        """Wears what is usual again."""
        if self._theme.appearance != self.default_appearance:
            self._theme.apply_appearance(self.default_appearance)

    def show(self, done: Callable[[], None]) -> None:
        """Shows what can be changed; ``done`` is called when nothing more shall."""
        self._screens.show(lambda: self._make(done))
        self._announcer.announce("settings_screen")

    def _make(self, done: Callable[[], None], focus: str = "", problem: str = "") -> SettingsPanel:
        translate = self._theme.translate

        def change(appearance: Appearance) -> None:
            problem = self._save(appearance)
            focused = panel.focused_field()
            self._screens.set_factory(lambda: self._make(done, focused, problem))
            self._apply_appearance(appearance)
            self.default_appearance = appearance
            self._announcer.announce("worn")

        def set_code(code: str) -> None:
            try:
                write_code(self._data_dir, code)
            except OSError as error:
                panel.show_error(
                    translate("The code couldn’t be saved ({why}).", why=error.strerror or error)
                )
                return
            panel.show_success(translate("The code has been set."))
            self._announcer.announce("code_set")

        panel = SettingsPanel(
            self._theme,
            announcer=self._announcer,
            has_code=has_code(self._data_dir),
            on_change=change,
            on_code=set_code,
            on_done=done,
            focus=focus,
            problem=problem,
        )
        return panel

    def _save(self, appearance: Appearance) -> str:
        """Keeps what was just changed, without what was said for this start only; why not, if it cannot."""
        worn = self._theme.appearance
        changed: dict[str, Any] = {
            field.name: getattr(appearance, field.name)
            for field in fields(Appearance)
            if getattr(appearance, field.name) != getattr(worn, field.name)
        }
        try:
            write_appearance(self._data_dir, replace(read_appearance(self._data_dir), **changed))
        except OSError as error:
            return self._theme.translate(
                "This only lasts until the program is closed; it couldn’t be saved ({why}).",
                why=error.strerror or error,
            )
        return ""
