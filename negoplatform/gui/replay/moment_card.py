"""Card in the left column with what happens at the moment, in games without offers."""

from __future__ import annotations

import tkinter as tk

from negoplatform.gui.table.side_column import CardStyle
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.scrolled_frame import ScrolledFrame
from negoplatform.presentation.replay.event_words import MomentView

PADDING = 14
"""Room around the texts, for 96 dpi."""


class MomentCard:
    """Main card of the side column: a heading, and sentences that scroll where they do not fit.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
    """

    def __init__(self, parent: tk.Misc, theme: Theme) -> None:
        self._theme = theme
        self._view: MomentView | None = None
        self.frame: tk.Widget = theme.card(parent, PADDING)
        self._title = theme.label(self.frame, "", "bold", wrap=200)
        self._title.pack(anchor=theme.west)
        self._list = ScrolledFrame(self.frame, theme, width=200, height=2000)
        self._list.frame.pack(fill="both", expand=True, pady=(theme.px(4), 0))
        self._text = theme.label(self._list.inside, "", "small", theme.colours.muted, wrap=200)
        self._text.pack(anchor=theme.west)

    def show(self, view: MomentView) -> bool:
        """Show a moment; return whether the card changed."""
        if view == self._view:
            return False
        self._view = view
        self._title.write(view.title)
        self._text.write("\n".join(view.lines))
        return True

    def height(self, width: int, style: CardStyle) -> int:  # noqa: ARG002 - the same for every card
        """Return the height in pixels at which a card of a width in pixels does not scroll."""
        self._wrap(width)
        self.frame.update_idletasks()
        heights = self._title.winfo_reqheight() + self._text.winfo_reqheight()
        return heights + self._theme.px(2 * PADDING + 30)

    def arrange(self, width: int, height: int, style: CardStyle) -> None:  # noqa: ARG002 - the same for every card
        """Fit the texts into a card of a size in pixels."""
        self._wrap(width)

    def _wrap(self, width: int) -> None:
        room = max(60, width - self._theme.px(2 * PADDING + 28))
        self._title.wrap_to(room)
        self._text.wrap_to(room)
