"""Amounts of money, scores and bundles of goods as texts, and typed amounts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from negoplatform.domain.errors import NegoError
from negoplatform.domain.trading.economy import Currency, Good, Money
from negoplatform.domain.utility import Points
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.issue_number_text import is_unit_prefixed
from negoplatform.presentation.localized_names import join_names, localized_text
from negoplatform.presentation.offers.offer_valuation import NoDealComparison

MAX_TYPED_LENGTH = 20
"""Most characters of an amount that are kept."""

PLAIN_AMOUNT = re.compile(r"\d+([.,]\d*)?|[.,]\d+", re.ASCII)
GROUPED_AMOUNT = re.compile(r"\d{1,3}(,\d{3})+(\.\d*)?|\d{1,3}(\.\d{3})+(,\d*)?", re.ASCII)
AMBIGUOUS_AMOUNT = re.compile(r"\d{1,3}[.,]\d{3}", re.ASCII)
"""Amount with one separator, which may divide thousands or decimals."""

THOUSANDS = 3
"""Digits between two separators of thousands."""


@dataclass(frozen=True, slots=True)
class TypedAmount:
    """A typed amount of money.

    Args:
        amount: The amount in minor units; None if nothing was typed, or no amount.
        problem: Sentence on what is wrong with it; empty if nothing is.
    """

    amount: Money | None = None
    problem: str = ""


def money_text(amount: Money, currency: Currency, translate: Language) -> str:
    """Return an amount with its currency: ``€12.50``, in other languages ``12,50 €``."""
    number = translate.localize_number(f"{abs(currency.to_decimal(amount)):,.{currency.decimals}f}")
    sign = "-" if amount < 0 else ""
    if is_unit_prefixed(currency.unit, translate):
        return f"{sign}{currency.unit}{number}"
    return f"{sign}{number} {currency.unit}".rstrip()


def plain_amount(amount: Money, currency: Currency) -> str:
    """Return an amount as a field shows it: ``12.50``."""
    return f"{currency.to_decimal(amount):.{currency.decimals}f}"


def score_text(points: Points, currency: Currency, translate: Language) -> str:
    """Return a score with the decimals of the currency, but without its unit: ``213.86``."""
    text = f"{points:,.{currency.decimals}f}"
    return translate.localize_number(text.removeprefix("-") if not text.strip("-0.,") else text)


def change_text(change: Points, currency: Currency, translate: Language) -> str:
    """Return a change of the score with its sign: ``+45.45``, ``-12.50``, ``±0.00``."""
    text = score_text(abs(change), currency, translate)
    return {1: "+", 0: "±", -1: "-"}[sign_of(change, currency)] + text


def change_between(before: Points, after: Points, currency: Currency) -> Points:
    """Return the difference of two scores as they are shown, so that the texts add up."""
    decimals = currency.decimals
    return round(round(float(after), decimals) - round(float(before), decimals), decimals)


def sign_of(change: Points, currency: Currency) -> int:
    """Return 1, 0 or -1 for a change of the score, as it is shown: less than half a minor unit is 0."""
    shown = round(float(change), currency.decimals)
    return (shown > 0) - (shown < 0)


def change_colour(change: Points, currency: Currency) -> NoDealComparison:
    """Return a change of the score as a comparison with the score now."""
    return {1: NoDealComparison.BETTER, 0: NoDealComparison.EQUAL, -1: NoDealComparison.WORSE}[
        sign_of(change, currency)
    ]


def good_title(good: Good, translate: Language) -> str:
    """Return a good's name in the window's language."""
    return localized_text(good.title, translate)


def units_text(units: Sequence[int], goods: Sequence[Good], translate: Language) -> str:
    """Return units of each good: ``2 × Wool and 1 × Wine``; empty if there are none."""
    parts = [f"{n} × {good_title(good, translate)}" for good, n in zip(goods, units, strict=True) if n]
    return join_names(parts, translate)


def typed_amount(text: str, currency: Currency, translate: Language) -> TypedAmount:
    """Return a typed amount: ``12``, ``12.5`` and ``12,50``, with or without the currency."""
    bare = "".join(text.split())
    unit = "".join(currency.unit.split())
    if unit:
        bare = bare.removeprefix(unit).removesuffix(unit)
    if not bare:
        return TypedAmount()
    if currency.decimals and AMBIGUOUS_AMOUNT.fullmatch(bare) and currency.decimals < THOUSANDS:
        return TypedAmount(
            problem=translate("This could be two amounts. Please leave out the separator of thousands.")
        )
    number = _number(bare, currency)
    if number is None:
        return TypedAmount(problem=translate("Please enter an amount, such as {example}.", example="12.50"))
    try:
        return TypedAmount(currency.from_decimal(number))
    except NegoError:
        return TypedAmount(
            problem=translate("Please enter an amount with {n} decimals at most.", n=currency.decimals)
        )


def _number(bare: str, currency: Currency) -> Decimal | None:
    """Return the number that was typed; None if there is none.

    A separator before exactly three digits divides thousands, unless the currency has three decimals.
    """
    if len(bare) > MAX_TYPED_LENGTH:
        return None
    if GROUPED_AMOUNT.fullmatch(bare) and currency.decimals < THOUSANDS:
        groups = min((sign for sign in ",." if sign in bare), key=bare.index)
        return Decimal(bare.replace(groups, "").replace(",", ".").rstrip("."))
    if PLAIN_AMOUNT.fullmatch(bare):
        return Decimal(bare.replace(",", ".").rstrip("."))
    return None
