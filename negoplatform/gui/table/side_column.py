"""Side column: the others, the participant's preferences, and the progress of the issues."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from negoplatform.domain.seat_map import Seat
from negoplatform.gui.avatars.agent_avatar import Avatar
from negoplatform.gui.bargaining.preferences_panel import PreferencesPanel
from negoplatform.gui.bargaining.progress_panel import ProgressPanel
from negoplatform.gui.pictures.issue_picture_cache import IssuePhotoCache
from negoplatform.gui.table.counterpart_panel import LEAST_ABOVE, LEAST_FACE, CounterpartPanel, GazeTarget
from negoplatform.gui.table.others_panel import OthersPanel
from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.bargaining.issue_progress_view import ProgressView
from negoplatform.presentation.bargaining.priorities_layout import PrioritySection, Style
from negoplatform.presentation.table.table_view import OtherView

WIDE, LOW = 520, 560
"""Least width and greatest height, for 96 dpi, with which the cards are placed in two columns."""

SHARE, MAX_PROGRESS_SHARE = 0.42, 0.36
"""Share of a wide column's width for counterpart and progress; greatest share of height for progress."""

ARRANGEMENTS: tuple[tuple[Style, int, bool], ...] = (
    ("lines", LEAST_ABOVE, True),
    ("flow", LEAST_ABOVE, True),
    ("lines", LEAST_FACE, False),
    ("flow", LEAST_FACE, False),
)
"""Style of the values, least size of the face, and whether it is above its text: the best first."""


@dataclass(frozen=True, slots=True)
class CardBounds:
    """Position and size of a card in the column, in pixels."""

    x: int
    y: int
    width: int
    height: int


class SideColumn:
    """Three cards, arranged for the available space; contents that do not fit scroll.

    Args:
        parent: The parent of the column.
        theme: The window's theme.
        avatars: The portraits of the others.
        pictures: The pictures of the game's issues.
        gaze_target: Returns the place at which the others' eyes look.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        avatars: Mapping[Seat, Avatar],
        pictures: IssuePhotoCache,
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
        self._priorities = PreferencesPanel(self.frame, theme, pictures)
        self._progress = ProgressPanel(self.frame, theme)
        self.frame.bind("<Configure>", lambda event: self._resized(event.width, event.height))

    def show(
        self,
        others: Sequence[OtherView],
        last_speaker: Seat,
        sections: Sequence[PrioritySection],
        progress: ProgressView,
    ) -> None:
        """Update the others, the preferences and the progress."""
        if isinstance(self.others, OthersPanel):
            self.others.show(others, last_speaker)
        else:
            self.others.show(others[0])
        changed = self._priorities.show(sections)
        if self._progress.show(progress) or changed:
            self._arrange()

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the scrollbar of the preferences by its name in UI tests."""
        return {"priorities.bar": self._priorities.scrollbar}

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
        """Stack the cards; progress gets the height that it needs, the face what the preferences leave."""
        gap = self._gap
        self._progress.arrange(width)
        progress = min(self._progress.height, round(height * MAX_PROGRESS_SHARE))
        room = height - progress - 2 * gap
        style, face, above = next(
            (
                (style, face, above)
                for style, face, above in ARRANGEMENTS
                if self._priorities.height(width, style) + self.others.height(face, above=above) <= room
            ),
            ARRANGEMENTS[-1],
        )
        needed = self._priorities.height(width, style)
        other = max(self.others.height(face, above=above), room - needed)
        other = self.others.fitted(other)
        # No card is higher than its contents: remaining space is at the bottom.
        priorities = min(needed, room - other)
        self._place_others(CardBounds(0, 0, width, other))
        self._place_priorities(CardBounds(0, other + gap, width, priorities), style)
        self._place_progress(CardBounds(0, other + priorities + 2 * gap, width, progress))

    def _arrange_wide(self, width: int, height: int) -> None:
        """Place others and progress in one column, the preferences in another."""
        gap = self._gap
        first = round((width - gap) * SHARE)
        self._progress.arrange(first)
        least = self.others.height(LEAST_FACE, above=False)
        progress = min(self._progress.height, height - least - gap)
        other = self.others.fitted(height - progress - gap)
        rest = width - first - gap
        style: Style = "lines" if self._priorities.height(rest, "lines") <= height else "flow"
        self._place_others(CardBounds(0, 0, first, other))
        self._place_progress(CardBounds(0, other + gap, first, height - other - gap))
        self._place_priorities(CardBounds(first + gap, 0, rest, height), style)

    def _place_others(self, box: CardBounds) -> None:
        self.others.arrange(box.width, box.height)
        self._place(self.others.frame, box)

    def _place_priorities(self, box: CardBounds, style: Style) -> None:
        self._priorities.arrange(box.width, box.height, style)
        self._place(self._priorities.frame, box)

    def _place_progress(self, box: CardBounds) -> None:
        self._progress.arrange(box.width)
        self._place(self._progress.frame, box)

    def _place(self, frame: tk.Widget, box: CardBounds) -> None:
        x = self._size[0] - box.x - box.width if self._theme.rtl else box.x
        frame.place(x=x, y=box.y, width=box.width, height=box.height)
