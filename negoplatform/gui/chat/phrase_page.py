"""Page of a group of phrases: a builder if the group has one, and a button for each phrase."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

from negoplatform.core.events import Message
from negoplatform.gui.chat.batna_statement_builder import BatnaStatementBuilder
from negoplatform.gui.chat.phrase_list_button import PhraseButton
from negoplatform.gui.chat.preference_statement_builder import PreferenceStatementBuilder
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.flow_layout import FlowLayout
from negoplatform.presentation.chat.phrases import (
    NO_DEAL_GROUP,
    PREFERENCES_GROUP,
    Phrase,
    PhraseGroup,
    PhrasesView,
)

GAP = 4
"""Gap between phrases, for 96 dpi."""


class PhrasePage:
    """Page of one group, whose phrases are laid out like words in a line.

    Args:
        parent: The parent of the page.
        theme: The window's theme.
        group: The group of phrases.
        view: The state of the phrase menu.
        on_send: Called with the chosen message.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        group: PhraseGroup,
        view: PhrasesView,
        *,
        on_send: Callable[[Message], None],
    ) -> None:
        self._theme = theme
        self._on_send = on_send
        self._width = 0
        self.frame = theme.frame(parent)
        self._preferences: PreferenceStatementBuilder | None = None
        self._no_deal: BatnaStatementBuilder | None = None
        if group.name == PREFERENCES_GROUP and view.issues:
            self._preferences = PreferenceStatementBuilder(self.frame, theme, view.issues, on_send=on_send)
            self._place_builder(self._preferences.frame)
        elif group.name == NO_DEAL_GROUP:
            self._no_deal = BatnaStatementBuilder(self.frame, theme, on_send=on_send)
            self._place_builder(self._no_deal.frame)
        self._flow = FlowLayout(self.frame, theme, gap=GAP)
        self._phrases = group.phrases
        self._buttons = [self._button(index) for index in range(len(group.phrases))]
        self._flow.frame.pack(fill="x")
        self._reason_label = theme.label(self.frame, "", "small", theme.colours.muted)
        self._reason_label.pack(anchor=theme.west, padx=theme.px(3), pady=(theme.px(4), 0))
        self.frame.bind("<Configure>", lambda event: self._resized(event.width))
        self.show(group, view)

    def show(self, group: PhraseGroup, view: PhrasesView) -> None:
        """Update the same phrases, some of which may have become available or unavailable."""
        self._phrases = group.phrases
        for button, phrase in zip(self._buttons, group.phrases, strict=True):
            button.write(phrase.text)
            button.enable(view.can_talk and not phrase.unavailable_reason)
        reasons = dict.fromkeys(
            phrase.unavailable_reason for phrase in group.phrases if phrase.unavailable_reason
        )
        self._reason_label.write(" ".join(reasons))
        if self._preferences is not None:
            self._preferences.show(view.can_talk)
        if self._no_deal is not None:
            self._no_deal.show(view.no_deal, view.can_talk)

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the controls by name, in reading order; ``phrase.<subtype>.<n>`` counts in the group."""
        found: dict[str, tk.Misc] = {}
        for builder in (self._preferences, self._no_deal):
            if builder is not None:
                found.update(builder.widgets())
        for phrase, button, n in zip(self._phrases, self._buttons, _numbered(self._phrases), strict=True):
            found[f"phrase.{phrase.subtype}.{n}"] = button.button
        return found

    def _resized(self, width: int) -> None:
        if width <= 1 or width == self._width:
            return
        self._width = width
        for button in self._buttons:
            button.fit(width)
        self._flow.lay_out(width)
        self._reason_label.wrap_to(width - self._theme.px(6))

    def _place_builder(self, builder: tk.Frame) -> None:
        builder.pack(fill="x")
        self._theme.rule(self.frame).pack(fill="x", padx=self._theme.px(3), pady=self._theme.px(4))

    def _button(self, index: int) -> PhraseButton:
        return PhraseButton(
            self._flow.frame, self._theme, lambda: self._on_send(self._phrases[index].message), fills=False
        )


def _numbered(phrases: tuple[Phrase, ...]) -> list[int]:
    """Return for each phrase its number among those of its subtype: 1, 2, 3 …"""
    kinds = [phrase.subtype for phrase in phrases]
    return [kinds[: index + 1].count(kind) for index, kind in enumerate(kinds)]
