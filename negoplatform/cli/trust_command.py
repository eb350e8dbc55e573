"""The command that says which Python files of the user's own may be run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from negoplatform.app.code_file import CodeFile, code_file
from negoplatform.app.own_state import GAME_FILE, STATE_FILE
from negoplatform.app.trust import DANGER, Trust, open_trust
from negoplatform.cli.places import DATA_DIR
from negoplatform.domain.errors import NegoError
from negoplatform.formats.strict import in_one_line


@click.command(name="trust")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path), metavar="FILE...")
@click.option("--yes", is_flag=True, help="Do not ask; for setting up the computers of a laboratory.")
@click.option("--list", "list_them", is_flag=True, help="List what is trusted.")
@click.option("--forget", is_flag=True, help="Trust these files no longer.")
@DATA_DIR
def trust_command(files: tuple[Path, ...], yes: bool, list_them: bool, forget: bool, data_dir: Path) -> None:
    """Trusts agents, and games that bring code, in your own folder: shows path and SHA-256, and asks.

    FILE is an agent's file, or a folder with an agent.py or a game's state.py in it. A file that changes is
    asked about again. What you name by its path on the command line, and what the program brings, is trusted
    without being asked about.

    Example: negoplatform trust ~/.local/share/NegoPlatform/agents/my_agent.py
    """
    if list_them == bool(files) or (forget and not files) or (yes and (forget or list_them)):
        raise click.UsageError("Name the files that you trust, or --forget FILE, or --list alone.")
    with _written_trust(data_dir) as trust:
        if list_them:
            _list(trust)
        elif forget:
            _forget(trust, files)
        else:
            # All of them can be read, or none is asked about.
            for code in [code_file(_python_file(file)) for file in files]:
                _ask(trust, code, yes)


@contextmanager
def _written_trust(data_dir: Path) -> Iterator[Trust]:
    """The files that are trusted; an error if a change to them was not kept."""
    said: list[str] = []
    with open_trust(data_dir, said.append) as trust:
        yield trust
    if said:
        raise NegoError(" ".join(said))


def _list(trust: Trust) -> None:
    for file in trust.all():
        click.echo(f"{file.code.shown}\n  SHA-256 {file.code.sha256}\n  since {file.since}")
    if not trust.all():
        click.echo("No file of yours is trusted.")


def _forget(trust: Trust, files: Sequence[Path]) -> None:
    for file in files:
        gone = trust.forget(_python_file(file))
        click.echo(f"{in_one_line(str(file))} {'is trusted no longer' if gone else 'was not trusted'}.")


def _ask(trust: Trust, code: CodeFile, yes: bool) -> None:
    if trust.holds(code):
        click.echo(f"{code.shown} is trusted already.")
        return
    click.echo(f"{code.shown}\nSHA-256 {code.groups[0]}\n        {code.groups[1]}")
    if yes or click.confirm(f"{DANGER} Trust it?"):
        trust.add(code)
        click.echo("It is trusted until it changes.")
    else:
        click.echo("It is not trusted.")


def _python_file(file: Path) -> Path:
    """The file with the code: itself, or the one in a folder, or the one beside a game's file."""
    if file.name == GAME_FILE:
        file = file.parent
    shown = in_one_line(str(file))
    if file.is_dir():
        inside = [file / name for name in ("agent.py", STATE_FILE) if (file / name).is_file()]
        if not inside:
            raise NegoError(f"{shown} holds neither agent.py nor {STATE_FILE}; there is nothing to trust.")
        return inside[0]
    if file.suffix != ".py":
        raise NegoError(f"{shown} is no Python file; there is nothing to trust.")
    return file
