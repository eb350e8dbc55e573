"""Options for the window's appearance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

NAMES = ("theme", "text_size", "language", "full_screen", "reduce_motion")

THEMES = ("light", "dark", "high-contrast")

TEXT_SIZE_CHOICES = ("85", "100", "115", "130", "150", "175", "200")
"""Text sizes in per cent that the settings in the window offer too."""

LANGUAGES = ("en", "de", "he")


def APPEARANCE_OPTIONS(command: F) -> F:  # noqa: N802 - used like the other options, which are constants
    """Add ``--theme``, ``--text-size`` and so on; :func:`pop_appearance_options` removes them again."""
    for option in (
        click.option(
            "--reset-appearance",
            is_flag=True,
            help="Restore the default appearance and forget the experimenter's code.",
        ),
        click.option("--reduce-motion", is_flag=True, help="No animations; for this run only."),
        click.option("--full-screen", is_flag=True, help="Run sessions in full screen; for this run only."),
        click.option(
            "--language", type=click.Choice(LANGUAGES), help="Language of the window; for this run only."
        ),
        click.option(
            "--text-size",
            type=click.Choice(TEXT_SIZE_CHOICES),
            help="Text size in per cent, limited by the size of the screen; for this run only.",
        ),
        click.option("--theme", type=click.Choice(THEMES), help="Colour theme; for this run only."),
    ):
        command = option(command)
    return command


def pop_appearance_options(chosen: dict[str, Any]) -> dict[str, Any]:
    """Remove the appearance options from the parsed arguments and return those that were given."""
    given = {name: chosen.pop(name) for name in NAMES}
    found = {name: value for name, value in given.items() if value}
    if "theme" in found:
        found["theme"] = found["theme"].replace("-", "_")
    if "text_size" in found:
        found["text_size"] = int(found["text_size"]) / 100
    return found
