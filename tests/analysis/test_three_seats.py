"""Measures of a session of three seats, computed by hand.

Ann, Ben and Cat divide four coins, worth 1, 2 and 3 points each to them, and choose a colour: red is worth 4
to Ann, blue 2 to Ben. Their points range from 0 to 8, 10 and 12; each has 2 without a deal.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, QuantityIssue
from negoplatform.testing import TrialTable
from tests.analysis.exported import Rows, column, kept, tables_of
from tests.games import make_game


def treasure() -> GameSpec:
    """Return the game."""
    worth = {"ann": (1, 4, 0), "ben": (2, 0, 2), "cat": (3, 0, 0)}
    tables = {
        seat: {"coins": [coin * units for units in range(5)], "colour": {"red": red, "blue": blue}}
        for seat, (coin, red, blue) in worth.items()
    }
    issues = (QuantityIssue("coins", 4), CategoricalIssue("colour", ("red", "blue")))
    return make_game(tables, issues=issues, reservation=2)


def play(table: TrialTable) -> None:
    """Play three offers; the last one, 6, 2 and 3 points, is accepted by Ben, then by Cat and Ann."""
    ann, ben, cat = (table.participant(seat) for seat in ("ann", "ben", "cat"))
    ann.offers(coins=(4, 0, 0), colour="red")
    table.wait(3)
    ben.offers(coins=(0, 4, 0), colour="blue")
    table.wait(4)
    last = ann.offers(coins=(2, 1, 1), colour="red")
    table.wait(2)
    ben.accepts(last)
    table.wait(3)
    cat.accepts(last)
    ann.accepts(last)


@pytest.fixture
def tables(tmp_path: Path) -> dict[str, Rows]:
    """Return the tables of the session."""
    return tables_of(kept(tmp_path, treasure(), play))


def numbers(rows: Rows, name: str) -> list[float | None]:
    """Return a column of numbers; None for an empty cell."""
    return [float(cell) if cell else None for cell in column(rows, name)]


EXPECTED: dict[str, list[float | None]] = {
    "points": [6, 2, 3],
    "u": [6, 2, 3],
    "u_min": [0, 0, 0],
    "u_max": [8, 10, 12],
    "advantage": [4 / 6, 0, 1 / 10],
    "surplus_share": [4 / 5, 0, 1 / 5],
    "rational": [1, 1, 1],
    "exploited": [0, 0, 0],
    "dominance": [1, -1, -1],
    "n_offers": [2, 1, 0],
    "n_full": [2, 1, 0],
    "n_proposals": [2, 1, 0],
    "first_offer_u": [8, 10, None],
    "last_offer_u": [6, 10, None],
    "total_concession": [2 / 8, 0, None],
    "mean_concession": [2 / 8, None, None],
    "concession_rate": [(2 / 8) / (7 / 60), None, None],
    "monotonic": [1, None, None],
    "n_multi_issue": [0, 0, 0],
    "mean_response_ms": [4000, (3000 + 2000) / 2, 5000],
}


@pytest.mark.parametrize("measure", EXPECTED)
def test_every_seat_has_its_own_measures(tables: dict[str, Rows], measure: str) -> None:
    assert numbers(tables["seats"], measure) == pytest.approx(EXPECTED[measure])


@pytest.mark.parametrize(
    "measure",
    [
        *("coupling", "sensitivity", "awareness", "correlation"),
        *("n_steps_fortunate", "n_steps_selfish", "n_steps_concession"),
        *("n_steps_unfortunate", "n_steps_nice", "n_steps_silent"),
    ],
)
def test_what_compares_a_seat_with_one_other_is_empty(tables: dict[str, Rows], measure: str) -> None:
    assert column(tables["seats"], measure) == ["", "", ""]


def test_a_step_is_measured_for_its_maker_alone(tables: dict[str, Rows]) -> None:
    offers = tables["offers"]

    assert numbers(offers, "d_own") == [None, None, -2]
    assert column(offers, "d_other") == column(offers, "step") == ["", "", ""]
    assert numbers(offers, "u_own") == [8, 10, 6]
    assert numbers(offers, "joint") == [8, 10, 11]
    assert column(offers, "response") == ["counter", "counter", "accept"]
    assert column(offers, "response_seat") == ["ben", "ann", "ben"]


def test_all_seats_count_in_the_measures_of_the_outcome(tables: dict[str, Rows]) -> None:
    (session,) = tables["sessions"]

    # The highest sum is 16: all coins for Cat, and red.
    assert (float(session["joint"]), float(session["joint_max"])) == (11, 16)
    assert session["pareto"] == "1"
    assert float(session["dist_pareto"]) == 0
