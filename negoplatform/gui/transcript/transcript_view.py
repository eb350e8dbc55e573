"""The transcript: a canvas on which only the lines in view are drawn."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable, Sequence
from tkinter import ttk
from typing import Literal

from negoplatform.gui.pictures.issue_picture_cache import IssuePhotoCache
from negoplatform.gui.theming.screen_reader_names import set_accessible_name
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.transcript.jump_button import JumpButton
from negoplatform.gui.transcript.offer_card_index import OfferCardIndex
from negoplatform.gui.transcript.painter import FaceProvider, TranscriptPainter, text_layout_for
from negoplatform.gui.transcript.plain_text_view import PlainTextView
from negoplatform.gui.transcript.scrollbar import TranscriptScrollbar
from negoplatform.gui.transcript.time_label_and_typing_dots import LineTimeLabel, TypingDotsAnimation
from negoplatform.gui.widgets.popup_list import PopupList
from negoplatform.gui.widgets.scrolled_frame import bind_scroll_keys
from negoplatform.gui.widgets.tooltip import Tooltip
from negoplatform.presentation.face_mood import NEUTRAL_FACE
from negoplatform.presentation.transcript.entry_grouping import first_affected, group_position, is_same_group
from negoplatform.presentation.transcript.entry_layout import TranscriptLayout
from negoplatform.presentation.transcript.layout_items import Block
from negoplatform.presentation.transcript.offer_card_states import NewestOffer
from negoplatform.presentation.transcript.transcript_entries import TranscriptEntry, entry_text
from negoplatform.presentation.transcript.virtual_column import VirtualColumn

KEPT_BLOCKS = 64
"""Number of laid out lines that are cached; others are laid out again when they come into view."""

CHUNK_S, CHUNK_MS = 0.006, 12
"""Seconds of measuring lines out of view at a time, and the milliseconds of pause that follow."""

REST_MS = 200
"""Milliseconds without measuring after a change of width: another change may follow."""

STEP, MARGIN, ESTIMATED_HEIGHT = 48, 14, 46
"""Distance that an arrow key scrolls, the margin at both ends, and the height of a usual line; for 96 dpi."""


class Transcript:
    """Transcript of a negotiation; it keeps its position when lines arrive while the reader has scrolled up.

    The wheel, the bar and the keys scroll; a click marks a line, which Ctrl+C copies. Ctrl+T or a small
    button shows all lines as plain text. What one side says within a minute forms a group.

    Args:
        parent: The parent of the transcript.
        theme: The window's theme.
        face: Return the small round portrait of a seat; without it no room is left for portraits.
        pictures: The issues' pictures; None: issues are shown by name only.

    ``home`` returns the widget that gets the focus when a focused widget is hidden: the canvas by default.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        *,
        face: FaceProvider | None = None,
        pictures: IssuePhotoCache | None = None,
    ) -> None:
        self._theme = theme
        self._lines: list[TranscriptEntry] = []
        self._names: set[str] = set()
        self._blocks: dict[int, Block] = {}
        self._drawn: dict[int, int] = {}
        self._marked: int | None = None
        self._measure_job = ""
        self._face = face
        self._text: PlainTextView | None = None
        self._seen = 0
        self._typing = False
        self.home: Callable[[], tk.Misc] = lambda: self.canvas
        px = theme.px
        self._layout = TranscriptLayout(text_layout_for(theme))
        self._column = VirtualColumn(self._height_of, guess=px(ESTIMATED_HEIGHT), margin=px(MARGIN))
        self.frame = theme.frame(parent)
        self._build()
        self._painter = TranscriptPainter(self.canvas, theme, face, pictures)
        self._offers = OfferCardIndex(self.canvas)
        self._time = LineTimeLabel(self.canvas, theme)
        self._dots = TypingDotsAnimation(self.canvas, self._painter.darken_dot)
        self._bind()

    def add(self, lines: Sequence[TranscriptEntry]) -> None:
        """Add lines at the end; keep the position if the reader has scrolled up."""
        if not lines:
            return
        self._drop_dots()  # the typed text has arrived; a seat that types on is reported again
        self._offers.add(lines, len(self._lines))
        showed_names = len(self._names) > 1
        self._names |= {line.who for line in lines if line.is_theirs}
        self._append(lines)
        if len(self._names) > 1 and not showed_names:
            self._relayout()
        self._show()
        self._measure_later()
        if self._text is not None:
            self._text.add(lines)

    def show_typing(self, line: TranscriptEntry | None) -> None:
        """Show typing dots for a line of the kind ``typing``, or remove them if ``line`` is None."""
        shown = self._lines[-1].who if self._typing else None
        if shown == (None if line is None else line.who):
            return
        self._drop_dots()
        if line is not None:
            self._append([line])
            self._typing = True
            if not self._theme.reduce_motion:
                self._dots.start()
        self._show()

    def clear(self) -> None:
        """Remove all lines."""
        self._drop_dots()
        self._lines.clear()
        self._seen = 0
        self._offers.clear()
        self._names.clear()
        self._blocks.clear()
        self._marked = None
        self._column.clear()
        self._redraw()
        if self._text is not None:
            self._text.write(())

    def scroll_to_end(self) -> None:
        """Scroll to the newest line."""
        self._go(self._column.bottom)

    # Offers

    def embed_controls(self, controls: tk.Widget) -> None:
        """Show a widget, a child of this frame, on the newest offer's card."""
        # Tab reaches it right after the chat; a child of the canvas would count as a focused canvas.
        controls.lower(self.text_view)
        self._offers.embed_controls(controls)

    def set_newest_offer(self, newest: NewestOffer) -> None:
        """Set the newest offer and its state; replaced offers are folded."""
        self._lay_out(self._offers.set_newest(newest))

    def scroll_to_offer(self, seq: int) -> None:
        """Unfold an offer and scroll to it; an offer higher than the view is shown from its top."""
        self._lay_out(self._offers.unfold(seq))
        index, column = self._offers.index_of(seq), self._column
        if index is None:
            return
        # Twice: lines are measured only when they come into view.
        for _ in range(2):
            top, gap = column.top(index), self._theme.px(MARGIN)
            lowest = min(top - gap, top + self._block(index).height + gap - column.view)
            self._go(min(max(column.offset, lowest), top - gap) - column.offset)

    def place_of_offer(self, seq: int) -> tuple[int, int] | None:
        """Return the middle of an offer's card in pixels of the screen; None if it is not in view."""
        index = self._offers.index_of(seq)
        if index is None or index not in self._drawn:
            return None
        left, top, right, bottom = self._block(index).body
        x, y = self.canvas.winfo_rootx(), self.canvas.winfo_rooty() + self._drawn[index]
        return x + (left + right) // 2, y + (top + bottom) // 2

    @property
    def room_for_controls(self) -> int:
        """The width in pixels of the space for controls on a card."""
        return self._layout.width_of_card

    def _place_controls(self) -> None:
        self._offers.place_controls({} if self.is_text_shown else self._drawn, self._block)

    def _lay_out(self, changed: Sequence[int]) -> None:
        """Lay out lines again whose appearance has changed."""
        if not changed:
            return
        for index in self._with_their_groups(changed):
            self._blocks.pop(index, None)
            self._column.remeasure(index)
        self._redraw()

    def _with_their_groups(self, changed: Sequence[int]) -> list[int]:
        """Return the changed lines and those above them in their groups.

        A group's portrait is next to its last line that is not folded, so it may move.
        """
        found = set(changed)
        for index in changed:
            while index > 0 and is_same_group(self._lines[index - 1], self._lines[index]):
                index -= 1
                found.add(index)
        return sorted(found)

    def _is_quiet(self, line: TranscriptEntry) -> bool:
        """Return whether a line is no bubble: an expression or a folded offer."""
        return line.is_emotion or self._offers.state_of(line).mode == "folded"

    def show_text(self, shown: bool) -> None:
        """Show or hide the plain text view over the transcript."""
        if shown == (self._text is not None):
            return
        if self._text is None:
            self._text = PlainTextView(self.frame, self._theme, on_close=lambda: self.show_text(False))
            self._text.frame.grid(row=0, column=0, columnspan=2, sticky="nsew")
            self._text.write(self._lines[: self._count])
            self._text.text.focus_set()
        else:
            self._text.frame.destroy()
            self._text = None
            self.home().focus_set()
        self._place_controls()
        # Tab must not reach a covered widget, and it follows the stacking order.
        for covered in (self.canvas, self._jump.button):
            covered.configure(takefocus=not shown)
        self.text_view.lift()
        if not shown:
            self._jump.lift()

    @property
    def is_text_shown(self) -> bool:
        """Whether the plain text view is shown."""
        return self._text is not None

    # Building

    def _build(self) -> None:
        theme, px, column = self._theme, self._theme.px, self._theme.column
        self.frame.rowconfigure(0, weight=1)
        self.frame.columnconfigure(column(0, 2), weight=1)
        # The bar's space stays reserved while it is hidden: showing it must not change the line breaks.
        self.frame.columnconfigure(column(1, 2), minsize=px(10))
        self.canvas = tk.Canvas(
            self.frame,
            bg=theme.colours.card,
            bd=0,
            width=px(240),
            height=px(120),
            highlightthickness=px(2),
            highlightbackground=theme.colours.card,
            highlightcolor=theme.colours.focus,
            takefocus=1,
            cursor="arrow",
        )
        self.canvas.grid(row=0, column=column(0, 2), sticky="nsew")
        set_accessible_name(self.canvas, "Canvas", theme.translate("Chat; Ctrl+T shows it as plain text"))
        self._bar = TranscriptScrollbar(
            self.frame, theme, self._column, on_go=self._show, on_scroll=self._scroll
        )
        self._make_text_button()
        self._jump = JumpButton(self.frame, theme, above=self.canvas, on_press=self.scroll_to_end)

    def _make_text_button(self) -> None:
        theme, px = self._theme, self._theme.px
        self.text_view = theme.button(self.frame, "", "Quiet.TButton", self._toggle_text, icon="text")
        size, inset = px(32), px(12)
        if theme.rtl:
            self.text_view.place(x=inset, y=px(2), anchor="nw", width=size, height=size)
        else:
            self.text_view.place(relx=1.0, x=-inset, y=px(2), anchor="ne", width=size, height=size)
        self.text_view.configure(padding=px(4))  # less than a button with text, to centre the icon
        Tooltip(theme, self.text_view, theme.translate("Show the chat as text (Ctrl+T)"))

    @property
    def new_messages_button(self) -> ttk.Button:
        """The button that scrolls to the newest line; shown while the reader has scrolled up."""
        return self._jump.button

    def _bind(self) -> None:
        canvas = self.canvas
        canvas.bind("<Configure>", self._resized)
        canvas.bind("<Destroy>", lambda _event: self._stop())
        canvas.bind("<Button-4>", lambda _event: self._scroll(-1, "units"))
        canvas.bind("<Button-5>", lambda _event: self._scroll(1, "units"))
        canvas.bind("<MouseWheel>", lambda event: self._scroll(-1 if event.delta > 0 else 1, "units"))
        bind_scroll_keys(canvas.bind, self._scroll)
        canvas.bind("<Home>", lambda _event: self._go(-self._column.offset))
        canvas.bind("<End>", lambda _event: self.scroll_to_end())
        canvas.bind("<Button-1>", self._clicked)
        canvas.bind("<Button-3>", self._open_menu)
        for key in ("<Control-c>", "<Control-C>", "<<Copy>>"):
            canvas.bind(key, lambda _event: self._copy(self._marked_or_hovered()))
        canvas.bind("<Control-t>", lambda _event: self._toggle_text())
        canvas.bind("<Escape>", lambda _event: self._mark(None))
        canvas.bind("<Motion>", self._on_motion)
        canvas.bind("<Leave>", lambda _event: self._time.hide())

    # Lines and their positions

    @property
    def _count(self) -> int:
        """The number of lines, without the typing dots."""
        return len(self._lines) - self._typing

    def _append(self, lines: Sequence[TranscriptEntry]) -> None:
        count = len(self._lines)
        self._lines += lines
        first = first_affected(self._lines, count, self._is_quiet)
        self._invalidate(range(first, count))
        self._column.add(len(lines), touched=count - first)

    def _drop_dots(self) -> None:
        if not self._typing:
            return
        self._typing = False
        self._dots.stop()
        last = len(self._lines) - 1
        first = first_affected(self._lines, last, self._is_quiet)
        self._invalidate(range(first, last + 1))
        del self._lines[last]
        self._column.remove_last(touched=last - first)

    def _invalidate(self, indices: range) -> None:
        """Discard the layout of lines whose position in their group may have changed."""
        for index in indices:
            self._blocks.pop(index, None)
            if self._drawn.pop(index, None) is not None:
                self.canvas.delete(f"line{index}")

    # Layout and drawing

    def _height_of(self, index: int) -> int:
        return self._block(index).height

    def _block(self, index: int) -> Block:
        block = self._blocks.get(index)
        if block is None:
            line, place = self._lines[index], group_position(self._lines, index, self._is_quiet)
            named = len(self._names) > 1 and place.begins
            card = self._offers.state_of(line)
            block = self._blocks[index] = self._layout.block(line, place, named=named, card=card)
            if len(self._blocks) > KEPT_BLOCKS:
                del self._blocks[next(iter(self._blocks))]
        return block

    def _resized(self, event: tk.Event[tk.Misc]) -> None:
        width = event.width
        if width != self._layout.width:
            self._layout.width = width
            self._layout.face = self._width_of_face() if self._layout.is_wide else 0
            self._relayout()
        if event.height != self._column.view:
            self._column.resize(event.height)
        self._redraw()

    def _width_of_face(self) -> int:
        picture = self._face("", NEUTRAL_FACE) if self._face is not None else None
        return 0 if picture is None else picture.width()

    def _relayout(self) -> None:
        self._blocks.clear()
        self._clear_canvas()
        self._column.invalidate()
        self._stop()
        self._measure_later(REST_MS)

    def _redraw(self) -> None:
        self._clear_canvas()
        self._show()

    def _clear_canvas(self) -> None:
        """Delete the drawn lines; embedded widgets stay and keep the focus."""
        self.canvas.delete(*(f"line{index}" for index in self._drawn))
        self._drawn.clear()

    def _show(self) -> None:
        """Draw lines that came into view, move those that stay and delete those that left it."""
        column, canvas = self._column, self.canvas
        self._time.hide()
        offset = column.offset
        places = {index: column.top(index) - offset for index in column.in_view()}
        moves = {places[index] - y for index, y in self._drawn.items() if index in places}
        if len(moves) > 1 or any(self._block(index).height > column.view for index in places):
            # Only a part of a line higher than the view is drawn, and the part depends on the position.
            self._clear_canvas()
        for index in [index for index in self._drawn if index not in places]:
            canvas.delete(f"line{index}")
            del self._drawn[index]
        if self._drawn and moves != {0}:
            canvas.move("all", 0, moves.pop())
        for index, y in places.items():
            if index not in self._drawn:
                self._painter.draw(self._block(index), y, f"line{index}", marked=index == self._marked)
        self._drawn = places
        self._place_controls()
        self._bar.show()
        self._show_jump(max(places, default=-1) + 1)

    def _show_jump(self, seen: int) -> None:
        """Show the jump button while there are lines below the view; ``seen``: the number of lines seen."""
        if not self._column.follows_end:
            self._seen = max(self._seen, seen)
            self._jump.show(sum(not line.is_emotion for line in self._lines[self._seen : self._count]))
            return
        self._seen = self._count
        if self._jump.shown:
            # Otherwise the focus would be on a hidden button.
            if self.frame.focus_get() is self._jump.button:
                self.home().focus_set()
            self._jump.hide()

    # Measuring lines out of view

    def _measure_later(self, delay_ms: int = CHUNK_MS) -> None:
        if not self._measure_job:
            self._measure_job = self.canvas.after(delay_ms, self._measure)

    def _measure(self) -> None:
        self._measure_job = ""
        end = time.perf_counter() + CHUNK_S
        # The lines in view keep their layout: only the heights of those measured here are needed.
        kept, self._blocks = self._blocks, {}
        if self._column.measure_some(lambda: time.perf_counter() > end):
            self._measure_later()
        self._blocks = kept
        self._bar.show()

    def _stop(self) -> None:
        if self._measure_job:
            self.canvas.after_cancel(self._measure_job)
            self._measure_job = ""

    # Scrolling

    def _go(self, step: int) -> None:
        self._column.scroll_by(step)
        self._show()

    def _scroll(self, number: int, what: Literal["units", "pages"]) -> None:
        step = self._theme.px(STEP)
        self._go(number * (step if what == "units" else max(step, self._column.view - step)))

    # Marking and copying

    def _clicked(self, event: tk.Event[tk.Misc]) -> None:
        index = self._line_at(event.x, event.y)
        self._mark(index)
        if index is not None:
            self._lay_out(self._offers.toggle(self._lines[index]))

    def _on_motion(self, event: tk.Event[tk.Misc]) -> None:
        index = self._line_at(event.x, event.y)
        folds = index is not None and self._offers.is_foldable(self._lines[index])
        cursor = "hand2" if folds else "arrow"
        if str(self.canvas.cget("cursor")) != cursor:
            self.canvas.configure(cursor=cursor)
        if index is None:
            self._time.hide()
        else:
            self._time.show(self._lines[index], self._block(index).body, self._drawn[index])

    def _line_at(self, x: int, y: int) -> int | None:
        for index, top in self._drawn.items():
            left, upper, right, lower = self._block(index).body
            if left <= x < right and upper <= y - top < lower:
                return index if index < self._count else None
        return None

    def _mark(self, index: int | None) -> None:
        changed = {self._marked, index} if index != self._marked else set()
        self._marked = index
        for line, y in self._drawn.items():
            if line in changed:
                self.canvas.delete(f"line{line}")
                self._painter.draw(self._block(line), y, f"line{line}", marked=line == index)

    def _marked_or_hovered(self) -> int | None:
        """Return the index of the marked line, else of the line under the pointer."""
        if self._marked is not None:
            return self._marked
        x, y = self.canvas.winfo_pointerxy()
        return self._line_at(x - self.canvas.winfo_rootx(), y - self.canvas.winfo_rooty())

    def copy_marked(self) -> None:
        """Copy the marked line, if there is one."""
        self._copy(self._marked)

    def scroll(self, number: int, what: Literal["units", "pages"]) -> None:
        """Scroll down by ``number`` steps or pages; up if it is negative."""
        self._scroll(number, what)

    def _copy(self, index: int | None) -> None:
        if index is not None:
            self.canvas.clipboard_clear()
            self.canvas.clipboard_append(entry_text(self._lines[index]))

    def _open_menu(self, event: tk.Event[tk.Misc]) -> None:
        index = self._line_at(event.x, event.y)
        self._mark(index)
        if index is None:
            return
        theme, root = self._theme, self._theme.root
        items = [theme.visual_order(theme.translate("Copy message"))]
        menu = PopupList(theme, self.canvas, items, None, on_choose=lambda _line: self._copy(self._marked))
        menu.open(event.x_root - root.winfo_rootx(), event.y_root - root.winfo_rooty())

    def _toggle_text(self) -> None:
        self.show_text(self._text is None)
