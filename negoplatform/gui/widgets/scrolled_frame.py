"""A frame that scrolls once there is more in it than room."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from functools import partial
from tkinter import ttk
from typing import Literal

from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.garbage_collection import bind_tag

KEYS: dict[str, tuple[int, Literal["units", "pages"]]] = {
    "Up": (-1, "units"),
    "Down": (1, "units"),
    "Prior": (-1, "pages"),
    "Next": (1, "pages"),
}
"""How far a key scrolls."""

CONTROLS = ("TButton", "TEntry", "TCombobox", "TCheckbutton", "TRadiobutton")
"""The kinds of widgets at which Tab stops."""


class ScrolledFrame:
    """Put things into ``inside``; put ``frame`` where it belongs.

    The wheel works over everything inside, and what gets the focus by Tab is scrolled into view. If there
    is nothing inside that could get it, Tab stops at the frame itself, which the arrow keys scroll.

    Args:
        parent: Where it is put.
        theme: Its looks.
        width: Its width, for 96 dpi.
        height: The most height that it asks for, for 96 dpi; it asks for less if less is inside.
        on_scroll: Is called when a person scrolls, by wheel, bar or keys.
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
        self._most, self._gap = theme.px(height), theme.padx(6, 0)
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
        self.inside.bind("<Configure>", lambda _event: self._fit())
        self.canvas.bind("<Configure>", lambda _event: self._fit())
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
        """The most height in pixels that it asks for, from now on."""
        if height != self._most:
            self._most = height
            self._fit()

    @property
    def scrollbar(self) -> tk.Misc:
        """The bar, which is seen while there is more inside than room."""
        return self._bar

    def bind_scrolling(self, widget: tk.Misc) -> None:
        """The wheel over a widget and all that is in it scrolls; the focus in it is kept in view."""
        # A tag of its own: bound to the widget itself, <FocusIn> would make every label a stop of Tab.
        if self._tag not in widget.bindtags():
            widget.bindtags((self._tag, *widget.bindtags()))
        for child in widget.winfo_children():
            self.bind_scrolling(child)

    def _fit(self) -> None:
        needed = self.inside.winfo_reqheight()
        self.canvas.configure(scrollregion=(0, 0, self.inside.winfo_reqwidth(), needed))
        self.canvas.itemconfigure(self._item, width=self.canvas.winfo_width())
        wanted = max(1, min(needed, self._most))
        if int(str(self.canvas.cget("height"))) != wanted:
            self.canvas.configure(height=wanted)
        if needed > self.canvas.winfo_height() > 1:
            self._stop_here(not _has_controls(self.inside))
            self._bar.grid(row=0, column=self._bar_column, sticky="ns", padx=self._gap)
        else:
            self._stop_here(False)
            self._bar.grid_remove()
            self.canvas.yview_moveto(0)

    def _stop_here(self, stop: bool) -> None:
        """Whether Tab stops at the frame itself."""
        if int(str(self.canvas.cget("takefocus"))) != stop:
            self.canvas.configure(takefocus=1 if stop else 0)

    def _drag(self, *where: str) -> None:
        self._on_scroll()
        self.canvas.yview(*where)

    def _scroll(self, number: int, what: Literal["units", "pages"]) -> None:
        self._on_scroll()
        if self.inside.winfo_reqheight() > self.canvas.winfo_height():
            self.canvas.yview_scroll(number, what)

    def _ring(self, colour: str) -> None:
        if self.frame.winfo_exists():
            # One colour for both: Tk takes the frame for focused if anything in it is.
            self.frame.configure(highlightbackground=colour, highlightcolor=colour)

    def _follow_focus(self, event: tk.Event[tk.Misc]) -> None:
        widget, needed = event.widget, max(1, self.inside.winfo_reqheight())
        if widget in (self.canvas, self.inside):
            # They are told of what is inside, too.
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
    """The arrow keys and those for pages scroll.

    Args:
        bind: Is given each key, and what it does.
        scroll: Is given how far.
    """

    def pressed(event: tk.Event[tk.Misc], number: int, what: Literal["units", "pages"]) -> str | None:
        if isinstance(event.widget, ttk.Entry):
            return None  # it has a use of its own for them
        scroll(number, what)
        return "break"

    for key, (number, what) in KEYS.items():
        bind(f"<{key}>", partial(pressed, number=number, what=what))


def _has_controls(widget: tk.Misc) -> bool:
    return any(_is_control(child) or _has_controls(child) for child in widget.winfo_children())


def _is_control(widget: tk.Misc) -> bool:
    """Whether Tab stops here: at a kind of control, or at a canvas that takes the part of one."""
    kind = widget.winfo_class()
    return kind in CONTROLS or (kind == "Canvas" and str(widget.cget("takefocus")) == "1")


def disable_wheel(box: ttk.Combobox) -> None:
    """The wheel over a closed box must not change what is chosen, unseen."""
    for wheel in ("<MouseWheel>", "<Button-4>", "<Button-5>"):
        box.bind(wheel, lambda _event: "break")
