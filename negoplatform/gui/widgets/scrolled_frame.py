"""Frame that scrolls when its contents do not fit."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from functools import partial
from tkinter import ttk
from typing import Literal

from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.widget_bound_callbacks import bind_tag

KEYS: dict[str, tuple[int, Literal["units", "pages"]]] = {
    "Up": (-1, "units"),
    "Down": (1, "units"),
    "Prior": (-1, "pages"),
    "Next": (1, "pages"),
}
"""Distance that each key scrolls."""

CONTROLS = ("TButton", "TEntry", "TCombobox", "TCheckbutton", "TRadiobutton")
"""Widget classes at which Tab stops."""


class ScrolledFrame:
    """Scrolling frame: contents go into ``inside``; ``frame`` is the widget to place.

    The wheel works over all contents, and a widget that gets the focus by Tab is scrolled into view. If no
    widget inside takes the focus, Tab stops at the frame itself, which the arrow keys scroll.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        width: Width in pixels at 96 dpi.
        height: Maximum requested height in pixels at 96 dpi; smaller contents request less.
        on_scroll: Called when a person scrolls, by wheel, bar or keys.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        *,
        width: int,
        height: int,
        on_scroll: Callable[[], object] = lambda: None,
    ) -> None:
        self._on_scroll = on_scroll
        self._max_height, self._gap = theme.px(height), theme.padx(6, 0)
        self._card, self._focus = theme.colours.card, theme.colours.focus
        self._bar_column = theme.column(1, 2)
        self.frame = tk.Frame(parent, bg=self._card, highlightthickness=theme.px(2))
        self.frame.rowconfigure(0, weight=1)
        self.frame.columnconfigure(theme.column(0, 2), weight=1)
        self.canvas = tk.Canvas(
            self.frame, bg=self._card, highlightthickness=0, width=theme.px(width), height=1
        )
        self.canvas.configure(takefocus=0)
        self.canvas.grid(row=0, column=theme.column(0, 2), sticky="nsew")
        self._bar = ttk.Scrollbar(self.frame, orient="vertical", command=self._drag)
        self.canvas.configure(yscrollcommand=self._bar.set)
        self.inside = theme.frame(self.canvas)
        self._item = self.canvas.create_window(0, 0, anchor="nw", window=self.inside)
        self.inside.bind("<Configure>", lambda _event: self.fit())
        # Contents that shrink until they are out of view are hidden by the canvas, and not resized.
        self.inside.bind("<Unmap>", lambda _event: self.fit())
        self.canvas.bind("<Configure>", lambda _event: self.fit())
        self._tag = f"Scrolled{self.canvas}"
        bind = partial(bind_tag, self.canvas, self._tag)
        bind("<Button-4>", lambda _event: self._scroll(-2, "units"))
        bind("<Button-5>", lambda _event: self._scroll(2, "units"))
        bind("<MouseWheel>", lambda event: self._scroll(-1 if event.delta > 0 else 1, "units"))
        bind("<FocusIn>", self._follow_focus)
        bind("<FocusOut>", lambda _event: self._ring(self._card))
        bind_scroll_keys(bind, self._scroll)
        self._ring(self._card)
        self.bind_scrolling(self.canvas)
        self.bind_scrolling(self.inside)

    def set_max_height(self, height: int) -> None:
        """Set the maximum requested height in pixels."""
        if height != self._max_height:
            self._max_height = height
            self.fit()

    @property
    def scrollbar(self) -> tk.Misc:
        """Scrollbar, visible while the contents do not fit."""
        return self._bar

    def bind_scrolling(self, widget: tk.Misc) -> None:
        """Make the wheel over a widget and its descendants scroll, and keep a focused one in view."""
        # Through a tag: bound to the widget itself, <FocusIn> would make every label a Tab stop.
        if self._tag not in widget.bindtags():
            widget.bindtags((self._tag, *widget.bindtags()))
        for child in widget.winfo_children():
            self.bind_scrolling(child)

    def fit(self) -> None:
        """Scroll over the contents as they are now, whose height in pixels Tk reports only later."""
        needed = self.inside.winfo_reqheight()
        self.canvas.configure(scrollregion=(0, 0, self.inside.winfo_reqwidth(), needed))
        self.canvas.itemconfigure(self._item, width=self.canvas.winfo_width())
        wanted = max(1, min(needed, self._max_height))
        if int(str(self.canvas.cget("height"))) != wanted:
            self.canvas.configure(height=wanted)
        if needed > self.canvas.winfo_height() > 1:
            self._set_tab_stop(not _has_controls(self.inside))
            self._bar.grid(row=0, column=self._bar_column, sticky="ns", padx=self._gap)
        else:
            self._set_tab_stop(False)
            self._bar.grid_remove()
            self.canvas.yview_moveto(0)

    def _set_tab_stop(self, stop: bool) -> None:
        """Set whether Tab stops at the frame itself."""
        if int(str(self.canvas.cget("takefocus"))) != stop:
            self.canvas.configure(takefocus=1 if stop else 0)

    def _drag(self, *where: str) -> None:
        self._on_scroll()
        self.canvas.yview(*where)

    def _scroll(self, number: int, unit: Literal["units", "pages"]) -> None:
        self._on_scroll()
        if self.inside.winfo_reqheight() > self.canvas.winfo_height():
            self.canvas.yview_scroll(number, unit)

    def _ring(self, colour: str) -> None:
        if self.frame.winfo_exists():
            # The same colour for both: Tk considers the frame focused if anything in it is.
            self.frame.configure(highlightbackground=colour, highlightcolor=colour)

    def _follow_focus(self, event: tk.Event[tk.Misc]) -> None:
        widget, needed = event.widget, max(1, self.inside.winfo_reqheight())
        if widget in (self.canvas, self.inside):
            # These two also get the events of their children.
            if str(self.canvas.tk.call("focus")) == str(self.canvas):
                self._ring(self._focus)
            return
        top = widget.winfo_rooty() - self.inside.winfo_rooty()
        low, high = (edge * needed for edge in self.canvas.yview())
        if top < low or top + widget.winfo_height() > high:
            self.canvas.yview_moveto(max(0, top - self.canvas.winfo_height() // 3) / needed)


def bind_scroll_keys(
    bind: Callable[[str, Callable[[tk.Event[tk.Misc]], str | None]], object],
    scroll: Callable[[int, Literal["units", "pages"]], object],
) -> None:
    """Bind the arrow keys and the page keys to scrolling.

    Args:
        bind: Called with each key and its callback.
        scroll: Called with the distance and its unit.
    """

    def pressed(event: tk.Event[tk.Misc], number: int, unit: Literal["units", "pages"]) -> str | None:
        if isinstance(event.widget, ttk.Entry):
            return None  # an entry has its own use for these keys
        scroll(number, unit)
        return "break"

    for key, (number, unit) in KEYS.items():
        bind(f"<{key}>", partial(pressed, number=number, unit=unit))


def _has_controls(widget: tk.Misc) -> bool:
    return any(_is_control(child) or _has_controls(child) for child in widget.winfo_children())


def _is_control(widget: tk.Misc) -> bool:
    """Return whether Tab stops at a widget: a control, or a canvas that acts as one."""
    kind = widget.winfo_class()
    return kind in CONTROLS or (kind == "Canvas" and str(widget.cget("takefocus")) == "1")


def disable_wheel(box: ttk.Combobox) -> None:
    """Disable the mouse wheel of a closed combobox, which would change its value unnoticed."""
    for wheel in ("<MouseWheel>", "<Button-4>", "<Button-5>"):
        box.bind(wheel, lambda _event: "break")
