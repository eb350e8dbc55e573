"""Card above the message field with the advice of the participant's adviser."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence

from negoplatform.gui.theming.bidi_label import BidiLabel
from negoplatform.gui.theming.screen_reader_names import set_accessible_name
from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.advice_view import AdviceView

WIDTH = 420
"""Width at which texts wrap before the available width is known, for 96 dpi."""


class AdviceCard:
    """Card of the open advice; its buttons send nothing.

    Args:
        parent: The parent, on whose grid the card is placed.
        theme: The window's theme.
        on_leave: Called to give the focus away when the card is hidden while it has the focus.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, *, on_leave: Callable[[], object]) -> None:
        self.view: AdviceView | None = None
        self.on_use: Callable[[AdviceView], object] = lambda _view: None
        """Called when the participant takes the advice over."""
        self.on_dismiss: Callable[[AdviceView], object] = lambda _view: None
        """Called when the participant closes the advice."""
        self._theme, self._on_leave = theme, on_leave
        px, c = theme.px, theme.colours
        self.frame = theme.frame(parent, c.edge)
        edge = max(1, px(1))
        self._inside = theme.frame(self.frame)
        self._inside.pack(fill="both", expand=True, padx=edge, pady=edge)
        self._title = theme.label(self._inside, "", "small_bold", c.muted)
        self._lines = theme.frame(self._inside)
        self._lines.pack(fill="x", padx=px(10))
        self._foot = theme.frame(self._inside)
        self._use = theme.button(self._foot, "", "Toggle.TButton", lambda: self._press(self.on_use))
        self._dismiss = theme.button(
            self._foot,
            theme.translate("Dismiss"),
            "Small.Quiet.TButton",
            lambda: self._press(self.on_dismiss),
        )
        self._labels: list[BidiLabel] = []
        self.frame.bind("<Configure>", lambda event: self._wrap(event.width))

    @property
    def is_shown(self) -> bool:
        """Whether the card is shown."""
        return self.view is not None

    def show(self, view: AdviceView | None) -> bool:
        """Show advice, or that there is none; None hides the card. Return whether that is a change."""
        if view == self.view:
            return False
        before, self.view = self.view, view
        if view is None:
            if self._has_focus():
                self._on_leave()
            self.frame.grid_remove()
            return True
        is_advice = view.number > 0
        self._arrange(view.title, is_advice=is_advice)
        if before is None or before.lines != view.lines:
            self._write_lines(view.lines, is_advice=is_advice)
        if is_advice:
            self._show_buttons(view)
        self.frame.grid()
        self._wrap(self.frame.winfo_width())
        return True

    def _write_lines(self, lines: Sequence[str], *, is_advice: bool) -> None:
        """Write the lines into the labels that are there: new ones would flicker under frequent advice."""
        theme = self._theme
        while len(self._labels) > len(lines):
            self._labels.pop().destroy()
        while len(self._labels) < len(lines):
            self._labels.append(theme.label(self._lines, "", wrap=WIDTH))
            self._labels[-1].pack(anchor=theme.west)
        font = theme.font("body" if is_advice else "small")
        for label, line in zip(self._labels, lines, strict=True):
            label.configure(font=font)
            label.write(line, theme.colours.ink if is_advice else theme.colours.muted)

    def _arrange(self, title: str, *, is_advice: bool) -> None:
        """Show the heading and the buttons only with advice."""
        px, theme = self._theme.px, self._theme
        # Without an edge: a framed line looks like a field to type into.
        self.frame.configure(background=theme.colours.edge if is_advice else theme.colours.card)
        if not is_advice:
            if self._has_focus():
                self._on_leave()
            self._title.pack_forget()
            self._foot.pack_forget()
            self._lines.pack_configure(pady=px(3))
            return
        self._title.write(title)
        self._title.pack(anchor=theme.west, before=self._lines, padx=px(10), pady=(px(5), 0))
        self._lines.pack_configure(pady=0)
        self._foot.pack(fill="x", after=self._lines, padx=px(10), pady=(px(4), px(6)))

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the controls by their names in UI tests."""
        if self.view is None or not self.view.number:
            return {}
        use: dict[str, tk.Misc] = {"advice.use": self._use} if self.view.use_label else {}
        return {**use, "advice.dismiss": self._dismiss}

    def _show_buttons(self, view: AdviceView) -> None:
        theme, words = self._theme, " ".join(view.lines)
        for button in (self._use, self._dismiss):
            button.pack_forget()
        if view.use_label:
            self._use.configure(text=theme.visual_order(view.use_label))
            self._use.pack(side=theme.start)
            set_accessible_name(self._use, "Button", f"{view.use_label}: {words}")
        elif self._has_focus():
            self._on_leave()
        self._dismiss.pack(side=theme.start, padx=theme.padx(8 if view.use_label else 0, 0))
        dismiss = theme.translate("Dismiss")
        set_accessible_name(self._dismiss, "Button", f"{dismiss}: {view.title} {words}")

    def _press(self, call: Callable[[AdviceView], object]) -> None:
        if self.view is not None:
            call(self.view)

    def _has_focus(self) -> bool:
        return str(self.frame.tk.call("focus")).startswith(f"{self.frame}.")

    def _wrap(self, width: int) -> None:
        room = width - 2 * self._theme.px(12)
        if room > self._theme.px(60):
            for label in self._labels:
                label.wrap_to(room)
