"""Researcher's panel with its tabs."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping
from functools import partial
from tkinter import ttk

from negoplatform.gui.replay.recorded_session import FigureKind
from negoplatform.gui.replay.replay_parts import ReplayTab, TabCallbacks, TabEntry
from negoplatform.gui.theming.theme import Theme

WIDTH = 384
"""Width of the card at 96 dpi: as wide as the builder in a negotiation."""

WIDE = 560
"""Width of the card from which the save button is next to the tabs' names, at 96 dpi."""


class SidePanel:
    """Card with tabs; each tab is created when it is first opened.

    Args:
        parent: The parent widget.
        theme: The window's theme.
        entries: The tabs by name, in reading order.
        callbacks: What the tabs call.
        on_save: Called with the kind of picture to be saved; None: no picture can be saved.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        entries: Mapping[str, TabEntry],
        *,
        callbacks: TabCallbacks,
        on_save: Callable[[FigureKind], None] | None = None,
    ) -> None:
        self._theme, self._callbacks = theme, callbacks
        self._at = (0, 0.0)
        self._tabs: dict[str, ReplayTab] = {}
        self.chosen = ""
        self.frame = theme.card(parent, 10)
        self.frame.configure(width=theme.px(WIDTH))
        self.frame.pack_propagate(False)
        self._entries = entries
        self._head = head = theme.frame(self.frame)
        head.pack(fill="x", pady=(0, theme.px(6)))
        self.buttons = {
            name: theme.button(head, entry.title, "Toggle.TButton", partial(self.choose, name))
            for name, entry in self._entries.items()
        }
        for button in self.buttons.values():
            button.pack(side=theme.start, padx=theme.padx(0, 4))
        self._place = theme.frame(self.frame)
        self._place.pack(fill="both", expand=True)
        self._save = None if on_save is None else self._make_save(on_save)

    def _make_save(self, on_save: Callable[[FigureKind], None]) -> ttk.Button:
        theme = self._theme
        save = theme.button(
            self.frame,
            theme.translate("Save picture…"),
            "Quiet.TButton",
            lambda: on_save(self.picture),
            icon="image",
        )
        self._place_save(save, 0)
        self.frame.bind("<Configure>", lambda event: self._place_save(save, event.width))
        # Tab follows the stacking order, which has to be the reading order.
        save.lift()
        return save

    @property
    def picture(self) -> FigureKind:
        """Kind of picture that can be saved now."""
        return self._entries[self.chosen].figure

    def _place_save(self, save: ttk.Button, width: int) -> None:
        """Place the save button below everything, or next to the tabs' names if there is space."""
        theme = self._theme
        if width > theme.px(WIDE):
            save.pack(in_=self._head, side=theme.end)
        else:
            save.pack(in_=self.frame, side="bottom", anchor=theme.west, before=self._place)

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the widgets that can be pressed, by name."""
        named: dict[str, tk.Misc] = {f"replay.tab.{name}": button for name, button in self.buttons.items()}
        if self.chosen:
            named[f"replay.{self.chosen}"] = self._tabs[self.chosen].focus
        return named if self._save is None else {**named, "replay.save": self._save}

    def arrow_key_widgets(self) -> tuple[tk.Misc, ...]:
        """Return the widgets of the open tab that use the arrow keys themselves."""
        if self.chosen and self._entries[self.chosen].uses_arrow_keys:
            return (self._tabs[self.chosen].focus,)
        return ()

    def open_first(self) -> None:
        """Open the first tab."""
        self.choose(next(iter(self._entries)))

    def choose(self, name: str) -> None:
        """Open a tab."""
        if name == self.chosen:
            return
        theme = self._theme
        if self.chosen:
            self._tabs[self.chosen].frame.pack_forget()
        self.chosen = name
        if name not in self._tabs:
            self._tabs[name] = self._entries[name].make(self._place, theme, self._callbacks)
        tab = self._tabs[name]
        tab.frame.pack(fill="both", expand=True)
        for each, button in self.buttons.items():
            self._style_button(button, chosen=each == name)
        if self._save is not None:
            transcript = self.picture is FigureKind.TRANSCRIPT
            theme.set_button_text(
                self._save,
                theme.translate("Save the transcript…") if transcript else theme.translate("Save picture…"),
            )
        tab.show(*self._at)

    def show(self, position: int, t: float) -> None:
        """Show the position of the replay."""
        self._at = position, t
        if self.chosen:
            self._tabs[self.chosen].show(position, t)

    def _style_button(self, button: ttk.Button, *, chosen: bool) -> None:
        button.configure(style="Chosen.Toggle.TButton" if chosen else "Toggle.TButton")
