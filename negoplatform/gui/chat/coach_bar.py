"""Bar below the header with the checklist of a coach."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Sequence

from negoplatform.core.record.notes_and_tasks import TaskStatus
from negoplatform.gui.theming.bidi_label import BidiLabel
from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.assistant_texts import PlanItem


class CoachBar:
    """Checklist of the coach in one or more lines; a button folds it. It covers nothing.

    Args:
        parent: The parent, on whose grid the bar is placed by its owner.
        theme: The window's theme.
    """

    def __init__(self, parent: tk.Misc, theme: Theme) -> None:
        self._theme = theme
        px = theme.px
        self._items: tuple[PlanItem, ...] = ()
        self._is_folded = False
        self.frame = theme.frame(parent)
        inside = theme.frame(self.frame)
        inside.pack(fill="x", padx=px(16), pady=px(3))
        self.fold = theme.button(inside, theme.translate("Coach"), "Toggle.TButton", self._toggle)
        self.fold.pack(side=theme.start, anchor="n")
        self._lines = theme.frame(inside)
        self._lines.pack(side=theme.start, fill="x", expand=True, padx=theme.padx(10, 0))
        self._labels: list[BidiLabel] = []
        self._lines.bind("<Configure>", lambda _event: self._flow())

    def show(self, items: Sequence[PlanItem]) -> bool:
        """Show the items; return whether they have changed."""
        if tuple(items) == self._items:
            return False
        self._items = tuple(items)
        c = self._theme.colours
        for label in self._labels:
            label.destroy()
        self._labels = [
            self._theme.label(
                self._lines,
                f"{item.mark} {item.text}",
                "small",
                c.muted if item.status is TaskStatus.DONE else c.ink,
            )
            for item in self._items
        ]
        self._flow()
        return True

    @property
    def has_items(self) -> bool:
        """Whether there is anything to show."""
        return bool(self._items)

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the controls by their names in UI tests."""
        return {"coach": self.fold} if self._items else {}

    def _toggle(self) -> None:
        self._is_folded = not self._is_folded
        self._flow()

    def _flow(self) -> None:
        """Place the items one after the other, in as many lines as the width needs."""
        px, theme = self._theme.px, self._theme
        width, gap = max(self._lines.winfo_width(), px(200)), px(14)
        line = max([px(24), *(label.winfo_reqheight() for label in self._labels)])
        x = y = 0
        for label in self._labels:
            if self._is_folded:
                label.place_forget()
                continue
            need = label.winfo_reqwidth()
            if x and x + need > width:
                x, y = 0, y + line
            middle = y + (line - label.winfo_reqheight()) // 2
            label.place(x=width - x - need if theme.rtl else x, y=middle)
            x += need + gap
        self._lines.configure(height=line if self._is_folded else y + line)
