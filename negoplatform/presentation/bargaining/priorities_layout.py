"""Layout of each side's preferences for a width: titles, bars, and values with their points. No Tk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from negoplatform.presentation.offers.issue_valuation_texts import IssueValuation, Priorities
from negoplatform.presentation.transcript.layout_items import (
    Block,
    IssuePictureItem,
    LayoutItem,
    TextItem,
    TextLayout,
    mirror_block,
)

Style = Literal["lines", "flow"]
"""A line for each value; or values in running text, which takes half the height."""

BAR_HEIGHT, MIN_BAR = 6, 40
BETWEEN, UNDER_TITLE = 8, 2
"""Gap between two issues, and gap below a title, in pixels at 96 dpi."""

UNDER_HEADING, BETWEEN_SIDES = 6, 12
"""Gap below a side's heading, and gap above and below the line between two sides, in pixels at 96 dpi."""

INDENT, BEFORE_POINTS, AFTER_POINTS = 10, 5, 14
"""Indent of values, and gaps before and after a value's points in running text, in pixels at 96 dpi."""

AFTER_PICTURE = 5
"""Gap between an issue's picture and its title, in pixels at 96 dpi."""

MAX_TITLE_SHARE = 0.65
"""Maximum share of the width for titles that have a bar on their line."""

FONT, BOLD = "small", "small_bold"


@dataclass(frozen=True, slots=True)
class PrioritySection:
    """Preferences of one side.

    Args:
        title: Heading.
        note: Text below the heading.
        priorities: The preferences in words.
        colour: Name of the bars' colour in the palette.
    """

    title: str
    note: str
    priorities: Priorities
    colour: str


@dataclass(frozen=True, slots=True)
class ImportanceBar:
    """Bar filled from where reading starts; ``colour`` is a name in the palette."""

    x: int
    y: int
    width: int
    share: float
    colour: str


@dataclass(frozen=True, slots=True)
class PrioritiesLayout:
    """Texts, pictures, bars, and heights of dividing lines, in pixels from the top left."""

    height: int
    texts: tuple[TextItem, ...]
    pictures: tuple[IssuePictureItem, ...]
    bars: tuple[ImportanceBar, ...]
    dividers: tuple[int, ...]


def lay_out_priorities(
    sections: Sequence[PrioritySection], width: int, text_layout: TextLayout, *, style: Style, together: str
) -> PrioritiesLayout:
    """Lay out the preferences of some sides, one below the other.

    Args:
        sections: The sides.
        width: Total width in pixels.
        text_layout: Layout of texts.
        style: Arrangement of the values.
        together: Heading of the combinations.
    """
    page = _PrioritiesLayoutBuilder(width, text_layout, style)
    for section in sections:
        page.add_section(section, together)
    block = Block(page.height, tuple(page.pieces), (0, 0, width, page.height))
    bars = tuple(page.bars)
    if text_layout.rtl:
        block = mirror_block(block, width)
        bars = tuple(replace(bar, x=width - bar.x - bar.width) for bar in bars)
    words = tuple(piece for piece in block.pieces if isinstance(piece, TextItem))
    pictures = tuple(piece for piece in block.pieces if isinstance(piece, IssuePictureItem))
    return PrioritiesLayout(page.height, words, pictures, bars, tuple(page.dividers))


class _PrioritiesLayoutBuilder:
    """Builder of the layout, from top to bottom and left to right."""

    def __init__(self, width: int, text_layout: TextLayout, style: Style) -> None:
        self._width, self._text_layout, self._style = width, text_layout, style
        self._colour = ""
        self.pieces: list[LayoutItem] = []
        self.bars: list[ImportanceBar] = []
        self.dividers: list[int] = []
        self.height = 0

    def add_section(self, section: PrioritySection, together: str) -> None:
        """Add a side's preferences."""
        px, priorities = self._text_layout.px, section.priorities
        if self.height:
            self.dividers.append(self.height + px(BETWEEN_SIDES))
            self.height += 2 * px(BETWEEN_SIDES)
        self._colour = section.colour
        self._add_text(
            0, self._width, self._text_layout.lines(section.title, "bold", self._width), "bold", "ink"
        )
        if section.note:
            self._add_text(
                0, self._width, self._text_layout.lines(section.note, FONT, self._width), FONT, "muted"
            )
        self.height += px(UNDER_HEADING)
        titles = [
            self._picture_width(issue) + self._text_layout.width(issue.title, BOLD)
            for issue in priorities.issues
        ]
        on_line = self._style == "flow" and not any(issue.text for issue in priorities.issues)
        for issue in priorities.issues:
            self._add(issue, max(titles, default=0) if on_line else None)
        if priorities.interactions:
            self._add_together(together, priorities.interactions)
        self.height -= px(BETWEEN)

    def _add(self, issue: IssueValuation, widest_title: int | None) -> None:
        """Add an issue; its bar is on the title's line if the width of the widest title is given."""
        px, width = self._text_layout.px, self._width
        if widest_title is None:
            self._add_title(issue, round(width * (0.5 if issue.text else 1)))
            if issue.weight is not None:
                self._bar(0, self.height + px(UNDER_TITLE), width, issue.weight)
                self.height += px(BAR_HEIGHT + 2 * UNDER_TITLE)
        else:
            room = min(widest_title, round(width * MAX_TITLE_SHARE))
            y, x = self.height, room + px(10)
            self._add_title(issue, room)
            if issue.weight is not None and width - x >= px(MIN_BAR):
                middle = y + (self._text_layout.height(BOLD) - px(BAR_HEIGHT) + 1) // 2
                self._bar(x, middle, width - x, issue.weight)
        if self._style == "lines":
            for label, points in issue.levels:
                self._line(label, points)
        else:
            self._flow(issue.levels)
        self.height += px(BETWEEN)

    def _add_together(self, title: str, lines: Sequence[str]) -> None:
        """Add the combinations, one paragraph each."""
        self._add_text(0, self._width, self._text_layout.lines(title, BOLD, self._width), BOLD, "ink")
        for line in lines:
            self.height += self._text_layout.px(UNDER_TITLE)
            self._add_text(0, self._width, self._text_layout.lines(line, FONT, self._width), FONT, "ink")
        self.height += self._text_layout.px(BETWEEN)

    def _add_title(self, issue: IssueValuation, room: int) -> None:
        y = self.height
        text = self._text_layout.lines(issue.text, FONT, self._width - room) if issue.text else []
        self.pieces += self._text_layout.text_items((room, y, self._width - room), text, FONT, "ink", "right")
        picture_width = self._picture_width(issue)
        if issue.picture:
            self.pieces.append(IssuePictureItem(0, y, self._text_layout.height(BOLD), issue.picture))
        lines = self._text_layout.lines(issue.title, BOLD, room - picture_width)
        self._add_text(picture_width, room - picture_width, lines, BOLD, "ink")
        self.height = max(self.height, y + self._text_layout.height(FONT, len(text)))

    def _picture_width(self, issue: IssueValuation) -> int:
        """Return the width of an issue's picture and the gap after it; 0 without a picture."""
        return self._text_layout.height(BOLD) + self._text_layout.px(AFTER_PICTURE) if issue.picture else 0

    def _line(self, label: str, points: str) -> None:
        layout, indent = self._text_layout, self._text_layout.px(INDENT)
        y, wide = self.height, layout.width(points, FONT)
        self.pieces += layout.text_items((self._width - wide, y, wide), [points], FONT, "ink", "right")
        room = self._width - indent - wide - layout.px(BEFORE_POINTS)
        self._add_text(indent, room, layout.lines(label, FONT, room), FONT, "muted")

    def _flow(self, levels: Sequence[tuple[str, str]]) -> None:
        """Add values as running text; one that is too wide for a line gets lines to itself."""
        layout, px, x = self._text_layout, self._text_layout.px, 0
        height = layout.height(FONT)
        for label, points in levels:
            after = layout.width(points, BOLD)
            room = self._width - px(BEFORE_POINTS) - after
            lines = layout.lines(label, FONT, room)
            wide = layout.widest(lines, FONT)
            if x and (x + wide + px(BEFORE_POINTS) + after > self._width or len(lines) > 1):
                x, self.height = 0, self.height + height
            self.pieces += layout.text_items((x, self.height, wide), lines, FONT, "muted", "left")
            self.height += height * (len(lines) - 1)
            x += (layout.width(lines[-1], FONT) if lines else 0) + px(BEFORE_POINTS)
            self.pieces += layout.text_items((x, self.height, after), [points], BOLD, "ink", "left")
            x += after + px(AFTER_POINTS)
        if levels:
            self.height += height

    def _add_text(self, x: int, room: int, lines: Sequence[str], font: str, colour: str) -> None:
        self.pieces += self._text_layout.text_items((x, self.height, room), lines, font, colour, "left")
        self.height += self._text_layout.height(font, len(lines))

    def _bar(self, x: int, y: int, width: int, share: float) -> None:
        self.bars.append(ImportanceBar(x, y, width, share, self._colour))
