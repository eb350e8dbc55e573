"""Column of the start window: a title, a list of cards and buttons for the list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from tkinter import ttk

from negoplatform.gui.start.choice_card_list import ChoiceCardList
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.text_dialog import TextDialog
from negoplatform.gui.widgets.tooltip import Tooltip
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.start.plugin_cards import ChoiceCard, UnusablePlugin
from negoplatform.presentation.start.trust_question import SandboxNote

Tool = tuple[str, str, str, Callable[[], None]]
"""A button below the list: its name in UI tests, its text, its icon and its command."""


class CardColumn:
    """The choices of one kind; a button counts and explains those that cannot be used.

    Args:
        parent: The card that contains the column.
        theme: The window's theme.
        name: The list's name in UI tests.
        title: The title.
        tools: The buttons below the list.
        announcer: Reports the widgets' positions to UI tests.
        on_choose: Called with the key of a card that the user chose.
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
        self._unusable: Sequence[UnusablePlugin] = ()
        self._dialog: TextDialog | None = None
        self.card = parent
        self._head = theme.frame(parent)
        self._head.pack(fill="x", pady=(0, theme.px(8)))
        self.title = theme.label(self._head, title, "heading")
        self.title.pack(side=theme.start)
        self._unusable_button: ttk.Button | None = None
        self.cards = ChoiceCardList(parent, theme, name=name, announcer=announcer, on_choose=on_choose)
        if tools:
            self._add_tools(parent, tools)
        self.cards.frame.pack(fill="both", expand=True)

    def add_note(self, note: SandboxNote) -> None:
        """Add a note next to the title; its explanation is shown where the pointer rests on it."""
        theme = self._theme
        colours = theme.colours
        font, colour = ("small_bold", colours.warning) if note.is_warning else ("small", colours.muted)
        label = theme.label(self._head, note.label, font, colour)
        label.pack(side=theme.start, padx=theme.padx(10, 0), anchor="s", pady=(0, theme.px(2)))
        Tooltip(theme, label, note.explanation)
        self._announcer.register(f"{self._name}_note", label)

    def show(self, views: Sequence[ChoiceCard], unusable: Sequence[UnusablePlugin], chosen: str) -> None:
        """Show the cards, the number of unusable plugins and the chosen card."""
        self.cards.show(views, chosen)
        if unusable != self._unusable:
            self._unusable = tuple(unusable)
            self._show_unusable_button()

    @property
    def is_dialog_open(self) -> bool:
        """Whether the explanation of unusable plugins is open."""
        return self._dialog is not None and self._dialog.is_open

    def _show_unusable_button(self) -> None:
        theme = self._theme
        if self._unusable_button is not None:
            self._unusable_button.destroy()
            self._unusable_button = None
        if not self._unusable:
            return
        text = theme.translate.plural("{n} can’t be used", "{n} can’t be used", len(self._unusable))
        button = theme.button(self.card, text, "Small.Quiet.TButton", self._explain, icon="warning")
        button.configure(image=theme.icon("warning", theme.colours.warning))
        # Placed over the title's row: the button is higher than the row, which it must not move, and inside
        # it the focus ring would be cut off. Lowered: Tab reaches it between the title and the list.
        button.lower(self.cards.frame)
        button.place(in_=self._head, relx=0 if theme.rtl else 1, rely=0.5, anchor=theme.east)
        self._announcer.register(f"{self._name}.unusable", button)
        self._unusable_button = button

    def _explain(self) -> None:
        if self.is_dialog_open:
            return
        translate = self._theme.translate
        self._dialog = TextDialog(
            self._theme,
            translate("Can’t be used"),
            translate("These are in your folders but can’t be used, each for the reason given."),
            [plugin.description for plugin in self._unusable],
            announcer=self._announcer,
        )
        self._dialog.open()

    def _add_tools(self, parent: ttk.Frame, tools: Sequence[Tool]) -> None:
        """Add the buttons side by side, or one above the other where they do not fit."""
        theme = self._theme
        row = theme.frame(parent)
        row.pack(side="bottom", fill="x", pady=(theme.px(6), 0))
        row.grid_anchor(theme.west)
        buttons = []
        for name, text, icon, command in tools:
            button = theme.button(row, text, "Small.Quiet.TButton", command, icon=icon)
            self._announcer.register(name, button)
            buttons.append(button)
        row.bind("<Configure>", lambda event: self._lay_out(buttons, event.width))
        self._lay_out(buttons, 0)

    def _lay_out(self, buttons: Sequence[ttk.Button], width: int) -> None:
        narrow = sum(button.winfo_reqwidth() for button in buttons) > width
        for index, button in enumerate(buttons):
            column = 0 if narrow else self._theme.column(index, len(buttons))
            button.grid(row=index if narrow else 0, column=column, sticky=self._theme.west)
