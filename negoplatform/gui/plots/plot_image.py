"""Drawings as images, with their texts."""

from __future__ import annotations

from PIL import Image, ImageDraw

from negoplatform.gui.plots.plot_fonts import font_for
from negoplatform.gui.plots.shape_image import shapes_image
from negoplatform.presentation.bidi import to_visual_order
from negoplatform.presentation.plots.drawing import Drawing, TextLabel

ANCHORS = {"start": "lm", "middle": "mm", "end": "rm"}


def to_image(drawing: Drawing, scale: float = 1.0, *, words: bool = True) -> Image.Image:
    """Return a drawing as an image.

    Args:
        drawing: The drawing.
        scale: Pixels of the image per pixel at 96 dpi.
        words: Whether texts are drawn too; a window adds them itself.
    """
    image = shapes_image(drawing, scale)
    if words:
        pen = ImageDraw.Draw(image)
        for item in drawing.items:
            if isinstance(item, TextLabel):
                _write(pen, item, scale, rtl=drawing.rtl)
    return image


def _write(pen: ImageDraw.ImageDraw, text: TextLabel, scale: float, *, rtl: bool) -> None:
    font = font_for(text.text, text.size * scale, text.bold)
    spot = (text.x * scale, text.y * scale)
    pen.text(
        spot, to_visual_order(text.text, rtl=rtl), font=font, fill=text.colour, anchor=ANCHORS[text.anchor]
    )
