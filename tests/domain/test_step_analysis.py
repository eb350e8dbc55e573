"""Moves: classes of steps, and what sequences of them say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negoplatform.domain.step_analysis import (
    Step,
    awareness,
    count_steps,
    move_correlation,
    sensitivity,
    step_class,
)

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
