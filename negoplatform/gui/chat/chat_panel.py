"""Chat panel: the transcript and the message field."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable

from negoplatform.core.action_rules import LONGEST_MESSAGE
from negoplatform.gui.chat.address_field import AddressField
from negoplatform.gui.chat.advice_card import AdviceCard
from negoplatform.gui.chat.interpretation_strip import (
    InterpretationActions,
    InterpretationStrip,
    NoInterpretation,
)
from negoplatform.gui.chat.message_field import MessageField
from negoplatform.gui.pictures.issue_picture_cache import IssuePhotoCache
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.transcript.painter import FaceProvider
from negoplatform.gui.transcript.transcript_view import Transcript
from negoplatform.presentation.advice_view import AdviceView
from negoplatform.presentation.chat.address_view import Address, AddressView
from negoplatform.presentation.interpretation.interpretation_view import InterpretationView
from negoplatform.presentation.key_debounce import KeyDebounce

NOTE_WIDTH = 320
"""Width at which the note below the message field wraps before the available width is known, for 96 dpi."""

MIN_TRANSCRIPT_HEIGHT = 120
"""Height that the transcript keeps if possible, for 96 dpi."""


class ChatPanel:
    """Panel that shows the transcript and sends what is typed.

    Between the transcript and the message field are the card with the advice of the participant's adviser,
    ``emotion_area``, which the owner fills, the strip with
    the interpretation of a pending message, and, with several others, who gets what is said.

    Args:
        parent: The parent of the panel.
        theme: The window's theme.
        on_send: Called with the text, once per press. The text stays in the field until :meth:`clear_sent`.
        on_typing: Called when a key has changed the text.
        on_words: Called whenever the text has changed, also by the program.
        on_phrases: Called to show or hide the phrases.
        reading: The participant's replies to an interpretation; None: typed text is never interpreted.
        on_address: Called with the recipients that were chosen for what is said next.
        talks: Whether there is talk in the game; without it, only the transcript is shown.
        face: Return the small round portrait of a seat.
        pictures: The pictures of the game's issues.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        *,
        on_send: Callable[[str], None],
        on_typing: Callable[[], object],
        on_words: Callable[[], object],
        on_phrases: Callable[[], object],
        reading: InterpretationActions | None,
        on_address: Callable[[Address], None] = lambda _address: None,
        talks: bool = True,
        face: FaceProvider | None = None,
        pictures: IssuePhotoCache | None = None,
    ) -> None:
        self._theme = theme
        self._on_send = on_send
        self._on_typing = on_typing
        self._interpretation_actions = reading or NoInterpretation()
        self._enter = KeyDebounce()
        self._last_text = self._usual_note = self._cut_note = ""
        self.frame = theme.frame(parent)
        self._below: tk.Widget = self.frame
        self.frame.columnconfigure(0, weight=1)
        self.frame.rowconfigure(0, weight=1)
        # Made in visual order, which is the order of Tab.
        self._transcript = Transcript(self.frame, theme, face=face, pictures=pictures)
        self._transcript.frame.grid(row=0, column=0, sticky="nsew", padx=theme.px(2))
        rule = theme.rule(self.frame)
        rule.grid(row=2, column=0, sticky="ew")
        self.advice = AdviceCard(self.frame, theme, on_leave=lambda: self.home.focus_set())
        self.advice.frame.grid(row=3, column=0, sticky="ew", padx=theme.px(11), pady=(theme.px(8), 0))
        self.advice.frame.grid_remove()
        self.emotion_area = theme.frame(self.frame)
        self.emotion_area.grid(row=4, column=0, sticky="ew", padx=theme.px(12), pady=(theme.px(8), 0))
        self._strip = InterpretationStrip(
            self.frame,
            theme,
            self._interpretation_actions,
            pictures=pictures,
            on_leave=lambda: self.entry.focus_set(),
        )
        self._strip.frame.grid(row=5, column=0, sticky="ew", padx=theme.px(11), pady=(theme.px(8), 0))
        self._strip.frame.grid_remove()
        # With one other there is nothing to choose, and it is never shown.
        self._address = AddressField(
            self.frame, theme, on_choose=on_address, on_chosen=lambda: self.entry.focus_set()
        )
        composer = self._make_composer(on_words, on_phrases)
        self._talks = talks
        if not talks:
            for part in (rule, self.emotion_area, composer):
                part.grid_remove()
            self.line.is_hidden = True
        self._transcript.home = lambda: self.home

    @property
    def home(self) -> tk.Widget:
        """The widget that has the focus unless another one needs it: the message field, if there is one."""
        return self.entry if self._talks else self._transcript.canvas

    @property
    def transcript_canvas(self) -> tk.Canvas:
        """The canvas that shows the lines and has the focus for scrolling."""
        return self._transcript.canvas

    @property
    def transcript_view(self) -> Transcript:
        """The transcript, for owners that show offers in it."""
        return self._transcript

    @property
    def room(self) -> int:
        """The height in pixels that the transcript and open phrases share."""
        below = self._below
        return self._transcript.frame.winfo_height() + (below.winfo_height() if below.winfo_ismapped() else 0)

    def add_below_transcript(self, frame: tk.Widget) -> None:
        """Place a frame, hidden at first, between transcript and emotions; it shrinks the transcript."""
        self._below = frame
        frame.grid(row=1, column=0, sticky="ew")
        frame.grid_remove()
        # Tab follows the stacking order, which must be the reading order.
        tk.Misc.tkraise(frame, self._transcript.frame)

    @property
    def shows_interpretation(self) -> bool:
        """Whether the interpretation strip is shown."""
        return self._strip.is_shown

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the controls by name."""
        return {
            "transcript": self._transcript.canvas,
            "text_view": self._transcript.text_view,
            **({"to": self._address.box} if self._address.frame.winfo_manager() else {}),
            "new_messages": self._transcript.new_messages_button,
            **self.advice.widgets(),
            **({"phrases": self.phrases, "entry": self.entry, "send": self.button} if self._talks else {}),
            **self._strip.widgets(),
        }

    def show(self, can_talk: bool, hint: str, note: str = "") -> None:
        """Set whether messages can be sent, the hint in the empty field, and the note below it."""
        if can_talk != self.line.enabled:
            self.line.enable(can_talk)
            for control in (self.button, self.phrases):
                control.configure(state="normal" if can_talk else "disabled")
        self.line.show_hint(hint if can_talk else "")
        self._usual_note = note
        self._show_note()

    def _show_note(self) -> None:
        note = self._cut_note or self._usual_note
        self._note.write(note)
        if note and not self._note.winfo_manager():
            px = self._theme.px
            self._note.grid(row=8, column=0, sticky=self._theme.west, padx=px(14), pady=(0, px(6)))
        elif not note and self._note.winfo_manager():
            self._note.grid_remove()

    def show_address(self, view: AddressView | None) -> None:
        """Show who gets what is said; None: there is only one other."""
        if view is None:
            return
        self._address.show(view)
        self.line.mark_private(view.is_private)
        if not self._address.frame.winfo_manager():
            px = self._theme.px
            self._address.frame.grid(row=6, column=0, sticky="ew", padx=px(12), pady=(px(8), 0))

    def show_interpretation(self, view: InterpretationView | None) -> None:
        """Show the interpretation of the text in the field; None hides it."""
        if view is None and self._strip.has_focus():
            self.entry.focus_set()
        before = self._strip.view
        appears = view is not None and (before is None or _enter_action(before) != _enter_action(view))
        had_keyboard = self._strip.has_focus()
        self._strip.show(view)
        if had_keyboard and view is not None and not self._strip.has_focus():
            self.entry.focus_set()
        if before != view:
            self._make_room()
        if appears:
            # Only what is drawn counts as seen; a key press that was waiting meanwhile was made before.
            self.frame.update_idletasks()
            self._enter.on_shown(time.monotonic())

    def show_advice(self, view: AdviceView | None) -> bool:
        """Show the advice of the participant's adviser; None hides it. Return whether that is a change."""
        changed = self.advice.show(view)
        if changed:
            self._make_room()
        return changed

    def _make_room(self) -> None:
        """Keep some height for the transcript while a card is above the message field.

        Emotions are hidden first, then chips.
        """
        if not (self._strip.is_shown or self.advice.is_shown):
            if self._talks:
                self.emotion_area.grid()
            return
        for make_way in (self.emotion_area.grid_remove, self._strip.show_fewer_rows):
            self.frame.update_idletasks()
            if self._transcript.frame.winfo_height() >= self._theme.px(MIN_TRANSCRIPT_HEIGHT):
                return
            make_way()

    def clear_sent(self) -> None:
        """Clear the message field after its text was sent."""
        self.line.write("")
        self._last_text = ""
        # The sender wants to see the sent text, wherever they were reading.
        self._transcript.scroll_to_end()

    @property
    def text(self) -> str:
        """The unsent text in the message field."""
        return self.line.content

    @property
    def cursor(self) -> str:
        """The cursor's position in the message field, as a Tk index."""
        return self.entry.index("insert")

    def append_text(self, text: str) -> None:
        """Put a text into the field, behind what is typed there."""
        if self._talks:
            self.line.write(f"{self.text.rstrip()} {text}" if self.text.strip() else text)
            self.entry.mark_set("insert", "end-1c")
            self._last_text = self.text

    def restore_text(self, text: str, cursor: str = "end-1c") -> None:
        """Put unsent text back into the field, before any text typed meanwhile."""
        # In one write: whenever the text is saved, it is complete.
        self.line.write(f"{text} {self.text}" if self.text else text)
        self.entry.mark_set("insert", cursor)
        self._last_text = self.text

    def _make_composer(self, on_words: Callable[[], object], on_phrases: Callable[[], object]) -> tk.Widget:
        """Make the line with the message field and its buttons, and return it."""
        theme, px, translate = self._theme, self._theme.px, self._theme.translate
        line = theme.frame(self.frame)
        line.grid(row=7, column=0, sticky="ew", padx=px(11), pady=px(8))
        line.columnconfigure(theme.column(1, 3), weight=1)
        self.phrases = theme.button(line, translate("Phrases"), "Plain.TButton", on_phrases, icon="phrases")

        def on_change() -> None:
            if self._cut_note:
                self._cut_note = ""
                self._show_note()
            on_words()

        self.line = MessageField(line, theme, on_change=on_change, on_cut=self._on_cut)
        self.entry = self.line.text
        self.button = theme.button(line, translate("Send"), "Primary.TButton", self._press_send, icon="send")
        self._note = theme.label(self.frame, "", "small", theme.colours.muted, wrap=NOTE_WIDTH)
        beside = 2 * px(14)
        self.frame.bind("<Configure>", lambda event: self._note.wrap_to(max(px(80), event.width - beside)))
        # At a field of several lines, the buttons are aligned with the last one.
        self.phrases.grid(row=0, column=theme.column(0, 3), sticky="s")
        self.line.frame.grid(row=0, column=theme.column(1, 3), sticky="ew", padx=px(6))
        self.button.grid(row=0, column=theme.column(2, 3), sticky="s")
        for key in ("Return", "KP_Enter"):
            self.entry.bind(f"<{key}>", self._on_enter)
            self.entry.bind(f"<Control-{key}>", self._on_confirm)
            self.entry.bind(f"<KeyRelease-{key}>", lambda event: self._enter.on_release(event.time))
        # While another widget has the focus, the release of a key is not reported here.
        self.entry.bind("<FocusIn>", lambda _event: self._on_focus(), add="+")
        self.entry.bind("<Escape>", lambda _event: self._answer(self._interpretation_actions.revert))
        self.entry.bind("<F2>", lambda _event: self._edit())
        for number in (1, 2, 3):
            # A digit alone may begin the next message: "2 food or 2 water … 1 wood for you".
            self.entry.bind(f"<Alt-Key-{number}>", lambda _event, chosen=number: self._choose(chosen))  # type: ignore[misc]
        self.entry.bind("<KeyRelease>", lambda _event: self._on_typed())
        self.entry.bind("<Control-t>", lambda _event: self._toggle_plain_view())
        self.entry.bind("<<Copy>>", lambda _event: self._copy())
        for key, pages in (("Prior", -1), ("Next", 1)):
            self.entry.bind(f"<{key}>", lambda _event, pages=pages: self._turn_page(pages))  # type: ignore[misc]
        return line

    def _on_cut(self) -> None:
        """Say that not all of a pasted text is in the field, until the text changes."""
        translate = self._theme.translate
        self._cut_note = translate(
            "What you pasted is too long, so its end was left out: a message has at most {n} characters.",
            n=translate.localize_number(f"{LONGEST_MESSAGE:,}"),
        )
        self._show_note()

    def _on_enter(self, event: tk.Event[tk.Misc]) -> str:
        """Handle Enter; a held key or a double press confirms nothing that has just appeared."""
        counts = self._enter.is_confirmation(event.time, time.monotonic())
        if counts or not self._strip.is_shown:
            self._send()
        return "break"

    def _press_send(self) -> None:
        """Do what Enter does; the second click of a double click confirms nothing either."""
        if self._enter.has_been_visible(time.monotonic()):
            self._send()

    def _on_confirm(self, event: tk.Event[tk.Misc]) -> str:
        """Handle Ctrl+Enter, which does what a click on the strip's first button does."""
        view = self._strip.view
        if view is None or view.is_stale:
            return self._on_enter(event)
        if (
            self._enter.is_new_press(event.time)
            and self._strip.is_ready
            and view.confirm_label
            and self.line.enabled
        ):
            self.line.check_for_change()
            if self._strip.view is view:
                self._interpretation_actions.confirm(0)
        return "break"

    def _send(self) -> None:
        """Send the text, or do what the strip has announced for Enter."""
        self.line.check_for_change()  # a changed text removes the strip of the former text first
        text, view = self.text, self._strip.view
        if not self.line.enabled:
            return
        if view is None or view.is_stale or (view.is_sent and text.strip()):
            if text.strip():
                self._on_send(text)
        elif view.confirms_on_enter:
            self._interpretation_actions.confirm(0)
        elif not view.is_sent:
            self._interpretation_actions.send_text_only()

    def _on_focus(self) -> None:
        self._enter.reset()
        if self._strip.is_shown:
            self._enter.on_shown(time.monotonic())

    def _answer(self, answer: Callable[[], None]) -> str | None:
        """Handle a key with a reply if the strip is shown; otherwise leave it to the field."""
        if not self._strip.is_shown:
            return None
        answer()
        return "break"

    def _edit(self) -> str | None:
        view = self._strip.view
        return self._answer(self._interpretation_actions.edit) if view is not None and view.can_edit else None

    def open_address(self) -> None:
        """Open the list of recipients, if there is one."""
        if self._address.frame.winfo_viewable():
            self._address.open()

    def _choose(self, number: int) -> str | None:
        """Confirm one of the interpretations that are shown, by its number."""
        view = self._strip.view
        if view is None or number > len(view.choices):
            return None
        if self._enter.has_been_visible(time.monotonic()):
            self._interpretation_actions.confirm(number - 1)
        return "break"

    def _on_typed(self) -> None:
        now = self.text
        if now != self._last_text:
            self._last_text = now
            if now:
                self._on_typing()

    def _copy(self) -> None:
        """Copy the line that was clicked in the transcript, unless text is selected in the field."""
        if not self.entry.tag_ranges("sel"):
            self._transcript.copy_marked()

    def _turn_page(self, pages: int) -> str:
        self._transcript.scroll(pages, "pages")
        return "break"

    def close_plain_view(self) -> bool:
        """Close the plain text view; return whether it was open."""
        was_open = self._transcript.is_text_shown
        self._transcript.show_text(False)
        return was_open

    def _toggle_plain_view(self) -> str:
        self._transcript.show_text(not self._transcript.is_text_shown)
        return "break"


def _enter_action(view: InterpretationView) -> object:
    """Return what Enter does with a view; a change of it takes effect only after some time."""
    return (
        view.confirm_label,
        view.confirms_on_enter,
        view.is_sent,
        view.offers if view.confirms_on_enter else (),
    )
