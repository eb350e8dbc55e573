"""The options that say how the window looks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

NAMES = ("theme", "text_size", "language", "full_screen", "reduce_motion")

THEMES = ("light", "dark", "high-contrast")

TEXT_SIZE_CHOICES = ("85", "100", "115", "130", "150", "175", "200")
"""Of what can be chosen in the window, too; in per cent."""

LANGUAGES = ("en", "de", "he")


def APPEARANCE_OPTIONS(command: F) -> F:  # noqa: N802 - used like the other options, which are constants
    """Adds ``--theme``, ``--text-size`` and so on; :func:`pop_appearance_options` takes them out again."""
    for option in (
        click.option(
            "--reset-appearance",
            is_flag=True,
            help="Everything looks as at first, and the experimenter's code is forgotten.",
        ),
        click.option("--reduce-motion", is_flag=True, help="Nothing moves by itself; for this start only."),
        click.option(
            "--full-screen", is_flag=True, help="A session takes the whole screen; for this start only."
        ),
        click.option(
            "--language", type=click.Choice(LANGUAGES), help="The window's language; for this start only."
        ),
        click.option(
            "--text-size",
            type=click.Choice(TEXT_SIZE_CHOICES),
            help="Text size in per cent, as large as the screen has room for; for this start only.",
        ),
        click.option("--theme", type=click.Choice(THEMES), help="The colours; for this start only."),
    ):
        command = option(command)
    return command


def pop_appearance_options(chosen: dict[str, Any]) -> dict[str, Any]:
    """Takes these options out of what was chosen on the command line; those that were given."""
    given = {name: chosen.pop(name) for name in NAMES}
    found = {name: value for name, value in given.items() if value}
    if "theme" in found:
        found["theme"] = found["theme"].replace("-", "_")
    if "text_size" in found:
        found["text_size"] = int(found["text_size"]) / 100
    return found
