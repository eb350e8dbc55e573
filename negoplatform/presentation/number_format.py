"""Numbers of a number issue, as people read and type them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from decimal import Decimal

from negoplatform.domain.issue import NumberIssue
from negoplatform.domain.offer import LARGEST_NUMBER, Number, number_from_decimal
from negoplatform.presentation.i18n import ENGLISH, Language
from negoplatform.presentation.noun_forms import unit_for

GROUPED_FROM, MONEY_GROUPED_FROM = 10_000, 1000
"""Numbers of five digits and more are read in groups of three; a year is not. Money: of four."""

PLAIN_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)", re.ASCII)
GROUPED_NUMBER = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d*)?|[+-]?\d{1,3}(\.\d{3})+(,\d*)?", re.ASCII)
MAX_TYPED_LENGTH = 40
"""Characters of what was typed that are looked at, and that a sentence repeats."""

CURRENCIES = ("€", "$", "£", "¥")
"""Signs of currencies."""


@dataclass(frozen=True, slots=True)
class ParsedNumber:
    """What somebody typed for a number issue, understood.

    Args:
        number: The number that fits; None if nothing was typed, or nothing that fits.
        nearest: The number that was meant though it does not fit; steps go on from there.
        problem: A sentence that says why it does not fit; empty if it does, or if nothing was typed.
    """

    number: Number | None = None
    nearest: Number | None = None
    problem: str = ""


def plain_number(value: Number) -> str:
    """A number without groups and exponents, as it stands in a field: ``90000``, ``0.5``."""
    return f"{Decimal(str(value)):f}"


def number_text(value: Number, translate: Language, unit: str = "") -> str:
    """A number with its unit: ``€120``, ``90,000``, ``2.5 days``, ``1 day``."""
    grouped = MONEY_GROUPED_FROM if unit in CURRENCIES else GROUPED_FROM
    text = f"{Decimal(str(value)):,f}" if abs(value) >= grouped else plain_number(value)
    if is_unit_prefixed(unit, translate):
        return (
            f"-{unit}{translate.localize_number(text[1:])}"
            if text.startswith("-")
            else f"{unit}{translate.localize_number(text)}"
        )
    return f"{translate.localize_number(text)} {unit_for(value, unit, translate)}".strip()


def is_unit_prefixed(unit: str, translate: Language) -> bool:
    """Return whether a unit stands before its number: a sign of a currency in English."""
    return translate.code == "en" and unit in CURRENCIES


def range_text(issue: NumberIssue, translate: Language) -> str:
    """What fits an issue: ``100 to 200 € in steps of 5 €``."""
    if issue.low == issue.high:
        return translate("only {number}", number=number_text(issue.low, translate, issue.unit))
    return translate(
        "{low} to {high} in steps of {step}",
        low=number_text(issue.low, translate, issue.unit if is_unit_prefixed(issue.unit, translate) else ""),
        high=number_text(issue.high, translate, issue.unit),
        step=number_text(issue.step, translate, issue.unit),
    )


def parse_number(text: str, issue: NumberIssue, translate: Language = ENGLISH) -> ParsedNumber:
    """What somebody typed, understood only where it can mean one thing that fits.

    Spaces and the issue's own unit do not matter. A comma or a point may part decimals or thousands: what
    was meant is the one that fits the issue, and if both do, a sentence asks.
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
    """The number so many steps above (below, if negative) another, which need not fit, within the range.

    From nowhere (None) the first step up leads to the lowest number, the first step down to the highest.
    """
    values = issue.values
    if start is None:
        return values[0] if steps > 0 else values[-1]
    index = (bisect_right(values, start) - 1 if steps > 0 else bisect_left(values, start)) + steps
    return values[min(len(values) - 1, max(0, index))]


def _without_unit(text: str, unit: str, translate: Language) -> str:
    bare = "".join(text.split()).replace("\N{MINUS SIGN}", "-")
    # "1 day" is typed as it is read; the plural comes first, as it holds the other.
    for called in (
        translate.translate_plugin_text(unit),
        translate.translate_singular(unit),
        unit,
        unit_for(1, unit, ENGLISH),
    ):
        sign = "".join(called.split())
        if sign and bare.casefold().startswith(sign.casefold()):
            return bare[len(sign) :]
        if sign and bare.casefold().endswith(sign.casefold()):
            return bare[: -len(sign)]
    return bare


def _possible_numbers(bare: str, *, decimals: bool) -> list[Number]:
    """Every number that a text can stand for, all different.

    Three digits behind a sign are thousands, and may be decimals as well where the issue has any.
    """
    found: list[Number] = []
    if len(bare) > MAX_TYPED_LENGTH:
        return found
    in_groups = GROUPED_NUMBER.fullmatch(bare)
    if PLAIN_NUMBER.fullmatch(bare) and (decimals or not in_groups):
        found.append(number_from_decimal(Decimal(bare.replace(",", "."))))
    if in_groups:
        # The sign that comes first parts thousands, the other one, if there is one, decimals.
        groups = min((sign for sign in ",." if sign in bare), key=bare.index)
        found.append(number_from_decimal(Decimal(bare.replace(groups, "").replace(",", "."))))
    return [value for i, value in enumerate(found) if abs(value) <= LARGEST_NUMBER and value not in found[:i]]
