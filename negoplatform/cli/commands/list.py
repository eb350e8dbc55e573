"""Command that lists games and agents."""

from __future__ import annotations

from pathlib import Path

import click

from negoplatform.app.catalogue.catalogue import list_agents, list_games
from negoplatform.cli.options import DATA_DIR
from negoplatform.cli.render.catalogue_table import catalogue_lines
from negoplatform.core.events import clean_text


@click.command(name="list")
@click.argument("what", type=click.Choice(["games", "agents"]))
@click.option("--plain", is_flag=True, help="Print only the names of available entries, one per line.")
@DATA_DIR
def list_command(what: str, plain: bool, data_dir: Path) -> None:
    """List games or agents, and say why any are unavailable."""
    rows = list_games(data_dir, report=_warn) if what == "games" else list_agents(data_dir, report=_warn)
    for line in catalogue_lines(rows, plain):
        click.echo(clean_text(line))


def _warn(sentence: str) -> None:
    click.echo(clean_text(sentence), err=True)
