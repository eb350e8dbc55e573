"""Offer builder: rows for the issues, worth of the draft, and buttons to send and accept."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk

from negoplatform.core.events import Message
from negoplatform.gui.bargaining.choice_row import ChoiceCells, chip_font
from negoplatform.gui.bargaining.compare_panel import ComparePanel
from negoplatform.gui.bargaining.number_row import NumberCells
from negoplatform.gui.bargaining.offer_request_buttons import OfferRequestButtons
from negoplatform.gui.bargaining.quantity_row import QuantityCells
from negoplatform.gui.bargaining.row_header import RowHeader
from negoplatform.gui.bargaining.valuation_panel import ValuationPanel
from negoplatform.gui.pictures.issue_picture_cache import IssuePhotoCache
from negoplatform.gui.theming.bidi_label import BidiLabel
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.pressable_cell import CellImages
from negoplatform.gui.widgets.scrolled_frame import ScrolledFrame
from negoplatform.gui.widgets.widget_bound_callbacks import add_tag, bind_tag
from negoplatform.presentation.bargaining.draft_offer import Draft, OnDraftChange
from negoplatform.presentation.bargaining.offer_builder_rows import (
    BuilderRow,
    ChoiceRow,
    NumberRow,
    QuantityRow,
)
from negoplatform.presentation.bargaining.offer_builder_view import AcceptView, BuilderView

WIDTH = 384
"""Width of the builder, in pixels at 96 dpi."""

PADDING, EDGE = 10, 5
"""Padding of the card, and additional padding of the texts that align in it, in pixels at 96 dpi."""

ROOM = 344
"""Width of a row when a scrollbar is shown, in pixels at 96 dpi."""

AROUND_WORDS = 54
"""Width taken by the icon and the edges of the Accept button, in pixels at 96 dpi."""

HINT_LINES, MANY_HINT_LINES, MANY_OTHERS = 2, 3, 4
"""Lines reserved for the hint below the Accept button, so that the buttons never move when it grows: usually,
and from a number of others on, of whom it may name all."""

WIDE, LOW, LOWEST = 560, 400, 300
"""Layout limits in pixels at 96 dpi.

A card lower than ``LOW`` has its buttons next to the rows if it is ``WIDE`` or wider; else it omits some, and
more if it is lower than ``LOWEST``.
"""

PICTURE = 18
"""Size of the picture in front of an issue's title, in pixels at 96 dpi."""

SHIFT = 0x1

Cells = QuantityCells | ChoiceCells | NumberCells


class OfferBuilder:
    """Right column of the table; every change to the draft is passed to ``on_change``.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        pictures: Pictures of issues.
        on_change: Called with an edit of the draft, and a name shared by edits that are undone together.
        on_undo, on_redo: Called to undo, or redo, one step of the draft.
        on_send: Called to send the draft.
        on_request: Called with a message that asks the other side for an offer.
        on_accept: Called to accept the offer that is shown.
        others: Number of the other seats.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        *,
        pictures: IssuePhotoCache,
        on_change: OnDraftChange,
        on_undo: Callable[[], None],
        on_redo: Callable[[], None],
        on_send: Callable[[], None],
        on_request: Callable[[Message], None],
        on_accept: Callable[[], None],
        others: int = 1,
    ) -> None:
        self._theme, self._on_change = theme, on_change
        self._hint_lines = HINT_LINES if others < MANY_OTHERS else MANY_HINT_LINES
        self._on_undo, self._on_redo = on_undo, on_redo
        self._images, self._pictures = CellImages(theme, pictures), pictures
        self._chip_font = self._copy_label = ""
        self._rows: dict[str, tuple[RowHeader, Cells]] = {}
        self._drawn: dict[str, tuple[BuilderRow, bool]] = {}
        self._shown: tuple[BuilderView, AcceptView] | None = None
        self.frame = theme.card(parent, PADDING)
        # The chat keeps its width however long a name or a label is.
        self.frame.configure(width=theme.px(WIDTH))
        self.frame.grid_propagate(False)
        self.frame.rowconfigure(2, weight=1)
        self._help, self.undo = self._make_head()
        self._list = ScrolledFrame(self.frame, theme, width=350, height=2000)
        self._rule = theme.rule(self.frame)
        self._valuation_panel = ValuationPanel(self.frame, theme)
        self.from_theirs, self.compare = self._make_draft_buttons()
        self.requests = OfferRequestButtons(self.frame, theme, on_send=on_request)
        self.send, self.clear, self.accept = self._make_buttons(on_send, on_accept)
        for style in ("Outline.Accept.TButton", "Outline.Danger.TButton"):
            ttk.Style(theme.root).configure(f"Small.{style}", font=theme.font("small_bold"))
        self._hint_area, self._hint = self._make_hint()
        self._arrangement: tuple[bool, bool, bool] | None = None
        self._has_requests = False
        self._accept_room = theme.px(WIDTH - 2 * PADDING - 2 * EDGE)
        self._arrange(wide=False, low=False, lowest=False)
        self.frame.bind("<Configure>", lambda event: self._resized(event.width, event.height))
        self._panel = ComparePanel(parent, theme, neighbour=self.frame, on_close=self._close_compare)
        self._tag = f"Builder{self.frame}"
        self._bind_keys()

    def show(self, view: BuilderView, accept: AcceptView) -> None:
        """Show the draft, and the offer that can be accepted."""
        if self._shown == (view, accept):
            return
        self._shown = (view, accept)
        self._help.write(view.help)
        if not self._rows:
            choices = [row for row in view.rows if isinstance(row, ChoiceRow)]
            self._chip_font = chip_font(self._theme, choices, self._theme.px(ROOM))
        for row in view.rows:
            if self._drawn.get(row.issue.name) != (row, view.can_edit):
                self._drawn[row.issue.name] = row, view.can_edit
                self._show_row(row, view.can_edit)
        self._valuation_panel.show(view)
        _enable(self.undo, view.can_undo and view.can_edit)
        self._show_copy_label(view.copy_label)
        _enable(self.from_theirs, view.their_offer is not None and view.can_edit)
        _enable(self.compare, view.comparison is not None)
        self._show_requests(view)
        _enable(self.send, view.can_send)
        _enable(self.clear, view.can_clear)
        if view.comparison is not None:
            self._panel.show(view.comparison)
        elif self._panel.open:
            self._set_compare(False)
        self._show_accept(accept)

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the controls by name, for scripts and tests that drive the window."""
        named: dict[str, tk.Misc] = {
            "undo": self.undo,
            "from_theirs": self.from_theirs,
            "compare": self.compare,
            "compare.close": self._panel.close_button,
            **(self.requests.widgets() if self._has_requests else {}),
            "send_offer": self.send,
            "clear": self.clear,
            "accept": self.accept,
        }
        for issue, (_, cells) in self._rows.items():
            named |= cells.widgets(issue)
        return named

    def close(self) -> bool:
        """Close the comparison; return whether it was open."""
        was_open = self._panel.open
        self._set_compare(False)
        return was_open

    # Building

    def _make_head(self) -> tuple[BidiLabel, ttk.Button]:
        theme = self._theme
        self._head = line = theme.frame(self.frame)
        theme.label(line, theme.translate("Build an offer"), "heading").pack(side=theme.start)
        undo = theme.button(line, theme.translate("Undo"), "Quiet.TButton", self._on_undo, icon="undo")
        undo.pack(side=theme.end)
        help_line = theme.label(self.frame, "", "small", theme.colours.muted, wrap=350)
        return help_line, undo

    def _add_row(self, row: BuilderRow) -> None:
        theme, px = self._theme, self._theme.px
        box = theme.frame(self._list.inside)
        box.pack(fill="x", pady=(0, px(3)))
        picture = self._pictures.get(row.issue.picture, px(PICTURE))
        head = RowHeader(box, theme, row.head, room=px(ROOM), picture=picture)
        head.frame.pack(fill="x")
        cells = self._make_cells(box, row)
        cells.frame.pack(fill="x")
        self._rows[row.issue.name] = head, cells
        self._list.bind_scrolling(box)
        add_tag(box, self._tag)

    def _make_cells(self, box: tk.Misc, row: BuilderRow) -> Cells:
        theme = self._theme
        match row:
            case QuantityRow():
                return QuantityCells(box, theme, self._images, row, on_change=self._on_change)
            case ChoiceRow():
                room = theme.px(ROOM)
                return ChoiceCells(
                    box,
                    theme,
                    self._images,
                    row,
                    room=room,
                    font=self._chip_font,
                    on_change=self._on_change,
                )
            case NumberRow():
                return NumberCells(box, theme, row, on_change=self._on_change)

    def _make_draft_buttons(self) -> tuple[ttk.Button, ttk.Button]:
        theme = self._theme
        self._draft_buttons = line = theme.frame(self.frame)
        line.columnconfigure((0, 1), weight=1)
        start = theme.button(
            line, theme.translate("Start from their offer"), "Toggle.TButton", self._start_from_theirs
        )
        compare = theme.button(
            line,
            theme.translate("Compare"),
            "Toggle.TButton",
            lambda: self._set_compare(not self._panel.open),
            icon="compare",
        )
        return start, compare

    def _show_copy_label(self, label: str) -> None:
        """Show whose offer can be copied; a longer name may need another arrangement of the buttons."""
        if label == self._copy_label:
            return
        self._copy_label = label
        self._theme.set_button_text(self.from_theirs, label)
        if self.frame.winfo_width() > 1:
            self._resized(self.frame.winfo_width(), self.frame.winfo_height())

    def _place_draft_buttons(self, width: int) -> None:
        """Place the two buttons side by side, or one below the other if they do not fit."""
        theme, (start, compare) = self._theme, (self.from_theirs, self.compare)
        for button in (start, compare):
            button.grid_forget()
        if start.winfo_reqwidth() + compare.winfo_reqwidth() + theme.px(6) <= width:
            start.grid(row=0, column=theme.column(0, 2), sticky="ew", padx=theme.padx(0, 6))
            compare.grid(row=0, column=theme.column(1, 2), sticky="ew")
        else:
            start.grid(row=0, column=0, columnspan=2, sticky="ew")
            compare.grid(row=1, column=0, columnspan=2, sticky="ew", pady=(theme.px(4), 0))

    def _make_buttons(
        self, on_send: Callable[[], None], on_accept: Callable[[], None]
    ) -> tuple[ttk.Button, ttk.Button, ttk.Button]:
        theme = self._theme
        self._send_buttons = line = theme.frame(self.frame)
        line.columnconfigure(theme.column(0, 2), weight=1)
        send = theme.button(line, theme.translate("Send offer"), "Primary.TButton", on_send, icon="offer")
        send.grid(row=0, column=theme.column(0, 2), sticky="ew", padx=theme.padx(0, 6))
        clear = theme.button(
            line, theme.translate("Clear"), "Plain.TButton", lambda: self._on_change(Draft.cleared)
        )
        clear.grid(row=0, column=theme.column(1, 2))
        accept = theme.button(
            self.frame, theme.translate("Accept offer"), "Outline.Accept.TButton", on_accept, icon="check"
        )
        return send, clear, accept

    def _make_hint(self) -> tuple[tk.Frame, BidiLabel]:
        theme = self._theme
        place = theme.frame(self.frame)
        place.configure(height=self._hint_lines * theme.font("small").metrics("linespace"))
        place.pack_propagate(False)
        hint = theme.label(place, "", "small", theme.colours.muted, wrap=350)
        hint.pack(anchor=theme.west)
        return place, hint

    def _resized(self, width: int, height: int) -> None:
        theme = self._theme
        low = height < theme.px(LOW)
        wide = low and width >= theme.px(WIDE)
        inside = width - theme.px(2 * PADDING + 2 * EDGE)
        self._arrange(wide=wide, low=low and not wide, lowest=height < theme.px(LOWEST) and not wide)
        width_for_hint = inside - theme.px(WIDTH) if wide else inside
        self._place_draft_buttons(width_for_hint)
        self.requests.place(theme.px(WIDTH - 2 * PADDING - 2 * EDGE) if wide else inside)
        self._hint.wrap_to(width_for_hint)
        self._accept_room = width_for_hint
        if self._shown is not None:
            self._show_accept(self._shown[1])

    def _arrange(self, *, wide: bool, low: bool, lowest: bool) -> None:
        """Stack all parts, or place them next to the rows in a wide card.

        A low card omits the help line and the Accept button: the offer's own card in the talk has one. The
        lowest ones omit the buttons that copy and compare offers, which a larger window has.
        """
        if (wide, low, lowest) == self._arrangement:
            return
        self._arrangement = wide, low, lowest
        theme, px, frame = self._theme, self._theme.px, self.frame
        side, rows = theme.column(1 if wide else 0, 2), theme.column(0, 2)
        edge, inner = px(EDGE), px(EDGE - 2)
        frame.columnconfigure(rows, weight=0 if wide else 1, minsize=px(WIDTH - 2 * PADDING))
        frame.columnconfigure(theme.column(1, 2), weight=int(wide), minsize=0)
        self._head.grid(row=0, column=rows, sticky="ew", padx=theme.padx(EDGE, 0))
        # In a wide card the requests are below the rows, since the buttons next to these leave no room.
        below = 7 if self._has_requests else 8
        self._list.frame.grid(
            row=2, column=rows, rowspan=below if wide else 1, sticky="nsew", pady=(px(2), 0)
        )
        self._valuation_panel.frame.grid(row=2 if wide else 4, column=side, sticky="new", padx=edge)
        self._draft_buttons.grid(row=5, column=side, sticky="ew", padx=inner, pady=(px(6), 0))
        self.requests.frame.grid(row=9 if wide else 6, column=rows, sticky="sew", padx=inner, pady=(px(4), 0))
        self._send_buttons.grid(row=7, column=side, sticky="ew", padx=inner, pady=(px(4), 0))
        self.accept.grid(row=8, column=side, sticky="ew", padx=inner, pady=(px(4), 0))
        self._hint_area.grid(row=9, column=side, sticky="ew", padx=edge, pady=(px(3), 0))
        self._help.grid(row=1, column=rows, sticky=theme.west, padx=edge, pady=(0, px(4)))
        self._rule.grid(row=3, column=rows, sticky="ew", padx=edge, pady=(px(2), px(4)))
        if not self._has_requests:
            self.requests.frame.grid_remove()
        hidden: list[tk.Widget] = [self._help, self._rule] if wide else []
        if low:
            hidden = [self._help, self.accept, self._hint_area]
        if lowest and self._has_requests:
            hidden.append(self._draft_buttons)
        for widget in hidden:
            widget.grid_remove()

    def _bind_keys(self) -> None:
        """Bind undo and redo in the whole builder, fields included: they have no other use for these keys."""

        def redo(_event: object) -> str:
            self._on_redo()
            return "break"

        def undo(event: tk.Event[tk.Misc]) -> str:
            if int(event.state) & SHIFT:
                return redo(event)
            self._on_undo()
            return "break"

        # The capital letters are for Shift and for Caps Lock.
        for key, call in (("z", undo), ("y", redo), ("Y", redo), ("Z", undo)):
            bind_tag(self.frame, self._tag, f"<Control-{key}>", call)
        bind_tag(self.frame, self._tag, "<Escape>", lambda _event: self._close_compare())
        add_tag(self.frame, self._tag)
        add_tag(self._panel.frame, self._tag)

    # Showing the view

    def _show_row(self, row: BuilderRow, can_edit: bool) -> None:
        if row.issue.name not in self._rows:
            self._add_row(row)
        head, cells = self._rows[row.issue.name]
        head.show(row.head)
        match cells, row:
            case QuantityCells(), QuantityRow():
                cells.show(row, can_edit)
            case ChoiceCells(), ChoiceRow():
                cells.show(row, can_edit)
            case NumberCells(), NumberRow():
                cells.show(row, can_edit)

    def _show_requests(self, view: BuilderView) -> None:
        if view.requests is None:
            return
        self.requests.show(view.requests)
        if not self._has_requests and self._arrangement is not None:
            self._has_requests = True
            (wide, low, lowest), self._arrangement = self._arrangement, None
            self._arrange(wide=wide, low=low, lowest=lowest)

    def _show_accept(self, accept: AcceptView) -> None:
        self._hint.write(accept.hint)
        text, small = self._accept_label(accept)
        self._theme.set_button_text(self.accept, text)
        _enable(self.accept, accept.offer_id is not None)
        style = "Outline.Danger.TButton" if accept.worse_than_no_deal else "Outline.Accept.TButton"
        if small:
            style = f"Small.{style}"
        if str(self.accept.cget("style")) != style:
            self.accept.configure(style=style)

    def _accept_label(self, accept: AcceptView) -> tuple[str, bool]:
        """Return the longest label of the button that fits, and whether it uses the small font."""
        theme, room = self._theme, self._accept_room - self._theme.px(AROUND_WORDS)
        for font in ("bold", "small_bold"):
            if theme.font(font).measure(accept.text) <= room:
                return accept.text, font != "bold"
        return accept.short_text or accept.text, True

    def _start_from_theirs(self) -> None:
        """Copy the offer that was shown when the button was pressed."""
        theirs = self._shown[0].their_offer if self._shown else None
        if theirs is not None:
            self._on_change(lambda draft: draft.replaced_by(theirs))

    def _close_compare(self) -> None:
        if self._panel.open:
            self._set_compare(False)
            self.compare.focus_set()

    def _set_compare(self, is_open: bool) -> None:
        self._panel.set_open(is_open)
        self.compare.configure(style="Chosen.Toggle.TButton" if is_open else "Toggle.TButton")


def _enable(button: ttk.Button, can_press: bool) -> None:
    state = "normal" if can_press else "disabled"
    if str(button.cget("state")) != state:
        button.configure(state=state)
