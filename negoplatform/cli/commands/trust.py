"""Command that manages which of the user's own Python files may run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from negoplatform.app.catalogue.trust import CONTAINED, DANGER, Trust, open_trust, permissions_sentence
from negoplatform.cli.options import DATA_DIR
from negoplatform.cli.terminal_output import echo_line, echo_text
from negoplatform.domain.errors import NegoError
from negoplatform.formats.strict_json import single_line
from negoplatform.hosting.sandbox.process_sandbox import available_sandbox
from negoplatform.plugins.code_file_trust_hash import CodeFile, agent_code_file, code_file
from negoplatform.plugins.game_state_loader import GAME_FILE, STATE_FILE


@click.command(name="trust")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path), metavar="FILE...")
@click.option("--yes", is_flag=True, help="Do not ask; for setting up the computers of a lab.")
@click.option("--list", "list_them", is_flag=True, help="List the trusted files.")
@click.option("--forget", is_flag=True, help="Stop trusting these files.")
@DATA_DIR
def trust_command(files: tuple[Path, ...], yes: bool, list_them: bool, forget: bool, data_dir: Path) -> int:
    """Trust the code of agents and games in your own folder.

    For each file the command shows its path, its SHA-256 and the permissions in its agent.json, and asks.
    FILE is an agent's file, or a folder that contains an agent.py or a game's state.py. You are asked again
    if a file changes, or asks for more permissions. Shipped files, and files named by path on the command
    line, are trusted without a question. The exit code is 1 if you decline any file.

    Example: negoplatform trust ~/.local/share/NegoPlatform/agents/my_agent.py
    """
    if list_them == bool(files) or (forget and not files) or (yes and (forget or list_them)):
        raise click.UsageError("Name the files that you trust, or --forget FILE, or --list alone.")
    with open_trust(data_dir, _warn_database) as trust:
        if list_them:
            _list(trust)
        elif forget:
            _forget(trust, files)
        else:
            # All of them can be read, or none is asked about.
            codes = [_code(_python_file(file)) for file in files]
            declined = [code for code in codes if not _confirm_trust(trust, code, yes)]
            return 1 if declined else 0
    return 0


def _warn_database(sentence: str) -> None:
    """Print a problem with the database; whether it stops the command is checked after each step."""
    echo_line(f"negoplatform: {sentence}", err=True)


def _require_available(trust: Trust, what: str) -> None:
    """Raise NegoError if the database could not be read or written; nothing is printed before that."""
    if trust.is_unavailable:
        raise NegoError(what)


def _list(trust: Trust) -> None:
    files = trust.all()
    _require_available(trust, "What is trusted could not be read.")
    for file in files:
        sha256, since = single_line(file.code.sha256), single_line(file.since)
        echo_text(f"{file.code.display_path}\n  SHA-256 {sha256}\n  since {since}")
        if asked := permissions_sentence(file.code.permissions):
            echo_text(f"  {asked}")
        if not file.code.in_program:
            echo_text("  Only in a process of its own, not for check and simulate without --isolated.")
    if not files:
        echo_text("No file of yours is trusted.")


def _forget(trust: Trust, files: Sequence[Path]) -> None:
    for file in files:
        gone = trust.forget(_python_file(file))
        _require_available(
            trust, f"{single_line(str(file))} may still be trusted: that could not be changed."
        )
        echo_text(f"{single_line(str(file))} {'is no longer trusted' if gone else 'was not trusted'}.")


def _confirm_trust(trust: Trust, code: CodeFile, yes: bool) -> bool:
    """Ask whether to trust a file; return whether it is trusted then."""
    held = trust.is_trusted(code)
    _require_available(trust, f"{code.display_path} was not trusted: what is trusted could not be read.")
    if held:
        echo_text(f"{code.display_path} is trusted already.")
        return True
    echo_text(f"{code.display_path}\nSHA-256 {code.hash_lines[0]}\n        {code.hash_lines[1]}")
    is_contained = available_sandbox().name == "full" and not _is_state(code.path)
    asked = permissions_sentence(code.permissions)
    about = " ".join(filter(None, (CONTAINED if is_contained else DANGER, asked)))
    if yes and asked:
        echo_text(asked)
    if yes or click.confirm(f"{about} Trust it?"):
        trust.add(code)
        _require_available(trust, f"{code.display_path} is not trusted: that could not be kept.")
        echo_text("It is trusted until it changes.")
        return True
    echo_text("It is not trusted.")
    return False


def _code(file: Path) -> CodeFile:
    """Return a file with what it is trusted with: commands run agents inside the program as well."""
    return code_file(file) if _is_state(file) else agent_code_file(file, in_program=True)


def _is_state(file: Path) -> bool:
    return file.name == STATE_FILE and file.with_name(GAME_FILE).is_file()


def _python_file(file: Path) -> Path:
    """Return the file with the code: itself, the one in a folder, or the one next to a game's file."""
    if file.name == GAME_FILE:
        file = file.parent
    shown = single_line(str(file))
    if file.is_dir():
        inside = [file / name for name in ("agent.py", STATE_FILE) if (file / name).is_file()]
        if not inside:
            raise NegoError(f"{shown} holds neither agent.py nor {STATE_FILE}; there is nothing to trust.")
        return inside[0]
    if file.suffix != ".py":
        raise NegoError(f"{shown} is no Python file; there is nothing to trust.")
    return file
