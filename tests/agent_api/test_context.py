"""Points, visibility and offers in an agent's context."""

from __future__ import annotations

from typing import Any

import pytest

from negoplatform.agent_api.bids import Bids
from negoplatform.domain.errors import NotVisible, OfferError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.testing import TrialTable
from tests.games import burdens, categorical_only, coins_only, make_game, three_seats

# Visibility of preferences


def test_public_preferences_answer(game: GameSpec) -> None:
    table = TrialTable(game)
    table.human.offers(bananas=(3, 1), grain=(1, 4), wood=(2, 1), spices=(1, 2))
    ctx = table.context("agent")

    assert ctx.opponent_preferences_visible
    assert ctx.get_opponent_utility() == 4 * 3 + 3 * 1 + 2 * 2 + 1 * 1
    assert ctx.get_agent_utility() == 1 * 1 + 2 * 4 + 3 * 1 + 4 * 2


def test_private_preferences_raise_not_visible_and_name_the_setting(game: GameSpec) -> None:
    table = TrialTable(game)
    table.start()
    ctx = table.context("human")

    assert not ctx.opponent_preferences_visible
    with pytest.raises(NotVisible, match=r"seats\.agent\.visibility\.preferences to public"):
        ctx.get_opponent_utility()


def test_what_a_game_does_not_declare_is_its_owners(practice: GameSpec) -> None:
    table = TrialTable(practice)

    for seat in ("human", "agent"):
        with pytest.raises(NotVisible):
            table.context(seat).get_opponent_utility()


def test_of_three_seats_one_has_to_say_whose_points() -> None:
    table = TrialTable(three_seats())
    ctx = table.context("red")

    with pytest.raises(NotVisible, match="Say whose points: there are green, blue"):
        ctx.get_opponent_utility()


def test_of_three_seats_those_answer_whose_preferences_are_public() -> None:
    points = {"coins": [0, 1, 2, 3, 4]}
    from tests.games import COINS

    game = make_game(dict.fromkeys(("a", "b", "c"), points), issues=(COINS,), visible=("b",))
    ctx = TrialTable(game).context("a")
    offer = ctx.make_offer(coins=(1, 2, 1))

    assert ctx.get_opponent_utility(offer, "b") == 2
    assert not ctx.opponent_preferences_visible
    with pytest.raises(NotVisible, match=r"seats\.c\.visibility"):
        ctx.get_opponent_utility(offer, "c")


@pytest.mark.parametrize("seat", ["human", "agent"])
def test_the_contexts_game_has_no_others_preferences_even_where_they_are_public(
    game: GameSpec, seat: str
) -> None:
    seen = TrialTable(game).context(seat).game

    assert list(seen.preferences) == [seat]
    assert list(seen.stories) == [seat]
    assert (seen.issues, seen.rules, seen.seats) == (game.issues, game.rules, game.seats)


# Shares of the possible


def test_the_percentage_is_zero_at_the_worst_and_one_at_the_best(game: GameSpec) -> None:
    ctx = TrialTable(game).context("agent")
    nothing, everything = (
        ctx.make_offer(bananas=0, grain=0, wood=0, spices=0),
        ctx.make_offer(bananas=4, grain=5, wood=3, spices=3),
    )

    assert ctx.get_agent_utility_percent(nothing) == 0.0
    assert ctx.get_agent_utility_percent(everything) == 1.0


def test_the_percentage_is_the_share_of_the_way_from_the_worst_to_the_best() -> None:
    ctx = TrialTable(burdens()).context("human")

    shares = [ctx.get_agent_utility_percent(ctx.make_offer(chores=units)) for units in range(11)]

    assert shares == pytest.approx([1 - units / 10 for units in range(11)])


def test_the_percentage_of_every_complete_outcome_is_between_zero_and_one() -> None:
    for game in (burdens(), categorical_only(), three_seats(), coins_only()):
        for seat in game.seats:
            ctx = TrialTable(game).context(seat)
            shares = [ctx.get_agent_utility_percent(outcome) for outcome in ctx.outcomes()]
            assert (min(shares), max(shares)) == (0.0, 1.0)


def test_the_percentage_of_a_partial_offer_is_clamped() -> None:
    ctx = TrialTable(burdens()).context("human")

    # Nothing is decided, so nothing costs points yet: 0, which is the best complete outcome too.
    assert ctx.get_agent_utility_percent(Offer()) == 1.0
    owed = make_game(
        {"human": {"coins": [5, 6, 7, 8, 9]}, "agent": {"coins": [0, 1, 2, 3, 4]}},
        issues=coins_only().issues,
    )
    assert TrialTable(owed).context("human").get_agent_utility_percent(Offer()) == 0.0


def test_where_every_outcome_is_worth_the_same_the_percentage_is_one() -> None:
    flat = make_game(
        {"human": {"coins": [3] * 5}, "agent": {"coins": [0, 1, 2, 3, 4]}}, issues=coins_only().issues
    )
    ctx = TrialTable(flat).context("human")

    assert ctx.get_agent_utility_percent(ctx.make_offer(coins=2)) == 1.0


def test_what_is_undecided_counts_nothing(game: GameSpec) -> None:
    ctx = TrialTable(game).context("human")

    assert ctx.utility(ctx.make_offer(bananas={"human": 2})) == 8
    assert ctx.utility(ctx.make_offer(bananas={})) == 0
    assert ctx.utility(Offer()) == 0


def test_negative_points_are_ordinary() -> None:
    ctx = TrialTable(burdens()).context("human")

    assert ctx.utility(ctx.make_offer(chores=7)) == -21
    assert ctx.reservation_value == -18


def test_an_offer_that_does_not_fit_the_game_has_no_points(game: GameSpec) -> None:
    ctx = TrialTable(game).context("human")

    with pytest.raises(OfferError, match="no issue 'gold'"):
        ctx.utility(Offer({"gold": "all"}))


# make_offer


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        (3, Allocation({"human": 1, "agent": 3})),
        ((1, 3), Allocation({"human": 1, "agent": 3})),
        ((1, 2), Allocation({"human": 1, "agent": 2}, 1)),
        ({"human": 2}, Allocation({"human": 2}, 2)),
        ({}, Allocation({}, 4)),
        (Allocation({"agent": 4}), Allocation({"agent": 4})),
    ],
)
def test_units_can_be_said_in_several_ways(game: GameSpec, spec: Any, expected: Allocation) -> None:
    offer = TrialTable(game).context("agent").make_offer(bananas=spec)

    assert offer.get("bananas") == expected


@pytest.mark.parametrize(
    ("terms", "reason"),
    [
        ({"gold": 1}, "no issue 'gold'"),
        ({"bananas": (3, 3)}, "6 units are given away, but there are 4"),
        ({"bananas": "many"}, "says no units"),
        ({"bananas": (1, 2, 3)}, "says no units"),
        ({"bananas": -1}, "there are 0 to 4 units to give, not -1"),
        ({"bananas": 5}, "there are 0 to 4 units to give, not 5"),
        ({"bananas": {"ghost": 1}}, "there is no seat 'ghost'"),
        ({"bananas": (1.5, 2)}, "whole numbers from 0 up"),
    ],
)
def test_terms_that_do_not_fit_are_refused_with_a_sentence(
    game: GameSpec, terms: dict[str, Any], reason: str
) -> None:
    with pytest.raises(OfferError, match=reason):
        TrialTable(game).context("agent").make_offer(terms)


def test_a_value_has_to_be_one_of_the_issues() -> None:
    ctx = TrialTable(categorical_only()).context("agent")

    assert ctx.make_offer(colour="red").get("colour") == "red"
    with pytest.raises(OfferError, match="colour is one of red, green, blue; not 'pink'"):
        ctx.make_offer(colour="pink")


def test_with_three_seats_a_number_decides_ones_own_units_only() -> None:
    ctx = TrialTable(three_seats()).context("green")

    assert ctx.make_offer(coins=1).get("coins") == Allocation({"green": 1}, 3)


def test_an_issue_with_none_is_left_out(game: GameSpec) -> None:
    ctx = TrialTable(game).context("agent")

    assert list(ctx.make_offer({"bananas": 1, "grain": None}, wood=2)) == ["bananas", "wood"]


def test_bids_with_equal_points_come_in_the_order_of_their_texts(table: TrialTable) -> None:
    ctx = table.context("agent")
    bids = Bids(ctx)

    listed = list(bids.downwards(bids.lowest))[::-1]

    assert listed == sorted(ctx.outcomes(), key=lambda offer: (ctx.utility(offer), repr(offer)))
