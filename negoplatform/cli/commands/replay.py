"""Command that replays a log."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from negoplatform.app.catalogue.catalogue import list_games
from negoplatform.cli.options import APPEARANCE_OPTIONS, DATA_DIR, pop_appearance_options
from negoplatform.cli.render.transcript import replay_lines
from negoplatform.cli.require_tk import require_tk
from negoplatform.cli.terminal_output import echo_text
from negoplatform.domain.errors import NegoError
from negoplatform.eventlog.atomic_write import atomic_write
from negoplatform.eventlog.observer_export import encode_log, filter_log
from negoplatform.eventlog.reader import SessionLog, read_log
from negoplatform.plugins.game_state_loader import with_matching_state_plugin

PICTURES = ("utilities", "outcomes", "prices", "scores", "transcript")
"""Values of ``FigureKind`` in ``gui/replay/recorded_session.py``, which is imported only when needed."""


def _one_log(_ctx: click.Context, _argument: click.Parameter, logs: tuple[Path, ...]) -> Path:
    if len(logs) > 1:
        raise NegoError(f"One log is shown at a time, and these are {len(logs)}; open each by itself.")
    return logs[0]


@click.command(name="replay")
@click.argument(
    "log", metavar="LOG", nargs=-1, required=True, type=click.Path(path_type=Path), callback=_one_log
)
@click.option("--step", is_flag=True, help="Print the state after every event.")
@click.option(
    "--view",
    default=None,
    metavar="WHO",
    help="complete, public, system, a seat or a principal: show only what it may see. "
    "Default: the whole log.",
)
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="Write the log of that view to a file."
)
@click.option("--gui", is_flag=True, help="Open the log in a window, to play it or step through it.")
@click.option(
    "--announce", is_flag=True, hidden=True, help="Print what the window shows as lines of JSON, for tests."
)
@click.option(
    "--export-picture",
    type=(click.Choice(PICTURES), click.Path(path_type=Path, dir_okay=False)),
    metavar="WHICH FILE",
    help=f"Write a picture to a new file, PNG or SVG by its name: {', '.join(PICTURES)}.",
)
@APPEARANCE_OPTIONS
@DATA_DIR
def replay_command(
    log: Path,
    step: bool,
    view: str | None,
    out: Path | None,
    gui: bool,
    announce: bool,
    export_picture: tuple[str, Path] | None,
    reset_appearance: bool,
    data_dir: Path,
    **chosen: Any,
) -> None:
    """Replay a log: verdict, outcome and transcript."""
    looks = pop_appearance_options(chosen)
    if gui or export_picture is not None:
        if step or view is not None or out is not None or (gui and export_picture is not None):
            raise NegoError(
                "--gui shows the log in a window, and --export-picture writes a picture of it; "
                "leave the other options out."
            )
        if export_picture is not None:
            _export(log, data_dir, *export_picture, looks=looks)
        else:
            _open_window(log, data_dir, announce=announce, reset=reset_appearance, looks=looks)
        return
    found = read_log(log)
    found = _with_state_plugin(filter_log(found, found.header.view if view is None else view), data_dir)
    lines = list(replay_lines(found, step=step))
    if out is not None:
        atomic_write(out, encode_log(found), private=True)
    for line in lines:
        # Names in a log are arbitrary text. Only the lines of a message are set in below its first one.
        echo_text(re.sub(r"\n(?! {15})", r"\\n", line))
    if out is not None:
        echo_text(f"\nThe log as {found.header.view} sees it is in {out}.")


def _export(log: Path, data_dir: Path, which: str, file: Path, *, looks: Mapping[str, Any]) -> None:
    """Write a picture without opening a window; needs no display."""
    from negoplatform.gui.replay.image_export import export_picture

    for sentence in export_picture(log, data_dir, which, file, appearance_overrides=looks):
        echo_text(sentence)


def _open_window(log: Path, data_dir: Path, *, announce: bool, reset: bool, looks: Mapping[str, Any]) -> None:
    with require_tk():
        from negoplatform.gui.shell.replay_application import open_replay
    open_replay(log, data_dir, announce=announce, reset=reset, appearance_overrides=looks)


def _with_state_plugin(log: SessionLog, data_dir: Path) -> SessionLog:
    """Return a log with the typed game state that its game defines, if that game is available."""
    game = log.header.game
    if game.own_state is None:
        return log
    game = with_matching_state_plugin(
        game, [row.item for row in list_games(data_dir) if row.item is not None]
    )
    if game.own_state is not None and game.own_state.state_class is None:
        echo_text(
            f"{game.own_state.file} of {game.name} is not here as it was when this was played, so its state "
            f"is not rebuilt; all else is. (Put its folder, unchanged, into {data_dir / 'games'}.)",
            err=True,
        )
    return replace(log, header=replace(log.header, game=game))
