"""Round button that scrolls to the newest line and counts the unread lines."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk
from typing import Any

from PIL import Image, ImageDraw, ImageTk

from negoplatform.gui.theming.icons import icon
from negoplatform.gui.theming.rounded_shapes import SUPERSAMPLING, rounded
from negoplatform.gui.theming.screen_reader_names import set_accessible_name
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.tooltip import Tooltip
from negoplatform.presentation.color_palette import mix_colours

SIZE, RING = 32, 2
"""Diameter of the button including its focus ring, and the width of that ring, for 96 dpi."""

MAX_COUNT = 99


class JumpButton:
    """Button at the lower end of a canvas, shown while the reader has scrolled up.

    Args:
        parent: The parent of the button.
        theme: The window's theme.
        above: The canvas on which the button is placed, a child of ``parent``.
        on_press: Called when the button is pressed.
    """

    def __init__(
        self, parent: tk.Misc, theme: Theme, *, above: tk.Misc, on_press: Callable[[], object]
    ) -> None:
        self._theme, self._above = theme, above
        self._unread = -1
        self._pill: ImageTk.PhotoImage | None = None
        c = theme.colours
        self._pictures = [
            theme.picture(self._draw(face, ring))
            for face, ring in (
                (c.card, ""),
                (mix_colours(c.card, c.ink, 0.16), ""),
                (c.card, c.focus),
                (mix_colours(c.card, c.ink, 0.07), ""),
            )
        ]
        self.button = self._make_button(parent, on_press)
        self._count = tk.Label(parent, bd=0, padx=0, pady=0, bg=c.card, compound="center")
        self._count.configure(font=theme.font("small_bold"), fg=c.on_primary, cursor="hand2")
        self._count.bind("<ButtonRelease-1>", lambda _event: on_press())
        self._tooltip = Tooltip(theme, self.button, "", above=True)

    @property
    def shown(self) -> bool:
        """Whether the button is on the screen."""
        return bool(self.button.winfo_manager())

    def show(self, unread: int) -> None:
        """Show the button with the number of unread lines."""
        if not self.shown:
            self._place_above(self.button, up=8)
        if unread == self._unread:
            return
        self._unread = unread
        translate = self._theme.translate
        text = translate("Go to the newest message")
        if unread:
            text = translate.plural("{n} new message", "{n} new messages", unread)
        self._tooltip.words = text
        set_accessible_name(self.button, "Button", text)
        if unread:
            self._write(str(unread) if unread <= MAX_COUNT else f"{MAX_COUNT}+")
            self._place_above(self._count, up=8 + SIZE - 7)
        else:
            self._count.place_forget()

    def hide(self) -> None:
        """Hide the button."""
        self._tooltip.hide()
        self._unread = -1
        self.button.place_forget()
        self._count.place_forget()

    def lift(self) -> None:
        """Raise the button above its siblings."""
        for widget in (self.button, self._count):
            tk.Misc.lift(widget)

    def _place_above(self, widget: tk.Misc, *, up: float) -> None:
        """Place a widget between the participant's own bubbles and the scrollbar, where it covers no text."""
        theme = self._theme
        middle = theme.px(2 + SIZE / 2)
        widget.place(  # type: ignore[attr-defined]  # every widget can be placed
            in_=self._above,
            relx=0.0 if theme.rtl else 1.0,
            x=middle if theme.rtl else -middle,
            rely=1.0,
            y=-theme.px(up),
            anchor="s",
        )

    def _write(self, text: str) -> None:
        theme, font = self._theme, self._theme.font("small_bold")
        height = font.metrics("linespace") + theme.px(2)
        width = max(height, font.measure(text) + theme.px(9))
        pill = rounded((width, height), height / 2, face=theme.colours.primary, ground=theme.colours.card)
        self._pill = theme.picture(pill)
        self._count.configure(text=text, image=self._pill)

    def _make_button(self, parent: tk.Misc, on_press: Callable[[], object]) -> ttk.Button:
        """Make a button that is only a picture per state: the face of the other button styles has corners."""
        style, name = ttk.Style(self._theme.root), "Jump.TButton"
        style.layout(name, [("Button.label", {"sticky": ""})])
        style.configure(name, padding=0, background=self._theme.colours.card)
        style.map(name, background=[])
        plain, down, focused, hover = self._pictures
        images: Any = (plain, "pressed", down, "focus", focused, "active", hover)
        return ttk.Button(parent, style=name, command=on_press, image=images, compound="image")

    def _draw(self, face: str, ring: str) -> Image.Image:
        theme, c = self._theme, self._theme.colours
        size, inset = theme.px(SIZE), theme.px(RING) + max(1, theme.px(1))
        n, low = size * SUPERSAMPLING, inset * SUPERSAMPLING
        image = Image.new("RGB", (n, n), c.card)
        pen = ImageDraw.Draw(image)
        if ring:
            pen.ellipse((0, 0, n - 1, n - 1), fill=ring)
            thick = theme.px(RING) * SUPERSAMPLING
            pen.ellipse((thick, thick, n - 1 - thick, n - 1 - thick), fill=c.card)
        pen.ellipse((low, low, n - 1 - low, n - 1 - low), fill=c.edge)
        edge = low + max(1, theme.px(1)) * SUPERSAMPLING
        pen.ellipse((edge, edge, n - 1 - edge, n - 1 - edge), fill=face)
        image = image.reduce(SUPERSAMPLING)
        chevron = icon("chevron_down", theme.px(16), c.ink)
        image.paste(
            chevron, ((size - chevron.width) // 2, (size - chevron.height) // 2 + theme.px(1)), chevron
        )
        return image
