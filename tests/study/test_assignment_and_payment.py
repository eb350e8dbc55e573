"""Assignment by permuted blocks and Latin squares; payments against an independent computation."""

from __future__ import annotations

import math
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negoplatform.study.assignment import cell_at, latin_square, order_at, place_in_cell
from negoplatform.study.payment import PlayedRound, compute_payment
from negoplatform.study.study_file import PaymentModel, cell_name
from tests.study.studies import small_study


def test_every_block_has_every_cell_equally_often(tmp_path: Path) -> None:
    study = small_study(tmp_path).study.model

    for block in range(20):
        cells = Counter(cell_name(cell_at(study, block * 8 + i)) for i in range(8))
        assert set(cells.values()) == {2}


def test_blocks_are_in_different_orders(tmp_path: Path) -> None:
    study = small_study(tmp_path).study.model

    orders = {tuple(cell_name(cell_at(study, block * 8 + i)) for i in range(8)) for block in range(20)}

    assert len(orders) > 15


def test_blocks_of_strata_and_stations_are_separate(tmp_path: Path) -> None:
    study = small_study(tmp_path).study.model

    def cells(stratum: str, station: str) -> list[str]:
        return [cell_name(cell_at(study, i, stratum, station)) for i in range(16)]

    assert cells("", "") != cells("women", "")
    assert cells("", "pc01") != cells("", "pc02")
    assert cells("women", "pc01") == cells("women", "pc01")


def test_the_place_in_a_cell_is_the_number_of_earlier_places_with_it(tmp_path: Path) -> None:
    study = small_study(tmp_path).study.model
    cells = [cell_name(cell_at(study, place)) for place in range(40)]

    for place in range(40):
        assert place_in_cell(study, place) == cells[:place].count(cells[place])
    assert place_in_cell(study, 10**12) == 10**12 // 4


def test_a_cell_with_a_weight_is_that_much_larger(tmp_path: Path) -> None:
    def weigh(document: dict[str, Any]) -> None:
        document["design"].update(block=10, weights={"happy-tough": 2})

    study = small_study(tmp_path, weigh).study.model

    cells = Counter(cell_name(cell_at(study, i)) for i in range(10))
    assert cells == {"happy-tough": 4, "happy-soft": 2, "angry-tough": 2, "angry-soft": 2}


@pytest.mark.parametrize("count", range(1, 9))
def test_in_a_latin_square_each_part_is_at_each_position_and_follows_each_other_equally_often(
    count: int,
) -> None:
    rows = latin_square(count)

    assert all(sorted(row) == list(range(count)) for row in rows)
    assert len(set(Counter(pair for row in rows for pair in enumerate(row)).values())) == 1
    following = Counter(pair for row in rows for pair in pairwise(row))
    assert len(set(following.values())) <= 1
    assert len(following) == count * (count - 1)


def test_all_orders_of_a_within_factor_occur_equally_often_in_a_cell(tmp_path: Path) -> None:
    study = small_study(tmp_path).study.model

    orders = Counter(order_at(study, "sequence", 2, place, "happy-soft") for place in range(20))

    assert orders == {(0, 1): 10, (1, 0): 10}


def test_computers_begin_with_different_orders(tmp_path: Path) -> None:
    study = small_study(tmp_path).study.model
    orders = [order_at(study, "sequence", 2, 0, "happy-soft", f"pc{n:02}/") for n in range(40)]

    assert set(orders) == {(0, 1), (1, 0)}


def independent_amount(
    rules: dict[str, Any],
    rounds: list[tuple[Fraction | None, bool]],
    draw: list[int],
    results: dict[str, bool | int | Decimal | None],
) -> Fraction:
    """Return a payment, computed with fractions and in another way than the program does."""
    total = Fraction(rules.get("show_up", "0"))
    points = rules.get("points")
    if points is not None:
        # A game without points cannot be paid; one without a deal pays nothing where that is the rule.
        worth = {
            n: value if deal or points.get("no_deal_counts", True) else Fraction(0)
            for n, (value, deal) in enumerate(rounds)
            if value is not None
        }
        drawn = [n for n in draw if n in worth]
        number = Fraction(0)
        match points["rounds"] if worth else "none":
            case "sum":
                number = sum(worth.values(), Fraction(0))
            case "mean":
                number = sum(worth.values(), Fraction(0)) / len(worth)
            case "best":
                number = max(worth.values())
            case "draw_one":
                number = worth[drawn[0]]
            case "draw_n":
                number = sum((worth[n] for n in drawn[: points["n"]]), Fraction(0))
        total += rounded_up(number * Fraction(points["rate"]), Fraction(1, 10**6))
    for bonus in rules.get("bonuses", []):
        times = results.get(bonus["for"])
        number = Fraction(0) if times is None else Fraction(int(times) if isinstance(times, bool) else times)
        total += rounded_up(number * Fraction(bonus["amount"]), Fraction(1, 10**6))
    total = max(total, Fraction(rules.get("least", "0")))
    if "most" in rules:
        total = min(total, Fraction(rules["most"]))
    return rounded_up(total, Fraction(rules.get("round_up_to", "0.01")))


def rounded_up(value: Fraction, unit: Fraction) -> Fraction:
    """Return the least multiple of a unit that is not below a value."""
    return math.ceil(value / unit) * unit


amounts = st.decimals(0, 30, places=2).map(str)
played_points = st.none() | st.fractions(-20, 60, max_denominator=12)
bonus_results = st.none() | st.booleans() | st.integers(0, 20) | st.decimals(0, 9, places=3)


@st.composite
def payments(draw: st.DrawFn) -> tuple[dict[str, Any], list[tuple[Fraction | None, bool]], list[int]]:
    """Draw rules, the games that were played, and the order in which all games were drawn."""
    least, above = draw(st.integers(0, 10)), draw(st.integers(0, 20))
    kind = draw(st.sampled_from(["sum", "mean", "best", "draw_one", "draw_n"]))
    optional: dict[str, Any] = {
        "show_up": draw(amounts),
        "points": {
            "rate": draw(st.decimals(0, 2, places=5).map(str)),
            "rounds": kind,
            "of": "r",
            "no_deal_counts": draw(st.booleans()),
            **({"n": draw(st.integers(1, 3))} if kind == "draw_n" else {}),
        },
        "bonuses": [{"for": f"quiz.{n}", "amount": draw(amounts)} for n in range(draw(st.integers(0, 3)))],
        "least": f"{least}.00",
        "most": f"{least + above}.00",
        "round_up_to": draw(st.sampled_from(["0.01", "0.05", "0.10", "0.50", "1.00"])),
    }
    there = draw(st.sets(st.sampled_from(sorted(optional))))
    rules = {"currency": "EUR", **{name: optional[name] for name in optional if name in there}}
    played = draw(st.lists(st.tuples(played_points, st.booleans()), max_size=5))
    return rules, played, draw(st.permutations(range(6)))


@settings(max_examples=200)
@given(payments(), st.lists(bonus_results, min_size=3, max_size=3))
def test_a_payment_equals_an_independent_computation(
    drawn: tuple[dict[str, Any], list[tuple[Fraction | None, bool]], list[int]],
    values: list[bool | int | Decimal | None],
) -> None:
    rules, rounds, draw = drawn
    results = {f"quiz.{n}": value for n, value in enumerate(values)}
    played = [PlayedRound(f"r.{n}", points, deal) for n, (points, deal) in enumerate(rounds)]

    payment = compute_payment(
        PaymentModel.model_validate(rules), played, [f"r.{n}" for n in draw], results.get
    )

    assert Fraction(payment.amount) == independent_amount(rules, rounds, draw, results)
    assert sum(part.amount for part in payment.parts) == payment.amount
    assert payment.amount == payment.amount.quantize(Decimal("0.01"))


def test_only_rounds_that_were_played_can_be_drawn() -> None:
    rules = PaymentModel.model_validate(
        {"currency": "EUR", "points": {"rate": "1", "rounds": "draw_one", "of": "r"}}
    )

    payment = compute_payment(
        rules, [PlayedRound("r.1", Fraction(3), True)], ["r.3", "r.2", "r.1"], lambda _reference: None
    )

    assert payment.amount == 3
    assert payment.parts[0].about == ("r.1",)
