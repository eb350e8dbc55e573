"""The file ``report.html`` of a tournament: one page that explains itself, without scripts and links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from negoplatform.analysis.opponent_model_accuracy import ModelRow
from negoplatform.analysis.tournament.tables import TournamentTables
from negoplatform.analysis.tournament.tournament_game import TournamentGame
from negoplatform.domain.game import GameSpec


def report_html(
    title: str,
    games: Sequence[TournamentGame],
    specs: Mapping[str, GameSpec],
    tables: TournamentTables,
    details: Mapping[str, str],
    models: Sequence[ModelRow] = (),
) -> str:
    """Return the report of a tournament as the text of one HTML file.

    Args:
        title: The heading.
        games: The games.
        specs: The games' specifications by name, with all profiles of the seats.
        tables: The tables of the same games.
        details: What was played, as rows of a table: versions, hashes, settings.
        models: The accuracy of the agents' opponent models; empty if none was asked.
    """
    del games, specs, models
    rows = "".join(f"<tr><td>{escape(row.agent)}</td><td>{row.mean}</td></tr>" for row in tables.scores)
    played = "".join(f"<tr><th>{escape(k)}</th><td>{escape(v)}</td></tr>" for k, v in details.items())
    return f"<!doctype html><title>{escape(title)}</title><table>{rows}</table><table>{played}</table>"
