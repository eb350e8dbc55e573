"""Pictures of issues as Tk draws them, each made once."""

from __future__ import annotations

from PIL import ImageTk

from negoplatform.gui.pictures.issue_pictures import IssuePictures
from negoplatform.gui.theming.theme import Theme


class IssuePhotoCache:
    """Keeps the pictures that are shown.

    Args:
        theme: The looks that they are shown in.
        pictures: The pictures of the game.
    """

    def __init__(self, theme: Theme, pictures: IssuePictures) -> None:
        self._theme = theme
        self._pictures = pictures
        self._cache: dict[tuple[str, int, bool], ImageTk.PhotoImage | None] = {}

    def get(self, name: str, size: int, *, faded: bool = False) -> ImageTk.PhotoImage | None:
        """Return a picture by its name, ``size`` pixels across; None for an issue that has none."""
        key = name, size, faded
        if key not in self._cache:
            image = self._pictures.draw(name, size, faded=faded)
            self._cache[key] = None if image is None else self._theme.picture(image)
        return self._cache[key]
