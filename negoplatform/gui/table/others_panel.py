"""Panel of several others: a row for each, or a list below the portrait of the last speaker.

======  ====================================================================================
others  contents
======  ====================================================================================
2, 3    a row each: portrait, mark, name, role, looks, activity, and a tick if they accepted
4 to 7  a large portrait of the last speaker; a line each: mark, name, activity or looks,
        and a tick if they accepted
======  ====================================================================================
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping, Sequence

from negoplatform.domain.seat_map import Seat
from negoplatform.gui.avatars.agent_avatar import Avatar
from negoplatform.gui.avatars.animated_portrait import Portrait
from negoplatform.gui.avatars.small_portraits import SmallPortraits
from negoplatform.gui.plots.seat_mark_picture import SeatMarkPictures
from negoplatform.gui.table.counterpart_panel import GazeTarget, eyes_towards
from negoplatform.gui.theming.bidi_label import BidiLabel
from negoplatform.gui.theming.screen_reader_names import set_accessible_name
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.tooltip import Tooltip
from negoplatform.presentation.table.table_view import OtherView
from negoplatform.presentation.transcript.text_metrics import TextMetrics

PADDING, GAP = 12, 10
"""Padding of the card, and gap between a portrait and the text at its side, for 96 dpi."""

MOST_ROWS = 3
"""Largest number of others with a row of their own; more are listed."""

FACE, COMPACT_FACE = 52, 34
"""Sizes of the portraits in rows, for 96 dpi."""

SPEAKER, COMPACT_SPEAKER = 84, 48
"""Sizes of the portrait above a list, for 96 dpi."""

BETWEEN_ROWS, BETWEEN_LINES = 8, 4
"""Gaps between two rows, and between two lines of a list, for 96 dpi."""

MARK, TICK = 13, 15
"""Sizes of a seat's mark and of the tick, for 96 dpi."""


class OthersPanel:
    """Card with all others, drawn once the available space is known.

    Args:
        parent: The parent of the card.
        theme: The window's theme.
        avatars: The portraits of the others.
        gaze_target: Returns the place at which the eyes look.
    """

    def __init__(
        self, parent: tk.Misc, theme: Theme, avatars: Mapping[Seat, Avatar], *, gaze_target: GazeTarget
    ) -> None:
        self._theme, self._avatars = theme, avatars
        self._marks = SeatMarkPictures(theme)
        self._portraits = {face: SmallPortraits(theme, avatars, face) for face in (FACE, COMPACT_FACE)}
        self._is_list = len(avatars) > MOST_ROWS
        self._compact = False
        self._width = 0
        self._shown: tuple[tuple[OtherView, ...], Seat] | None = None
        self.rows: list[OtherRow] = []
        """The rows, in the game's order of seats."""
        self.frame = theme.card(parent, PADDING)
        self._speaker = _Speaker(self.frame, theme, avatars, gaze_target) if self._is_list else None
        for index in range(len(avatars)):
            row = OtherRow(self.frame, theme, self._marks, is_line=self._is_list)
            gap = BETWEEN_LINES if self._is_list else BETWEEN_ROWS
            row.frame.pack(fill="x", pady=(theme.px(gap) if index or self._is_list else 0, 0))
            self.rows.append(row)

    def show(self, views: Sequence[OtherView], last_speaker: Seat) -> None:
        """Show all others."""
        if (tuple(views), last_speaker) != self._shown:
            self._shown = tuple(views), last_speaker
            self._redraw()

    def height(self, face: float, *, above: bool) -> int:  # noqa: ARG002 - as of a single other's card
        """Return the height in pixels: with room for everything (``above``), or in a compact form."""
        return self._height(compact=not above)

    @property
    def tallest(self) -> int:
        """The height in pixels beyond which the card only has more empty space."""
        return self._height(compact=False)

    def fitted(self, height: int) -> int:
        """Return the height of the card in an area of a height in pixels, without empty space below it."""
        roomy, compact = self._height(compact=False), self._height(compact=True)
        return roomy if height >= roomy else min(height, compact)

    def arrange(self, width: int, height: int) -> None:
        """Fit the card to an area of this size in pixels."""
        compact = height < self._height(compact=False)
        inside = width - 2 * self._theme.px(PADDING)
        if (compact, inside) == (self._compact, self._width):
            return
        self._compact, self._width = compact, inside
        if self._speaker is not None:
            self._speaker.arrange(inside, COMPACT_SPEAKER if compact else SPEAKER)
        self._redraw()

    def _height(self, *, compact: bool) -> int:
        px, count, high = self._theme.px, len(self.rows), self._line_height
        if self._is_list:
            speaker = px(COMPACT_SPEAKER if compact else SPEAKER)
            return 2 * px(PADDING) + speaker + px(BETWEEN_LINES) + count * (high("bold") + px(BETWEEN_LINES))
        lines = high("bold") + high("small") * (1 if compact else 2)
        row = max(px(COMPACT_FACE if compact else FACE), lines)
        return 2 * px(PADDING) + count * row + (count - 1) * px(BETWEEN_ROWS)

    def _line_height(self, font: str) -> int:
        return self._theme.font(font).metrics("linespace")

    def _redraw(self) -> None:
        if self._shown is None or self._width <= 0:
            return
        views, last_speaker = self._shown
        portraits = None if self._is_list else self._portraits[COMPACT_FACE if self._compact else FACE]
        for row, view in zip(self.rows, views, strict=True):
            row.show(view, self._width, portraits, compact=self._compact)
        if self._speaker is not None:
            self._speaker.show(next(view for view in views if view.seat == last_speaker))


class OtherRow:
    """Row of one other, or line of a list.

    Args:
        parent: The parent of the row.
        theme: The window's theme.
        marks: The pictures of marks.
        is_line: Whether it is a line of a list.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, marks: SeatMarkPictures, *, is_line: bool) -> None:
        self._theme, self._marks, self._is_line = theme, marks, is_line
        self._shown: object = None
        c, px = theme.colours, theme.px
        self.frame = theme.frame(parent)
        self._portrait = tk.Label(self.frame, bg=c.card, bd=0, padx=0, pady=0)
        words = theme.frame(self.frame)
        if not is_line:
            self._portrait.pack(side=theme.start, padx=theme.padx(0, GAP))
        words.pack(side=theme.start, fill="x", expand=True)
        line = theme.frame(words)
        line.pack(fill="x")
        self._mark = tk.Label(line, bg=c.card, bd=0, padx=0, pady=0)
        self._mark.pack(side=theme.start, padx=theme.padx(0, 5))
        self._name = theme.label(line, "", "bold")
        self._name.pack(side=theme.start)
        self._beside = theme.label(line, "", "small", c.muted)
        self._beside.pack(side=theme.start, padx=theme.padx(6, 0))
        self._tick_picture = theme.icon("tick", c.accept, TICK)
        self._tick = tk.Label(line, image=self._tick_picture, bg=c.card, bd=0, padx=0, pady=0)
        Tooltip(theme, self._tick, theme.translate("Has accepted the offer on the table"))
        self._looks = theme.label(words, "", "small")
        self._activity = theme.label(words, " ", "small", c.muted)
        self._fonts = {
            name: TextMetrics(theme.font(name).measure, theme.font(name).metrics("linespace"))
            for name in ("bold", "small")
        }
        self._text_start = px(MARK + 5)

    @property
    def name(self) -> str:
        """The name that is shown."""
        return self._name.logical_text

    @property
    def is_ticked(self) -> bool:
        """Whether there is a tick."""
        return bool(self._tick.winfo_manager())

    def show(self, view: OtherView, width: int, portraits: SmallPortraits | None, *, compact: bool) -> None:
        """Show an other in a width in pixels; ``portraits`` are None in a list."""
        if (view, width, compact) == self._shown:
            return
        self._shown = view, width, compact
        theme, px, c = self._theme, self._theme.px, self._theme.colours
        set_accessible_name(self.frame, "Label", f"{view.name}, {view.expression_text} {view.activity}")
        room = width
        if portraits is not None:
            picture = portraits.get(view.seat, view.face)
            self._portrait.configure(image=picture)
            room -= picture.width() + px(GAP)
        if view.mark is not None:
            self._mark.configure(image=self._marks.get(view.mark, px(MARK)))
        tick = px(TICK + 6) if view.accepted else 0
        self._show_tick(accepted=view.accepted)
        first = room - self._text_start - tick
        name = self._fonts["bold"].shorten(view.name, first)
        self._name.write(name)
        rest = first - self._fonts["bold"].width(name) - px(6)
        doing = view.activity or view.expression_text
        # The role is in every line: the others may call each other by it.
        beside = " · ".join(filter(None, (view.role, doing))) if self._is_line else view.role
        self._beside.write(self._fonts["small"].shorten(beside, rest) if rest > px(24) else "")
        if not self._is_line:
            self._show_lines(view, doing, room, compact=compact)
        self._name.configure(fg=c.ink if view.mark is None else getattr(c, view.mark.text_colour))
        self._beside.configure(anchor=theme.west)

    def _show_lines(self, view: OtherView, doing: str, room: int, *, compact: bool) -> None:
        """Show looks and activity; in one line, the activity has precedence."""
        theme, shorten = self._theme, self._fonts["small"].shorten
        self._looks.write(shorten(doing if compact else view.expression_text, room))
        self._activity.write(shorten(view.activity, room) or " ")
        if not self._looks.winfo_manager():
            self._looks.pack(anchor=theme.west)
        # Its line stays reserved: nothing moves when the activity appears or disappears.
        if compact:
            self._activity.pack_forget()
        elif not self._activity.winfo_manager():
            self._activity.pack(anchor=theme.west)

    def _show_tick(self, *, accepted: bool) -> None:
        if accepted and not self._tick.winfo_manager():
            self._tick.pack(side=self._theme.end)
        elif not accepted:
            self._tick.pack_forget()


class _Speaker:
    """Large portrait of the last speaker, above a list.

    Args:
        parent: The parent of the portrait.
        theme: The window's theme.
        avatars: The portraits of the others.
        gaze_target: Returns the place at which the eyes look.
    """

    def __init__(
        self, parent: tk.Misc, theme: Theme, avatars: Mapping[Seat, Avatar], gaze_target: GazeTarget
    ) -> None:
        self._theme, self._avatars, self._gaze_target = theme, avatars, gaze_target
        self._portrait: Portrait | None = None
        self._drawn: tuple[Seat, int] | None = None
        self._size, self._room = SPEAKER, 0
        self._view: OtherView | None = None
        self.frame = theme.frame(parent)
        self.frame.pack(fill="x", pady=(0, theme.px(BETWEEN_LINES)))
        self._words = theme.frame(self.frame)
        self._lines: tuple[BidiLabel, ...] = (
            theme.label(self._words, "", "heading"),
            theme.label(self._words, "", "small", theme.colours.muted),
            theme.label(self._words, "", "small_bold"),
        )
        for line in self._lines:
            line.pack(anchor=theme.west)
        self._shorten: dict[str, Callable[[str, int], str]] = {
            name: TextMetrics(theme.font(name).measure, 1).shorten
            for name in ("heading", "small", "small_bold")
        }

    def arrange(self, width: int, size: int) -> None:
        """Use a width in pixels, and a size of the portrait for 96 dpi."""
        self._room = width - self._theme.px(size + GAP)
        self._size = size
        self.frame.configure(height=self._theme.px(size))
        self.frame.pack_propagate(False)
        if self._view is not None:
            self.show(self._view)

    def show(self, view: OtherView) -> None:
        """Show one of the others."""
        theme, self._view = self._theme, view
        if self._drawn != (view.seat, self._size):
            self._draw(view)
        if self._portrait is not None:
            self._portrait.show(view.face, eyes_towards(view.gaze, self._gaze_target, self._portrait, theme))
        texts = view.name, view.role, view.activity or view.expression_text
        compact = self._size == COMPACT_SPEAKER
        for line, text, font in zip(self._lines, texts, self._shorten, strict=True):
            line.write(self._shorten[font](text, max(theme.px(40), self._room)))
            if not text or (compact and font == "small"):
                line.pack_forget()
            elif not line.winfo_manager():
                line.pack(anchor=theme.west)

    def _draw(self, view: OtherView) -> None:
        theme, before = self._theme, self._portrait
        avatar = self._avatars[view.seat]
        self._portrait = Portrait(self.frame, theme, self._size, character=avatar.character)
        if avatar.pictures:
            self._portrait.set_pictures(avatar.pictures)
        if before is not None:
            before.frame.destroy()
        self._words.pack_forget()
        self._portrait.frame.pack(side=theme.start)
        self._words.pack(side=theme.start, padx=theme.padx(GAP, 0))
        self._drawn = view.seat, self._size
