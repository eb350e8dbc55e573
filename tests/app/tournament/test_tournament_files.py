"""Files of a finished tournament."""

from __future__ import annotations

from negoplatform.analysis.tournament.tables import tournament_tables
from negoplatform.app.tournament.tournament_files import columns_of, csv_of
from tests.analysis.tournament.played import played


def test_columns_start_with_the_names() -> None:
    tables = tournament_tables([played("ann", "bob", (0.75, 0.25))])

    best, pair = columns_of(tables.scores[0]), columns_of(tables.pairs[0])

    assert list(best)[:3] == ["rank", "agent", "games"]
    assert best["agent"] == "ann"
    assert list(pair)[:4] == ["agent", "opponent", "games", "unscored"]


def test_a_row_of_a_csv_file_is_one_line_and_a_missing_value_is_empty() -> None:
    text = csv_of([{"agent": "ann", "note": "one\ntwo"}, {"agent": "bob", "mean": None}]).decode()

    assert text == "agent,note,mean\r\nann,one\\ntwo,\r\nbob,,\r\n"
