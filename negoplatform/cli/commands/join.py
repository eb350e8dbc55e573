"""Command that joins a session in another process."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from negoplatform.app.joining.join_codes import parse_code
from negoplatform.app.joining.join_link import parse_address
from negoplatform.app.joining.window_process import StartingProgram
from negoplatform.cli.options import APPEARANCE_OPTIONS, DATA_DIR, pop_appearance_options
from negoplatform.cli.require_tk import require_tk
from negoplatform.domain.joining_settings import LOOPBACK


@click.command(name="join")
@click.argument("host", metavar="[HOST[:PORT]]", default="")
@click.option("--code", default="", help="The code of a role, as the host shows it.")
@click.option(
    "--as",
    "wanted",
    default="",
    metavar="ROLE",
    help="Role to join: a seat, wizard, experimenter, system, public, or the name of a principal. "
    "Default: the role of the code. The experimenter's code fits every role.",
)
@click.option(
    "--announce", is_flag=True, hidden=True, help="Print what the window shows as lines of JSON, for tests."
)
@click.option(
    "--hosted", is_flag=True, hidden=True, help="Read from the standard input which session it joins."
)
@APPEARANCE_OPTIONS
@DATA_DIR
def join_command(
    host: str,
    code: str,
    wanted: str,
    data_dir: Path,
    announce: bool,
    hosted: bool,
    reset_appearance: bool,
    **chosen: Any,
) -> None:
    """Join a session in a window: as a person in a seat, its wizard, the experimenter or a spectator.

    HOST is the address that 'negoplatform host' or 'negoplatform play --listen' shows. Without a code the
    window asks for both.
    """
    # Mistyped values are reported before a window opens.
    if host:
        parse_address(host)
    if code:
        parse_code(code)
    with require_tk():
        from negoplatform.gui.shell.join_application import open_join_window
        from negoplatform.gui.shell.join_controller import JoinChoice
    window: dict[str, Any] = {
        "announce": announce,
        "reset": reset_appearance,
        "appearance_overrides": pop_appearance_options(chosen),
    }
    choice = JoinChoice(host or (LOOPBACK if code else ""), code, wanted)
    if hosted:
        starter = StartingProgram(None if sys.stdin is None else sys.stdin.buffer)
        start = starter.start
        choice = JoinChoice(start.address, start.code)
        window |= {
            "starter": starter,
            "is_participant": start.is_participant,
            "shows_briefing": start.shows_briefing,
        }
    open_join_window(choice, data_dir, **window)
