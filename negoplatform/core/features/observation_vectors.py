"""Observations: a requestor's view of all owners in numbers, at one moment."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isfinite
from types import MappingProxyType
from typing import Any, Self

from negoplatform.core.features.numeric_feature_set import FeatureState
from negoplatform.domain.errors import NegoError


@dataclass(frozen=True, eq=False)
class Observation:
    """A requestor's observation, as arrays of 32-bit numbers and nothing else.

    Built afresh for each request, from copies: nothing in it leads back to a state. Two are equal if all
    their numbers are. NumPy accepts it directly: ``numpy.asarray(observation)`` is its :meth:`vector`.

    Args:
        local: The requestor's own visible features: vectors by feature.
        global_info: The visible features of all others: vectors by feature, by owner. May be nested deeper.
        timestamp: The session time, in seconds.

    Raises:
        TypeError: If anything in it is no array of 32-bit numbers (``array('f')``) or no name is a text.
        ValueError: If a number is not finite.
    """

    local: Mapping[str, array[float]]
    global_info: Mapping[str, Any]
    timestamp: float

    def __post_init__(self) -> None:
        local = _copied("local", self.local)
        for name, numbers in local.items():
            if not isinstance(numbers, array):
                raise TypeError(f"local/{name} is an array of numbers, not {type(numbers).__name__}.")
        if not isfinite(self.timestamp):
            raise ValueError("The timestamp of an observation is a finite number of seconds.")
        object.__setattr__(self, "local", local)
        object.__setattr__(self, "global_info", _copied("global_info", self.global_info))
        object.__setattr__(self, "timestamp", float(self.timestamp))

    def vector(self) -> array[float]:
        """Return all numbers, 32 bits each: ``local``, then ``global_info``, names sorted on every level.

        The length depends on what is visible: on the game, the seat and the level, not on the moment.
        """
        numbers = array("f")
        for part in (self.local, self.global_info):
            for found in _arrays(part):
                numbers.extend(found)
        return numbers

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """Return the vector as a NumPy array, float32 unless another type is requested; called by NumPy."""
        if copy is False:
            raise ValueError("An observation is always copied into a NumPy array; leave copy out.")
        # NumPy calls this, so it is loaded; this package does not import it.
        return sys.modules["numpy"].asarray(self.vector(), dtype=dtype)

    def to_dict(self) -> dict[str, Any]:
        """Return the values with lists for arrays, for JSON: ``timestamp``, ``local``, ``global_info``."""
        return {
            "timestamp": self.timestamp,
            "local": _lists(self.local),
            "global_info": _lists(self.global_info),
        }

    @classmethod
    def from_dict(cls, body: Mapping[str, Any]) -> Self:
        """Return the observation from the output of :meth:`to_dict`.

        Raises:
            NegoError: If it is not of that shape.
        """
        if not isinstance(body, Mapping) or set(body) != {"timestamp", "local", "global_info"}:
            raise NegoError("An observation has a timestamp, local and global_info, and nothing else.")
        timestamp = body["timestamp"]
        if isinstance(timestamp, bool) or not isinstance(timestamp, int | float):
            raise NegoError("The timestamp of an observation is a number of seconds.")
        try:
            return cls(_read("local", body["local"]), _read("global_info", body["global_info"]), timestamp)
        except (TypeError, ValueError, OverflowError) as problem:
            raise NegoError(str(problem)) from None

    def __reduce__(self) -> tuple[Any, tuple[dict[str, Any]]]:
        return type(self).from_dict, (self.to_dict(),)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Observation):
            return NotImplemented
        return self.to_dict() == other.to_dict()

    # Its arrays are writable, so it is no key of a dict.
    __hash__ = None  # type: ignore[assignment]  # how Python says that a class has no hash


def get_local_state(
    states: Mapping[str, FeatureState], requestor_id: str | None, requestor_level: int
) -> dict[str, array[float]]:
    """Return the requestor's own visible features: vectors by feature; empty without a state.

    Args:
        states: All states, by the id of their owner.
        requestor_id: The requestor; None without a name.
        requestor_level: 1 for a seat, 2 for a principal, 3 for the system.
    """
    if requestor_id is None or requestor_id not in states:
        return {}
    return _owned(states, requestor_id).observed_by(requestor_id, requestor_level)


def get_global_states(
    states: Mapping[str, FeatureState], requestor_id: str | None, requestor_level: int
) -> dict[str, dict[str, array[float]]]:
    """Return the visible features of all others: vectors by feature, by owner, without empty owners.

    Args:
        states: All states, by the id of their owner.
        requestor_id: The requestor; None without a name.
        requestor_level: 1 for a seat, 2 for a principal, 3 for the system.
    """
    seen = {
        owner: _owned(states, owner).observed_by(requestor_id, requestor_level)
        for owner in states
        if owner != requestor_id
    }
    return {owner: vectors for owner, vectors in seen.items() if vectors}


def get_observation(
    states: Mapping[str, FeatureState], requestor_id: str | None, requestor_level: int, timestamp: float
) -> Observation:
    """Return a requestor's observation of all owners, itself included.

    Args:
        states: All states, by the id of their owner.
        requestor_id: The requestor; None without a name.
        requestor_level: 1 for a seat, 2 for a principal, 3 for the system.
        timestamp: The session time, in seconds.
    """
    return Observation(
        local=get_local_state(states, requestor_id, requestor_level),
        global_info=get_global_states(states, requestor_id, requestor_level),
        timestamp=timestamp,
    )


def _owned(states: Mapping[str, FeatureState], owner: str) -> FeatureState:
    state = states[owner]
    # Under another's name, a requestor would see an owner's features as its own.
    if state.owner_id != owner:
        raise ValueError(f"The state of {state.owner_id} is kept under the name of {owner}.")
    return state


def _copied(where: str, part: object) -> Mapping[str, Any]:
    if not isinstance(part, Mapping):
        raise TypeError(f"{where} is a mapping of names to arrays, not {type(part).__name__}.")
    copied: dict[str, Any] = {}
    for name, found in part.items():
        if not isinstance(name, str):
            raise TypeError(f"A name in {where} is a text, not {type(name).__name__}.")
        if not isinstance(found, array):
            copied[name] = _copied(f"{where}/{name}", found)
        elif found.typecode != "f":
            raise TypeError(f"{where}/{name} is an array of type {found.typecode!r}; make it array('f').")
        elif not all(map(isfinite, found)):
            raise ValueError(f"{where}/{name} has a number that is not finite.")
        else:
            copied[name] = array("f", found)
    return MappingProxyType(copied)


def _arrays(part: Mapping[str, Any]) -> Iterator[array[float]]:
    for name in sorted(part):
        found = part[name]
        if isinstance(found, array):
            yield found
        else:
            yield from _arrays(found)


def _lists(part: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: found.tolist() if isinstance(found, array) else _lists(found) for name, found in part.items()
    }


def _read(where: str, part: object) -> dict[str, Any]:
    if not isinstance(part, Mapping):
        raise TypeError(f"{where} holds lists of numbers by name, not {type(part).__name__}.")
    return {
        name: _numbers(f"{where}/{name}", found)
        if isinstance(found, list)
        else _read(f"{where}/{name}", found)
        for name, found in part.items()
    }


def _numbers(where: str, found: list[Any]) -> array[float]:
    for number in found:
        if isinstance(number, bool) or not isinstance(number, int | float):
            raise TypeError(f"{where} is a list of numbers; {type(number).__name__} is none.")
    return array("f", found)
