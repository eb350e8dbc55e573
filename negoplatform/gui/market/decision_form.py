"""Form of a phase with decisions, and what was decided, in place of the order book and the ticket."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from tkinter import ttk

from negoplatform.core.mechanisms.market_terms import DecisionField, DecisionKind
from negoplatform.gui.market.number_field import SteppedNumberField
from negoplatform.gui.theming.bidi_label import BidiLabel
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.label_pairs import build_pair_rows
from negoplatform.gui.widgets.scrolled_frame import ScrolledFrame
from negoplatform.presentation.key_debounce import KeyDebounce
from negoplatform.presentation.market.phase_view import DecisionFieldView, DecisionView

ROOM = 344
"""Width of the texts, for 96 dpi."""

APPEARED_SECONDS = 1.0
"""Seconds after a form has appeared within which what is typed may have been meant for something else."""

UNREAD_SECONDS = 0.6
"""Seconds after the button has got the focus within which a key does not decide."""


@dataclass(frozen=True, slots=True)
class DecisionActions:
    """Callbacks of the form.

    Args:
        write: Change the text of a number.
        step: Change a number by steps.
        choose: Choose a value, or take it back where several can be chosen.
        decide: Send the decision that is shown.
    """

    write: Callable[[DecisionField, str], object]
    step: Callable[[DecisionField, int], object]
    choose: Callable[[DecisionField, str], object]
    decide: Callable[[DecisionView], object]


class DecisionForm:
    """The form while it is open, then the decision, and whom is waited for.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        actions: Callbacks.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, actions: DecisionActions) -> None:
        self._theme, self._actions = theme, actions
        self._shown: DecisionView | None = None
        self._key: object = None
        self._fields: dict[str, FieldWidgets] = {}
        px = theme.px
        self.frame = theme.frame(parent)
        self._heading = theme.label(self.frame, "", "heading", wrap=ROOM)
        self._heading.pack(anchor=theme.west)
        self._text = theme.label(self.frame, "", "body", theme.colours.muted, wrap=ROOM)
        self._text.pack(anchor=theme.west, pady=(px(4), px(8)))
        # Packed from the bottom: the button stays visible however many fields there are.
        self._waiting = theme.label(self.frame, "", "bold", wrap=ROOM)
        self._waiting.pack(side="bottom", anchor=theme.west, pady=(px(8), 0))
        self._missing = theme.label(self.frame, "", "small_bold", theme.colours.warning, wrap=ROOM)
        self._missing.pack(side="bottom", anchor=theme.west, pady=(px(4), 0))
        self.decide = theme.button(
            self.frame, theme.translate("Decide"), "Primary.TButton", self._decide, icon="check"
        )
        self._enter = KeyDebounce()
        self._appeared_at = self._focused_at = float("-inf")
        # Ahead of the binding of all buttons, which presses it again and again while Enter is held down.
        for key in ("Return", "space"):
            self.decide.bind(f"<{key}>", self._decided_by_key)
            self.decide.bind(f"<KeyRelease-{key}>", self._released)
        self.decide.bind("<FocusIn>", self._on_decide_focused)
        self._list = ScrolledFrame(self.frame, theme, width=ROOM, height=2000)
        self._list.frame.pack(fill="x", anchor="n")
        self.decide.lift()  # Tab follows the stacking order, which is to be the reading order

    def show(self, view: DecisionView) -> None:
        """Show a phase; the fields stay the same widgets as long as the same is asked."""
        if view == self._shown:
            return
        self._shown = view
        self._heading.write(view.heading)
        self._text.write(view.text)
        problem, c = view.refused or view.missing, self._theme.colours
        self._waiting.write(view.waiting, c.muted if view.fields else c.ink)
        if view.button:
            self._theme.set_button_text(self.decide, view.button)
        self._missing.write(problem, c.danger if view.refused else c.warning)
        key = tuple(each.field for each in view.fields), view.decided
        if key != self._key:
            self._key = key
            self._enter.reset()
            self._build(view)
        for each in view.fields:
            self._fields[each.field.name].show(each, can_edit=view.can_edit)
        state = "normal" if view.action is not None else "disabled"
        if str(self.decide.cget("state")) != state:
            self.decide.configure(state=state)
        if view.fields and not self.decide.winfo_manager():
            # Before the list, which has to give way where the window is low.
            self.decide.pack(after=self._missing, side="bottom", fill="x", pady=(self._theme.px(8), 0))
        elif not view.fields:
            self.decide.pack_forget()

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the controls by name."""
        named: dict[str, tk.Misc] = {"decide": self.decide}
        for name, made in self._fields.items():
            named |= made.widgets(f"decision.{name}")
        return named

    def focus_first(self) -> bool:
        """Focus the first field; return whether there is one."""
        first = next(iter(self._fields.values()), None)
        if first is not None:
            first.first.focus_set()
        return first is not None

    @property
    def is_break(self) -> bool:
        """Whether the phase has no decisions, and the session is not frozen."""
        return self._shown is not None and not self._shown.phase.decide and self._shown.can_edit

    def number_fields(self) -> tuple[SteppedNumberField, ...]:
        """Return the fields for numbers that can be changed."""
        if self._shown is None or not self._shown.can_edit:
            return ()
        return tuple(each.number for each in self._fields.values() if each.number is not None)

    def _build(self, view: DecisionView) -> None:
        inside = self._list.inside
        path = str(inside.tk.call("focus"))
        had_focus = path == str(self.frame) or path.startswith(f"{self.frame}.")
        for child in inside.winfo_children():
            child.destroy()
        self._fields = {}
        if view.fields:
            self._appeared_at = time.monotonic()
        for each in view.fields:
            made = FieldWidgets(inside, self._theme, each, self._actions)
            made.frame.pack(fill="x", pady=(0, self._theme.px(10)))
            self._fields[each.field.name] = made
        self._bind_enter()
        if view.decided:
            rows = self._theme.frame(inside)
            rows.pack(fill="x")
            build_pair_rows(self._theme, rows, view.decided, width=ROOM)
        self._list.bind_scrolling(inside)
        if had_focus and not self.focus_first():
            # Nothing is asked any more: what is typed now is for nothing else either.
            self.frame.focus_set()

    def _bind_enter(self) -> None:
        """Let Enter in a number lead to the next field; a decision is made once, by the button alone."""
        made = list(self._fields.values())
        for each in made:
            if each.number is not None:
                each.number.entry.bind("<Key>", self._typed)
        targets: list[tk.Misc] = [*(each.first for each in made[1:]), self.decide]
        for each, target in zip(made, targets, strict=False):
            if each.number is not None:
                each.first.bind(
                    "<Return>",
                    lambda event, field=each, target=target: self._go_on(event, field, target),  # type: ignore[misc]
                )
                each.first.bind("<KeyRelease-Return>", self._released)

    def _has_just_appeared(self) -> bool:
        return time.monotonic() - self._appeared_at < APPEARED_SECONDS

    def _typed(self, event: tk.Event[tk.Misc]) -> str | None:
        """Ignore what is typed while the form has just appeared: it was begun before."""
        is_text = event.keysym in ("BackSpace", "Delete") or (event.char and event.char.isprintable())
        return "break" if is_text and self._has_just_appeared() else None

    def _go_on(self, event: tk.Event[tk.Misc], field: FieldWidgets, target: tk.Misc) -> str:
        """Focus the next control, one at each press: a key that is held down must not decide.

        A number that is refused keeps the focus.
        """
        if not self._enter.is_new_press(event.time) or self._has_just_appeared():
            return "break"
        if field.is_refused and field.number is not None:
            field.number.focus()
        else:
            target.focus_set()
        return "break"

    def _on_decide_focused(self, _event: tk.Event[tk.Misc]) -> None:
        self._focused_at = time.monotonic()

    def _decided_by_key(self, event: tk.Event[tk.Misc]) -> str | None:
        """Let a key decide only if the button has had the focus for a while."""
        is_new = self._enter.is_new_press(event.time)
        return None if is_new and time.monotonic() - self._focused_at >= UNREAD_SECONDS else "break"

    def _released(self, event: tk.Event[tk.Misc]) -> None:
        self._enter.on_release(event.time)

    def _decide(self) -> None:
        if self._shown is not None and self._shown.action is not None:
            self._actions.decide(self._shown)


class FieldWidgets:
    """Controls of one field.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        view: The field.
        actions: Callbacks of the form.
    """

    def __init__(
        self, parent: tk.Misc, theme: Theme, view: DecisionFieldView, actions: DecisionActions
    ) -> None:
        self._theme, self._field = theme, view.field
        self.frame = theme.frame(parent)
        self._title = theme.label(self.frame, view.title, "bold", wrap=ROOM - 20)
        self._title.pack(anchor=theme.west)
        self._hint = theme.label(self.frame, view.hint, "small", theme.colours.muted, wrap=ROOM - 20)
        self._hint.pack(anchor=theme.west, pady=(0, theme.px(2)))
        self.number: SteppedNumberField | None = None
        """Field for a number; None: values are chosen by buttons."""
        self.is_refused = False
        """Whether what is entered is no value of the field."""
        self._options: dict[str, ttk.Button] = {}
        self._notes: dict[str, BidiLabel] = {}
        field = view.field
        if field.kind is DecisionKind.NUMBER:
            self.number = SteppedNumberField(
                self.frame,
                theme,
                on_typed=lambda text: actions.write(field, text),
                on_step=lambda steps: actions.step(field, steps),
                width=10,
            )
            self.number.frame.pack(anchor=theme.west)
        for option in view.options:
            button = theme.button(
                self.frame,
                option.label,
                "Toggle.TButton",
                lambda value=option.value: actions.choose(field, value),  # type: ignore[misc]
            )
            button.pack(fill="x", pady=theme.px(1))
            self._options[option.value] = button
            if option.note:
                note = theme.label(self.frame, "", "small", theme.colours.muted, wrap=ROOM - 20)
                note.pack(anchor=theme.west, padx=theme.px(8), pady=(0, theme.px(4)))
                self._notes[option.value] = note
        self._problem: BidiLabel = theme.label(self.frame, "", "small", theme.colours.warning, wrap=ROOM - 20)

    @property
    def first(self) -> tk.Misc:
        """The control that gets the focus first."""
        return self.number.entry if self.number is not None else next(iter(self._options.values()))

    def show(self, view: DecisionFieldView, *, can_edit: bool) -> None:
        """Show the entry."""
        if self.number is not None:
            self.number.show(view.text, can_edit=can_edit)
        for option in view.options:
            button = self._options[option.value]
            self._theme.set_button_text(button, f"✓ {option.label}" if option.chosen else option.label)
            if option.value in self._notes:
                self._notes[option.value].write(option.note)
            style = "Chosen.Toggle.TButton" if option.chosen else "Toggle.TButton"
            if str(button.cget("style")) != style:
                button.configure(style=style)
            state = "normal" if can_edit else "disabled"
            if str(button.cget("state")) != state:
                button.configure(state=state)
        self.is_refused = bool(view.problem)
        self._problem.write(view.problem)
        if view.problem and not self._problem.winfo_manager():
            self._problem.pack(anchor=self._theme.west)
        elif not view.problem:
            self._problem.pack_forget()

    def widgets(self, name: str) -> dict[str, tk.Misc]:
        """Return the controls by name."""
        found: dict[str, tk.Misc] = {} if self.number is None else self.number.widgets(name)
        return {**found, **{f"{name}.{value}": button for value, button in self._options.items()}}
