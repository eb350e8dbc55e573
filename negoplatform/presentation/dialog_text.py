"""What somebody is asked before something binds or ends: plain values, nothing of Tk."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ConfirmationQuestion:
    """What is asked.

    Args:
        title: The question.
        text: What follows from a yes.
        yes_label: The words on the button that does it.
        no_label: The words on the button that does not.
        rows: What it is about, in pairs.
        warning: What to think of first; empty if nothing.
        style: The style of the button that does it.
    """

    title: str
    text: str
    yes_label: str
    no_label: str
    rows: tuple[tuple[str, str], ...] = ()
    warning: str = ""
    style: str = "Primary.TButton"
