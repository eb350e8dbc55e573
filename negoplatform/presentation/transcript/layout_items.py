"""What a laid out line of the transcript is made of, and the setting of words. No Tk."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, assert_never

from negoplatform.core.events import Expression
from negoplatform.presentation.transcript.text_metrics import Widths, cleaned, ordered, reads_rtl

To = Literal["left", "right", "middle"]

LINES_IN_A_PIECE = 60
"""Longer texts are drawn in several pieces, so that what is far out of view need not be drawn."""


@dataclass(frozen=True, slots=True)
class Area:
    """A rounded area in the look of a kind of line."""

    x: int
    y: int
    width: int
    height: int
    look: str


@dataclass(frozen=True, slots=True)
class Words:
    """Lines of words in drawing order, set to one side of the room that they have."""

    x: int
    y: int
    width: int
    lines: tuple[str, ...]
    font: str
    colour: str
    to: To


@dataclass(frozen=True, slots=True)
class Picture:
    """The other side's face, or the mark of a warning where there is none."""

    x: int
    y: int
    width: int
    expression: Expression | None


@dataclass(frozen=True, slots=True)
class Emoji:
    """A small yellow face."""

    x: int
    y: int
    width: int
    expression: Expression


@dataclass(frozen=True, slots=True)
class Dots:
    """Three dots in a row, for words that are being typed."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Thing:
    """The picture of an issue, by its name."""

    x: int
    y: int
    width: int
    name: str


@dataclass(frozen=True, slots=True)
class Sign:
    """An icon in a colour of the palette."""

    x: int
    y: int
    width: int
    name: str
    colour: str


@dataclass(frozen=True, slots=True)
class Room:
    """Room for widgets: nothing is drawn there."""

    x: int
    y: int
    width: int
    height: int


Piece = Area | Words | Picture | Emoji | Dots | Thing | Sign | Room


@dataclass(frozen=True, slots=True)
class Block:
    """A line, laid out.

    Args:
        height: With the room below it.
        pieces: What is drawn, from back to front; places count from the block's top left.
        body: What the pointer can be on: left, top, right, bottom.
    """

    height: int
    pieces: tuple[Piece, ...]
    body: tuple[int, int, int, int]


class Setter:
    """Sets words: each text in its own direction, as if the window were read from left to right.

    Args:
        widths: Of words, by the name of their font.
        px: A length for 96 dpi in pixels.
        rtl: Whether the window is read from right to left; what is set is mirrored for it at last.
        reorders: Whether lines of Hebrew and Arabic are to be put in drawing order.
    """

    def __init__(
        self, widths: Mapping[str, Widths], px: Callable[[float], int], *, rtl: bool, reorders: bool
    ) -> None:
        self.px = px
        self.rtl = rtl
        self._widths = widths
        self._reorders = reorders

    def width(self, text: str, font: str) -> int:
        """Of one line."""
        return self._widths[font].of(text)

    def height(self, font: str, lines: int = 1) -> int:
        """Of so many lines."""
        return lines * self._widths[font].height

    def lines(self, text: str, font: str, width: int) -> list[str]:
        """A text in lines no wider than ``width``, each in drawing order."""
        text = cleaned(text)
        if not self._reorders or text.isascii():
            return self._widths[font].wrapped(text, width)
        whole = reads_rtl(text, otherwise=self.rtl)
        return [
            ordered(line, rtl=reads_rtl(part, otherwise=whole))
            for part in text.split("\n")
            for line in self._widths[font].wrapped(part, width)
        ]

    def line(self, text: str, font: str, width: int) -> list[str]:
        """A text in one line, shortened if need be."""
        short = self._widths[font].shortened(cleaned(text).replace("\n", " "), width)
        return self.lines(short, font, max(width, self.width(short, font)))

    def widest(self, lines: Sequence[str], font: str) -> int:
        """The width of the widest line."""
        return max(map(self._widths[font].of, lines), default=0)

    def side(self, text: str) -> To:
        """The side where a text begins by its own direction; turned round once more where all is mirrored."""
        return "right" if reads_rtl(text, otherwise=self.rtl) != self.rtl else "left"

    def words(
        self, place: tuple[int, int, int], lines: Sequence[str], font: str, colour: str, to: To
    ) -> list[Piece]:
        """Lines at a place: left, top and the width that they are set in."""
        x, y, width = place
        return [
            Words(
                x,
                y + self.height(font, first),
                width,
                tuple(lines[first : first + LINES_IN_A_PIECE]),
                font,
                colour,
                to,
            )
            for first in range(0, len(lines), LINES_IN_A_PIECE)
        ]


def moved(piece: Piece, x: int, y: int) -> Piece:
    """A piece at another place."""
    return replace(piece, x=piece.x + x, y=piece.y + y)


def mirrored(block: Block, width: int) -> Block:
    """A block as it is read from right to left."""
    left, top, right, bottom = block.body
    pieces = tuple(_mirrored(piece, width) for piece in block.pieces)
    return Block(block.height, pieces, (width - right, top, width - left, bottom))


def _mirrored(piece: Piece, width: int) -> Piece:
    x = width - piece.x - piece.width
    match piece:
        case Words(to="left"):
            return replace(piece, x=x, to="right")
        case Words(to="right"):
            return replace(piece, x=x, to="left")
        case Words() | Area() | Picture() | Emoji() | Dots() | Thing() | Sign() | Room():
            return replace(piece, x=x)
        case _:
            assert_never(piece)
