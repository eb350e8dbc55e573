"""Conditions in study files: ``when`` and ``flag_if``, over factors, answers and results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Annotated, Any

from pydantic import AfterValidator, Field, model_validator

from negoplatform.formats.strict_json import LazyStrictModel, Number

Value = bool | int | Decimal | str | Sequence[Any] | None
"""Value of a reference: an answer, a level, a result; None: there is none (yet)."""


class BoundsModel(LazyStrictModel):
    """Range of numbers, or values that a reference must not have."""

    at_least: Number | None = None
    at_most: Number | None = None
    above: Number | None = None
    below: Number | None = None
    not_: bool | Number | str | list[bool | Number | str] | None = Field(None, alias="not")

    @model_validator(mode="after")
    def _check(self) -> BoundsModel:
        if all(getattr(self, name) is None for name in ("at_least", "at_most", "above", "below", "not_")):
            raise ValueError("a range needs at_least, at_most, above, below or not")
        return self

    def holds(self, value: Value) -> bool:
        """Return whether a value is in the range; a missing one never is."""
        if value is None:
            return False
        if self.not_ is not None:
            banned = self.not_ if isinstance(self.not_, list) else [self.not_]
            if any(_equal(value, one) for one in banned):
                return False
        number = _number(value)
        tests: tuple[tuple[Decimal | None, Callable[[Decimal, Decimal], bool]], ...] = (
            (self.at_least, lambda a, b: a >= b),
            (self.at_most, lambda a, b: a <= b),
            (self.above, lambda a, b: a > b),
            (self.below, lambda a, b: a < b),
        )
        return all(number is not None and holds(number, limit) for limit, holds in tests if limit is not None)

    @property
    def has_range(self) -> bool:
        """Whether it compares numbers."""
        return any(limit is not None for limit in (self.at_least, self.at_most, self.above, self.below))


Wanted = bool | Number | str | list[bool | Number | str] | BoundsModel
"""Expected value of a reference: a value, one of several, or a range."""

_AllOf = dict[str, Wanted]


def _check_condition(given: dict[str, Any]) -> dict[str, Any]:
    if not given:
        raise ValueError("a condition names at least one reference, such as an answer")
    return given


AnyBranch = Annotated[_AllOf, AfterValidator(_check_condition)]

WhenModel = Annotated[
    dict[str, Wanted | Annotated[list[AnyBranch], Field(min_length=1, max_length=20)]],
    AfterValidator(_check_condition),
]
"""Condition: all references have to fit; under ``any``, a list of conditions of which one has to hold."""

ANY = "any"


def references(condition: Mapping[str, Any] | None) -> Iterator[tuple[str, Any]]:
    """Yield the references of a condition, each with what it has to be."""
    for name, wanted in (condition or {}).items():
        if name == ANY and isinstance(wanted, list):
            for branch in wanted:
                if isinstance(branch, Mapping):
                    yield from branch.items()
        else:
            yield name, wanted


def holds(condition: Mapping[str, Any] | None, value_of: Callable[[str], Value]) -> bool:
    """Return whether a condition holds; no condition always does.

    Args:
        condition: The condition.
        value_of: Returns the value of a reference; None: it has none.
    """
    for name, wanted in (condition or {}).items():
        if name == ANY and isinstance(wanted, list):
            if not any(holds(branch, value_of) for branch in wanted if isinstance(branch, Mapping)):
                return False
        elif not fits(value_of(name), wanted):
            return False
    return True


def fits(value: Value, wanted: Any) -> bool:
    """Return whether a value is what a condition wants."""
    if isinstance(wanted, BoundsModel):
        return wanted.holds(value)
    if isinstance(wanted, list):
        return any(_equal(value, one) for one in wanted)
    return _equal(value, wanted)


def _equal(value: Value, wanted: Any) -> bool:
    if isinstance(value, list | tuple):
        # Several choices: whether the wanted one is among them.
        return any(_equal(one, wanted) for one in value)
    if isinstance(value, bool) or isinstance(wanted, bool):
        return value is wanted
    number, other = _number(value), _number(wanted)
    if number is not None and other is not None:
        return number == other
    return bool(value == wanted)


def _number(value: Any) -> Decimal | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | Decimal):
        return Decimal(value)
    return Decimal(repr(value)) if isinstance(value, float) else None
