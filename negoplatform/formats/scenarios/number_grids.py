"""Issues of numbers: the integers of a range, or a real range in equal steps."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import gcd

from negoplatform.domain.errors import InputFileError
from negoplatform.formats.game_files.seat_preferences import MOST_NUMBERS
from negoplatform.formats.scenarios.scenario import ScenarioIssue
from negoplatform.formats.strict_json import EXACT_LENGTH, LARGEST_NUMBER


def integer_grid(title: str, low: Decimal, high: Decimal, path: object, where: str) -> ScenarioIssue:
    """Return an issue of all integers of a range.

    Raises:
        InputFileError: If the bounds are not whole, or the range is empty or too long.
    """
    if Fraction(low).denominator > 1 or Fraction(high).denominator > 1:
        raise InputFileError(path, where, "the bounds of an integer issue are whole numbers")
    return stepped_grid(title, low, high, Decimal(1), path, where)


def real_grid(
    title: str, low: Decimal, high: Decimal, steps: int | None, path: object, where: str
) -> ScenarioIssue:
    """Return a real range in a number of equal steps.

    Raises:
        InputFileError: If no number of steps is given, or the step is no short decimal.
    """
    if steps is None:
        raise InputFileError(
            path,
            where,
            f"the issue {title!r} has real numbers, and a game has steps; choose a number of steps (--steps)",
        )
    step = Fraction(high - low) / steps
    below = step.denominator
    while (common := gcd(below, 10)) > 1:
        below //= common
    written = Decimal(step.numerator) / Decimal(step.denominator)
    if below > 1 or len(written.as_tuple().digits) > EXACT_LENGTH:
        raise InputFileError(
            path,
            where,
            f"the range of {title!r} from {low} to {high} has no exact step if it is divided into {steps}; "
            "take another number of steps",
        )
    return stepped_grid(title, low, high, written.normalize(), path, where)


def stepped_grid(
    title: str, low: Decimal, high: Decimal, step: Decimal, path: object, where: str
) -> ScenarioIssue:
    """Return an issue of the numbers of a range, in steps.

    Raises:
        InputFileError: If the range is empty, too long, beyond a game's numbers, or no whole number of steps.
    """
    if not (-LARGEST_NUMBER <= low <= high <= LARGEST_NUMBER and step > 0):
        raise InputFileError(
            path, where, f"a range from {low} to {high} in steps of {step} cannot be imported"
        )
    # Divided as a fraction: a decimal cannot hold the quotient of a tiny step.
    count = Fraction(high - low) / Fraction(step)
    if count.denominator > 1:
        raise InputFileError(path, where, f"from {low} to {high} there is no whole number of steps of {step}")
    if count >= MOST_NUMBERS:
        raise InputFileError(
            path, where, f"there are {int(count) + 1:,} numbers, and a game file holds up to {MOST_NUMBERS:,}"
        )
    return ScenarioIssue(title, (), low, high, step)
