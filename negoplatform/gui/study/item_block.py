"""An item on a page: its question, its field, and a sentence about a missing or wrong answer."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping

from negoplatform.gui.study.item_field import FieldParts, ItemField
from negoplatform.gui.study.option_fields import ChoiceField, ManyField, RankField
from negoplatform.gui.study.rating_scale import AllocationField, LikertField, MatrixField
from negoplatform.gui.study.slider_field import SliderField
from negoplatform.gui.study.typed_fields import LineField, NumberField, ParagraphField

FIELDS: Mapping[str, Callable[[tk.Misc, FieldParts], ItemField]] = {
    "likert": LikertField,
    "matrix": MatrixField,
    "allocation": AllocationField,
    "choices": ChoiceField,
    "many": ManyField,
    "rank": RankField,
    "points_guess": RankField,
    "number": NumberField,
    "slider": SliderField,
}
"""Fields by kind of item; those of texts depend on the number of lines."""

BAR, INDENT = 3, 12
"""Width of the bar next to an item whose answer is missing, and distance of its contents, for 96 dpi."""


class ItemBlock:
    """Question with its field; a bar and a sentence mark an answer that is missing or wrong.

    Args:
        parent: Parent widget, into which it is packed by the caller.
        parts: Collaborators of its field.
    """

    def __init__(self, parent: tk.Misc, parts: FieldParts) -> None:
        theme, px, item = parts.theme, parts.theme.px, parts.item
        self._theme = theme
        self.item = item
        self.frame = theme.frame(parent)
        self._bar = tk.Frame(self.frame, bg=theme.colours.card, bd=0, width=px(BAR))
        self._bar.pack(side=theme.start, fill="y")
        self._inside = theme.frame(self.frame)
        self._inside.pack(side=theme.start, fill="x", expand=True, padx=theme.padx(INDENT - BAR, 0))
        self._ask = theme.label(self._inside, item.ask, "bold")
        self._ask.pack(anchor=theme.west, pady=(px(1), px(5)))
        if item.may_skip and not item.says_optional:
            self._ask.write(theme.translate("{question} (optional)", question=item.ask))
        self._fault = theme.label(self._inside, "", "bold", theme.colours.danger)
        for label, text in item.details:
            self._add_detail(label, text)
        make = FIELDS.get(item.kind) or (ParagraphField if item.lines > 1 else LineField)
        self.field = make(self._inside, parts)
        self.field.frame.pack(anchor=theme.west, fill="x" if _is_wide(item.kind, item.lines) else "none")

    @property
    def is_marked(self) -> bool:
        """Whether its answer is marked as missing or wrong."""
        return bool(self._fault.logical_text)

    def show_fault(self, sentence: str, names: frozenset[str]) -> None:
        """Show a sentence about a missing or wrong answer; an empty one removes it, and its room stays.

        Args:
            sentence: The sentence.
            names: Names of the answers that it is about.
        """
        c = self._theme.colours
        self._bar.configure(bg=c.danger if sentence else c.card)
        if sentence:
            self._fault.write(sentence)
            self._fault.pack(after=self._ask, anchor=self._theme.west, pady=(0, self._theme.px(5)))
        else:
            # Without its room, the items below would move under the pointer.
            self._fault.clear_but_keep_room()
        self.field.mark(names)

    def wrap_to(self, width: int) -> None:
        """Wrap the contents at a width in pixels."""
        room = width - self._theme.px(INDENT)
        self._ask.wrap_to(room)
        self._fault.wrap_to(room)
        self.field.wrap_to(room)

    def _add_detail(self, label: str, text: str) -> None:
        theme = self._theme
        row = theme.frame(self._inside)
        row.pack(anchor=theme.west, pady=(0, theme.px(2)))
        theme.label(row, label, "body", theme.colours.muted).pack(side=theme.start)
        theme.label(row, text, "body").pack(side=theme.start, padx=theme.padx(10, 0))


def _is_wide(kind: str, lines: int) -> bool:
    """Return whether a field fills the width of the page."""
    return kind in ("choices", "many", "rank", "points_guess") or (kind == "text" and lines > 1)
