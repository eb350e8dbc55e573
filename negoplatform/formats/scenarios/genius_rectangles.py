"""Reader of nonlinear utility spaces of Genius: points for boxes of outcomes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from xml.etree.ElementTree import Element

from negoplatform.domain.errors import InputFileError
from negoplatform.formats.scenarios.genius_xml import attribute
from negoplatform.formats.scenarios.scenario import (
    ScenarioIssue,
    ScenarioProfile,
    ScenarioRectangle,
    written_number,
)


@dataclass
class _Sum:
    """Sum of boxes: the points of all outcomes, of levels of one issue, and of boxes of several issues."""

    always: Fraction = Fraction(0)
    levels: list[list[Fraction]] = field(default_factory=list)
    boxes: list[ScenarioRectangle] = field(default_factory=list)

    def add(self, points: Fraction, box: Mapping[int, frozenset[int]]) -> None:
        """Add points for a box, given by the places of the levels of some issues that are in it."""
        if not all(box.values()):
            return
        if not box:
            self.always += points
        elif len(box) == 1:
            ((issue, inside),) = box.items()
            for level in inside:
                self.levels[issue][level] += points
        else:
            self.boxes.append(ScenarioRectangle(points, tuple(sorted(box.items()))))


def read_rectangles(
    profile: ScenarioProfile, path: Path, root: Element, issues: Mapping[int, ScenarioIssue]
) -> ScenarioProfile:
    """Return a profile with the utility of a nonlinear space: the points of all boxes, over ``maxutility``.

    A box with ``EXCLUDES`` gives its points to the outcomes outside of it, and one without bounds to all.

    Args:
        profile: The profile, without its utility.
        path: Its file.
        root: The root element of the file.
        issues: The issues of the domain, by index.

    Raises:
        InputFileError: If a part of the utility space cannot be imported.
    """
    utility = root.find(".//utility")
    function = None if utility is None else utility.find("ufun")
    if utility is None or function is None:
        raise InputFileError(path, "", "the nonlinear utility space has no utility with a ufun")
    most = _number(utility, "maxutility", path, "utility")
    if most <= 0:
        raise InputFileError(path, "utility", "maxutility must be above 0")
    total = _Sum(levels=[[Fraction(0)] * len(i.levels) for i in issues.values()])
    _add_function(total, function, 1 / most, path, issues)
    total.levels[0] = [points + total.always for points in total.levels[0]]
    return replace(
        profile,
        weights=(Fraction(1),) * len(issues),
        evaluations=tuple(map(tuple, total.levels)),
        rectangles=tuple(total.boxes),
    )


def _add_function(
    total: _Sum, function: Element, factor: Fraction, path: Path, issues: Mapping[int, ScenarioIssue]
) -> None:
    """Add a function's boxes, and those of the functions inside of it, each with its own weight."""
    aggregation = function.get("aggregation", "sum").lower()
    if aggregation != "sum":
        raise InputFileError(
            path, "ufun", f"the aggregation {aggregation!r} cannot be imported; only 'sum' can"
        )
    for rectangle in function.findall("hyperRectangle"):
        where = "hyperRectangle"
        points = factor * _number(rectangle, "utility", path, where) * _weight(rectangle, path, where)
        excluded = rectangle.findall("EXCLUDES")
        box = _box(excluded or rectangle.findall("INCLUDES"), path, issues)
        if excluded:
            total.add(points, {})
            total.add(-points, box)
        else:
            total.add(points, box)
    for inner in function.findall("ufun"):
        # Genius leaves out the weight of the outermost function alone.
        _add_function(total, inner, factor * _weight(inner, path, "ufun"), path, issues)


def _box(bounds: list[Element], path: Path, issues: Mapping[int, ScenarioIssue]) -> dict[int, frozenset[int]]:
    places = {index: place for place, index in enumerate(issues)}
    box: dict[int, frozenset[int]] = {}
    for bound in bounds:
        index = attribute(bound, "index", path, bound.tag).strip()
        number = int(index) if index.isdecimal() and len(index) < 9 else -1
        if number not in issues or not issues[number].step:
            raise InputFileError(path, bound.tag, f"there is no integer issue with the index {index[:20]!r}")
        low, high = (_number(bound, name, path, bound.tag) for name in ("min", "max"))
        inside = frozenset(i for i, level in enumerate(issues[number].numbers) if low <= level <= high)
        box[places[number]] = box.get(places[number], inside) & inside
    return box


def _weight(element: Element, path: Path, where: str) -> Fraction:
    return Fraction(1) if element.get("weight") is None else _number(element, "weight", path, where)


def _number(element: Element, name: str, path: Path, where: str) -> Fraction:
    return Fraction(written_number(attribute(element, name, path, where), path, f"{where}, {name}"))
