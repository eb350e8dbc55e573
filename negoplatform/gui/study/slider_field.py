"""Slider that has no position before the participant sets one."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from PIL import Image, ImageTk

from negoplatform.gui.study.item_field import FieldParts
from negoplatform.gui.study.option_cells import OWN_KEYS_TAG
from negoplatform.gui.study.rating_scale import ScaleEnds
from negoplatform.gui.theming.rounded_shapes import rounded
from negoplatform.gui.theming.screen_reader_names import set_accessible_name
from negoplatform.gui.widgets.pressable_cell import piece_image

HEIGHT, TRACK, THUMB = 46, 8, 20
"""Height of the slider, of its track, and size of its thumb, for 96 dpi."""

BASELINE = 32
"""Distance of the track's middle from the top, for 96 dpi."""

MOST_WIDTH = 560

LARGE_STEPS = 10
"""Number of steps by which Page Up and Page Down go through the range."""


class SliderField:
    """Slider without a preset: a click or a key sets it, arrow keys move it.

    Args:
        parent: Parent widget.
        parts: Collaborators of the field.
    """

    def __init__(self, parent: tk.Misc, parts: FieldParts) -> None:
        theme = parts.theme
        self._theme, self._parts, self._name = theme, parts, parts.item.id
        least, most = parts.item.bounds
        assert least is not None
        assert most is not None
        self._least, self._step = least, parts.item.step
        self._steps = int((most - least) / self._step)
        self._at: int | None = None
        self._is_missing = self._focused = False
        self._width = theme.px(300)
        self._pictures: list[ImageTk.PhotoImage] = []
        self.frame = theme.frame(parent)
        self.canvas = tk.Canvas(
            self.frame,
            height=theme.px(HEIGHT),
            bg=theme.colours.card,
            bd=0,
            highlightthickness=0,
            takefocus=1,
            cursor="hand2",
        )
        self.canvas.pack(anchor=theme.west)
        ends = theme.frame(self.frame)
        ends.pack(anchor=theme.west)
        self._ends = ScaleEnds(ends, theme, parts.item.ends)
        self._ends.frame.pack()
        set_accessible_name(self.canvas, "Scale", parts.item.ask)
        self._bind()
        parts.register(self._name, self.canvas)

    def values(self) -> Mapping[str, Any]:
        """Return the number that was set; None before."""
        return {self._name: None if self._at is None else _plain(self._number(self._at))}

    def fill(self, values: Mapping[str, Any]) -> None:
        """Show an answer that was given before."""
        value = values.get(self._name)
        self._at = None
        if isinstance(value, int | float) and not isinstance(value, bool):
            at = (Decimal(str(value)) - self._least) / self._step
            self._at = int(at) if at == int(at) and 0 <= at <= self._steps else None
        self._draw()

    def focus(self, _name: str) -> None:
        """Give the keyboard focus to the slider."""
        self.canvas.focus_set()

    def mark(self, names: frozenset[str]) -> None:
        """Mark the slider if its answer is missing."""
        self._is_missing = self._name in names
        self._draw()

    def wrap_to(self, width: int) -> None:
        """Fit the slider into a width in pixels."""
        self._width = min(width, self._theme.px(MOST_WIDTH))
        self.canvas.configure(width=self._width)
        self._ends.fit(self._width)
        self._draw()

    def _bind(self) -> None:
        canvas, on = self.canvas, -1 if self._theme.rtl else 1
        large = max(1, self._steps // LARGE_STEPS)
        canvas.bindtags((*canvas.bindtags(), OWN_KEYS_TAG))
        for key, step in (("Right", on), ("Left", -on), ("Prior", large), ("Next", -large)):
            canvas.bind(f"<{key}>", lambda _event, step=step: self._move(step))  # type: ignore[misc]
        canvas.bind("<Home>", lambda _event: self._set(0))
        canvas.bind("<End>", lambda _event: self._set(self._steps))
        if self._parts.item.may_skip:
            canvas.bind("<Delete>", lambda _event: self._set(None))
        canvas.bind("<ButtonPress-1>", self._pressed)
        canvas.bind("<B1-Motion>", self._pressed)
        canvas.bind("<FocusIn>", lambda _event: self._focus_ring(True))
        canvas.bind("<FocusOut>", lambda _event: self._focus_ring(False))

    def _number(self, at: int) -> Decimal:
        return self._least + at * self._step

    def _move(self, step: int) -> str:
        # The first key sets the middle, because there is no position to move yet.
        return self._set(self._steps // 2 if self._at is None else self._at + step)

    def _pressed(self, event: tk.Event[tk.Misc]) -> None:
        self.canvas.focus_set()
        edge = self._theme.px(THUMB) // 2
        share = (event.x - edge) / max(1, self._width - 2 * edge)
        share = min(1.0, max(0.0, 1 - share if self._theme.rtl else share))
        self._set(round(share * self._steps))

    def _set(self, at: int | None) -> str:
        wanted = None if at is None else min(max(0, at), self._steps)
        if wanted != self._at:
            self._at, self._is_missing = wanted, False
            self._draw()
            self._parts.on_change(self._name)
        return "break"

    def _focus_ring(self, focused: bool) -> None:
        self._focused = focused
        self._draw()

    def _draw(self) -> None:
        theme, c, px = self._theme, self._theme.colours, self._theme.px
        canvas, y, edge = self.canvas, px(BASELINE), px(THUMB) // 2
        canvas.delete("all")
        image = Image.new("RGB", (self._width, px(TRACK) + px(6)), c.card)
        track = rounded(
            (max(1, self._width - 2 * edge + px(TRACK)), px(TRACK) + px(6)),
            px(TRACK) / 2,
            face=c.track,
            edge=c.danger if self._is_missing else c.edge,
            width=max(1.0, theme.scale),
            ground=c.card,
            ring=c.focus if self._focused else "",
            ring_width=2 * max(1.0, theme.scale) if self._focused else 0,
            gap=max(1.0, theme.scale) if self._focused else 3 * max(1.0, theme.scale),
        )
        image.paste(track, (edge - px(TRACK) // 2, 0))
        self._pictures = [theme.picture(image)]
        canvas.create_image(0, y, image=self._pictures[0], anchor="w")
        if self._at is None:
            return
        share = self._at / self._steps
        x = edge + round((1 - share if theme.rtl else share) * (self._width - 2 * edge))
        self._pictures.append(theme.picture(piece_image("round", px(THUMB), c.primary)))
        canvas.create_image(x, y, image=self._pictures[1])
        text = theme.translate.localize_number(f"{self._number(self._at):f}")
        half = theme.font("bold").measure(text) // 2
        canvas.create_text(
            min(max(x, half), self._width - half),
            px(2),
            text=text,
            anchor="n",
            font=theme.font("bold"),
            fill=c.ink,
        )


def _plain(number: Decimal) -> int | float:
    return int(number) if number == int(number) else float(number)
