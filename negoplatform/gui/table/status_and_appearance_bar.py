"""Footer: whether everything is saved, the participant's code, and buttons for the appearance."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from dataclasses import replace
from tkinter import ttk

from negoplatform.gui.theming.icons import icon
from negoplatform.gui.theming.screen_reader_names import set_accessible_name
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.theming.ttk_styles import button_text_colour
from negoplatform.gui.widgets.tooltip import Tooltip
from negoplatform.presentation.appearance import Appearance
from negoplatform.presentation.localized_names import displayable

BUTTON_SIZE = (46, 32)
"""Width and height of the buttons in the corner, for 96 dpi at every text size."""

SIDE_MARGIN, BOTTOM_MARGIN = 12, 2
"""Distance of these buttons from the window's end side and bottom, likewise."""

ICON_SIZE = 20

BUTTON_STYLE = "Fixed.Quiet.TButton"


class StatusAndAppearanceBar:
    """Bar at the bottom of the window with small texts and buttons.

    The buttons for theme and text size keep their size and their place in the corner at every text size:
    none moves under the pointer that presses it. ``tabs`` is a frame for the tabs of the layout.

    Args:
        parent: The parent of the bar.
        theme: The window's theme.
        participant: The participant's code.
        on_appearance: Called with an appearance chosen by a button.
        on_help: Called to show the help page.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        *,
        participant: str,
        on_appearance: Callable[[Appearance], None],
        on_help: Callable[[], None],
    ) -> None:
        self._theme, self._on_appearance = theme, on_appearance
        translate = theme.translate
        self.frame = theme.frame(parent)
        theme.rule(self.frame).pack(side="top", fill="x")
        inside = theme.frame(self.frame)
        inside.pack(side="bottom", fill="x")
        # In reading order, which is the order of Tab.
        self.tabs = theme.frame(inside)
        self._words = theme.frame(inside)
        self._saved = theme.label(self._words, "", "small", theme.colours.muted)
        self._saved.pack(side=theme.start)
        if participant:
            theme.label(self._words, "·", "small", theme.colours.muted).pack(
                side=theme.start, padx=theme.px(8)
            )
            code = translate("Participant {code}", code=displayable(participant))
            theme.label(self._words, code, "small", theme.colours.muted).pack(side=theme.start)
        self.help = theme.button(
            inside, translate("How this works (F1)"), "Small.Quiet.TButton", on_help, icon="help"
        )
        self._help_tooltip = Tooltip(theme, self.help, "", above=True)
        self.theme_button, self.smaller, self.larger = self._make_corner(inside)
        self._narrow: bool | None = None
        self.show_narrow(narrow=False)
        # In its own row: the note may be a long sentence with a path.
        self._note_label = theme.label(self.frame, "", "small_bold", theme.colours.primary)
        self.frame.bind("<Configure>", lambda event: self._resized(event.width))
        self.show_note("")

    def show_note(self, text: str) -> None:
        """Show a note; without one, the reason why the text is smaller than chosen, if it is."""
        text = text or self._theme.size_note
        self._note_label.write(text)
        if text:
            px = self._theme.px
            self._note_label.pack(side="top", anchor=self._theme.west, padx=px(20), pady=(px(4), 0))
        else:
            self._note_label.pack_forget()

    def show(self, *, saved: bool, counts: bool = True) -> None:
        """Show whether all events are saved; a practice, which does not count, is not recorded."""
        translate, c = self._theme.translate, self._theme.colours
        if not counts:
            self._saved.write(translate("Practice: nothing is recorded"), c.muted)
        elif saved:
            self._saved.write(translate("Everything is saved"), c.muted)
        else:
            self._saved.write(translate("Paused: nothing is being recorded now"), c.warning)

    def show_narrow(self, *, narrow: bool) -> None:
        """Show the tabs in place of the texts, or the texts."""
        if narrow == self._narrow:
            return
        self._narrow = narrow
        theme = self._theme
        shown, hidden = (self.tabs, self._words) if narrow else (self._words, self.tabs)
        hidden.pack_forget()
        shown.pack(side=theme.start, padx=theme.px(8 if narrow else 20))
        words = theme.translate("How this works (F1)")
        theme.set_button_text(self.help, "" if narrow else words)
        self._help_tooltip.words = words if narrow else ""
        self.help.configure(compound="image" if narrow else theme.start)
        self.help.pack(side=theme.end, padx=theme.px(2))

    def _make_corner(self, inside: tk.Frame) -> tuple[ttk.Button, ttk.Button, ttk.Button]:
        """Make the buttons with a fixed size, each at a fixed distance from the corner."""
        theme, translate, now = self._theme, self._theme.translate, self._theme.appearance
        dark = theme.colours.dark
        to_other = replace(now, theme="light" if dark else "dark")
        made = (
            self._make_fixed_button(
                inside, "", translate("Switch to light") if dark else translate("Switch to dark"), to_other
            ),
            self._make_fixed_button(inside, "A−", translate("Smaller text"), theme.smaller),
            self._make_fixed_button(inside, "A+", translate("Larger text"), theme.larger),
        )
        words = button_text_colour(theme.colours, BUTTON_STYLE)
        self._picture = theme.picture(icon("sun" if dark else "moon", theme.dpi_px(ICON_SIZE), words))
        made[0].configure(image=self._picture, compound="image")
        across, down = theme.dpi_px(BUTTON_SIZE[0]), theme.dpi_px(BUTTON_SIZE[1])
        for index, button in enumerate(made):
            x = theme.dpi_px(SIDE_MARGIN) + (len(made) - 1 - index) * across
            button.place(
                relx=0.0 if theme.rtl else 1.0,
                x=x if theme.rtl else -x,
                rely=1.0,
                y=-theme.dpi_px(BOTTOM_MARGIN),
                anchor="sw" if theme.rtl else "se",
                width=across,
                height=down,
            )
        room = tk.Frame(inside, bg=theme.colours.card, bd=0)
        room.configure(
            width=len(made) * across + 2 * theme.dpi_px(SIDE_MARGIN),
            height=down + 2 * theme.dpi_px(BOTTOM_MARGIN),
        )
        room.pack(side=theme.end)
        room.lower()
        return made

    def _make_fixed_button(
        self, parent: tk.Misc, text: str, name: str, appearance: Appearance | Callable[[], Appearance | None]
    ) -> ttk.Button:
        def press() -> None:
            wanted = appearance() if callable(appearance) else appearance
            if wanted is not None:
                self._on_appearance(wanted)

        button = ttk.Button(parent, text=text, style=BUTTON_STYLE, command=press)
        set_accessible_name(button, "Button", name)
        Tooltip(self._theme, button, name, above=True)
        if callable(appearance) and appearance() is None:
            button.state(["disabled"])
        return button

    def _resized(self, width: int) -> None:
        self._note_label.wrap_to(width - self._theme.px(40))

    def fit(self) -> None:
        """Enable or disable the button for larger text after a change of the window's size."""
        self.larger.state(["disabled" if self._theme.larger() is None else "!disabled"])
