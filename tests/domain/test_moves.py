"""Moves: classes of steps, and what sequences of them say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negoplatform.domain.errors import NegoError
from negoplatform.domain.exact import WholeGame, whole_game
from negoplatform.domain.issue import CategoricalIssue, QuantityIssue
from negoplatform.domain.moves import (
    Step,
    awareness,
    count_steps,
    move_correlation,
    moves,
    proposals,
    sensitivity,
    step_class,
)
from negoplatform.domain.offer import Allocation, Offer
from tests.games import categorical_only, make_game, three_seats

TOWARDS, AWAY = Step.CONCESSION, Step.SELFISH


@pytest.mark.parametrize(
    ("own", "other", "step"),
    [
        (1, 1, Step.FORTUNATE),
        (1, 0, Step.SELFISH),
        (1, -1, Step.SELFISH),
        (-1, 0, Step.CONCESSION),
        (-1, 1, Step.CONCESSION),
        (-1, -1, Step.UNFORTUNATE),
        (0, -1, Step.UNFORTUNATE),
        (0, 1, Step.NICE),
        (0, 0, Step.SILENT),
    ],
)
def test_every_step_has_its_class(own: int, other: int, step: Step) -> None:
    assert step_class(own, other) is step


@pytest.mark.parametrize(
    ("own", "other", "step"),
    [
        (0.02, -0.02, Step.SILENT),
        (-0.02, 0.1, Step.NICE),
        (-0.02, 0.03, Step.NICE),
        (0.02, -0.1, Step.SELFISH),
        (-0.02, -0.1, Step.UNFORTUNATE),
        (-0.03, 0.02, Step.CONCESSION),
        (0.03, 0.01, Step.FORTUNATE),
    ],
)
def test_with_a_threshold_small_changes_count_as_none(own: float, other: float, step: Step) -> None:
    assert step_class(own, other, 0.03, 0.03) is step


@given(st.integers(-3, 3), st.integers(-3, 3))
def test_no_step_is_of_two_minds(own: int, other: int) -> None:
    good = {Step.FORTUNATE, Step.NICE, Step.CONCESSION}

    assert (step_class(own, other) in good) == (other > 0 or (other == 0 and own < 0))


def goods() -> WholeGame:
    """Ten coins, worth 0.1 each to both, and a colour that only the agent cares about."""
    coins, colour = QuantityIssue("coins", 10), CategoricalIssue("colour", ("red", "blue"))
    tenths = [units / 10 for units in range(11)]
    tables: dict[str, Any] = {
        "human": {"coins": tenths, "colour": {"red": 0, "blue": 0}},
        "agent": {"coins": tenths, "colour": {"red": 0, "blue": 0.2}},
    }
    return whole_game(make_game(tables, issues=(coins, colour)))


def coins(human: int, colour: str | None = None) -> Offer:
    terms = {"coins": Allocation({"human": human, "agent": 10 - human})}
    return Offer({**terms, "colour": colour} if colour else terms)


def steps_of(seat: str, offers: Sequence[tuple[str, Offer]], threshold: float = 0) -> list[Step]:
    return [move.step for move in moves(goods(), offers, threshold)[seat]]


def test_steps_are_those_between_a_seats_own_offers() -> None:
    offers = [
        ("human", coins(9, "red")),
        ("agent", coins(1, "blue")),
        ("human", coins(8, "red")),
        ("agent", coins(0, "blue")),
        ("human", coins(8, "blue")),
    ]

    assert steps_of("human", offers) == [Step.CONCESSION, Step.NICE]
    assert steps_of("agent", offers) == [Step.SELFISH]


def test_decimal_points_leave_no_noise_in_a_step() -> None:
    # 0.1 + 0.2 for the agent before, 0.3 after: the same.
    offers = [("agent", coins(9, "blue")), ("agent", coins(7, "red"))]

    (move,) = moves(goods(), offers)["agent"]

    assert (move.own, move.other, move.step) == (0, -2, Step.UNFORTUNATE)


def test_a_partial_offer_moves_only_its_own_issues() -> None:
    offers = [("human", coins(9, "red")), ("human", coins(8)), ("human", Offer({"colour": "blue"}))]

    assert steps_of("human", offers) == [Step.CONCESSION, Step.NICE]
    assert proposals(goods(), offers)["human"][-1] == coins(8, "blue")


def test_steps_begin_when_a_proposal_decides_everything() -> None:
    undecided = Offer({"coins": Allocation({"human": 4}, undecided=6), "colour": "red"})
    offers = [("human", coins(9)), ("human", undecided), ("human", coins(9, "red")), ("human", coins(8))]

    assert steps_of("human", offers) == [Step.CONCESSION]


def test_a_threshold_is_a_share_of_what_points_range_over() -> None:
    offers = [("human", coins(9, "red")), ("human", coins(8, "red"))]

    assert steps_of("human", offers, threshold=0.1) == [Step.CONCESSION]
    assert steps_of("human", offers, threshold=0.11) == [Step.SILENT]


def test_steps_need_two_seats() -> None:
    with pytest.raises(NegoError, match="between two seats; made_up has 3"):
        moves(whole_game(three_seats()), [])


def test_a_seat_that_never_moved_has_no_steps() -> None:
    found = moves(whole_game(categorical_only()), [])

    assert found["human"] == found["agent"] == ()


def test_all_six_classes_are_counted() -> None:
    counts = count_steps([Step.NICE, Step.NICE, Step.SILENT])

    assert list(counts) == list(Step)
    assert (counts[Step.NICE], counts[Step.SILENT], counts[Step.SELFISH]) == (2, 1, 0)


def test_sensitivity_is_steps_towards_the_other_side_per_other_step() -> None:
    assert sensitivity([Step.CONCESSION, Step.NICE, Step.FORTUNATE, Step.SILENT]) == 3
    assert sensitivity([Step.SELFISH, Step.UNFORTUNATE, Step.CONCESSION]) == 0.5
    assert sensitivity([Step.CONCESSION]) is None
    assert sensitivity([]) is None


def test_awareness_is_the_share_of_turns_that_the_other_side_meets_with_one() -> None:
    own = [TOWARDS, AWAY, TOWARDS, TOWARDS, AWAY]
    other = [AWAY, TOWARDS, AWAY, TOWARDS, TOWARDS, AWAY]

    assert awareness(own, other) == 2 / 3
    assert awareness([TOWARDS, TOWARDS], other) is None


def test_moves_correlate_where_both_sides_turn_the_same_way() -> None:
    own = [TOWARDS, AWAY, TOWARDS]

    assert move_correlation(own, own) == 1
    assert move_correlation(own, [AWAY, TOWARDS, AWAY]) == -1
    assert move_correlation(own, [AWAY, AWAY, TOWARDS]) == 0.5
    assert move_correlation([AWAY], own) is None
