"""Units given by clicks on a column."""

from __future__ import annotations

import pytest

from negoplatform.domain.offer import Allocation
from negoplatform.presentation.bargaining.unit_click_counter import UnitClickCounter

MANY = 9


def clicked(*gaps_ms: int) -> list[int]:
    """Return a side's number of nine units after each click; the first gap is before the first click."""
    clicks, mine, at, counts = UnitClickCounter(), 0, 10_000, []
    for gap in gaps_ms:
        at += gap
        click = clicks.click("mine", at, divided(mine))
        mine = MANY if click.units is None else min(MANY, click.start.of("a") + click.units)
        clicks.record_allocation(divided(mine))
        counts.append(mine)
    return counts


def divided(mine: int) -> Allocation:
    return Allocation({"a": mine}, undecided=MANY - mine)


@pytest.mark.parametrize(
    ("gaps", "counts"),
    [
        pytest.param((0, 500, 500, 500), [1, 2, 3, 4], id="one by one"),
        pytest.param((0, 200), [1, 9], id="a double click gives all"),
        pytest.param((0, 200, 200, 700, 200), [1, 9, 3, 4, 5], id="whoever goes on has counted"),
        pytest.param((0, 400, 200, 200), [1, 2, 3, 4], id="only the first two clicks are a double click"),
        pytest.param((0, 400, 1200, 200), [1, 2, 3, 9], id="after a rest they are again"),
        pytest.param((0, 200, 1200), [1, 9, 9], id="after a rest, one more than all is all"),
    ],
)
def test_clicks_count_and_a_double_click_gives_all(gaps: tuple[int, ...], counts: list[int]) -> None:
    assert clicked(*gaps) == counts


def test_a_double_click_is_on_one_column_that_nothing_else_changes() -> None:
    clicks = UnitClickCounter()

    clicks.click("mine", 0, divided(0))
    clicks.record_allocation(divided(1))
    assert clicks.click("theirs", 100, divided(1)).units == 1
    clicks.record_allocation(divided(0))
    assert clicks.click("theirs", 200, divided(5)).units == 1


def test_a_double_click_is_undone_at_once_and_slow_clicks_one_by_one() -> None:
    clicks, runs = UnitClickCounter(), []
    for at in (0, 200, 400, 5000, 5500):
        runs.append(clicks.click("mine", at, divided(1)).run)
        clicks.record_allocation(divided(1))

    assert runs == [1, 1, 1, 2, None]
