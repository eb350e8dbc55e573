"""Small round portraits of the seats, each face of each drawn once."""

from __future__ import annotations

from collections.abc import Mapping

from PIL import ImageTk

from negoplatform.domain.seat_map import Seat
from negoplatform.gui.avatars.agent_avatar import Avatar
from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.face_mood import ShownFace

SMALL_FACE = 40
"""Size of the portrait next to another seat's lines, for 96 dpi."""


class SmallPortraits:
    """Portraits on a card, as pictures for Tk.

    Args:
        theme: The window's theme.
        avatars: The portraits of the seats; the first stands for a seat without one.
        size: The size of a picture, for 96 dpi.
    """

    def __init__(self, theme: Theme, avatars: Mapping[Seat, Avatar], size: int = SMALL_FACE) -> None:
        self._theme, self._avatars, self._size = theme, avatars, size
        self._pictures: dict[tuple[Seat, ShownFace], ImageTk.PhotoImage] = {}

    def get(self, seat: Seat, face: ShownFace) -> ImageTk.PhotoImage:
        """Return the portrait of a seat with a face."""
        if (seat, face) not in self._pictures:
            theme = self._theme
            avatar = self._avatars.get(seat) or next(iter(self._avatars.values()))
            image = avatar.draw(face, theme.px(self._size), theme.colours.card)
            self._pictures[seat, face] = theme.picture(image)
        return self._pictures[seat, face]
