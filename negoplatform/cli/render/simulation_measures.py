"""All measures of simulated games: the means as a table, and every game as a row of a file."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path

from negoplatform.analysis.games.frontier_with_interactions import bargaining_solutions
from negoplatform.analysis.games.game_measures import game_measures
from negoplatform.app.simulation.simulate import Result, Summary
from negoplatform.cli.render.aligned_columns import align_columns
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.eventlog.atomic_write import atomic_write

TWO_SEATS_ONLY = (
    "Coupling, sensitivity, awareness, correlation and the classes of steps, and conflict and win win of",
    "the game, compare two seats, so they have no values in a game with more.",
)
"""Lines about the measures that a game with more than two seats does not have."""


def measure_lines(seats: Sequence[Seat], summaries: Sequence[Summary]) -> Iterator[str]:
    """Yield the mean of every measure, of all seats together and of each seat; one column per seating."""
    if not any(summary.means for summary in summaries):
        return
    names = list(dict.fromkeys(name for summary in summaries for name in summary.means))
    joint = [name for name in names if "." not in name]
    single = list(dict.fromkeys(name.partition(".")[2] for name in names if "." in name))
    two = len(seats) == 2
    head = [_seating(each) if two else f"seating {n}" for n, each in enumerate(summaries, start=1)]
    yield "Means over games"
    if not two and not any(summary.traded for summary in summaries):
        yield from TWO_SEATS_ONLY
    yield from align_columns(
        [["", *head], *([_title(name), *(_mean(s, name) for s in summaries)] for name in joint)], 1
    )
    for seat in seats:
        yield ""
        yield from align_columns(
            [
                [seat, *(summary.agents[seat] for summary in summaries)],
                *([_title(name), *(_mean(s, f"{seat}.{name}") for s in summaries)] for name in single),
            ],
            1,
        )


def game_lines(game: GameSpec, seed: int) -> Iterator[str]:
    """Yield the measures of the game itself; nothing if they cannot be computed.

    Args:
        game: The game with the profiles of one of the simulated sessions.
        seed: The seed of that session.
    """
    try:
        found = game_measures(bargaining_solutions(game))
    except NegoError:
        return
    chosen = ", ".join(f"{seat} {name}" for seat, name in game.chosen.items())
    yield f"The game{f' with the profiles of seed {seed} ({chosen})' if chosen else ''}"
    rows = [[_title(field.name), _figure(getattr(found, field.name))] for field in fields(found)]
    yield from align_columns(rows, 1)


def _figure(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,}" if isinstance(value, int) else f"{value:.3f}"


def _seating(summary: Summary) -> str:
    return " / ".join(summary.agents.values())


def _title(name: str) -> str:
    return name.replace("_", " ")


def _mean(summary: Summary, name: str) -> str:
    value = summary.means.get(name)
    return "-" if value is None else f"{value:.3f}"


def write_csv(path: Path, results: Sequence[Result]) -> None:
    """Write every game as a row, after a header row; an empty cell is a measure without a value.

    Raises:
        NegoError: If the file exists or cannot be written.
    """
    rows = [_csv_row(result) for result in results]
    names = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, names, restval="")
    writer.writeheader()
    writer.writerows(rows)
    atomic_write(path, text.getvalue().encode("utf-8"))


def _csv_row(result: Result) -> dict[str, object]:
    row: dict[str, object] = {"seed": result.seed, "ended_by": result.ended_by.value}
    for seat, agent in result.agents.items():
        row[f"{seat}.agent"] = agent
        row[f"{seat}.profile"] = result.profiles.get(seat, "")
        row[f"{seat}.points"] = result.points[seat]
    row |= {
        "seconds": result.seconds,
        "offers": result.offers,
        "failures": result.failures,
        "refusals": result.refusals,
    }
    measured = result.measures_row().items()
    return row | {name: int(value) if isinstance(value, bool) else value for name, value in measured}
