"""Steps: their classes, and measures of their sequences."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negoplatform.domain.step_analysis import (
    StepClass,
    awareness,
    classify_step,
    count_steps,
    direction_changes,
    move_correlation,
    sensitivity,
)

TOWARDS, AWAY = StepClass.CONCESSION, StepClass.SELFISH


@pytest.mark.parametrize(
    ("own", "other", "step"),
    [
        (1, 1, StepClass.FORTUNATE),
        (1, 0, StepClass.SELFISH),
        (1, -1, StepClass.SELFISH),
        (-1, 0, StepClass.CONCESSION),
        (-1, 1, StepClass.CONCESSION),
        (-1, -1, StepClass.UNFORTUNATE),
        (0, -1, StepClass.UNFORTUNATE),
        (0, 1, StepClass.NICE),
        (0, 0, StepClass.SILENT),
    ],
)
def test_every_step_has_its_class(own: int, other: int, step: StepClass) -> None:
    assert classify_step(own, other) is step


@pytest.mark.parametrize(
    ("own", "other", "step"),
    [
        (0.02, -0.02, StepClass.SILENT),
        (-0.02, 0.1, StepClass.NICE),
        (-0.02, 0.03, StepClass.NICE),
        (0.02, -0.1, StepClass.SELFISH),
        (-0.02, -0.1, StepClass.UNFORTUNATE),
        (-0.03, 0.02, StepClass.CONCESSION),
        (0.03, 0.01, StepClass.FORTUNATE),
    ],
)
def test_with_a_threshold_small_changes_count_as_none(own: float, other: float, step: StepClass) -> None:
    assert classify_step(own, other, 0.03, 0.03) is step


@given(st.integers(-3, 3), st.integers(-3, 3))
def test_no_step_is_of_two_minds(own: int, other: int) -> None:
    good = {StepClass.FORTUNATE, StepClass.NICE, StepClass.CONCESSION}

    assert (classify_step(own, other) in good) == (other > 0 or (other == 0 and own < 0))


def test_all_six_classes_are_counted() -> None:
    counts = count_steps([StepClass.NICE, StepClass.NICE, StepClass.SILENT])

    assert list(counts) == list(StepClass)
    assert (counts[StepClass.NICE], counts[StepClass.SILENT], counts[StepClass.SELFISH]) == (2, 1, 0)


def test_sensitivity_is_steps_towards_the_other_side_per_other_step() -> None:
    assert sensitivity([StepClass.CONCESSION, StepClass.NICE, StepClass.FORTUNATE, StepClass.SILENT]) == 3
    assert sensitivity([StepClass.SELFISH, StepClass.UNFORTUNATE, StepClass.CONCESSION]) == 0.5
    assert sensitivity([StepClass.CONCESSION]) is None
    assert sensitivity([]) is None


def test_awareness_is_the_share_of_turns_that_the_other_side_meets_with_one() -> None:
    own = [TOWARDS, AWAY, TOWARDS, TOWARDS, AWAY]
    other = [AWAY, TOWARDS, AWAY, TOWARDS, TOWARDS, AWAY]

    assert awareness(*direction_changes(own, other)) == 2 / 3
    assert awareness(*direction_changes([TOWARDS, TOWARDS], other)) is None


def test_moves_correlate_where_both_sides_turn_the_same_way() -> None:
    own = [TOWARDS, AWAY, TOWARDS]
    others = (own, [AWAY, TOWARDS, AWAY], [AWAY, AWAY, TOWARDS])

    found = [move_correlation(*direction_changes(own, other)) for other in others]

    assert found == [1, -1, 0.5]
    assert move_correlation(*direction_changes([AWAY], own)) is None
