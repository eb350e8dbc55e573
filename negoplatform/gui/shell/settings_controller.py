"""Controller of the window's settings: shows them, applies changes at once and saves them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from negoplatform.app.support.experimenter_code import has_code, write_code
from negoplatform.gui.shell.settings_panel import SettingsPanel
from negoplatform.gui.widgets.screen_navigator import ScreenNavigator
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.appearance import Appearance, read_appearance, write_appearance


class SettingsController:
    """Controller of the window's appearance for the experimenter.

    A participant's changes at the table last until the start window is shown, which restores
    ``default_appearance``.

    Args:
        navigator: The window's navigator.
        data_dir: The folder for the appearance and for the experimenter's code.
        announcer: Reports to UI tests what is shown.
        apply_appearance: Apply an appearance and rebuild the screen.
    """

    def __init__(
        self,
        navigator: ScreenNavigator,
        *,
        data_dir: Path,
        announcer: UiTestAnnouncer,
        apply_appearance: Callable[[Appearance], None],
    ) -> None:
        self._navigator, self._theme = navigator, navigator.theme
        self._data_dir = data_dir
        self._announcer = announcer
        self._apply_appearance = apply_appearance
        self.default_appearance = self._theme.appearance

    def restore_default(self) -> None:
        """Apply the default appearance again."""
        if self._theme.appearance != self.default_appearance:
            self._theme.apply_appearance(self.default_appearance)

    def show(self, done: Callable[[], None]) -> None:
        """Show the settings; ``done`` is called when they are closed."""
        self._navigator.show(lambda: self._make(done))
        self._announcer.announce("settings_screen")

    def _make(self, done: Callable[[], None], focus: str = "", problem: str = "") -> SettingsPanel:
        translate = self._theme.translate

        def change(appearance: Appearance) -> None:
            problem = self._save(appearance)
            focused = panel.focused_field()
            self._navigator.set_factory(lambda: self._make(done, focused, problem))
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
            # What it says about leaving the full screen depends on the code.
            shown = self._navigator.show(lambda: self._make(done, "set_code"))
            shown.show_success(translate("The code has been set."))
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
        """Save the changed settings, without overrides for this start; return a sentence if it fails."""
        current = self._theme.appearance
        changed: dict[str, Any] = {
            field.name: getattr(appearance, field.name)
            for field in fields(Appearance)
            if getattr(appearance, field.name) != getattr(current, field.name)
        }
        try:
            write_appearance(self._data_dir, replace(read_appearance(self._data_dir), **changed))
        except OSError as error:
            return self._theme.translate(
                "This only lasts until the program is closed; it couldn’t be saved ({why}).",
                why=error.strerror or error,
            )
        return ""
