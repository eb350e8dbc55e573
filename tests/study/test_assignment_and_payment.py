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


def independent_amount(
    rules: dict[str, Any], rounds: list[tuple[int, bool]], draw: list[int], bonus: bool
) -> Decimal:
    """Return a payment in whole millionths, computed in another way than the program does."""
    unit = 10**6

    def millionths(text: str) -> int:
        whole, _, rest = text.partition(".")
        return int(whole) * unit + int(rest.ljust(6, "0"))

    total = millionths(rules["show_up"])
    points = rules["points"]
    worth = [0 if not deal and not points["no_deal_counts"] else value for value, deal in rounds]
    if worth:
        match points["rounds"]:
            case "sum":
                number = Fraction(sum(worth))
            case "mean":
                number = Fraction(sum(worth), len(worth))
            case "best":
                number = Fraction(max(worth))
            case _:
                number = Fraction(sum(worth[i] for i in draw[: points.get("n", 1)]))
        total += math.ceil(number * millionths(points["rate"]))
    if bonus:
        total += millionths(rules["bonuses"][0]["amount"])
    total = min(max(total, millionths(rules["least"])), millionths(rules["most"]))
    step = millionths(rules["round_up_to"])
    return Decimal(-(-total // step) * step) / unit


cents = st.integers(0, 2000).map(lambda n: f"{n // 100}.{n % 100:02}")


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_a_payment_equals_an_independent_computation(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(["sum", "mean", "best", "draw_one", "draw_n"]))
    count = data.draw(st.integers(0, 5))
    least = data.draw(st.integers(0, 10))
    rules: dict[str, Any] = {
        "currency": "EUR",
        "show_up": data.draw(cents),
        "points": {
            "rate": data.draw(st.integers(0, 99_999).map(lambda n: f"0.{n:05}")),
            "rounds": kind,
            "of": "r",
            "no_deal_counts": data.draw(st.booleans()),
            **({"n": data.draw(st.integers(1, 3))} if kind == "draw_n" else {}),
        },
        "bonuses": [{"for": "quiz.first_try", "amount": data.draw(cents)}],
        "least": f"{least}.00",
        "most": f"{least + data.draw(st.integers(0, 20))}.00",
        "round_up_to": data.draw(st.sampled_from(["0.01", "0.05", "0.10", "0.50", "1.00"])),
    }
    rounds = data.draw(st.lists(st.tuples(st.integers(0, 60), st.booleans()), min_size=count, max_size=count))
    draw = data.draw(st.permutations(range(count)))
    bonus = data.draw(st.booleans())
    played = [PlayedRound(f"r.{i}", Fraction(points), deal) for i, (points, deal) in enumerate(rounds)]

    payment = compute_payment(
        PaymentModel.model_validate(rules), played, [f"r.{i}" for i in draw], lambda _reference: bonus
    )

    assert payment.amount == independent_amount(rules, rounds, draw, bonus)
    assert sum(part.amount for part in payment.parts) == payment.amount


def test_only_rounds_that_were_played_can_be_drawn() -> None:
    rules = PaymentModel.model_validate(
        {"currency": "EUR", "points": {"rate": "1", "rounds": "draw_one", "of": "r"}}
    )

    payment = compute_payment(
        rules, [PlayedRound("r.1", Fraction(3), True)], ["r.3", "r.2", "r.1"], lambda _reference: None
    )

    assert payment.amount == 3
    assert payment.parts[0].about == ("r.1",)
