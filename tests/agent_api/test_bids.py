"""The list of a game's outcomes, which agents share."""

from __future__ import annotations

from random import Random

import pytest

from negoplatform.agent_api.bids import list_offers, points_of_listed
from negoplatform.domain.issue import CategoricalIssue, NumberIssue, complete_offers
from tests.app.simulation.test_fast_path import generated_game
from tests.games import shipped_games

GAMES = [game for game in shipped_games("bargaining") if game.count_outcomes() <= 20_000]


@pytest.mark.parametrize("seed", range(60))
def test_outcomes_come_in_the_order_of_their_texts_with_the_points_of_each(seed: int) -> None:
    game = generated_game(Random(seed)) if seed >= len(GAMES) else GAMES[seed]
    game = game.resolve_profiles(seed)
    if game.count_outcomes() > 20_000:
        pytest.skip("not listed")

    offers = list_offers(game.issues, game.seats)

    assert [repr(offer) for offer in offers] == sorted(
        repr(offer) for offer in complete_offers(game.issues, game.seats)
    )
    for seat in game.seats:
        utility = game.preferences[seat].utility
        found = points_of_listed(game.issues, game.seats, utility)
        assert [repr(points) for points in found] == [repr(utility(offer)) for offer in offers]


@pytest.mark.parametrize(
    "issues",
    [
        (NumberIssue("n", 1, 120, 1),),
        (NumberIssue("b", -3, 30, 1), NumberIssue("a", 0, 20, 0.5)),
        (
            CategoricalIssue("a", ("x", "x'", 'x"', "x', 'b': 'y", "xy", "")),
            CategoricalIssue("b", ("y", "z")),
        ),
    ],
    ids=["numbers", "two numbers", "texts like terms"],
)
def test_terms_whose_texts_begin_alike_keep_the_order_of_whole_texts(
    issues: tuple[CategoricalIssue | NumberIssue, ...],
) -> None:
    offers = list_offers(issues, ("one", "other"))

    assert [repr(offer) for offer in offers] == sorted(
        repr(offer) for offer in complete_offers(issues, ("one", "other"))
    )
