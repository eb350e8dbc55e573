"""Panel of a wizard: mode, suggestions, points, canned lines, and the way to the whole state."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from tkinter import ttk

from negoplatform.domain.joining_settings import WizardMode
from negoplatform.gui.theming.bidi_label import BidiLabel
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.label_pairs import build_pair_rows
from negoplatform.gui.widgets.scrolled_frame import ScrolledFrame
from negoplatform.gui.widgets.widget_bound_callbacks import add_tag, bind_tag
from negoplatform.gui.wizard.canned_lines_list import CannedLinesList
from negoplatform.gui.wizard.suggestion_card import SuggestionCallbacks, SuggestionCard
from negoplatform.presentation.chat.phrases import PhrasesView
from negoplatform.presentation.wizard.wizard_view import MODE_NAMES, WizardView

WIDTH = 340
"""Width of the panel, for 96 dpi."""

TEXT_WIDTH = 288
"""Width of its texts, for 96 dpi."""

CONTROLS = (
    ttk.Button,
    ttk.Radiobutton,
    ttk.Checkbutton,
    ttk.Entry,
    ttk.Scrollbar,
    tk.Text,
    tk.Listbox,
)
"""Widgets that have their own use for a click; a combobox is an entry."""


@dataclass(frozen=True, slots=True)
class WizardPanelCallbacks:
    """Callbacks of the panel.

    Args:
        suggestions: The callbacks of the suggestions' cards.
        change_mode: Called with a mode that was chosen.
        choose_line: Called with a canned line that was pressed.
        open_state: Called to show the whole state.
        leave: Called to give the focus back to the table.
    """

    suggestions: SuggestionCallbacks
    change_mode: Callable[[WizardMode], None]
    choose_line: Callable[[str], None]
    open_state: Callable[[], None]
    leave: Callable[[], None]


class WizardPanel:
    """Panel at the end side of the table.

    Args:
        parent: The parent of the panel.
        theme: The window's theme.
        callbacks: The callbacks of its controls.
        talks: Whether there is talk in the game; without it, there are no canned lines.
    """

    def __init__(
        self, parent: tk.Misc, theme: Theme, callbacks: WizardPanelCallbacks, *, talks: bool
    ) -> None:
        px, c, translate = theme.px, theme.colours, theme.translate
        self._theme, self._callbacks = theme, callbacks
        self._cards: dict[int, SuggestionCard] = {}
        self._shown: object = None
        self._shown_notes: tuple[str, ...] = ()
        self.frame = theme.card(parent, 10)
        self.frame.configure(width=px(WIDTH))
        self.frame.pack_propagate(False)
        theme.label(self.frame, translate("You operate this seat"), "heading").pack(anchor=theme.west)
        self._mode = tk.StringVar(theme.root, value="")
        self.modes = self._make_modes()
        self._mode_text = theme.label(self.frame, "", "small", c.muted, wrap=TEXT_WIDTH + 20)
        self._mode_text.pack(anchor=theme.west, pady=(0, px(4)))
        theme.rule(self.frame).pack(fill="x")
        self._list = ScrolledFrame(self.frame, theme, width=TEXT_WIDTH, height=4000)
        self._list.frame.pack(fill="both", expand=True)
        inside = self._list.inside
        self._heading = theme.label(inside, "", "bold")
        self._heading.pack(anchor=theme.west, pady=(px(4), 0))
        keys = translate("Ctrl+Enter sends the oldest while this panel has the keyboard focus (F6).")
        theme.label(inside, keys, "small", c.muted, wrap=TEXT_WIDTH).pack(anchor=theme.west)
        self._note = theme.label(inside, "", "small_bold", c.warning, wrap=TEXT_WIDTH)
        self._place = theme.frame(inside)
        self._place.pack(fill="x")
        self._notes_place = theme.frame(inside)
        self._notes_place.pack(fill="x")
        self._notes_open = True
        self.notes_button = theme.button(
            self._notes_place, translate("Agenda and insights"), "Toggle.TButton", self._toggle_notes
        )
        self._notes = theme.frame(self._notes_place)
        self._points_title = self._make_section(inside)
        self._points = theme.frame(inside)
        self._points.pack(fill="x")
        self.lines: CannedLinesList | None = None
        if talks:
            theme.rule(inside).pack(fill="x", pady=px(8))
            self.lines = CannedLinesList(inside, theme, width=TEXT_WIDTH, on_choose=callbacks.choose_line)
            self.lines.frame.pack(fill="x")
        counts_title = self._make_section(inside)
        counts_title.write(translate("Answered suggestions"))
        self._counts = theme.frame(inside)
        self._counts.pack(fill="x")
        self.state_button = theme.button(
            inside, translate("Show the whole state"), "Plain.TButton", callbacks.open_state
        )
        self.state_button.pack(fill="x", pady=px(10))
        self._tag = f"Wizard{self.frame}"
        self._bind()

    def show(self, view: WizardView, phrases: PhrasesView | None, *, can_act: bool, can_answer: bool) -> None:
        """Show a view.

        Args:
            view: The view.
            phrases: The phrases of the window; None: they are not known yet.
            can_act: Whether the wizard can write messages.
            can_answer: Whether suggestions can be answered.
        """
        self._show_suggestions(view, can_answer=can_answer)
        if self.lines is not None:
            self.lines.show(phrases, can_choose=can_act)
        self._show_notes(view.notes)
        shown = view.mode, view.mode_text, view.heading, view.points_title, view.points, view.counts
        if shown == self._shown:
            return
        self._shown = shown
        self._mode.set("" if view.mode is None else view.mode.value)
        for button in self.modes.values():
            button.state(["disabled" if view.mode is None else "!disabled"])
        self._mode_text.write(view.mode_text)
        c = self._theme.colours
        self._heading.write(view.heading, c.primary if view.suggestions else c.ink)
        self._points_title.write(view.points_title)
        build_pair_rows(self._theme, self._points, view.points, width=TEXT_WIDTH)
        build_pair_rows(self._theme, self._counts, view.counts, width=TEXT_WIDTH)
        self._add_bindings(self._points, self._counts)

    def _show_notes(self, lines: tuple[str, ...]) -> None:
        """Show the lines of the seat's assistants; without any there is no section."""
        if lines == self._shown_notes:
            return
        self._shown_notes = lines
        for label in self._notes.winfo_children():
            label.destroy()
        for line in lines:
            label = self._theme.label(self._notes, line, "small", wrap=TEXT_WIDTH)
            label.pack(anchor=self._theme.west)
        self._place_notes()
        self._add_bindings(self._notes)

    def _toggle_notes(self) -> None:
        self._notes_open = not self._notes_open
        self._place_notes()

    def _place_notes(self) -> None:
        self.notes_button.pack_forget()
        self._notes.pack_forget()
        if self._shown_notes:
            self.notes_button.pack(fill="x", pady=(self._theme.px(10), 0))
            if self._notes_open:
                self._notes.pack(fill="x", pady=(self._theme.px(4), 0))

    def show_note(self, text: str) -> None:
        """Show a sentence above the suggestions; empty: none."""
        self._note.write(text)
        if text:
            self._note.pack(anchor=self._theme.west, pady=(self._theme.px(4), 0), before=self._place)
        else:
            self._note.pack_forget()

    def find(self, number: int) -> SuggestionCard | None:
        """Return the card of a suggestion; None: there is none."""
        return self._cards.get(number)

    def remove(self, number: int) -> None:
        """Remove the card of a suggestion that does not wait any more, if there is one."""
        card = self._cards.pop(number, None)
        if card is not None:
            focused = str(self.frame.tk.call("focus"))
            card.frame.destroy()
            if not self._cards:
                self._place.configure(height=1)  # Tk keeps the height of a frame whose last child goes
            for below in self.cards:
                if below.number > number:
                    below.note_move()
            if focused.startswith(f"{card.frame}."):
                self.focus()

    @property
    def cards(self) -> tuple[SuggestionCard, ...]:
        """The cards of the suggestions that wait, the oldest first."""
        return tuple(self._cards[number] for number in sorted(self._cards))

    def focus(self) -> None:
        """Give the panel the keyboard."""
        self._list.canvas.focus_set()

    @property
    def has_focus(self) -> bool:
        """Whether a widget of the panel has the keyboard."""
        path = str(self.frame.tk.call("focus"))
        return path == str(self.frame) or path.startswith(f"{self.frame}.")

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the controls by their names in UI tests."""
        named: dict[str, tk.Misc] = {f"mode.{mode.value}": button for mode, button in self.modes.items()}
        for card in self._cards.values():
            named |= card.widgets()
        named |= {} if self.lines is None else self.lines.widgets()
        named |= {"notes": self.notes_button} if self._shown_notes else {}
        return {**named, "whole_state": self.state_button, "wizard": self._list.canvas}

    def _make_modes(self) -> dict[WizardMode, ttk.Radiobutton]:
        theme, translate = self._theme, self._theme.translate
        line = theme.frame(self.frame)
        line.pack(fill="x", pady=theme.px(4))
        buttons = {}
        for mode, name in MODE_NAMES.items():
            button = ttk.Radiobutton(
                line,
                text=theme.visual_order(translate(name)),
                variable=self._mode,
                value=mode.value,
                command=partial(self._callbacks.change_mode, mode),
            )
            button.pack(side=theme.start, padx=theme.padx(0, 6))
            buttons[mode] = button
        return buttons

    def _make_section(self, inside: tk.Frame) -> BidiLabel:
        theme = self._theme
        theme.rule(inside).pack(fill="x", pady=theme.px(8))
        title = theme.label(inside, "", "bold", wrap=TEXT_WIDTH)
        title.pack(anchor=theme.west)
        return title

    def _show_suggestions(self, view: WizardView, *, can_answer: bool) -> None:
        for number in set(self._cards) - {each.number for each in view.suggestions}:
            self.remove(number)
        for each in view.suggestions:
            card = self._cards.get(each.number)
            if card is None:
                card = SuggestionCard(
                    self._place, self._theme, each, self._callbacks.suggestions, width=TEXT_WIDTH - 20
                )
                card.frame.pack(fill="x", pady=(self._theme.px(6), 0))
                self._cards[each.number] = card
                self.bind_card(card)
            else:
                card.show(each)
            card.enable(can_answer)

    def bind_card(self, card: SuggestionCard) -> None:
        """Let the wheel and the keys of the panel work over the present widgets of a card."""
        self._add_bindings(card.frame)

    def _add_bindings(self, *widgets: tk.Misc) -> None:
        for widget in widgets:
            self._list.bind_scrolling(widget)
            add_tag(widget, self._tag)

    def _bind(self) -> None:
        for key in ("Return", "KP_Enter"):
            bind_tag(self.frame, self._tag, f"<Control-{key}>", self._send_oldest)
        bind_tag(self.frame, self._tag, "<F6>", lambda _event: self._leave())
        bind_tag(self.frame, self._tag, "<Button-1>", self._clicked)
        self._list.canvas.configure(takefocus=1)
        self._add_bindings(self._list.inside)
        add_tag(self.frame, self._tag)

    def _send_oldest(self, event: tk.Event[tk.Misc]) -> str | None:
        if isinstance(event.widget, tk.Text | ttk.Entry):
            return None  # the wizard is typing
        if self.cards:
            self.cards[0].send_by_key()
        return "break"

    def _leave(self) -> str:
        self._callbacks.leave()
        return "break"

    def _clicked(self, event: tk.Event[tk.Misc]) -> None:
        """Take the keyboard at a click next to the controls, which leave it where it is."""
        if not isinstance(event.widget, CONTROLS):
            self.focus()
