"""A card of the start window: a title, the list under it, and what can be done about the list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from tkinter import ttk

from negoplatform.gui.start.choice_cards import CardList
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.test_announcer import UiTestAnnouncer
from negoplatform.gui.widgets.text_dialog import TextDialog
from negoplatform.presentation.start.choices import ChoiceCard, UnusablePlugin

Tool = tuple[str, str, str, Callable[[], None]]
"""A button below the list: what tests call it, its words, its icon, and what it does."""


class CardColumn:
    """What there is of a kind; what cannot be used is counted above it, and explained when that is pressed.

    Args:
        parent: Where it is put.
        theme: Its looks.
        name: What tests call its list.
        title: Its title.
        tools: The buttons below the list.
        announcer: Is told where things are.
        on_choose: Is given the key of what was just chosen.
    """

    def __init__(
        self,
        parent: ttk.Frame,
        theme: Theme,
        *,
        name: str,
        title: str,
        tools: Sequence[Tool] = (),
        announcer: UiTestAnnouncer,
        on_choose: Callable[[str], None],
    ) -> None:
        self._theme, self._name, self._announcer = theme, name, announcer
        self._broken: Sequence[UnusablePlugin] = ()
        self._dialog: TextDialog | None = None
        self._card = parent
        self._head = theme.frame(parent)
        self._head.pack(fill="x", pady=(0, theme.px(8)))
        theme.label(self._head, title, "heading").pack(side=theme.start)
        self._count: ttk.Button | None = None
        self.cards = CardList(parent, theme, name=name, announcer=announcer, on_choose=on_choose)
        if tools:
            self._add_tools(parent, tools)
        self.cards.frame.pack(fill="both", expand=True)

    def show(self, views: Sequence[ChoiceCard], broken: Sequence[UnusablePlugin], chosen: str) -> None:
        """Shows cards, how many things are none, and which card is chosen."""
        self.cards.show(views, chosen)
        if broken != self._broken:
            self._broken = tuple(broken)
            self._show_count()

    @property
    def is_dialog_open(self) -> bool:
        """Whether somebody reads why something cannot be used."""
        return self._dialog is not None and self._dialog.is_open

    def _show_count(self) -> None:
        theme = self._theme
        if self._count is not None:
            self._count.destroy()
            self._count = None
        if not self._broken:
            return
        words = theme.translate.plural("{n} can’t be used", "{n} can’t be used", len(self._broken))
        button = theme.button(self._card, words, "Small.Quiet.TButton", self._explain, icon="warning")
        button.configure(image=theme.icon("warning", theme.colours.warning))
        # Placed: it is higher than the title, which is not to move for it; inside of the title's row its ring
        # would be cut off. Tab comes to it between the title and the list.
        button.lower(self.cards.frame)
        button.place(in_=self._head, relx=0 if theme.rtl else 1, rely=0.5, anchor=theme.east)
        self._announcer.register(f"{self._name}.unusable", button)
        self._count = button

    def _explain(self) -> None:
        if self.is_dialog_open:
            return
        translate = self._theme.translate
        self._dialog = TextDialog(
            self._theme,
            translate("Can’t be used"),
            translate("These are in your folders but can’t be used, each for the reason given."),
            [thing.description for thing in self._broken],
            announcer=self._announcer,
        )
        self._dialog.open()

    def _add_tools(self, parent: ttk.Frame, tools: Sequence[Tool]) -> None:
        """Side by side, or one above the other where there is too little room."""
        theme = self._theme
        row = theme.frame(parent)
        row.pack(side="bottom", fill="x", pady=(theme.px(6), 0))
        row.grid_anchor(theme.west)
        buttons = []
        for name, words, icon, command in tools:
            button = theme.button(row, words, "Small.Quiet.TButton", command, icon=icon)
            self._announcer.register(name, button)
            buttons.append(button)
        row.bind("<Configure>", lambda event: self._lay_out(buttons, event.width))
        self._lay_out(buttons, 0)

    def _lay_out(self, buttons: Sequence[ttk.Button], width: int) -> None:
        narrow = sum(button.winfo_reqwidth() for button in buttons) > width
        for index, button in enumerate(buttons):
            column = 0 if narrow else self._theme.column(index, len(buttons))
            button.grid(row=index if narrow else 0, column=column, sticky=self._theme.west)
