"""Amounts of money as texts, and numbers that are typed into a field. No Tk."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from math import ceil, floor

from negoplatform.domain.offer import Number, number_from_decimal
from negoplatform.domain.trading.economy import Currency
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.issue_number_text import (
    GROUPED_NUMBER,
    MAX_TYPED_LENGTH,
    PLAIN_NUMBER,
    is_unit_prefixed,
    number_text,
    plain_number,
)
from negoplatform.presentation.localized_names import displayable


class Amounts:
    """Texts of amounts of a currency in the window's language; amounts are in minor units.

    Args:
        currency: The currency.
        translate: The window's language.
    """

    def __init__(self, currency: Currency, translate: Language) -> None:
        self._decimals, self._translate = currency.decimals, translate
        self.unit = displayable(translate.translate_plugin_text(currency.unit))
        """The currency's sign or name."""

    def text(self, amount: float) -> str:
        """Return an amount: ``€41``, ``€41.50``, ``-€3``, ``1,200 points``."""
        number, sign = self.plain(abs(amount)), "-" if round(amount) < 0 else ""
        if is_unit_prefixed(self.unit, self._translate):
            return f"{sign}{self.unit}{number}"
        return f"{sign}{number} {self.unit}".rstrip()

    def signed(self, amount: float) -> str:
        """Return a difference with its sign: ``+€12``, ``-€3``, ``€0``."""
        return f"+{self.text(amount)}" if round(amount) > 0 else self.text(amount)

    def plain(self, amount: float) -> str:
        """Return an amount without the unit: ``41``, ``41.50``, ``1,200``; decimals where there are any."""
        minor, scale = round(amount), 10**self._decimals
        digits = 0 if minor % scale == 0 else self._decimals
        text = f"{Decimal(minor).scaleb(-self._decimals):,.{digits}f}"
        return self._translate.localize_number(text)


@dataclass(frozen=True, slots=True)
class TypedNumber:
    """Meaning of a field's text.

    Args:
        number: The number; None if nothing was typed, or nothing that fits.
        nearest: The number that was typed, whether or not it fits; steps start from there.
        problem: A sentence on why it does not fit; empty if it fits or nothing was typed.
    """

    number: Number | None = None
    nearest: Number | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class NumberScale:
    """Numbers that a field takes: from ``low`` to ``high`` in steps of ``step`` from ``low``.

    Args:
        low: The least number.
        high: The greatest number.
        step: The step, above 0.
        unit: The unit, such as €; may be empty.
    """

    low: Number
    high: Number
    step: Number = 1
    unit: str = ""

    def fits(self, number: Number) -> bool:
        """Return whether a number is in the range and on a step."""
        low, value = Decimal(str(self.low)), Decimal(str(number))
        return self.low <= number <= self.high and not (value - low) % Decimal(str(self.step))

    def moved(self, start: Number | None, steps: int) -> Number:
        """Return the number some steps above another (below, if negative), within the range.

        ``start`` need not fit; None: the first step up gives the lowest number, the first down the highest.
        """
        low, step = Decimal(str(self.low)), Decimal(str(self.step))
        top = int((Decimal(str(self.high)) - low) / step)
        if start is None:
            place = 0 if steps > 0 else top
        else:
            exact = (Decimal(str(start)) - low) / step
            place = (floor(exact) if steps > 0 else ceil(exact)) + steps
        return number_from_decimal(low + min(max(place, 0), top) * step)

    def range_text(self, translate: Language, *, names_step: bool = False) -> str:
        """Return the numbers in words: ``€1 to €200``, ``0 to 1,000 in steps of 10``.

        Args:
            translate: The window's language.
            names_step: Whether a step of 1 is named too.
        """
        low, high, step = (number_text(n, translate, self.unit) for n in (self.low, self.high, self.step))
        if self.step == 1 and not names_step:
            return translate("{low} to {high}", low=low, high=high)
        return translate("{low} to {high} in steps of {step}", low=low, high=high, step=step)

    def parse(self, text: str, translate: Language) -> TypedNumber:
        """Return what a text means; spaces and the unit are ignored.

        A comma or a point may separate decimals or thousands; the first meaning that fits is taken.
        """
        bare = "".join(text.split()).replace("\N{MINUS SIGN}", "-")
        unit = "".join(self.unit.split())
        if unit:
            bare = bare.removeprefix(unit).removesuffix(unit)
        if not bare:
            return TypedNumber()
        meanings = list(_meanings(bare))
        fitting = next((number for number in meanings if self.fits(number)), None)
        if fitting is not None:
            return TypedNumber(fitting, fitting)
        if not meanings:
            return TypedNumber(
                problem=translate("Please enter a number: {range}.", range=self.range_text(translate))
            )
        # Of a number in the range it is not its size that does not fit.
        between_steps = any(self.low <= number <= self.high for number in meanings)
        allowed = self.range_text(translate, names_step=between_steps)
        return TypedNumber(nearest=meanings[0], problem=translate("Must be {range}.", range=allowed))

    def text(self, number: Number, translate: Language) -> str:
        """Return a number as it is written into a field: ``41``, ``41.5``."""
        return translate.localize_number(plain_number(number))


def _meanings(bare: str) -> Iterator[Number]:
    """Yield the numbers that a text can mean, thousands first: ``1,500`` is rarely 1.5."""
    if len(bare) > MAX_TYPED_LENGTH:
        return
    if GROUPED_NUMBER.fullmatch(bare):
        groups = min((sign for sign in ",." if sign in bare), key=bare.index)
        yield number_from_decimal(Decimal(bare.replace(groups, "").replace(",", ".")))
    if PLAIN_NUMBER.fullmatch(bare):
        yield number_from_decimal(Decimal(bare.replace(",", ".")))
