"""Output of commands: sentences to a terminal, and files that never replace existing ones."""

from __future__ import annotations

from pathlib import Path

import click

from negoplatform.domain.errors import NegoError
from negoplatform.formats.strict_json import single_line

LONGEST_SENTENCE = 2000
"""Maximum number of printed characters of a sentence; a name in a file may be arbitrarily long."""


def echo_line(sentence: str, *, err: bool = False) -> None:
    """Print a sentence in one line, whatever text from a file or a log it contains: no control characters."""
    click.echo(single_line(sentence, LONGEST_SENTENCE), err=err)


def ensure_new_file(path: Path) -> None:
    """Raise NegoError if a file exists or its folder does not, for commands that write only at their end."""
    if path.exists() or path.is_symlink():
        raise NegoError(f"{path} is there already; name a new file.")
    if not path.parent.is_dir():
        raise NegoError(f"{path} cannot be written: there is no folder {path.parent}.")
