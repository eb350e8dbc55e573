"""The command that runs the agents of a log again."""

from __future__ import annotations

from pathlib import Path

import click

from negoplatform.app.simulation.rerun import resimulate
from negoplatform.cli.options.data_dir import DATA_DIR
from negoplatform.cli.output import echo_line
from negoplatform.eventlog.reader import read_log

SHOWN = 10


@click.command(name="resimulate")
@click.argument("log", type=click.Path(path_type=Path))
@click.option(
    "--agent",
    "agents",
    metavar="PATH",
    multiple=True,
    help="Where an agent of the log lies now: PATH.py or PATH.py:Class. The catalogue is searched anyway.",
)
@DATA_DIR
def resimulate_command(log: Path, agents: tuple[str, ...], data_dir: Path) -> int:
    """Runs the agents of a log again and reports the first difference.

    Each agent starts from the logged seed and settings in a process of its own and sees what it saw then, at
    the times at which it saw it. Exit code 1 if one of them does anything else than the log says.
    """
    found = resimulate(read_log(log), data_dir, agents)
    if not found.differences:
        click.echo(
            f"No difference: {found.agents} agent(s) did again all {found.acts} things that the log holds."
        )
        return 0
    for difference in found.differences[:SHOWN]:
        place = f"line {difference.seq + 1} (event {difference.seq})"
        echo_line(f"{place}: the agent at {difference.seat}: {difference.reason}.")
    rest = len(found.differences) - SHOWN
    if rest > 0:
        click.echo(f"and {rest} more; only the first one of a seat tells where it parted from the log.")
    return 1
