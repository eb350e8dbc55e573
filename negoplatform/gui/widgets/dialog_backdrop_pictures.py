"""Picture of the window below a dialog: dimmed, with the dialog's raised card on it."""

from __future__ import annotations

import os
import sys

from PIL import Image, ImageDraw, ImageFilter, ImageGrab

from negoplatform.gui.theming.rounded_shapes import rounded
from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.color_palette import Palette, mix_colours

DIM, DARK_DIM = 0.42, 0.6
"""Share of black mixed into the dimmed window, in a light and in a dark theme."""

SHADOW, DARK_SHADOW = 70, 150
"""Opacity of a card's shadow, 0 to 255, in a light and in a dark theme."""

SAMPLES, MIN_KNOWN = 48, 0.2
"""Points sampled per axis, and the share of them that must have the window's own colours."""

PixelBox = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels."""


def grab_window(theme: Theme, box: PixelBox) -> Image.Image | None:
    """Return a screenshot of a box of the window; None where the system offers none.

    Args:
        theme: Theme of the window.
        box: Box in the window.
    """
    # macOS would ask for a permission first, and Wayland gives programs no screenshots.
    if sys.platform == "darwin" or os.environ.get("WAYLAND_DISPLAY"):
        return None
    root = theme.root
    x, y = root.winfo_rootx(), root.winfo_rooty()
    left, top = x + box[0], y + box[1]
    try:
        whole = ImageGrab.grab((left, top, x + box[2], y + box[3]), xdisplay=_display(theme))
    except (OSError, ValueError):
        return None
    picture = whole.convert("RGB")
    size = box[2] - box[0], box[3] - box[1]
    return picture if picture.size == size and _shows_window(picture, theme.colours) else None


def _display(theme: Theme) -> str | None:
    return theme.root.winfo_screen() if theme.root.tk.call("tk", "windowingsystem") == "x11" else None


def _shows_window(picture: Image.Image, colours: Palette) -> bool:
    """Return whether a screenshot shows this window rather than another: most of a window is its ground."""
    small = picture.resize((SAMPLES, SAMPLES), Image.Resampling.NEAREST)
    known = {_rgb(colours.ground), _rgb(colours.card)}
    counted = small.getcolors(SAMPLES * SAMPLES) or []
    return sum(count for count, colour in counted if colour in known) >= MIN_KNOWN * SAMPLES * SAMPLES


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def dim_colour(colours: Palette) -> str:
    """Return the colour of a dimmed window without a screenshot."""
    return mix_colours(colours.ground, "#000000", DARK_DIM if colours.dark else DIM)


def dim_picture(picture: Image.Image, colours: Palette) -> Image.Image:
    """Return a dimmed picture of a window."""
    left = 1 - (DARK_DIM if colours.dark else DIM)
    return picture.point([round(left * value) for value in range(256)] * 3)


def draw_raised_card(
    below: Image.Image, card: PixelBox, *, radius: float, blur: float, colours: Palette
) -> Image.Image:
    """Return a picture with a card and its shadow drawn on it.

    Args:
        below: Picture on which the card is drawn.
        card: Box of the card in the picture.
        radius: Radius of the card's corners, in pixels.
        blur: Size of the card's shadow, in pixels.
        colours: Palette of the window.
    """
    left, top, right, bottom = card
    size = right - left, bottom - top
    shadow = Image.new("L", below.size, 0)
    drop = round(blur / 3)
    ImageDraw.Draw(shadow).rounded_rectangle(
        (left, top + drop, right - 1, bottom - 1 + drop), radius, fill=DARK_SHADOW if colours.dark else SHADOW
    )
    image = below.copy()
    image.paste(
        "#000000", mask=shadow.filter(ImageFilter.BoxBlur(blur / 2)).filter(ImageFilter.BoxBlur(blur / 2))
    )
    shape = rounded(size, radius, face="#ffffff", ground="#000000").convert("L")
    edge = colours.edge if colours.dark else colours.line
    face = rounded(size, radius, face=colours.card, edge=edge, width=max(1, round(radius / 12)), ground=edge)
    image.paste(face, (left, top), shape)
    return image
