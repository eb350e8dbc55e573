"""Screens with items: a page of a form, and a quiz."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from negoplatform.app.visit.visit_run import GivenAnswer
from negoplatform.domain.errors import Refused
from negoplatform.gui.pictures.game_picture_set import GamePictureSet
from negoplatform.gui.pictures.issue_picture_cache import IssuePhotoCache
from negoplatform.gui.study.item_block import ItemBlock
from negoplatform.gui.study.item_field import FieldParts
from negoplatform.gui.study.option_fields import RankField
from negoplatform.gui.study.step_actions import StepActions
from negoplatform.gui.study.step_frame import StepFrame
from negoplatform.gui.study.text_view import TextView
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.pressable_cell import CellImages
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.study.form_items import FormItem, fault_text, visible_items
from negoplatform.presentation.study.step_page import StepPage, timing_key

TYPED = ("number", "text")
"""Kinds of items whose answers are typed."""

GAP = 22
"""Distance between two items, for 96 dpi."""


class _ItemsScreen(StepFrame):
    """Screen with items; items appear and disappear as their conditions say."""

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
        self._timing: dict[str, tuple[int, int]] = {
            name: (int(kept[0]), int(kept[1]))
            for name in (name for item in page.items for name in item.fields)
            if isinstance(kept := page.answers.get(timing_key(name)), list | tuple)
        }
        text = TextView(self.body, theme, picture)
        for paragraph in page.blocks:
            text.add(paragraph)
        self.wrap(text)
        images = CellImages(theme, IssuePhotoCache(theme, GamePictureSet()))
        self._list = theme.frame(self.body)
        self._list.pack(fill="x", pady=(theme.px(4), 0))
        self._blocks: dict[str, ItemBlock] = {}
        for item in page.items:
            block = ItemBlock(self._list, self._parts(item, images))
            block.field.fill(page.answers)
            self.wrap(block)
            self._blocks[item.id] = block
        self._shown: list[str] = []
        self._show_items()

    def entered(self) -> Mapping[str, Any]:
        """Return the answers of all items so far, with their times."""
        values = {
            name: value
            for block in self._blocks.values()
            for name, value in block.field.values().items()
            if value is not None or name in self._timing
        }
        times = {timing_key(name): list(kept) for name, kept in self._timing.items()}
        begun: dict[str, Any] = {}
        for block in self._blocks.values():
            if isinstance(block.field, RankField):
                begun.update(block.field.unfinished())
        return {**super().entered(), **values, **times, **begun}

    def focus_first(self) -> None:
        """Give the keyboard focus to the first item if it is typed; otherwise to none until Tab.

        A ring around a point of a scale would suggest that point.
        """
        self.frame.update_idletasks()
        first = self._first_missing()
        if first is not None and first[0].item.kind in TYPED:
            first[0].field.focus(first[1])
            return
        self.focus_nothing()
        self.frame.bind("<Tab>", self._enter_items)
        self.frame.bind("<Shift-Tab>", lambda _event: None)  # Tab too on Windows, but the other way round

    def _enter_items(self, _event: object) -> str | None:
        first = self._first_missing()
        if first is None:
            return None
        self._focus(*first)
        return "break"

    def _first_missing(self) -> tuple[ItemBlock, str] | None:
        """Return the first item without an answer, and the name of the answer."""
        answers = self.answers()
        for name in self._shown:
            for field in self._blocks[name].item.fields:
                if answers.get(field) is None:
                    return self._blocks[name], field
        return None

    def answers(self) -> dict[str, Any]:
        """Return the answers of the items that are shown."""
        found: dict[str, Any] = {}
        for name in self._shown:
            found.update(self._blocks[name].field.values())
        return found

    def given(self) -> list[GivenAnswer]:
        """Return the answers of the items that are shown, with their times."""
        return [
            GivenAnswer(name, value, *self._timing.get(name, (0, 0)))
            for name, value in self.answers().items()
        ]

    def check(self) -> None:
        """Mark every answer that is missing or does not fit, and go to the first one.

        Raises:
            Refused: If there is any.
        """
        count, first = 0, None
        answers = self.answers()
        for name in self._shown:
            block = self._blocks[name]
            faults = {
                field: fault
                for field in block.item.fields
                if (fault := fault_text(block.item, answers.get(field), self.theme.translate))
            }
            block.show_fault(next(iter(faults.values()), ""), frozenset(faults))
            count += len(faults)
            if faults and first is None:
                first = block, next(iter(faults))
        if first is not None:
            self._focus(*first)
            self.announcer.announce("study_missing", count=count)
            raise Refused("Please look at the marked questions.")

    def _focus(self, block: ItemBlock, field: str) -> None:
        self.reveal(block.frame)
        block.field.focus(field)

    def _parts(self, item: FormItem, images: CellImages) -> FieldParts:
        return FieldParts(
            self.theme,
            images,
            item,
            self.announcer.register,
            lambda name: self._changed(item, name),
            self._enter,
        )

    def _changed(self, item: FormItem, name: str) -> None:
        ms, changes = self.ms, 0
        if name in self._timing:
            changes = self._timing[name][1] + 1
        self._timing[name] = ms, changes
        block = self._blocks.get(item.id)
        if block is None:
            return
        answers = self.answers()
        wrong = frozenset(
            field
            for field in item.fields
            if field != name and fault_text(item, answers.get(field), self.theme.translate)
        )
        if block.is_marked:
            sentence = fault_text(item, None, self.theme.translate) if wrong else ""
            block.show_fault(sentence, wrong if sentence else frozenset())
        self._show_items()
        if not any(self._blocks[name].is_marked for name in self._shown):
            self.show_problem("")
        self.changed()

    def _show_items(self) -> None:
        """Pack the items whose conditions hold, in their order."""
        page = self.page
        known = {**page.answers, **self.answers()} if self._shown else page.answers
        own = {field: known.get(field) for item in page.items for field in item.fields}
        shown = [item.id for item in visible_items(page.items, page.known, own, page.step)]
        if shown == self._shown:
            return
        self._shown = shown
        for block in self._blocks.values():
            block.frame.pack_forget()
        for name in shown:
            self._blocks[name].frame.pack(fill="x", pady=(0, self.theme.px(GAP)))
        if not shown:
            self._list.configure(height=1)

    def _enter(self, event: tk.Event[tk.Misc]) -> str:
        """Go on by Enter in a field of one line if nothing is missing; else to the next control."""
        answers = self.answers()
        is_complete = not any(
            fault_text(self._blocks[name].item, answers.get(field), self.theme.translate)
            for name in self._shown
            for field in self._blocks[name].item.fields
        )
        if is_complete and self.enter_continues:
            return self.press_continue(event)
        following = event.widget.tk_focusNext()
        if following is not None:
            following.focus_set()
        return "break"


class FormScreen(_ItemsScreen):
    """Page of a form.

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
        if page.can_go_back:
            self.add_button(theme.translate("Back"), self._go_back, name="back")
        self.add_continue(theme.translate("Continue"), self._go_on)
        self.finish()

    def _go_on(self) -> None:
        self.check()
        self.actions.answer_page(self.given())

    def _go_back(self) -> None:
        self.perform_without_leaving(lambda: self.actions.keep_draft(self.entered()))
        self.perform(lambda: self.actions.show_page(self.page.page - 1))


class QuizScreen(_ItemsScreen):
    """Quiz with the errors of the last attempt; after the last one, the experimenter is called.

    Args:
        theme: Theme of the window.
        page: What is shown.
        actions: Actions of the participant.
        announcer: Reports the positions of controls to UI tests.
        picture: Returns the file of a picture.
    """

    enter_continues = False  # an attempt counts

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
        for name, sentence in page.faults.items():
            if name in self._blocks:
                self._blocks[name].show_fault(sentence, frozenset({name}))
        if page.attempts_left != 0:
            self.add_continue(theme.translate("Check my answers"), self._go_on)
        self.finish()

    @property
    def hint(self) -> str:
        """Number of attempts that are left."""
        left = self.page.attempts_left
        if left is None:
            return ""
        return self.theme.translate.plural("{n} attempt left", "{n} attempts left", left)

    def _go_on(self) -> None:
        self.check()
        answers = self.answers()
        if self.page.tried and answers == {name: self.page.tried.get(name) for name in answers}:
            raise Refused("These answers have already been checked. Please change one first.")
        self.actions.try_quiz(answers)
