"""Pictures of a game's issues: drawn ones, and the game's own PNG files. No Tk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image, ImageOps

from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import PICTURES
from negoplatform.gui.pictures.issue_picture_drawing import fade, picture
from negoplatform.gui.pictures.picture_file_reader import read_picture
from negoplatform.presentation.i18n import ENGLISH, Language

STORED_SIDE = 256
"""Side in pixels at which a game's own pictures are stored."""


# Compared by identity: a picture has no value for comparing.
@dataclass(frozen=True, slots=True, eq=False)
class GamePictureSet:
    """Pictures of issues, by picture name.

    Args:
        custom: The game's own square pictures, by file name.
        problems: Sentences for the experimenter about pictures that cannot be shown.
    """

    custom: Mapping[str, Image.Image] = field(default_factory=dict)
    problems: tuple[str, ...] = ()

    def draw(self, name: str, size: int, *, faded: bool = False) -> Image.Image | None:
        """Return a picture of ``size`` × ``size`` pixels; None if there is no picture of that name."""
        if name in PICTURES:
            return picture(name, size, faded=faded)
        if name not in self.custom:
            return None
        small = self.custom[name].resize((size, size), Image.Resampling.LANCZOS)
        return fade(small) if faded else small


def custom_picture_names(game: GameSpec) -> frozenset[str]:
    """Return the names of the PNG files that a game uses."""
    return frozenset(issue.picture for issue in game.issues) - {"", *PICTURES}


def load_pictures(game: GameSpec, folder: Path | None, translate: Language = ENGLISH) -> GamePictureSet:
    """Return the pictures of a game's issues; ``folder`` is the game file's, None if it is unknown."""
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
    return GamePictureSet(own, tuple(problems))
