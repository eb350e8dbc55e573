"""The pictures of a game's issues: drawn ones, and the game's own PNG files. No Tk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image, ImageOps

from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.pictures import PICTURES
from negoplatform.gui.pictures.image_files import read_picture
from negoplatform.gui.pictures.issue_picture_drawing import fade, picture
from negoplatform.presentation.i18n import ENGLISH, Language

STORED_SIDE = 256
"""Pixels across at which a picture of a game's own is kept."""


# Compared by which one it is: a picture has no value to compare by.
@dataclass(frozen=True, slots=True, eq=False)
class IssuePictures:
    """What issues look like, by the name of the picture.

    Args:
        custom: The game's own pictures, square, by file name.
        problems: Why some of them are not shown, a sentence each, for the experimenter.
    """

    custom: Mapping[str, Image.Image] = field(default_factory=dict)
    problems: tuple[str, ...] = ()

    def draw(self, name: str, size: int, *, faded: bool = False) -> Image.Image | None:
        """Return a picture of ``size`` × ``size`` pixels; None without a name, or if there is none."""
        if name in PICTURES:
            return picture(name, size, faded=faded)
        if name not in self.custom:
            return None
        small = self.custom[name].resize((size, size), Image.Resampling.LANCZOS)
        return fade(small) if faded else small


def custom_picture_names(game: GameSpec) -> frozenset[str]:
    """Return the names of the PNG files that a game brings."""
    return frozenset(issue.picture for issue in game.issues) - {"", *PICTURES}


def load_pictures(game: GameSpec, folder: Path | None, translate: Language = ENGLISH) -> IssuePictures:
    """Return the pictures of a game's issues; ``folder``: where its file lies, None if nobody knows."""
    own: dict[str, Image.Image] = {}
    problems: list[str] = []
    for name in sorted(custom_picture_names(game)):
        try:
            if folder is None:
                raise NegoError(translate("the game’s folder isn’t known."))
            file = (folder / name).resolve()
            if file.parent != folder.resolve():
                raise NegoError(translate("it’s outside the game’s own folder."))
            read = read_picture(file, translate, formats=("PNG",), longest=STORED_SIDE)
            own[name] = ImageOps.pad(
                read, (STORED_SIDE, STORED_SIDE), Image.Resampling.LANCZOS, color=(0, 0, 0, 0)
            )
        except NegoError as error:
            problems.append(
                translate(
                    "The game’s picture “{picture}” isn’t shown: {reason}", picture=name, reason=str(error)
                )
            )
    return IssuePictures(own, tuple(problems))
