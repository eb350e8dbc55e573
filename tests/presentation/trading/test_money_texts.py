"""Amounts, scores and bundles as texts, and typed amounts."""

from __future__ import annotations

import pytest

from negoplatform.domain.trading.economy import Currency, Good
from negoplatform.presentation.i18n import ENGLISH, Language
from negoplatform.presentation.trading.money_texts import (
    change_text,
    money_text,
    score_text,
    typed_amount,
    units_text,
)

EURO, YEN = Currency("€", 2), Currency("¥", 0)
GERMAN = Language.load("de")


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("12", 1200),
        ("12.5", 1250),
        ("12,50", 1250),
        (" 12.50 € ", 1250),
        ("€12", 1200),
        (".5", 50),
        ("12,", 1200),
        ("1,234.50", 123_450),
        ("1.234,50", 123_450),
    ],
)
def test_an_amount_is_understood_however_it_is_typed(text: str, amount: int) -> None:
    assert typed_amount(text, EURO, ENGLISH).amount == amount


@pytest.mark.parametrize("text", ["twelve", "-3", "1e3", "12.5.5", "1" * 30, "١٢"])
def test_what_is_no_amount_is_said_to_be_none(text: str) -> None:
    typed = typed_amount(text, EURO, ENGLISH)

    assert (typed.amount, typed.problem) == (None, "Please enter an amount, such as 12.50.")


@pytest.mark.parametrize("text", ["1.999", "1,999", "€12.345"])
def test_an_amount_that_could_be_thousands_or_decimals_is_refused(text: str) -> None:
    typed = typed_amount(text, EURO, ENGLISH)

    assert typed.amount is None
    assert typed.problem == "This could be two amounts. Please leave out the separator of thousands."
    assert typed_amount("1,999", YEN, ENGLISH).amount == 1999


def test_more_decimals_than_the_money_has_are_refused_in_words() -> None:
    assert typed_amount("12.555", Currency("€", 4), ENGLISH).amount == 125_550
    assert typed_amount("12.55", YEN, ENGLISH).problem == "Please enter an amount with 0 decimals at most."


def test_an_empty_field_has_neither_an_amount_nor_a_problem() -> None:
    typed = typed_amount("  ", EURO, ENGLISH)

    assert (typed.amount, typed.problem) == (None, "")


def test_amounts_and_scores_have_the_decimals_of_the_money_and_the_signs_of_the_language() -> None:
    assert money_text(123_450, EURO, ENGLISH) == "€1,234.50"
    assert money_text(123_450, EURO, GERMAN) == "1.234,50 €"
    assert score_text(-79_784.8, EURO, ENGLISH) == "-79,784.80"
    assert score_text(-0.001, EURO, ENGLISH) == "0.00"


def test_a_change_has_a_sign_and_less_than_half_a_cent_is_none() -> None:
    texts = [change_text(change, EURO, ENGLISH) for change in (45.4518, -12.5, 0.004, -0.004)]

    assert texts == ["+45.45", "-12.50", "±0.00", "±0.00"]


def test_a_bundle_names_only_what_is_in_it() -> None:
    goods = (Good("wool", "Wool"), Good("wine", "Wine"), Good("salt"))

    assert units_text((2, 0, 1), goods, ENGLISH) == "2 × Wool and 1 × salt"
