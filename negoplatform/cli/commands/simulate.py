"""Command that plays agents against each other."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from negoplatform.app.catalogue.catalogue import find_game
from negoplatform.app.catalogue.trust import permissions_sentence
from negoplatform.app.session.agent_placement import find_agent_with_settings
from negoplatform.app.session.assistant_setup import (
    AssistantPlaces,
    assigned_assistants,
    with_assistants,
)
from negoplatform.app.session.principal_setup import find_principals
from negoplatform.app.session.session_plan import (
    with_counterpart,
    with_limits,
    without_talk,
)
from negoplatform.app.simulation.seatings import seat_agents
from negoplatform.app.simulation.simulate import Result, Seatings, Summary, simulate, summarize
from negoplatform.app.support.crash_reports import CrashFolder
from negoplatform.app.tournament.parallel_simulation import SimulatedGames, simulate_in_parallel
from negoplatform.cli.options import (
    ASSISTANT_OPTIONS,
    COUNTERPART_OPTIONS,
    DATA_DIR,
    DEADLINE_OPTIONS,
    PROFILE,
    pop_counterpart_options,
)
from negoplatform.cli.render.simulation_measures import game_lines, measure_lines, write_csv
from negoplatform.cli.render.simulation_table import simulation_lines
from negoplatform.cli.session_options import PRINCIPAL
from negoplatform.cli.terminal_output import echo_line, echo_text
from negoplatform.domain.assistant_settings import parse_assistant
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.language_model.missing_endpoint_warning import missing_endpoint_warning
from negoplatform.plugins.agent_loader import AgentPlugin
from negoplatform.plugins.program_and_user_folders import bundled

SHARED_PROCESS = (
    "Agents of different authors share one process here, where each could find the others' preferences"
)


def share_a_process(*plugins: AgentPlugin) -> bool:
    """Return whether agents of more than one file play, and not only shipped ones."""
    shipped = bundled("agents").resolve()
    files = {plugin.file.resolve() for plugin in plugins}
    return len(files) > 1 and any(shipped not in file.parents for file in files)


@click.command(name="simulate")
@click.option("--game", required=True, metavar="GAME", help="A game's name, or a game file.")
@click.option(
    "--agents",
    required=True,
    multiple=True,
    metavar="A B …",
    help="One agent per seat; A@FILE.json is agent A with the settings in that file.",
)
@click.option("--fill", metavar="A", help="The agent in all seats for which --agents names none.")
@click.option(
    "--seatings",
    "how",
    type=click.Choice([each.value for each in Seatings]),
    default=Seatings.ROTATIONS.value,
    help="Seats of the agents: as given, in rotation so that each has every seat once (rotations; with two "
    "agents also: both), or in every order (all). With two agents the last three are the same.",
)
@click.argument("more_agents", nargs=-1, metavar="")
@click.option("--n", "games", type=click.IntRange(1, 1_000_000), default=100, help="Games per seating (100).")
@click.option(
    "--seed",
    type=click.IntRange(0, 2**53),
    default=1,
    help="Seed of the first game (1); each further game adds one.",
)
@click.option(
    "--logs",
    type=click.Path(path_type=Path, file_okay=False),
    help="Keep a log of every game in this folder.",
)
@DEADLINE_OPTIONS
@click.option(
    "--talk",
    type=click.Choice(["on", "off"]),
    default="on",
    help="off: agents neither write nor show anything, which is faster; what they do otherwise is the same.",
)
@PROFILE
@COUNTERPART_OPTIONS
@ASSISTANT_OPTIONS
@click.option("--no-measures", is_flag=True, help="Compute no measures of outcomes and bidding.")
@click.option("--measures", "all_measures", is_flag=True, help="Also print the means of all measures.")
@click.option(
    "--csv",
    "csv_file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write one row per game, with all measures, to this file.",
)
@click.option(
    "--isolated",
    is_flag=True,
    help="Run each agent in each seat in its own process with its time and memory limits, as the window "
    "does. Slower.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 4096),
    help="Play in that many processes. Needs the extra tournament. Default: in this process.",
)
@PRINCIPAL
@DATA_DIR
def simulate_command(
    game: str,
    agents: tuple[str, ...],
    fill: str | None,
    how: str,
    more_agents: tuple[str, ...],
    games: int,
    seed: int,
    logs: Path | None,
    time_limit: float | None,
    deadline_offers: int | None,
    talk: str,
    profiles: dict[Seat, str],
    no_measures: bool,
    all_measures: bool,
    csv_file: Path | None,
    isolated: bool,
    jobs: int | None,
    principals: dict[str, str],
    assistants: tuple[str, ...] | None,
    coach: bool,
    data_dir: Path,
    **counterpart: Any,
) -> None:
    """Play agents against each other on a virtual clock.

    No window opens. Every agent plays in every seat unless --seatings says otherwise.

    Example: negoplatform simulate --game resource_exchange --agents fair boulware --n 100 --seed 1
    """
    if no_measures and all_measures:
        raise NegoError("--measures and --no-measures exclude each other; leave one of them out.")
    if csv_file is not None:
        # Fail before many games are played in vain.
        ensure_new_file(csv_file)
    values = pop_counterpart_options(counterpart)
    spec = with_limits(find_game(game, data_dir), time_limit, deadline_offers)
    spec = with_counterpart(spec, values)
    spec = without_talk(spec) if talk == "off" else spec
    find = partial(find_agent_with_settings, data_dir=data_dir, in_program=not isolated)
    plugins = [find(name) for name in (*agents, *more_agents)]
    filling = None if fill is None else find(fill)
    commanding = find_principals(spec, principals, data_dir, in_program=not isolated)
    everyone = (*plugins, *([] if filling is None else [filling]), *commanding.values())
    isolated = isolated or any(plugin.own_process for plugin in everyone)
    _print_warnings(everyone, isolated=isolated)
    wanted = SimulatedGames(
        spec, tuple(plugins), games, seed, Seatings(how), filling, profiles, logs, not no_measures
    )
    spec = with_assistants(spec, map(parse_assistant, assistants or ()), coach=coach or None)
    helping: dict[str, AgentPlugin] = {}
    if jobs is not None and (assistants or coach):
        raise NegoError("Games with assistants are played in this process; leave --jobs out.")
    if spec.assistants and jobs is None:
        places = AssistantPlaces((), spec.seats)
        spec, helping = assigned_assistants(spec, places, data_dir, in_program=not isolated)
        wanted = replace(wanted, game=spec)
    _, orders = seat_agents(spec, plugins, wanted.how, filling)
    crashes = CrashFolder(data_dir / "crashes")
    playing = _playing(
        wanted,
        crashes,
        data_dir,
        isolated=isolated,
        jobs=jobs,
        principals=commanding,
        assistants=helping,
    )
    results, stopped = _collect(playing, games * len(orders))
    if not isolated and share_a_process(*everyone):
        echo_text(f"{SHARED_PROCESS}; with --isolated each has a process of its own.", err=True)
    # The game with the profiles of the first session.
    measured = spec.resolve_profiles(seed, profiles) if all_measures else None
    for line in _report_lines(spec, summarize(results), measured, seed):
        echo_text(line)
    if csv_file is not None:
        write_csv(csv_file, results)
        echo_text(f"\nEvery game is a row in {csv_file}.")
    for sentence in dict.fromkeys(result.why_unmeasured for result in results if result.why_unmeasured):
        echo_text(f"Some measures are missing: {sentence}", err=True)
    folder = data_dir / "crashes" if crashes.last is None else crashes.last.parent
    if crashes.last or (jobs is not None and any(result.failures for result in results)):
        echo_text(f"An agent failed; the traces are in {folder}.", err=True)
    if stopped:
        echo_text(f"Stopped after {len(results):,} of {games * len(orders):,} games.", err=True)
        raise click.exceptions.Exit(STOPPED)


def _print_warnings(plugins: Sequence[AgentPlugin], *, isolated: bool) -> None:
    """Print which agents have no language model that they could use, and what isolated ones may do."""
    for plugin in plugins:
        if silent := missing_endpoint_warning(plugin.options, plugin.settings):
            echo_text(f"{plugin.name}: {silent}", err=True)
        if isolated and (asked := permissions_sentence(plugin.manifest.permissions)):
            echo_line(f"{plugin.name}: {asked}", err=True)


def _playing(
    wanted: SimulatedGames,
    crashes: CrashFolder,
    data_dir: Path,
    *,
    isolated: bool,
    jobs: int | None,
    principals: Mapping[str, AgentPlugin],
    assistants: Mapping[str, AgentPlugin],
) -> Iterator[Result]:
    """Return the results of the games as they are played: in this process, or in as many as ``jobs`` says.

    Raises:
        NegoError: If isolated agents, or principals, are to play in several processes.
    """
    if jobs is None:
        return simulate(
            wanted.game,
            wanted.agents,
            games=wanted.games,
            seed=wanted.seed,
            logs=wanted.logs,
            report=crashes.write,
            profiles=wanted.profiles,
            isolated=isolated,
            how=wanted.how,
            fill=wanted.fill,
            measures=wanted.measures,
            principals=principals,
            assistants=assistants,
        )
    if principals:
        raise NegoError(f"{wanted.game.name} has principals, which play in this process; leave out --jobs.")
    if isolated:
        raise NegoError(
            "Isolated agents have processes of their own, several games at once; leave out --jobs."
        )
    return simulate_in_parallel(wanted, jobs=jobs, data_dir=data_dir)


STOPPED = 130
"""Exit status after Ctrl-C, as in a shell."""


def _collect(playing: Iterator[Result], total: int) -> tuple[list[Result], bool]:
    """Return the results, and whether Ctrl-C was pressed before the last one.

    While the games are played, a terminal shows how many of them are done and the time left.
    """
    results: list[Result] = []
    hidden = not sys.stderr.isatty()
    try:
        with click.progressbar(playing, total, "games", file=sys.stderr, hidden=hidden) as shown:
            results.extend(shown)
    except KeyboardInterrupt:
        if not results:
            raise
        return results, True
    return results, False


def _report_lines(
    game: GameSpec, summaries: Sequence[Summary], measured: GameSpec | None, seed: int
) -> Iterator[str]:
    """Yield the results, and all measures if ``measured`` is given."""
    yield from simulation_lines(game, summaries)
    if measured is not None:
        yield ""
        yield from measure_lines(game.seats, summaries)
        yield ""
        yield from game_lines(measured, seed)


def ensure_new_file(path: Path) -> None:
    """Raise NegoError if a file exists or its folder does not, for commands that write only at their end."""
    if path.exists() or path.is_symlink():
        raise NegoError(f"{path} is there already; name a new file.")
    if not path.parent.is_dir():
        raise NegoError(f"{path} cannot be written: there is no folder {path.parent}.")
