"""Bar below the header with the checklist of a coach."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Sequence

from negoplatform.core.record.notes_and_tasks import TaskStatus
from negoplatform.gui.theming.bidi_label import BidiLabel
from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.assistant_texts import PlanItem

MOST_LINES = 3
"""Most lines of the checklist; an ellipsis stands for the items that have no room in them."""


class CoachBar:
    """Checklist of the coach in up to three lines; a button folds it. It covers nothing.

    Args:
        parent: The parent, on whose grid the bar is placed by its owner.
        theme: The window's theme.
    """

    def __init__(self, parent: tk.Misc, theme: Theme) -> None:
        self._theme = theme
        px = theme.px
        self._shown: tuple[PlanItem, ...] = ()
        self._is_folded = False
        self.frame = theme.frame(parent)
        inside = theme.frame(self.frame)
        inside.pack(fill="x", padx=px(16), pady=px(3))
        self.fold = theme.button(inside, theme.translate("Coach"), "Toggle.TButton", self._toggle)
        self.fold.pack(side=theme.start, anchor="n")
        self.items = theme.frame(inside)
        """The place of the items."""
        self.items.pack(side=theme.start, fill="x", expand=True, padx=theme.padx(10, 0))
        self._labels: list[BidiLabel] = []
        self._more = theme.label(self.items, "…", "small", theme.colours.muted)
        self.items.bind("<Configure>", lambda _event: self._flow())

    def show(self, items: Sequence[PlanItem]) -> bool:
        """Show the items; return whether they have changed."""
        if tuple(items) == self._shown:
            return False
        self._shown = tuple(items)
        c = self._theme.colours
        for label in self._labels:
            label.destroy()
        self._labels = [
            self._theme.label(
                self.items,
                f"{item.mark} {item.text}",
                "small",
                c.muted if item.status is TaskStatus.DONE else c.ink,
            )
            for item in self._shown
        ]
        self._flow()
        return True

    @property
    def has_items(self) -> bool:
        """Whether there is anything to show."""
        return bool(self._shown)

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the controls by their names in UI tests."""
        return {"coach": self.fold} if self._shown else {}

    def _toggle(self) -> None:
        self._is_folded = not self._is_folded
        self._flow()

    def _flow(self) -> None:
        """Place the items one after the other, in the lines that the table can spare."""
        px, theme = self._theme.px, self._theme
        width, gap = max(self.items.winfo_width(), px(200)), px(14)
        line = max([px(24), *(label.winfo_reqheight() for label in self._labels)])
        more = self._more.winfo_reqwidth()
        self._more.place_forget()
        x = y = 0
        is_full = False
        for label in self._labels:
            if self._is_folded or is_full:
                label.place_forget()
                continue
            need = label.winfo_reqwidth()
            is_last_line = y == (MOST_LINES - 1) * line
            if x and x + need > width - (more if is_last_line and label is not self._labels[-1] else 0):
                if is_last_line:
                    is_full = True
                    label.place_forget()
                    self._more.place(x=width - x - more if theme.rtl else x, y=y)
                    continue
                x, y = 0, y + line
            middle = y + (line - label.winfo_reqheight()) // 2
            label.place(x=width - x - need if theme.rtl else x, y=middle)
            x += need + gap
        self.items.configure(height=line if self._is_folded else y + line)
