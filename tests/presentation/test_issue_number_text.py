"""Numbers as shown to people and typed by them."""

from __future__ import annotations

import pytest

from negoplatform.domain.issue import NumberIssue
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.issue_number_text import number_text, parse_number, range_text, step_number
from tests.presentation.rent_game import NOTICE, PRICE

SALARY = NumberIssue("salary", 60_000, 120_000, 10_000, unit="USD")
FINE = NumberIssue("fine", 0, 100_000, 0.5)


@pytest.mark.parametrize("text", ["120", " 120 ", "120 €", "€120", "120€", "120.0", "120,0", "+120"])
def test_a_number_may_be_typed_with_its_unit_and_with_spaces(text: str) -> None:
    assert parse_number(text, PRICE).number == 120


@pytest.mark.parametrize(
    "text", ["90000", "90,000", "90.000", "90 000", "90,000.00", "90.000,00", "90,000 usd"]
)
def test_thousands_are_understood_as_people_write_them(text: str) -> None:
    assert parse_number(text, SALARY).number == 90_000


def test_three_digits_behind_a_comma_are_thousands_where_no_number_has_decimals() -> None:
    assert parse_number("90,000", NumberIssue("deposit", 0, 100_000, 10)).number == 90_000
    assert parse_number("1.200", PRICE).nearest == 1200


@pytest.mark.parametrize("text", ["1.5", "1,5", "1.5 months", "1.50"])
def test_a_comma_parts_decimals_like_a_point(text: str) -> None:
    assert parse_number(text, NOTICE).number == 1.5


@pytest.mark.parametrize("text", ["1,500", "1.500"])
def test_what_can_mean_two_numbers_that_fit_is_asked_about(text: str) -> None:
    reading = parse_number(text, FINE)

    assert reading.number is None
    assert (
        reading.problem == f"“{text}” could mean 1.5 or 1500. Please write it without a thousands separator."
    )


@pytest.mark.parametrize("text", ["123", "95", "205", "-120", "12", "120.5"])
def test_a_number_that_does_not_fit_is_told_what_does(text: str) -> None:
    reading = parse_number(text, PRICE)

    assert reading.number is None
    assert reading.problem == ("Must be €100 to €200 in steps of €5.")


@pytest.mark.parametrize("text", ["abc", "1e2", "--5", "1 2o", "nan", "²", "1" * 50, "0x70", "inf", "١٢٠"])
def test_what_is_no_number_is_called_so(text: str) -> None:
    reading = parse_number(text, PRICE)

    assert (reading.number, reading.nearest) == (None, None)
    assert "Please enter a number: €100 to €200" in reading.problem


def test_nothing_typed_is_nothing_decided_and_no_mistake() -> None:
    reading = parse_number("  ", PRICE)

    assert (reading.number, reading.problem) == (None, "")


@pytest.mark.parametrize(
    ("start", "steps", "there"),
    [
        (120, 1, 125),
        (120, -10, 100),
        (195, 10, 200),
        (123, 1, 125),
        (123, -1, 120),
        (7, 1, 100),
        (7, -1, 100),
    ],
)
def test_a_step_leads_to_the_next_number_that_fits(start: int, steps: int, there: int) -> None:
    assert step_number(PRICE, start, steps) == there


def test_from_nowhere_up_begins_at_the_lowest_and_down_at_the_highest() -> None:
    assert (step_number(PRICE, None, 1), step_number(PRICE, None, -1)) == (100, 200)


def test_numbers_read_as_people_write_them() -> None:
    shown = [number_text(n, ENGLISH, "€") for n in (120, 2026, 90_000, 0.5, 12_345.5, -20_000, 1e-7)]

    assert shown == ["€120", "€2,026", "€90,000", "€0.5", "€12,345.5", "-€20,000", "€0.0000001"]
    assert range_text(NumberIssue("days", 1, 30), ENGLISH) == "1 to 30 in steps of 1"
    assert range_text(NumberIssue("days", 3, 3, unit="days"), ENGLISH) == "only 3 days"


def test_one_unit_is_read_as_it_is_shown() -> None:
    days = NumberIssue("days", 1, 9, unit="days")

    assert number_text(1, ENGLISH, "days") == "1 day"
    assert [parse_number(text, days).number for text in ("1 day", "1 days", "3 days")] == [1, 1, 3]
