"""The offer builder: units to give and take, values and numbers to choose, buttons that send and accept."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk

from negoplatform.domain.issue import CategoricalIssue, NumberIssue, QuantityIssue
from negoplatform.domain.seat import Seat
from negoplatform.gui.number_cells import NumberCells
from negoplatform.gui.scrolled import ScrolledFrame, no_wheel
from negoplatform.gui.theme import AMBER, BLUE, GREY, LINE, MUTED, SOFT_BLUE, Theme
from negoplatform.gui.view import AcceptView, BuilderView, ChoiceRow, NumberRow, QuantityRow, Row

UNDECIDED = "Undecided"

OnUnits = Callable[[QuantityIssue, Seat], None]
OnChoice = Callable[[CategoricalIssue, str | None], None]


class QuantityCells:
    """One quantity issue: a cell per seat with less and more, and the undecided units.

    Args:
        parent: Where it is put.
        theme: Its looks.
        row: What it shows first.
        on_give: Is called when a seat shall get one unit more.
        on_take: Is called when a seat shall get one unit less.
    """

    def __init__(
        self, parent: tk.Misc, theme: Theme, row: QuantityRow, *, on_give: OnUnits, on_take: OnUnits
    ) -> None:
        self.frame = theme.frame(parent)
        self.buttons: dict[str, ttk.Button] = {}
        self._units: dict[Seat, tk.Label] = {}
        cells = len(row.units) + 1
        for column in range(cells):
            self.frame.columnconfigure(column, weight=1, uniform="cells")
        order = [row.units[0][0], None, *(seat for seat, _, _ in row.units[1:])]
        names = {seat: name for seat, name, _ in row.units}
        for column, seat in enumerate(order):
            cell = tk.Frame(
                self.frame,
                bg=SOFT_BLUE if column == 0 else GREY,
                highlightthickness=theme.px(1),
                highlightbackground=LINE,
                highlightcolor=LINE,
            )
            cell.grid(row=0, column=column, sticky="nsew", padx=theme.px(2))
            title = tk.Label(
                cell,
                text=names.get(seat or "", UNDECIDED),
                font=theme.font("small"),
                fg=MUTED,
                bg=cell.cget("bg"),
            )
            title.pack(anchor="w", padx=theme.px(6))
            line = tk.Frame(cell, bg=cell.cget("bg"))
            line.pack(pady=(0, theme.px(3)))
            if seat is not None:
                self._button(line, "–", row.issue, seat, "less", on_take)
            figure = tk.Label(line, text="0", width=3, font=theme.font("heading"), bg=cell.cget("bg"))
            figure.pack(side="left", pady=theme.px(3 if seat is None else 0))
            self._units[seat or UNDECIDED] = figure
            if seat is not None:
                self._button(line, "+", row.issue, seat, "more", on_give)
        self.show(row, can_edit=True)

    def show(self, row: QuantityRow, can_edit: bool) -> None:
        """Shows how the units are divided."""
        self._units[UNDECIDED].configure(text=str(row.undecided))
        for seat, _, units in row.units:
            self._units[seat].configure(text=str(units))
            elsewhere = row.issue.quantity - units
            self.buttons[f"{seat}.less"].configure(state="normal" if can_edit and units else "disabled")
            self.buttons[f"{seat}.more"].configure(state="normal" if can_edit and elsewhere else "disabled")

    def _button(
        self, parent: tk.Misc, sign: str, issue: QuantityIssue, seat: Seat, name: str, call: OnUnits
    ) -> None:
        style = "Own.Unit.TButton" if parent.cget("bg") == SOFT_BLUE else "Unit.TButton"
        button = ttk.Button(parent, text=sign, style=style, command=lambda: call(issue, seat))
        button.pack(side="left")
        self.buttons[f"{seat}.{name}"] = button


class ChoiceCells:
    """One categorical issue: its values to choose from.

    Args:
        parent: Where it is put.
        theme: Its looks.
        row: What it shows first.
        on_choose: Is given the value, or None for undecided.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        row: ChoiceRow,
        *,
        on_choose: OnChoice,
    ) -> None:
        self.frame = theme.frame(parent)
        self._issue = row.issue
        self._on_choose = on_choose
        self.box = ttk.Combobox(
            self.frame, values=(UNDECIDED, *row.choices), state="readonly", font=theme.font("body")
        )
        self.box.pack(fill="x", padx=theme.px(2))
        self.box.bind("<<ComboboxSelected>>", self._chosen)
        no_wheel(self.box)
        self.show(row, can_edit=True)

    def show(self, row: ChoiceRow, can_edit: bool) -> None:
        """Shows the chosen value."""
        wanted = 0 if row.chosen is None else row.chosen + 1
        if self.box.current() != wanted:
            self.box.current(wanted)
        self.box.configure(state="readonly" if can_edit else "disabled")

    def _chosen(self, _event: object) -> None:
        self.box.selection_clear()
        index = self.box.current()
        self._on_choose(self._issue, None if index <= 0 else self._issue.values[index - 1])


Cells = QuantityCells | ChoiceCells | NumberCells


class OfferBuilder:
    """Rows for the issues, the draft's worth, and the buttons.

    Args:
        parent: Where it is put.
        theme: Its looks.
        on_give, on_take, on_choose, on_write, on_step: The draft's changes.
        on_clear: Everything undecided.
        on_send: Send the draft.
        on_accept: Accept the offer that is shown.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        *,
        on_give: OnUnits,
        on_take: OnUnits,
        on_choose: OnChoice,
        on_write: Callable[[NumberIssue, str], None],
        on_step: Callable[[NumberIssue, int], None],
        on_clear: Callable[[], None],
        on_send: Callable[[], None],
        on_accept: Callable[[], None],
    ) -> None:
        self._theme = theme
        self._on_give, self._on_take, self._on_choose = on_give, on_take, on_choose
        self._on_write, self._on_step = on_write, on_step
        self._cells: dict[str, Cells] = {}
        self._standings: dict[str, tk.Label] = {}
        self._shown: tuple[BuilderView, AcceptView] | None = None
        px = theme.px
        self.frame = theme.card(parent)
        # However long a name or a label is, the chat keeps its room.
        self.frame.configure(width=px(384))
        self.frame.grid_propagate(False)
        self.frame.rowconfigure(1, weight=1)
        self.frame.columnconfigure(0, weight=1)
        head = theme.frame(self.frame)
        head.grid(row=0, column=0, sticky="w")
        theme.label(head, "Build an offer", "heading").pack(anchor="w")
        theme.label(head, "Nothing is sent until you press Send offer", "small", MUTED).pack(anchor="w")
        self._rows = ScrolledFrame(self.frame, theme, width=350, height=2000)
        self._rows.frame.grid(row=1, column=0, sticky="nsew", pady=px(6))
        self._worth, self._note = self._make_worth()
        self.send, self.clear, self.accept = self._make_buttons(on_send, on_clear, on_accept)
        self._hint = theme.label(self.frame, "", "small", MUTED)
        self._hint.configure(wraplength=px(350), justify="left")
        self._hint.grid(row=5, column=0, sticky="w", pady=(px(3), 0))

    def show(self, view: BuilderView, accept: AcceptView) -> None:
        """Shows the draft and the offer that can be accepted."""
        if self._shown == (view, accept):
            return
        self._shown = (view, accept)
        for row in view.rows:
            if row.issue.name not in self._cells:
                self._add_row(row)
            problem = row.problem if isinstance(row, NumberRow) else ""
            self._standings[row.issue.name].configure(
                text=problem or f"{row.detail}   {row.standing}".strip(), fg=AMBER if problem else MUTED
            )
            match self._cells[row.issue.name], row:
                case QuantityCells() as cells, QuantityRow():
                    cells.show(row, view.can_edit)
                case ChoiceCells() as choice, ChoiceRow():
                    choice.show(row, view.can_edit)
                case NumberCells() as numbers, NumberRow():
                    numbers.show(row, view.can_edit)
        self._worth.configure(text=view.worth)
        self._note.configure(text=view.note)
        self.send.configure(state="normal" if view.can_send else "disabled")
        self.clear.configure(state="normal" if view.can_clear else "disabled")
        self.accept.configure(
            text=accept.text,
            state="normal" if accept.offer_id is not None else "disabled",
            style="Danger.TButton" if accept.worse_than_no_deal else "Accept.TButton",
        )
        self._hint.configure(text=accept.hint)

    def widgets(self) -> dict[str, tk.Misc]:
        """The controls by name, for those who drive the window."""
        named: dict[str, tk.Misc] = {"send_offer": self.send, "clear": self.clear, "accept": self.accept}
        for issue, cells in self._cells.items():
            match cells:
                case QuantityCells():
                    named.update({f"{issue}.{name}": button for name, button in cells.buttons.items()})
                case ChoiceCells():
                    named[issue] = cells.box
                case NumberCells():
                    named.update(cells.widgets(issue))
        return named

    def _make_worth(self) -> tuple[tk.Label, tk.Label]:
        line = self._theme.frame(self.frame)
        line.grid(row=2, column=0, sticky="ew", pady=(self._theme.px(6), 0))
        self._theme.label(line, "Your draft is worth to you", "body").pack(side="left")
        worth = self._theme.label(line, "", "heading", BLUE)
        worth.pack(side="right")
        note = self._theme.label(self.frame, "", "small", MUTED)
        note.configure(wraplength=self._theme.px(350), justify="left")
        note.grid(row=3, column=0, sticky="w")
        return worth, note

    def _make_buttons(
        self, on_send: Callable[[], None], on_clear: Callable[[], None], on_accept: Callable[[], None]
    ) -> tuple[ttk.Button, ttk.Button, ttk.Button]:
        px = self._theme.px
        buttons = self._theme.frame(self.frame)
        buttons.grid(row=4, column=0, sticky="ew", pady=(px(8), 0))
        buttons.columnconfigure(0, weight=1)
        send = ttk.Button(buttons, text="Send offer", style="Primary.TButton", command=on_send)
        send.grid(row=0, column=0, sticky="ew")
        clear = ttk.Button(buttons, text="Clear", style="Plain.TButton", command=on_clear)
        clear.grid(row=0, column=1, padx=(px(6), 0))
        accept = ttk.Button(buttons, style="Accept.TButton", command=on_accept)
        accept.grid(row=1, column=0, columnspan=2, sticky="ew", pady=(px(8), 0))
        return send, clear, accept

    def _add_row(self, row: Row) -> None:
        box = self._theme.frame(self._rows.inside)
        box.pack(fill="x", pady=(0, self._theme.px(7)))
        title = self._theme.label(box, row.title, "bold")
        title.configure(wraplength=self._theme.px(340), justify="left")
        title.pack(anchor="w")
        standing = self._theme.label(box, "", "small", MUTED)
        standing.configure(wraplength=self._theme.px(340), justify="left")
        standing.pack(anchor="w")
        self._standings[row.issue.name] = standing
        cells = self._make_cells(box, row)
        cells.frame.pack(fill="x", pady=(self._theme.px(2), 0))
        self._cells[row.issue.name] = cells
        self._rows.watch(box)

    def _make_cells(self, box: tk.Misc, row: Row) -> Cells:
        match row:
            case QuantityRow():
                return QuantityCells(box, self._theme, row, on_give=self._on_give, on_take=self._on_take)
            case ChoiceRow():
                return ChoiceCells(box, self._theme, row, on_choose=self._on_choose)
            case NumberRow():
                return NumberCells(
                    box,
                    self._theme,
                    row,
                    undecided=UNDECIDED,
                    on_write=self._on_write,
                    on_step=self._on_step,
                )
