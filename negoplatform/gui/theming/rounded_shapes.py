"""Anti-aliased shapes that Tk cannot draw: stretchable rounded areas, rings and marks. Pillow, no Tk."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image, ImageDraw

SUPERSAMPLING = 4
"""Factor by which shapes are drawn larger before they are reduced, which smooths the edges."""


def rounded(
    size: tuple[int, int],
    radius: float,
    *,
    face: str,
    edge: str = "",
    width: float = 0,
    ground: str,
    ring: str = "",
    ring_width: float = 0,
    gap: float = 0,
    corners: tuple[bool, bool, bool, bool] = (True, True, True, True),
) -> Image.Image:
    """Return a rounded area on its ground; lengths in pixels.

    Args:
        size: The size of the picture, including the ring.
        radius: The radius of the corners.
        face: The fill colour.
        edge: The colour of the edge; empty: no edge.
        width: The width of the edge.
        ground: The colour around the corners.
        ring: The colour of a ring around the area; empty: no ring.
        ring_width: The width of the ring.
        gap: The distance between the ring and the area; without a ring, the margin around the area.
        corners: Which corners are round: top left, top right, bottom right, bottom left.
    """
    image = Image.new("RGB", (size[0] * SUPERSAMPLING, size[1] * SUPERSAMPLING), ground)
    pen = ImageDraw.Draw(image)

    def area(inset: float, fill: str, rounding: float) -> None:
        low = inset * SUPERSAMPLING
        pen.rounded_rectangle(
            (low, low, image.width - low - 1, image.height - low - 1),
            max(0.0, rounding * SUPERSAMPLING),
            fill=fill,
            corners=corners,
        )

    inset = ring_width + gap
    if ring:
        area(0, ring, radius + inset)
        area(ring_width, ground, radius + gap)
    if edge and width:
        area(inset, edge, radius)
        area(inset + width, face, radius - width)
    else:
        area(inset, face, radius)
    return image.reduce(SUPERSAMPLING)


def stretched(image: Image.Image, corner: int, middle: tuple[int, int]) -> Image.Image:
    """Return a picture with its corners unchanged and the parts between them stretched to ``middle``."""
    across, down = middle
    right, bottom, size = image.width - corner, image.height - corner, image.width
    columns = (
        (0, corner, 0, corner),
        (corner, right, corner, across),
        (right, size, corner + across, corner),
    )
    size = image.height
    rows = ((0, corner, 0, corner), (corner, bottom, corner, down), (bottom, size, corner + down, corner))
    # All nine pieces in one call: for each, its target box and the four corners of its source.
    pieces = [
        ((x, y, x + width, y + height), (left, top, left, low, far, low, far, top))
        for left, far, x, width in columns
        for top, low, y, height in rows
    ]
    whole = 2 * corner + across, 2 * corner + down
    return image.transform(whole, Image.Transform.MESH, pieces, Image.Resampling.NEAREST)


def ring(
    size: int, share: float, width: float, *, colour: str, track: str, ground: str, backwards: bool = False
) -> Image.Image:
    """Return a ring of which a share, 0 to 1, is filled from the top, clockwise or ``backwards``."""
    image = Image.new("RGB", (size * SUPERSAMPLING, size * SUPERSAMPLING), ground)
    pen = ImageDraw.Draw(image)
    box, thick = (
        (SUPERSAMPLING, SUPERSAMPLING, image.width - SUPERSAMPLING - 1, image.height - SUPERSAMPLING - 1),
        round(width * SUPERSAMPLING),
    )
    pen.arc(box, 0, 360, fill=track, width=thick)
    if share > 0:
        filled = 360 * min(1.0, share)
        first, last = (-90 - filled, -90.0) if backwards else (-90.0, -90 + filled)
        pen.arc(box, first, last, fill=colour, width=thick)
    return image.resize((size, size), Image.Resampling.LANCZOS)


@lru_cache(maxsize=32)
def check_mark(
    size: int, *, colour: str, face: str, ground: str, edge: str, round_box: bool = False
) -> Image.Image:
    """Return the box of a check or radio button (``round_box``), marked unless ``colour`` is empty."""
    n = size * SUPERSAMPLING
    image = rounded(
        (n, n),
        n * (0.5 if round_box else 0.22),
        face=face,
        edge=edge,
        width=SUPERSAMPLING * max(1.0, size / 14),
        ground=ground,
    )
    pen = ImageDraw.Draw(image)
    if colour and round_box:
        pen.ellipse((n * 0.3, n * 0.3, n * 0.7, n * 0.7), fill=colour)
    elif colour:
        points = [(n * 0.24, n * 0.53), (n * 0.43, n * 0.71), (n * 0.77, n * 0.3)]
        pen.line(points, fill=colour, width=round(n * 0.12), joint="curve")
    return image.resize((size, size), Image.Resampling.LANCZOS)


@lru_cache(maxsize=32)
def chevron(size: int, *, colour: str, ground: str) -> Image.Image:
    """Return an arrow that points down."""
    n = size * SUPERSAMPLING
    image = Image.new("RGB", (n, n), ground)
    points = [(n * 0.22, n * 0.38), (n * 0.5, n * 0.66), (n * 0.78, n * 0.38)]
    ImageDraw.Draw(image).line(points, fill=colour, width=round(n * 0.11), joint="curve")
    return image.resize((size, size), Image.Resampling.LANCZOS)
