"""Choices by a factor: ``{"by": "emotion"}`` stands for a value that depends on the participant's cell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from negoplatform.domain.errors import InputFileError
from negoplatform.formats.strict_json import dotted_path, preview

BY = "by"

FIXED_KEYS = ("schema", "name", "version", "languages", "codes", "factors", "design")
"""Keys of a study that are the same for all participants."""

Place = tuple[int | str, ...]


def check_choices(document: Mapping[str, Any], path: object) -> None:
    """Check every choice of a study: its factor exists, and each level has a value.

    Raises:
        InputFileError: With the place and the reason.
    """
    factors = document.get("factors", {})
    factors = factors if isinstance(factors, dict) else {}
    for place, choice in _choices(document, ()):
        where = dotted_path(place)
        if place[0] in FIXED_KEYS:
            raise InputFileError(path, where, f"{place[0]} is the same for all participants; write a value")
        if place[-1] in ("id", "kind"):
            raise InputFileError(
                path, where, f"the {place[-1]} of a stage is the same in all cells; use when"
            )
        factor = choice[BY]
        if not isinstance(factor, str) or factor not in factors:
            there = ", ".join(factors) or "none"
            raise InputFileError(path, where, f"there is no factor {preview(factor)}; there is {there}")
        levels = factors[factor]
        levels = [level for level in levels if isinstance(level, str)] if isinstance(levels, list) else []
        given = [key for key in choice if key != BY]
        if unknown := [key for key in given if key not in levels]:
            raise InputFileError(
                path, where, f"the factor {factor} has no level {unknown[0]!r}; it has {', '.join(levels)}"
            )
        if given and (lacking := [level for level in levels if level not in given]):
            raise InputFileError(path, where, f"there is no value for the level {lacking[0]!r} of {factor}")


def resolve_choices(value: Any, cell: Mapping[str, str]) -> Any:
    """Return a value with every choice replaced by the value for a cell; the choices have been checked."""
    if isinstance(value, dict):
        if BY in value:
            level = cell[value[BY]]
            return resolve_choices(value[level], cell) if len(value) > 1 else level
        return {key: resolve_choices(part, cell) for key, part in value.items()}
    if isinstance(value, list):
        return [resolve_choices(part, cell) for part in value]
    return value


def factors_used(value: Any) -> set[str]:
    """Return the names of the factors by which anything in a value is chosen."""
    return {choice[BY] for _, choice in _choices(value, ())}


def _choices(value: Any, place: Place) -> Iterator[tuple[Place, Mapping[str, Any]]]:
    if isinstance(value, dict):
        if BY in value and place:
            yield place, value
        for key, part in value.items():
            yield from _choices(part, (*place, key))
    elif isinstance(value, list):
        for i, part in enumerate(value):
            yield from _choices(part, (*place, i))


def outline(stages: Sequence[Any]) -> list[Any]:
    """Return the ids and kinds of stages, also of nested ones: what must not differ between cells."""
    found: list[Any] = []
    for stage in stages:
        if isinstance(stage, dict):
            inner = [
                outline(stage[key])
                for key in ("stages", "between", "rounds")
                if isinstance(stage.get(key), list)
            ]
            found.append((stage.get("id"), stage.get("kind"), inner))
        else:
            found.append(None)
    return found
