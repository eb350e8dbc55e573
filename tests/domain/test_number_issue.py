"""Number issues: every number of a range, exactly."""

from __future__ import annotations

import pickle

import pytest

from negoplatform.domain.errors import OfferError
from negoplatform.domain.game import GameSpec, Preferences
from negoplatform.domain.issue import NumberIssue
from negoplatform.domain.offer import Allocation, Number, Offer
from negoplatform.domain.seat_map import SeatMap
from negoplatform.domain.utility import AdditiveUtility

SEATS = ("human", "agent")


def rent_game(rent: NumberIssue) -> GameSpec:
    """Return a game about one number, which one seat prefers high and the other low."""
    tables = {
        "human": {n: -i for i, n in enumerate(rent.values)},
        "agent": {n: i for i, n in enumerate(rent.values)},
    }
    return GameSpec(
        name="rent",
        issues=(rent,),
        seats=SEATS,
        preferences=SeatMap(
            (seat, Preferences(AdditiveUtility(seat, {rent.name: table}), 0))
            for seat, table in tables.items()
        ),
    )


@pytest.mark.parametrize(
    ("issue", "numbers"),
    [
        (NumberIssue("rent", 400, 600, 50), [400, 450, 500, 550, 600]),
        (NumberIssue("rate", 0, 0.5, 0.1), [0, 0.1, 0.2, 0.3, 0.4, 0.5]),
        (NumberIssue("change", -0.3, 0.3, 0.15), [-0.3, -0.15, 0, 0.15, 0.3]),
        (NumberIssue("fixed", 7, 7), [7]),
        (NumberIssue("days", 1, 3), [1, 2, 3]),
    ],
    ids=lambda case: getattr(case, "name", ""),
)
def test_the_numbers_go_from_the_lowest_to_the_highest_in_exact_steps(
    issue: NumberIssue, numbers: list[Number]
) -> None:
    assert list(issue.values) == numbers
    assert list(issue.terms(SEATS)) == numbers
    assert issue.count(SEATS) == len(numbers)


def test_whole_numbers_of_a_range_with_fractions_stay_whole() -> None:
    rate = NumberIssue("rate", 0, 1, 0.5)

    assert [type(value) for value in rate.values] == [int, float, int]


@pytest.mark.parametrize(("low", "high", "step"), [(1, 2, 0.3), (2, 1, 1), (0, 1, 0), (0, 1, -1)])
def test_a_range_that_is_no_whole_number_of_steps_is_no_issue(
    low: Number, high: Number, step: Number
) -> None:
    with pytest.raises(ValueError, match="no whole number of steps"):
        NumberIssue("rent", low, high, step)


def test_steps_too_small_to_be_told_apart_are_no_issue() -> None:
    with pytest.raises(ValueError, match="some come out the same"):
        NumberIssue("rent", 999_999_999, 999_999_999.000001, 1e-9)


def test_a_number_issue_survives_the_way_to_another_process_and_has_a_title() -> None:
    rent = NumberIssue("rent", 400, 600, 50, "Monthly rent", "€")

    copy = pickle.loads(pickle.dumps(rent))

    assert copy == rent
    assert copy.values == rent.values
    assert (rent.title, NumberIssue("rent", 1, 2).title) == ("Monthly rent", "rent")


def test_an_offer_holds_a_number_and_equals_one_with_the_same_number() -> None:
    assert Offer({"rent": 450}) == Offer({"rent": 450.0})
    assert hash(Offer({"rent": 450})) == hash(Offer({"rent": 450.0}))
    assert type(Offer({"rent": 450.0}).get("rent")) is int
    assert Offer({"rent": 450}) != Offer({"rent": "450"})


def test_a_float_of_a_class_of_somebody_elses_becomes_a_plain_one() -> None:
    class Odd(float):
        def __repr__(self) -> str:
            return "1e400"

    offer = Offer({"rate": Odd(0.25)})

    assert type(offer.get("rate")) is float
    assert offer == Offer({"rate": 0.25})


@pytest.mark.parametrize(
    "number", [float("nan"), float("inf"), -float("inf"), 10**13, pytest.param(-(10**5000), id="huge")]
)
def test_a_number_that_no_issue_could_have_is_refused(number: Number) -> None:
    with pytest.raises(OfferError, match="lies between minus and plus 1,000,000,000,000"):
        Offer({"rent": number})


@pytest.mark.parametrize("term", [425, 650, -450, "450", "", Allocation({"human": 450})])
def test_only_a_number_of_the_range_fits_the_game(term: Number | str | Allocation) -> None:
    game = rent_game(NumberIssue("rent", 400, 600, 50, "Monthly rent"))

    with pytest.raises(OfferError, match="Monthly rent is a number from 400 to 600 in steps of 50; not"):
        game.check_offer(Offer({"rent": term}))


def test_a_game_counts_and_gives_its_numbers_as_outcomes() -> None:
    game = rent_game(NumberIssue("rent", 0, 0.5, 0.1))

    outcomes = list(game.outcomes())

    assert game.count_outcomes() == len(outcomes) == 6
    assert outcomes[3] == Offer({"rent": 0.3})
    assert [game.preferences["agent"].utility(outcome) for outcome in outcomes] == [0, 1, 2, 3, 4, 5]
    assert all(game.is_complete(outcome) for outcome in outcomes)
    game.check_offer(Offer({"rent": 0.3}))
