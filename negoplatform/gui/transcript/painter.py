"""Drawing of laid out transcript lines on a canvas."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Literal, assert_never

from PIL import Image, ImageDraw, ImageTk

from negoplatform.core.events import Expression
from negoplatform.domain.seat_map import Seat
from negoplatform.gui.avatars.face_drawing import draw_emoji
from negoplatform.gui.pictures.issue_picture_cache import IssuePhotoCache
from negoplatform.gui.plots.seat_mark_picture import SeatMarkPictures
from negoplatform.gui.theming.rounded_shapes import SUPERSAMPLING, rounded
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.pressable_cell import piece_image
from negoplatform.presentation.color_palette import mix_colours
from negoplatform.presentation.face_mood import ShownFace
from negoplatform.presentation.transcript.layout_items import (
    Alignment,
    AreaItem,
    Block,
    EmojiItem,
    IconItem,
    IssuePictureItem,
    PortraitItem,
    SeatMarkItem,
    TextItem,
    TextLayout,
    TypingDotsItem,
    WidgetSlot,
)
from negoplatform.presentation.transcript.text_metrics import TextMetrics

ALIGNMENTS: dict[Alignment, tuple[float, Literal["nw", "n", "ne"], Literal["left", "center", "right"]]] = {
    "left": (0.0, "nw", "left"),
    "middle": (0.5, "n", "center"),
    "right": (1.0, "ne", "right"),
}
"""The share of the width at which a text item is anchored, its anchor and its justification, by alignment."""

FaceProvider = Callable[[Seat, ShownFace], ImageTk.PhotoImage | None]
"""Function that returns the small round portrait of a seat with a face, None without one."""

OFFSCREEN_X = 4000
"""Distance in pixels beyond the view from which nothing is drawn: X11 has 16-bit coordinates."""

RADIUS = 14
"""Radius of the corners, for 96 dpi."""

DOT, DOT_TAG = 7, "dot{n}"
"""Diameter of a typing dot for 96 dpi, and the tag of dot 0, 1 or 2."""


def text_layout_for(theme: Theme) -> TextLayout:
    """Return a text layout with the theme's fonts."""
    fonts = {name: theme.font(name) for name in ("body", "bold", "small", "small_bold")}
    widths = {name: TextMetrics(font.measure, font.metrics("linespace")) for name, font in fonts.items()}
    # theme.px() asks Tk for the size of the screen; cached lengths are valid until the appearance changes.
    return TextLayout(
        widths,
        cache(theme.px),
        rtl=theme.rtl,
        needs_reordering=theme.needs_reordering,
        keeps_runs=theme.keeps_runs,
    )


@dataclass(frozen=True, slots=True)
class BubbleStyle:
    """Colours of an area, and which of its corners are round: top left, top right, bottom right, bottom left.

    ``strong``: whether its edge is twice as thick.
    """

    face: str
    edge: str
    corners: tuple[bool, bool, bool, bool]
    strong: bool = False


class TranscriptPainter:
    """Painter of blocks, each under its own canvas tag.

    An area is drawn as one rectangle per layer and four small pictures of its corners, made once per style: a
    picture of the whole area would be a different one for each size.

    Args:
        canvas: The canvas to draw on.
        theme: The window's theme.
        face: Return the portrait of a seat; None: no portraits.
        pictures: The issues' pictures; None: issues are shown by name only.
    """

    def __init__(
        self,
        canvas: tk.Canvas,
        theme: Theme,
        face: FaceProvider | None,
        pictures: IssuePhotoCache | None = None,
    ) -> None:
        self._canvas = canvas
        self._theme = theme
        self._face = face
        self._pictures = pictures
        self._styles = _bubble_styles(theme)
        self._seat_marks = SeatMarkPictures(theme)
        self._ring = theme.px(2), max(1, theme.px(1))
        self._edge = max(1, theme.px(1))
        self._corners: dict[tuple[str, str, bool], list[ImageTk.PhotoImage]] = {}
        self._warnings: dict[int, ImageTk.PhotoImage] = {}
        # A canvas keeps no reference to its pictures, and the provider may drop a portrait from its cache.
        self._faces: dict[tuple[Seat, ShownFace], ImageTk.PhotoImage] = {}
        self._emoji: dict[tuple[Expression, int], ImageTk.PhotoImage] = {}
        c = theme.colours
        self._dot_pictures = [
            theme.picture(piece_image("round", theme.px(DOT), colour))
            for colour in (mix_colours(c.soft, c.edge, 0.6), c.muted)
        ]

    def draw(self, block: Block, y: int, tag: str, *, marked: bool) -> None:
        """Draw a block whose top is at ``y``; ``marked``: with a ring around it."""
        view = self._canvas.winfo_height()
        for piece in block.pieces:
            match piece:
                case AreaItem():
                    self._area(piece, y + piece.y, tag, marked, view)
                case TextItem():
                    height = len(piece.lines) * self._theme.font(piece.font).metrics("linespace")
                    if y + piece.y + height > -OFFSCREEN_X and y + piece.y < view + OFFSCREEN_X:
                        self._text(piece, y + piece.y, tag)
                case PortraitItem():
                    self._picture(piece, y + piece.y, tag)
                case EmojiItem():
                    emoji = self._emoji_of(piece.expression, piece.width)
                    self._canvas.create_image(piece.x, y + piece.y, image=emoji, anchor="nw", tags=tag)
                case TypingDotsItem():
                    self._dots(piece, y + piece.y, tag)
                case IssuePictureItem():
                    self._issue_picture(piece, y + piece.y, tag)
                case IconItem():
                    colour = getattr(self._theme.colours, piece.colour)
                    image = self._theme.icon(piece.name, colour, piece.width / self._theme.scale)
                    self._canvas.create_image(piece.x, y + piece.y, image=image, anchor="nw", tags=tag)
                case SeatMarkItem():
                    image = self._seat_marks.get(piece.mark, piece.width)
                    self._canvas.create_image(piece.x, y + piece.y, image=image, anchor="nw", tags=tag)
                case WidgetSlot():
                    pass
                case _:
                    assert_never(piece)
        if marked and not any(isinstance(piece, AreaItem) for piece in block.pieces):
            left, top, right, bottom = block.body
            self._canvas.create_rectangle(
                left,
                y + top,
                right,
                y + bottom,
                outline=self._theme.colours.focus,
                width=self._ring[0],
                tags=tag,
            )

    def _area(self, area: AreaItem, y: int, tag: str, marked: bool, view: int) -> None:
        canvas, colours = self._canvas, self._theme.colours
        style, out = self._style_of(area), sum(self._ring) if marked else 0
        left, top, right, bottom = area.x - out, y - out, area.x + area.width + out, y + area.height + out
        layers = [(0, colours.focus), (self._ring[0], colours.card)] if marked else []
        if style.edge:
            layers.append((out, style.edge))
        layers.append((out + self._edge_of(style), style.face))
        for inset, colour in layers:
            canvas.create_rectangle(
                left + inset,
                max(-OFFSCREEN_X, top + inset),
                right - inset,
                min(view + OFFSCREEN_X, bottom - inset),
                width=0,
                fill=colour,
                tags=tag,
            )
        places = ((left, top, "nw"), (right, top, "ne"), (right, bottom, "se"), (left, bottom, "sw"))
        pictures = self._corner(area, marked)
        for picture, (x, corner_y, anchor), is_round in zip(pictures, places, style.corners, strict=True):
            # The rectangle has square corners already, and pictures are half of the cost of drawing.
            if is_round and -OFFSCREEN_X < corner_y < view + OFFSCREEN_X:
                canvas.create_image(x, corner_y, image=picture, anchor=anchor, tags=tag)

    def _style_of(self, area: AreaItem) -> BubbleStyle:
        style = self._styles[area.style]
        return replace(style, edge=getattr(self._theme.colours, area.edge)) if area.edge else style

    def _edge_of(self, style: BubbleStyle) -> int:
        return (2 if style.strong else 1) * self._edge if style.edge else 0

    def _text(self, text_item: TextItem, y: int, tag: str) -> None:
        share, anchor, justify = ALIGNMENTS[text_item.alignment]
        self._canvas.create_text(
            text_item.x + round(share * text_item.width),
            y,
            text="\n".join(text_item.lines),
            font=self._theme.font(text_item.font),
            fill=getattr(self._theme.colours, text_item.colour),
            anchor=anchor,
            justify=justify,
            tags=tag,
        )

    def _picture(self, piece: PortraitItem, y: int, tag: str) -> None:
        picture = self._warning(piece.width) if piece.face is None else self._face_of(piece.seat, piece.face)
        if picture is not None:
            self._canvas.create_image(piece.x, y, image=picture, anchor="nw", tags=tag)

    def _emoji_of(self, expression: Expression, size: int) -> ImageTk.PhotoImage:
        if (expression, size) not in self._emoji:
            self._emoji[expression, size] = self._theme.picture(draw_emoji(expression, size))
        return self._emoji[expression, size]

    def darken_dot(self, number: int) -> None:
        """Draw one of the typing dots dark and the others pale."""
        pale, dark = self._dot_pictures
        for n in range(3):
            self._canvas.itemconfigure(DOT_TAG.format(n=n), image=dark if n == number else pale)

    def _dots(self, dots: TypingDotsItem, y: int, tag: str) -> None:
        size = self._theme.px(DOT)
        top = y + (dots.height - size) // 2
        for n in range(3):
            x = dots.x + n * (dots.width - size) // 2
            place = DOT_TAG.format(n=2 - n if self._theme.rtl else n)
            self._canvas.create_image(x, top, image=self._dot_pictures[0], anchor="nw", tags=(tag, place))

    def _issue_picture(self, piece: IssuePictureItem, y: int, tag: str) -> None:
        picture = None if self._pictures is None else self._pictures.get(piece.name, piece.width)
        if picture is not None:
            self._canvas.create_image(piece.x, y, image=picture, anchor="nw", tags=tag)

    def _face_of(self, seat: Seat, face: ShownFace) -> ImageTk.PhotoImage | None:
        picture = self._face(seat, face) if self._face is not None else None
        if picture is not None:
            self._faces[seat, face] = picture
        return picture

    def _warning(self, size: int) -> ImageTk.PhotoImage:
        if size not in self._warnings:
            colours = self._theme.colours
            self._warnings[size] = self._theme.picture(warning_mark(size, colours.warning, colours.card))
        return self._warnings[size]

    def _corner(self, area: AreaItem, marked: bool) -> list[ImageTk.PhotoImage]:
        key = area.style, area.edge, marked
        if key not in self._corners:
            images = self._corner_images(self._style_of(area), marked)
            self._corners[key] = [self._theme.picture(image) for image in images]
        return self._corners[key]

    def _corner_images(self, style: BubbleStyle, marked: bool) -> list[Image.Image]:
        colours, out = self._theme.colours, sum(self._ring) if marked else 0
        n = self._theme.px(RADIUS) + out
        far = 2 * n + 4  # Pillow needs room between the corners if only some of them are round
        image = rounded(
            (far, far),
            self._theme.px(RADIUS),
            face=style.face,
            edge=style.edge,
            width=self._edge_of(style),
            ground=colours.card,
            ring=colours.focus if marked else "",
            ring_width=self._ring[0] if marked else 0,
            gap=self._ring[1] if marked else 0,
            corners=style.corners,
        )
        boxes = ((0, 0, n, n), (far - n, 0, far, n), (far - n, far - n, far, far), (0, far - n, n, far))
        return [image.crop(box) for box in boxes]


def _bubble_styles(theme: Theme) -> dict[str, BubbleStyle]:
    """Return the area styles by kind of line: ``_private`` if addressed, ``_on`` if its group continues.

    The square corner is the one next to the speaker.
    """
    c = theme.colours
    # On black, soft areas hardly stand out without an edge.
    edge = c.edge if theme.appearance.theme == "high_contrast" else ""
    left, right, none = (True, True, True, False), (True, True, False, True), (True,) * 4
    mine, theirs = (left, right) if theme.rtl else (right, left)
    return {
        "mine": BubbleStyle(c.bubble, edge, mine),
        "theirs": BubbleStyle(c.soft, edge, theirs),
        "mine_on": BubbleStyle(c.bubble, edge, none),
        "theirs_on": BubbleStyle(c.soft, edge, none),
        "mine_private": BubbleStyle(c.mine_soft, c.mine, mine),
        "theirs_private": BubbleStyle(c.card, c.edge, theirs),
        "mine_private_on": BubbleStyle(c.mine_soft, c.mine, none),
        "theirs_private_on": BubbleStyle(c.card, c.edge, none),
        "offer_mine": BubbleStyle(c.card, c.mine, none),
        "offer_theirs": BubbleStyle(c.card, c.theirs, none),
        "standing_offer_mine": BubbleStyle(c.card, c.mine, none, strong=True),
        "standing_offer_theirs": BubbleStyle(c.card, c.theirs, none, strong=True),
        "offer_old": BubbleStyle(c.card, c.line, none),
    }


@lru_cache(maxsize=8)
def warning_mark(size: int, colour: str, ground: str) -> Image.Image:
    """Return a triangle with an exclamation mark."""
    n = size * SUPERSAMPLING
    image = Image.new("RGB", (n, n), ground)
    pen = ImageDraw.Draw(image)
    thick = round(n * 0.1)
    pen.polygon([(n * 0.5, n * 0.1), (n * 0.95, n * 0.9), (n * 0.05, n * 0.9)], fill=colour)
    pen.line([(n * 0.5, n * 0.38), (n * 0.5, n * 0.62)], fill=ground, width=thick)
    pen.ellipse((n * 0.5 - thick * 0.6, n * 0.7, n * 0.5 + thick * 0.6, n * 0.7 + thick * 1.2), fill=ground)
    return image.resize((size, size), Image.Resampling.LANCZOS)
