"""The inside of an offer's card in the transcript: a small table, and room for what can be done. No Tk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from negoplatform.presentation.offers.batna_comparison import NoDealComparison
from negoplatform.presentation.transcript.layout_items import (
    Alignment,
    IconItem,
    IssuePictureItem,
    LayoutItem,
    TextLayout,
    WidgetSlot,
)
from negoplatform.presentation.transcript.text_metrics import clean_text
from negoplatform.presentation.transcript.transcript_entries import TranscriptEntry

WIDEST = 440
"""Of a card, for 96 dpi."""

LEAST_TITLE, GAP = 90, 18
"""The least width of an issue's title, and the room between it and what the offer says; for 96 dpi."""

PICTURE, BESIDE, SIGN = 18, 7, 12
"""A picture before a title, the room beside it, and the sign that a card can be folded; for 96 dpi."""

RING = 2
"""Around a button, for the ring that marks the focus, for 96 dpi."""

COMPARISON_COLOURS: dict[NoDealComparison, str] = {
    NoDealComparison.BETTER: "accept",
    NoDealComparison.WORSE: "danger",
}
"""The colours of what is better or worse than no deal."""


@dataclass(frozen=True, slots=True)
class OfferCardState:
    """How an offer is shown.

    Args:
        mode: ``plain``; ``standing`` for the one on the table; ``folded`` or ``open`` for a replaced one.
        status: What has become of it, in a few words beside its heading.
        heading: What stands in place of its heading; empty: nothing.
        room: The height in pixels that its controls need.
        editing: Whether the controls stand in place of its terms.
    """

    mode: Literal["plain", "standing", "folded", "open"] = "plain"
    status: str = ""
    heading: str = ""
    room: int = 0
    editing: bool = False


PLAIN_CARD = OfferCardState()


class OfferCardLayout:
    """An offer's heading, its rows and what stands below them, set from top to bottom.

    Args:
        line: The offer.
        most: The width that it may have.
        setter: Sets its words.
        state: How it is shown.
    """

    def __init__(
        self, line: TranscriptEntry, most: int, text_layout: TextLayout, state: OfferCardState = PLAIN_CARD
    ) -> None:
        self._text_layout, self._state = text_layout, state
        self.pieces: list[LayoutItem] = []
        self.height = 0
        self.width = min(most, text_layout.px(WIDEST))
        self._columns = self._widths_of_columns(line.columns, round(0.62 * self.width))
        self._picture = text_layout.px(PICTURE + BESIDE) if any(line.pictures) else 0
        self._divide(line)
        self._add_heading(line)
        if not state.editing:
            for index, row in enumerate(line.rows):
                self._add_row(row, line.pictures[index] if index < len(line.pictures) else "")
            self._add_footer(line)
        if state.room:
            self.height += text_layout.px(8)
            # The picture of a button begins a little outside of what is seen of it.
            out = text_layout.px(RING)
            self.pieces.append(WidgetSlot(-out, self.height, self.width + out, state.room))
            self.height += state.room

    def _widths_of_columns(self, names: Sequence[str], most: int) -> list[int]:
        """The same for all if there is room, so that numbers are compared at a glance."""
        px = self._text_layout.px
        own = [max(px(44), self._text_layout.width(clean_text(name), "small") + px(12)) for name in names]
        same = [max(own, default=0)] * len(own)
        fitting = (widths for widths in (same, own) if sum(widths) <= most)
        return next(fitting, [most // max(1, len(own))] * len(own))

    def _divide(self, line: TranscriptEntry) -> None:
        """How much of the width is for titles and how much for what the offer says."""
        px, width = self._text_layout.px, self._text_layout.width
        gap = px(GAP)
        single = [row[1] for row in line.rows if len(row) > 1 and not self._is_divided(row[1:])]
        titles = [self._picture + width(clean_text(row[0]), "body") for row in line.rows]
        names = max([px(LEAST_TITLE), *titles])
        # Where both are long, each has its share.
        room = self.width - gap - min(names, max(px(LEAST_TITLE), round(0.45 * self.width)))
        widest = max((width(clean_text(value), "bold") for value in single), default=0)
        self._values = max(sum(self._columns), min(room, widest))
        self._names = max(px(LEAST_TITLE), self.width - gap - self._values)

    def _is_divided(self, cells: Sequence[str]) -> bool:
        return bool(self._columns) and len(cells) == len(self._columns)

    def _add_heading(self, line: TranscriptEntry) -> None:
        """The heading with what has become of the offer, and the columns' names."""
        setter, px = self._text_layout, self._text_layout.px
        heading = "primary" if line.is_mine or self._state.editing else "theirs_words"
        colour = heading if self._state.mode != "open" else "muted"
        sign = px(SIGN + BESIDE) if self._state.mode == "open" else 0
        text = self._state.heading or line.text
        own = min(sign + setter.width(clean_text(text), "bold"), round(0.6 * self.width))
        status = setter.line(self._state.status, "small", self.width - own - px(GAP))
        beside = setter.widest(status, "small") + px(GAP) if self._state.status else 0
        room = self.width - sign - beside
        if self._columns and not self._state.status and not self._state.editing:
            room = min(room, self._names)
        lines = setter.lines(text, "bold", room)
        drop = max(0, (setter.height("bold") - setter.height("small") + 1) // 2)
        if sign:
            self.pieces.append(IconItem(0, px(3), px(SIGN), "chevron_up", "muted"))
        self._add_text((sign, 0, room), lines, "bold", colour, "left")
        if self._state.status:
            self._add_text((0, drop, self.width), status, "small", "muted", "right")
        self.height = setter.height("bold", len(lines)) + px(4)
        if self._state.editing:
            return
        if self._state.status and self._columns:
            drop = self.height
            self.height += setter.height("small") + px(2)
        x = self.width - sum(self._columns)
        for name, wide in zip(line.columns, self._columns, strict=True):
            self._add_text(
                (x, drop, wide), setter.line(name, "small", wide - px(4)), "small", "muted", "middle"
            )
            x += wide

    def _add_row(self, row: Sequence[str], picture: str) -> None:
        """One issue: a number in each column, or one value; a value that names its issue stands alone."""
        setter, air = self._text_layout, self._text_layout.px(4)
        title, *cells = row
        alone = not cells
        width = (self.width if alone else self._names) - self._picture
        font = "bold" if alone else "body"
        titles, y = setter.lines(title, font, width), self.height + air
        if picture:
            side = setter.px(PICTURE)
            top = y + max(0, (setter.height("body") - side) // 2)
            self.pieces.append(IssuePictureItem(0, top, side, picture))
        self._add_text((self._picture, y, width), titles, font, "ink", "left")
        tall = 1
        if self._is_divided(cells):
            x = self.width - sum(self._columns)
            for cell, wide in zip(cells, self._columns, strict=True):
                self._add_text((x, y, wide), setter.lines(cell, "bold", wide), "bold", "ink", "middle")
                x += wide
        elif not alone:
            lines = setter.lines(cells[0], "bold", self._values)
            tall = len(lines)
            to: Alignment = "middle" if self._columns else "right"
            self._add_text((self.width - self._values, y, self._values), lines, "bold", "ink", to)
        self.height = y + max(setter.height(font, len(titles)), setter.height("bold", tall)) + air

    def _add_footer(self, line: TranscriptEntry) -> None:
        """What it is worth, and how that compares with no deal."""
        if not line.footer:
            return
        setter, air = self._text_layout, self._text_layout.px(6)
        lines = setter.lines(line.footer, "small", self.width)
        self._add_text((0, self.height + air, self.width), lines, "small", "muted", "left")
        y, taken = self.height + air, setter.widest(lines, "small")
        self.height = y + setter.height("small", len(lines))
        if not line.verdict:
            return
        verdict, colour = (
            setter.lines(line.verdict, "small", self.width),
            COMPARISON_COLOURS.get(line.versus, "muted"),
        )
        if len(lines) == 1 and taken + setter.px(GAP) + setter.widest(verdict, "small") <= self.width:
            self._add_text((0, y, self.width), verdict, "small", colour, "right")
            return
        self._add_text((0, self.height, self.width), verdict, "small", colour, "left")
        self.height += setter.height("small", len(verdict))

    def _add_text(
        self, place: tuple[int, int, int], lines: Sequence[str], font: str, colour: str, to: Alignment
    ) -> None:
        self.pieces += self._text_layout.text_items(place, lines, font, colour, to)
