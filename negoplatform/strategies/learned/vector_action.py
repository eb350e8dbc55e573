"""Actions as numbers, for programs that learn: continuous values, and choices among numbered categories."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from numbers import Integral, Real
from typing import Any, Self

from negoplatform.domain.errors import NegoError

NEUTRAL = 0
"""Neutral value: the first category, and the continuous value of the range that is nearest to 0."""

_KEYS = ("c", "d")


class VectorAction:
    """Action of ``dim_c`` continuous values and ``dim_d`` choices.

    It is neutral until values are set. Values beyond their range are clipped. NumPy accepts it directly:
    ``numpy.asarray(action)`` is its :meth:`vector`.

    Args:
        dim_c: The number of continuous values.
        dim_d: The number of choices.
        range: Least and greatest continuous values, ``dim_c`` numbers each; None: -1 and 1.
        ncats: The number of categories of each choice, or of all; 1 or more.

    Raises:
        NegoError: If they do not fit together.
    """

    c: array[float]
    """Continuous values, 32 bits each."""
    d: array[int]
    """Numbers of the chosen categories, from 0."""

    def __init__(
        self,
        dim_c: int = 0,
        dim_d: int = 0,
        range: tuple[Iterable[float], Iterable[float]] | None = None,  # noqa: A002 - the field's name
        ncats: int | Iterable[int] = (),
    ) -> None:
        self.set_specs(dim_c, dim_d, range, ncats)

    def set_specs(
        self,
        dim_c: int = 0,
        dim_d: int = 0,
        range: tuple[Iterable[float], Iterable[float]] | None = None,  # noqa: A002 - the field's name
        ncats: int | Iterable[int] = (),
    ) -> None:
        """Set the numbers of values and their ranges; the action becomes neutral.

        Args:
            dim_c: The number of continuous values.
            dim_d: The number of choices.
            range: Least and greatest continuous values, ``dim_c`` numbers each; None: -1 and 1.
            ncats: The number of categories of each choice, or of all; 1 or more.

        Raises:
            NegoError: If they do not fit together. Nothing is changed then.
        """
        for name, size in (("dim_c", dim_c), ("dim_d", dim_d)):
            whole: object = size
            if isinstance(whole, bool) or not isinstance(whole, Integral) or size < 0:
                raise NegoError(f"{name} of an action is a whole number from 0 up, not {size!r}.")
        low, high = ((-1.0,) * dim_c, (1.0,) * dim_c) if range is None else map(_floats, range)
        if not len(low) == len(high) == dim_c or any(a > b for a, b in zip(low, high, strict=True)):
            raise NegoError(f"The range of an action has {dim_c} least and {dim_c} greatest values.")
        counts = tuple(map(int, ncats)) if isinstance(ncats, Iterable) else (int(ncats),) * dim_d
        if len(counts) != dim_d or any(count < 1 for count in counts):
            raise NegoError(f"ncats of an action has {dim_d} numbers of categories, each 1 or more.")
        self.dim_c, self.dim_d, self.range, self.ncats = int(dim_c), int(dim_d), (low, high), counts
        self.reset()

    def reset(self) -> None:
        """Make the action neutral."""
        low, high = self.range
        self.c = array("f", (min(max(NEUTRAL, a), b) for a, b in zip(low, high, strict=True)))
        self.d = array("q", (NEUTRAL,) * self.dim_d)

    def set_values(self, values: VectorAction | Mapping[str, Any] | Iterable[float]) -> None:
        """Set the values, clipped to their ranges.

        Args:
            values: All numbers in order, first the continuous ones; another action; or ``{"c": …, "d": …}``,
                where what is missing keeps its values.

        Raises:
            NegoError: If there are too few or too many, a number is not finite, or the number of a category
                is not whole. Nothing is changed then.
        """
        c: Iterable[float]
        d: Iterable[float]
        if isinstance(values, VectorAction):
            c, d = values.c, values.d
        elif isinstance(values, Mapping):
            if strange := [key for key in values if key not in _KEYS]:
                raise NegoError(f"The values of an action are c and d, not {strange[0]!r}.")
            c, d = values.get("c", self.c), values.get("d", self.d)
        else:
            numbers = _floats(values)
            if len(numbers) != self.dim_c + self.dim_d:
                raise NegoError(
                    f"This action has {self.dim_c + self.dim_d} numbers, and here are {len(numbers)}."
                )
            c, d = numbers[: self.dim_c], numbers[self.dim_c :]
        self._set(_floats(c), _floats(d))

    def _set(self, c: Sequence[float], d: Sequence[float]) -> None:
        for name, given, size in (("c", c, self.dim_c), ("d", d, self.dim_d)):
            if len(given) != size:
                raise NegoError(f"{name} of this action has {size} numbers, and here are {len(given)}.")
        if whole := [number for number in d if number != int(number)]:
            raise NegoError(f"The number of a category is whole, not {whole[0]:g}.")
        low, high = self.range
        self.c = array("f", (min(max(x, a), b) for x, a, b in zip(c, low, high, strict=True)))
        self.d = array("q", (min(max(int(x), 0), n - 1) for x, n in zip(d, self.ncats, strict=True)))

    def vector(self) -> array[float]:
        """Return all numbers, 32 bits each: the continuous ones, then the choices."""
        return array("f", [*self.c, *self.d])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """Return the vector as a NumPy array, float32 unless another type is requested; called by NumPy."""
        if copy is False:
            raise ValueError("An action is always copied into a NumPy array; leave copy out.")
        # NumPy calls this, so it is loaded; this package does not import it.
        return sys.modules["numpy"].asarray(self.vector(), dtype=dtype)

    def to_dict(self) -> dict[str, list[float] | list[int]]:
        """Return the values as lists, for JSON: ``c`` and ``d``."""
        return {"c": self.c.tolist(), "d": self.d.tolist()}

    def copy(self) -> Self:
        """Return an action with the same ranges and values, which changes on its own."""
        other = type(self)(self.dim_c, self.dim_d, self.range, self.ncats)
        other.c, other.d = array("f", self.c), array("q", self.d)
        return other

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, VectorAction):
            return NotImplemented
        mine, theirs = (self.range, self.ncats), (other.range, other.ncats)
        return (self.c, self.d, mine) == (other.c, other.d, theirs)

    # Its values change, so it is no key of a dict.
    __hash__ = None  # type: ignore[assignment]  # how Python says that a class has no hash

    def __repr__(self) -> str:
        return f"VectorAction(c={self.c.tolist()}, d={self.d.tolist()})"


def _floats(values: Iterable[float]) -> tuple[float, ...]:
    """Return numbers as a tuple.

    Raises:
        NegoError: If one of them is no finite number.
    """
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise NegoError(f"The values of an action are numbers, not {type(values).__name__}.")
    numbers: tuple[Any, ...] = tuple(values)
    for number in numbers:
        if isinstance(number, bool) or not isinstance(number, Real) or not isfinite(number):
            raise NegoError(f"A value of an action is a finite number, not {number!r}.")
    return tuple(map(float, numbers))
