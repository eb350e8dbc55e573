"""Pictures of the marks by which seats are told apart."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image, ImageTk

from negoplatform.gui.plots.plot_image import marker_image
from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.plots.drawing import Marker, MarkerShape
from negoplatform.presentation.plots.seat_styles import SeatMark


class SeatMarkPictures:
    """Pictures of marks, each made once.

    Args:
        theme: The window's theme.
    """

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._pictures: dict[tuple[SeatMark, int], ImageTk.PhotoImage] = {}

    def get(self, mark: SeatMark, side: int) -> ImageTk.PhotoImage:
        """Return the picture of a mark in a square of a side in pixels."""
        if (mark, side) not in self._pictures:
            colour = getattr(self._theme.colours, mark.colour)
            self._pictures[mark, side] = self._theme.picture(draw_mark(mark.shape, colour, side))
        return self._pictures[mark, side]


@lru_cache(maxsize=64)
def draw_mark(shape: MarkerShape, colour: str, side: int) -> Image.Image:
    """Return a mark in the middle of a transparent square; not to be modified."""
    dot = marker_image(Marker(0, 0, shape, (side - 1) / 2.6, colour, "", 0), 1.0)
    image = Image.new("RGBA", (side, side), (0, 0, 0, 0))
    image.paste(dot, ((side - dot.width) // 2, (side - dot.height) // 2))
    return image
