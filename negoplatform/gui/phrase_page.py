"""What a group of phrases holds: perhaps a builder, then a button for each phrase."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

from negoplatform.core.events import Message
from negoplatform.gui.no_deal_builder import NoDealBuilder
from negoplatform.gui.phrase_button import PhraseButton
from negoplatform.gui.phrases import MATTERS, NO_DEAL, Group, Phrase, PhrasesView
from negoplatform.gui.preference_builder import PreferenceBuilder
from negoplatform.gui.theme import Theme


class PhrasePage:
    """One group, spread out.

    Args:
        parent: Where it is put.
        theme: Its looks.
        group: The phrases.
        view: What else it is made of.
        on_say: Is given what is said.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        group: Group,
        view: PhrasesView,
        *,
        on_say: Callable[[Message], None],
    ) -> None:
        self._theme = theme
        self._on_say = on_say
        self.frame = theme.frame(parent)
        self._preferences: PreferenceBuilder | None = None
        self._no_deal: NoDealBuilder | None = None
        if group.name == MATTERS and view.issues:
            self._preferences = PreferenceBuilder(self.frame, theme, view.issues, on_say=on_say)
            self._place_builder(self._preferences.frame)
        elif group.name == NO_DEAL:
            self._no_deal = NoDealBuilder(self.frame, theme, on_say=on_say)
            self._place_builder(self._no_deal.frame)
        self._phrases = group.phrases
        self._buttons = [self._button(index) for index in range(len(group.phrases))]
        self._why_not = theme.label(self.frame, "", "small", theme.colours.muted, wrap=340)
        self._why_not.pack(anchor=theme.west, padx=theme.px(3), pady=(theme.px(4), 0))
        self.show(group, view)

    def show(self, group: Group, view: PhrasesView) -> None:
        """The same phrases, of which others may be said now."""
        self._phrases = group.phrases
        for button, phrase in zip(self._buttons, group.phrases, strict=True):
            button.write(phrase.text)
            button.enable(view.can_talk and not phrase.why_not)
        reasons = dict.fromkeys(phrase.why_not for phrase in group.phrases if phrase.why_not)
        self._why_not.write(" ".join(reasons))
        if self._preferences is not None:
            self._preferences.show(view.can_talk)
        if self._no_deal is not None:
            self._no_deal.show(view.no_deal, view.can_talk)

    def widgets(self) -> dict[str, tk.Misc]:
        """The controls by name, as they are read; the n of ``phrase.<subtype>.<n>`` counts in the group."""
        found: dict[str, tk.Misc] = {}
        for builder in (self._preferences, self._no_deal):
            if builder is not None:
                found.update(builder.widgets())
        for phrase, button, n in zip(self._phrases, self._buttons, _numbered(self._phrases), strict=True):
            found[f"phrase.{phrase.subtype}.{n}"] = button.button
        return found

    def _place_builder(self, builder: tk.Frame) -> None:
        builder.pack(fill="x")
        self._theme.rule(self.frame).pack(fill="x", padx=self._theme.px(3), pady=self._theme.px(6))

    def _button(self, index: int) -> PhraseButton:
        button = PhraseButton(self.frame, self._theme, lambda: self._on_say(self._phrases[index].message))
        button.button.pack(fill="x", pady=self._theme.px(1))
        return button


def _numbered(phrases: tuple[Phrase, ...]) -> list[int]:
    """For each phrase, which one of its kind it is: 1, 2, 3 …"""
    kinds = [phrase.subtype for phrase in phrases]
    return [kinds[: index + 1].count(kind) for index, kind in enumerate(kinds)]
