"""Offers and allocations: their contents, and that none of these can be changed."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import pytest

from negoplatform.domain.errors import OfferError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import EMPTY_OFFER, Allocation, Offer
from negoplatform.domain.seat_map import SeatMap


def test_an_allocation_adds_up_what_the_seats_get_and_what_is_undecided() -> None:
    bananas = Allocation({"human": 2, "agent": 1}, undecided=1)

    assert bananas.total == 4
    assert not bananas.complete
    assert (bananas.human, bananas.agent, bananas.middle) == (2, 1, 1)


def test_a_seat_that_an_allocation_does_not_name_gets_nothing() -> None:
    bananas = Allocation({"human": 4})

    assert bananas.of("agent") == 0
    assert bananas == Allocation({"human": 4, "agent": 0})
    assert hash(bananas) == hash(Allocation({"agent": 0, "human": 4}))


def test_two_allocations_are_equal_in_whatever_order_they_name_the_seats() -> None:
    one, other = Allocation({"human": 1, "agent": 3}), Allocation({"agent": 3, "human": 1})

    assert one == other
    assert hash(one) == hash(other)
    assert one != Allocation({"human": 3, "agent": 1})
    assert one != Allocation({"human": 1, "agent": 3}, undecided=1)
    assert one != Allocation({"human": 1, "agent": 2}, undecided=1)


def test_two_offers_are_equal_in_whatever_order_they_name_the_issues() -> None:
    one = Offer({"day": "Sunday", "apples": Allocation({"human": 6})})
    other = Offer({"apples": Allocation({"human": 6}), "day": "Sunday"})

    assert one == other
    assert hash(one) == hash(other)
    assert one.terms == other.terms
    assert one != Offer({"day": "Sunday"})


@pytest.mark.parametrize("units", [-1, 1.0, True, "1", None])
def test_units_are_whole_numbers_from_0_up(units: object) -> None:
    with pytest.raises(OfferError, match="whole numbers"):
        Allocation({"human": units})  # type: ignore[arg-type]  # what a careless author writes
    with pytest.raises(OfferError, match="whole numbers"):
        Allocation({"human": 1}, undecided=units)  # type: ignore[arg-type]  # the same


def test_an_allocation_that_names_a_seat_twice_is_refused() -> None:
    with pytest.raises(OfferError, match="twice"):
        Allocation([("human", 1), ("human", 3)])


def test_an_offer_that_names_an_issue_twice_is_refused() -> None:
    with pytest.raises(OfferError, match="'day' twice"):
        Offer([("day", "Sunday"), ("day", "Friday")])


@pytest.mark.parametrize("term", [True, None, ("human", 3), {"human": 3}, [3], 3j, b"Sunday"])
def test_a_term_is_an_allocation_a_value_or_a_number(term: object) -> None:
    with pytest.raises(OfferError, match="needs an Allocation, a value or a number"):
        Offer({"apples": term})  # type: ignore[dict-item]  # what a careless author writes


def change_allocation() -> None:
    Allocation({"human": 1}).undecided = 3


def change_units() -> None:
    Allocation({"human": 1}).units._pairs = (("human", 4),)


def change_offer() -> None:
    Offer({"day": "Sunday"})._terms = ()


def add_to_offer() -> None:
    Offer({"day": "Sunday"}).extra = 1


@pytest.mark.parametrize("change", [change_allocation, change_units, change_offer, add_to_offer])
def test_what_was_offered_cannot_be_changed(change: Callable[[], None]) -> None:
    with pytest.raises(AttributeError):
        change()


def test_an_offer_does_not_follow_the_dictionary_that_it_was_made_from() -> None:
    units = {"human": 1, "agent": 3}
    terms = {"bananas": Allocation(units)}
    offer = Offer(terms)

    units["human"] = 4
    terms.clear()

    assert offer.units("bananas", "human") == 1


def test_an_offer_answers_for_an_issue_that_it_leaves_out() -> None:
    offer = Offer({"day": "Sunday"})

    assert offer.get("apples") is None
    assert "apples" not in offer
    assert offer.units("apples", "human") == 0
    assert (list(offer), len(offer)) == (["day"], 1)
    assert len(EMPTY_OFFER) == 0


def test_an_offer_survives_the_way_to_another_process() -> None:
    offer = Offer({"day": "Sunday", "apples": Allocation({"human": 2, "agent": 3}, undecided=1)})

    assert pickle.loads(pickle.dumps(offer)) == offer


def test_values_by_seat_keep_their_order_and_are_replaced_in_a_copy() -> None:
    points = SeatMap({"buyer": 1, "seller": 2})

    changed = points.with_value("buyer", 5).with_value("broker", 3)

    assert dict(points) == {"buyer": 1, "seller": 2}
    assert list(changed.items()) == [("buyer", 5), ("seller", 2), ("broker", 3)]
    assert changed.restricted_to(["broker", "nobody"]) == SeatMap({"broker": 3})
    with pytest.raises(KeyError):
        points["broker"]


@pytest.mark.parametrize(
    ("terms", "reason"),
    [
        ({}, "The offer is empty"),
        ({"gold": Allocation({"human": 1})}, "no issue 'gold'; it has apples, day"),
        ({"apples": "six"}, "divided in units"),
        ({"day": Allocation({"human": 1})}, "Day is one of Friday, Saturday, Sunday"),
        ({"day": "Monday"}, "not 'Monday'"),
        ({"apples": Allocation({"human": 5})}, "add up to 5, but there are 6"),
        ({"apples": Allocation({"human": 5, "agent": 2})}, "add up to 7, but there are 6"),
        ({"apples": Allocation({"human": 5, "cook": 1})}, "there is no seat 'cook'"),
        ({"apples": Allocation({"human": 10**5000})}, "add up to far more"),
    ],
)
def test_an_offer_that_does_not_fit_the_game_is_refused_with_the_reason(
    practice: GameSpec, terms: dict[str, Allocation | str], reason: str
) -> None:
    with pytest.raises(OfferError, match=reason):
        practice.check_offer(Offer(terms))


def test_an_offer_is_complete_once_every_issue_and_every_unit_is_decided(practice: GameSpec) -> None:
    everything = Offer({"apples": Allocation({"human": 2, "agent": 4}), "day": "Sunday"})
    one_left = Offer({"apples": Allocation({"human": 2, "agent": 3}, undecided=1), "day": "Sunday"})
    no_day = Offer({"apples": Allocation({"human": 2, "agent": 4})})

    complete = [practice.is_complete(offer) for offer in (everything, one_left, no_day, EMPTY_OFFER)]

    assert complete == [True, False, False, False]
