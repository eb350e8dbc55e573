"""Panel of the counterpart: a face, its expression in words, and their present activity."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

from PIL import Image

from negoplatform.core.events import Expression
from negoplatform.gui.avatars.agent_avatar import Avatar
from negoplatform.gui.avatars.animated_portrait import Portrait
from negoplatform.gui.theming.rounded_shapes import rounded
from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.table.table_view import Gaze, OtherView

PADDING = 12

STEP = 8
"""Step between two sizes of the face: few sizes are drawn while the window is being resized."""

LEAST_FACE, LARGEST_FACE = 48, 144

LEAST_ABOVE = 96
"""Size of the face, for 96 dpi, below which the text is at its side."""

LARGEST_BESIDE = 88

GAP = 12
"""Gap between the face and text at its side, for 96 dpi."""

LINES = ("heading", "small_bold", "small")
"""The fonts of the three lines of text."""

AROUND_LINES = 16
"""Height of the space between the lines and around the expression, for 96 dpi."""


def face_size(room: float, words: float) -> tuple[int, bool]:
    """Return the size of a face and whether it is above the text; all lengths for 96 dpi.

    Args:
        room: The height available for face and text.
        words: The height of the text.
    """
    above = int((room - words) // STEP * STEP)
    if above >= LEAST_ABOVE:
        return min(above, LARGEST_FACE), True
    beside = int(room // STEP * STEP)
    return max(LEAST_FACE, min(beside, LARGEST_BESIDE)), False


GazeTarget = Callable[[Gaze], tuple[int, int] | None]
"""Function that returns the place, in pixels of the screen, that a gaze is directed to; None if it is not in
view."""

FULL_GAZE = 500
"""Distance for 96 dpi from which the eyes are turned as far as possible."""


def eyes_towards(
    gaze: Gaze, gaze_target: GazeTarget, portrait: Portrait, theme: Theme
) -> tuple[float, float]:
    """Return the direction of a portrait's eyes, horizontally and vertically, from -1 to 1."""
    target = None if gaze == "ahead" else gaze_target(gaze)
    if target is None:
        return 0.0, 0.0
    label, full = portrait.frame, theme.px(FULL_GAZE)
    x = target[0] - label.winfo_rootx() - label.winfo_width() / 2
    y = target[1] - label.winfo_rooty() - label.winfo_height() / 2
    return max(-1.0, min(1.0, x / full)), max(-1.0, min(1.0, y / full))


class CounterpartPanel:
    """Card with the counterpart's face, drawn once the available space is known.

    Args:
        parent: The parent of the card.
        theme: The window's theme.
        avatar: The counterpart's portrait.
        gaze_target: Returns the place at which the eyes look.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, avatar: Avatar, *, gaze_target: GazeTarget) -> None:
        self._theme, self._avatar, self._gaze_target = theme, avatar, gaze_target
        self._shown: OtherView | None = None
        self._portrait: Portrait | None = None
        self._form: tuple[int, bool] | None = None
        c = theme.colours
        self.frame = theme.card(parent, PADDING)
        self._words = theme.frame(self.frame)
        self._name = theme.label(self._words, "", "heading")
        self._expression_label = tk.Label(
            self._words,
            bg=c.card,
            bd=0,
            padx=0,
            pady=0,
            compound="center",
            font=theme.font("small_bold"),
            fg=c.ink,
        )
        # Its line stays reserved: nothing moves when the activity appears or disappears.
        self._activity_label = theme.label(self._words, " ", "small", c.muted)
        self._pill = theme.picture(Image.new("RGB", (1, 1)))

    def show(self, view: OtherView) -> None:
        """Show a view."""
        if view == self._shown:
            return
        before, self._shown = self._shown, view
        if self._portrait is not None:
            eyes = eyes_towards(view.gaze, self._gaze_target, self._portrait, self._theme)
            self._portrait.show(view.face, eyes)
        self._name.write(view.name)
        if before is None or before.expression_text != view.expression_text:
            self._show_expression(view)
        self._activity_label.write(view.activity or " ")

    def height(self, face: float, *, above: bool) -> int:
        """Return the height in pixels with a face of this size, for 96 dpi."""
        px, words = self._theme.px, self._height_of_words()
        return 2 * px(PADDING) + (px(face) + words if above else max(px(face), words))

    @property
    def tallest(self) -> int:
        """The height in pixels beyond which the card only has more empty space."""
        return self.height(LARGEST_FACE, above=True)

    def fitted(self, height: int) -> int:
        """Return the height of the card in an area of a height in pixels: all of it, for a larger face."""
        return min(height, self.tallest)

    def arrange(self, width: int, height: int) -> None:
        """Fit the card to an area of this size in pixels."""
        theme, px = self._theme, self._theme.px
        words = self._height_of_words()
        form = face_size((height - 2 * px(PADDING)) / theme.scale, words / theme.scale)
        beside = 0 if form[1] else px(form[0]) + px(GAP)
        for caption in (self._name, self._activity_label):
            caption.wrap_to(width - 2 * px(PADDING) - beside)
        if form != self._form:
            self._form = form
            self._draw_face(form[0])
            self._place(above=form[1])

    def _height_of_words(self) -> int:
        theme = self._theme
        lines = sum(theme.font(font).metrics("linespace") for font in LINES)
        return lines + theme.px(AROUND_LINES)

    def _draw_face(self, size: int) -> None:
        before, theme = self._portrait, self._theme
        self._portrait = Portrait(self.frame, theme, size, character=self._avatar.character)
        if self._avatar.pictures:
            self._portrait.set_pictures(self._avatar.pictures)
        if self._shown is not None:
            self._portrait.show(self._shown.face)
        if before is not None:
            before.frame.destroy()

    def _place(self, *, above: bool) -> None:
        theme, px = self._theme, self._theme.px
        assert self._portrait is not None
        side = "top" if above else theme.start
        anchor = "center" if above else theme.west
        self._words.pack_forget()
        self._portrait.frame.pack(side=side)
        self._words.pack(side=side, padx=0 if above else theme.padx(GAP, 0), pady=(px(4) if above else 0, 0))
        self._name.pack(anchor=anchor)
        self._expression_label.pack(anchor=anchor, pady=(px(2), px(1)))
        self._activity_label.pack(anchor=anchor)

    def _show_expression(self, view: OtherView) -> None:
        theme, c = self._theme, self._theme.colours
        words = theme.visual_order(view.expression_text)
        width = theme.font("small_bold").measure(words) + theme.px(20)
        height = theme.font("small_bold").metrics("linespace") + theme.px(8)
        face = c.mine_soft if view.expression is not Expression.NEUTRAL else c.soft
        self._pill = theme.picture(rounded((width, height), height / 2, face=face, ground=c.card))
        self._expression_label.configure(text=words, image=self._pill)
