"""Colours, fonts and widget styles; the only module that imports the theme library.

Everything else uses plain ``tkinter.ttk`` classes with the style names defined here, so that another
theme base is a change to this file alone.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from tkinter import font as tkfont
from tkinter import ttk
from typing import Any

import ttkbootstrap
from PIL import Image, ImageDraw, ImageTk

BACKGROUND = "#eef1f7"
CARD = "#ffffff"
INK = "#1b2333"
MUTED = "#5a6478"
LINE = "#dde3ee"
BLUE = "#0b5cad"
SOFT_BLUE = "#e6f0fa"
GREEN = "#00735c"
RED = "#b3261e"
AMBER = "#8a4b00"
GREY = "#f1f4fa"
WHITE = "#ffffff"

LEAST = 32
"""The least that a drawn card or button is across and down, for 96 dpi."""

CORNER, CARD_CORNER = 10, 12
"""How much of a button's and of a card's picture is corner, for 96 dpi."""


@dataclass(frozen=True, slots=True)
class Look:
    """A button's colours: its face, its words, its edge, and the ground that it stands on."""

    face: str
    words: str
    edge: str
    ground: str = CARD


BUTTONS = {
    "Primary.TButton": Look(BLUE, WHITE, BLUE),
    "Accept.TButton": Look(GREEN, WHITE, GREEN),
    "Danger.TButton": Look(RED, WHITE, RED),
    "Plain.TButton": Look(CARD, INK, "#b9c2d3"),
    "Own.Unit.TButton": Look(CARD, INK, "#b9c2d3", SOFT_BLUE),
    "Unit.TButton": Look(CARD, INK, "#b9c2d3", GREY),
    "Step.Unit.TButton": Look(CARD, INK, "#b9c2d3"),
    "Toggle.TButton": Look(CARD, INK, "#b9c2d3"),
    "Chosen.Toggle.TButton": Look(SOFT_BLUE, INK, BLUE),
}


class Theme:
    """A root window, dressed. Holds the pictures that its styles are made of.

    Args:
        title: The window's title.
        on_error: Is given an error in a callback; Tk would print it and go on.
    """

    def __init__(self, title: str, on_error: Callable[[BaseException], None]) -> None:
        ttkbootstrap.Theme(
            name="negoplatform",
            primary=BLUE,
            success=GREEN,
            danger=RED,
            info="#3d8fc4",
            warning="#c77700",
            neutral=MUTED,
            light={"background": CARD, "foreground": INK},
            dark={"background": "#1a202b", "foreground": "#eef2f9"},
        ).register()  # type: ignore[no-untyped-call]  # the library ships no types for it
        self.root: tk.Tk = ttkbootstrap.App(title=title, theme="negoplatform-light")
        self.root.report_callback_exception = lambda _kind, error, _trace: on_error(error)
        self._scale = self.root.winfo_fpixels("1i") / 96
        self._pictures: list[ImageTk.PhotoImage] = []
        self._style = ttk.Style(self.root)
        self._make_fonts()
        self._make_styles()
        # The theme library takes Space away from buttons; everybody expects it to press them.
        self.root.bind_class("TButton", "<KeyRelease-space>", _press)
        self.root.bind_class("TButton", "<Return>", _press)

    def px(self, length: float) -> int:
        """A length for 96 dpi in the screen's own pixels."""
        return round(length * self._scale)

    def font(self, name: str) -> tkfont.Font:
        """One of ``small``, ``body``, ``bold``, ``heading``, ``big``."""
        return self._fonts[name]

    def label(self, parent: tk.Misc, text: str = "", font: str = "body", colour: str = INK) -> tk.Label:
        """A line of text on a card."""
        return tk.Label(parent, text=text, font=self.font(font), fg=colour, bg=CARD, bd=0, padx=0, pady=0)

    def card(self, parent: tk.Misc, padding: int = 14) -> ttk.Frame:
        """A white card with rounded corners on the grey ground."""
        return ttk.Frame(parent, style="Card.TFrame", padding=self.px(padding))

    def frame(self, parent: tk.Misc, background: str = CARD) -> tk.Frame:
        """A plain area."""
        return tk.Frame(parent, bg=background, bd=0, highlightthickness=0)

    def picture(self, image: Image.Image) -> ImageTk.PhotoImage:
        """A picture that Tk can draw; the caller keeps it as long as it is shown."""
        return ImageTk.PhotoImage(image, master=self.root)

    def fit(self, width: int, height: int, least: tuple[int, int]) -> None:
        """Sizes the window, within the screen, and puts it at the top left."""
        across = min(self.px(width), self.root.winfo_screenwidth())
        down = min(self.px(height), self.root.winfo_screenheight() - self.px(24))
        self.root.minsize(min(self.px(least[0]), across), min(self.px(least[1]), down))
        self.root.geometry(f"{across}x{down}+0+0")

    def _make_fonts(self) -> None:
        family = tkfont.nametofont("TkDefaultFont", self.root).actual("family")
        sizes = {
            "small": (9, "normal"),
            "body": (10, "normal"),
            "bold": (10, "bold"),
            "heading": (12, "bold"),
            "big": (16, "bold"),
        }
        self._fonts = {
            name: tkfont.Font(self.root, family=family, size=size, weight=weight)  # type: ignore[arg-type]
            for name, (size, weight) in sizes.items()
        }

    def _make_styles(self) -> None:
        self.root.configure(background=BACKGROUND)
        self._style.element_create(
            "Card.face",
            "image",
            self._nine_slice(CARD, LINE, ground=BACKGROUND, radius=10, corner=CARD_CORNER, middle=(600, 700)),
            border=self.px(CARD_CORNER),
            width=self.px(LEAST),
            height=self.px(LEAST),
        )
        self._style.layout("Card.TFrame", [("Card.face", {"sticky": "nsew"})])
        for name, look in BUTTONS.items():
            self._make_button(name, look)
        self._style.configure("TCombobox", padding=self.px(5))
        self._style.configure("TEntry", padding=self.px(6))

    def _make_button(self, name: str, look: Look) -> None:
        element = f"{name}.face"
        self._style.element_create(
            element,
            "image",
            self._nine_slice(look.face, look.edge, ground=look.ground),
            ("disabled", self._nine_slice(GREY, LINE, ground=look.ground)),
            ("pressed", self._nine_slice(_shade(look.face, 0.18), look.edge, ground=look.ground)),
            ("focus", self._nine_slice(look.face, look.edge, ground=look.ground, ring=BLUE)),
            ("active", self._nine_slice(_shade(look.face, 0.08), look.edge, ground=look.ground)),
            border=self.px(CORNER),
            padding=self.px(3),
            width=self.px(LEAST),
            height=self.px(LEAST),
            sticky="nsew",
        )
        label: Any = ("Button.label", {"sticky": ""})
        self._style.layout(
            name,
            [
                (
                    element,
                    {
                        "sticky": "nsew",
                        "children": [("Button.padding", {"sticky": "nsew", "children": [label]})],
                    },
                )
            ],
        )
        tight = name.endswith("Unit.TButton")
        self._style.configure(
            name,
            foreground=look.words,
            background=look.ground,
            font=self.font("small" if "Toggle" in name else "bold"),
            padding=(self.px(1 if tight else 8), self.px(1 if tight else 5)),
            width=2 if tight else "",
            anchor="center",
        )
        self._style.map(name, foreground=[("disabled", MUTED)], background=[])

    def _nine_slice(
        self,
        face: str,
        edge: str,
        *,
        ring: str = "",
        ground: str = CARD,
        radius: int = 7,
        corner: int = CORNER,
        middle: tuple[int, int] = (360, 12),
    ) -> ImageTk.PhotoImage:
        """A rounded square whose corners stay while its middle is repeated; ``ring`` marks the focus.

        Tk repeats the middle as often as there is room, and asks the screen for every piece by itself: a
        card made of pieces of 8 pixels takes thousands of calls. So the middle is about as large as what is
        drawn with it, ``middle`` pixels for 96 dpi.
        """
        n, times = self.px(LEAST), 4
        image = Image.new("RGB", (n * times, n * times), ground)
        pen = ImageDraw.Draw(image)

        def rounded(inset: float, fill: str, outline: str) -> None:
            low, high = self.px(1) * inset * times, (n - self.px(1) * inset) * times - 1
            pen.rounded_rectangle(
                (low, low, high, high),
                self.px(radius) * times,
                fill=fill,
                outline=outline,
                width=self.px(1) * times,
            )

        if ring:
            rounded(0, ring, ring)
            rounded(2, ground, ground)
        rounded(3 if ring else 1, face, edge)
        small = image.resize((n, n), Image.Resampling.LANCZOS)
        picture = self.picture(_stretched(small, self.px(corner), (self.px(middle[0]), self.px(middle[1]))))
        self._pictures.append(picture)
        return picture


def _stretched(image: Image.Image, corner: int, middle: tuple[int, int]) -> Image.Image:
    """A square picture with its corners as they are and what is between them pulled to ``middle``."""
    across, down = middle
    far = image.width - corner
    spans = ((0, corner), (corner, far), (far, image.width))
    columns, rows = (0, corner, corner + across), (0, corner, corner + down)
    stretched = Image.new(image.mode, (2 * corner + across, 2 * corner + down))
    for x, (left, right), width in zip(columns, spans, (corner, across, corner), strict=True):
        for y, (top, bottom), height in zip(rows, spans, (corner, down, corner), strict=True):
            part = image.crop((left, top, right, bottom))
            stretched.paste(part.resize((width, height), Image.Resampling.NEAREST), (x, y))
    return stretched


def _press(event: tk.Event[tk.Misc]) -> None:
    if isinstance(event.widget, ttk.Button):
        event.widget.invoke()


def _shade(colour: str, amount: float) -> str:
    parts = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{round(part * (1 - amount)):02x}" for part in parts)
