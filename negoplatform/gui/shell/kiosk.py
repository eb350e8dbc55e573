"""A session on the whole screen, which only the experimenter's code leaves.

It keeps a participant at the table; it is no lock. Nothing here can stop what the system itself listens to
(Ctrl+Alt+Del, another terminal), and nothing is grabbed: a program that hung would lock the computer.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from pathlib import Path
from tkinter import ttk

from negoplatform.app.support.experimenter_code import has_code, is_correct_code
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.dialogs import Dialog
from negoplatform.gui.widgets.test_announcer import UiTestAnnouncer

EXIT_SHORTCUT = "<Control-Shift-F12>"
"""What the experimenter presses to leave."""


class Kiosk:
    """The window on the whole screen, above all others.

    Args:
        theme: The window.
        data_dir: Where the code is kept.
        announcer: Is told of questions.
    """

    def __init__(self, theme: Theme, data_dir: Path, announcer: UiTestAnnouncer) -> None:
        self._theme = theme
        self._data_dir = data_dir
        self._announcer = announcer
        self._dialog: ExperimenterCodeDialog | None = None
        self._after: Callable[[], None] = lambda: None
        self._on_unlock: Callable[[], None] | None = None
        self.locked = False
        theme.root.bind(EXIT_SHORTCUT, lambda _event: self.request_exit(self._on_unlock))

    def enter(self) -> None:
        """Takes the whole screen."""
        self.locked = True
        self._set_full_screen(on=True)

    def require_experimenter(self, then: Callable[[], None]) -> None:
        """Has the experimenter alone lead on from the page that is shown: by the keys, and the code if any.

        Args:
            then: Leads on.
        """
        self._on_unlock = then

    @property
    def requires_experimenter(self) -> bool:
        """Whether the page that is shown is for the experimenter alone to leave."""
        return self._on_unlock is not None

    def request_exit(self, then: Callable[[], None] | None = None) -> None:
        """Asks for the code and leaves; without a code it leaves at once.

        Args:
            then: Is called once the code was given, on the whole screen or not; None: only the screen is
                left.
        """
        if not self.locked and (then is None or not has_code(self._data_dir)):
            if then is not None:
                self._on_unlock = None
                then()
            return
        self._after = then or (lambda: None)
        if not has_code(self._data_dir):
            self._leave()
        elif self._dialog is None or not self._dialog.is_open:
            self._dialog = ExperimenterCodeDialog(
                self._theme,
                lambda code: is_correct_code(self._data_dir, code),
                on_correct=self._leave,
                announcer=self._announcer,
                running=then is None,
            )
            self._dialog.open()

    def _leave(self) -> None:
        self.locked, self._on_unlock = False, None
        self._set_full_screen(on=False)
        self._announcer.announce("left_full_screen")
        self._after()

    def _set_full_screen(self, *, on: bool) -> None:
        self._theme.root.attributes("-fullscreen", on)
        self._theme.root.attributes("-topmost", on)


class ExperimenterCodeDialog(Dialog):
    """Asks for the experimenter's code; a wrong one is said calmly, as often as it is.

    Args:
        theme: Its looks.
        is_right: Whether a code is the right one.
        on_right: Is called once, if it is.
        announcer: Is told where the fields are.
        running: Whether it is asked during a negotiation, to leave the full screen.
    """

    def __init__(
        self,
        theme: Theme,
        is_correct: Callable[[str], bool],
        *,
        on_correct: Callable[[], None],
        announcer: UiTestAnnouncer,
        running: bool,
    ) -> None:
        translate = theme.translate
        heading = translate("Leave the full screen?") if running else translate("Experimenter code")
        super().__init__(theme, heading, announcer=announcer)
        self._is_correct = is_correct
        self._on_correct = on_correct
        about = (
            translate("This is for the experimenter. The negotiation keeps running.")
            if running
            else translate("This is for the experimenter.")
        )
        self.add_paragraph(about, theme.colours.muted)
        self._code = ttk.Entry(self.body, show="•", font=theme.font("body"), width=24)
        self._code.pack(anchor=theme.west, fill="x")
        self._code.bind("<Return>", lambda _event: self._submit())
        self._message = theme.label(self.body, "", "bold", theme.colours.danger, wrap=self._width)
        self._message.pack(anchor=theme.west, pady=(theme.px(6), 0))
        self.add_buttons(translate("Leave"), translate("Go back"), "Primary.TButton", self._submit)
        announcer.register("code", self._code)

    def initial_focus(self) -> tk.Misc:
        """Where the code is typed."""
        return self._code

    def _submit(self) -> None:
        if self._is_correct(self._code.get()):
            self.close()
            self._on_correct()
            return
        self._code.delete(0, "end")
        self._message.write(self._theme.translate("That’s not the code. Please ask the experimenter."))
        self._announcer.announce("wrong_code")
