"""Reader of users' picture files, within limits. No Tk."""

from __future__ import annotations

import stat
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageOps

from negoplatform.domain.errors import NegoError
from negoplatform.presentation.i18n import Language

LARGEST_FILE = 4_000_000
"""Maximum size of a picture file, in bytes."""

LARGEST_SIDE = 4096
"""Maximum width and height of a picture, in pixels."""


def read_picture(file: Path, translate: Language, *, formats: tuple[str, ...], longest: int) -> Image.Image:
    """Return the picture in a file, upright, in RGBA.

    Args:
        file: File to read.
        translate: Translation into the language of errors.
        formats: Accepted formats, by Pillow's names, such as ``PNG``.
        longest: Side in pixels; a larger picture may be returned smaller, but at least twice this size.

    Raises:
        NegoError: If the file is too large, unreadable or not such a picture.
    """
    data = _bytes_of(file, translate)
    try:
        with Image.open(BytesIO(data), formats=formats) as image:
            if max(image.size) <= LARGEST_SIDE:
                # A JPEG photograph is decoded at a reduced size at once.
                image.draft("RGB", (2 * longest, 2 * longest))
                return ImageOps.exif_transpose(image).convert("RGBA")
    except Exception:  # noqa: BLE001 - a broken picture makes its reader raise nearly anything
        kinds = translate("{some} or {last}", some=", ".join(formats[:-1]), last=formats[-1])
        raise NegoError(
            translate(
                "{file} isn’t a complete {kinds} picture.",
                file=file.name,
                kinds=kinds if len(formats) > 1 else formats[0],
            )
        ) from None
    raise NegoError(
        translate("{file} is more than {most} pixels wide or high.", file=file.name, most=LARGEST_SIDE)
    )


def _bytes_of(file: Path, translate: Language) -> bytes:
    try:
        # Only regular files: reading a pipe or a device may never end.
        if not stat.S_ISREG(file.stat().st_mode):
            raise NegoError(translate("{file} isn’t a file.", file=file.name))
        with file.open("rb") as stream:
            data = stream.read(LARGEST_FILE + 1)
    except OSError as error:
        reason = error.strerror or str(error)
        raise NegoError(translate("{file} can’t be read: {reason}.", file=file.name, reason=reason)) from None
    if len(data) > LARGEST_FILE:
        most = LARGEST_FILE // 1_000_000
        raise NegoError(translate("{file} is larger than {most} MB.", file=file.name, most=most))
    return data
