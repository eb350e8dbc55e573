"""Side column: the others, and the cards of the game's mechanism."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from negoplatform.domain.seat_map import Seat
from negoplatform.gui.avatars.agent_avatar import Avatar
from negoplatform.gui.table.counterpart_panel import LEAST_ABOVE, LEAST_FACE, CounterpartPanel, GazeTarget
from negoplatform.gui.table.others_panel import OthersPanel
from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.table.table_view import OtherView

CardStyle = Literal["lines", "flow"]
"""Style of a card's contents: a line for each, or in running text, which takes less height."""

WIDE, LOW = 520, 560
"""Least width and greatest height, for 96 dpi, with which the cards are placed in two columns."""

SHARE, MAX_FOOT_SHARE = 0.42, 0.36
"""Share of a wide column's width for the others and the lowest card; its greatest share of the height."""

ARRANGEMENTS: tuple[tuple[CardStyle, int, bool], ...] = (
    ("lines", LEAST_ABOVE, True),
    ("flow", LEAST_ABOVE, True),
    ("lines", LEAST_FACE, False),
    ("flow", LEAST_FACE, False),
)
"""Style of the main card, least size of the face, and whether it is above its text: the best first."""


@dataclass(frozen=True, slots=True)
class CardBounds:
    """Position and size of a card in the column, in pixels."""

    x: int
    y: int
    width: int
    height: int


class MainCard(Protocol):
    """Card that gets the height which the others leave; what does not fit scrolls."""

    @property
    def frame(self) -> tk.Widget:
        """The card."""

    def height(self, width: int, style: CardStyle, /) -> int:
        """Return the height in pixels at which a card of a width does not scroll; 0: it is empty."""

    def arrange(self, width: int, height: int, style: CardStyle, /) -> None:
        """Fill a card of a size in pixels."""


class FootCard(Protocol):
    """Card at the bottom, as high as its contents, up to a share of the column."""

    @property
    def frame(self) -> tk.Widget:
        """The card."""

    @property
    def height(self) -> int:
        """Height in pixels at which nothing has to scroll, at the width that was set last."""

    def arrange(self, width: int, /) -> None:
        """Wrap the contents for a card of a width in pixels."""


@dataclass(frozen=True, slots=True)
class SideCards:
    """Cards of a mechanism below the others, in this order, which is that of Tab.

    Args:
        main: The main card.
        foot: The lowest card; None: there is none.
    """

    main: MainCard
    foot: FootCard | None = None


class SideColumn:
    """Cards that are arranged for the available space; contents that do not fit scroll.

    Args:
        parent: The parent of the column.
        theme: The window's theme.
        avatars: The portraits of the others.
        build_cards: Builds the cards of the game's mechanism in a parent.
        gaze_target: Returns the place at which the others' eyes look.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        avatars: Mapping[Seat, Avatar],
        build_cards: Callable[[tk.Misc], SideCards],
        *,
        gaze_target: GazeTarget,
    ) -> None:
        self._theme = theme
        self._size = 0, 0
        self._gap = theme.px(12)
        self.frame = theme.frame(parent, theme.colours.ground)
        # In visual order, which is the order of Tab.
        self.others: CounterpartPanel | OthersPanel
        """The card of the other, or of the others."""
        if len(avatars) > 1:
            self.others = OthersPanel(self.frame, theme, avatars, gaze_target=gaze_target)
        else:
            avatar = next(iter(avatars.values()))
            self.others = CounterpartPanel(self.frame, theme, avatar, gaze_target=gaze_target)
        cards = build_cards(self.frame)
        self._main, self._foot = cards.main, cards.foot
        self.frame.bind("<Configure>", lambda event: self._resized(event.width, event.height))

    def show(self, others: Sequence[OtherView], last_speaker: Seat) -> None:
        """Update the others."""
        if isinstance(self.others, OthersPanel):
            self.others.show(others, last_speaker)
        else:
            self.others.show(others[0])

    def rearrange(self) -> None:
        """Arrange the cards for other contents."""
        self._arrange()

    def set_gap(self, gap: int) -> None:
        """Set the gap between the cards, in pixels."""
        if gap != self._gap:
            self._gap = gap
            self._arrange()

    def _resized(self, width: int, height: int) -> None:
        if (width, height) != self._size:
            self._size = width, height
            self._arrange()

    def _arrange(self) -> None:
        width, height = self._size
        if width < self._theme.px(100) or height < self._theme.px(60):
            return
        if width >= self._theme.px(WIDE) and height < self._theme.px(LOW):
            self._arrange_wide(width, height)
        else:
            self._arrange_tall(width, height)

    def _arrange_tall(self, width: int, height: int) -> None:
        """Stack the cards; the lowest gets the height that it needs, the face what the main card leaves."""
        gap = self._gap
        foot = min(self._foot_height(width), round(height * MAX_FOOT_SHARE))
        room = height - foot - (2 * gap if self._foot is not None else gap)
        style, face, above = next(
            (
                (style, face, above)
                for style, face, above in ARRANGEMENTS
                if self._main.height(width, style) + self.others.height(face, above=above) <= room
            ),
            ARRANGEMENTS[-1],
        )
        needed = self._main.height(width, style)
        other = max(self.others.height(face, above=above), room - needed)
        other = self.others.fitted(other)
        # No card is higher than its contents: remaining space is at the bottom.
        main = min(needed, room - other)
        self._place_others(CardBounds(0, 0, width, other))
        self._place_main(CardBounds(0, other + gap, width, main), style)
        below = other + gap + (main + gap if main else 0)
        self._place_foot(CardBounds(0, below, width, foot))

    def _arrange_wide(self, width: int, height: int) -> None:
        """Place the others and the lowest card in one column, the main card in another."""
        gap = self._gap
        first = round((width - gap) * SHARE)
        least = self.others.height(LEAST_FACE, above=False)
        foot = min(self._foot_height(first), height - least - gap)
        other = self.others.fitted(height - foot - gap)
        rest = width - first - gap
        style: CardStyle = "lines" if self._main.height(rest, "lines") <= height else "flow"
        self._place_others(CardBounds(0, 0, first, other))
        self._place_foot(CardBounds(0, other + gap, first, height - other - gap))
        self._place_main(CardBounds(first + gap, 0, rest, height), style)

    def _foot_height(self, width: int) -> int:
        """Return the height that the lowest card needs at a width; 0 without one."""
        if self._foot is None:
            return 0
        self._foot.arrange(width)
        return self._foot.height

    def _place_others(self, box: CardBounds) -> None:
        self.others.arrange(box.width, box.height)
        self._place(self.others.frame, box)

    def _place_main(self, box: CardBounds, style: CardStyle) -> None:
        if not self._main.height(box.width, style):
            self._main.frame.place_forget()  # an observer who sees nobody's preferences
            return
        self._main.arrange(box.width, box.height, style)
        self._place(self._main.frame, box)

    def _place_foot(self, box: CardBounds) -> None:
        if self._foot is not None:
            self._foot.arrange(box.width)
            self._place(self._foot.frame, box)

    def _place(self, frame: tk.Widget, box: CardBounds) -> None:
        x = self._size[0] - box.x - box.width if self._theme.rtl else box.x
        frame.place(x=x, y=box.y, width=box.width, height=box.height)
