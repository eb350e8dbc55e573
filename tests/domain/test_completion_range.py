"""Utilities that a partial offer can still reach."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Allocation, Offer, Term
from negoplatform.domain.solutions.completion_range import completion_range
from negoplatform.domain.utility import Points
from tests.games import burdens, three_seats
from tests.presentation.rent_game import rent

GAMES = {"interactions": (rent(), "human"), "three": (three_seats(), "red"), "burdens": (burdens(), "agent")}


@st.composite
def partial_offers(draw: st.DrawFn, game: GameSpec) -> Offer:
    """Draw any offer of a game, from nothing decided to everything."""
    terms: dict[str, Term] = {}
    for issue in game.issues:
        if not draw(st.booleans()):
            continue
        term = draw(st.sampled_from([*issue.terms(game.seats)]))
        if isinstance(term, Allocation):
            kept = {seat: draw(st.integers(0, units)) for seat, units in term.units.items()}
            term = Allocation(kept, undecided=term.total - sum(kept.values()))
        terms[issue.name] = term
    return Offer(terms)


def keeps(outcome: Offer, offer: Offer) -> bool:
    """Return whether a complete offer can result from a partial one."""
    for name, term in offer.terms:
        got = outcome.get(name)
        if isinstance(term, Allocation):
            assert isinstance(got, Allocation)
            if any(got.of(seat) < units for seat, units in term.units.items()):
                return False
        elif got != term:
            return False
    return True


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=25)
@given(data=st.data())
def test_the_range_is_that_of_all_outcomes_that_keep_what_is_decided(name: str, data: st.DataObject) -> None:
    game, seat = GAMES[name]
    utility = game.preferences[seat].utility
    offer = data.draw(partial_offers(game))

    points = [utility(outcome) for outcome in game.outcomes() if keeps(outcome, offer)]

    low, high = completion_range(game, utility, offer)
    assert (round(low, 9), round(high, 9)) == (round(min(points), 9), round(max(points), 9))


def test_of_a_utility_that_says_nothing_about_issues_only_the_extremes_are_known() -> None:
    class Whole:
        """Utility of an offer as a whole, not issue by issue."""

        lowest, highest = -3, 9

        def __call__(self, offer: Offer) -> Points:
            return len(offer.terms)

    game = three_seats()
    whole = next(game.outcomes())

    assert completion_range(game, Whole(), Offer({"colour": "red"})) == (-3, 9)
    assert completion_range(game, Whole(), whole) == (2, 2)
