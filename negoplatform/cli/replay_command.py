"""The command that plays a log again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from negoplatform.app.catalogue import list_games
from negoplatform.app.own_state import with_state_at_hand
from negoplatform.cli.places import DATA_DIR
from negoplatform.cli.transcript import replay_lines
from negoplatform.core.events import clean_text
from negoplatform.eventlog.export import encode_log, seen_by
from negoplatform.eventlog.reader import SessionLog, read_log
from negoplatform.eventlog.whole_file import write_whole


@click.command(name="replay")
@click.argument("log", type=click.Path(path_type=Path))
@click.option("--step", is_flag=True, help="Print the state after every event.")
@click.option(
    "--view",
    default=None,
    metavar="WHO",
    help="complete, public, or a seat: only what it may see. Default: all that the log holds.",
)
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="Write the log of that view to a file."
)
@DATA_DIR
def replay_command(log: Path, step: bool, view: str | None, out: Path | None, data_dir: Path) -> None:
    """Plays a log again: verdict, outcome, and the transcript."""
    found = read_log(log)
    found = _with_own_state(seen_by(found, found.header.view if view is None else view), data_dir)
    lines = list(replay_lines(found, step=step))
    if out is not None:
        write_whole(out, encode_log(found), private=True)
    for line in lines:
        # A log may hold anything in its names; nothing of it reaches the terminal as a command.
        click.echo(clean_text(line))
    if out is not None:
        click.echo(f"\nThe log as {found.header.view} sees it is in {out}.")


def _with_own_state(log: SessionLog, data_dir: Path) -> SessionLog:
    """The log of a game that brings a typed state of its own, with that state if it is at hand."""
    game = log.header.game
    if game.own_state is None:
        return log
    game = with_state_at_hand(game, [row.item for row in list_games(data_dir) if row.item is not None])
    if game.own_state is not None and game.own_state.make is None:
        click.echo(
            f"{game.own_state.file} of {game.name} is not here as it was when this was played, so its state "
            f"is not rebuilt; all else is. (Put its folder, unchanged, into {data_dir / 'games'}.)",
            err=True,
        )
    return replace(log, header=replace(log.header, game=game))
