"""Appearance of an agent: one of the drawn characters, or pictures next to the agent's file. No Tk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageOps

from negoplatform.core.events import Expression
from negoplatform.domain.errors import NegoError
from negoplatform.gui.avatars.face_drawing import draw_portrait
from negoplatform.gui.pictures.picture_file_reader import read_picture
from negoplatform.presentation.agent_characters import CHARACTERS, Character, character_for
from negoplatform.presentation.face_mood import ShownFace
from negoplatform.presentation.i18n import ENGLISH, Language
from negoplatform.presentation.localized_names import displayable, truncate

STORED_SIDE = 512
"""Side in pixels at which pictures are stored: the largest size at which a face is shown."""

SUFFIXES = (".png", ".jpg", ".jpeg")

MAX_QUOTED_LENGTH = 60
"""Maximum length, in characters, of an agent's own text quoted in a sentence about the agent."""


# Compared by identity: a picture has no value for comparing or hashing.
@dataclass(frozen=True, slots=True, eq=False)
class Avatar:
    """Appearance of an agent.

    Args:
        character: Character that is drawn if there is no picture.
        pictures: The agent's own square pictures; a missing expression is shown as neutral.
        problem: Reason, for the experimenter, why the requested appearance is not used; empty if it is.
    """

    character: Character
    pictures: Mapping[Expression, Image.Image] = field(default_factory=dict)
    problem: str = ""

    def draw(self, face: ShownFace, size: int, ground: str) -> Image.Image:
        """Return the face as a disc on a ground, ``size`` × ``size`` pixels; cached, not to be modified."""
        picture = picture_for(self.pictures, face)
        if picture is None:
            return draw_portrait(self.character, face.expression, size, ground, face.intensity)
        return _draw_circle(self, face.expression, size, ground, face.intensity >= PICTURE_INTENSITY)


PICTURE_INTENSITY = 0.5
"""Intensity of an expression from which an agent's own picture of it is shown, and not the neutral one."""


def picture_for(pictures: Mapping[Expression, Image.Image], face: ShownFace) -> Image.Image | None:
    """Return the picture of a face, else the neutral one; None if there is neither."""
    neutral = pictures.get(Expression.NEUTRAL)
    if face.intensity < PICTURE_INTENSITY and neutral is not None:
        return neutral
    return pictures.get(face.expression, neutral)


def crop_to_circle(picture: Image.Image, size: int, ground: str) -> Image.Image:
    """Return a picture cropped to a disc on a ground, ``size`` × ``size`` pixels, without transparency."""
    times = 4
    mask = Image.new("L", (size * times, size * times))
    ImageDraw.Draw(mask).ellipse((0, 0, size * times - 1, size * times - 1), fill=255)
    fitted = ImageOps.fit(picture.convert("RGBA"), (size, size), Image.Resampling.LANCZOS)
    around = Image.new("RGB", (size, size), ground)
    inside = around.copy()
    inside.paste(fitted, mask=fitted)
    around.paste(inside, mask=mask.reduce(times))
    return around


@lru_cache(maxsize=24)
def _draw_circle(
    avatar: Avatar, expression: Expression, size: int, ground: str, is_strong: bool
) -> Image.Image:
    picture = picture_for(avatar.pictures, ShownFace(expression, 1.0 if is_strong else 0.0))
    assert picture is not None
    return crop_to_circle(picture, size, ground)


def load_avatar(
    avatar: str | None, agent_file: Path | None, *, name: str, translate: Language = ENGLISH
) -> Avatar:
    """Return the appearance of an agent.

    Args:
        avatar: The agent's own choice: a name in :data:`CHARACTERS`, or a picture or a folder of pictures
            next to its file, named after the expressions (``happy.png``); None for no choice.
        agent_file: File of the agent; None if there is no file.
        name: Name of the agent; selects the character if nothing else does.
        translate: Translation into the language of ``problem``.
    """
    choice = (avatar or "").strip()
    drawn = character_for(name)
    if not choice:
        return Avatar(drawn)
    if choice.casefold() in CHARACTERS:
        return Avatar(CHARACTERS[choice.casefold()])
    try:
        if agent_file is None:
            raise NegoError(translate("The agent has no folder for pictures."))
        return Avatar(drawn, _load_pictures(choice, agent_file.parent, translate))
    except NegoError as error:
        reason = str(error)
    except OSError as error:
        # For example a name that is too long, or a folder without permission.
        reason = translate("it can’t be read ({reason}).", reason=error.strerror)
    quoted = truncate(displayable(" ".join(choice.split())), MAX_QUOTED_LENGTH)
    problem = translate("The agent’s picture “{avatar}” isn’t shown: {reason}", avatar=quoted, reason=reason)
    return Avatar(drawn, problem=problem)


def _load_pictures(choice: str, folder: Path, translate: Language) -> dict[Expression, Image.Image]:
    """Return the pictures that an agent names.

    Raises:
        NegoError: If there are none, or if one cannot be shown.
    """
    place = _resolve_inside(folder / choice, folder, translate)
    if place.is_file():
        return {Expression.NEUTRAL: _read(place, translate)}
    if not place.is_dir():
        raise NegoError(translate("there’s no such file beside the agent’s, and no face of that name."))
    pictures = {}
    for expression in Expression:
        for ending in SUFFIXES:
            file = place / f"{expression.value.lower()}{ending}"
            if file.exists():
                pictures[expression] = _read(_resolve_inside(file, folder, translate), translate)
                break
    if not pictures:
        raise NegoError(translate("its folder has no picture such as neutral.png or happy.png."))
    return pictures


def _resolve_inside(path: Path, folder: Path, translate: Language) -> Path:
    """Return a path with all links resolved.

    Raises:
        NegoError: If the path leaves the agent's folder, or is not a valid name.
    """
    try:
        real = path.resolve()
        if real.is_relative_to(folder.resolve()):
            return real
    except (OSError, ValueError, RuntimeError):
        # A NUL byte in the name, a name that is too long, or a cycle of links.
        raise NegoError(translate("that isn’t a file name.")) from None
    raise NegoError(translate("it’s outside the agent’s own folder."))


def _read(file: Path, translate: Language) -> Image.Image:
    """Return a picture, upright and square.

    Raises:
        NegoError: If the file is too large or not a picture.
    """
    upright = read_picture(file, translate, formats=("PNG", "JPEG"), longest=STORED_SIDE)
    side = min(STORED_SIDE, *upright.size)
    return ImageOps.fit(upright, (side, side), Image.Resampling.LANCZOS)
