"""Seats of a game for several agents; the agent cards fill the selected one."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence

from negoplatform.gui.start.choice_card_list import ChoiceCardList
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.start.plugin_cards import ChoiceCard

SHARE, NARROW_SHARE = 0.45, 0.2
"""Largest share of the window's height for the seats, also where the agents are below them; more scroll."""


class SeatAgentsPanel:
    """List of the seats below the games, and a button that puts one agent into all; hidden without seats.

    Args:
        parent: The column's card.
        theme: The window's theme.
        games: The list of games, which is above it.
        announcer: Reports the widgets' positions to UI tests.
        on_select: Called with a seat that the user selected.
        on_same_for_all: Called to put the selected seat's agent into all other seats.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        *,
        games: tk.Widget,
        announcer: UiTestAnnouncer,
        on_select: Callable[[str], None],
        on_same_for_all: Callable[[], None],
    ) -> None:
        self._theme, self._games = theme, games
        self.frame = theme.frame(parent)
        translate, px = theme.translate, theme.px
        head = theme.frame(self.frame)
        head.pack(fill="x", pady=(px(8), px(4)))
        theme.label(head, translate("Seats"), "bold").pack(side=theme.start)
        same = theme.button(
            head, translate("The same for all"), "Small.Quiet.TButton", on_same_for_all, icon="copy"
        )
        self.list = ChoiceCardList(
            self.frame, theme, name="agent_seat", announcer=announcer, on_choose=on_select, compact=True
        )
        self.list.frame.pack(fill="both", expand=True)
        same.pack(side=theme.end)
        announcer.register("same_for_all", same)

    def fit(self, height: int, *, narrow: bool) -> None:
        """Limit the list's height in a window whose contents have this height in pixels."""
        self.list.set_max_height(round((NARROW_SHARE if narrow else SHARE) * height))

    def show(self, cards: Sequence[ChoiceCard], selected: str) -> None:
        """Show the seats and the selected one; nothing where there are no cards."""
        self.list.show(cards, selected)
        if cards:
            self.frame.pack(side="bottom", fill="x", before=self._games)
        else:
            self.frame.pack_forget()
