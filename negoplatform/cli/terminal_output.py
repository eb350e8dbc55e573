"""Sentences that commands print to the terminal."""

from __future__ import annotations

import click

from negoplatform.domain.visible_text import reveal_invisible
from negoplatform.formats.strict_json import single_line

LONGEST_SENTENCE = 2000
"""Maximum number of printed characters of a sentence; a name in a file may be arbitrarily long."""


def echo_line(sentence: str, *, err: bool = False) -> None:
    """Print a sentence in one line, whatever text from a file or a log it contains: no control characters."""
    click.echo(single_line(sentence, LONGEST_SENTENCE), err=err)


def echo_text(text: str, *, err: bool = False) -> None:
    """Print a text that may have several lines; nothing in it is hidden, or reorders what is around it."""
    click.echo(reveal_invisible(text, keep="\n"), err=err)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, such as ``1 visit`` and ``2 visits``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
