"""Card of a suggestion: its steps, the time left, and the buttons that answer it."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from tkinter import ttk

from negoplatform.domain.offer import Offer
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.wizard.script_editor import ScriptEditor, show_step_contents
from negoplatform.presentation.wizard.edited_script import EditedScript
from negoplatform.presentation.wizard.step_views import StepView
from negoplatform.presentation.wizard.wizard_view import SuggestionView

BAR_HEIGHT = 4
"""Height of the bar of the time left, for 96 dpi."""

ARMED_SECONDS = 0.4
"""Seconds for which a new suggestion cannot be answered by a key: it cannot have been read yet. So long, too,
the buttons of a card that has moved take no press, which was meant for another card.
"""


@dataclass(frozen=True, slots=True)
class SuggestionCallbacks:
    """Callbacks of a suggestion's card.

    Args:
        send: Called with the suggestion's number and the edited script; None: it is unchanged.
        drop: Called with the number.
        edit: Return the script as it was edited so far, and as it was suggested; None: it no longer waits.
        on_edit: Called with the number when editing begins or ends, and whether it begins.
        prepare_offer: Puts an offer into the offer builder.
        prepared_offer: Returns the offer of the offer builder, if it can be sent.
        view_step: Returns a step of a script in words.
    """

    send: Callable[[int, EditedScript | None], None]
    drop: Callable[[int], None]
    edit: Callable[[int], tuple[EditedScript, EditedScript] | None]
    on_edit: Callable[[int, bool], None]
    prepare_offer: Callable[[Offer], object]
    prepared_offer: Callable[[], Offer | None]
    view_step: Callable[[EditedScript, int], StepView]


class SuggestionCard:
    """Card of one suggestion.

    Args:
        parent: The parent of the card.
        theme: The window's theme.
        view: The suggestion.
        callbacks: The callbacks of its buttons.
        width: The width of texts, for 96 dpi.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        view: SuggestionView,
        callbacks: SuggestionCallbacks,
        *,
        width: float,
    ) -> None:
        px, c = theme.px, theme.colours
        self._theme, self._callbacks, self._width = theme, callbacks, width
        self._view = view
        self._editor: ScriptEditor | None = None
        self.is_answered = False
        """Whether the wizard has answered the suggestion."""
        self._shown_at = time.monotonic()
        self._moved_at = float("-inf")
        edge = max(1, px(1))
        self.frame = tk.Frame(parent, bg=c.card, highlightthickness=edge)
        self.frame.configure(highlightbackground=c.edge, highlightcolor=c.edge)
        self._inside = theme.frame(self.frame)
        self._inside.pack(fill="both", expand=True, padx=px(8), pady=px(6))
        head = self._head = theme.frame(self._inside)
        head.pack(fill="x")
        theme.label(head, view.title, "bold").pack(side=theme.start)
        self._remaining = theme.label(head, "", "small_bold")
        self._remaining.pack(side=theme.end)
        self._track = tk.Frame(self._inside, bg=c.track, height=px(BAR_HEIGHT))
        self._bar = tk.Frame(self._track, bg=c.primary)
        self._held = theme.label(self._inside, "", "small", c.muted, wrap=width)
        self._steps = theme.frame(self._inside)
        self._steps.pack(fill="x", pady=(px(4), 0))
        for step in view.steps:
            self._add_step(step)
        self._foot = theme.frame(self._inside)
        self._foot.pack(fill="x", side="bottom", pady=(px(6), 0))
        self._buttons = self._make_buttons()
        self.show(view)

    @property
    def number(self) -> int:
        """The number of the suggestion."""
        return self._view.number

    @property
    def is_editing(self) -> bool:
        """Whether the suggestion is being edited."""
        return self._editor is not None

    @property
    def edited(self) -> EditedScript | None:
        """The script as it has been edited; None: it is not being edited, or nothing has changed."""
        return self._editor.script if self._editor is not None and self._editor.is_changed else None

    @property
    def script(self) -> EditedScript | None:
        """The script in the fields; None: it is not being edited."""
        return None if self._editor is None else self._editor.script

    def show(self, view: SuggestionView) -> None:
        """Show the time left; the steps of a suggestion never change."""
        self._view = view
        c = self._theme.colours
        self._remaining.write(view.remaining, c.danger if view.is_urgent else c.muted)
        self._show_held(view.held)
        if view.share is None:
            self._track.pack_forget()
            return
        if not self._track.winfo_manager():
            self._track.pack(fill="x", pady=(self._theme.px(3), 0), after=self._head)
        self._bar.configure(bg=c.danger if view.is_urgent else c.primary)
        x = 1 - view.share if self._theme.rtl else 0
        self._bar.place(relx=x, rely=0, relwidth=view.share, relheight=1)

    def _show_held(self, sentence: str) -> None:
        """Show that the time-out is stopped, in a sentence; empty: it is not."""
        self._held.write(sentence)
        if not sentence:
            self._held.pack_forget()
        elif not self._held.winfo_manager():
            self._held.pack(anchor=self._theme.west, after=self._head)

    def enable(self, can_answer: bool) -> None:
        """Set whether the suggestion can be answered."""
        usable = can_answer and not self.is_answered
        for button in self._buttons.values():
            button.state(["!disabled" if usable else "disabled"])

    def note_move(self) -> None:
        """Note that the card now has another place in the window."""
        self._moved_at = time.monotonic()

    def _press(self, answer: Callable[[], object]) -> None:
        if time.monotonic() - self._moved_at >= ARMED_SECONDS:
            answer()

    def send_by_key(self) -> None:
        """Send the suggestion, unless it is edited or has only just appeared."""
        if not self.is_editing and time.monotonic() - self._shown_at >= ARMED_SECONDS:
            self._send()

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the controls by their names in UI tests."""
        edited = {} if self._editor is None else self._editor.widgets()
        return {
            f"suggestion.{self.number}.{name}": widget for name, widget in (self._buttons | edited).items()
        }

    def _add_step(self, step: StepView) -> None:
        theme, muted = self._theme, self._theme.colours.muted
        heading = " · ".join(filter(None, (step.title, step.pause)))
        if heading:
            label = theme.label(self._steps, heading, "small", muted, wrap=self._width)
            label.pack(anchor=theme.west, pady=(theme.px(3), 0))
        show_step_contents(theme, self._steps, step, self._width)

    def _make_buttons(self) -> dict[str, ttk.Button]:
        theme, translate = self._theme, self._theme.translate
        for child in self._foot.winfo_children():
            child.destroy()
        made: tuple[tuple[str, str, str, Callable[[], object]], ...]
        if self.is_editing:
            made = (
                ("send", translate("Send"), "Card.Primary.TButton", self._send),
                ("cancel", translate("Cancel"), "Toggle.TButton", self._cancel),
            )
        else:
            made = (
                ("send", translate("Send"), "Card.Primary.TButton", self._send),
                ("edit", translate("Edit"), "Toggle.TButton", self.edit),
                ("drop", translate("Drop"), "Toggle.TButton", self._drop),
            )
        buttons = {}
        for column, (name, text, style, call) in enumerate(made):
            button = theme.button(self._foot, text, style, partial(self._press, call))
            at = theme.column(column, len(made))
            self._foot.columnconfigure(at, weight=1, uniform="answers")
            gap = theme.padx(0, 0 if column == len(made) - 1 else 4)
            button.grid(row=0, column=at, sticky="ew", padx=gap)
            buttons[name] = button
        if len(made) < self._foot.grid_size()[0]:
            for column in range(len(made), self._foot.grid_size()[0]):
                self._foot.columnconfigure(column, weight=0, uniform="")
        return buttons

    def _send(self) -> None:
        if self.is_answered:
            return
        self.is_answered = True
        edited = self.edited
        self.enable(False)
        self._callbacks.send(self.number, edited)

    def _drop(self) -> None:
        self.is_answered = True
        self.enable(False)
        self._callbacks.drop(self.number)

    def edit(self) -> None:
        """Show the fields in which the suggestion is edited."""
        scripts = self._callbacks.edit(self.number)
        if scripts is None:
            return
        script, suggested = scripts
        self._steps.pack_forget()
        self._editor = ScriptEditor(
            self._inside,
            self._theme,
            script,
            suggested,
            self._view.steps,
            width=self._width,
            prepare_offer=self._callbacks.prepare_offer,
            prepared_offer=self._callbacks.prepared_offer,
            view_step=self._callbacks.view_step,
        )
        self._editor.frame.pack(fill="x")
        # In reading order, which is the order of Tab.
        self._foot.tkraise()
        self._change_buttons()
        self._editor.focus()

    def _cancel(self) -> None:
        if self._editor is not None:
            self._editor.frame.destroy()
            self._editor = None
        self._steps.pack(fill="x", pady=(self._theme.px(4), 0))
        self._change_buttons()

    def _change_buttons(self) -> None:
        self._buttons = self._make_buttons()
        self._callbacks.on_edit(self.number, self._editor is not None)
