"""Command that plays a tournament between agents and compares them."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from negoplatform.analysis.tournament.tables import ScoreKind, tournament_tables
from negoplatform.app.tournament.engines import check_packages, engine_choice
from negoplatform.app.tournament.tournament_files import (
    TournamentOutput,
    played_details,
    write_tournament_files,
)
from negoplatform.app.tournament.tournament_plan import TournamentPlan, check_entrants, plan_tournament
from negoplatform.app.tournament.tournament_run import run_tournament
from negoplatform.cli.commands.simulate import SHARED_PROCESS, share_a_process
from negoplatform.cli.options import DATA_DIR, DEADLINE_OPTIONS
from negoplatform.cli.progress_line import ProgressLine
from negoplatform.cli.render.tournament_report.report import report_html
from negoplatform.cli.render.tournament_summary import early_end_lines, markdown_tables, summary_lines
from negoplatform.cli.terminal_output import counted, echo_line, echo_text
from negoplatform.domain.errors import NegoError
from negoplatform.eventlog.atomic_write import atomic_write
from negoplatform.formats.tournament_file import TournamentModel, read_tournament, tournament_of
from negoplatform.language_model.missing_endpoint_warning import missing_endpoint_warning

LISTS = ("--agents", "--games", "--models-at")
"""Options that take all values up to the next option."""

WITHOUT_FILE = (
    ("agents", "--agents"),
    ("games", "--games"),
    ("n", "--n"),
    ("seed", "--seed"),
    ("seatings", "--seatings"),
    ("self_play", "--no-self-play"),
    ("deadline_offers", "--deadline-offers"),
    ("time_limit", "--time-limit"),
    ("talk", "--talk"),
    ("keep_logs", "--keep-logs"),
    ("measures", "--no-measures"),
    ("models_at", "--models-at"),
    ("score", "--score"),
)
"""Options for what a tournament file says, by the names of their values."""


class ListOptionsCommand(click.Command):
    """Command with options that take several values, as in ``--agents A B C``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; ``--agents A B`` stands for ``--agents A --agents B``."""
        found: list[str] = []
        option = ""
        for before, text in zip(["", *args], args, strict=False):
            if text.startswith("-"):
                option = text if text in LISTS else ""
            elif option and before != option:
                found.append(option)
            found.append(text)
        return super().parse_args(ctx, found)


@click.command(name="tournament", cls=ListOptionsCommand)
@click.argument("file", required=False, type=click.Path(path_type=Path, dir_okay=False))
@click.option("--jobs", type=click.IntRange(1, 4096), help="Processes. Default: one for each processor.")
@click.option(
    "--engine",
    default="auto",
    metavar="ENGINE",
    help="inline: this process. loky: processes of this computer. dask: the same by Dask. "
    "dask://HOST:PORT: a Dask cluster that sees the same folders. Default: loky, after some seconds in this "
    "process if all agents come with the program.",
)
@click.option(
    "--out",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Folder for everything; the same folder continues an interrupted tournament. Default: the file's "
    "name without .json, or 'tournament'.",
)
@click.option("--agents", multiple=True, metavar="A B …", help="The agents; A@FILE.json has settings.")
@click.option("--games", multiple=True, metavar="G H …", help="The games: names or files.")
@click.option("--n", type=int, help="Seeds of each pair, seating and game (100).")
@click.option("--seed", type=int, help="The first seed (1).")
@click.option(
    "--seatings", type=click.Choice(["given", "both"]), help="Seats of a pair: as named, or both ways (both)."
)
@click.option("--no-self-play", "self_play", flag_value=False, default=None, help="No agent plays itself.")
@DEADLINE_OPTIONS
@click.option("--talk", type=click.Choice(["on", "off"]), help="Whether agents talk (off).")
@click.option(
    "--keep-logs",
    type=click.Choice(["none", "failed", "all"]),
    help="Logs that are kept: of games in which an agent failed (failed), of none or of all.",
)
@click.option("--no-measures", "measures", flag_value=False, default=None, help="Points alone; faster.")
@click.option(
    "--models-at",
    type=float,
    multiple=True,
    metavar="X Y …",
    help="Points of progress, 0 to 1, at which the agents' opponent models are compared with the truth.",
)
@click.option(
    "--score",
    type=click.Choice([score.value for score in ScoreKind]),
    help="The number by which agents are compared (advantage).",
)
@DATA_DIR
def tournament_command(
    file: Path | None, jobs: int | None, engine: str, folder: Path | None, data_dir: Path, **given: Any
) -> None:
    """Play every agent against every other at every game, and compare them.

    FILE is a tournament file (docs/tournaments.md); without one, --agents and --games say who plays. An
    interrupted tournament goes on with the same command: no game is played twice.

    Example: negoplatform tournament --agents mine.py linear micro --games campsite domains/Laptop --n 100
    """
    check_packages()
    choice = engine_choice(engine, jobs)
    model = _model(file, {name: value for name, value in given.items() if value not in (None, ())})
    base = Path() if file is None else file.parent
    folder = folder or _usual_folder(file)
    plan = plan_tournament(model, base, data_dir)
    check_entrants(plan)
    _print_warnings(plan)
    progress = ProgressLine(sys.stderr, "games")

    def print_sentence(sentence: str) -> None:
        progress.close()
        echo_text(sentence, err=True)

    try:
        found = run_tournament(
            plan, folder, data_dir, engine=choice, on_games=progress.update, on_long_block=print_sentence
        )
    except KeyboardInterrupt:
        progress.close()
        echo_line(f"What was played is kept in {folder}; the same command continues.", err=True)
        raise
    progress.close()
    games = [game for block in found.played for game in block.games]
    models = [row for block in found.played for row in block.models]
    if not games:
        raise NegoError(f"No game could be played. {' '.join(found.errors[:1])}")
    tables = tournament_tables(games, score=ScoreKind(model.score))
    write_tournament_files(folder, plan, TournamentOutput(games, models, tables, found.errors))
    names = [game.spec.name for game in plan.games]
    markdown = markdown_tables(names, [who.name for who in plan.entrants], games)
    atomic_write(folder / "tables.md", markdown.encode(), replace=True)
    specs = {game.spec.name: game.spec for game in plan.games}
    title = f"Tournament of {counted(len(plan.entrants), 'agent')} at {counted(len(names), 'game')}"
    page = report_html(title, games, specs, tables, played_details(plan), models)
    atomic_write(folder / "report.html", page.encode(), replace=True)
    for line in summary_lines(tables, games, found.errors, found.earlier):
        echo_text(line)
    for line in early_end_lines(games, specs):
        echo_text(line)
    if found.alone:
        echo_text("This took less than the start of processes, and was played in this one (--engine inline).")
    echo_text(f"The tables and report.html are in {folder}.")
    if found.errors:
        raise click.exceptions.Exit(1)


def _usual_folder(file: Path | None) -> Path:
    """Return the folder of a tournament for which none is named.

    Raises:
        NegoError: If it would be the file itself.
    """
    if file is None:
        return Path("tournament")
    if not file.suffix:
        raise NegoError(f"The folder would have the name of the file {file}; name another one with --out.")
    return file.with_suffix("")


def _print_warnings(plan: TournamentPlan) -> None:
    plugins = [who.plugin for who in plan.entrants]
    for plugin in plugins:
        if silent := missing_endpoint_warning(plugin.options, plugin.settings):
            echo_text(f"{plugin.name}: {silent}", err=True)
    if share_a_process(*plugins):
        echo_text(f"{SHARED_PROCESS}.", err=True)


def _model(file: Path | None, given: Mapping[str, Any]) -> TournamentModel:
    """Return the tournament of a file, or of options in place of one.

    Raises:
        NegoError: If both are given, or something is missing or not valid.
    """
    if file is not None:
        both = [option for name, option in WITHOUT_FILE if name in given]
        if both:
            raise NegoError(f"{file} says what is played; write it there, and leave out {', '.join(both)}.")
        return read_tournament(file)
    for name in ("agents", "games"):
        if not given.get(name):
            raise NegoError(f"A tournament needs a file, or --agents and --games; there is no --{name}.")
    document: dict[str, Any] = {
        name: list(given[name]) if isinstance(given[name], tuple) else given[name]
        for name in ("agents", "games", "seatings", "self_play", "keep_logs", "measures", "score")
        if name in given
    }
    seeds = {key: given[name] for name, key in (("seed", "from"), ("n", "n")) if name in given}
    limits = {"offers": given.get("deadline_offers"), "seconds": given.get("time_limit")}
    limits = {key: value for key, value in limits.items() if value is not None}
    document |= {"seeds": seeds} if seeds else {}
    document |= {"deadline": limits} if limits else {}
    document |= {"models": {"at": list(given["models_at"])}} if "models_at" in given else {}
    document |= {"talk": given["talk"] == "on"} if "talk" in given else {}
    return tournament_of(document, "the command line")
