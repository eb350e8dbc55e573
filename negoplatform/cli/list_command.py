"""The command that lists games and agents."""

from __future__ import annotations

from pathlib import Path

import click

from negoplatform.app.catalogue import list_agents, list_games
from negoplatform.cli.places import DATA_DIR
from negoplatform.cli.tables import catalogue_lines


@click.command(name="list")
@click.argument("what", type=click.Choice(["games", "agents"]))
@click.option("--plain", is_flag=True, help="One name a line, and only what can be used.")
@DATA_DIR
def list_command(what: str, plain: bool, data_dir: Path) -> None:
    """Lists the games or the agents, and says why some cannot be used."""
    folder = data_dir
    for line in catalogue_lines(list_games(folder) if what == "games" else list_agents(folder), plain):
        click.echo(line)
