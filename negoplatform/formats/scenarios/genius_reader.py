"""Reader of Genius scenarios: a domain and utility spaces in XML.

The formulas are those of Genius 10 (``AdditiveUtilitySpace``, ``EvaluatorDiscrete``, ``EvaluatorInteger``,
``EvaluatorReal``, ``NonlinearUtilitySpace``): an evaluation is divided by the highest one of its issue,
weights are used as they are, and the utility is at most 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from xml.etree.ElementTree import Element

from negoplatform.domain.errors import InputFileError
from negoplatform.formats.scenarios.genius_rectangles import read_rectangles
from negoplatform.formats.scenarios.genius_xml import attribute
from negoplatform.formats.scenarios.number_grids import integer_grid, real_grid
from negoplatform.formats.scenarios.scenario import (
    Scenario,
    ScenarioIssue,
    ScenarioProfile,
    written_number,
)

DOMAIN_TAG = "negotiation_template"
PROFILE_TAG = "utility_space"

LEAST_MAXIMUM = Fraction(1, 100_000)
"""Highest evaluation of an issue below which Genius evaluates every value as 0."""

ADDITIVE_TYPES = ("", "linear", "any", "uncertain")
"""Types of utility spaces that are sums over issues."""

SOURCE = "Genius"


@dataclass(frozen=True, slots=True)
class GeniusDomain:
    """Issues of a domain by index, in the order of the file."""

    name: str
    issues: Mapping[int, ScenarioIssue]
    remarks: tuple[str, ...] = ()


def genius_scenario(
    domain: tuple[Path, Element], profiles: Sequence[tuple[Path, Element]], steps: int | None
) -> Scenario:
    """Return the scenario of a domain and its profiles.

    Args:
        domain: The file of the domain, and its root element; a profile's, if there is no domain.
        profiles: The files of the profiles, and their root elements.
        steps: Into how many steps the range of a real issue is divided; None: real issues are refused.

    Raises:
        InputFileError: If something in the files cannot be said exactly; with file, place and reason.
    """
    read = _read_domain(*domain, steps)
    return Scenario(
        name=read.name,
        issues=tuple(read.issues.values()),
        profiles=tuple(_read_profile(path, root, read) for path, root in profiles),
        source=SOURCE,
        remarks=read.remarks,
    )


def _read_domain(path: Path, root: Element, steps: int | None) -> GeniusDomain:
    issues: dict[int, ScenarioIssue] = {}
    remarks: list[str] = []
    for element in _issues(root):
        index = _index(element, path)
        if index in issues:
            raise InputFileError(
                path, _place(element), f"two issues have the index {index}; give one of them another index"
            )
        issues[index], remark = _domain_issue(element, path, steps)
        remarks += [remark] if remark else []
    if not issues:
        raise InputFileError(path, "", "there is no issue in it")
    return GeniusDomain(path.stem, issues, tuple(remarks))


def _issues(parent: Element) -> Iterator[Element]:
    """Yield the issues of objectives, but not elements of the same name in the rules of constraint spaces."""
    for child in parent:
        if child.tag == "issue":
            yield child
        elif child.tag in (PROFILE_TAG, "objective"):
            yield from _issues(child)


def _domain_issue(element: Element, path: Path, steps: int | None) -> tuple[ScenarioIssue, str]:
    """Return an issue, and a remark about it."""
    title, where = attribute(element, "name", path, _place(element)), _place(element)
    match _type_of(element):
        case "discrete":
            listed = [attribute(item, "value", path, where) for item in element.findall("item")]
            if not listed:
                raise InputFileError(path, where, "the issue has no values")
            values = tuple(dict.fromkeys(listed))
            twice = f"The issue {title} has values that appear twice; they are one value."
            return ScenarioIssue(title, values), twice if len(values) < len(listed) else ""
        case "integer":
            return integer_grid(title, *_bounds(element, path, where), path, where), ""
        case "real":
            low, high = _bounds(element, path, where)
            issue = real_grid(title, low, high, steps, path, where)
            return (
                issue,
                f"The real issue {title} became the numbers from {low} to {high} in steps of {issue.step}.",
            )
        case other:
            raise InputFileError(
                path,
                where,
                f"an issue of the type {other!r} cannot be imported; discrete, integer and real can",
            )


def _read_profile(path: Path, root: Element, domain: GeniusDomain) -> ScenarioProfile:
    kind = root.get("type", "").lower()
    if kind not in (*ADDITIVE_TYPES, "nonlinear"):
        raise InputFileError(path, "", f"a utility space of the type {kind!r} cannot be imported")
    reservation = _setting(root, "reservation")
    plain = ScenarioProfile(
        name=path.stem,
        weights=(),
        evaluations=(),
        at_most=Fraction(1),
        reservation=Fraction(0) if reservation is None else reservation,
        discount=_valid_discount(_setting(root, "discount_factor")),
        file=path.name,
        remarks=("Its uncertainty is left out: a seat knows its own points.",) if kind == "uncertain" else (),
    )
    if kind == "nonlinear":
        return read_rectangles(plain, path, root, domain.issues)
    found, weights, evaluations = _issues_and_weights(root, path), [], []
    for index, issue in domain.issues.items():
        if index not in found:
            reason = f"the issue {issue.title!r} with the index {index} is missing"
            raise InputFileError(path, "", reason)
        element, weight = found[index]
        if weight is None:
            raise InputFileError(path, _place(element), f"the issue {issue.title!r} has no weight")
        weights.append(Fraction(written_number(weight, path, f"weight {index}")))
        evaluations.append(_evaluations(element, issue, path))
    return replace(plain, weights=tuple(weights), evaluations=tuple(evaluations))


def _issues_and_weights(root: Element, path: Path) -> dict[int, tuple[Element, str | None]]:
    """Return a profile's issues by index, each with its weight from the same level."""
    found: dict[int, tuple[Element, str | None]] = {}
    for parent in root.iter():
        issues = parent.findall("issue")
        weights = {w.get("index", "").strip(): w.get("value") for w in parent.findall("weight") if issues}
        for element in issues:
            index = _index(element, path)
            found[index] = element, weights.get(str(index))
    return found


def _evaluations(element: Element, issue: ScenarioIssue, path: Path) -> tuple[Fraction, ...]:
    """Return the evaluation of every level of an issue, as Genius computes it."""
    where, kind = _place(element), _type_of(element)
    if kind == "discrete" and not issue.step:
        return _discrete(element, issue, path)
    numbers = [Fraction(number) for number in issue.numbers]
    evaluator = element.find("evaluator")
    if kind == "integer" and issue.step:
        low = _lower_bound(element, issue, path)
        slope, offset = (_parameter(evaluator, name, path, where) for name in ("slope", "offset"))
        return tuple(_clipped(slope * (number - low) + offset) for number in numbers)
    if kind == "real" and issue.step:
        if evaluator is None:
            raise InputFileError(path, where, f"the issue {issue.title!r} has no evaluator")
        return tuple(_real(numbers, evaluator, path, where))
    raise InputFileError(path, where, f"the issue {issue.title!r} is {kind} here, but not in the domain")


def _discrete(element: Element, issue: ScenarioIssue, path: Path) -> tuple[Fraction, ...]:
    given: dict[str, Fraction] = {}
    # Items further inside belong to a similarity_function, and are no evaluations.
    for item in element.findall("item"):
        text = item.get("evaluation", "null")
        if text != "null":
            value = attribute(item, "value", path, _place(element))
            given[value] = Fraction(written_number(text, path, f"{_place(element)}, value {value!r}"))
    for value in issue.values:
        if value not in given:
            reason = f"the value {value!r} of the issue {issue.title!r} has no evaluation"
            raise InputFileError(path, _place(element), reason)
    # Values that the domain does not have count as well.
    highest = max(given.values())
    if highest < LEAST_MAXIMUM:
        return (Fraction(0),) * len(issue.values)
    return tuple(given[value] / highest for value in issue.values)


def _real(numbers: Iterable[Fraction], evaluator: Element, path: Path, where: str) -> Iterable[Fraction]:
    def parameter(i: int) -> Fraction:
        name = f"parameter{i}"
        return Fraction(written_number(attribute(evaluator, name, path, where), path, f"{where}, {name}"))

    match evaluator.get("ftype", "").lower():
        case "linear":
            return [_clipped(parameter(0) + parameter(1) * number) for number in numbers]
        case "constant":
            return [parameter(0) for _ in numbers]
        case "triangular":
            return [_triangle(number, parameter(0), parameter(1), parameter(2)) for number in numbers]
        case other:
            raise InputFileError(
                path,
                where,
                f"an evaluator of the ftype {other!r} cannot be imported; linear, constant, triangular can",
            )


def _triangle(number: Fraction, low: Fraction, high: Fraction, top: Fraction) -> Fraction:
    if low <= number < top:
        return (number - low) / (top - low)
    if max(low, top) <= number < high:
        return 1 - (number - top) / (high - top)
    return Fraction(0)


def _clipped(value: Fraction) -> Fraction:
    return min(Fraction(1), max(Fraction(0), value))


def _parameter(evaluator: Element | None, name: str, path: Path, where: str) -> Fraction:
    """Return a parameter of an integer evaluator, which is 0 where the file has no evaluator."""
    if evaluator is None:
        return Fraction(0)
    return Fraction(written_number(attribute(evaluator, name, path, where), path, f"{where}, {name}"))


def _lower_bound(element: Element, issue: ScenarioIssue, path: Path) -> Fraction:
    """Return the lower bound that a profile has for an integer issue; the domain's where it has none."""
    bound = element.get("lowerbound")
    if bound is None:
        return Fraction(issue.low)
    return Fraction(written_number(bound, path, f"{_place(element)}, lowerbound"))


def _bounds(element: Element, path: Path, where: str) -> tuple[Decimal, Decimal]:
    """Return the bounds of an issue, which stand at the issue or at a ``range`` inside of it."""
    holder = element
    if element.get("lowerbound") is None and (inside := element.find("range")) is not None:
        holder = inside
    low, high = (
        written_number(attribute(holder, name, path, where), path, f"{where}, {name}")
        for name in ("lowerbound", "upperbound")
    )
    return low, high


def _setting(root: Element, tag: str) -> Fraction | None:
    """Return the last number under a tag; None if there is none, or something else than a number."""
    found = None
    for parent in root.iter():
        element = parent.find(tag)
        if element is not None:
            try:
                found = Fraction(written_number(element.get("value", ""), "", tag))
            except InputFileError:
                continue
    return found


def _valid_discount(factor: Fraction | None) -> Fraction:
    """Return a discount factor; 1 for one that Genius ignores."""
    return factor if factor is not None and 0 < factor <= 1 else Fraction(1)


def _type_of(element: Element) -> str:
    """Return the type of an issue: ``type`` alone counts, and an issue without one is discrete."""
    return element.get("type", "discrete").lower()


def _index(element: Element, path: Path) -> int:
    text = attribute(element, "index", path, _place(element)).strip()
    if not text.lstrip("-").isdecimal() or len(text) > 9:
        raise InputFileError(path, _place(element), f"the index {text[:20]!r} is no whole number")
    return int(text)


def _place(element: Element) -> str:
    return f"issue {element.get('name', element.get('index', '?'))[:60]}"
