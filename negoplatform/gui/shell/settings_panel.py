"""Settings of the window: colours, text size, language, motion, practice, full screen and code."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from dataclasses import replace
from tkinter import ttk
from typing import Any

from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.flow_layout import FlowLayout
from negoplatform.gui.widgets.scrolled_frame import ScrolledFrame
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.appearance import TEXT_SIZES, Appearance
from negoplatform.presentation.i18n import LANGUAGES, Language
from negoplatform.presentation.localized_names import displayable

WIDTH, MIN_WIDTH = 520, 440
"""The width of the card's inside and the least width, for 96 dpi."""

CHROME_SIZE = 80, 190
"""The width and height taken by the space around the rows, for 96 dpi."""

MAX_HEIGHT = 480
"""The greatest height of the rows, for 96 dpi; beyond it they scroll."""

MIN_CODE_LENGTH = 4
"""The least number of characters of a code."""


def theme_names(translate: Language) -> dict[str, str]:
    """Return the names of the palettes for display, by their keys."""
    return {
        "light": translate("Light"),
        "dark": translate("Dark"),
        "high_contrast": translate("High contrast"),
    }


class SettingsPanel:
    """Card in the middle of the window with the settings; each change takes effect at once.

    Args:
        theme: The window's theme with the current appearance.
        announcer: Reports the fields' positions to UI tests.
        has_code: Whether an experimenter's code is set.
        on_change: Called with the new appearance; it rebuilds the screen.
        on_code: Called with a new code.
        on_done: Called when the settings are closed.
        focus: The name of the field that had the focus before the screen was rebuilt.
        problem: An error message to show.
    """

    def __init__(
        self,
        theme: Theme,
        *,
        announcer: UiTestAnnouncer,
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
        self._width = max(MIN_WIDTH, min(WIDTH, round(theme.width) - CHROME_SIZE[0]))
        self.frame = theme.frame(theme.root, theme.colours.ground)
        card = theme.card(self.frame, 26)
        card.place(relx=0.5, rely=0.5, anchor="center")
        theme.label(card, theme.translate("Settings"), "big").pack(anchor=theme.west)
        height = min(MAX_HEIGHT, round(theme.height) - CHROME_SIZE[1])
        rows = ScrolledFrame(card, theme, width=self._width, height=height)
        rows.frame.pack(fill="x", pady=theme.px(8))
        self._add_rows(rows.inside, has_code=has_code)
        rows.bind_scrolling(rows.inside)
        self._message = theme.label(
            card, displayable(problem), "bold", theme.colours.danger, wrap=self._width
        )
        self._message.pack(anchor=theme.west)
        done = theme.button(card, theme.translate("Done"), "Primary.TButton", on_done)
        done.pack(fill="x", pady=(theme.px(8), 0))
        self._name("done", done)
        for widget in self._widgets.values():
            widget.bind("<Escape>", lambda _event: on_done())
        self._widgets.get(focus, done).focus_set()

    def focused_field(self) -> str:
        """Return the name of the field that has the focus, or an empty string."""
        now = str(self.frame.tk.call("focus"))
        return next((name for name, widget in self._widgets.items() if str(widget) == now), "")

    def show_error(self, sentence: str) -> None:
        """Show an error message."""
        self._message.write(displayable(sentence), self._theme.colours.danger)

    def show_success(self, sentence: str) -> None:
        """Show a message of success."""
        self._message.write(sentence, self._theme.colours.accept)

    def _add_rows(self, parent: tk.Misc, *, has_code: bool) -> None:
        theme, translate, now = self._theme, self._theme.translate, self._theme.appearance
        self._add_choices(parent, translate("Colours"), "theme", now.theme, theme_names(translate))
        self._add_sizes(parent)
        self._add_choices(parent, translate("Language"), "language", now.language, dict(LANGUAGES))
        self._add_check(parent, "reduce_motion", translate("Reduce motion: no animations"))
        self._add_check(
            parent, "practice", translate("Guided practice before a participant’s first negotiation")
        )
        self._add_check(parent, "full_screen", translate("Full screen during a session"))
        text = (
            translate(
                "The window can’t be closed during a session. To leave, press Ctrl+Shift+F12 and enter "
                "the code."
            )
            if has_code
            else translate("Without a code, anyone can leave it with Ctrl+Shift+F12.")
        )
        theme.label(parent, text, "small", theme.colours.muted, wrap=self._width - 30).pack(
            anchor=theme.west, pady=(0, theme.px(4)), padx=theme.padx(30, 0)
        )
        self._add_code(parent, has_code=has_code)

    def _add_choices(
        self, parent: tk.Misc, title: str, field: str, now: str, choices: dict[str, str]
    ) -> None:
        self._add_buttons(parent, title, field, now, choices, lambda key: self._change(field, key))

    def _add_buttons(
        self,
        parent: tk.Misc,
        title: str,
        field: str,
        now: str,
        choices: dict[str, str],
        choose: Callable[[str], None],
    ) -> None:
        theme = self._theme
        theme.label(parent, title, "bold").pack(anchor=theme.west, pady=(theme.px(12), theme.px(4)))
        row = FlowLayout(parent, theme, gap=8)
        row.frame.pack(fill="x")
        for key, text in choices.items():
            chosen = key == now
            button = theme.button(
                row.frame,
                text,
                "Chosen.Toggle.TButton" if chosen else "Toggle.TButton",
                lambda key=key: choose(key),  # type: ignore[misc]
                icon="check" if chosen else "",
            )
            self._name(f"{field}.{key}", button)
        row.lay_out(theme.px(self._width))

    def _add_sizes(self, parent: tk.Misc) -> None:
        theme, now = self._theme, self._theme.appearance.text_size
        sizes = {f"{100 * size:.0f}": f"{size:.0%}" for size in TEXT_SIZES}
        by_key = dict(zip(sizes, TEXT_SIZES, strict=True))
        chosen = next(key for key, size in by_key.items() if size == now)
        self._add_buttons(
            parent,
            theme.translate("Text size"),
            "text_size",
            chosen,
            sizes,
            lambda key: self._change("text_size", by_key[key]),
        )
        note = theme.size_note
        if note:
            label = theme.label(parent, note, "small", theme.colours.warning, wrap=self._width)
            label.pack(anchor=theme.west, pady=(theme.px(4), 0))

    def _add_check(self, parent: tk.Misc, field: str, text: str) -> None:
        theme = self._theme
        variable = tk.BooleanVar(parent, getattr(theme.appearance, field))
        self._variables.append(variable)
        check = ttk.Checkbutton(
            parent,
            text=theme.visual_order(text),
            variable=variable,
            command=lambda: self._change(field, variable.get()),
        )
        check.pack(anchor=theme.west, pady=(theme.px(12), 0))
        self._name(field, check)

    def _add_code(self, parent: tk.Misc, *, has_code: bool) -> None:
        theme, translate = self._theme, self._theme.translate
        row = theme.frame(parent)
        row.pack(anchor=theme.west, padx=theme.padx(30, 0), pady=(theme.px(2), theme.px(4)))
        title = translate("New experimenter code") if has_code else translate("Experimenter code")
        theme.label(row, title).pack(side=theme.start)
        code = ttk.Entry(row, show="•", font=theme.font("body"), width=12)
        code.pack(side=theme.start, padx=theme.px(8))

        def keep() -> None:
            if len(code.get().strip()) < MIN_CODE_LENGTH:
                self.show_error(translate("A code needs at least {n} characters.", n=MIN_CODE_LENGTH))
                return
            typed = code.get()
            code.delete(0, "end")
            self._on_code(typed)  # may replace the panel

        code.bind("<Return>", lambda _event: keep())
        button = theme.button(row, translate("Set the code"), "Plain.TButton", keep)
        button.pack(side=theme.start)
        self._name("code", code)
        self._name("set_code", button)

    def _change(self, field: str, value: str | bool | float) -> None:
        chosen: dict[str, Any] = {field: value}
        changed = replace(self._theme.appearance, **chosen)
        if changed != self._theme.appearance:
            self._on_change(changed)

    def _name(self, name: str, widget: tk.Widget) -> None:
        self._widgets[name] = widget
        self._announcer.register(f"settings.{name}", widget)
