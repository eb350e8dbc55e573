"""Options below each other: one of several, several of several, or an order."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal

from PIL import Image, ImageDraw, ImageTk

from negoplatform.gui.theming.rounded_shapes import SUPERSAMPLING, check_mark, rounded, stretched
from negoplatform.gui.theming.screen_reader_names import set_accessible_name
from negoplatform.gui.theming.theme import Theme

Mark = Literal["radio", "check", "number"]
"""Sign at the beginning of an option: a radio button, a tick box, or a place in an order."""

MARK = 18
"""Size of the sign, for 96 dpi."""

BADGE = 24
"""Size of the sign of an order, for 96 dpi."""

PADDING, CORNER, GAP = 11, 12, 10
"""Padding of an option, size of the corners in its picture, and gap after its sign, for 96 dpi."""

OWN_KEYS_TAG = "StudyOwnKeys"
"""Tag of widgets whose own keys come before those of the scrolled area around them."""


def put_own_keys_first(widget: tk.Misc) -> None:
    """Let the tagged widgets below a widget handle keys before the scrolled area, in which keys scroll."""
    tags = widget.bindtags()
    if OWN_KEYS_TAG in tags:
        widget.bindtags((str(widget), *(tag for tag in tags if tag != str(widget))))
    for child in widget.winfo_children():
        put_own_keys_first(child)


class OptionCell:
    """Option that can be pressed, by keyboard too.

    Args:
        parent: Parent widget, on a card.
        theme: Theme of the window.
        text: Text of the option.
        secondary: Further text below it.
        mark: Sign at its beginning.
        on_press: Called when it is pressed.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        text: str,
        *,
        secondary: str = "",
        mark: Mark,
        on_press: Callable[[], None],
    ) -> None:
        self._theme, self._mark_kind, self._on_press = theme, mark, on_press
        self._chosen = self._focused = self._hover = self._fault = self._down = False
        self._number = 0
        self._drawn: tuple[object, ...] = ()
        self._pictures: list[ImageTk.PhotoImage] = []
        c, px = theme.colours, theme.px
        # The class makes a scrolled area keep it in view; that class's own bindings are removed.
        self.frame = tk.Frame(
            parent, class_="TRadiobutton", bg=c.card, bd=0, highlightthickness=0, takefocus=0
        )
        self.frame.configure(cursor="hand2")
        self._ground = tk.Label(self.frame, bd=0, bg=c.card)
        self._ground.place(x=0, y=0, relwidth=1, relheight=1)
        self._inside = tk.Frame(self.frame, bd=0, highlightthickness=0)
        self._inside.pack(fill="both", expand=True, padx=px(PADDING), pady=px(7))
        self._inside.columnconfigure(theme.column(1, 2), weight=1)
        self._size = px(BADGE if mark == "number" else MARK)
        self._sign = tk.Label(self._inside, bd=0)
        self._sign.grid(row=0, column=theme.column(0, 2), sticky="n", padx=theme.padx(0, GAP))
        self._title = theme.label(self._inside, text, "bold" if secondary else "body")
        self._labels = [self._title]
        self._title.grid(row=0, column=theme.column(1, 2), sticky=theme.west)
        if secondary:
            more = theme.label(self._inside, secondary, "small", c.muted)
            more.grid(row=1, column=theme.column(1, 2), sticky=theme.west, pady=(px(3), 0))
            self._labels.append(more)
        role = "Checkbutton" if mark == "check" else "Radiobutton"
        set_accessible_name(self.frame, role, text)
        self._bind()
        self._draw()

    def show(self, *, chosen: bool, number: int = 0) -> None:
        """Show whether the option is chosen, or its place in an order; 0: none."""
        self._chosen, self._number = chosen, number
        if chosen:
            self._fault = False
        self._draw()

    def mark_fault(self, is_missing: bool) -> None:
        """Set whether the option is marked as missing."""
        self._fault = is_missing
        self._draw()

    def wrap_to(self, width: int) -> None:
        """Wrap the text for an option of a width in pixels."""
        room = width - self._theme.px(2 * PADDING + GAP + 4) - self._size
        for label in self._labels:
            label.wrap_to(max(self._theme.px(60), room))

    def bind_key(self, key: str, call: Callable[[], None]) -> None:
        """Bind a key, such as ``Up`` or ``3``."""

        def pressed(_event: object) -> str:
            call()
            return "break"

        self.frame.bind(f"<Key-{key}>" if key.isdigit() else f"<{key}>", pressed)

    def _bind(self) -> None:
        frame = self.frame
        tags = (tag for tag in frame.bindtags() if tag != frame.winfo_class())
        frame.bindtags((*tags, OWN_KEYS_TAG))
        frame.bind("<FocusIn>", lambda _event: self._set(focused=True), add="+")
        frame.bind("<FocusOut>", lambda _event: self._set(focused=False), add="+")
        frame.bind("<Configure>", lambda _event: self._draw())
        for key in ("space", "Return", "KP_Enter"):
            self.bind_key(key, self._on_press)
        for widget in (frame, self._ground, self._inside, self._sign, *self._labels):
            widget.bind("<ButtonPress-1>", lambda _event: self._set(down=True), add="+")
            widget.bind("<ButtonRelease-1>", self._released, add="+")
            widget.bind("<Enter>", lambda _event: self._set(hover=True), add="+")
            widget.bind("<Leave>", lambda _event: self._set(hover=False), add="+")

    def _released(self, event: tk.Event[tk.Misc]) -> None:
        was_down, self._down = self._down, False
        x, y = event.x_root - self.frame.winfo_rootx(), event.y_root - self.frame.winfo_rooty()
        inside = 0 <= x < self.frame.winfo_width() and 0 <= y < self.frame.winfo_height()
        if was_down and inside:
            self.frame.focus_set()
            self._on_press()

    def _set(
        self, *, focused: bool | None = None, hover: bool | None = None, down: bool | None = None
    ) -> None:
        self._focused = self._focused if focused is None else focused
        self._hover = self._hover if hover is None else hover
        self._down = self._down if down is None else down
        self._draw()

    def _draw(self) -> None:
        c, px = self._theme.colours, self._theme.px
        size = self.frame.winfo_width(), self.frame.winfo_height()
        state = (*size, self._chosen, self._number, self._focused, self._hover, self._fault)
        if state == self._drawn or not self.frame.winfo_exists():
            return
        self._drawn = state
        chosen = self._chosen or self._number > 0
        face = c.mine_soft if chosen else c.soft if self._hover else c.card
        edge = c.danger if self._fault else c.primary if chosen else c.edge
        for widget in (self._inside, self._sign, *self._labels):
            widget.configure(bg=face)  # type: ignore[call-arg]  # only frames and labels
        self._pictures = [self._theme.picture(self._sign_image(face))]
        self._sign.configure(image=self._pictures[0])
        if size[0] <= 1:
            return
        corner, thin = px(CORNER), max(1.0, self._theme.scale)
        image = rounded(
            (2 * corner + 1,) * 2,
            px(8),
            face=face,
            edge=edge,
            width=2 * thin if chosen or self._fault else thin,
            ground=c.card,
            ring=c.focus if self._focused else "",
            ring_width=2 * thin if self._focused else 0,
            gap=thin if self._focused else 3 * thin,
        )
        middle = max(1, size[0] - 2 * corner), max(1, size[1] - 2 * corner)
        self._pictures.append(self._theme.picture(stretched(image, corner, middle)))
        self._ground.configure(image=self._pictures[1])

    def _sign_image(self, face: str) -> Image.Image:
        c, n = self._theme.colours, self._size
        if self._mark_kind == "number":
            return self._badge(face)
        return check_mark(
            n,
            colour=c.on_primary if self._chosen else "",
            face=c.primary if self._chosen else c.card,
            edge=c.primary if self._chosen else c.danger if self._fault else c.edge,
            ground=face,
            round_box=self._mark_kind == "radio",
        )

    def _badge(self, face: str) -> Image.Image:
        """Return a disc, whose number is drawn by the label on top of it."""
        c, n = self._theme.colours, self._size
        filled = self._number > 0
        self._sign.configure(
            text=str(self._number) if filled else "",
            compound="center",
            font=self._theme.font("bold"),
            fg=c.on_primary,
        )
        image = Image.new("RGB", (n * SUPERSAMPLING,) * 2, face)
        pen = ImageDraw.Draw(image)
        edge = c.primary if filled else c.danger if self._fault else c.edge
        pen.ellipse(
            (2, 2, image.width - 3, image.height - 3),
            fill=c.primary if filled else c.card,
            outline=edge,
            width=round(SUPERSAMPLING * max(1.0, self._theme.scale)),
        )
        return image.resize((n, n), Image.Resampling.LANCZOS)


def link_option_keys(cells: Sequence[OptionCell], press: Callable[[int], None]) -> None:
    """Make options one Tab stop: arrow keys move between them, and a digit presses the one in that place."""

    def stop_at(_event: object, at: int) -> None:
        for index, cell in enumerate(cells):
            cell.frame.configure(takefocus=1 if index == at else 0)

    def move(to: int) -> None:
        cells[min(max(to, 0), len(cells) - 1)].frame.focus_set()

    for index, cell in enumerate(cells):
        cell.frame.bind("<FocusIn>", partial(stop_at, at=index), add="+")
        for key, to in (("Up", index - 1), ("Down", index + 1), ("Home", 0), ("End", len(cells) - 1)):
            cell.bind_key(key, partial(move, to))
        for digit in range(1, min(9, len(cells)) + 1):
            cell.bind_key(str(digit), partial(press, digit - 1))
            cell.frame.bind(f"<KP_{digit}>", lambda _event, at=digit - 1: press(at))  # type: ignore[misc]
    cells[0].frame.configure(takefocus=1)
