"""Deals that would have been better for both sides."""

from __future__ import annotations

from pathlib import Path

import pytest

from negoplatform.app.catalogue.catalogue import find_game
from negoplatform.app.session.unused_joint_gains import ParetoImprovement, find_pareto_improvement
from negoplatform.core.events import EndedBy, Ending
from negoplatform.domain.agreement_rules import Outvoted, Quota
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Allocation, Offer, Term
from tests.games import coins_only, three_seats

NOWHERE = Path("no such folder")


def units(mine: int, theirs: int) -> Allocation:
    return Allocation({"human": mine, "agent": theirs})


def agreed(**terms: Term) -> Ending:
    return Ending(EndedBy.AGREEMENT, deal=Offer(terms), deal_id=1)


@pytest.fixture
def land() -> GameSpec:
    """Game land_sale, whose issues interact."""
    return find_game("land_sale", NOWHERE)


def test_a_deal_that_both_could_have_improved(game: GameSpec) -> None:
    even = agreed(bananas=units(2, 2), grain=units(3, 2), wood=units(1, 2), spices=units(1, 2))

    left = find_pareto_improvement(game, even)

    assert left is not None
    assert left.for_all
    assert left.deal is not None
    for seat in game.seats:
        utility = game.preferences[seat].utility
        assert utility(left.deal) > utility(even.deal or Offer())


def test_a_deal_on_the_frontier_leaves_nothing(game: GameSpec) -> None:
    best = agreed(bananas=units(4, 0), grain=units(5, 0), wood=units(0, 3), spices=units(0, 3))

    assert find_pareto_improvement(game, best) == ParetoImprovement()


def test_a_deal_that_only_one_could_have_improved_is_told_apart() -> None:
    game = coins_only()
    wasted = Ending(EndedBy.AGREEMENT, deal=Offer({"coins": Allocation({"human": 2, "agent": 1}, 1)}))

    left = find_pareto_improvement(game, wasted)

    assert left is not None
    assert left.deal is not None
    assert not left.for_all  # the coin that neither side took can go to one of them


@pytest.mark.parametrize("ended_by", [EndedBy.TIMEOUT, EndedBy.QUIT])
def test_no_deal_is_compared_with_what_it_pays(game: GameSpec, ended_by: EndedBy) -> None:
    left = find_pareto_improvement(game, Ending(ended_by))

    assert left is not None
    assert left.for_all


def test_an_early_end_is_compared_with_nothing(game: GameSpec) -> None:
    assert find_pareto_improvement(game, Ending(EndedBy.ABORTED)) is None


def test_issues_that_interact_are_looked_at_together(land: GameSpec) -> None:
    poor = agreed(price=150_000, handover="In spring", clearing="Seller clears")

    left = find_pareto_improvement(land, poor)

    assert left is not None
    assert left.for_all


def test_of_too_many_outcomes_nothing_is_told(land: GameSpec, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("negoplatform.app.session.unused_joint_gains.MOST_OUTCOMES", 100)

    assert find_pareto_improvement(land, Ending(EndedBy.TIMEOUT)) is None


def test_a_seat_that_is_left_out_of_a_deal_is_compared_with_what_it_gets() -> None:
    deal = Offer({"coins": Allocation({"red": 2, "green": 2}), "colour": "blue"})
    ending = Ending(EndedBy.AGREEMENT, deal=deal, deal_id=1, signed_by=("red", "green"))
    game = three_seats(agreement=Quota(2))
    without_blue = three_seats(agreement=Quota(2), outvoted=Outvoted.LEFT_OUT)

    of_all, of_two = (find_pareto_improvement(each, ending) for each in (game, without_blue))

    assert of_all == ParetoImprovement()
    assert of_two is not None
    assert of_two.deal is not None
    # Blue gets one point, and not the three of its colour.
    worth = [game.preferences[seat].utility(of_two.deal) for seat in game.seats]
    assert worth != [4, 4, 1]
    assert all(now >= before for now, before in zip(worth, [4, 4, 1], strict=True))
