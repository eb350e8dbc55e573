"""Command that lists games and agents."""

from __future__ import annotations

from pathlib import Path

import click

from negoplatform.app.catalogue.catalogue import find_game, list_agents, list_games
from negoplatform.app.catalogue.negmas_agents import negmas_agents_sentence
from negoplatform.cli.options import DATA_DIR
from negoplatform.cli.render.catalogue_table import catalogue_lines
from negoplatform.cli.terminal_output import echo_text
from negoplatform.hosting.sandbox.process_sandbox import available_sandbox


@click.command(name="list")
@click.argument("what", type=click.Choice(["games", "agents"]))
@click.option("--plain", is_flag=True, help="Print only the names of available entries, one per line.")
@click.option(
    "--game",
    metavar="GAME",
    help="Of agents: those that play this game, a name or a file, first; the others with the reason.",
)
@DATA_DIR
def list_command(what: str, plain: bool, game: str | None, data_dir: Path) -> None:
    """List games or agents, and say why any are unavailable."""
    if game is not None and what == "games":
        raise click.UsageError("--game is for the list of agents: negoplatform list agents --game GAME")
    spec = None if game is None else find_game(game, data_dir)
    rows = list_games(data_dir, report=_warn) if what == "games" else list_agents(data_dir, report=_warn)
    for line in catalogue_lines(rows, plain, spec):
        echo_text(line)
    if what == "agents" and not plain:
        echo_text(f"\n{negmas_agents_sentence()}")
        echo_text(f"Sandbox of agents' processes: {available_sandbox().description}.")


def _warn(sentence: str) -> None:
    echo_text(sentence, err=True)
