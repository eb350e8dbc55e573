"""Screen for unfinished sessions, each of which the experimenter resumes, closes or keeps for later."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from tkinter import ttk

from negoplatform.app.session.unfinished_sessions import UnfinishedSession
from negoplatform.core.mechanisms.registry import BARGAINING
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.dialogs import ConfirmationDialog
from negoplatform.gui.widgets.scrolled_frame import ScrolledFrame
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.game_words import game_words
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import displayable, join_names, localized_text, truncate
from negoplatform.presentation.table.leaving_questions import close_question
from negoplatform.presentation.time_and_points_text import date_text, duration_text

WIDTH, CHROME_WIDTH = 640, 90
"""Width of the list and of the space around it, for 96 dpi."""

LONGEST_NAME = 20
"""Maximum number of characters shown of a name."""

MAX_ROWS = 20
"""Largest number of sessions shown; further ones are shown once these are resumed or closed."""


def sort_resumable_first(found: Sequence[UnfinishedSession]) -> list[UnfinishedSession]:
    """Return the sessions with the resumable ones first, otherwise in the same order."""
    return sorted(found, key=lambda session: bool(session.damage))


def unfinished_heading(found: Sequence[UnfinishedSession], translate: Language) -> str:
    """Return the heading of the screen."""
    if len(found) == 1:
        return translate(
            "An unfinished session was found (last event {time})",
            time=f"{found[0].last_event_at:%H:%M:%S}",
        )
    return translate.plural(
        "{n} unfinished session was found", "{n} unfinished sessions were found", len(found)
    )


def session_labels(session: UnfinishedSession, translate: Language) -> tuple[str, str]:
    """Return the title of a session, and the text on its last event and its duration."""
    title = truncate(localized_text(session.game, translate.for_game(session.game_name)), 60)
    if session.participant:
        title = translate(
            "{game}, participant {participant}", game=title, participant=displayable(session.participant)
        )
    day, time = date_text(session.last_event_at, translate), f"{session.last_event_at:%H:%M:%S}"
    if not session.session_id:
        return title, translate("Last written on {day} at {time}", day=day, time=time)
    last = translate("Last event on {day} at {time}", day=day, time=time)
    duration = duration_text(session.seconds, translate)
    words = game_words(session.mechanism)
    names = [truncate(displayable(name), LONGEST_NAME) for name in session.agent_names]
    lasted = (
        translate(words.lasted_with, duration=duration, names=join_names(names, translate))
        if names
        else translate(words.lasted_for, duration=duration)
    )
    return title, f"{last}\n{lasted}"


def keep_label(found: Sequence[UnfinishedSession], translate: Language, *, starts_new: bool) -> str:
    """Return the text of the button that leaves the sessions as they are."""
    if starts_new:
        return translate.plural("Leave it and start a new one", "Leave them and start a new one", len(found))
    return translate("Keep for later") if len(found) == 1 else translate("Keep all for later")


def close_label(found: Sequence[UnfinishedSession], translate: Language, *, starts_new: bool) -> str:
    """Return the text of a button that closes a session; after the last one, a new session may begin."""
    return (
        translate("Close it and start a new one")
        if starts_new and len(found) == 1
        else translate("Close without a result")
    )


class UnfinishedScreen:
    """List of sessions: the resumable ones first, newest first.

    Args:
        theme: The window's theme.
        found: The sessions, newest first; at least one.
        announcer: Reports the buttons' positions to UI tests.
        on_resume: Called with the session to resume, once per press.
        on_close: Called with the session to close as interrupted, after a confirmation.
        on_keep: Called to leave the remaining sessions as they are.
        starts_new: Whether a new session follows.
    """

    def __init__(
        self,
        theme: Theme,
        found: Sequence[UnfinishedSession],
        *,
        announcer: UiTestAnnouncer,
        on_resume: Callable[[UnfinishedSession], None],
        on_close: Callable[[UnfinishedSession], None],
        on_keep: Callable[[], None],
        starts_new: bool = False,
    ) -> None:
        self._theme = theme
        self._announcer = announcer
        self._on_resume = on_resume
        self._on_close = on_close
        self._on_keep = on_keep
        self._question: ConfirmationDialog | None = None
        self._buttons: list[ttk.Button] = []
        self._last_row: tk.Misc = theme.root
        px, translate = theme.px, theme.translate
        self._width = min(WIDTH, round(theme.width) - CHROME_WIDTH)
        self.frame = theme.frame(theme.root, theme.colours.ground)
        card = theme.card(self.frame, 28)
        card.place(relx=0.5, rely=0.47, anchor="center")
        theme.label(card, unfinished_heading(found, translate), "big", wrap=self._width).pack(
            anchor=theme.west
        )
        self._add_text(
            card,
            translate(
                "The program closed before the negotiation ended. Everything recorded so far is "
                "kept either way."
            )
            if all(session.mechanism == BARGAINING for session in found)
            else translate(
                "The program closed before the game ended. Everything recorded so far is kept either way."
            ),
        )
        rows = ScrolledFrame(card, theme, width=self._width, height=min(340, round(theme.height) - 240))
        rows.frame.pack(fill="x", pady=(px(12), 0))
        self._close_label = close_label(found, translate, starts_new=starts_new)
        for number, session in enumerate(sort_resumable_first(found)[:MAX_ROWS]):
            self._add_row(rows.inside, session, f".{number}" if number else "")
        rows.bind_scrolling(rows.inside)
        announcer.register("sessions", rows.canvas)
        if len(found) > MAX_ROWS:
            self._add_text(card, translate.plural("and {n} more", "and {n} more", len(found) - MAX_ROWS))
        self._message_label = theme.label(card, "", "bold", theme.colours.muted, wrap=self._width)
        self._message_label.pack(anchor=theme.west, pady=(px(10), px(6)))
        self._add_button(
            card,
            keep_label(found, translate, starts_new=starts_new),
            "Plain.TButton",
            self._leave_unfinished,
            "keep",
        ).pack(side=theme.end)
        later = translate("We’ll ask again next time you open the program.")
        theme.label(card, later, "small", theme.colours.muted).pack(side=theme.end, padx=px(12))
        ids = [session.session_id for session in sort_resumable_first(found)]
        announcer.announce("unfinished", after_drawn=self._last_row, sessions=ids)

    def show_busy(self, sentence: str) -> None:
        """Show a message and disable the buttons."""
        self._close_question()
        self._show_message(sentence, self._theme.colours.muted, "disabled")

    def show_error(self, sentence: str) -> None:
        """Show an error message and enable the buttons."""
        self._show_message(sentence, self._theme.colours.danger, "normal")
        self._announcer.announce("problem", text=sentence)

    def _show_message(self, sentence: str, colour: str, buttons: str) -> None:
        self._message_label.write(displayable(sentence), colour)
        for button in self._buttons:
            button.configure(state=buttons)

    def _add_row(self, parent: tk.Misc, session: UnfinishedSession, number: str) -> None:
        theme, px, translate = self._theme, self._theme.px, self._theme.translate
        theme.rule(parent).pack(fill="x")
        row = theme.frame(parent)
        row.pack(fill="x", pady=px(10), padx=px(2))
        labels = theme.frame(row)
        title, when = session_labels(session, translate)
        room = self._width - 20 if session.damage else self._width - 300
        theme.label(labels, title, "bold", wrap=room).pack(anchor=theme.west)
        self._last_row = theme.label(labels, when, "small", theme.colours.muted, wrap=room)
        self._last_row.pack(anchor=theme.west, pady=(px(2), 0))
        labels.pack(side=theme.start, fill="x", expand=bool(session.damage))
        if session.damage:
            damage = theme.label(
                labels, displayable(session.damage), "small", theme.colours.warning, wrap=self._width - 20
            )
            damage.pack(anchor=theme.west, pady=(px(4), 0))
            return
        resume = self._add_button(
            row, translate("Resume"), "Primary.TButton", lambda: self._on_resume(session), f"resume{number}"
        )
        end = self._add_button(
            row, self._close_label, "Plain.TButton", lambda: self._confirm_close(session), f"close{number}"
        )
        end.pack(side=theme.end)
        resume.pack(side=theme.end, padx=px(8))

    def _confirm_close(self, session: UnfinishedSession) -> None:
        # A dialog takes a moment to appear; the screen must not open a second one meanwhile.
        if self._question is not None and self._question.is_open:
            return
        self._question = ConfirmationDialog(
            self._theme,
            close_question(session.participant, self._theme.translate),
            on_yes=lambda: self._on_close(session),
            announcer=self._announcer,
        )
        self._question.open()

    def _leave_unfinished(self) -> None:
        self._close_question()
        self._on_keep()

    def _close_question(self) -> None:
        """Close the dialog: confirmed after this screen is gone, it would have no screen to return to."""
        if self._question is not None:
            self._question.close()
            self._question = None

    def _add_button(
        self, parent: tk.Misc, text: str, style: str, call: Callable[[], None], name: str
    ) -> ttk.Button:
        button = self._theme.button(parent, text, style, call)
        self._buttons.append(button)
        self._announcer.register(name, button)
        return button

    def _add_text(self, card: tk.Misc, text: str) -> None:
        label = self._theme.label(card, text, "body", self._theme.colours.muted, wrap=self._width)
        label.pack(anchor=self._theme.west, pady=(self._theme.px(6), 0))
