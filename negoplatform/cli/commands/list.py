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
from negoplatform.plugins.agent_loader import ALL_ROLES, ASSISTANT_ROLES, PRINCIPAL_ROLE, SEAT_ROLE

ROLES = {"agents": (SEAT_ROLE,), "assistants": ASSISTANT_ROLES, "principals": (PRINCIPAL_ROLE,)}
"""Roles of the plug-ins in each list."""


@click.command(name="list")
@click.argument("what", type=click.Choice(["games", *ROLES]))
@click.option("--plain", is_flag=True, help="Print only the names of available entries, one per line.")
@click.option(
    "--game",
    metavar="GAME",
    help="Of agents: those that play this game, a name or a file, first; the others with the reason.",
)
@DATA_DIR
def list_command(what: str, plain: bool, game: str | None, data_dir: Path) -> None:
    """List games, agents, assistants or principals, and say why any are unavailable."""
    if game is not None and what == "games":
        raise click.UsageError("--game is for the list of agents: negoplatform list agents --game GAME")
    spec = None if game is None else find_game(game, data_dir)
    if what == "games":
        for line in catalogue_lines(list_games(data_dir, report=_warn), plain, spec):
            echo_text(line)
        return
    everything = list_agents(data_dir, report=_warn, roles=ALL_ROLES)
    for kind, roles in ROLES.items():
        rows = [row for row in everything if (SEAT_ROLE if row.item is None else row.item.role) in roles]
        if kind == what:
            for line in catalogue_lines(rows, plain, spec):
                echo_text(line)
        elif what == "agents" and not plain and rows:
            echo_text(f"\n{kind.capitalize()}, which take no seat:")
            for line in catalogue_lines(rows, plain, spec):
                echo_text(f"  {line}")
    if what == "agents" and not plain:
        echo_text(f"\n{negmas_agents_sentence()}")
        echo_text(f"Sandbox of agents' processes: {available_sandbox().description}.")


def _warn(sentence: str) -> None:
    echo_text(sentence, err=True)
