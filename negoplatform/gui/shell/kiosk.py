"""Full screen sessions, which can only be left with the experimenter's code.

This keeps a participant at the table; it is no lock. Keys that the system handles itself (Ctrl+Alt+Del,
another terminal) cannot be stopped, and input is not grabbed: a program that hung would lock the computer.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from pathlib import Path
from tkinter import ttk

from negoplatform.app.support.experimenter_code import has_code, is_correct_code
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.dialogs import ConfirmationDialog, Dialog
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.confirmation_question import ConfirmationQuestion

EXIT_SHORTCUT = "<Control-Shift-F12>"
"""The experimenter's shortcut to leave."""


class Kiosk:
    """The window in full screen, above all others.

    Args:
        theme: The window's theme.
        data_dir: The folder with the code.
        announcer: Reports dialogs to UI tests.
    """

    def __init__(self, theme: Theme, data_dir: Path, announcer: UiTestAnnouncer) -> None:
        self._theme = theme
        self._data_dir = data_dir
        self._announcer = announcer
        self._dialog: Dialog | None = None
        self._after: Callable[[], None] = lambda: None
        self._on_unlock: Callable[[], None] | None = None
        self.locked = False
        theme.root.bind(EXIT_SHORTCUT, lambda _event: self.request_exit(self._on_unlock))

    def enter(self) -> None:
        """Switch to full screen."""
        self.locked = True
        self._set_full_screen(on=True)

    def require_experimenter(self, then: Callable[[], None]) -> None:
        """Let only the experimenter leave the page: with the shortcut, and the code if one is set.

        Args:
            then: Called to go on.
        """
        self._on_unlock = then

    def release_page(self) -> None:
        """Allow everybody to leave a page that only the experimenter could leave."""
        self._on_unlock = None

    def authorize(
        self,
        question: ConfirmationQuestion,
        then: Callable[[], None],
        *,
        further: tuple[str, Callable[[], None]] | None = None,
    ) -> None:
        """Ask the experimenter for permission, with the code if one is set; full screen is not left.

        Args:
            question: What is permitted; the question where no code is set.
            then: Called with the permission.
            further: Text and action of something else that the permission allows; None: there is nothing.
        """
        if self._dialog is not None and self._dialog.is_open:
            return
        if has_code(self._data_dir):
            self._dialog = ExperimenterCodeDialog(
                self._theme,
                lambda code: is_correct_code(self._data_dir, code),
                on_correct=then,
                announcer=self._announcer,
                question=question,
                further=further,
            )
        else:
            self._dialog = ConfirmationDialog(
                self._theme, question, on_yes=then, announcer=self._announcer, further=further
            )
        self._dialog.open()

    def let_others_above(self, *, allowed: bool) -> None:
        """Set whether windows of other programs may be above this one in full screen."""
        if self.locked:
            self._theme.root.attributes("-topmost", not allowed)

    @property
    def requires_experimenter(self) -> bool:
        """Whether only the experimenter can leave the page that is shown."""
        return self._on_unlock is not None

    def request_exit(self, then: Callable[[], None] | None = None) -> None:
        """Ask for the code, then leave full screen; without a code, leave at once.

        Args:
            then: Called after the correct code, in full screen or not; None: only leave full screen.
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
                question=_leave_question(self._theme, running=then is None),
            )
            self._dialog.open()

    def leave(self) -> None:
        """Leave full screen; the caller has asked the experimenter."""
        was_locked, self.locked, self._on_unlock = self.locked, False, None
        if was_locked:
            self._set_full_screen(on=False)
        self._announcer.announce("left_full_screen")

    def _leave(self) -> None:
        self.leave()
        self._after()

    def _set_full_screen(self, *, on: bool) -> None:
        self._theme.root.attributes("-fullscreen", on)
        self._theme.root.attributes("-topmost", on)


def _leave_question(theme: Theme, *, running: bool) -> ConfirmationQuestion:
    """Return the question before leaving full screen, or a page that only the experimenter can leave."""
    translate = theme.translate
    return ConfirmationQuestion(
        translate("Leave the full screen?") if running else translate("Experimenter code"),
        translate("This is for the experimenter. Nothing is interrupted.")
        if running
        else translate("This is for the experimenter."),
        translate("Leave"),
        translate("Go back"),
    )


class ExperimenterCodeDialog(Dialog):
    """Dialog that asks for the experimenter's code; a wrong code can be corrected any number of times.

    Args:
        theme: The window's theme.
        is_correct: Return whether a code is correct.
        on_correct: Called once, with the correct code.
        announcer: Reports the fields' positions to UI tests.
        question: What the code permits.
        further: Text and action of something else that the code permits; None: there is nothing.
    """

    def __init__(
        self,
        theme: Theme,
        is_correct: Callable[[str], bool],
        *,
        on_correct: Callable[[], None],
        announcer: UiTestAnnouncer,
        question: ConfirmationQuestion,
        further: tuple[str, Callable[[], None]] | None = None,
    ) -> None:
        super().__init__(theme, question.title, announcer=announcer)
        self._is_correct = is_correct
        self.add_paragraph(question.text, theme.colours.muted)
        self._code = ttk.Entry(self.body, show="•", font=theme.font("body"), width=24)
        self._code.pack(anchor=theme.west, fill="x")
        self._code.bind("<Return>", lambda _event: self._submit(on_correct))
        self._message = theme.label(self.body, "", "bold", theme.colours.danger, wrap=self._width)
        self._message.pack(anchor=theme.west, pady=(theme.px(6), 0))
        self.add_buttons(
            question.yes_label, question.no_label, question.style, lambda: self._submit(on_correct)
        )
        if further is not None:
            self.add_further_button(further[0], lambda: self._submit(further[1]))
        announcer.register("code", self._code)

    def initial_focus(self) -> tk.Misc:
        """Return the field for the code."""
        return self._code

    def _submit(self, then: Callable[[], None]) -> None:
        if self._is_correct(self._code.get()):
            self.close()
            then()
            return
        self._code.delete(0, "end")
        self._code.focus_set()
        self._message.write(self._theme.translate("That’s not the code. Please ask the experimenter."))
        self._announcer.announce("wrong_code")
