"""Utilities of proposals in the course of games: curves of one game, bands over many."""

from __future__ import annotations

from dataclasses import replace

import pytest

from negoplatform.analysis.tournament.utility_bands import utility_bands
from negoplatform.analysis.tournament.utility_curves import CURVE_STEPS, UtilityCurve, utility_curves
from negoplatform.domain.offer import Offer
from negoplatform.domain.solutions.integer_scaling import IntegerGame, integer_game
from tests.analysis.tournament.played import played
from tests.games import categorical_only

RED, BLUE = Offer({"colour": "green", "size": "large"}), Offer({"colour": "red", "size": "small"})


def exact(*, offers: int | None = None, seconds: float | None = None) -> IntegerGame:
    game = categorical_only()
    return integer_game(
        replace(game, rules=replace(game.rules, deadline_offers=offers, deadline_seconds=seconds))
    )


def share(game: IntegerGame, offer: Offer, seat: int) -> float:
    """Return a seat's utility of an offer as a share of its range, to three digits."""
    low, high = game.utility_range(game.game.seats[seat])
    return round((game.integer_points(offer)[seat] - low) / (high - low), 3)


def test_a_curve_has_the_latest_proposal_at_the_end_of_each_twentieth() -> None:
    game = exact(seconds=100)
    sent = [("human", RED, 4.0), ("agent", BLUE, 5.0), ("human", BLUE, 12.0)]

    human, agent = utility_curves(game, sent, 30.0)

    assert human.own == tuple(share(game, offer, 0) for offer in (RED, RED, BLUE, BLUE, BLUE, BLUE))
    assert human.other == tuple(share(game, offer, 1) for offer in (RED, RED, BLUE, BLUE, BLUE, BLUE))
    assert agent.own == (share(game, BLUE, 1),) * 6


def test_with_a_deadline_of_offers_the_progress_is_that_of_the_offers() -> None:
    game = exact(offers=40, seconds=10_000)
    sent = [("human" if i % 2 == 0 else "agent", RED if i < 4 else BLUE, 1.0) for i in range(6)]

    human, agent = utility_curves(game, sent, 2.0)

    assert human.own == tuple(share(game, offer, 0) for offer in (RED, RED, BLUE))
    assert agent.other == tuple(share(game, offer, 0) for offer in (RED, RED, BLUE))


def test_a_partial_offer_keeps_the_earlier_terms_of_its_seat() -> None:
    game = exact(seconds=100)
    sent = [("human", Offer({"colour": "red"}), 1.0), ("human", Offer({"size": "small"}), 7.0)]

    human, agent = utility_curves(game, sent, 10.0)

    assert human.own == (None, share(game, BLUE, 0))
    assert agent.own == (None, None)


@pytest.mark.parametrize("ended_at", [100.0, 250.0])
def test_a_game_that_reaches_its_deadline_has_every_twentieth(ended_at: float) -> None:
    human, _ = utility_curves(exact(seconds=100), [("human", RED, 100.0)], ended_at)

    assert human.own == (None,) * (CURVE_STEPS - 1) + (share(exact(), RED, 0),)


def test_a_band_has_the_games_that_still_run() -> None:
    low = UtilityCurve((0.25, 0.5), (1.0, 1.0))
    high = UtilityCurve((None, 1.0, 0.75), (None, 0.0, 0.5))
    game = replace(played("ann", "bob", (0.5, 0.5)), curves=(low, high))

    bands = utility_bands(
        [game, replace(game, agents=("bob", "bob"), game="pie"), played("ann", "bob", (0, 0))]
    )

    bob = [band for band in bands if band.agent == "bob"]
    assert [(band.progress, band.games) for band in bob] == [(0.05, 1), (0.1, 3), (0.15, 2)]
    assert bob[1].own_mean == pytest.approx(2.5 / 3)
    assert [bob[1].own_low, bob[1].own_high] == pytest.approx([0.6, 1.0])
    assert [(band.game, band.progress) for band in utility_bands([game], by_game=True)] == [
        *(("cake", progress) for progress in (0.05, 0.1)),
        *(("cake", progress) for progress in (0.1, 0.15)),
    ]
