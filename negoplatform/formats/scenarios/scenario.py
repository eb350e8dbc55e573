"""A scenario: issues and utility profiles, with every number exact."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from negoplatform.domain.errors import InputFileError
from negoplatform.formats.strict_json import single_line

Level = str | Decimal
"""A value of an issue, or a number."""


@dataclass(frozen=True, slots=True)
class ScenarioIssue:
    """An issue as another platform has it.

    Args:
        title: Its name, any text.
        values: Its values, all different; empty for an issue of numbers.
        low: The lowest number of an issue of numbers.
        high: The highest one: a whole number of steps above the lowest.
        step: The distance between neighbouring numbers; 0: an issue of values.
    """

    title: str
    values: tuple[str, ...] = ()
    low: Decimal = Decimal(0)
    high: Decimal = Decimal(0)
    step: Decimal = Decimal(0)

    @property
    def levels(self) -> Sequence[Level]:
        """Values, or numbers from the lowest to the highest."""
        return self.numbers if self.step else self.values

    @property
    def numbers(self) -> list[Decimal]:
        """Numbers from the lowest to the highest; none for an issue of values."""
        count = int((self.high - self.low) / self.step) + 1 if self.step else 0
        return [self.low + i * self.step for i in range(count)]


@dataclass(frozen=True, slots=True)
class ScenarioRectangle:
    """Points for all outcomes inside a box.

    Args:
        points: The points, which may be negative.
        levels: Pairs of an issue's place in the scenario and the places of its levels that are in the box.
    """

    points: Fraction
    levels: tuple[tuple[int, frozenset[int]], ...]


@dataclass(frozen=True, slots=True)
class ScenarioProfile:
    """Preferences of one party.

    The utility of an outcome is the sum of weight times evaluation over all issues, plus the points of the
    rectangles that contain it, and not more than ``at_most``.

    Args:
        name: The profile's name in its file, or the file's name.
        weights: The weight of each issue.
        evaluations: The evaluation of every level of each issue.
        rectangles: Points for boxes of outcomes.
        at_most: The highest utility; None: no limit.
        reservation: The utility without an agreement.
        discount: Utilities are multiplied by its power of the time, from 0 to 1; above 0, at most 1.
        file: The file that it was read from.
        remarks: Sentences about what the file says beyond this.
    """

    name: str
    weights: tuple[Fraction, ...]
    evaluations: tuple[tuple[Fraction, ...], ...]
    rectangles: tuple[ScenarioRectangle, ...] = ()
    at_most: Fraction | None = None
    reservation: Fraction = Fraction(0)
    discount: Fraction = Fraction(1)
    file: str = ""
    remarks: tuple[str, ...] = ()

    def highest_sum(self) -> Fraction:
        """Return the highest sum over issues, without rectangles and limit."""
        parts = zip(self.weights, self.evaluations, strict=True)
        return sum((max(weight * e for e in levels) for weight, levels in parts), Fraction(0))


@dataclass(frozen=True, slots=True)
class Scenario:
    """Issues, and the profiles of the parties.

    Args:
        name: The domain's name.
        issues: The issues, in order.
        profiles: The profiles, in the order of their files.
        source: The platform whose format the files have.
        remarks: Sentences about what was read, for people.
    """

    name: str
    issues: tuple[ScenarioIssue, ...]
    profiles: tuple[ScenarioProfile, ...]
    source: str
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """Options for what the files of a scenario leave open.

    Args:
        steps: Into how many steps real ranges are divided; None: they are refused.
        reservation: The reservation value where a file of NegMAS has minus infinity; None: such files are
            refused.
        discount_over_time: Whether a discount factor for each step of NegMAS is taken as one over the whole
            game, as Genius has it; else such files are refused.
    """

    steps: int | None = None
    reservation: Fraction | None = None
    discount_over_time: bool = False


ROUNDING = Fraction(3, 10**16)
"""Difference from the exact utility that rounding makes for each issue.

Weights that a program has divided by their sum often add up to a little more than 1.
"""

LARGEST_FLOAT = Fraction(sys.float_info.max)
"""Number up to which a fraction has a nearest 64-bit number."""


def written_number(text: object, path: object, where: str) -> Decimal:
    """Return a number of a file, as the nearest 64-bit number in its shortest decimal notation.

    That is how Genius and NegMAS read it; a number of up to 15 digits stays as written.

    Raises:
        InputFileError: If it is no finite number.
    """
    try:
        found = Decimal(repr(float(str(text).strip())))
        if "_" in str(text) or not found.is_finite():
            raise ValueError
    except ValueError:
        raise InputFileError(
            path, where, f"a finite number belongs here, not {single_line(str(text), 40)!r}"
        ) from None
    return Decimal(int(found)) if found == found.to_integral_value() and abs(found) < 10**15 else found


def exact_json(value: Fraction) -> int | float | str:
    """Return an exact number for a game file: a number if that is exact, else a fraction in quotes."""
    if value.denominator == 1:
        return value.numerator
    if abs(value) < LARGEST_FLOAT:
        nearest = float(value)
        if Fraction(repr(nearest)) == value:
            return nearest
    return f"{value.numerator}/{value.denominator}"
