"""Features: information about an owner as numbers, each with its own visibility."""

from __future__ import annotations

import inspect
import sys
from array import array
from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, fields
from numbers import Integral, Real
from typing import Any, ClassVar, Self, TypeVar, cast, dataclass_transform

from negoplatform.core.visibility_rule import is_visible
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import Visibility

LARGEST_VALUE = 3.4028234663852886e38
"""Largest absolute value of a feature's number: the largest one that 32 bits hold."""

FeatureValue = bool | int | float | tuple[float, ...]
"""Value of a field of a feature."""

T = TypeVar("T")

# Kept for the whole program: snapshots name classes.
_classes: dict[str, type[Feature]] = {}


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Feature:
    """A few numbers that belong together; a subclass declares them and their visibility.

    A subclass declares annotated fields with defaults: numbers, booleans, or tuples of numbers. Features are
    immutable; :meth:`set_values` returns a new one. A tuple keeps the length of its default; where the
    default is empty, each feature fixes the length when it is created. All values are finite, within 32 bits,
    and clipped to ``ranges``.

        class Charge(Feature):
            visibility = ["public"]
            ranges = {"soc": (0.0, 1.0)}

            soc: float = 0.5
            capacity: float = 100.0

    Every subclass is registered under its name. A second one of that name is an error, except with the
    class keyword ``replace=True`` for a class of the same file that is loaded again.

    Raises:
        NegoError: If a value does not fit its field.
        TypeError: When the class is defined, if the definition is wrong.
    """

    visibility: ClassVar[Sequence[str]] = (Visibility.OWNER,)
    """Audience: any one of these suffices. A feature may have its own, see :meth:`with_visibility`.
    """
    ranges: ClassVar[Mapping[str, tuple[float, float]]] = {}
    """Least and greatest value by field; values beyond are clipped."""
    feature_name: ClassVar[str] = "Feature"
    """The name of the class."""
    _defaults: ClassVar[Mapping[str, Any]] = {}
    """Default of each field, in the order of their declaration."""

    def __init_subclass__(cls, *, replace: bool = False, **more: object) -> None:
        super().__init_subclass__(**more)
        declared = [name for name, kind in inspect.get_annotations(cls).items() if not _is_class_var(kind)]
        for name in declared:
            if name.startswith("_") or hasattr(Feature, name):
                raise TypeError(f"{cls.__name__}.{name} cannot be a field; choose another name.")
            if name not in cls.__dict__:
                raise TypeError(f"{cls.__name__}.{name} needs a default, such as 0.0.")
            if isinstance(cls.__dict__[name], list):
                setattr(cls, name, tuple(cls.__dict__[name]))
        cls.feature_name = cls.__name__
        try:
            # In place, so that the registry and the author hold the same class; slots would create another
            # one.
            dataclass(frozen=True, kw_only=True, eq=False)(cls)
            cls._defaults = {f.name: f.default for f in fields(cast("Any", cls))}
            cls.visibility = _parse_visibility(cls.__name__, cls.visibility)
            _check_ranges(cls)
            cls()
        except (NegoError, ValueError) as problem:
            raise TypeError(str(problem)) from None
        register(_classes, cls, replace=replace)

    def __post_init__(self) -> None:
        for name, default in self._defaults.items():
            value = _coerce(self._where(name), getattr(self, name), default, self.ranges.get(name))
            if isinstance(default, tuple) and default:
                _check_length(self._where(name), value, len(default))
            object.__setattr__(self, name, value)

    @classmethod
    def _where(cls, name: str) -> str:
        return f"{cls.feature_name}.{name}"

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Return the feature with these values, and defaults for the others.

        Raises:
            NegoError: If it has no such field, or a value does not fit.
        """
        cls._check_names(values)
        return cls(**values)

    def to_dict(self) -> dict[str, Any]:
        """Return the values by field, ready for JSON: numbers, booleans, and lists of numbers."""
        return {
            name: list(value) if isinstance(value, tuple) else value for name, value in self._values().items()
        }

    def vector(self) -> array[float]:
        """Return all values in the order of their declaration, as 32-bit numbers; booleans are 0 or 1."""
        numbers = array("f")
        for value in self._values().values():
            numbers.extend(value if isinstance(value, tuple) else (value,))
        return numbers

    def set_values(self, /, **values: Any) -> Self:
        """Return the same feature with other values, clipped to their ranges. A tuple keeps its length.

        Raises:
            NegoError: If it has no such field, or a value does not fit.
        """
        self._check_names(values)
        current = self._values()
        changed = type(self)(**{**current, **values})._set_visibility(self.visibility)
        for name in values:
            before = current[name]
            if isinstance(before, tuple):
                _check_length(self._where(name), changed._values()[name], len(before))
        return changed

    def with_visibility(self, *visibility: str) -> Self:
        """Return the same feature with a visibility of its own in place of its class's.

        Raises:
            NegoError: If there is no such visibility, or none is given.
        """
        return copy(self)._set_visibility(_parse_visibility(self.feature_name, visibility))

    def is_observable_by(
        self, requestor_id: str | None, requestor_level: int, owner_id: str, owner_level: int
    ) -> bool:
        """Return whether a requestor may see this feature of an owner, where no principal is registered.

        :meth:`FeatureState.observed_by` also takes the owner's registered principal into account.
        """
        return is_observable(self, requestor_id, requestor_level, owner_id, owner_level, None)

    def _set_visibility(self, visibility: Sequence[str]) -> Self:
        if visibility != self.visibility:
            object.__setattr__(self, "visibility", visibility)
        return self

    def _values(self) -> dict[str, FeatureValue]:
        return {name: getattr(self, name) for name in self._defaults}

    @classmethod
    def _check_names(cls, values: Mapping[str, Any]) -> None:
        there = cls._defaults
        for name in values:
            if name not in there:
                raise NegoError(
                    f"{cls.feature_name} has no {name!r}; it has {', '.join(there) or 'nothing'}."
                )

    def __eq__(self, other: object) -> bool:
        return (
            type(other) is type(self)
            and isinstance(other, Feature)
            and self._values() == other._values()
            and self.visibility == other.visibility
        )

    def __hash__(self) -> int:
        return hash((self.feature_name, *self._values().values()))


def feature_names() -> tuple[str, ...]:
    """Return the names of all features, sorted."""
    return tuple(sorted(_classes))


def feature_class(name: str) -> type[Feature]:
    """Return the feature class of this name.

    Raises:
        NegoError: If there is none.
    """
    found = _classes.get(name)
    if found is None:
        raise NegoError(f"There is no feature {name!r}; define or load its class first.")
    return found


def is_observable(
    feature: Feature,
    requestor_id: str | None,
    requestor_level: int,
    owner_id: str,
    owner_level: int,
    upstream: str | None,
    allies: Collection[str] = (),
) -> bool:
    """Return whether a requestor may see a feature of an owner with this registered principal and team."""
    return any(
        is_visible(
            Visibility(rule),
            requestor_id,
            requestor_level,
            owner_id,
            owner_level,
            upstream=upstream,
            allies=allies,
        )
        for rule in feature.visibility
    )


def _is_class_var(kind: object) -> bool:
    """Return whether an annotation is a ClassVar; annotations are texts where a module postpones them."""
    text = kind if isinstance(kind, str) else repr(kind)
    return text.removeprefix("typing.").startswith("ClassVar")


def _parse_visibility(where: str, declared: Iterable[str]) -> tuple[Visibility, ...]:
    if isinstance(declared, str):
        raise NegoError(f"The visibility of {where} is a list: [{str(declared)!r}].")
    rules = []
    for name in declared:
        if name not in list(Visibility):
            there = ", ".join(Visibility)
            raise NegoError(f"The visibility of {where} is one or more of {there}; not {name!r}.")
        rules.append(Visibility(name))
    if not rules:
        raise NegoError(f"The visibility of {where} is empty; leave it out, and the owner sees it.")
    return tuple(dict.fromkeys(rules))


def _check_ranges(cls: type[Feature]) -> None:
    there = cls._defaults
    for name, (low, high) in cls.ranges.items():
        if name not in there or isinstance(there[name], bool):
            raise NegoError(f"{cls.__name__} has a range for {name!r}, which is no number of it.")
        if not low <= high:
            raise NegoError(f"The range of {cls.__name__}.{name} goes from the least to the greatest value.")


def register(registry: dict[str, type[T]], cls: type[T], *, replace: bool) -> None:
    """Register a class under its name, so that a snapshot can name it.

    Args:
        registry: The classes so far.
        cls: The class.
        replace: Whether it replaces the same class of the same file, loaded earlier.

    Raises:
        TypeError: If the name is taken.
    """
    there = registry.get(cls.__name__)
    # Only a class that is registered already may be replaced: otherwise a foreign class could take another's
    # name, and with it the decision about visibility.
    if there is not None and not (replace and _source(there) == _source(cls)):
        raise TypeError(
            f"There is already a class {cls.__name__} in {_source(there)[0]}; choose another name, or, "
            f"if this is the same file loaded again, write class {cls.__name__}(..., replace=True)."
        )
    registry[cls.__name__] = cls


def _source(cls: type) -> tuple[str, str]:
    """Return the origin of a class: its file, or its module where there is no file, and its full name."""
    module = sys.modules.get(cls.__module__)
    return getattr(module, "__file__", None) or cls.__module__, cls.__qualname__


def _coerce(
    where: str, value: object, default: FeatureValue, limits: tuple[float, float] | None
) -> FeatureValue:
    """Return a value as its field holds it: plain, finite and within its range."""
    if isinstance(default, tuple):
        if isinstance(value, str | bytes) or not isinstance(value, Sequence | array):
            raise NegoError(f"{where} is a list of numbers, not {type(value).__name__}.")
        return tuple(_clipped(_number(where, item), limits) for item in value)
    if isinstance(default, bool) is not isinstance(value, bool):
        wanted = "true or false" if isinstance(default, bool) else "a number"
        raise NegoError(f"{where} is {wanted}, not {type(value).__name__}.")
    return _clipped(_number(where, value), limits)


def _number(where: str, value: object) -> float:
    if type(value) is bool:
        return value
    plain: float
    if type(value) is int or type(value) is float:
        plain = value
    elif isinstance(value, Real):
        # A foreign kind of number, such as NumPy's, becomes a plain one.
        plain = int(value) if isinstance(value, Integral) else float(value)
    else:
        raise NegoError(f"{where} is a number, not {type(value).__name__}.")
    if not abs(plain) <= LARGEST_VALUE:
        raise NegoError(f"{where} is a finite number that fits into 32 bits.")
    return plain


def _clipped(value: float, limits: tuple[float, float] | None) -> float:
    return value if limits is None else min(max(value, limits[0]), limits[1])


def _check_length(where: str, value: FeatureValue, length: int) -> None:
    if isinstance(value, tuple) and len(value) != length:
        raise NegoError(f"{where} has {length} numbers, not {len(value)}.")
