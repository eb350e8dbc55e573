"""Builder of a statement or a question about preferences between issues."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk

from negoplatform.core.events import Message
from negoplatform.gui.chat.phrase_list_button import PhraseButton
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.scrolled_frame import disable_wheel
from negoplatform.presentation.chat.preference_and_batna_statements import (
    PreferenceStatement,
    preference_message,
    relation_words,
    relations_for,
)
from negoplatform.presentation.localized_names import displayable, truncate

LONGEST = 20
"""Characters of a title that fit into a box; the sentence below contains the whole title."""


class PreferenceStatementBuilder:
    """Two issues with a relation between them, and below them buttons for the resulting sentences.

    Args:
        parent: The parent of the builder.
        theme: The window's theme.
        issues: Name and title of each issue; at least one.
        on_send: Called with the chosen message.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        issues: tuple[tuple[str, str], ...],
        *,
        on_send: Callable[[Message], None],
    ) -> None:
        self._theme = theme
        self._titles = dict(issues)
        self._chosen = PreferenceStatement.default_for(tuple(self._titles))
        self._relations = relations_for(len(issues))
        self._on_send = on_send
        self._can_talk = True
        self.frame = theme.frame(parent)
        boxes = theme.frame(self.frame)
        boxes.pack(fill="x", pady=(0, theme.px(4)))
        titles = [truncate(displayable(title), LONGEST) for title in self._titles.values()]
        self.first = self._box(boxes, 0, titles, self._first_chosen)
        words = [relation_words(relation, theme.translate) for relation in self._relations]
        self.relation = self._box(boxes, 1, words, self._relation_chosen)
        self.second = self._box(boxes, 2, titles, self._second_chosen)
        self._statement_button = self._sentence(is_question=False)
        self._question_button = self._sentence(is_question=True)
        self._set_statement()

    def show(self, can_talk: bool) -> None:
        """Update whether messages can be sent."""
        if can_talk == self._can_talk:
            return
        self._can_talk = can_talk
        for box in (self.first, self.relation, self.second):
            box.configure(state="readonly" if can_talk else "disabled")
        self._statement_button.enable(can_talk)
        self._question_button.enable(can_talk)

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the controls by name, in reading order."""
        boxes = {"pref.issue1": self.first, "pref.relation": self.relation, "pref.issue2": self.second}
        if not self._chosen.has_second_issue:
            del boxes["pref.issue2"]
        return {**boxes, "pref.tell": self._statement_button.button, "pref.ask": self._question_button.button}

    def _box(
        self, parent: tk.Misc, index: int, texts: list[str], on_choose: Callable[[int], None]
    ) -> ttk.Combobox:
        theme = self._theme
        box = ttk.Combobox(
            parent,
            values=[theme.visual_order(text) for text in texts],
            state="readonly",
            width=8,  # the columns share the available width
            font=theme.font("body"),
            justify=theme.justify,
        )
        box.grid(row=0, column=theme.column(index, 3), sticky="ew", padx=theme.padx(4 if index else 0, 0))
        # Names of issues are longer than relations.
        parent.columnconfigure(theme.column(index, 3), weight=1, uniform="box")
        box.bind("<<ComboboxSelected>>", lambda _event: on_choose(box.current()))
        disable_wheel(box)
        return box

    def _sentence(self, *, is_question: bool) -> PhraseButton:
        button = PhraseButton(self.frame, self._theme, lambda: self._send(is_question=is_question))
        button.button.pack(fill="x", pady=self._theme.px(1))
        return button

    def _first_chosen(self, index: int) -> None:
        self._set_statement(self._chosen.with_first(list(self._titles)[index]))

    def _second_chosen(self, index: int) -> None:
        self._set_statement(self._chosen.with_second(list(self._titles)[index]))

    def _relation_chosen(self, index: int) -> None:
        self._set_statement(self._chosen.with_relation(self._relations[index]))

    def _set_statement(self, chosen: PreferenceStatement | None = None) -> None:
        self._chosen = chosen or self._chosen
        names = list(self._titles)
        self.first.current(names.index(self._chosen.first))
        self.relation.current(self._relations.index(self._chosen.relation))
        self.second.current(names.index(self._chosen.second))
        if self._chosen.has_second_issue:
            self.second.grid()
        else:
            self.second.grid_remove()
        for box in (self.first, self.relation, self.second):
            box.selection_clear()
        self._statement_button.write(self._message(is_question=False).text)
        self._question_button.write(self._message(is_question=True).text)

    def _message(self, *, is_question: bool) -> Message:
        preference = self._chosen.preference(is_question=is_question)
        return preference_message(preference, self._titles, self._theme.translate)

    def _send(self, *, is_question: bool) -> None:
        self._on_send(self._message(is_question=is_question))
