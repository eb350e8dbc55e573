"""Command that runs the agents of a log again."""

from __future__ import annotations

from pathlib import Path

import click

from negoplatform.app.simulation.rerun import resimulate
from negoplatform.cli.options import DATA_DIR
from negoplatform.cli.terminal_output import echo_line
from negoplatform.eventlog.reader import read_log

SHOWN = 10


@click.command(name="resimulate")
@click.argument("log", type=click.Path(path_type=Path))
@click.option(
    "--agent",
    "agents",
    metavar="PATH",
    multiple=True,
    help="Location of an agent in the log: PATH.py or PATH.py:Class. Default: the catalogue.",
)
@DATA_DIR
def resimulate_command(log: Path, agents: tuple[str, ...], data_dir: Path) -> int:
    """Run the agents of a log again and report the first difference.

    Each agent runs in its own process with the logged seed and settings, and receives the logged events at
    the logged times. The exit code is 1 if an agent acts differently from the log.
    """
    found = resimulate(read_log(log), data_dir, agents)
    if not found.differences:
        agents_text = "the agent" if found.agents == 1 else f"the {found.agents} agents"
        click.echo(f"No difference: {agents_text} repeated all {found.acts} logged actions.")
        return 0
    for difference in found.differences[:SHOWN]:
        place = f"line {difference.seq + 1} (event {difference.seq})"
        echo_line(f"{place}: the agent at {difference.seat}: {difference.reason}.")
    rest = len(found.differences) - SHOWN
    if rest > 0:
        click.echo(f"and {rest} more; only the first one of a seat shows where it departed from the log.")
    return 1
