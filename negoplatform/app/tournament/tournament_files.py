"""Files of a finished tournament: its games, tables and models as CSV, and what was played as JSON."""

from __future__ import annotations

import csv
import io
import json
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import negoplatform
from negoplatform.analysis.export_tables.columns import cell_text
from negoplatform.analysis.export_tables.offer_text import offer_text
from negoplatform.analysis.opponent_model_accuracy import ModelRow
from negoplatform.analysis.tournament.tables import Averages, TournamentTables
from negoplatform.analysis.tournament.tournament_game import TournamentGame
from negoplatform.analysis.tournament.utility_bands import UtilityBand, utility_bands
from negoplatform.app.tournament.tournament_plan import Entrant, TournamentPlan
from negoplatform.domain.game import GameSpec
from negoplatform.domain.visible_text import reveal_invisible
from negoplatform.eventlog.atomic_write import atomic_write
from negoplatform.formats.tournament_file import DeadlineModel, dump_tournament

PLAYED_SCHEMA = "negoplatform.tournament-played/1"

Cells = Mapping[str, str | int | float | None]


@dataclass(frozen=True, slots=True)
class TournamentOutput:
    """Games, tables, models and errors of a finished tournament.

    Args:
        games: The games.
        models: The accuracy of the agents' opponent models.
        tables: The tables of the games.
        errors: Sentences about blocks that could not be played.
    """

    games: Sequence[TournamentGame]
    models: Sequence[ModelRow]
    tables: TournamentTables
    errors: Sequence[str] = ()


def write_tournament_files(folder: Path, plan: TournamentPlan, output: TournamentOutput) -> None:
    """Write the tables and the description of a tournament; existing ones are replaced.

    Raises:
        NegoError: If a file cannot be written.
    """
    specs = {game.spec.name: game.spec for game in plan.games}
    files = {
        "games.csv": csv_of(game_row(game, specs[game.game]) for game in output.games),
        "pairs.csv": csv_of(map(columns_of, output.tables.pairs)),
        "scores.csv": csv_of(map(columns_of, output.tables.scores)),
        "by_game.csv": csv_of(map(columns_of, output.tables.by_game)),
        "pairs_by_game.csv": csv_of(map(columns_of, output.tables.pairs_by_game)),
        "tournament.json": _json_bytes(played_document(plan, output)),
    }
    if plan.model.measures:
        files["curves.csv"] = csv_of(map(columns_of, utility_bands(output.games, by_game=True)))
    if plan.model.models is not None:
        files["models.csv"] = csv_of(map(columns_of, output.models))
    for name, data in files.items():
        atomic_write(folder / name, data, replace=True)


def columns_of(row: Averages | ModelRow | UtilityBand) -> Cells:
    """Return a row of a table as the columns of a CSV file: its names first, then its numbers."""
    others = [field.name for field in fields(row) if field.name not in row.KEYS]
    return {name: getattr(row, name) for name in (*row.KEYS, *others)}


def csv_of(rows: Iterable[Cells]) -> bytes:
    """Return rows as a CSV file with a header line (RFC 4180, UTF-8); an empty cell is a missing value.

    A row is one line, whatever a text contains, for programs that read a table line by line.
    """
    found = list(rows)
    names = list(dict.fromkeys(name for row in found for name in row))
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(names)
    for row in found:
        writer.writerow([reveal_invisible(cell_text(row.get(name))) for name in names])
    return stream.getvalue().encode("utf-8")


def game_row(game: TournamentGame, spec: GameSpec) -> dict[str, str | int | float | None]:
    """Return a game as a row of ``games.csv``; ``_1`` and ``_2`` are the first and the second seat."""
    row: dict[str, str | int | float | None] = {"game": game.game, "seed": game.seed}
    for name in ("agent", "seat", "profile", "points", "advantage"):
        row |= _of_seats(name, getattr(game, name if name == "points" else f"{name}s"))
    row |= {
        "welfare": game.welfare,
        "ended_by": game.ended_by.value,
        "deal": "" if game.deal is None else offer_text(game.deal, spec),
        "seconds": game.seconds,
        "offers": game.offers,
        "path": game.path,
        **_of_seats("failures", game.failures),
        **_of_seats("refusals", game.refusals),
        **_of_seats("trouble", game.troubles),
    }
    suffixes = {seat: f"_{i}" for i, seat in enumerate(game.seats, start=1)}
    for name, value in game.measures.items():
        seat, dot, measure = name.rpartition(".")
        # Games have seats of different names, and one column for each of their measures.
        row.setdefault(f"{measure}{suffixes[seat]}" if dot else name, value)
    return row


def _of_seats(name: str, values: tuple[Any, Any]) -> dict[str, Any]:
    return {f"{name}_{i}": value for i, value in enumerate(values, start=1)}


def played_document(plan: TournamentPlan, output: TournamentOutput) -> dict[str, Any]:
    """Return the content of what was played, with versions and hashes, as JSON values."""
    return {
        "schema": PLAYED_SCHEMA,
        "tournament": dump_tournament(plan.model),
        "program": {
            "version": negoplatform.__version__,
            "sha256": plan.program,
            "python": platform.python_version(),
        },
        "agents": [_agent(entrant) for entrant in plan.entrants],
        "games": [
            {"name": game.spec.name, "sha256": game.sha256, "seats": list(game.spec.seats)}
            for game in plan.games
        ],
        "played": len(output.games),
        "failed": list(output.errors),
    }


def _deadline_text(limit: DeadlineModel | None) -> str:
    if limit is None:
        return "that of each game"
    offers = "each game's own number of offers" if limit.offers is None else f"{limit.offers:,} offers"
    seconds = "each game's own seconds" if limit.seconds is None else f"{limit.seconds:,g} seconds"
    return f"{offers} and {seconds}, whichever comes first"


def played_details(plan: TournamentPlan) -> dict[str, str]:
    """Return the content of what was played, with versions and hashes, as labelled texts for the report."""
    model = plan.model
    seeds = f"{model.seeds.from_} to {model.seeds.from_ + model.seeds.n - 1}"
    details = {
        "Program": f"NegoPlatform {negoplatform.__version__}, code {plan.program[:16]}",
        "Python": platform.python_version(),
        "Seeds": f"{seeds}, each in every game, pair and seating",
        "Seatings": "both ways" if model.seatings == "both" else "as named",
        "Agents against themselves": "yes" if model.self_play else "no",
        "Deadline": _deadline_text(model.deadline),
        "Talk": "on" if model.talk else "off",
        "Score": model.score,
        "Measures": "yes" if model.measures else "no",
        "Opponent models": "no"
        if model.models is None
        else f"at {', '.join(f'{100 * at:g} %' for at in model.models.at)} of the game",
    }
    for entrant in plan.entrants:
        plugin = entrant.plugin
        settings = f", settings {json.dumps(dict(plugin.settings), default=str)}" if plugin.settings else ""
        details[f"Agent {entrant.name}"] = (
            f"{plugin.class_name} in {plugin.file.name}, code {entrant.sha256[:16]}{settings}"
        )
    for game in plan.games:
        details[f"Game {game.spec.name}"] = f"{game.spec.title}, content {game.sha256[:16]}"
    return details


def _agent(entrant: Entrant) -> dict[str, Any]:
    plugin = entrant.plugin
    return {
        "name": entrant.name,
        "class": plugin.class_name,
        "file": plugin.file.name,
        "version": plugin.manifest.version or None,
        "sha256": entrant.sha256,
        "settings": dict(plugin.settings),
    }


def _json_bytes(document: object) -> bytes:
    return f"{json.dumps(document, ensure_ascii=False, indent=2, default=str)}\n".encode()
