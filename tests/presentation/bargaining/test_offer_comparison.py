"""Comparison of two offers, issue by issue, where many seats divide units."""

from __future__ import annotations

from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Offer
from negoplatform.presentation.bargaining.offer_comparison import compare_rows
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.testing import TrialTable
from tests.several_seats import others_of, shares, village


def offered(game: GameSpec, *water: int, place: str = "Market") -> Offer:
    """Return an offer that divides the water."""
    sent = TrialTable(game).participant("mill").offers(water=shares(game, *water), place=place)
    return sent.get_offer()


def test_many_seats_get_a_row_each_and_those_without_units_none() -> None:
    game = village(5)
    first, second = offered(game, 4, 6), offered(game, 2, 0, 7)

    rows = compare_rows(game, "mill", others_of(game), first, second, ENGLISH)

    assert [(row.title, row.first, row.second, row.words, row.is_part) for row in rows] == [
        ("Water", "", "", "depends", False),
        ("You", "4", "2", "", True),
        ("Robin", "6", "0", "", True),
        ("Noa", "0", "7", "", True),
        ("Undecided", "0", "1", "", True),
        ("Opening hours", "", "", "", False),
        ("Undecided", "5", "5", "", True),
        ("Place", "Market", "Market", "same", False),
    ]


def test_a_few_seats_share_a_cell() -> None:
    game = village(3)

    rows = compare_rows(game, "mill", others_of(game), offered(game, 4, 2), offered(game, 2, 2, 2), ENGLISH)

    assert rows[0].first == "You 4\nRobin 2\nNoa 0"
