"""The looks: colours, size, language, motion, full screen; each change holds at once."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from dataclasses import replace
from tkinter import ttk
from typing import Any

from negoplatform.gui.announce import Announcer
from negoplatform.gui.appearance import TEXT_SIZES, Appearance
from negoplatform.gui.language import LANGUAGES, Language
from negoplatform.gui.scrolled import ScrolledFrame
from negoplatform.gui.texts import drawable
from negoplatform.gui.theme import Theme

WIDTH = 520
"""Width of the card's inside, for 96 dpi."""

LEAST_CODE = 4
"""Characters that a code has at least."""


def themes(say: Language) -> dict[str, str]:
    """The palettes, as people read them."""
    return {"light": say("Light"), "dark": say("Dark"), "high_contrast": say("High contrast")}


class AppearancePanel:
    """A card in the middle of the window.

    Args:
        theme: Its looks, and what is chosen.
        announcer: Is told where the fields are.
        has_code: Whether there is a code that leaves the full screen.
        on_change: Is given what was chosen; the screen is then built anew.
        on_code: Is given a new code.
        on_done: Is called when nothing more shall change.
        focus: The name of the field that had the keyboard before the screen was built anew.
        problem: What it says has gone wrong.
    """

    def __init__(
        self,
        theme: Theme,
        *,
        announcer: Announcer,
        has_code: bool,
        on_change: Callable[[Appearance], None],
        on_code: Callable[[str], None],
        on_done: Callable[[], None],
        focus: str = "",
        problem: str = "",
    ) -> None:
        self._theme = theme
        self._announcer = announcer
        self._on_change = on_change
        self._on_code = on_code
        self._widgets: dict[str, tk.Widget] = {}
        self._variables: list[tk.BooleanVar] = []
        self.frame = theme.frame(theme.root, theme.colours.ground)
        card = theme.card(self.frame, 26)
        card.place(relx=0.5, rely=0.5, anchor="center")
        theme.label(card, theme.say("Settings"), "big").pack(anchor=theme.west)
        rows = ScrolledFrame(card, theme, width=WIDTH, height=440)
        rows.frame.pack(fill="x", pady=theme.px(8))
        self._add_rows(rows.inside, has_code=has_code)
        rows.watch(rows.inside)
        self._said = theme.label(card, drawable(problem), "bold", theme.colours.danger, wrap=WIDTH)
        self._said.pack(anchor=theme.west)
        done = theme.button(card, theme.say("Done"), "Primary.TButton", on_done)
        done.pack(fill="x", pady=(theme.px(8), 0))
        self._name("done", done)
        for widget in self._widgets.values():
            widget.bind("<Escape>", lambda _event: on_done())
        self._widgets.get(focus, done).focus_set()

    def focused(self) -> str:
        """The name of the field that has the keyboard."""
        now = str(self.frame.tk.call("focus"))
        return next((name for name, widget in self._widgets.items() if str(widget) == now), "")

    def complain(self, sentence: str) -> None:
        """Says what has gone wrong."""
        self._said.write(drawable(sentence), self._theme.colours.danger)

    def say_done(self, sentence: str) -> None:
        """Says what was done."""
        self._said.write(sentence, self._theme.colours.accept)

    def _add_rows(self, parent: tk.Misc, *, has_code: bool) -> None:
        theme, say, now = self._theme, self._theme.say, self._theme.appearance
        self._add_choices(parent, say("Colours"), "theme", now.theme, themes(say))
        self._add_sizes(parent)
        self._add_choices(parent, say("Language"), "language", now.language, dict(LANGUAGES))
        self._add_check(parent, "reduce_motion", say("Reduce motion: nothing moves by itself"))
        self._add_check(parent, "full_screen", say("Full screen during a session"))
        words = (
            say("During a session the window cannot be closed. Ctrl+Shift+F12 and the code leave it.")
            if has_code
            else say("Without a code everybody can leave it with Ctrl+Shift+F12.")
        )
        theme.label(parent, words, "small", theme.colours.muted, wrap=WIDTH - 30).pack(
            anchor=theme.west, pady=(0, theme.px(4)), padx=theme.beside(30, 0)
        )
        self._add_code(parent, has_code=has_code)

    def _row(self, parent: tk.Misc, title: str) -> tk.Frame:
        theme = self._theme
        theme.label(parent, title, "bold").pack(anchor=theme.west, pady=(theme.px(12), theme.px(4)))
        row = theme.frame(parent)
        row.pack(anchor=theme.west)
        return row

    def _add_choices(
        self, parent: tk.Misc, title: str, field: str, now: str, choices: dict[str, str]
    ) -> None:
        theme, row = self._theme, self._row(parent, title)
        for key, words in choices.items():
            chosen = key == now
            button = theme.button(
                row,
                words,
                "Chosen.Toggle.TButton" if chosen else "Toggle.TButton",
                lambda key=key: self._change(field, key),  # type: ignore[misc]
                icon="check" if chosen else "",
            )
            button.pack(side=theme.start, padx=theme.beside(0, 8))
            self._name(f"{field}.{key}", button)

    def _add_sizes(self, parent: tk.Misc) -> None:
        theme, now = self._theme, self._theme.appearance
        row = self._row(parent, theme.say("Size of everything"))
        for name, icon, to in (("smaller", "minus", now.smaller()), ("larger", "plus", now.larger())):
            button = theme.button(
                row,
                "",
                "Toggle.TButton",
                lambda to=to: self._on_change(to),  # type: ignore[misc]
                icon=icon,
            )
            if to == now:
                button.configure(state="disabled")
            button.pack(side=theme.start, padx=theme.beside(0, 8))
            self._name(f"text_size.{name}", button)
            if name == "smaller":
                percent = f"{now.text_size:.0%}"
                theme.label(row, percent, "bold").pack(side=theme.start, padx=theme.beside(2, 10))
        sizes = theme.say("{least} to {most}", least=f"{min(TEXT_SIZES):.0%}", most=f"{max(TEXT_SIZES):.0%}")
        theme.label(row, sizes, "small", theme.colours.muted).pack(side=theme.start)

    def _add_check(self, parent: tk.Misc, field: str, words: str) -> None:
        theme = self._theme
        variable = tk.BooleanVar(parent, getattr(theme.appearance, field))
        self._variables.append(variable)
        check = ttk.Checkbutton(
            parent,
            text=theme.drawn(words),
            variable=variable,
            command=lambda: self._change(field, variable.get()),
        )
        check.pack(anchor=theme.west, pady=(theme.px(12), 0))
        self._name(field, check)

    def _add_code(self, parent: tk.Misc, *, has_code: bool) -> None:
        theme, say = self._theme, self._theme.say
        row = theme.frame(parent)
        row.pack(anchor=theme.west, padx=theme.beside(30, 0), pady=(theme.px(2), theme.px(4)))
        title = say("New code of the experimenter") if has_code else say("Code of the experimenter")
        theme.label(row, title).pack(side=theme.start)
        code = ttk.Entry(row, show="•", font=theme.font("body"), width=12)
        code.pack(side=theme.start, padx=theme.px(8))

        def keep() -> None:
            if len(code.get().strip()) < LEAST_CODE:
                self.complain(say("A code has at least {n} characters.", n=LEAST_CODE))
                return
            self._on_code(code.get())
            code.delete(0, "end")

        code.bind("<Return>", lambda _event: keep())
        button = theme.button(row, say("Set the code"), "Plain.TButton", keep)
        button.pack(side=theme.start)
        self._name("code", code)
        self._name("set_code", button)

    def _change(self, field: str, value: str | bool) -> None:
        chosen: dict[str, Any] = {field: value}
        changed = replace(self._theme.appearance, **chosen)
        if changed != self._theme.appearance:
            self._on_change(changed)

    def _name(self, name: str, widget: tk.Widget) -> None:
        self._widgets[name] = widget
        self._announcer.name(f"settings.{name}", widget)
