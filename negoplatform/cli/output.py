"""Sentences for a terminal: one line each, whatever a file or a log has brought into them."""

from __future__ import annotations

import click

from negoplatform.formats.strict_json import single_line

LONGEST_SENTENCE = 2000
"""Characters of a sentence that are printed; a name in a file may be as long as it likes."""


def echo_line(sentence: str, *, err: bool = False) -> None:
    """Prints a sentence in which nothing reaches the terminal as a command."""
    click.echo(single_line(sentence, LONGEST_SENTENCE), err=err)
