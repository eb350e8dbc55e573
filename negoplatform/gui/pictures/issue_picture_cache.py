"""Cache of the issues' pictures as Tk images."""

from __future__ import annotations

from PIL import ImageTk

from negoplatform.gui.pictures.game_picture_set import GamePictureSet
from negoplatform.gui.theming.theme import Theme


class IssuePhotoCache:
    """Cache of Tk images of issues.

    Args:
        theme: Theme of the window.
        pictures: Pictures of the game.
    """

    def __init__(self, theme: Theme, pictures: GamePictureSet) -> None:
        self._theme = theme
        self._pictures = pictures
        self._cache: dict[tuple[str, int, bool], ImageTk.PhotoImage | None] = {}

    def get(self, name: str, size: int, *, faded: bool = False) -> ImageTk.PhotoImage | None:
        """Return a picture by name, ``size`` pixels wide and high; None if there is no such picture."""
        key = name, size, faded
        if key not in self._cache:
            image = self._pictures.draw(name, size, faded=faded)
            self._cache[key] = None if image is None else self._theme.picture(image)
        return self._cache[key]
