"""Commands that make games of the scenarios of other platforms, and the other way round."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import isfinite
from pathlib import Path

import click

from negoplatform.app.catalogue.catalogue import find_game
from negoplatform.cli.options import DATA_DIR, PROFILE
from negoplatform.cli.terminal_output import echo_line
from negoplatform.domain.agreement_rules import Turns
from negoplatform.domain.errors import InputFileError, NegoError
from negoplatform.domain.game import MOST_OFFERS, RANDOM_PROFILE
from negoplatform.domain.seat_map import Seat
from negoplatform.eventlog.atomic_write import atomic_write
from negoplatform.formats.scenarios.scenario import ReadingOptions, Scenario, ScenarioProfile
from negoplatform.formats.scenarios.scenario_files import read_scenario
from negoplatform.formats.scenarios.scenario_games import (
    DEFAULT_DEADLINE_SECONDS,
    ImportedRules,
    checked_game,
    game_name,
    scenario_game,
)
from negoplatform.formats.scenarios.scenario_writers import FORMATS, exported_files
from negoplatform.formats.strict_json import LARGEST_FILE


@click.command(name="import-game")
@click.argument(
    "paths", nargs=-1, required=True, metavar="FILE…", type=click.Path(path_type=Path, exists=True)
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("games"),
    help="Folder for the game files (games).",
)
@click.option(
    "--profile",
    "wanted",
    multiple=True,
    metavar="NAME",
    help="A profile that is played, repeated in the order of the seats. Default: the two that there are.",
)
@click.option("--pairs", is_flag=True, help="One game for each pair of profiles.")
@click.option(
    "--steps",
    type=click.IntRange(1, 10_000),
    help="Steps into which ranges of real numbers are divided. Default: such issues are refused.",
)
@click.option(
    "--deadline-seconds",
    type=click.FloatRange(0.001, 86_400),
    help=f"Seconds until the deadline ({DEFAULT_DEADLINE_SECONDS:.0f}, or none with --deadline-offers).",
)
@click.option(
    "--turns",
    type=click.Choice([each.value for each in Turns]),
    default=Turns.ALTERNATING.value,
    help="Order of the seats (alternating).",
)
@click.option(
    "--deadline-offers", type=click.IntRange(1, MOST_OFFERS), help="Offers after which the game ends (none)."
)
@click.option(
    "--reservation",
    type=float,
    help="Reservation value where a file of NegMAS has minus infinity. Default: such files are refused.",
)
@click.option(
    "--discount-over-time",
    is_flag=True,
    help="Take a discount for each step of NegMAS over the whole game. Default: such files are refused.",
)
@click.option("--replace", is_flag=True, help="Replace game files that are there.")
def import_game_command(
    paths: tuple[Path, ...],
    out: Path,
    wanted: tuple[str, ...],
    pairs: bool,
    steps: int | None,
    deadline_seconds: float | None,
    deadline_offers: int | None,
    turns: str,
    reservation: float | None,
    discount_over_time: bool,
    replace: bool,
) -> None:
    """Make games of the scenarios of other platforms.

    FILE… are folders with a domain and its profiles each, or the files of one domain: XML of Genius, JSON of
    GeniusWeb and NegoLog, YAML of NegMAS. What a game file cannot say exactly is refused.

    Example: negoplatform import-game scenarios/Laptop --out games
    """
    if deadline_seconds is None and deadline_offers is None:
        deadline_seconds = DEFAULT_DEADLINE_SECONDS
    if reservation is not None and not isfinite(reservation):
        raise NegoError("The reservation value has to be a finite number (--reservation).")
    rules = ImportedRules(deadline_seconds, deadline_offers, Turns(turns))
    options = ReadingOptions(
        steps, None if reservation is None else Fraction(repr(reservation)), discount_over_time
    )
    folders = [[path] for path in paths if path.is_dir()]
    groups = [*folders, *([files] if (files := [path for path in paths if not path.is_dir()]) else [])]
    refused: list[str] = []
    for group in groups:
        try:
            scenario = read_scenario(group, options)
            for profiles in _seatings(scenario, wanted, pairs=pairs):
                _write_game(scenario, profiles, rules, out, several=pairs, replace=replace)
        except NegoError as error:
            if len(groups) == 1:
                raise
            # An error of a file names it.
            where = "" if isinstance(error, InputFileError) else f"{group[0]}: "
            refused.append(f"{where}{error}")
            echo_line(refused[-1])
    if refused:
        raise NegoError(f"{len(refused)} of {len(groups)} scenarios could not be imported; see above.")


def _seatings(
    scenario: Scenario, wanted: Sequence[str], *, pairs: bool
) -> Iterator[tuple[ScenarioProfile, ...]]:
    """Yield the profiles of the seats of each game."""
    by_name = {profile.name: profile for profile in scenario.profiles}
    for name in wanted:
        if name not in by_name:
            raise NegoError(f"There is no profile {name!r}; there is {', '.join(by_name)}.")
    chosen = tuple(by_name[name] for name in wanted) or scenario.profiles
    if pairs:
        if len(chosen) < 2:
            raise NegoError(
                f"One profile makes no pair; choose two or more with --profile, of {', '.join(by_name)}."
            )
        yield from combinations(chosen, 2)
        return
    if len(chosen) < 2 or (len(chosen) > 2 and not wanted):
        raise NegoError(
            f"There are {len(scenario.profiles)} profiles: {', '.join(by_name)}. Choose the seats' "
            "with --profile, once for each seat, or make a game of each pair with --pairs."
        )
    yield chosen


def _write_game(
    scenario: Scenario,
    profiles: Sequence[ScenarioProfile],
    rules: ImportedRules,
    out: Path,
    *,
    several: bool,
    replace: bool,
) -> None:
    """Write a game file, and print its name and the remarks about it."""
    of_pair = [profile.name for profile in profiles] if several else []
    name = game_name("_".join([scenario.name, *of_pair]))
    document = scenario_game(scenario, profiles, rules, name)
    game = checked_game(document, scenario.name)
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"{name}.json"
    text = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    if len(text.encode()) > LARGEST_FILE:  # without the spaces it is small enough
        text = json.dumps(document, ensure_ascii=False) + "\n"
    _write_text(path, text, replace=replace)
    echo_line(f"{path}: {game.count_outcomes():,} outcomes, seats {', '.join(game.seats)}")
    for remark in (
        *scenario.remarks,
        *(f"{profile.file}: {remark}" for profile in profiles for remark in profile.remarks),
    ):
        echo_line(f"  {remark}")


@click.command(name="export-game")
@click.argument("game", metavar="GAME")
@click.option(
    "--format", "target", type=click.Choice(list(FORMATS)), required=True, help="The other platform's format."
)
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="Folder for the files."
)
@click.option(
    "--rescale",
    is_flag=True,
    help="Bring each seat's points to 0 (worst outcome) to 1 (best). Default: such games are refused.",
)
@click.option("--replace", is_flag=True, help="Replace files that are there.")
@PROFILE
@DATA_DIR
def export_game_command(
    game: str,
    target: str,
    out: Path,
    rescale: bool,
    replace: bool,
    profiles: dict[Seat, str],
    data_dir: Path,
) -> None:
    """Write a game as a scenario of another platform.

    Reading it gives the same utilities. What the format cannot hold is refused. GAME is a name or a file.

    Example: negoplatform export-game campsite --format genius --rescale --out campsite
    """
    spec = find_game(game, data_dir)
    for seat in spec.profiles:
        if profiles.get(seat, spec.chosen.get(seat)) == RANDOM_PROFILE:
            there = ", ".join(profile.name for profile in spec.profiles[seat])
            raise NegoError(f"{seat} has a drawn profile; choose --profile {seat}=NAME, of {there}.")
    spec = spec.resolve_profiles(0, profiles)
    files = exported_files(spec, target, rescale=rescale)
    out.mkdir(parents=True, exist_ok=True)
    for name in files:
        _check_absent(out / name, replace=replace)
    for name, text in files.items():
        _write_text(out / name, text, replace=replace)
        echo_line(str(out / name))


def _write_text(path: Path, text: str, *, replace: bool) -> None:
    _check_absent(path, replace=replace)
    atomic_write(path, text.encode("utf-8"), replace=replace)


def _check_absent(path: Path, *, replace: bool) -> None:
    if path.exists() and not replace:
        raise NegoError(
            f"{path} is there already; replace it with --replace, or name another folder with --out."
        )
