"""Elements of a laid-out transcript entry, and the layout of text. No Tk."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, assert_never

from negoplatform.core.events import Expression
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.face_mood import ShownFace
from negoplatform.presentation.plots.seat_styles import SeatMark
from negoplatform.presentation.transcript.text_metrics import (
    TextMetrics,
    drawable_text,
    is_rtl_text,
    visual_order,
)

Alignment = Literal["left", "right", "middle"]

MAX_LINES_PER_ITEM = 60
"""Maximum number of lines in a text item; longer texts are split, so that only parts in view are drawn."""


@dataclass(frozen=True, slots=True)
class AreaItem:
    """Rounded area in the style of an entry's kind; ``edge`` names another colour of its edge."""

    x: int
    y: int
    width: int
    height: int
    style: str
    edge: str = ""


@dataclass(frozen=True, slots=True)
class TextItem:
    """Lines of text in drawing order, aligned within a width."""

    x: int
    y: int
    width: int
    lines: tuple[str, ...]
    font: str
    colour: str
    alignment: Alignment


@dataclass(frozen=True, slots=True)
class PortraitItem:
    """The face of another seat; a warning sign if ``face`` is None."""

    x: int
    y: int
    width: int
    face: ShownFace | None
    seat: Seat = ""


@dataclass(frozen=True, slots=True)
class EmojiItem:
    """Small yellow face."""

    x: int
    y: int
    width: int
    expression: Expression


@dataclass(frozen=True, slots=True)
class TypingDotsItem:
    """Three dots in a row, as a typing indicator."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class IssuePictureItem:
    """Picture of an issue, by name."""

    x: int
    y: int
    width: int
    name: str


@dataclass(frozen=True, slots=True)
class IconItem:
    """Icon in a colour of the palette."""

    x: int
    y: int
    width: int
    name: str
    colour: str


@dataclass(frozen=True, slots=True)
class SeatMarkItem:
    """Mark of a seat, in a square."""

    x: int
    y: int
    width: int
    mark: SeatMark


@dataclass(frozen=True, slots=True)
class WidgetSlot:
    """Space for widgets, in which nothing is drawn."""

    x: int
    y: int
    width: int
    height: int


LayoutItem = (
    AreaItem
    | TextItem
    | PortraitItem
    | EmojiItem
    | TypingDotsItem
    | IssuePictureItem
    | IconItem
    | SeatMarkItem
    | WidgetSlot
)


@dataclass(frozen=True, slots=True)
class Block:
    """Laid-out entry.

    Args:
        height: Height, including the gap below.
        pieces: Elements from back to front, in coordinates from the block's top left.
        body: Area that responds to the pointer: left, top, right, bottom.
    """

    height: int
    pieces: tuple[LayoutItem, ...]
    body: tuple[int, int, int, int]


class TextLayout:
    """Layout of texts, each in its own direction, as if the window were left to right.

    Args:
        widths: Text metrics by font name.
        px: Converts a length at 96 dpi to pixels.
        rtl: Whether the window is right to left; the finished layout is mirrored for it.
        needs_reordering: Whether lines in Hebrew and Arabic have to be put into drawing order.
        keeps_runs: Whether the letters of a run stay in reading order, because Tk draws each run itself.
    """

    def __init__(
        self,
        widths: Mapping[str, TextMetrics],
        px: Callable[[float], int],
        *,
        rtl: bool,
        needs_reordering: bool,
        keeps_runs: bool = False,
    ) -> None:
        self.px = px
        self.rtl = rtl
        self._metrics = widths
        self._needs_reordering = needs_reordering
        self._keeps_runs = keeps_runs

    def width(self, text: str, font: str) -> int:
        """Return the width of a line in pixels."""
        return self._metrics[font].width(text)

    def height(self, font: str, lines: int = 1) -> int:
        """Return the height of a number of lines in pixels."""
        return lines * self._metrics[font].height

    def lines(self, text: str, font: str, width: int) -> list[str]:
        """Return a text wrapped to lines no wider than ``width`` pixels, each in drawing order."""
        text = drawable_text(text)
        if not self._needs_reordering or text.isascii():
            return self._metrics[font].wrap(text, width)
        whole = is_rtl_text(text, otherwise=self.rtl)
        return [
            visual_order(line, rtl=is_rtl_text(part, otherwise=whole), keeps_runs=self._keeps_runs)
            for part in text.split("\n")
            for line in self._metrics[font].wrap(part, width)
        ]

    def line(self, text: str, font: str, width: int) -> list[str]:
        """Return a text as one line, shortened if necessary."""
        short = self._metrics[font].shorten(drawable_text(text).replace("\n", " "), width)
        return self.lines(short, font, max(width, self.width(short, font)))

    def widest(self, lines: Sequence[str], font: str) -> int:
        """Return the width of the widest line."""
        return max(map(self._metrics[font].width, lines), default=0)

    def natural_alignment(self, text: str) -> Alignment:
        """Return the side where a text begins in its own direction, allowing for the later mirroring."""
        return "right" if is_rtl_text(text, otherwise=self.rtl) != self.rtl else "left"

    def text_items(
        self, place: tuple[int, int, int], lines: Sequence[str], font: str, colour: str, to: Alignment
    ) -> list[LayoutItem]:
        """Return text items for lines at a place: left, top and the width for alignment."""
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
    """Return an element moved by a distance."""
    return replace(piece, x=piece.x + x, y=piece.y + y)


def mirror_block(block: Block, width: int) -> Block:
    """Return a block mirrored for reading from right to left."""
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
            | SeatMarkItem()
            | WidgetSlot()
        ):
            return replace(piece, x=x)
        case _:
            assert_never(piece)
