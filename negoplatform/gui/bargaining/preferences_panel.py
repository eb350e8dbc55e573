"""Panel with the participant's preferences, and those of others that the game makes public."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Sequence

from PIL import Image, ImageTk

from negoplatform.gui.pictures.issue_picture_cache import IssuePhotoCache
from negoplatform.gui.theming.rounded_shapes import rounded
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.transcript.painter import ALIGNMENTS, text_layout_for
from negoplatform.gui.widgets.scrolled_frame import ScrolledFrame
from negoplatform.presentation.bargaining.bargaining_presenter import BargainingView
from negoplatform.presentation.bargaining.priorities_layout import (
    BAR_HEIGHT,
    ImportanceBar,
    PrioritiesLayout,
    PrioritySection,
    Style,
    lay_out_priorities,
)
from negoplatform.presentation.table.table_view import OtherView
from negoplatform.presentation.transcript.layout_items import TextItem

PADDING = 12

RING = 2
"""Width of the focus ring around the scrolled area, in pixels at 96 dpi."""

BAR_ROOM = 18
"""Width taken by a scrollbar, in pixels at 96 dpi."""


class PreferencesPanel:
    """Card that lists the issues: title, a bar for the importance, and values.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        pictures: Pictures of issues.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, pictures: IssuePhotoCache) -> None:
        self._theme, self._drawn = theme, pictures
        self._text_layout = text_layout_for(theme)
        self._sections: tuple[PrioritySection, ...] = ()
        self._style: Style = "lines"
        self._width = 0
        self._pictures: list[ImageTk.PhotoImage] = []
        self.frame = theme.card(parent, PADDING)
        self._list = ScrolledFrame(self.frame, theme, width=1, height=4000)
        self._list.frame.pack(fill="both", expand=True)
        self._canvas = tk.Canvas(self._list.inside, bg=theme.colours.card, bd=0, highlightthickness=0)
        self._canvas.configure(width=1, height=1, takefocus=0)
        self._canvas.pack(anchor=theme.west)
        self._list.bind_scrolling(self._canvas)

    @property
    def scrollbar(self) -> tk.Misc:
        """Scrollbar, visible while the contents do not fit."""
        return self._list.scrollbar

    def show(self, sections: Sequence[PrioritySection]) -> bool:
        """Show the preferences of some sides; return whether they changed."""
        if tuple(sections) == self._sections:
            return False
        self._sections = tuple(sections)
        self._draw()
        return True

    def height(self, width: int, style: Style) -> int:
        """Return the height in pixels at which a card of a width does not scroll; 0 without preferences."""
        if not self._sections:
            return 0
        around = 2 * self._theme.px(PADDING) + 2 * self._theme.px(RING)
        return around + self._lay_out(width - around, style).height

    def arrange(self, width: int, height: int, style: Style) -> None:
        """Fill a card of a given size in pixels."""
        theme = self._theme
        inside = width - 2 * theme.px(PADDING) - 2 * theme.px(RING)
        if self.height(width, style) > height:
            inside -= theme.px(BAR_ROOM)
        if (inside, style) != (self._width, self._style):
            self._width, self._style = inside, style
            self._draw()

    def _lay_out(self, width: int, style: Style) -> PrioritiesLayout:
        together = self._theme.translate("Combinations")
        return lay_out_priorities(self._sections, width, self._text_layout, style=style, together=together)

    def _draw(self) -> None:
        if self._width < self._theme.px(40):
            return
        canvas = self._canvas
        laid = self._lay_out(self._width, self._style)
        canvas.delete("all")
        canvas.configure(width=self._width, height=max(1, laid.height))
        self._pictures = []
        for y in laid.dividers:
            canvas.create_line(0, y, self._width, y, fill=self._theme.colours.line, width=self._theme.px(1))
        for words in laid.texts:
            self._write(words)
        for thing in laid.pictures:
            picture = self._drawn.get(thing.name, thing.width)
            if picture is not None:
                self._canvas.create_image(thing.x, thing.y, image=picture, anchor="nw")
        for bar in laid.bars:
            self._draw_bar(bar)

    def _write(self, words: TextItem) -> None:
        share, anchor, justify = ALIGNMENTS[words.alignment]
        self._canvas.create_text(
            words.x + round(share * words.width),
            words.y,
            text="\n".join(words.lines),
            font=self._theme.font(words.font),
            fill=getattr(self._theme.colours, words.colour),
            anchor=anchor,
            justify=justify,
        )

    def _draw_bar(self, bar: ImportanceBar) -> None:
        theme, c = self._theme, self._theme.colours
        image = bar_picture(
            (bar.width, theme.px(BAR_HEIGHT)),
            bar.share,
            colour=getattr(c, bar.colour),
            track=c.track,
            ground=c.card,
            backwards=theme.rtl,
        )
        self._pictures.append(theme.picture(image))
        self._canvas.create_image(bar.x, bar.y, image=self._pictures[-1], anchor="nw")


def priority_sections(
    work: BargainingView, others: Sequence[OtherView], theme: Theme
) -> tuple[PrioritySection, ...]:
    """Return the participant's preferences, and those of the others that are public."""
    translate = theme.translate
    mine = PrioritySection(
        translate("What matters to you"), work.who_sees_priorities, work.priorities, "mine"
    )
    public = (
        PrioritySection(
            translate("What matters to {name}", name=other.name),
            "",
            other.priorities,
            "theirs" if other.mark is None else other.mark.colour,
        )
        for other in others
        if other.priorities is not None
    )
    return mine, *public


def bar_picture(
    size: tuple[int, int], share: float, *, colour: str, track: str, ground: str, backwards: bool = False
) -> Image.Image:
    """Return a bar filled to a share from 0 to 1, from the left, or from the right (``backwards``)."""
    across, down = size
    image = rounded((across, down), down / 2, face=track, ground=ground)
    filled = max(down, round(across * share))
    part = rounded((filled, down), down / 2, face=colour, ground=ground if filled == across else track)
    # The bar's start borders on the card, whatever its length.
    part.paste(rounded((down, down), down / 2, face=colour, ground=ground).crop((0, 0, down // 2, down)))
    image.paste(part, (0, 0))
    return image.transpose(Image.Transpose.FLIP_LEFT_RIGHT) if backwards else image
