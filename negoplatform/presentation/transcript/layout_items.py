"""What a laid out line of the transcript is made of, and the setting of words. No Tk."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, assert_never

from negoplatform.core.events import Expression
from negoplatform.presentation.transcript.text_metrics import (
    TextMetrics,
    clean_text,
    is_rtl_text,
    visual_order,
)

Alignment = Literal["left", "right", "middle"]

MAX_LINES_PER_ITEM = 60
"""Longer texts are drawn in several pieces, so that what is far out of view need not be drawn."""


@dataclass(frozen=True, slots=True)
class AreaItem:
    """A rounded area in the look of a kind of line."""

    x: int
    y: int
    width: int
    height: int
    style: str


@dataclass(frozen=True, slots=True)
class TextItem:
    """Lines of words in drawing order, set to one side of the room that they have."""

    x: int
    y: int
    width: int
    lines: tuple[str, ...]
    font: str
    colour: str
    alignment: Alignment


@dataclass(frozen=True, slots=True)
class PortraitItem:
    """The other side's face, or the mark of a warning where there is none."""

    x: int
    y: int
    width: int
    expression: Expression | None


@dataclass(frozen=True, slots=True)
class EmojiItem:
    """A small yellow face."""

    x: int
    y: int
    width: int
    expression: Expression


@dataclass(frozen=True, slots=True)
class TypingDotsItem:
    """Three dots in a row, for words that are being typed."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class IssuePictureItem:
    """The picture of an issue, by its name."""

    x: int
    y: int
    width: int
    name: str


@dataclass(frozen=True, slots=True)
class IconItem:
    """An icon in a colour of the palette."""

    x: int
    y: int
    width: int
    name: str
    colour: str


@dataclass(frozen=True, slots=True)
class WidgetSlot:
    """Room for widgets: nothing is drawn there."""

    x: int
    y: int
    width: int
    height: int


LayoutItem = (
    AreaItem | TextItem | PortraitItem | EmojiItem | TypingDotsItem | IssuePictureItem | IconItem | WidgetSlot
)


@dataclass(frozen=True, slots=True)
class Block:
    """A line, laid out.

    Args:
        height: With the room below it.
        pieces: What is drawn, from back to front; places count from the block's top left.
        body: What the pointer can be on: left, top, right, bottom.
    """

    height: int
    pieces: tuple[LayoutItem, ...]
    body: tuple[int, int, int, int]


class TextLayout:
    """Sets words: each text in its own direction, as if the window were read from left to right.

    Args:
        widths: Of words, by the name of their font.
        px: A length for 96 dpi in pixels.
        rtl: Whether the window is read from right to left; what is set is mirrored for it at last.
        reorders: Whether lines of Hebrew and Arabic are to be put in drawing order.
    """

    def __init__(
        self,
        widths: Mapping[str, TextMetrics],
        px: Callable[[float], int],
        *,
        rtl: bool,
        needs_reordering: bool,
    ) -> None:
        self.px = px
        self.rtl = rtl
        self._metrics = widths
        self._needs_reordering = needs_reordering

    def width(self, text: str, font: str) -> int:
        """Of one line."""
        return self._metrics[font].width(text)

    def height(self, font: str, lines: int = 1) -> int:
        """Of so many lines."""
        return lines * self._metrics[font].height

    def lines(self, text: str, font: str, width: int) -> list[str]:
        """A text in lines no wider than ``width``, each in drawing order."""
        text = clean_text(text)
        if not self._needs_reordering or text.isascii():
            return self._metrics[font].wrap(text, width)
        whole = is_rtl_text(text, otherwise=self.rtl)
        return [
            visual_order(line, rtl=is_rtl_text(part, otherwise=whole))
            for part in text.split("\n")
            for line in self._metrics[font].wrap(part, width)
        ]

    def line(self, text: str, font: str, width: int) -> list[str]:
        """A text in one line, shortened if need be."""
        short = self._metrics[font].shorten(clean_text(text).replace("\n", " "), width)
        return self.lines(short, font, max(width, self.width(short, font)))

    def widest(self, lines: Sequence[str], font: str) -> int:
        """The width of the widest line."""
        return max(map(self._metrics[font].width, lines), default=0)

    def natural_alignment(self, text: str) -> Alignment:
        """The side where a text begins by its own direction; turned round once more where all is mirrored."""
        return "right" if is_rtl_text(text, otherwise=self.rtl) != self.rtl else "left"

    def text_items(
        self, place: tuple[int, int, int], lines: Sequence[str], font: str, colour: str, to: Alignment
    ) -> list[LayoutItem]:
        """Lines at a place: left, top and the width that they are set in."""
        x, y, width = place
        return [
            TextItem(
                x,
                y + self.height(font, first),
                width,
                tuple(lines[first : first + MAX_LINES_PER_ITEM]),
                font,
                colour,
                to,
            )
            for first in range(0, len(lines), MAX_LINES_PER_ITEM)
        ]


def move_item(piece: LayoutItem, x: int, y: int) -> LayoutItem:
    """A piece at another place."""
    return replace(piece, x=piece.x + x, y=piece.y + y)


def mirror_block(block: Block, width: int) -> Block:
    """A block as it is read from right to left."""
    left, top, right, bottom = block.body
    pieces = tuple(_mirror_item(piece, width) for piece in block.pieces)
    return Block(block.height, pieces, (width - right, top, width - left, bottom))


def _mirror_item(piece: LayoutItem, width: int) -> LayoutItem:
    x = width - piece.x - piece.width
    match piece:
        case TextItem(alignment="left"):
            return replace(piece, x=x, alignment="right")
        case TextItem(alignment="right"):
            return replace(piece, x=x, alignment="left")
        case (
            TextItem()
            | AreaItem()
            | PortraitItem()
            | EmojiItem()
            | TypingDotsItem()
            | IssuePictureItem()
            | IconItem()
            | WidgetSlot()
        ):
            return replace(piece, x=x)
        case _:
            assert_never(piece)
