"""Sessions that were interrupted: the experimenter resumes them, closes them, or keeps them for later."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from tkinter import ttk

from negoplatform.app.unfinished import Unfinished
from negoplatform.gui.announce import Announcer
from negoplatform.gui.dialogs import Confirmation
from negoplatform.gui.questions import close_question
from negoplatform.gui.scrolled import ScrolledFrame
from negoplatform.gui.texts import date_text, drawable, duration_text, short
from negoplatform.gui.theme import AMBER, BACKGROUND, LINE, MUTED, RED, Theme

WIDTH = 620
"""Width of the list, for 96 dpi."""

MOST = 20
"""Sessions that are shown; the others are shown once these are dealt with."""


def in_order(found: Sequence[Unfinished]) -> list[Unfinished]:
    """What can be resumed comes before what is only told about."""
    return sorted(found, key=lambda session: bool(session.damage))


def heading(found: Sequence[Unfinished]) -> str:
    """What was found, in a line."""
    if len(found) == 1:
        return f"An unfinished session was found (last event {found[0].last_event_at:%H:%M:%S})"
    return f"{len(found)} unfinished sessions were found"


def about(session: Unfinished) -> tuple[str, str]:
    """Which session it is, and when and how far it went."""
    title = short(drawable(session.game), 60)
    if session.participant:
        title += f", participant {drawable(session.participant)}"
    when = f"{date_text(session.last_event_at)} at {session.last_event_at:%H:%M:%S}"
    if not session.session_id:
        return title, f"Last written on {when}"
    return title, f"Last event on {when}\nNegotiated for {duration_text(session.seconds)}"


class UnfinishedScreen:
    """A list: first those that can be resumed, of these the newest first.

    Args:
        theme: Its looks.
        found: The sessions, newest first; at least one.
        announcer: Is told where the buttons are.
        on_resume: Is given the session to go on with, once per press.
        on_close: Is given the session to end as interrupted, after that was asked.
        on_keep: Is called when the rest shall stay as it is.
    """

    def __init__(
        self,
        theme: Theme,
        found: Sequence[Unfinished],
        *,
        announcer: Announcer,
        on_resume: Callable[[Unfinished], None],
        on_close: Callable[[Unfinished], None],
        on_keep: Callable[[], None],
    ) -> None:
        self._theme = theme
        self._announcer = announcer
        self._on_resume = on_resume
        self._on_close = on_close
        self._on_keep = on_keep
        self._question: Confirmation | None = None
        self._buttons: list[ttk.Button] = []
        self._last_row: tk.Misc = theme.root
        px = theme.px
        self.frame = theme.frame(theme.root, BACKGROUND)
        card = theme.card(self.frame, 26)
        card.place(relx=0.5, rely=0.47, anchor="center")
        theme.label(card, heading(found), "big").pack(anchor="w")
        self._words(
            card, "The program ended before the negotiation did. What was recorded is kept in any case."
        )
        rows = ScrolledFrame(card, theme, width=WIDTH, height=380)
        rows.frame.pack(fill="x", pady=(px(12), 0))
        for number, session in enumerate(in_order(found)[:MOST]):
            self._add_row(rows.inside, session, f".{number}" if number else "")
        rows.watch(rows.inside)
        announcer.name("sessions", rows.canvas)
        if len(found) > MOST:
            self._words(card, f"and {len(found) - MOST} more")
        self._said = theme.label(card, "", "bold", MUTED)
        self._said.configure(wraplength=px(WIDTH), justify="left")
        self._said.pack(anchor="w", pady=(px(10), px(6)))
        rest = "Keep for later" if len(found) == 1 else "Keep all of them for later"
        self._add_button(card, rest, "Plain.TButton", self._keep, "keep").pack(side="right")
        later = theme.label(card, "You are asked again when the program is started next.", "small", MUTED)
        later.pack(side="right", padx=px(12))
        ids = [session.session_id for session in in_order(found)]
        announcer.say("unfinished", once_drawn=self._last_row, sessions=ids)

    def wait(self, sentence: str) -> None:
        """Says what is being done; nothing can be pressed meanwhile."""
        self._close_question()
        self._say(sentence, MUTED, "disabled")

    def complain(self, sentence: str) -> None:
        """Says why it could not be done; everything stays as it is."""
        self._say(sentence, RED, "normal")
        self._announcer.say("problem", text=sentence)

    def _say(self, sentence: str, colour: str, buttons: str) -> None:
        self._said.configure(text=drawable(sentence), fg=colour)
        for button in self._buttons:
            button.configure(state=buttons)

    def _add_row(self, parent: tk.Misc, session: Unfinished, number: str) -> None:
        px = self._theme.px
        tk.Frame(parent, bg=LINE, height=px(1)).pack(fill="x")
        row = self._theme.frame(parent)
        row.pack(fill="x", pady=px(10), padx=px(2))
        row.columnconfigure(0, weight=1)
        title, when = about(session)
        room = px(WIDTH - 20 if session.damage else WIDTH - 290)
        first = self._theme.label(row, title, "bold")
        first.configure(wraplength=room, justify="left")
        first.grid(row=0, column=0, sticky="w")
        second = self._theme.label(row, when, "small", MUTED)
        second.configure(wraplength=room, justify="left")
        second.grid(row=1, column=0, sticky="w", pady=(px(2), 0))
        self._last_row = second
        if session.damage:
            self._add_damage(row, session.damage)
            return
        resume = self._add_button(
            row, "Resume", "Primary.TButton", lambda: self._on_resume(session), f"resume{number}"
        )
        resume.grid(row=0, column=1, rowspan=2, padx=px(8))
        end = self._add_button(
            row, "Close as interrupted", "Plain.TButton", lambda: self._ask(session), f"close{number}"
        )
        end.grid(row=0, column=2, rowspan=2)

    def _add_damage(self, row: tk.Misc, damage: str) -> None:
        label = self._theme.label(row, drawable(damage), "small", AMBER)
        label.configure(wraplength=self._theme.px(WIDTH - 20), justify="left")
        label.grid(row=2, column=0, columnspan=3, sticky="w", pady=(self._theme.px(4), 0))

    def _ask(self, session: Unfinished) -> None:
        # A question takes a moment to come up, and takes no clicks from this screen until then.
        if self._question is not None and self._question.open_still:
            return
        self._question = Confirmation(
            self._theme,
            close_question(session.participant),
            on_yes=lambda: self._on_close(session),
            announcer=self._announcer,
        )
        self._question.open()

    def _keep(self) -> None:
        self._close_question()
        self._on_keep()

    def _close_question(self) -> None:
        """A yes after this screen was left would have no screen to go back to."""
        if self._question is not None:
            self._question.close()
            self._question = None

    def _add_button(
        self, parent: tk.Misc, words: str, style: str, call: Callable[[], None], name: str
    ) -> ttk.Button:
        button = ttk.Button(parent, text=words, style=style, command=call)
        self._buttons.append(button)
        self._announcer.name(name, button)
        return button

    def _words(self, card: tk.Misc, text: str) -> None:
        label = self._theme.label(card, text, "body", MUTED)
        label.configure(wraplength=self._theme.px(WIDTH), justify="left")
        label.pack(anchor="w", pady=(self._theme.px(6), 0))
