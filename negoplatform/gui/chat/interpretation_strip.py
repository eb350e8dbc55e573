"""Strip above the message field with the interpretation of typed text and the possible replies."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable
from tkinter import ttk
from typing import Protocol

from negoplatform.domain.offer import Term
from negoplatform.gui.chat.annotated_message_view import AnnotatedMessageView
from negoplatform.gui.chat.interpretation_chip import HEIGHT, InterpretationChip
from negoplatform.gui.pictures.game_picture_set import GamePictureSet
from negoplatform.gui.pictures.issue_picture_cache import IssuePhotoCache
from negoplatform.gui.theming.bidi_label import BidiLabel
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.flow_layout import FlowLayout, flow_positions
from negoplatform.gui.widgets.pressable_cell import CellImages
from negoplatform.gui.widgets.scrolled_frame import ScrolledFrame
from negoplatform.presentation import key_debounce
from negoplatform.presentation.bidi import LEFT_TO_RIGHT
from negoplatform.presentation.interpretation.interpretation_view import InterpretationView

WIDTH = 480
"""Width at which its text wraps before the available width is known, for 96 dpi."""

GAP = 2
"""Gap between chips and between their rows, for 96 dpi; each chip has a margin too."""

MOST_ROWS, FEWER_ROWS = 3, 2
"""Numbers of visible rows of chips: the usual greatest one, and that with little height."""

ENTER, CONTROL_ENTER, EDIT, BACK = "⏎", "Ctrl+⏎", "F2", "Esc"
"""Labels of the keys that press the buttons while the message field has the focus."""


class InterpretationActions(Protocol):
    """The participant's replies to an interpretation."""

    def confirm(self, choice: int, /) -> None:
        """Confirm an interpretation; ``choice``: which of several, 0 for the first."""

    def correct(self, issue: str, term: Term | None, /) -> None:
        """Set another term for an issue; None removes it."""

    def edit(self) -> None:
        """Edit the terms in the offer builder."""

    def send_text_only(self) -> None:
        """Send the text only."""

    def revert(self) -> None:
        """Undo the corrections; without any, drop the interpretation."""


class NoInterpretation:
    """Replies where typed text is never interpreted; as nothing is shown, nothing can be replied to."""

    def confirm(self, _choice: int, /) -> None:
        """Do nothing."""

    def correct(self, _issue: str, _term: Term | None, /) -> None:
        """Do nothing."""

    def edit(self) -> None:
        """Do nothing."""

    def send_text_only(self) -> None:
        """Do nothing."""

    def revert(self) -> None:
        """Do nothing."""


class InterpretationStrip:
    """Strip that shows an interpretation. In its first second, none of its buttons sends anything.

    Args:
        parent: The parent, on whose grid the strip is placed.
        theme: The window's theme.
        actions: The commands of the buttons.
        pictures: The pictures of the game's issues.
        on_leave: Return the focus to the message field.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        actions: InterpretationActions,
        *,
        pictures: IssuePhotoCache | None = None,
        on_leave: Callable[[], object] = lambda: None,
    ) -> None:
        self._theme, self._actions, self._on_leave = theme, actions, on_leave
        self._images = CellImages(theme, pictures or IssuePhotoCache(theme, GamePictureSet()))
        self._buttons: dict[str, ttk.Button] = {}
        self._chips: dict[str, InterpretationChip] = {}
        self._sending: list[ttk.Button] = []
        self._ready_at = 0.0
        self._back_room = 0
        self._rows: ScrolledFrame | None = None
        self._later = ""
        self.view: InterpretationView | None = None
        # The edge at the starting side has the participant's colour, as this is their next act.
        self.frame = theme.frame(parent, theme.colours.mine)
        self._inside = theme.frame(self.frame)
        self._inside.pack(fill="both", expand=True, padx=theme.padx(3, 0))
        self._inside.bind("<Configure>", lambda event: self._wrap(event.width))

    @property
    def is_shown(self) -> bool:
        """Whether the strip is shown."""
        return self.view is not None

    @property
    def is_ready(self) -> bool:
        """Whether the strip has been shown long enough for its buttons to send."""
        return self.is_shown and time.monotonic() >= self._ready_at

    def show(self, view: InterpretationView | None) -> None:
        """Show a view; None hides the strip."""
        if view == self.view:
            return
        before, self.view = self.view, view
        if view is None:
            self._clear()
            self.frame.grid_remove()
        elif before is not None and _structure_key(before) == _structure_key(view):
            self._write(view)
        else:
            focused = self._focused_chip()
            self._clear()
            line = self._build(view)
            self.frame.grid()
            # Laid out for the available width before it is drawn; otherwise its buttons would jump.
            self.frame.update_idletasks()
            self._wrap(self._inside.winfo_width())
            self._lay_out(line, line.winfo_width())
            if focused in self._chips:
                self._chips[focused].focus_set()
        if view is not None and (before is None or _needs_reading(before, view)):
            self.frame.update_idletasks()
            self._ready_at = time.monotonic() + key_debounce.MIN_VISIBLE_SECONDS
        self._enable_buttons()

    def show_fewer_rows(self) -> None:
        """Show fewer rows of chips, which leaves height to others; further rows scroll."""
        if self._rows is not None:
            self._rows.set_max_height(self._theme.px(FEWER_ROWS * (HEIGHT + GAP)))

    def has_focus(self) -> bool:
        """Return whether one of the strip's controls has the focus."""
        path = str(self.frame.tk.call("focus"))
        return path.startswith(f"{self.frame}.")

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the controls by name, in reading order."""
        named: dict[str, tk.Misc] = {}
        for chip in self._chips.values():
            named |= chip.widgets()
        return {**named, **{f"reading.{name}": button for name, button in self._buttons.items()}}

    def _enable_buttons(self) -> None:
        """Enable the buttons that send, once the strip has been shown long enough."""
        if self._later:
            self.frame.after_cancel(self._later)
            self._later = ""
        left = self._ready_at - time.monotonic()
        for button in self._sending:
            button.state(["disabled" if left > 0 else "!disabled"])
        if self._sending and left > 0:
            self._later = self.frame.after(max(1, round(left * 1000)) + 1, self._schedule_enable)

    def _schedule_enable(self) -> None:
        self._later = ""
        self._enable_buttons()

    def _clear(self) -> None:
        for child in self._inside.winfo_children():
            child.destroy()
        self._buttons, self._chips, self._sending = {}, {}, []
        self._rows = None

    def _build(self, view: InterpretationView) -> tk.Frame:
        theme, room = self._theme, self._theme.px(10)
        inside = self._inside
        self._heading = theme.label(inside, view.heading, "bold", wrap=WIDTH)
        self._heading.pack(anchor=theme.west, padx=room)
        self._words = None
        if view.words:
            self._words = AnnotatedMessageView(inside, theme, view.words)
            self._words.text.pack(fill="x", padx=room, pady=(theme.px(1), 0))
        self._notes = theme.label(inside, view.notes, "small", theme.colours.warning, wrap=WIDTH)
        if view.notes:
            self._notes.pack(anchor=theme.west, padx=room)
        if view.chips:
            self._build_chips(view)
        self._choices = [self._choice(number) for number in range(len(view.choices))]
        self._detail = theme.label(inside, view.detail, "small", theme.colours.muted, wrap=WIDTH)
        if view.detail:
            self._detail.pack(anchor=theme.west, padx=room, pady=(theme.px(2), 0))
        line = theme.frame(inside)
        line.bind("<Configure>", lambda event: self._lay_out(line, event.width))
        self._build_buttons(line, view)
        if line.winfo_children():
            line.pack(fill="x", padx=room, pady=(theme.px(4), 0))
        self._write(view)
        # Its height has to be about right before its width is known.
        self._lay_out(line, theme.px(WIDTH))
        return line

    def _build_buttons(self, line: tk.Frame, view: InterpretationView) -> None:
        translate = self._theme.translate
        if view.confirm_label:
            style = (
                "Danger.TButton"
                if view.is_worse_than_no_deal
                else "Accept.TButton"
                if view.binds
                else "Primary.TButton"
            )
            style = f"Card.{style}"
            words = _with_key(view.confirm_label, ENTER if view.confirms_on_enter else self._control_enter)
            self._sending.append(self._button(line, "yes", words, style, lambda: self._actions.confirm(0)))
        if view.can_edit:
            words = _with_key(translate("Edit in the builder"), EDIT)
            self._button(line, "edit", words, "Toggle.TButton", self._actions.edit)
        if view.can_send_text_only:
            words = translate("Just send as a message")
            words = words if view.confirms_on_enter else _with_key(words, ENTER)
            self._button(line, "only_say", words, "Toggle.TButton", self._actions.send_text_only)
        back = (
            translate("Undo changes")
            if view.is_corrected
            else translate("Not now")
            if view.is_sent
            else translate("Back")
        )
        # At the end of the heading's row, where it takes no space from the others; Tab reaches it last.
        words = _with_key(back, BACK)
        button = self._button(self._inside, "back", words, "Small.Quiet.TButton", self._actions.revert)
        button.place(relx=0.0 if self._theme.rtl else 1.0, y=0, anchor="nw" if self._theme.rtl else "ne")
        self._back_room = button.winfo_reqwidth()
        beside = max(0, button.winfo_reqheight() - self._heading.winfo_reqheight()) // 2
        self._heading.pack_configure(pady=beside)

    @property
    def _control_enter(self) -> str:
        """The label of Ctrl+Enter; in right-to-left text it keeps its own direction."""
        return f"{LEFT_TO_RIGHT}{CONTROL_ENTER}{LEFT_TO_RIGHT}" if self._theme.rtl else CONTROL_ENTER

    def _build_chips(self, view: InterpretationView) -> None:
        theme = self._theme
        most = MOST_ROWS * (HEIGHT + GAP)
        scrolled = ScrolledFrame(self._inside, theme, width=WIDTH // 2, height=most)
        scrolled.frame.configure(highlightthickness=0)
        scrolled.frame.pack(fill="x", padx=theme.px(7), pady=(theme.px(2), 0))
        row = FlowLayout(scrolled.inside, theme, gap=GAP)
        row.frame.pack(fill="x")
        for chip in view.chips:
            self._chips[chip.issue] = InterpretationChip(
                row.frame,
                theme,
                self._images,
                chip,
                on_correct=self._actions.correct,
                on_leave=self._on_leave,
            )
        scrolled.bind_scrolling(scrolled.inside)
        self._row, self._rows = row, scrolled

    def _choice(self, number: int) -> BidiLabel:
        theme = self._theme
        row = theme.frame(self._inside)
        row.pack(fill="x", padx=theme.px(10), pady=(theme.px(4), 0))
        name = f"choice.{number + 1}"
        button = self._button(
            row, name, str(number + 1), "Toggle.TButton", lambda: self._actions.confirm(number)
        )
        button.pack(side=theme.start)
        self._sending.append(button)
        words = theme.label(row, "", wrap=WIDTH)
        words.pack(side=theme.start, padx=theme.px(10))
        return words

    def _button(
        self, parent: tk.Misc, name: str, words: str, style: str, command: Callable[[], None]
    ) -> ttk.Button:
        self._buttons[name] = self._theme.button(parent, words, style, command)
        return self._buttons[name]

    def _lay_out(self, line: tk.Frame, room: int) -> None:
        """Place the buttons in as many rows as needed: large text leaves little width."""
        buttons = [child for child in line.winfo_children() if isinstance(child, ttk.Button)]
        if not buttons:
            return
        widths, gap = [button.winfo_reqwidth() for button in buttons], self._theme.px(6)
        height = max(button.winfo_reqheight() for button in buttons)
        places = flow_positions(widths, room, gap)
        for button, width, (row, x) in zip(buttons, widths, places, strict=True):
            left = room - x - width if self._theme.rtl else x
            button.place(x=left, y=row * (height + gap), width=width, height=height)
        line.configure(height=(places[-1][0] + 1) * (height + gap) - gap)

    def _write(self, view: InterpretationView) -> None:
        self._heading.write(view.heading)
        self._notes.write(view.notes)
        self._detail.write(view.detail, self._theme.colours.danger if view.is_worse_than_no_deal else "")
        for chip in view.chips:
            self._chips[chip.issue].show(chip)
        if view.chips:
            self._row.lay_out(self._row.frame.winfo_width())
        for caption, (words, worth) in zip(self._choices, view.choices, strict=True):
            caption.write(f"{words}  ({worth})")

    def _wrap(self, width: int) -> None:
        """Wrap the text at the available width."""
        theme = self._theme
        if width <= theme.px(80) or self.view is None:
            return
        self._heading.wrap_to(width - 2 * theme.px(10) - self._back_room)
        for caption in (self._notes, self._detail):
            caption.wrap_to(width - 2 * theme.px(10))
        for caption in self._choices:
            caption.wrap_to(width - theme.px(76))

    def _focused_chip(self) -> str:
        path = str(self.frame.tk.call("focus"))
        return next((issue for issue, chip in self._chips.items() if str(chip) == path), "")


def _with_key(words: str, key: str) -> str:
    return f"{words}  {key}"


def _needs_reading(before: InterpretationView, view: InterpretationView) -> bool:
    """Return whether there is something new to read before sending; not so after a correction."""
    return before.confirm_label != view.confirm_label and not (view.is_corrected or before.is_corrected)


def _structure_key(view: InterpretationView) -> object:
    """Return the part of a view that determines the widgets; the rest only changes their text."""
    chips = tuple(
        (chip.issue, bool(chip.words), len(chip.words), chip.less is None and chip.more is None, chip.picture)
        for chip in view.chips
    )
    return (
        view.confirm_label,
        view.confirms_on_enter,
        view.words,
        bool(view.notes),
        bool(view.detail),
        chips,
        len(view.choices),
        view.can_edit,
        view.can_send_text_only,
        view.binds,
        view.is_worse_than_no_deal,
        view.is_sent,
        view.is_corrected,
    )
