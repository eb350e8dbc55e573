"""Display and parsing of the numbers of number issues."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from decimal import Decimal

from negoplatform.domain.issue import NumberIssue
from negoplatform.domain.offer import LARGEST_NUMBER, Number, number_from_decimal
from negoplatform.domain.trading.economy import CURRENCY_SIGNS
from negoplatform.presentation.i18n import ENGLISH, Language
from negoplatform.presentation.noun_forms import unit_for

GROUPED_FROM, MONEY_GROUPED_FROM = 10_000, 1000
"""Smallest numbers with thousands separators: five digits, so that years have none; for money, four."""

PLAIN_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)", re.ASCII)
GROUPED_NUMBER = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d*)?|[+-]?\d{1,3}(\.\d{3})+(,\d*)?", re.ASCII)
MAX_TYPED_LENGTH = 40
"""Maximum length of typed text that is parsed or quoted, in characters."""


@dataclass(frozen=True, slots=True)
class ParsedNumber:
    """Result of parsing a typed number.

    Args:
        number: Number that fits the issue; None if nothing was typed, or nothing that fits.
        nearest: Number that was typed but does not fit; steps start from there.
        problem: Sentence on why it does not fit; empty if it fits or nothing was typed.
    """

    number: Number | None = None
    nearest: Number | None = None
    problem: str = ""


def plain_number(value: Number) -> str:
    """Return a number without groups and exponents, as in a field: ``90000``, ``0.5``."""
    return f"{Decimal(str(value)):f}"


def number_text(value: Number, translate: Language, unit: str = "") -> str:
    """Return a number with its unit: ``€120``, ``90,000``, ``2.5 days``, ``1 day``."""
    grouped = MONEY_GROUPED_FROM if unit in CURRENCY_SIGNS else GROUPED_FROM
    text = f"{Decimal(str(value)):,f}" if abs(value) >= grouped else plain_number(value)
    if is_unit_prefixed(unit, translate):
        return (
            f"-{unit}{translate.localize_number(text[1:])}"
            if text.startswith("-")
            else f"{unit}{translate.localize_number(text)}"
        )
    return f"{translate.localize_number(text)} {unit_for(value, unit, translate)}".strip()


def is_unit_prefixed(unit: str, translate: Language) -> bool:
    """Return whether a unit precedes its number, like a currency sign in English."""
    return translate.code == "en" and unit in CURRENCY_SIGNS


def range_text(issue: NumberIssue, translate: Language) -> str:
    """Return the valid numbers of an issue: ``100 to 200 € in steps of 5 €``."""
    if issue.low == issue.high:
        return translate("only {number}", number=number_text(issue.low, translate, issue.unit))
    return translate(
        "{low} to {high} in steps of {step}",
        low=number_text(issue.low, translate, issue.unit if is_unit_prefixed(issue.unit, translate) else ""),
        high=number_text(issue.high, translate, issue.unit),
        step=number_text(issue.step, translate, issue.unit),
    )


def parse_number(text: str, issue: NumberIssue, translate: Language = ENGLISH) -> ParsedNumber:
    """Parse a typed number; the result has a number only if exactly one reading fits the issue.

    Spaces and the issue's own unit are ignored. A comma or a point may separate decimals or thousands: the
    reading that fits the issue is used, and if both fit, ``problem`` is a question.
    """
    bare = _without_unit(text, issue.unit, translate)
    if not bare:
        return ParsedNumber()
    meanings = _possible_numbers(bare, decimals=any(type(part) is float for part in (issue.low, issue.step)))
    fitting = [meaning for meaning in meanings if meaning in issue.allowed]
    if len(fitting) == 1:
        return ParsedNumber(fitting[0], fitting[0])
    typed = text.strip()[:MAX_TYPED_LENGTH]
    if fitting:
        one, other = (translate.localize_number(plain_number(meaning)) for meaning in fitting)
        return ParsedNumber(
            problem=translate(
                "“{typed}” could mean {one} or {other}. Please write it without a thousands separator.",
                typed=typed,
                one=one,
                other=other,
            )
        )
    fits = range_text(issue, translate)
    if not meanings:
        return ParsedNumber(problem=translate("Please enter a number: {range}.", range=fits))
    return ParsedNumber(
        nearest=meanings[0],
        problem=translate("Must be {range}.", range=fits),
    )


def step_number(issue: NumberIssue, start: Number | None, steps: int) -> Number:
    """Return the issue's number a number of steps above another (below, if negative), which need not fit.

    The result stays in the range. From None, the first step up gives the lowest number, down the highest.
    """
    values = issue.values
    if start is None:
        return values[0] if steps > 0 else values[-1]
    index = (bisect_right(values, start) - 1 if steps > 0 else bisect_left(values, start)) + steps
    return values[min(len(values) - 1, max(0, index))]


def _without_unit(text: str, unit: str, translate: Language) -> str:
    bare = "".join(text.split()).replace("\N{MINUS SIGN}", "-")
    # "1 day" is typed as displayed; the plural is first, because it contains the singular.
    for name in (
        translate.translate_plugin_text(unit),
        translate.translate_singular(unit),
        unit,
        unit_for(1, unit, ENGLISH),
    ):
        sign = "".join(name.split())
        if sign and bare.casefold().startswith(sign.casefold()):
            return bare[len(sign) :]
        if sign and bare.casefold().endswith(sign.casefold()):
            return bare[: -len(sign)]
    return bare


def _possible_numbers(bare: str, *, decimals: bool) -> list[Number]:
    """Return all numbers that a text can mean, without duplicates.

    Three digits after a separator are thousands, and also decimals if the issue has any.
    """
    found: list[Number] = []
    if len(bare) > MAX_TYPED_LENGTH:
        return found
    in_groups = GROUPED_NUMBER.fullmatch(bare)
    if PLAIN_NUMBER.fullmatch(bare) and (decimals or not in_groups):
        found.append(number_from_decimal(Decimal(bare.replace(",", "."))))
    if in_groups:
        # The first separator is for thousands; the other one, if there is one, for decimals.
        groups = min((sign for sign in ",." if sign in bare), key=bare.index)
        found.append(number_from_decimal(Decimal(bare.replace(groups, "").replace(",", "."))))
    return [value for i, value in enumerate(found) if abs(value) <= LARGEST_NUMBER and value not in found[:i]]
