"""Guide of the practice: a bar above the table, and a frame around the control to use next."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping

from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.timers import Ticker
from negoplatform.presentation.table.practice_guide import GuideView, PracticeStep

FOLLOW_MS = 150
"""Milliseconds between two updates of the frame's position: columns change and rows grow."""

FRAME_WIDTH, FRAME_OFFSET = 3, 1
"""Thickness of the frame and its distance from the control, for 96 dpi."""


class PracticeBar:
    """Bar with the next step; a frame marks its control. All controls stay usable.

    Args:
        parent: The table.
        theme: The window's theme.
        widgets: Return the table's controls by name.
        on_leave: Called with the current step when the button is pressed.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        *,
        widgets: Callable[[], Mapping[str, tk.Misc]],
        on_leave: Callable[[PracticeStep], None],
    ) -> None:
        self._parent, self._theme, self._widgets = parent, theme, widgets
        self._on_leave = on_leave
        self._view: GuideView | None = None
        px, c = theme.px, theme.colours
        self.frame = theme.frame(parent)
        theme.rule(self.frame).pack(side="bottom", fill="x")
        tk.Frame(self.frame, bg=c.primary, bd=0, width=px(5)).pack(side=theme.start, fill="y")
        self.leave_button = theme.button(
            self.frame, theme.translate("Skip practice"), "Quiet.TButton", self._leave
        )
        self.leave_button.pack(side=theme.end, padx=px(12), pady=px(6))
        words = theme.frame(self.frame)
        words.pack(side=theme.start, fill="both", expand=True, padx=px(15), pady=px(6))
        self._progress = theme.label(words, "", "small_bold", c.primary)
        self._progress.pack(anchor=theme.west)
        self._text = theme.label(words, "", "bold")
        self._text.pack(anchor=theme.west)
        words.bind("<Configure>", lambda event: self._text.wrap_to(event.width))
        self._sides = [tk.Frame(parent, bg=c.primary, bd=0) for _ in range(4)]
        self._box: tuple[int, int, int, int] | None = None
        self._ticker = Ticker(self.frame, self._follow_target)

    def lift(self) -> None:
        """Raise the frame above all present widgets; dialogs and pages that open later cover it."""
        for side in self._sides:
            side.lift()

    def show(self, view: GuideView) -> bool:
        """Show a step; return whether it is a new one."""
        if view == self._view:
            return False
        before, self._view = self._view, view
        self._progress.write(view.progress)
        self._text.write(view.text)
        self._theme.set_button_text(self.leave_button, view.button)
        if view.step is PracticeStep.DONE:
            self.leave_button.configure(style="Primary.TButton")
        self._ticker.schedule(1)
        return before is None or before.step is not view.step

    def _leave(self) -> None:
        if self._view is not None:
            self._on_leave(self._view.step)

    def _follow_target(self) -> None:
        """Place the frame around the first visible control of the step."""
        self._ticker.schedule(FOLLOW_MS)
        box = None
        if self._view is not None:
            widgets = self._widgets()
            seen = (widgets[name] for name in self._view.targets if name in widgets)
            target = next((widget for widget in seen if widget.winfo_viewable()), None)
            box = None if target is None or target is self.leave_button else self._frame_box(target)
        if box != self._box:
            self._box = box
            self._draw()

    def _frame_box(self, widget: tk.Misc) -> tuple[int, int, int, int]:
        away = self._theme.px(FRAME_OFFSET)
        x = widget.winfo_rootx() - self._parent.winfo_rootx() - away
        y = widget.winfo_rooty() - self._parent.winfo_rooty() - away
        return x, y, widget.winfo_width() + 2 * away, widget.winfo_height() + 2 * away

    def _draw(self) -> None:
        if self._box is None:
            for side in self._sides:
                side.place_forget()
            return
        thick = max(2, self._theme.px(FRAME_WIDTH))
        x, y, across, down = self._box
        boxes = (
            (x - thick, y - thick, across + 2 * thick, thick),
            (x - thick, y + down, across + 2 * thick, thick),
            (x - thick, y, thick, down),
            (x + across, y, thick, down),
        )
        for side, (left, top, width, height) in zip(self._sides, boxes, strict=True):
            side.place(x=left, y=top, width=width, height=height)
