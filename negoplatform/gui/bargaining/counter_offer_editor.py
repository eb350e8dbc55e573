"""Editor for a counter-offer, in the card of the offer that it answers."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence

from negoplatform.domain.seat_map import Seat
from negoplatform.gui.bargaining.choice_row import ChoiceCells, chip_font
from negoplatform.gui.bargaining.number_row import NumberCells
from negoplatform.gui.pictures.issue_picture_cache import IssuePhotoCache
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.pressable_cell import CellImages
from negoplatform.presentation.bargaining.draft_offer import OnDraftChange
from negoplatform.presentation.bargaining.newest_offer_card_view import CounterOfferView
from negoplatform.presentation.bargaining.offer_builder_rows import (
    BuilderRow,
    ChoiceRow,
    NumberRow,
    QuantityRow,
)
from negoplatform.presentation.offers.offer_valuation import comparison_colour
from negoplatform.presentation.transcript.offer_card_layout import RING

PICTURE, CHANGE_BAR_WIDTH = 18, 3
"""Sizes of the picture in front of a title and of the bar at a changed row, in pixels at 96 dpi."""

MAX_CHIP_ISSUES = 3
"""Largest number of categorical issues shown as chips; with more, lists keep the card within the talk."""

MOST_BESIDE = 2
"""Largest number of seats whose units are shown in one line with the stepper."""

LIST_WIDTH = 21
"""Width of a list, in characters, when it shares a line with its title."""


class CounterOfferEditor:
    """Editor with a row for each issue, the worth of the terms, and the buttons to send and cancel.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        pictures: Pictures of issues.
        width: Width of the editor in pixels.
        on_change: Called with an edit of the draft.
        on_send: Called to send the counter-offer.
        on_cancel: Called to restore the draft as it was before.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        *,
        pictures: IssuePhotoCache,
        width: int,
        on_change: OnDraftChange,
        on_send: Callable[[], None],
        on_cancel: Callable[[], None],
    ) -> None:
        self._theme, self._pictures, self._width = theme, pictures, width
        self._images = CellImages(theme, pictures)
        self._on_change = on_change
        self._chip_font, self._maker = "", ""
        self._rows: list[_EditorRow] = []
        c, px = theme.colours, theme.px
        self.frame = theme.frame(parent)
        self._notice = theme.label(self.frame, "", "small_bold", c.warning, wrap=width / theme.scale)
        self._list = theme.frame(self.frame)
        padx = theme.padx(RING, 0)
        self._list.pack(fill="x", padx=padx)
        theme.rule(self.frame).pack(fill="x", padx=padx, pady=px(6))
        foot = theme.frame(self.frame)
        foot.pack(fill="x", padx=padx)
        theme.label(foot, theme.translate("Worth to you"), "small", c.muted).pack(side=theme.start)
        self._worth = theme.label(foot, "", "bold")
        self._worth.pack(side=theme.end)
        self._compared = theme.label(self.frame, "", "small", c.muted, wrap=width / theme.scale)
        self._compared.pack(anchor=theme.west, padx=padx)
        line = theme.frame(self.frame)
        line.pack(fill="x", pady=(px(6), 0))
        self.send = theme.button(
            line, theme.translate("Send counter-offer"), "Card.Primary.TButton", on_send, icon="offer"
        )
        self.send.pack(side=theme.start)
        self.cancel = theme.button(line, theme.translate("Cancel"), "Toggle.TButton", on_cancel)
        self.cancel.pack(side=theme.start, padx=theme.padx(6, 0))

    def show(self, view: CounterOfferView, rows: Sequence[BuilderRow], *, enabled: bool) -> None:
        """Show the terms and their worth."""
        c, self._maker = self._theme.colours, view.maker
        if not self._rows:
            choices = [row for row in rows if isinstance(row, ChoiceRow)]
            few = len(choices) <= MAX_CHIP_ISSUES
            self._chip_font = chip_font(self._theme, choices, self._room) if few else ""
            self._rows = [self._make_row(row) for row in rows]
        for made, row, change in zip(self._rows, rows, view.changes, strict=True):
            made.show(row, change, can_edit=enabled)
        self._notice.write(view.notice)
        if view.notice and not self._notice.winfo_manager():
            padx, below = self._theme.padx(RING, 0), (0, self._theme.px(4))
            self._notice.pack(before=self._list, anchor=self._theme.west, padx=padx, pady=below)
        colour = comparison_colour(view.versus, c)
        self._worth.write(view.worth, colour or c.ink)
        self._compared.write(view.compared, colour or c.muted)
        self.send.state(["!disabled" if enabled and view.can_send else "disabled"])
        self.cancel.state(["!disabled" if enabled else "disabled"])

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the controls by name, in reading order."""
        named: dict[str, tk.Misc] = {}
        for row in self._rows:
            named |= {f"card.{name}": widget for name, widget in row.widgets().items()}
        return {**named, "card.send": self.send, "card.cancel": self.cancel}

    @property
    def _room(self) -> int:
        return self._width - self._theme.px(CHANGE_BAR_WIDTH + 6)

    def _make_row(self, row: BuilderRow) -> _EditorRow:
        made = _EditorRow(self._list, self._theme, row, self._pictures, self._make_cells, room=self._room)
        made.frame.pack(fill="x", pady=self._theme.px(2))
        return made

    def _make_cells(self, parent: tk.Misc, row: BuilderRow) -> _Cells:
        match row:
            case QuantityRow():
                return _UnitStepper(
                    parent, self._theme, row, on_change=self._on_change, rest_to=lambda: self._maker
                )
            case ChoiceRow():
                return ChoiceCells(
                    parent,
                    self._theme,
                    self._images,
                    row,
                    room=self._room,
                    font=self._chip_font,
                    on_change=self._on_change,
                )
            case NumberRow():
                return NumberCells(parent, self._theme, row, on_change=self._on_change)


class _UnitStepper:
    """Stepper for the participant's own units of an issue; what they give up goes to another seat.

    With one other, the other's units are next to it. Those of several have a text of their own, ``others``,
    which the owner places.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        row: Initial contents.
        on_change: Called with an edit of the draft.
        rest_to: Returns the seat to which units go.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        row: QuantityRow,
        *,
        on_change: OnDraftChange,
        rest_to: Callable[[], Seat],
    ) -> None:
        self._theme = theme
        issue, mine = row.issue, row.units[0][0]
        self.frame = theme.frame(parent)
        # Units that the participant gives up go to another seat: a counter to a complete offer stays
        # complete.
        self.less = theme.button(
            self.frame,
            "–",
            "Step.TButton",
            lambda: on_change(lambda draft: draft.move(issue, mine, rest_to())),
        )
        self.count = theme.label(self.frame, "", "bold")
        self.count.configure(width=max(3, len(str(issue.quantity))), anchor="center")
        self.more = theme.button(
            self.frame, "+", "Step.TButton", lambda: on_change(lambda draft: draft.give(issue, mine))
        )
        is_several = len(row.units) > MOST_BESIDE
        holder = parent if is_several else self.frame
        self.rest_label = theme.label(holder, "", "small", theme.colours.muted)
        self.others = self.rest_label if is_several else None
        # Less and more keep their sides in every language, like the numbers that they step through.
        for column, widget in enumerate((self.less, self.count, self.more)):
            widget.grid(row=0, column=column + 1 if theme.rtl else column)
        if not is_several:
            self.rest_label.grid(row=0, column=0 if theme.rtl else 3, padx=theme.px(8), sticky=theme.west)
            # Reserve the widest text possible while everything is decided, so that the buttons of all rows
            # align.
            widest = max(
                theme.font("small").measure(self._rest(row, units)) for units in range(issue.quantity + 1)
            )
            self.frame.columnconfigure(0 if theme.rtl else 3, minsize=widest + theme.px(16))
        self.show(row, can_edit=True)

    def show(self, row: QuantityRow, can_edit: bool) -> None:
        """Show the participant's units and those of the others."""
        (_, _, own), *_ = row.units
        self.count.write(str(own))
        rest = self._rest(row)
        if row.undecided:
            undecided = self._theme.translate("{n} undecided", n=row.undecided)
            rest = ", ".join(filter(None, (rest, undecided)))
        self.rest_label.write(rest)
        self.less.state(["!disabled" if can_edit and own > 0 else "disabled"])
        self.more.state(["!disabled" if can_edit and own < row.issue.quantity else "disabled"])

    def _rest(self, row: QuantityRow, units: int | None = None) -> str:
        """Return a text of the others' units; with ``units``, as if each of them had that many."""
        translate = self._theme.translate
        if self.others is not None:
            return ", ".join(
                translate("{name} {n}", name=name, n=number) for _, name, number in row.units[1:] if number
            )
        return ", ".join(
            translate("{name} gets {n}", name=name, n=number if units is None else units)
            for _, name, number in row.units[1:]
        )

    def widgets(self, issue: str) -> dict[str, tk.Misc]:
        """Return the buttons by name."""
        return {f"{issue}.less": self.less, f"{issue}.more": self.more}


_Cells = _UnitStepper | ChoiceCells | NumberCells


class _EditorRow:
    """Row of one issue: picture, title, change and control."""

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        row: BuilderRow,
        pictures: IssuePhotoCache,
        make: Callable[[tk.Misc, BuilderRow], _Cells],
        *,
        room: int,
    ) -> None:
        self._theme, self._issue = theme, row.issue.name
        px, c = theme.px, theme.colours
        self.frame = theme.frame(parent)
        self._mark = tk.Frame(self.frame, bg=c.card, bd=0, width=px(CHANGE_BAR_WIDTH))
        self._mark.pack(side=theme.start, fill="y", padx=theme.padx(0, 6))
        inside = theme.frame(self.frame)
        inside.pack(side=theme.start, fill="x", expand=True)
        self._head = head = theme.frame(inside)
        picture = pictures.get(row.issue.picture, px(PICTURE))
        if picture is not None:
            image = tk.Label(head, image=picture, bg=c.card, bd=0, padx=0, pady=0)
            image.pack(side=theme.start, padx=theme.padx(0, 6))
        title = theme.label(head, row.head.title, "body")
        title.pack(side=theme.start)
        self._cells = make(inside, row)
        box = self._cells.box if isinstance(self._cells, ChoiceCells) else None
        if box is not None and isinstance(row, ChoiceRow):
            # Shorter than in the wider builder: the value and its points.
            short = [f"{value} {worth}".strip() for value, worth in zip(row.values, row.worths, strict=True)]
            words = [theme.visual_order(text) for text in (theme.translate("Undecided"), *short)]
            now = box.current()
            box.configure(width=LIST_WIDTH, values=words)
            box.current(max(0, now))
            title.wrap_to(max(px(80), room - box.winfo_reqwidth() - px(PICTURE + 14)))
        # The change is shown next to the title, or below it if a list uses the room there.
        self._below = box is not None
        self._change = theme.label(inside if self._below else head, "", "small", c.muted)
        if isinstance(row, QuantityRow) or box is not None:
            if isinstance(self._cells, _UnitStepper) and self._cells.others is not None:
                self._cells.others.wrap_to(room)
                self._cells.others.pack(side="bottom", anchor=theme.west)
            head.pack(side=theme.start)
            self._cells.frame.pack(side=theme.end)
        else:
            head.pack(fill="x")
            self._cells.frame.pack(fill="x")

    def show(self, row: BuilderRow, change: str, *, can_edit: bool) -> None:
        """Show the terms, and the other side's terms if these differ."""
        c = self._theme.colours
        self._mark.configure(bg=c.primary if change else c.card)
        self._change.write(change)
        if not change:
            self._change.pack_forget()
        elif self._below:
            self._change.pack(side="bottom", anchor=self._theme.east, before=self._head)
        else:
            self._change.pack(side=self._theme.start, padx=self._theme.padx(8, 0))
        match self._cells, row:
            case _UnitStepper(), QuantityRow():
                self._cells.show(row, can_edit)
            case ChoiceCells(), ChoiceRow():
                self._cells.show(row, can_edit)
            case NumberCells(), NumberRow():
                self._cells.show(row, can_edit)

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the controls by name."""
        return self._cells.widgets(self._issue)
