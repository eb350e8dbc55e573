"""Contents of an offer's card in the transcript: a small table, and space for controls. No Tk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from negoplatform.presentation.offers.offer_valuation import NoDealComparison
from negoplatform.presentation.offers.term_texts import MANY_SEATS
from negoplatform.presentation.transcript.layout_items import (
    Alignment,
    IconItem,
    IssuePictureItem,
    LayoutItem,
    SeatMarkItem,
    TextLayout,
    WidgetSlot,
)
from negoplatform.presentation.transcript.seat_table_layout import SeatTableLayout
from negoplatform.presentation.transcript.text_metrics import drawable_text
from negoplatform.presentation.transcript.transcript_entries import TranscriptEntry

MAX_WIDTH = 440
"""Maximum width of a card's contents, in pixels at 96 dpi."""

MIN_TITLE, GAP = 90, 18
"""Minimum width of an issue's title, and gap between it and the terms, in pixels at 96 dpi."""

PICTURE, PICTURE_GAP, SIGN = 18, 7, 12
"""Size of the picture before a title, gap after it, and size of the folding sign, in pixels at 96 dpi."""

RING = 2
"""Width of the focus ring around a button, in pixels at 96 dpi."""

COMPARISON_COLOURS: dict[NoDealComparison, str] = {
    NoDealComparison.BETTER: "accept",
    NoDealComparison.WORSE: "danger",
}
"""Names of the colours for better and worse than no deal."""


@dataclass(frozen=True, slots=True)
class OfferCardState:
    """State of an offer's card.

    Args:
        mode: ``plain``; ``standing`` for the offer on the table; ``folded`` or ``open`` for a replaced one.
        status: Status of the offer, in a few words next to the heading.
        heading: Replacement for the usual heading; empty for none.
        room: Height in pixels that the controls need.
        editing: Whether the controls replace the terms.
    """

    mode: Literal["plain", "standing", "folded", "open"] = "plain"
    status: str = ""
    heading: str = ""
    room: int = 0
    editing: bool = False


PLAIN_CARD = OfferCardState()


class OfferCardLayout:
    """Layout of an offer's heading, rows and footer, from top to bottom.

    Args:
        line: The offer.
        max_width: Maximum width in pixels.
        text_layout: Layout of texts.
        state: State of the card.
    """

    def __init__(
        self,
        line: TranscriptEntry,
        max_width: int,
        text_layout: TextLayout,
        state: OfferCardState = PLAIN_CARD,
    ) -> None:
        self._text_layout, self._state = text_layout, state
        self.pieces: list[LayoutItem] = []
        self.height = 0
        self.width = min(max_width, text_layout.px(MAX_WIDTH))
        room = round(0.62 * self.width)
        units: SeatTableLayout | None = None
        if len(line.columns) >= MANY_SEATS and sum(self._widths_of_names(line.columns)) > room:
            units, line = self._make_seat_table(line)
        self._columns = self._widths_of_columns(line.columns, room)
        self._picture = text_layout.px(PICTURE + PICTURE_GAP) if any(line.pictures) else 0
        self._divide(line)
        self._add_heading(line)
        if not state.editing:
            if units is not None:
                self.pieces += units.moved_down(self.height)
                self.height += units.height
            for index, row in enumerate(line.rows):
                self._add_row(row, line.pictures[index] if index < len(line.pictures) else "")
            self._add_footer(line)
        if state.room:
            self.height += text_layout.px(8)
            # The image of a button extends a little beyond its visible part.
            out = text_layout.px(RING)
            self.pieces.append(WidgetSlot(-out, self.height, self.width + out, state.room))
            self.height += state.room

    def _widths_of_columns(self, names: Sequence[str], max_width: int) -> list[int]:
        """Return equal widths if there is room, so that numbers can be compared at a glance."""
        own = self._widths_of_names(names)
        same = [max(own, default=0)] * len(own)
        fitting = (widths for widths in (same, own) if sum(widths) <= max_width)
        return next(fitting, [max_width // max(1, len(own))] * len(own))

    def _widths_of_names(self, names: Sequence[str]) -> list[int]:
        px = self._text_layout.px
        return [max(px(44), self._text_layout.width(drawable_text(name), "small") + px(12)) for name in names]

    def _make_seat_table(self, line: TranscriptEntry) -> tuple[SeatTableLayout, TranscriptEntry]:
        """Return a table of the units with a row per seat, and the offer without them."""
        pictures = [*line.pictures, *[""] * (len(line.rows) - len(line.pictures))]
        rows = list(zip(line.rows, pictures, strict=True))
        divided = [row for row, _picture in rows if len(row) == len(line.columns) + 1]
        rest = [pair for pair in rows if pair[0] not in divided]
        table = SeatTableLayout(line.columns, line.column_marks, divided, self.width, self._text_layout)
        without = replace(
            line,
            columns=(),
            rows=tuple(row for row, _picture in rest),
            pictures=tuple(picture for _row, picture in rest),
        )
        return table, without

    def _divide(self, line: TranscriptEntry) -> None:
        """Divide the width between the titles and the terms."""
        px, width = self._text_layout.px, self._text_layout.width
        gap = px(GAP)
        single = [row[1] for row in line.rows if len(row) > 1 and not self._is_divided(row[1:])]
        titles = [self._picture + width(drawable_text(row[0]), "body") for row in line.rows]
        names = max([px(MIN_TITLE), *titles])
        # If both are long, each gets its share.
        room = self.width - gap - min(names, max(px(MIN_TITLE), round(0.45 * self.width)))
        widest = max((width(drawable_text(value), "bold") for value in single), default=0)
        self._values = max(sum(self._columns), min(room, widest))
        self._names = max(px(MIN_TITLE), self.width - gap - self._values)

    def _is_divided(self, cells: Sequence[str]) -> bool:
        return bool(self._columns) and len(cells) == len(self._columns)

    def _add_heading(self, line: TranscriptEntry) -> None:
        """Add the heading, the offer's status, and the names of the columns."""
        layout, px = self._text_layout, self._text_layout.px
        theirs = "theirs_words" if line.mark is None else line.mark.text_colour
        heading = "primary" if line.is_mine or self._state.editing else theirs
        colour = heading if self._state.mode != "open" else "muted"
        is_marked = line.mark is not None and self._state.mode != "open" and not self._state.editing
        sign = px(SIGN + PICTURE_GAP) if self._state.mode == "open" or is_marked else 0
        text = self._state.heading or line.text
        own = min(sign + layout.width(drawable_text(text), "bold"), round(0.6 * self.width))
        status = layout.line(self._state.status, "small", self.width - own - px(GAP))
        status_width = layout.widest(status, "small") + px(GAP) if self._state.status else 0
        room = self.width - sign - status_width
        if self._columns and not self._state.status and not self._state.editing:
            room = min(room, self._names)
        lines = layout.lines(text, "bold", room)
        drop = max(0, (layout.height("bold") - layout.height("small") + 1) // 2)
        if is_marked and line.mark is not None:
            down = max(0, (layout.height("bold") - px(SIGN) + 1) // 2)
            self.pieces.append(SeatMarkItem(0, down, px(SIGN), line.mark))
        elif sign:
            self.pieces.append(IconItem(0, px(3), px(SIGN), "chevron_up", "muted"))
        self._add_text((sign, 0, room), lines, "bold", colour, "left")
        if self._state.status:
            self._add_text((0, drop, self.width), status, "small", "muted", "right")
        self.height = layout.height("bold", len(lines)) + px(4)
        if self._state.editing:
            return
        if self._state.status and self._columns:
            drop = self.height
            self.height += layout.height("small") + px(2)
        x = self.width - sum(self._columns)
        for name, wide in zip(line.columns, self._columns, strict=True):
            self._add_text(
                (x, drop, wide), layout.line(name, "small", wide - px(4)), "small", "muted", "middle"
            )
            x += wide

    def _add_row(self, row: Sequence[str], picture: str) -> None:
        """Add an issue: a number in each column, or a value; one that names its issue is shown alone."""
        layout, air = self._text_layout, self._text_layout.px(4)
        title, *cells = row
        alone = not cells
        width = (self.width if alone else self._names) - self._picture
        font = "bold" if alone else "body"
        titles, y = layout.lines(title, font, width), self.height + air
        if picture:
            side = layout.px(PICTURE)
            top = y + max(0, (layout.height("body") - side) // 2)
            self.pieces.append(IssuePictureItem(0, top, side, picture))
        self._add_text((self._picture, y, width), titles, font, "ink", "left")
        tall = 1
        if self._is_divided(cells):
            x = self.width - sum(self._columns)
            for cell, wide in zip(cells, self._columns, strict=True):
                self._add_text((x, y, wide), layout.lines(cell, "bold", wide), "bold", "ink", "middle")
                x += wide
        elif not alone:
            lines = layout.lines(cells[0], "bold", self._values)
            tall = len(lines)
            to: Alignment = "middle" if self._columns else "right"
            self._add_text((self.width - self._values, y, self._values), lines, "bold", "ink", to)
        self.height = y + max(layout.height(font, len(titles)), layout.height("bold", tall)) + air

    def _add_footer(self, line: TranscriptEntry) -> None:
        """Add the offer's worth and the comparison with no deal."""
        if not line.footer:
            return
        layout, air = self._text_layout, self._text_layout.px(6)
        lines = layout.lines(line.footer, "small", self.width)
        self._add_text((0, self.height + air, self.width), lines, "small", "muted", "left")
        y, taken = self.height + air, layout.widest(lines, "small")
        self.height = y + layout.height("small", len(lines))
        if not line.verdict:
            return
        verdict, colour = (
            layout.lines(line.verdict, "small", self.width),
            COMPARISON_COLOURS.get(line.versus, "muted"),
        )
        if len(lines) == 1 and taken + layout.px(GAP) + layout.widest(verdict, "small") <= self.width:
            self._add_text((0, y, self.width), verdict, "small", colour, "right")
            return
        self._add_text((0, self.height, self.width), verdict, "small", colour, "left")
        self.height += layout.height("small", len(verdict))

    def _add_text(
        self, place: tuple[int, int, int], lines: Sequence[str], font: str, colour: str, to: Alignment
    ) -> None:
        self.pieces += self._text_layout.text_items(place, lines, font, colour, to)
