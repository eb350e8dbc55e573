"""Text of a confirmation dialog: plain values, without Tk."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ConfirmationQuestion:
    """Question to confirm.

    Args:
        title: Title of the dialog.
        text: Consequence of confirming.
        yes_label: Label of the button that confirms.
        no_label: Label of the button that cancels.
        rows: Details, in pairs.
        warning: Warning; empty if there is none.
        style: Style of the button that confirms.
    """

    title: str
    text: str
    yes_label: str
    no_label: str
    rows: tuple[tuple[str, str], ...] = ()
    warning: str = ""
    style: str = "Primary.TButton"
