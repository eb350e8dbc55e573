"""The command that plays agents against each other."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from negoplatform.app.catalogue import find_agent, find_game
from negoplatform.app.crash import CrashFolder
from negoplatform.app.plugins import AgentPlugin
from negoplatform.app.simulate import Result, simulate, summarize
from negoplatform.app.sitting import read_settings, with_time_limit
from negoplatform.cli.measure_tables import game_lines, measure_lines, write_csv
from negoplatform.cli.places import DATA_DIR
from negoplatform.cli.profile_option import PROFILE
from negoplatform.cli.tables import simulation_lines
from negoplatform.domain.errors import NegoError
from negoplatform.domain.seat import Seat


@click.command(name="simulate")
@click.option("--game", required=True, metavar="GAME", help="A game's name, or a game file.")
@click.option(
    "--agents",
    required=True,
    multiple=True,
    metavar="A B",
    help="As many agents as the game has seats; A@FILE.json is agent A with the settings in that file.",
)
@click.argument("more_agents", nargs=-1, metavar="")
@click.option("--n", "games", type=click.IntRange(1, 1_000_000), default=100, help="Games per seating (100).")
@click.option(
    "--seed",
    type=click.IntRange(0, 2**53),
    default=1,
    help="The first game's seed (1); the next has one more.",
)
@click.option(
    "--logs",
    type=click.Path(path_type=Path, file_okay=False),
    help="Keep a log of every game in this folder.",
)
@click.option(
    "--time-limit", type=float, default=None, help="Seconds until the deadline. Default: the game's own."
)
@PROFILE
@click.option("--measures", "all_measures", is_flag=True, help="Print the means of all measures too.")
@click.option(
    "--csv",
    "csv_file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write every game as a row, with all measures, to this file.",
)
@DATA_DIR
def simulate_command(
    game: str,
    agents: tuple[str, ...],
    more_agents: tuple[str, ...],
    games: int,
    seed: int,
    logs: Path | None,
    time_limit: float | None,
    profiles: dict[Seat, str],
    all_measures: bool,
    csv_file: Path | None,
    data_dir: Path,
) -> None:
    """Plays agents against each other: headless, on a virtual clock, in both seatings.

    Example: negoplatform simulate --game resource_exchange --agents fair boulware --n 100 --seed 1
    """
    if csv_file is not None and csv_file.exists():
        # Said before many games are played for nothing.
        raise NegoError(f"{csv_file} is there already; name a new file.")
    crashes = CrashFolder(data_dir / "crashes")
    spec = with_time_limit(find_game(game, data_dir), time_limit)
    plugins = [_agent(name, data_dir) for name in (*agents, *more_agents)]
    results: list[Result] = list(
        simulate(spec, plugins, games=games, seed=seed, logs=logs, report=crashes.write, profiles=profiles)
    )
    summaries = summarize(results)
    for line in simulation_lines(spec, summaries):
        click.echo(line)
    if all_measures:
        click.echo("")
        for line in measure_lines(spec.seats, summaries):
            click.echo(line)
        click.echo("")
        for line in game_lines(spec.settled(seed, profiles), seed):
            click.echo(line)
    if csv_file is not None:
        write_csv(csv_file, results)
        click.echo(f"\nEvery game is a row in {csv_file}.")
    for sentence in dict.fromkeys(result.why_unmeasured for result in results if result.why_unmeasured):
        click.echo(f"Some measures are missing: {sentence}", err=True)
    if crashes.last:
        click.echo(f"An agent failed; the traces are in {crashes.last.parent}.", err=True)


def _agent(wanted: str, data_dir: Path) -> AgentPlugin:
    """The agent that a person means, with its settings where they are named."""
    name, at, settings = wanted.partition("@")
    if not at:
        return find_agent(wanted, data_dir)
    plugin, file = find_agent(name, data_dir), Path(settings)
    return replace(plugin, name=f"{plugin.name}@{file.stem}", settings=read_settings(file))
