"""Features of one owner, and the filter of what a requestor may see of them."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, Self

from negoplatform.core.features.numeric_features import Feature, feature_class, is_observable, register
from negoplatform.domain.errors import NegoError

_classes: dict[str, type[FeatureState]] = {}
"""Classes of feature states by name, for snapshots, which name their class."""

_KEYS = frozenset({"_owner_id", "_owner_level", "_state_type", "features"})
_MORE_KEYS = frozenset({"_upstream", "_visibility", "_allies", "_shared"})


@dataclass(frozen=True, init=False)
class FeatureState:
    """All features of one owner. Iterating gives them in order.

    Subclasses need no body; a snapshot names its class, and is restored to it.

    Args:
        owner_id: The owner: a seat, a principal, ``platform``.
        owner_level: 1 for a seat, 2 for a principal, 3 for the session.
        features: The features, in the order in which :meth:`vector` has them.
        upstream: The owner's registered principal, the only ``upper_level`` requestor; None: any requestor
            one level above.
        allies: The other members of the owner's team.
        shared: The names of the features that the team shares: allies see them whatever their visibility.

    Raises:
        NegoError: If two features have the same name, or there is no such level.
    """

    owner_id: str
    owner_level: int
    features: Mapping[str, Feature]
    upstream: str | None
    allies: tuple[str, ...]
    shared: tuple[str, ...]

    def __init__(
        self,
        owner_id: str,
        owner_level: int,
        features: Iterable[Feature] = (),
        upstream: str | None = None,
        *,
        allies: Iterable[str] = (),
        shared: Iterable[str] = (),
    ) -> None:
        if not isinstance(owner_id, str) or not owner_id:
            raise NegoError("A state needs the id of its owner as text.")
        if type(owner_level) is not int or owner_level < 1:
            raise NegoError(f"The level of {owner_id} is a whole number from 1 up.")
        by_name: dict[str, Feature] = {}
        for feature in features:
            if by_name.setdefault(feature.feature_name, feature) is not feature:
                raise NegoError(f"{owner_id} has two features {feature.feature_name}; one is enough.")
        object.__setattr__(self, "owner_id", owner_id)
        object.__setattr__(self, "owner_level", owner_level)
        object.__setattr__(self, "features", MappingProxyType(by_name))
        object.__setattr__(self, "upstream", upstream)
        object.__setattr__(self, "allies", tuple(allies))
        object.__setattr__(self, "shared", tuple(shared))

    def __init_subclass__(cls, *, replace: bool = False, **more: object) -> None:
        super().__init_subclass__(**more)
        register(_classes, cls, replace=replace)

    def __iter__(self) -> Iterator[Feature]:
        return iter(self.features.values())

    def __reduce__(self) -> tuple[Callable[..., FeatureState], tuple[object, ...]]:
        build = partial(type(self), allies=self.allies, shared=self.shared)
        return build, (self.owner_id, self.owner_level, tuple(self), self.upstream)

    def _with(self, features: Iterable[Feature]) -> Self:
        """Return the state of the same owner with other features."""
        return type(self)(
            self.owner_id,
            self.owner_level,
            features,
            self.upstream,
            allies=self.allies,
            shared=self.shared,
        )

    def observed_by(self, requestor_id: str | None, requestor_level: int) -> dict[str, array[float]]:
        """Return the vectors of the features that a requestor may see, by name.

        Args:
            requestor_id: The requestor; None without a name.
            requestor_level: 1 for a seat, 2 for a principal, 3 for the system.
        """
        return {
            name: feature.vector()
            for name, feature in self.features.items()
            if (name in self.shared and requestor_id in self.allies)
            or is_observable(
                feature,
                requestor_id,
                requestor_level,
                self.owner_id,
                self.owner_level,
                self.upstream,
                self.allies,
            )
        }

    def update_feature(self, name: str, /, **values: Any) -> Self:
        """Return the same state with other values in one feature.

        Raises:
            NegoError: If there is no such feature or field, or a value does not fit.
        """
        return self.update({name: values})

    def update(self, changes: Mapping[str, Mapping[str, Any]]) -> Self:
        """Return the same state with other values in several features: all of them, or an error.

        Args:
            changes: New values by field, by feature.

        Raises:
            NegoError: If there is no such feature or field, or a value does not fit.
        """
        for name in changes:
            if name not in self.features:
                there = ", ".join(self.features) or "none"
                raise NegoError(f"{self.owner_id} has no feature {name!r}; there are {there}.")
        return self._with(feature.set_values(**changes.get(feature.feature_name, {})) for feature in self)

    def vector(self) -> array[float]:
        """Return the vectors of all features, one after the other, whatever their visibility."""
        numbers = array("f")
        for feature in self:
            numbers.extend(feature.vector())
        return numbers

    def to_dict(self, include_metadata: bool = False) -> dict[str, Any]:
        """Return the values by field, by feature, ready for JSON.

        Args:
            include_metadata: Whether to include the metadata that ``from_dict`` needs. The values are then
                found under ``features``, next to ``_owner_id``, ``_owner_level``, ``_state_type`` and, where
                present, ``_upstream``, ``_allies``, ``_shared`` and ``_visibility`` (of features that have
                their own).
        """
        values = {name: feature.to_dict() for name, feature in self.features.items()}
        if not include_metadata:
            return values
        body: dict[str, Any] = {
            "_owner_id": self.owner_id,
            "_owner_level": self.owner_level,
            "_state_type": type(self).__name__,
            "features": values,
        }
        if self.upstream is not None:
            body["_upstream"] = self.upstream
        for key, names in (("_allies", self.allies), ("_shared", self.shared)):
            if names:
                body[key] = list(names)
        own = {f.feature_name: [*map(str, f.visibility)] for f in self if "visibility" in vars(f)}
        return {**body, "_visibility": own} if own else body

    @classmethod
    def from_dict(cls, body: Mapping[str, Any]) -> Self:
        """Return the state from the output of :meth:`to_dict` with metadata.

        Raises:
            NegoError: If something is missing or unknown: a key, a feature, a class of state, a value.
        """
        _check_keys(body)
        name = body["_state_type"]
        found = _classes.get(name) if isinstance(name, str) else None
        if found is None or not issubclass(found, cls):
            raise NegoError(f"There is no state {name!r} here; define that class first.")
        features = {
            feature_name: feature_class(feature_name).from_dict(_mapping(feature_name, values))
            for feature_name, values in _mapping("features", body["features"]).items()
        }
        for feature_name, rules in _mapping("_visibility", body.get("_visibility", {})).items():
            if feature_name not in features or not isinstance(rules, list):
                raise NegoError(f"_visibility needs a list, and a feature, for {feature_name!r}.")
            features[feature_name] = features[feature_name].with_visibility(*rules)
        return found(
            body["_owner_id"],
            body["_owner_level"],
            features.values(),
            body.get("_upstream"),
            allies=_names("_allies", body),
            shared=_names("_shared", body),
        )


_classes["FeatureState"] = FeatureState


def _check_keys(body: Mapping[str, Any]) -> None:
    there = frozenset(_mapping("A state", body))
    for key in sorted(_KEYS - there):
        raise NegoError(f"A state needs {key!r}; write it with include_metadata=True.")
    for key in sorted(map(str, there - _KEYS - _MORE_KEYS)):
        raise NegoError(f"A state has no {key!r}.")
    if not isinstance(body.get("_upstream", ""), str):
        raise NegoError("_upstream is the id of a principal as text.")


def _names(key: str, body: Mapping[str, Any]) -> list[str]:
    names = body.get(key, [])
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise NegoError(f"{key} is a list of names.")
    return names


def _mapping(where: str, value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise NegoError(f"{where} is a JSON object, not {type(value).__name__}.")
    return value
