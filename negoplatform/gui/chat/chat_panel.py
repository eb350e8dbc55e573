"""The transcript, and the line in which the participant writes."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable

from negoplatform.gui.chat.interpretation_strip import InterpretationActions, InterpretationStrip
from negoplatform.gui.chat.message_field import MessageEntry
from negoplatform.gui.pictures.issue_picture_cache import IssuePhotoCache
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.transcript.painter import FaceProvider
from negoplatform.gui.transcript.transcript_view import Transcript
from negoplatform.presentation.chat.interpretation_view import InterpretationView
from negoplatform.presentation.key_debounce import KeyDebounce

NOTE_WIDTH = 320
"""Where the words below the line break before it is known how much room there is, for 96 dpi."""

MIN_TRANSCRIPT_HEIGHT = 120
"""The height that the talk keeps if it can, for 96 dpi."""


class ChatPanel:
    """Shows lines as they come, and hands on what is written.

    Between the transcript and the line for writing there is ``emotions_place``, which its owner fills, and
    the strip that shows what the words in the line seem to be meant as, while they wait.

    Args:
        parent: Where it is put.
        theme: Its looks.
        on_send: Is given the words, once per press. They stay in the line until :meth:`clear_sent`.
        on_typing: Is called when a key changed the words.
        on_words: Is called whenever the words are others, whoever changed them.
        on_phrases: Is called when the participant wants to choose from ready phrases.
        reading: What happens when the participant answers what their words seem to be meant as.
        face: Gives the small round picture beside the other side's lines.
        pictures: What issues look like.
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
        reading: InterpretationActions,
        face: FaceProvider | None = None,
        pictures: IssuePhotoCache | None = None,
    ) -> None:
        self._theme = theme
        self._on_send = on_send
        self._on_typing = on_typing
        self._interpretation_actions = reading
        self._enter = KeyDebounce()
        self._last_text = ""
        self.frame = theme.frame(parent)
        self._below: tk.Widget = self.frame
        self.frame.columnconfigure(0, weight=1)
        self.frame.rowconfigure(0, weight=1)
        # Made in the order in which they are seen, for that is the order of Tab.
        self._transcript = Transcript(self.frame, theme, face=face, pictures=pictures)
        self._transcript.frame.grid(row=0, column=0, sticky="nsew", padx=theme.px(2))
        theme.rule(self.frame).grid(row=2, column=0, sticky="ew")
        self.emotion_area = theme.frame(self.frame)
        self.emotion_area.grid(row=3, column=0, sticky="ew", padx=theme.px(12), pady=(theme.px(8), 0))
        self._strip = InterpretationStrip(
            self.frame, theme, reading, pictures=pictures, on_leave=lambda: self.entry.focus_set()
        )
        self._strip.frame.grid(row=4, column=0, sticky="ew", padx=theme.px(11), pady=(theme.px(8), 0))
        self._strip.frame.grid_remove()
        self._make_composer(on_words, on_phrases)
        self._transcript.home = lambda: self.entry

    @property
    def transcript_canvas(self) -> tk.Canvas:
        """What shows the lines, and has the keyboard to scroll them."""
        return self._transcript.canvas

    @property
    def transcript_view(self) -> Transcript:
        """The transcript itself, for those who show offers in it."""
        return self._transcript

    @property
    def room(self) -> int:
        """The height in pixels that the talk and open phrases share."""
        below = self._below
        return self._transcript.frame.winfo_height() + (below.winfo_height() if below.winfo_ismapped() else 0)

    def add_below_transcript(self, frame: tk.Widget) -> None:
        """Keep a place between the talk and the faces, to be shown there later: it pushes the talk up."""
        self._below = frame
        frame.grid(row=1, column=0, sticky="ew")
        frame.grid_remove()
        # Tab goes in stacking order, which is to be that of reading.
        tk.Misc.tkraise(frame, self._transcript.frame)

    @property
    def shows_interpretation(self) -> bool:
        """Whether the strip is there."""
        return self._strip.is_shown

    def widgets(self) -> dict[str, tk.Misc]:
        """What can be pressed, written in and read, by name."""
        return {
            "transcript": self._transcript.canvas,
            "text_view": self._transcript.text_view,
            "new_messages": self._transcript.new_messages_button,
            "phrases": self.phrases,
            "entry": self.entry,
            "send": self.button,
            **self._strip.widgets(),
        }

    def show(self, can_talk: bool, hint: str, note: str = "") -> None:
        """Whether something may be said now, what stands in the empty line, and what is noted below it."""
        if can_talk != self.line.enabled:
            self.line.enable(can_talk)
            for control in (self.button, self.phrases):
                control.configure(state="normal" if can_talk else "disabled")
        self.line.show_hint(hint if can_talk else "")
        self._note.write(note)
        if note and not self._note.winfo_manager():
            px = self._theme.px
            self._note.grid(row=6, column=0, sticky=self._theme.west, padx=px(14), pady=(0, px(6)))
        elif not note and self._note.winfo_manager():
            self._note.grid_remove()

    def show_interpretation(self, view: InterpretationView | None) -> None:
        """Shows what the words in the line seem to be meant as; None: that they are nothing but words."""
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
            # Only what is drawn has been seen; a press that waited meanwhile was made before.
            self.frame.update_idletasks()
            self._enter.on_shown(time.monotonic())

    def _make_room(self) -> None:
        """Leave the talk some height while the strip is there: first the faces make way, then chips."""
        if not self._strip.is_shown:
            self.emotion_area.grid()
            return
        for make_way in (self.emotion_area.grid_remove, self._strip.show_fewer_rows):
            self.frame.update_idletasks()
            if self._transcript.frame.winfo_height() >= self._theme.px(MIN_TRANSCRIPT_HEIGHT):
                return
            make_way()

    def clear_sent(self) -> None:
        """Wipes the words: they are on their way."""
        self.line.write("")
        self._last_text = ""
        # Whoever speaks wants to see what they said, wherever they were reading.
        self._transcript.scroll_to_end()

    @property
    def text(self) -> str:
        """What stands in the line and has not been sent."""
        return self.line.content

    @property
    def cursor(self) -> str:
        """Where the next word would be written, as an index of Tk."""
        return self.entry.index("insert")

    def restore_text(self, text: str, cursor: str = "end-1c") -> None:
        """Puts words that were not said back into the line, before whatever stands there by now."""
        # At once: what is kept of the words at any moment is all of them.
        self.line.write(f"{text} {self.text}" if self.text else text)
        self.entry.mark_set("insert", cursor)
        self._last_text = self.text

    def _make_composer(self, on_words: Callable[[], object], on_phrases: Callable[[], object]) -> None:
        theme, px, translate = self._theme, self._theme.px, self._theme.translate
        line = theme.frame(self.frame)
        line.grid(row=5, column=0, sticky="ew", padx=px(11), pady=px(8))
        line.columnconfigure(theme.column(1, 3), weight=1)
        self.phrases = theme.button(line, translate("Phrases"), "Plain.TButton", on_phrases, icon="phrases")
        self.line = MessageEntry(line, theme, on_change=on_words)
        self.entry = self.line.text
        self.button = theme.button(line, translate("Send"), "Primary.TButton", self._press_send, icon="send")
        self._note = theme.label(self.frame, "", "small", theme.colours.muted, wrap=NOTE_WIDTH)
        beside = 2 * px(14)
        self.frame.bind("<Configure>", lambda event: self._note.wrap_to(max(px(80), event.width - beside)))
        # Beside a field of several lines the buttons stay at its last.
        self.phrases.grid(row=0, column=theme.column(0, 3), sticky="s")
        self.line.frame.grid(row=0, column=theme.column(1, 3), sticky="ew", padx=px(6))
        self.button.grid(row=0, column=theme.column(2, 3), sticky="s")
        for key in ("Return", "KP_Enter"):
            self.entry.bind(f"<{key}>", self._on_enter)
            self.entry.bind(f"<Control-{key}>", self._on_confirm)
            self.entry.bind(f"<KeyRelease-{key}>", lambda event: self._enter.on_release(event.time))
        # Where the keyboard is elsewhere meanwhile, nobody sees here that a key comes up.
        self.entry.bind("<FocusIn>", lambda _event: self._on_focus(), add="+")
        self.entry.bind("<Escape>", lambda _event: self._answer(self._interpretation_actions.revert))
        self.entry.bind("<F2>", lambda _event: self._edit())
        for number in (1, 2, 3):
            # A figure alone may be what the next words begin with: "2 food or 2 water … 1 wood for you".
            self.entry.bind(f"<Alt-Key-{number}>", lambda _event, chosen=number: self._choose(chosen))  # type: ignore[misc]
        self.entry.bind("<KeyRelease>", lambda _event: self._on_typed())
        self.entry.bind("<Control-t>", lambda _event: self._toggle_plain_view())
        self.entry.bind("<<Copy>>", lambda _event: self._copy())
        for key, pages in (("Prior", -1), ("Next", 1)):
            self.entry.bind(f"<{key}>", lambda _event, pages=pages: self._turn_page(pages))  # type: ignore[misc]

    def _on_enter(self, event: tk.Event[tk.Misc]) -> str:
        """Enter: a key that is only held, or trembles, confirms nothing that appeared through it."""
        counts = self._enter.is_confirmation(event.time, time.monotonic())
        if counts or not self._strip.is_shown:
            self._send()
        return "break"

    def _press_send(self) -> None:
        """The button does what Enter does: the second click of a double one confirms nothing either."""
        if self._enter.has_been_visible(time.monotonic()):
            self._send()

    def _on_confirm(self, event: tk.Event[tk.Misc]) -> str:
        """Control and Enter: what a click on the strip's first button does."""
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
        """Says what is written, or does with it what the strip says of Enter."""
        self.line.check_for_change()  # other words than those that the strip is about take it away first
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
        """A key answers if there is anything to answer; else it does what it does in every line."""
        if not self._strip.is_shown:
            return None
        answer()
        return "break"

    def _edit(self) -> str | None:
        view = self._strip.view
        return self._answer(self._interpretation_actions.edit) if view is not None and view.can_edit else None

    def _choose(self, number: int) -> str | None:
        """A number among the meanings that are shown."""
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
        """Copies what was clicked in the talk, unless something is selected in the line."""
        if not self.entry.tag_ranges("sel"):
            self._transcript.copy_marked()

    def _turn_page(self, pages: int) -> str:
        self._transcript.scroll(pages, "pages")
        return "break"

    def close_plain_view(self) -> bool:
        """Close the lines as plain text; whether they were open."""
        was_open = self._transcript.is_text_shown
        self._transcript.show_text(False)
        return was_open

    def _toggle_plain_view(self) -> str:
        self._transcript.show_text(not self._transcript.is_text_shown)
        return "break"


def _enter_action(view: InterpretationView) -> object:
    """What Enter does with a view; time has to pass before it does anything else than before."""
    return (
        view.confirm_label,
        view.confirms_on_enter,
        view.is_sent,
        view.offers if view.confirms_on_enter else (),
    )
