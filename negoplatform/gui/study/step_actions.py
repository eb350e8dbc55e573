"""Interfaces between the screens of a study and the controller of a visit."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from negoplatform.app.visit.visit_run import GivenAnswer


class StepActions(Protocol):
    """Actions of a participant in a step.

    Each may raise ``Refused``, whose sentence the screen shows; what was entered stays. After an action that
    is not refused, the caller of the screen replaces it.
    """

    def consent(self, ticks: Sequence[str], signature: str) -> None:
        """Consent."""

    def decline(self) -> None:
        """Decline to consent; it has been confirmed."""

    def go_on(self) -> None:
        """Leave a page, a briefing, a result, a payment, or the end."""

    def show_page(self, page: int) -> None:
        """Show another page of the step."""

    def answer_page(self, answers: Sequence[GivenAnswer]) -> None:
        """Answer the page of a form."""

    def try_quiz(self, answers: Mapping[str, Any]) -> None:
        """Answer a quiz."""

    def choose(self, option: str) -> None:
        """Choose an option."""

    def open_call(self) -> None:
        """Open the web page or the program of a call."""

    def return_from_call(self, word: str) -> None:
        """Go on after a call; with the word that it showed, or an empty text."""

    def ask_for_help(self, text: str) -> None:
        """Ask the experimenter a question."""

    def ask_experimenter(self) -> None:
        """Ask for the experimenter's code, and then end a wait, a failed quiz or a call for help."""

    def keep_draft(self, values: Mapping[str, Any]) -> None:
        """Keep unsent entries."""

    def time_out(self) -> None:
        """Apply the study's rule for a page whose time is up; called once."""

    def wait_is_over(self) -> None:
        """End a wait whose time is over."""


class StepScreen(Protocol):
    """Screen of a step."""

    frame: tk.Frame

    def entered(self) -> Mapping[str, Any]:
        """Return the unsent entries: the draft of the page."""

    def focus_first(self) -> None:
        """Give the keyboard focus to the first control; called once, when the screen is shown."""

    def close(self) -> None:
        """Stop all timers, before the frame is destroyed."""
