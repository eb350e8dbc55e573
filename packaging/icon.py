"""Drawing of the program's icon: two speech bubbles, one round and one square, and their agreement.

``python packaging/icon.py`` writes ``assets/icon/SIZE.png``, which the window shows too; the build converts
these into the formats of Windows and macOS.
"""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageDraw

SIZES = (16, 32, 48, 64, 128, 256)
FOLDER = Path(__file__).resolve().parent.parent / "assets" / "icon"

YOURS, THEIRS, SHARED = "#0072b2", "#d55e00", "#ffffff"
"""Colours of the participant and the agent, as in ``presentation/color_palette.py``, and of their overlap."""

FINER = 16
"""Factor by which each length is drawn larger, for smooth edges."""

LEAST_WITH_MARK = 32
"""Size in pixels of the smallest icon in which the tick can be made out."""


def draw(size: int) -> Image.Image:
    """Return the icon, ``size`` pixels a side, on a transparent ground."""
    side = size * FINER

    def at(*parts: float) -> list[float]:
        return [part * side / 64 for part in parts]

    picture = Image.new("RGBA", (side, side))
    yours, theirs = Image.new("L", (side, side)), Image.new("L", (side, side))
    round_one, square_one = ImageDraw.Draw(yours), ImageDraw.Draw(theirs)
    round_one.ellipse(at(2, 2, 44, 44), fill=255)
    round_one.polygon(at(7, 28, 4, 54, 26, 40), fill=255)
    square_one.rounded_rectangle(at(21, 19, 62, 53), radius=at(6)[0], fill=255)
    square_one.polygon(at(42, 48, 59, 48, 58, 63), fill=255)
    picture.paste(YOURS, mask=yours)
    picture.paste(THEIRS, mask=theirs)
    both = Image.new("L", (side, side))
    both.paste(yours, mask=theirs)
    picture.paste(SHARED, mask=both)
    if size >= LEAST_WITH_MARK:
        tick = at(26.5, 30, 31.5, 35.5, 39, 25.5)
        ImageDraw.Draw(picture).line(tick, fill="#00735c", width=round(at(3.6)[0]), joint="curve")
    return picture.resize((size, size), Image.Resampling.LANCZOS)


def draw_side() -> Image.Image:
    """Return the picture on the last page of the installer for Windows, in the size that NSIS expects."""
    picture = Image.new("RGB", (164, 314), "#e6eef4")
    icon = draw(112)
    picture.paste(icon, (26, 56), icon)
    return picture


def write_for_systems(folder: Path) -> None:
    """Write ``negoplatform.ico`` and ``installer-side.bmp`` for Windows, ``negoplatform.icns`` for macOS."""
    draw_side().save(folder / "installer-side.bmp")
    drawn = {size: draw(size) for size in (*SIZES, 512)}
    smaller = [drawn[size] for size in SIZES[:-1]]
    drawn[256].save(
        folder / "negoplatform.ico", sizes=[(size, size) for size in SIZES], append_images=smaller
    )
    drawn[512].save(folder / "negoplatform.icns", append_images=[drawn[size] for size in SIZES])


def main() -> None:
    """Write the pictures."""
    FOLDER.mkdir(exist_ok=True)
    for size in SIZES:
        draw(size).save(FOLDER / f"{size}.png", optimize=True)


if __name__ == "__main__":
    main()
