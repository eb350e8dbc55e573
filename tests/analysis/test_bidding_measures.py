"""Bidding of seats: steps from proposal to proposal and measures, computed by hand for small games."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negoplatform.analysis.bidding_measures import (
    BiddingMeasures,
    KnownOffers,
    ProposedOffer,
    bidding_measures,
    trace_proposals,
)
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, QuantityIssue
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.solutions.integer_scaling import IntegerGame, integer_game
from negoplatform.domain.step_analysis import StepClass, classify_moved_step, classify_step
from tests.games import make_game, three_seats


def traded() -> GameSpec:
    """Return a game about ten apples, worth more to the human, and four nuts, worth more to the agent."""
    apples, nuts = QuantityIssue("apples", 10), QuantityIssue("nuts", 4)
    tables = {
        "human": {"apples": [6 * n for n in range(11)], "nuts": [10 * n for n in range(5)]},
        "agent": {"apples": [2 * n for n in range(11)], "nuts": [20 * n for n in range(5)]},
    }
    return make_game(tables, issues=(apples, nuts))


def goods(apples: int, nuts: int) -> Offer:
    """Return an offer that gives the human some goods and the agent the rest."""
    return Offer(
        {
            "apples": Allocation({"human": apples, "agent": 10 - apples}),
            "nuts": Allocation({"human": nuts, "agent": 4 - nuts}),
        }
    )


def bids(*offers: Offer, seat: str = "human", every: float = 30.0) -> BiddingMeasures:
    sent = [(seat, offer, i * every) for i, offer in enumerate(offers)]
    return bidding_measures(integer_game(traded()), sent)[seat]


def test_concession_is_the_share_of_its_range_that_a_seat_gave_up() -> None:
    # 100, 90 and 80 of 100 points, within a minute.
    found = bids(goods(10, 4), goods(10, 3), goods(10, 2))

    assert found.concession == pytest.approx(0.2)
    assert found.mean_concession == pytest.approx(0.1)
    assert found.concession_per_minute == pytest.approx(0.2)
    assert found.monotonic == 1


def test_patience_is_the_share_of_proposals_before_the_first_drop() -> None:
    assert bids(goods(10, 4), goods(10, 4), goods(10, 3), goods(10, 3)).patience == 0.5
    assert bids(goods(10, 3), goods(10, 4)).patience == 1


def test_a_demand_that_rises_again_is_not_monotonic() -> None:
    found = bids(goods(10, 4), goods(10, 3), goods(10, 4), goods(10, 4))

    assert found.monotonic == 2 / 3
    assert found.concession == 0


def test_exploration_counts_different_proposals() -> None:
    found = bids(goods(10, 4), goods(10, 3), goods(10, 4), goods(10, 3))

    assert found.unique == 2
    assert found.novelty == 0.5
    assert found.explored == 2 / 55


def test_coupling_is_what_the_other_side_gained_per_what_the_seat_moved() -> None:
    # A nut costs the human 10 of 100 and gives the agent 20 of 100.
    assert bids(goods(10, 4), goods(10, 3)).coupling == 2
    # Taking it back moves the human as far and gives the agent nothing.
    assert bids(goods(10, 4), goods(10, 3), goods(10, 4)).coupling == 1
    assert bids(goods(10, 4), goods(10, 4)).coupling is None


def test_logrolling_gives_at_the_lighter_issue_and_takes_at_the_heavier() -> None:
    # Apples range over 60 points for the human, nuts over 40.
    assert bids(goods(5, 4), goods(8, 1)).logrolling == 1
    assert bids(goods(8, 1), goods(5, 4)).logrolling == 0
    assert bids(goods(8, 4), goods(7, 3)).logrolling == 0
    assert bids(goods(5, 4), goods(8, 4)).logrolling == 0


def test_a_step_may_change_several_issues() -> None:
    assert bids(goods(5, 4), goods(8, 1), goods(8, 0)).several_issues == 1


def test_a_seat_that_sent_nothing_has_no_concession() -> None:
    found = bidding_measures(integer_game(traded()), [("human", goods(5, 2), 3.0)])

    assert found["agent"].concession is found["agent"].patience is found["agent"].novelty is None
    assert found["human"].concession == 0
    assert found["human"].mean_concession is found["human"].concession_per_minute is None


def test_partial_offers_count_as_sent_and_complete_a_proposal_together() -> None:
    apples = Offer({"apples": Allocation({"human": 6, "agent": 4})})
    nuts = Offer({"nuts": Allocation({"human": 2, "agent": 2})})

    first, second, third = trace_proposals(
        integer_game(traded()), [("human", apples, 1), ("human", nuts, 2), ("human", goods(6, 1), 3)]
    )

    assert first is None
    assert second is not None
    assert (second.offer, second.step) == (goods(6, 2), None)
    assert third is not None
    assert third.step is StepClass.CONCESSION
    assert bids(apples, nuts).offers == 2
    assert bids(apples, nuts).proposals == 1


# Steps


def tenths() -> IntegerGame:
    """Return a game about ten coins, 0.1 points each for both, and a colour that only the agent values."""
    each = [units / 10 for units in range(11)]
    tables: dict[str, Any] = {
        "human": {"coins": each, "colour": {"red": 0, "blue": 0}},
        "agent": {"coins": each, "colour": {"red": 0, "blue": 0.2}},
    }
    issues = QuantityIssue("coins", 10), CategoricalIssue("colour", ("red", "blue"))
    return integer_game(make_game(tables, issues=issues))


def coins(human: int, colour: str | None = None) -> Offer:
    terms = {"coins": Allocation({"human": human, "agent": 10 - human})}
    return Offer({**terms, "colour": colour} if colour else terms)


def followed(exact: IntegerGame, *offers: tuple[str, Offer]) -> list[ProposedOffer | None]:
    return trace_proposals(exact, [(seat, offer, float(t)) for t, (seat, offer) in enumerate(offers)])


def steps_of(seat: str, *offers: tuple[str, Offer]) -> list[StepClass | None]:
    """Return the steps that led to a seat's proposals; None for its first."""
    return [made.step for made in followed(tenths(), *offers) if made is not None and made.seat == seat]


def test_steps_are_those_between_a_seats_own_offers() -> None:
    offers = [
        ("human", coins(9, "red")),
        ("agent", coins(1, "blue")),
        ("human", coins(8, "red")),
        ("agent", coins(0, "blue")),
        ("human", coins(8, "blue")),
    ]

    assert steps_of("human", *offers) == [None, StepClass.CONCESSION, StepClass.NICE]
    assert steps_of("agent", *offers) == [None, StepClass.SELFISH]


def test_decimal_points_leave_no_noise_in_a_step() -> None:
    # 0.1 + 0.2 for the agent before, 0.3 after: the same.
    offers = ("agent", coins(9, "blue")), ("agent", coins(7, "red"))

    assert steps_of("agent", *offers) == [None, StepClass.UNFORTUNATE]


def test_a_partial_offer_moves_only_its_own_issues() -> None:
    offers = ("human", coins(9, "red")), ("human", coins(8)), ("human", Offer({"colour": "blue"}))

    last = followed(tenths(), *offers)[-1]

    assert steps_of("human", *offers) == [None, StepClass.CONCESSION, StepClass.NICE]
    assert last is not None
    assert last.offer == coins(8, "blue")


def test_steps_begin_when_a_proposal_decides_everything() -> None:
    undecided = Offer({"coins": Allocation({"human": 4}, undecided=6), "colour": "red"})
    offers = ("human", coins(9)), ("human", undecided), ("human", coins(9, "red")), ("human", coins(8))

    assert followed(tenths(), *offers)[:2] == [None, None]
    assert steps_of("human", *offers) == [None, StepClass.CONCESSION]


def hundred() -> IntegerGame:
    """Return a game about a number from 0 to 100, as many points for human, and the rest for agent."""
    tables: dict[str, Any] = {
        "human": {"coins": list(range(101))},
        "agent": {"coins": list(range(101))},
    }
    return integer_game(make_game(tables, issues=(QuantityIssue("coins", 100),)))


def test_only_steps_of_three_per_cent_count_as_moved() -> None:
    demands = [100, 97, 97, 95, 98, 96]
    sent = [
        ("human", Offer({"coins": Allocation({"human": n, "agent": 100 - n})}), float(t))
        for t, n in enumerate(demands)
    ]

    found = bidding_measures(hundred(), sent)["human"]

    # By 3 and 3 per cent; the steps of 0, 2 and 2 moved nothing.
    assert found.moved_steps == {
        **dict.fromkeys(StepClass, 0),
        StepClass.CONCESSION: 1,
        StepClass.SELFISH: 1,
    }
    assert found.steps is not None
    assert (found.steps[StepClass.CONCESSION], found.steps[StepClass.SILENT]) == (3, 1)


@pytest.mark.parametrize(
    ("own", "other", "step"),
    [
        (0, 0, StepClass.SILENT),
        (2, -2, StepClass.SILENT),
        (2, 3, StepClass.NICE),
        (-2, 3, StepClass.NICE),
        (3, 1, StepClass.FORTUNATE),
        (3, -3, StepClass.SELFISH),
        (-3, 0, StepClass.CONCESSION),
        (-2, -3, StepClass.UNFORTUNATE),
    ],
)
def test_moved_steps_have_the_threshold_of_negolog(own: int, other: int, step: StepClass) -> None:
    assert classify_moved_step(own, other, 100, 100) is step


def test_among_three_seats_there_are_proposals_and_no_steps() -> None:
    first, second = islice(three_seats().outcomes(), 2)

    made = followed(integer_game(three_seats()), ("green", first), ("green", second))

    assert [proposal and (proposal.offer, proposal.step) for proposal in made] == [
        (first, None),
        (second, None),
    ]


OFFERS = st.lists(
    st.tuples(st.sampled_from(["human", "agent"]), st.integers(0, 10), st.integers(0, 4), st.booleans()),
    max_size=12,
)


@given(OFFERS)
def test_a_proposal_is_all_that_its_seat_said_and_a_step_leads_there_from_the_one_before(
    drawn: list[tuple[str, int, int, bool]],
) -> None:
    game = traded()
    offers = [
        (seat, goods(apples, nuts) if whole else Offer({"nuts": goods(0, nuts).get("nuts") or ""}))
        for seat, apples, nuts, whole in drawn
    ]

    made = followed(integer_game(game), *offers)

    before: dict[str, list[float]] = {}
    for i, (seat, _) in enumerate(offers):
        said = Offer({n: term for other, o in offers[: i + 1] if other == seat for n, term in o.terms})
        proposal = made[i]
        assert (proposal is not None) == game.is_complete(said)
        if proposal is None:
            continue
        assert proposal.offer == said
        seats = (seat, *game.others(seat))
        worth = [game.preferences[other].utility(said) for other in seats]
        old = before.get(seat)
        assert proposal.step == (old and classify_step(worth[0] - old[0], worth[1] - old[1]))
        before[seat] = worth


def test_measures_are_the_same_with_offers_that_earlier_games_have_had() -> None:
    exact = integer_game(traded())
    known = KnownOffers(exact)
    games = [
        [("human", goods(5, 2), 1.0), ("agent", goods(4, 2), 2.0), ("human", goods(4, 2), 3.0)],
        [("human", goods(4, 2), 1.0), ("human", goods(5, 2), 2.0), ("human", goods(4, 2), 4.0)],
        [("agent", goods(5, 2), 1.0), ("agent", goods(4, 2), 2.0), ("human", goods(4, 2), 3.0)],
    ]

    together = [bidding_measures(exact, sent, known) for sent in games]

    assert together == [bidding_measures(exact, sent) for sent in games]
