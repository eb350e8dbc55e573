"""Short screens: choice, wait, call, result, payment, and the end."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from tkinter import ttk
from typing import Any

from negoplatform.domain.errors import Refused
from negoplatform.gui.study.option_cells import OptionCell, link_option_keys
from negoplatform.gui.study.step_actions import StepActions
from negoplatform.gui.study.step_frame import StepFrame
from negoplatform.gui.study.text_view import TextView
from negoplatform.gui.theming.bidi_label import BidiLabel
from negoplatform.gui.theming.screen_reader_names import set_accessible_name
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.study.step_page import CHOSEN, WORD, StepPage
from negoplatform.presentation.time_and_points_text import clock_text

WIDTH = 560
"""Width of the body, for 96 dpi."""


class ShortScreen(StepFrame):
    """Screen that is as high as its contents, which begin with the page's text.

    Args:
        theme: Theme of the window.
        page: What is shown.
        actions: Actions of the participant.
        announcer: Reports the positions of controls to UI tests.
        picture: Returns the file of a picture.
    """

    def __init__(
        self,
        theme: Theme,
        page: StepPage,
        actions: StepActions,
        *,
        announcer: UiTestAnnouncer,
        picture: Callable[[str], Path | None],
    ) -> None:
        super().__init__(theme, page, actions, announcer=announcer, picture=picture, fills=False, width=WIDTH)
        text = TextView(self.body, theme, picture)
        for block in page.blocks:
            text.add(block)
        self.wrap(text)
        self.build()
        self.finish()

    def build(self) -> None:
        """Add the widgets below the text."""

    def add_label(self, text: str, font: str = "body", colour: str = "", above: float = 4) -> BidiLabel:
        """Add a paragraph."""
        theme = self.theme
        label = theme.label(self.body, text, font, colour)
        label.pack(anchor=theme.west, pady=(theme.px(above), theme.px(4)))
        self.wrap(label)
        return label

    def add_table(self, rows: Sequence[tuple[str, str]]) -> None:
        """Add a table of labels and values, with a line between two rows."""
        table = RowTable(self.body, self.theme, rows)
        table.frame.pack(fill="x", pady=(self.theme.px(4), self.theme.px(6)))
        self.wrap(table)

    def add_amount(self) -> None:
        """Add the amount of the payment, if there is one."""
        if not self.page.amount:
            return
        theme, px, c = self.theme, self.theme.px, self.theme.colours
        box = tk.Frame(self.body, bg=c.mine_soft, bd=0, padx=px(16), pady=px(12))
        box.pack(fill="x", pady=px(8))
        theme.label(box, theme.translate("Your payment:"), "body", c.ink, ground=c.mine_soft).pack(
            side=theme.start
        )
        theme.label(box, self.page.amount, "big", c.ink, ground=c.mine_soft).pack(side=theme.end)


class RowTable:
    """Rows of a label and a value.

    Args:
        parent: Parent widget, on a card.
        theme: Theme of the window.
        rows: Labels and values.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, rows: Sequence[tuple[str, str]]) -> None:
        self._theme = theme
        self.frame = theme.frame(parent)
        self.frame.columnconfigure(theme.column(0, 2), weight=1)
        self._labels: list[BidiLabel] = []
        self._values: list[BidiLabel] = []
        for index, (label, value) in enumerate(rows):
            if index:
                theme.rule(self.frame).grid(row=2 * index, column=0, columnspan=2, sticky="ew")
            about = theme.label(self.frame, label)
            about.grid(row=2 * index + 1, column=theme.column(0, 2), sticky=theme.west, pady=theme.px(6))
            shown = theme.label(self.frame, value, "bold")
            shown.grid(row=2 * index + 1, column=theme.column(1, 2), sticky=theme.east, pady=theme.px(6))
            self._labels.append(about)
            self._values.append(shown)

    def wrap_to(self, width: int) -> None:
        """Wrap the rows at a width in pixels."""
        for label in self._values:
            label.wrap_to(round(width * 0.4))
        taken = max((label.winfo_reqwidth() for label in self._values), default=0)
        for label in self._labels:
            label.wrap_to(max(self._theme.px(60), width - taken - self._theme.px(16)))


class WaitScreen(ShortScreen):
    """Wait for a time or for the experimenter, with the elapsed time."""

    def build(self) -> None:
        """Add the time, and the experimenter's button."""
        theme, page = self.theme, self.page
        self._is_over = False
        self._waited = self.add_label("", "heading", theme.colours.primary, above=8)
        sentence = (
            theme.translate("The study will continue by itself; you don’t have to do anything.")
            if page.wait_seconds is not None
            else theme.translate("The experimenter will let you continue.")
        )
        self.add_label(sentence, "body", theme.colours.muted)
        if page.wait_seconds is None and not page.help_is_open:
            self.add_button(
                theme.translate("Experimenter"),
                lambda: self.perform_without_leaving(self.actions.ask_experimenter),
                name="experimenter",
                icon="lock",
            )

    def show_time(self) -> None:
        """Show the elapsed time."""
        super().show_time()
        waited = clock_text(int(self.elapsed_seconds), self.theme.translate)
        self._waited.write(self.theme.translate("You’ve waited {time}", time=waited))

    def act_on_time(self) -> None:
        """End the wait when its time is over."""
        super().act_on_time()
        seconds = self.page.wait_seconds
        if seconds is not None and self.elapsed_seconds >= seconds and not (self._is_over or self.is_done):
            self._is_over = True
            self.perform_without_leaving(self.actions.wait_is_over)

    def focus_first(self) -> None:
        """Give the keyboard focus to no control: there is nothing to do."""
        self.focus_nothing()


class CallScreen(ShortScreen):
    """Web page or program to open, and the word that it shows at its end."""

    def build(self) -> None:
        """Add the button that opens it, the field for the word, and the main button."""
        theme, page, translate = self.theme, self.page, self.theme.translate
        text = translate("Open the web page") if page.target == "page" else translate("Open the program")
        self._open = theme.button(
            self.body,
            text,
            "Plain.TButton",
            lambda: self.perform_without_leaving(self.actions.open_call),
            icon="globe" if page.target == "page" else "play",
        )
        self._open.pack(anchor=theme.west, pady=theme.px(8), padx=theme.px(1))
        self.announcer.register("open_call", self._open)
        if not page.help_is_open:
            # A program may be missing or never end, and a word may be lost.
            self.add_button(
                translate("Experimenter"),
                lambda: self.perform_without_leaving(self.actions.ask_experimenter),
                name="experimenter",
                icon="lock",
            )
        self._word: ttk.Entry | None = None
        if page.returns == "exit_code":
            self.add_label(
                translate("When you close the program, the study continues by itself."),
                "body",
                theme.colours.muted,
            )
            return
        if page.returns == "word":
            self._word = self._add_word()
        else:
            self.add_label(
                translate("When you’ve finished there, come back here and press Continue."),
                "body",
                theme.colours.muted,
            )
        self.add_continue(translate("Continue"), self._go_on)

    def entered(self) -> Mapping[str, Any]:
        """Return the typed word."""
        typed = {} if self._word is None else {WORD: self._word.get()}
        return {**super().entered(), **typed}

    def focus_first(self) -> None:
        """Give the keyboard focus to the button that opens it."""
        self._open.focus_set()

    def _add_word(self) -> ttk.Entry:
        theme = self.theme
        self.add_label(
            theme.translate("At the end you’ll see a word. Please type it here:"), "bold", above=10
        )
        field = ttk.Entry(self.body, font=theme.font("body"), width=24, justify=theme.justify)
        field.insert(0, str(self.page.answers.get(WORD, "")))
        field.pack(anchor=theme.west, padx=theme.px(1), pady=(0, theme.px(4)))
        field.bind("<KeyRelease>", lambda _event: self.changed(), add="+")
        self.bind_enter(field)
        self.announcer.register("word", field)
        return field

    def _go_on(self) -> None:
        word = "" if self._word is None else self._word.get().strip()
        if self._word is not None and not word:
            self._word.focus_set()
            raise Refused("Please type the word.")
        self.actions.return_from_call(word)


class ChoiceScreen(ShortScreen):
    """Cards of which one is chosen and confirmed."""

    def build(self) -> None:
        """Add the cards."""
        page, theme = self.page, self.theme
        ids = [option.id for option in page.options]
        kept = page.answers.get(CHOSEN)
        self._chosen = ids.index(kept) if kept in ids else -1
        self._cells: list[OptionCell] = []
        for index, option in enumerate(page.options):
            cell = OptionCell(
                self.body,
                theme,
                option.label,
                secondary=option.text,
                mark="radio",
                on_press=partial(self._press, index),
            )
            cell.frame.pack(fill="x", pady=(0, theme.px(4)))
            self._cells.append(cell)
            self.wrap(cell)
            self.announcer.register(f"option.{option.id}", cell.frame)
        link_option_keys(self._cells, self._press_by_key)
        self._show()
        self.add_continue(theme.translate("Continue"), self._go_on)

    def entered(self) -> Mapping[str, Any]:
        """Return the chosen option."""
        chosen = {CHOSEN: self.page.options[self._chosen].id} if self._chosen >= 0 else {}
        return {**super().entered(), **chosen}

    def focus_first(self) -> None:
        """Give the keyboard focus to no card at first: a ring around one would suggest it."""
        self.focus_nothing()
        self.frame.bind("<Tab>", self._enter_cards)
        self.frame.bind("<Shift-Tab>", lambda _event: None)  # Tab too on Windows, but the other way round

    def _enter_cards(self, _event: object) -> str:
        self._cells[max(0, self._chosen)].frame.focus_set()
        return "break"

    def _press(self, index: int) -> None:
        self._chosen = index
        self.show_problem("")
        self._show()
        self.changed()

    def _press_by_key(self, index: int) -> None:
        self._cells[index].frame.focus_set()
        self._press(index)

    def _show(self) -> None:
        for index, cell in enumerate(self._cells):
            cell.show(chosen=index == self._chosen)
            if self._chosen >= 0:
                cell.frame.configure(takefocus=1 if index == self._chosen else 0)

    def _go_on(self) -> None:
        if self._chosen < 0:
            for cell in self._cells:
                cell.mark_fault(True)
            self._cells[0].frame.focus_set()
            raise Refused("Please choose one of these.")
        self.actions.choose(self.page.options[self._chosen].id)


class ResultScreen(ShortScreen):
    """Result of a round."""

    def build(self) -> None:
        """Add the table."""
        self.add_table(self.page.rows)
        self.add_continue(self.theme.translate("Continue"), self.actions.go_on)


class PaymentScreen(ShortScreen):
    """The participant's payment, with how it is computed."""

    def build(self) -> None:
        """Add the table, and the amount."""
        self.add_table(self.page.rows)
        self.add_amount()
        self.add_continue(self.theme.translate("Continue"), self.actions.go_on)


class EndScreen(ShortScreen):
    """End of the visit: a text, the payment again, and the code for a withdrawal."""

    def build(self) -> None:
        """Add the payment and the code; after the visit there is no button."""
        theme, page, c = self.theme, self.page, self.theme.colours
        self.add_amount()
        if page.withdrawal_code:
            sentence = theme.translate("To have your data deleted later, tell the laboratory this code:")
            self.add_label(sentence, "body", above=8)
            code = theme.label(self.body, page.withdrawal_code, "heading", c.primary)
            code.pack(anchor=theme.west, pady=(0, theme.px(8)))
            set_accessible_name(code, "Label", " ".join(page.withdrawal_code))
        if page.kind != "over":
            self.add_continue(theme.translate("Finish"), self.actions.go_on, icon="check")
        else:
            self.add_label(
                theme.translate("Please tell the experimenter that you’re done."),
                "bold",
                above=8,
            )
