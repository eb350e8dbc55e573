"""A face for each expression, drawn with Pillow at any size."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from PIL import Image, ImageDraw

from negoplatform.core.events import Expression

SUPERSAMPLING = 4


@dataclass(frozen=True, slots=True)
class Look:
    """What makes an expression, each from -1 to 1 unless said otherwise.

    Args:
        smile: Corners of the mouth, down to up.
        open: How far the mouth is open, 0 to 1.
        brow: Inner ends of the brows, down (angry) to up (worried).
        lift: Height of the brows.
        eye: How wide the eyes are, 0 to 1.4.
        tilt: How crooked the mouth is, 0 to 1.
    """

    smile: float = 0.3
    open: float = 0.0
    brow: float = 0.0
    lift: float = 0.0
    eye: float = 1.0
    tilt: float = 0.0


LOOKS = {
    Expression.NEUTRAL: Look(),
    Expression.HAPPY: Look(smile=1.0, open=0.5, lift=0.3, eye=0.85),
    Expression.SAD: Look(smile=-0.8, brow=0.9, lift=0.1, eye=0.75),
    Expression.ANGRY: Look(smile=-0.6, brow=-1.0, lift=-0.5, eye=0.8),
    Expression.SURPRISED: Look(smile=0.0, open=1.0, lift=1.0, eye=1.35),
    Expression.DISGUSTED: Look(smile=-0.7, brow=-0.5, lift=-0.2, eye=0.55, tilt=0.5),
    Expression.SCARED: Look(smile=-0.4, open=0.5, brow=1.0, lift=0.8, eye=1.3),
    Expression.CONTEMPT: Look(smile=0.3, brow=-0.4, eye=0.6, tilt=1.0),
}

SKIN, EDGE, INK, MOUTH = "#f6cf8f", "#b9803a", "#2b2333", "#8c2f3f"


@lru_cache(maxsize=64)
def draw_face(expression: Expression, size: int) -> Image.Image:
    """A face of ``size`` × ``size`` pixels, transparent around it."""
    look, n = LOOKS[expression], size * SUPERSAMPLING
    image = Image.new("RGBA", (n, n))
    pen = ImageDraw.Draw(image)
    line = max(1, round(n * 0.026))

    def at(*parts: float) -> tuple[float, ...]:
        return tuple(part * n for part in parts)

    pen.ellipse(at(0.04, 0.04, 0.96, 0.96), fill=SKIN, outline=EDGE, width=max(1, line // 2))
    for side in (-1, 1):
        x = 0.5 + side * 0.17
        pen.ellipse(at(x - 0.05, 0.42 - 0.065 * look.eye, x + 0.05, 0.42 + 0.065 * look.eye), fill=INK)
        inner = 0.28 - 0.05 * look.lift - 0.05 * look.brow
        outer = 0.28 - 0.05 * look.lift + 0.02 * look.brow
        pen.line(at(x - side * 0.08, inner, x + side * 0.1, outer), fill=INK, width=line)
    _draw_mouth(pen, look, n, line)
    return image.resize((size, size), Image.Resampling.LANCZOS)


def _draw_mouth(pen: ImageDraw.ImageDraw, look: Look, n: int, line: int) -> None:
    width = 0.21 * (1 - 0.4 * look.open * (1 - abs(look.smile)))
    points = []
    for step in range(25):
        x = step / 12 - 1
        y = 0.7 + 0.09 * look.smile * (1 - x * x) - 0.05 * look.smile - 0.05 * look.tilt * x
        points.append(((0.5 + width * x) * n, y * n))
    if look.open:
        lower = [(x, y + look.open * 0.16 * n * (1 - (i / 12 - 1) ** 2)) for i, (x, y) in enumerate(points)]
        pen.polygon([*points, *reversed(lower)], fill=MOUTH)
        pen.line(lower, fill=INK, width=line, joint="curve")
    pen.line(points, fill=INK, width=line, joint="curve")
