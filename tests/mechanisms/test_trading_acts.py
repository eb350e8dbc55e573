"""Acts of trading: values that are none."""

from __future__ import annotations

from typing import Any

import pytest

from negoplatform.core.mechanisms.trading_state import (
    ProposalMade,
    TransactionRequested,
)
from negoplatform.domain.errors import NegoError, Refused
from negoplatform.domain.trading.economy import Quantities
from tests.mechanisms.trading_table import TWO


def test_an_amount_is_taken_as_the_number_that_it_is() -> None:
    class Sly(float):
        """Number that passes for another one."""

        def __ge__(self, other: object) -> bool:
            return True

        def __le__(self, other: object) -> bool:
            return True

        def __int__(self) -> int:
            return -1_000

    with pytest.raises(Refused, match="An amount of money is a number, 0 or more"):
        TransactionRequested("x", True, TWO, Sly(-5), Quantities({"good_1": 1}))
    assert TransactionRequested("x", True, TWO, Sly(5), Quantities({"good_1": 1})).amount == 5


@pytest.mark.parametrize(
    "amount", [-1, -0.01, float("nan"), float("inf"), 10**400, True, "10", None, [1], 1e13]
)
def test_what_is_no_amount_is_refused(amount: Any) -> None:
    for make in (
        lambda: TransactionRequested("x", True, TWO, amount, Quantities({"good_1": 1})),
        lambda: ProposalMade(True, amount, Quantities({"good_1": 1})),
    ):
        with pytest.raises(Refused, match="An amount of money is a number, 0 or more"):
            make()


@pytest.mark.parametrize("count", [-1, 1.0, True, "1", 10**7, float("nan"), None])
def test_what_is_no_number_of_units_is_refused(count: Any) -> None:
    with pytest.raises(NegoError, match="A number of units is whole"):
        Quantities({"good_1": count})


@pytest.mark.parametrize("its_id", ["", " ", "a\nb", "x" * 101, "\ud800", 5, None, b"x"])
def test_what_is_no_id_is_refused(its_id: Any) -> None:
    with pytest.raises(Refused, match="transaction has"):
        TransactionRequested(its_id, True, TWO, 1, Quantities({"good_1": 1}))


@pytest.mark.parametrize("quantities", [Quantities(), Quantities({"good_1": 0}), {"good_1": 1}, None])
def test_a_transaction_of_nothing_is_refused(quantities: Any) -> None:
    with pytest.raises(Refused, match=r"at least one unit|whole numbers of units"):
        TransactionRequested("x", True, TWO, 1, quantities)
