"""Bar below the header: the session's facts, the state of its log, and the choice of view."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from functools import partial
from tkinter import ttk

from negoplatform.app.playback.playback import Playback
from negoplatform.core.visibility import Observer
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.scrolled_frame import disable_wheel
from negoplatform.presentation.replay.replay_presenter import damage_text, integrity_text
from negoplatform.presentation.replay.seat_occupant_names import SeatOccupantNames, session_facts

MOST_BUTTONS = 5
"""Largest number of views with a button each; more are in a list."""

BUTTON_EDGES = 28
"""Width of a button without its text, with the gap to the next, for 96 dpi."""

MOST_OF_WIDTH = 0.6
"""Share of the window's width that the buttons may take; else the views are in a list too."""

LIST_WIDTH = 16
"""Width of that list in characters."""


class SessionFactsBar:
    """Facts about the session, and the buttons for the views.

    Args:
        parent: The parent widget.
        theme: The window's theme.
        playback: The session.
        participants: The names of the session.
        on_view: Called with the observer whose view is chosen.
        on_panel: Called to show or hide the researcher's panel.
        on_done: Called to leave the screen; None if there is no screen to return to.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        playback: Playback,
        participants: SeatOccupantNames,
        *,
        on_view: Callable[[Observer], None],
        on_panel: Callable[[], None],
        on_done: Callable[[], None] | None,
    ) -> None:
        self._theme = theme
        translate, px, c = theme.translate, theme.px, theme.colours
        self.frame = theme.frame(parent)
        strip = theme.frame(self.frame)
        strip.pack(fill="x", padx=px(20), pady=px(5))
        words = theme.frame(strip)
        sound = playback.problem is None
        theme.label(
            words, integrity_text(playback, translate), "small_bold", c.accept if sound else c.warning
        ).pack(side=theme.start, padx=theme.padx(0, 10))
        self._facts = theme.label(words, "", "small", c.muted)
        self._facts.configure(anchor=theme.west)
        self._facts.pack(side=theme.start)
        self._facts_text = session_facts(playback.header, participants, translate)
        # Packed before the facts, so that the facts are cut off where space is short.
        ends: list[tk.Widget] = []
        self.panel = theme.button(strip, translate("Hide panel"), "Toggle.TButton", on_panel)
        self.done = None
        if on_done is not None:
            self.done = theme.button(strip, translate("Back"), "Toggle.TButton", on_done)
            ends.append(self.done)
        ends.append(self.panel)
        for button in ends:
            button.pack(side=theme.end, padx=theme.padx(6, 0))
        theme.rule(strip, upright=True).pack(side=theme.end, fill="y", padx=px(10), pady=px(3))
        self.buttons: dict[Observer, ttk.Button] = {}
        self._observers = playback.observers
        names = [participants.view_name(observer, translate) for observer in self._observers]
        self.views: ttk.Combobox | None = None
        if len(names) > MOST_BUTTONS or self._needs_list(names):
            self.views = self._make_list(strip, names, on_view)
        else:
            for observer, name in reversed(list(zip(self._observers, names, strict=True))):
                self.buttons[observer] = theme.button(
                    strip, name, "Toggle.TButton", partial(on_view, observer)
                )
                self.buttons[observer].pack(side=theme.end, padx=theme.padx(4, 0))
        theme.label(strip, translate("View as"), "small", c.muted).pack(side=theme.end, padx=px(4))
        words.pack(side=theme.start)
        # Tab follows the stacking order, which has to be the reading order.
        views = reversed(self.buttons.values()) if self.views is None else (self.views,)
        for widget in (*views, self.panel, *ends[:-1]):
            widget.lift()
        theme.rule(self.frame).pack(fill="x")
        broken = damage_text(playback, translate)
        if broken:
            self._add_damage(broken)

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the widgets that can be pressed, by name."""
        named: dict[str, tk.Misc] = {
            f"replay.view_as.{_key(observer)}": button for observer, button in self.buttons.items()
        }
        if self.views is not None:
            named["replay.view_as"] = self.views
        if self.done is not None:
            named["replay.done"] = self.done
        return {**named, "replay.panel": self.panel}

    def show(self, observer: Observer, *, panel: bool) -> None:
        """Show which view is chosen, and whether the researcher's panel is open."""
        for each, button in self.buttons.items():
            button.configure(style="Chosen.Toggle.TButton" if each == observer else "Toggle.TButton")
        if self.views is not None:
            self.views.current(self._observers.index(observer))
        translate = self._theme.translate
        # The agent's identity is hidden with the panel from a participant who watches.
        self._facts.write(self._facts_text if panel else "")
        self._theme.set_button_text(self.panel, translate("Hide panel") if panel else translate("Show panel"))

    def _needs_list(self, names: Sequence[str]) -> bool:
        """Return whether buttons for the views would take more of the width than they may."""
        theme = self._theme
        needed = sum(theme.font("body").measure(name) + theme.px(BUTTON_EDGES) for name in names)
        return needed > MOST_OF_WIDTH * theme.px(round(theme.width))

    def _make_list(
        self, parent: tk.Misc, names: Sequence[str], on_view: Callable[[Observer], None]
    ) -> ttk.Combobox:
        """Make the list of views that takes the place of the buttons of many."""
        theme = self._theme
        box = ttk.Combobox(
            parent,
            state="readonly",
            width=LIST_WIDTH,
            values=[theme.visual_order(name) for name in names],
            font=theme.font("body"),
        )
        disable_wheel(box)
        box.bind("<<ComboboxSelected>>", lambda _event: on_view(self._observers[box.current()]))
        box.pack(side=theme.end, padx=theme.padx(4, 0))
        return box

    def _add_damage(self, sentence: str) -> None:
        theme, c = self._theme, self._theme.colours
        bar = theme.frame(self.frame, c.theirs_soft)
        bar.pack(fill="x")
        words = theme.label(bar, sentence, "body", c.ink, ground=c.theirs_soft, wrap=1200)
        words.pack(anchor=theme.west, padx=theme.px(20), pady=theme.px(6))


def _key(observer: Observer) -> str:
    if observer.raw:
        return "complete"
    return observer.seat or "public"
