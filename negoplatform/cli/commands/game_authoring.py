"""Commands for authors of games: schema, check-game."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import click

from negoplatform.analysis.games.game_check import FindingKind, GameFinding, check_game
from negoplatform.app.catalogue.catalogue import find_game
from negoplatform.app.rehearsal.rehearsal_people import people_schema
from negoplatform.app.simulation.game_plugin_check import check_game_plugins
from negoplatform.cli.options import DATA_DIR
from negoplatform.cli.terminal_output import echo_line, echo_text
from negoplatform.domain.game import GameSpec
from negoplatform.eventlog.atomic_write import atomic_write
from negoplatform.formats.game_schema import game_schema
from negoplatform.study.study_schema import instrument_schema, study_schema

SCHEMAS = {
    "game": game_schema,
    "instrument": instrument_schema,
    "people": people_schema,
    "study": study_schema,
}


@click.command(name="schema")
@click.argument("what", type=click.Choice(list(SCHEMAS)))
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Write it to a new file.")
def schema_command(what: str, out: Path | None) -> None:
    """Print the JSON Schema of a file format.

    Editors use it to check a file while you type.

    Example: negoplatform schema game --out game.schema.json
    """
    text = json.dumps(SCHEMAS[what](), indent=2, ensure_ascii=False) + "\n"
    if out is None:
        click.echo(text, nl=False)
        return
    atomic_write(out, text.encode("utf-8"))
    echo_text(f"The JSON Schema of a {what} file is in {out}.")


@click.command(name="check-game")
@click.argument("game", metavar="GAME")
@DATA_DIR
def check_game_command(game: str, data_dir: Path) -> None:
    """Check a game for mistakes in its design, and the plug-ins of its principals and assistants.

    GAME is a name or a game file. Warnings point out what is probably unintended; notes describe the game.
    Findings do not change the exit code; it is 1 if the file cannot be read.

    Example: negoplatform check-game my_game.json
    """
    spec = find_game(game, data_dir)
    findings = [*check_game(spec), *check_game_plugins(spec, data_dir)]
    for line in _finding_lines(spec, findings):
        echo_line(line)


def _finding_lines(game: GameSpec, findings: list[GameFinding]) -> Iterator[str]:
    """Yield the findings, grouped by the places that they are about."""
    yield f"{game.title} ({game.name}): {_tally(findings)}."
    for place, group in groupby(findings, key=lambda finding: finding.place):
        yield ""
        yield place or "deals"
        yield from (f"  {finding.kind.value:<8} {finding.text}" for finding in group)


def _tally(findings: list[GameFinding]) -> str:
    counts = {kind: sum(finding.kind is kind for finding in findings) for kind in FindingKind}
    return ", ".join(f"{count} {kind.value}{'s' * (count != 1)}" for kind, count in counts.items())
