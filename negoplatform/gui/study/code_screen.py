"""Screen on which a participant types the code with which a visit begins."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from functools import partial
from tkinter import ttk

from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.i18n import LANGUAGES
from negoplatform.presentation.localized_names import displayable

WIDTH, AROUND = 420, 100
"""Width of the contents, and minimum by which the window is wider, for 96 dpi."""

LONGEST = 64
"""Maximum number of characters of a code that is typed."""


class CodeScreen:
    """Field for the code, twice if the study wants it, and the languages of the study.

    Args:
        theme: Theme of the window.
        type_twice: Whether the code has to be typed twice.
        announcer: Reports the positions of controls to UI tests.
        on_code: Called with the code; it shows a problem, or replaces this screen.
        study_title: Title of the study.
        languages: Codes of the languages to choose from; fewer than two: there is no choice.
        on_language: Called with a language that was chosen; it builds this screen again.
        is_test: Whether visits are tests.
    """

    def __init__(
        self,
        theme: Theme,
        *,
        type_twice: bool,
        announcer: UiTestAnnouncer,
        on_code: Callable[[str], None],
        study_title: str,
        languages: Sequence[str] = (),
        on_language: Callable[[str], None] = lambda _code: None,
        is_test: bool = False,
    ) -> None:
        self._theme, self._announcer, self._on_code = theme, announcer, on_code
        px, c, translate = theme.px, theme.colours, theme.translate
        width = min(WIDTH, round(theme.width) - AROUND)
        self.frame = theme.frame(theme.root, c.ground)
        card = theme.card(self.frame, 30)
        card.place(relx=0.5, rely=0.46, anchor="center")
        if is_test:
            mark = theme.label(card, translate("TEST"), "bold", c.on_danger, ground=c.danger)
            mark.configure(padx=px(8), pady=px(2))
            mark.pack(anchor=theme.west, pady=(0, px(10)))
        theme.label(card, displayable(study_title), "big", wrap=width).pack(anchor=theme.west)
        theme.label(
            card, translate("Please type the code that you were given."), "body", c.muted, wrap=width
        ).pack(anchor=theme.west, pady=(px(4), px(12)))
        self._first = self._add_field(card, translate("Your code"), "code", width)
        self._second = (
            self._add_field(card, translate("Your code again"), "code.again", width) if type_twice else None
        )
        self._problem = theme.label(card, "", "bold", c.danger, wrap=width)
        foot = theme.frame(card)
        foot.pack(fill="x", pady=(px(16), 0), side="bottom")
        if len(languages) > 1:
            self._add_languages(foot, languages, on_language)
        button = theme.button(foot, translate("Continue"), "Primary.TButton", self._submit)
        button.pack(side=theme.end)
        announcer.register("continue", button)
        announcer.announce("study_code")

    def focus_first(self) -> None:
        """Give the keyboard focus to the field."""
        self._first.focus_set()

    def entered(self) -> tuple[str, str]:
        """Return what has been typed into both fields."""
        return self._first.get(), "" if self._second is None else self._second.get()

    def fill(self, typed: tuple[str, str]) -> None:
        """Show what was typed, after the screen was built again."""
        for field, text in zip((self._first, self._second), typed, strict=True):
            if field is not None:
                field.delete(0, "end")
                field.insert(0, text)

    def show_problem(self, sentence: str) -> None:
        """Show why a code cannot be used; what was typed can be corrected."""
        self._problem.write(sentence)
        self._problem.pack(anchor=self._theme.west, pady=(self._theme.px(8), 0))
        self._first.focus_set()
        self._first.selection_range(0, "end")
        self._announcer.announce("study_problem", text=sentence)

    def close(self) -> None:
        """Do nothing: there are no timers."""

    def _add_field(self, parent: tk.Misc, title: str, name: str, width: float) -> ttk.Entry:
        theme = self._theme
        theme.label(parent, title, "bold", wrap=width).pack(
            anchor=theme.west, pady=(theme.px(6), theme.px(3))
        )
        field = ttk.Entry(parent, font=theme.font("heading"), width=22, justify=theme.justify)
        field.pack(fill="x")
        for key in ("Return", "KP_Enter"):
            field.bind(f"<{key}>", lambda _event: self._entered(field))
        self._announcer.register(name, field)
        return field

    def _add_languages(
        self, parent: tk.Misc, languages: Sequence[str], on_language: Callable[[str], None]
    ) -> None:
        theme = self._theme
        for code in languages:
            is_chosen = code == theme.translate.code
            style = "Chosen.Small.Toggle.TButton" if is_chosen else "Small.Toggle.TButton"
            button = theme.button(parent, LANGUAGES.get(code, code), style, partial(on_language, code))
            button.pack(side=theme.start, padx=theme.padx(0, 6))
            self._announcer.register(f"language.{code}", button)

    def _entered(self, field: ttk.Entry) -> str:
        """Go on by Enter; from the first field to the second one, if that is empty."""
        if field is self._first and self._second is not None and not self._second.get().strip():
            self._second.focus_set()
        else:
            self._submit()
        return "break"

    def _submit(self) -> None:
        translate = self._theme.translate
        code = self._first.get().strip()[:LONGEST]
        if not code:
            self.show_problem(translate("Please type your code."))
        elif self._second is not None and self._second.get().strip().casefold() != code.casefold():
            self.show_problem(translate("The two codes are different. Please type your code twice."))
            self._second.delete(0, "end")
        else:
            self._on_code(code)
