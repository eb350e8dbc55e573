"""The transcript, and the line in which the participant writes."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable, Sequence

from negoplatform.gui.chat.interpretation_strip import Answers, ReadingStrip
from negoplatform.gui.chat.message_field import WritingLine
from negoplatform.gui.pictures.issue_picture_cache import DrawnPictures
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.transcript.painter import Face
from negoplatform.gui.transcript.transcript_view import Transcript
from negoplatform.presentation.chat.interpretation_view import StripView
from negoplatform.presentation.key_debounce import SecondPress
from negoplatform.presentation.transcript.transcript_entries import Line

NOTE_WIDTH = 320
"""Where the words below the line break before it is known how much room there is, for 96 dpi."""

LEAST_TALK = 120
"""The height that the talk keeps if it can, for 96 dpi."""


class ChatPanel:
    """Shows lines as they come, and hands on what is written.

    Between the transcript and the line for writing there is ``emotions_place``, which its owner fills, and
    the strip that shows what the words in the line seem to be meant as, while they wait.

    Args:
        parent: Where it is put.
        theme: Its looks.
        on_send: Is given the words, once per press. They stay in the line until :meth:`spoken`.
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
        reading: Answers,
        face: Face | None = None,
        pictures: DrawnPictures | None = None,
    ) -> None:
        self._theme = theme
        self._on_send = on_send
        self._on_typing = on_typing
        self._reading = reading
        self._enter = SecondPress()
        self._last = ""
        self.frame = theme.frame(parent)
        self._below: tk.Widget = self.frame
        self.frame.columnconfigure(0, weight=1)
        self.frame.rowconfigure(0, weight=1)
        # Made in the order in which they are seen, for that is the order of Tab.
        self._talk = Transcript(self.frame, theme, face=face, pictures=pictures)
        self._talk.frame.grid(row=0, column=0, sticky="nsew", padx=theme.px(2))
        theme.rule(self.frame).grid(row=2, column=0, sticky="ew")
        self.emotions_place = theme.frame(self.frame)
        self.emotions_place.grid(row=3, column=0, sticky="ew", padx=theme.px(12), pady=(theme.px(8), 0))
        self._strip = ReadingStrip(
            self.frame, theme, reading, pictures=pictures, leave=lambda: self.entry.focus_set()
        )
        self._strip.frame.grid(row=4, column=0, sticky="ew", padx=theme.px(11), pady=(theme.px(8), 0))
        self._strip.frame.grid_remove()
        self._make_composer(on_words, on_phrases)
        self._talk.home = lambda: self.entry

    @property
    def transcript(self) -> tk.Canvas:
        """What shows the lines, and has the keyboard to scroll them."""
        return self._talk.canvas

    @property
    def talk(self) -> Transcript:
        """The transcript itself, for those who show offers in it."""
        return self._talk

    @property
    def room(self) -> int:
        """The height in pixels that the talk and open phrases share."""
        below = self._below
        return self._talk.frame.winfo_height() + (below.winfo_height() if below.winfo_ismapped() else 0)

    def put_below_talk(self, frame: tk.Widget) -> None:
        """Keep a place between the talk and the faces, to be shown there later: it pushes the talk up."""
        self._below = frame
        frame.grid(row=1, column=0, sticky="ew")
        frame.grid_remove()
        # Tab goes in stacking order, which is to be that of reading.
        tk.Misc.tkraise(frame, self._talk.frame)

    @property
    def shows_reading(self) -> bool:
        """Whether the strip is there."""
        return self._strip.is_shown

    def widgets(self) -> dict[str, tk.Misc]:
        """What can be pressed, written in and read, by name."""
        return {
            "transcript": self._talk.canvas,
            "text_view": self._talk.text_view,
            "new_messages": self._talk.new_messages,
            "phrases": self.phrases,
            "entry": self.entry,
            "send": self.button,
            **self._strip.widgets(),
        }

    def add(self, lines: Sequence[Line]) -> None:
        """Adds lines at the end; stays where it is if the reader has scrolled up."""
        self._talk.add(lines)

    def show_typing(self, line: Line | None) -> None:
        """Shows dots where the other side's next words will stand, or takes them away."""
        self._talk.show_typing(line)

    def clear(self) -> None:
        """Takes all lines away."""
        self._talk.clear()

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

    def show_reading(self, view: StripView | None) -> None:
        """Shows what the words in the line seem to be meant as; None: that they are nothing but words."""
        if view is None and self._strip.has_keyboard():
            self.entry.focus_set()
        before = self._strip.view
        appears = view is not None and (before is None or _confirms(before) != _confirms(view))
        had_keyboard = self._strip.has_keyboard()
        self._strip.show(view)
        if had_keyboard and view is not None and not self._strip.has_keyboard():
            self.entry.focus_set()
        if before != view:
            self._make_room()
        if appears:
            # Only what is drawn has been seen; a press that waited meanwhile was made before.
            self.frame.update_idletasks()
            self._enter.shown(time.monotonic())

    def _make_room(self) -> None:
        """Leave the talk some height while the strip is there: first the faces make way, then chips."""
        if not self._strip.is_shown:
            self.emotions_place.grid()
            return
        for make_way in (self.emotions_place.grid_remove, self._strip.show_fewer_rows):
            self.frame.update_idletasks()
            if self._talk.frame.winfo_height() >= self._theme.px(LEAST_TALK):
                return
            make_way()

    def spoken(self) -> None:
        """Wipes the words: they are on their way."""
        self.line.write("")
        self._last = ""
        # Whoever speaks wants to see what they said, wherever they were reading.
        self._talk.to_end()

    @property
    def words(self) -> str:
        """What stands in the line and has not been sent."""
        return self.line.words

    @property
    def cursor(self) -> str:
        """Where the next word would be written, as an index of Tk."""
        return self.entry.index("insert")

    def give_back(self, text: str, cursor: str = "end-1c") -> None:
        """Puts words that were not said back into the line, before whatever stands there by now."""
        # At once: what is kept of the words at any moment is all of them.
        self.line.write(f"{text} {self.words}" if self.words else text)
        self.entry.mark_set("insert", cursor)
        self._last = self.words

    def _make_composer(self, on_words: Callable[[], object], on_phrases: Callable[[], object]) -> None:
        theme, px, say = self._theme, self._theme.px, self._theme.say
        line = theme.frame(self.frame)
        line.grid(row=5, column=0, sticky="ew", padx=px(11), pady=px(8))
        line.columnconfigure(theme.column(1, 3), weight=1)
        self.phrases = theme.button(line, say("Phrases"), "Plain.TButton", on_phrases, icon="phrases")
        self.line = WritingLine(line, theme, on_change=on_words)
        self.entry = self.line.text
        self.button = theme.button(line, say("Send"), "Primary.TButton", self._press_send, icon="send")
        self._note = theme.label(self.frame, "", "small", theme.colours.muted, wrap=NOTE_WIDTH)
        beside = 2 * px(14)
        self.frame.bind("<Configure>", lambda event: self._note.wrap_to(max(px(80), event.width - beside)))
        # Beside a field of several lines the buttons stay at its last.
        self.phrases.grid(row=0, column=theme.column(0, 3), sticky="s")
        self.line.frame.grid(row=0, column=theme.column(1, 3), sticky="ew", padx=px(6))
        self.button.grid(row=0, column=theme.column(2, 3), sticky="s")
        for key in ("Return", "KP_Enter"):
            self.entry.bind(f"<{key}>", self._entered)
            self.entry.bind(f"<Control-{key}>", self._confirmed)
            self.entry.bind(f"<KeyRelease-{key}>", lambda event: self._enter.let_go(event.time))
        # Where the keyboard is elsewhere meanwhile, nobody sees here that a key comes up.
        self.entry.bind("<FocusIn>", lambda _event: self._come_back(), add="+")
        self.entry.bind("<Escape>", lambda _event: self._answer(self._reading.back))
        self.entry.bind("<F2>", lambda _event: self._edit())
        for number in (1, 2, 3):
            # A figure alone may be what the next words begin with: "2 food or 2 water … 1 wood for you".
            self.entry.bind(f"<Alt-Key-{number}>", lambda _event, chosen=number: self._choose(chosen))  # type: ignore[misc]
        self.entry.bind("<KeyRelease>", lambda _event: self._typed())
        self.entry.bind("<Control-t>", lambda _event: self._show_text())
        self.entry.bind("<<Copy>>", lambda _event: self._copy())
        for key, pages in (("Prior", -1), ("Next", 1)):
            self.entry.bind(f"<{key}>", lambda _event, pages=pages: self._turn_page(pages))  # type: ignore[misc]

    def _entered(self, event: tk.Event[tk.Misc]) -> str:
        """Enter: a key that is only held, or trembles, confirms nothing that appeared through it."""
        counts = self._enter.counts(event.time, time.monotonic())
        if counts or not self._strip.is_shown:
            self._send()
        return "break"

    def _press_send(self) -> None:
        """The button does what Enter does: the second click of a double one confirms nothing either."""
        if self._enter.seen(time.monotonic()):
            self._send()

    def _confirmed(self, event: tk.Event[tk.Misc]) -> str:
        """Control and Enter: what a click on the strip's first button does."""
        view = self._strip.view
        if view is None or view.is_gone:
            return self._entered(event)
        if self._enter.is_press(event.time) and self._strip.ready and view.yes and self.line.enabled:
            self.line.look()
            if self._strip.view is view:
                self._reading.yes(0)
        return "break"

    def _send(self) -> None:
        """Says what is written, or does with it what the strip says of Enter."""
        self.line.look()  # other words than those that the strip is about take it away first
        text, view = self.words, self._strip.view
        if not self.line.enabled:
            return
        if view is None or view.is_gone or (view.said and text.strip()):
            if text.strip():
                self._on_send(text)
        elif view.armed:
            self._reading.yes(0)
        elif not view.said:
            self._reading.only_say()

    def _come_back(self) -> None:
        self._enter.left()
        if self._strip.is_shown:
            self._enter.shown(time.monotonic())

    def _answer(self, answer: Callable[[], None]) -> str | None:
        """A key answers if there is anything to answer; else it does what it does in every line."""
        if not self._strip.is_shown:
            return None
        answer()
        return "break"

    def _edit(self) -> str | None:
        view = self._strip.view
        return self._answer(self._reading.edit) if view is not None and view.can_edit else None

    def _choose(self, number: int) -> str | None:
        """A number among the meanings that are shown."""
        view = self._strip.view
        if view is None or number > len(view.choices):
            return None
        if self._enter.seen(time.monotonic()):
            self._reading.yes(number - 1)
        return "break"

    def _typed(self) -> None:
        now = self.words
        if now != self._last:
            self._last = now
            if now:
                self._on_typing()

    def _copy(self) -> None:
        """Copies what was clicked in the talk, unless something is selected in the line."""
        if not self.entry.tag_ranges("sel"):
            self._talk.copy_marked()

    def _turn_page(self, pages: int) -> str:
        self._talk.scroll(pages, "pages")
        return "break"

    def close_text(self) -> bool:
        """Close the lines as plain text; whether they were open."""
        was_open = self._talk.text_shown
        self._talk.show_text(False)
        return was_open

    def _show_text(self) -> str:
        self._talk.show_text(not self._talk.text_shown)
        return "break"


def _confirms(view: StripView) -> object:
    """What Enter does with a view; time has to pass before it does anything else than before."""
    return view.yes, view.armed, view.said, view.offers if view.armed else ()
