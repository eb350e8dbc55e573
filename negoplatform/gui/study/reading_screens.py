"""Screens to read: pages and consent."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping
from pathlib import Path
from tkinter import ttk
from typing import Any

from negoplatform.domain.errors import Refused
from negoplatform.gui.study.option_cells import OptionCell
from negoplatform.gui.study.step_actions import StepActions
from negoplatform.gui.study.step_frame import StepFrame
from negoplatform.gui.study.text_view import TextView
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.dialogs import ModalHost
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.confirmation_question import ConfirmationQuestion
from negoplatform.presentation.localized_names import displayable
from negoplatform.presentation.study.step_page import SIGNATURE, TICKS, StepPage

END = 0.999
"""Share of a text that has to be above the lower edge for the text to count as read to its end."""


class PageScreen(StepFrame):
    """Text on one page or several, with Back.

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
        super().__init__(theme, page, actions, announcer=announcer, picture=picture)
        self._was_read = not page.must_scroll
        text = TextView(self.body, theme, picture)
        for block in page.blocks:
            text.add(block)
        self.wrap(text)
        if page.can_go_back:
            back = page.page - 1
            self.add_button(
                theme.translate("Back"), lambda: self.perform(lambda: actions.show_page(back)), name="back"
            )
        self.add_continue(theme.translate("Continue"), self._go_on, may=self._is_read)
        if page.must_scroll:
            # Scrolling by wheel, keys and bar all report here.
            shown = str(self.scrolled.canvas.cget("yscrollcommand"))
            self.scrolled.canvas.configure(
                yscrollcommand=lambda low, high: self._scrolled(shown, float(low), float(high))
            )
        self.finish()

    def _go_on(self) -> None:
        page = self.page
        if page.page + 1 < page.pages:
            self.actions.show_page(page.page + 1)
        else:
            self.actions.go_on()

    def _is_read(self) -> bool:
        return self._was_read

    @property
    def hint(self) -> str:
        """Sentence about the text that has not been read to its end."""
        return "" if self._was_read else self.theme.translate("Please read to the end.")

    def _scrolled(self, shown: str, low: float, high: float) -> None:
        self.frame.tk.call(shown, low, high)
        # Before its first layout, a text is reported as completely visible.
        if high >= END and self.scrolled.canvas.winfo_height() > 1 and not self._was_read:
            self._was_read = True
            self.refresh_continue()


class ConsentScreen(StepFrame):
    """Text with statements to tick, a field for the participant's code, and a button to decline.

    Args:
        theme: Theme of the window.
        page: What is shown.
        actions: Actions of the participant.
        announcer: Reports the positions of controls to UI tests.
        picture: Returns the file of a picture.
    """

    enter_continues = False  # a key that is pressed while reading must not give consent

    def __init__(
        self,
        theme: Theme,
        page: StepPage,
        actions: StepActions,
        *,
        announcer: UiTestAnnouncer,
        picture: Callable[[str], Path | None],
    ) -> None:
        super().__init__(theme, page, actions, announcer=announcer, picture=picture)
        self._modal = ModalHost(theme, announcer, before_confirm=lambda: None)
        self._ticks: dict[str, OptionCell] = {}
        self._ticked = [tick for tick in page.answers.get(TICKS, ()) if tick in page.ticks]
        text = TextView(self.body, theme, picture)
        for block in page.blocks:
            if block.kind == "tick" and block.marker in page.ticks:
                self._add_tick(block.marker, displayable(block.plain))
            else:
                text.add(block)
        self.wrap(text)
        self._signature = self._add_signature() if page.wants_signature else None
        translate = theme.translate
        self.add_button(
            translate("I do not agree"), self._ask_to_leave, name="decline", style="Plain.TButton"
        )
        self.add_continue(translate("I agree"), self._agree, icon="check", name="agree")
        self.finish()

    def entered(self) -> Mapping[str, Any]:
        """Return the ticks and the typed code."""
        typed = {} if self._signature is None else {SIGNATURE: self._signature.get()}
        return {**super().entered(), TICKS: list(self._ticked), **typed}

    def focus_first(self) -> None:
        """Give the keyboard focus to no control: the text is read first."""
        self.focus_nothing()

    def close(self) -> None:
        """Stop all timers, and close an open question."""
        super().close()
        self._modal.close()

    def _add_tick(self, tick: str, text: str) -> None:
        theme = self.theme
        cell = OptionCell(self.body, theme, text, mark="check", on_press=lambda: self._press(tick))
        cell.frame.pack(fill="x", pady=(0, theme.px(6)))
        cell.frame.configure(takefocus=1)
        cell.show(chosen=tick in self._ticked)
        self.wrap(cell)
        self._ticks[tick] = cell
        self.announcer.register(f"tick.{tick}", cell.frame)

    def _press(self, tick: str) -> None:
        if tick in self._ticked:
            self._ticked.remove(tick)
        else:
            self._ticked.append(tick)
        self._ticks[tick].show(chosen=tick in self._ticked)
        self.show_problem("")
        self.changed()

    def _add_signature(self) -> ttk.Entry:
        theme = self.theme
        label = theme.label(self.body, theme.translate("To sign, please type your code:"), "bold")
        label.pack(anchor=theme.west, pady=(theme.px(10), theme.px(4)))
        self.wrap(label)
        field = ttk.Entry(self.body, font=theme.font("body"), width=20, justify=theme.justify)
        field.insert(0, str(self.page.answers.get(SIGNATURE, "")))
        field.pack(anchor=theme.west, pady=(0, theme.px(6)), padx=theme.px(2))
        field.bind("<KeyRelease>", lambda _event: self.changed())
        self.bind_enter(field)
        self.announcer.register("signature", field)
        return field

    def _agree(self) -> None:
        missing = [tick for tick in self.page.ticks if tick not in self._ticked and tick in self._ticks]
        for tick, cell in self._ticks.items():
            cell.mark_fault(tick in missing)
        if missing:
            self._focus(self._ticks[missing[0]].frame)
            raise Refused("Please tick every statement, or choose “I do not agree”.")
        if self._signature is not None and not self._signature.get().strip():
            self._focus(self._signature)
            raise Refused("Please type your code.")
        signature = "" if self._signature is None else self._signature.get()
        ticks = [tick for tick in self.page.ticks if tick in self._ticked]
        self.actions.consent(ticks, signature)

    def _focus(self, widget: tk.Widget) -> None:
        self.reveal(widget)
        widget.focus_set()

    def _ask_to_leave(self) -> None:
        translate = self.theme.translate
        question = ConfirmationQuestion(
            translate("You don’t want to take part?"),
            translate("The study ends here then, and nothing about you is kept."),
            translate("I won’t take part"),
            translate("Back"),
            style="Danger.TButton",
        )
        self._modal.ask(question, lambda: self.perform(self.actions.decline))
