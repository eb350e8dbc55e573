"""Drawn Genius scenarios, written as XML, and their utilities computed from the formulas in exact fractions.

Nothing here uses the importer. The formulas are those of Genius 10: an evaluation is divided by the highest
one of its issue (below 1e-5 every value is 0), an integer evaluator is clipped to 0 to 1, weights are taken
as they are, and a utility is at most 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise, product
from random import Random
from xml.sax.saxutils import quoteattr

STEPS = 4
"""Number of steps into which real issues are divided."""

NAMES = ["Colour", "price", "Laptop, kind", '13" screen', " outer spaces ", "2nd issue", "Größe", "a/b&c<d>"]
VALUES = ["Dell", "HP", "€10,000", 'say "yes"', " x ", "x", "10-20", "Café", "a & b", "<none>", "0"]
ENCODINGS = ["utf-8", "cp1252", "undeclared cp1252", "utf-16"]


@dataclass
class DrawnIssue:
    """An issue: values, or the bounds of numbers."""

    index: int
    name: str
    kind: str
    values: list[str] = field(default_factory=list)
    low: Fraction = Fraction(0)
    high: Fraction = Fraction(0)

    @property
    def levels(self) -> list[str] | list[Fraction]:
        if self.kind == "discrete":
            return list(dict.fromkeys(self.values))
        steps = STEPS if self.kind == "real" else int(self.high - self.low)
        return [self.low + (self.high - self.low) * i / max(1, steps) for i in range(steps + 1)]


@dataclass
class DrawnProfile:
    """A profile as it is written: texts of numbers, by the index of the issue."""

    weights: dict[int, str]
    items: dict[int, list[tuple[str, str]]]
    evaluators: dict[int, dict[str, str]]
    discount: str | None
    reservation: str | None

    def utility(self, issues: list[DrawnIssue], outcome: tuple[str | Fraction, ...]) -> Fraction:
        """Return the utility of an outcome."""
        parts = zip(issues, outcome, strict=True)
        return min(Fraction(1), sum((self.unlimited(*part) for part in parts), Fraction(0)))

    def unlimited(self, issue: DrawnIssue, level: str | Fraction) -> Fraction:
        """Return what one level adds to the sum."""
        return Fraction(self.weights[issue.index]) * self._evaluation(issue, level)

    def _evaluation(self, issue: DrawnIssue, level: str | Fraction) -> Fraction:
        if isinstance(level, str):
            given = {value: Fraction(e) for value, e in self.items[issue.index] if e != "null"}
            most = max(given.values())
            return Fraction(0) if most < Fraction("1e-5") else given[level] / most
        own = {name: Fraction(text) for name, text in self.evaluators[issue.index].items() if name != "ftype"}
        if issue.kind == "integer":
            raw = own.get("slope", Fraction(0)) * (level - issue.low) + own.get("offset", Fraction(0))
            return max(Fraction(0), min(Fraction(1), raw))
        match self.evaluators[issue.index]["ftype"]:
            case "linear":
                raw = own["parameter0"] + own["parameter1"] * level
                return max(Fraction(0), min(Fraction(1), raw))
            case "constant":
                return own["parameter0"]
            case _:
                low, high, top = own["parameter0"], own["parameter1"], own["parameter2"]
                if level < low or level >= high:
                    return Fraction(0)
                return (level - low) / (top - low) if level < top else 1 - (level - top) / (high - top)

    @property
    def exact_discount(self) -> Fraction:
        try:
            factor = Fraction(self.discount or "")
        except ValueError:
            return Fraction(1)
        return factor if 0 < factor <= 1 else Fraction(1)

    @property
    def exact_reservation(self) -> Fraction:
        return Fraction(self.reservation or 0)


@dataclass
class DrawnScenario:
    """A domain with two profiles."""

    issues: list[DrawnIssue]
    profiles: list[DrawnProfile]
    files: dict[str, bytes]

    def outcomes(self) -> Iterator[tuple[str | Fraction, ...]]:
        """Yield every outcome, the last issue changing first."""
        return product(*(issue.levels for issue in self.issues))


def drawn_scenario(seed: int) -> DrawnScenario:
    """Return the scenario of a seed."""
    rng = Random(seed)
    count = rng.randint(1, 4)
    indexes = list(range(1, count + 1)) if rng.random() < 0.7 else sorted(rng.sample(range(2, 40), count))
    names = rng.sample(NAMES, count)
    issues = [_issue(rng, index, name) for index, name in zip(indexes, names, strict=True)]
    profiles = [_profile(rng, issues) for _ in range(2)]
    encoding = rng.choice(ENCODINGS)
    files = {"domain.xml": _encoded(_domain_xml(rng, issues), encoding, rng)}
    for name, profile in zip(("first.xml", "second.xml"), profiles, strict=True):
        files[name] = _encoded(_profile_xml(rng, issues, profile), encoding, rng)
    return DrawnScenario(issues, profiles, files)


def _issue(rng: Random, index: int, name: str) -> DrawnIssue:
    kind = rng.choice(["discrete", "discrete", "discrete", "integer", "real"])
    if kind == "discrete":
        values = rng.sample(VALUES, rng.randint(1, 6))
        if rng.random() < 0.1:
            values.append(values[0])
        return DrawnIssue(index, name, kind, values)
    low = rng.randint(-6, 6)
    high = low + rng.randint(0 if kind == "integer" else 1, 7)
    if kind == "integer":
        return DrawnIssue(index, name, kind, [], Fraction(low), Fraction(high))
    return DrawnIssue(
        index, name, kind, [], Fraction(low) + Fraction("0.5"), Fraction(high) + Fraction("0.75")
    )


def _profile(rng: Random, issues: list[DrawnIssue]) -> DrawnProfile:
    weights = _weights(rng, issues)
    items, evaluators = {}, {}
    for issue in issues:
        if issue.kind == "discrete":
            items[issue.index] = _items(rng, issue)
        elif issue.kind == "integer":
            evaluators[issue.index] = {"ftype": "linear", "slope": _decimal(rng), "offset": _decimal(rng)}
            if rng.random() < 0.1:
                evaluators[issue.index] = {}
        else:
            evaluators[issue.index] = _real_evaluator(rng, issue)
    discount = rng.choice([None, None, "0.5", "0.85", "1.0", "1.7", "0.0", "-0.3", "s", "", "NaN"])
    return DrawnProfile(weights, items, evaluators, discount, rng.choice([None, "0.5", "0", "0.0375", "1"]))


def _weights(rng: Random, issues: list[DrawnIssue]) -> dict[int, str]:
    match rng.randrange(4):
        case 0:  # do not sum to 1, and may sum to more
            return {issue.index: rng.choice(["0", "0.3", "0.55", "1", "1.25"]) for issue in issues}
        case 1:  # sums of 64-bit numbers, nearly 1
            return {issue.index: repr(1 / len(issues)) for issue in issues}
        case _:
            cuts = sorted(rng.randint(0, 1000) for _ in issues[1:])
            edges = [0, *cuts, 1000]
            shares = [after - before for before, after in pairwise(edges)]
            return {issue.index: f"{share / 1000:.3f}" for issue, share in zip(issues, shares, strict=True)}


def _items(rng: Random, issue: DrawnIssue) -> list[tuple[str, str]]:
    choose: Callable[[], str] = rng.choice(
        [
            lambda: str(rng.randint(0, 100)),
            lambda: str(rng.randint(0, 4000)),
            lambda: repr(rng.random()),
            lambda: f"{rng.random() / 3:.2f}",
            lambda: "0",
            lambda: f"{rng.randint(0, 9)}E-6",
        ]
    )
    items = [(value, choose()) for value in issue.values]
    rng.shuffle(items)
    # Of a value that appears twice, the last evaluation counts.
    others = [value for value in VALUES if value not in issue.values]
    if others and rng.random() < 0.3:
        items.append((rng.choice(others), choose()))
    if others and rng.random() < 0.2:
        items.append((rng.choice(others), "null"))
    return items


def _real_evaluator(rng: Random, issue: DrawnIssue) -> dict[str, str]:
    match rng.randrange(3):
        case 0:
            return {"ftype": "linear", "parameter0": _decimal(rng), "parameter1": _decimal(rng)}
        case 1:
            return {"ftype": "constant", "parameter0": f"{rng.random():.2f}"}
        case _:
            low, top, high = sorted(rng.sample(range(-80, 160), 3))
            numbers = {"parameter0": low, "parameter1": high, "parameter2": top}
            return {"ftype": "triangular", **{name: f"{n / 10:.1f}" for name, n in numbers.items()}}


def _decimal(rng: Random) -> str:
    return f"{rng.uniform(-0.6, 0.9):.{rng.randint(1, 5)}f}"


def _domain_xml(rng: Random, issues: list[DrawnIssue]) -> str:
    lines = []
    for issue in issues:
        head = f'<issue index="{issue.index}" name={quoteattr(issue.name)} {_types(rng, issue)}'
        if issue.kind == "discrete":
            start = rng.choice([0, 1, 5])
            lines.append(head + ">")
            lines += [
                f'<item index="{start + i}" value={quoteattr(value)} cost="0" description=""/>'
                for i, value in enumerate(issue.values)
            ]
            lines.append("</issue>")
        else:
            lines.append(head + _bounds(rng, issue) + "</issue>")
    inside = "\n".join(lines)
    return (
        f'<negotiation_template><utility_space number_of_issues="{len(issues)}">'
        f'<objective index="0" name="root" type="objective" etype="objective">{inside}</objective>'
        "</utility_space></negotiation_template>"
    )


def _types(rng: Random, issue: DrawnIssue) -> str:
    if issue.kind == "discrete":
        return rng.choice(
            ['type="discrete"', "", 'etype="discrete"', 'vtype="discrete"', 'type="discrete" etype="integer"']
        )
    return rng.choice([f'type="{issue.kind}"', f'type="{issue.kind}" etype="discrete" vtype="discrete"'])


def _bounds(rng: Random, issue: DrawnIssue) -> str:
    numbers = f'lowerbound="{_plain(issue.low)}" upperbound="{_plain(issue.high)}"'
    if issue.kind == "integer" and rng.random() < 0.5:
        return f" {numbers}>"
    return f"><range {numbers}/>"


def _plain(number: Fraction) -> str:
    return str(int(number)) if number.denominator == 1 else repr(float(number))


def _profile_xml(rng: Random, issues: list[DrawnIssue], profile: DrawnProfile) -> str:
    order = list(issues)
    rng.shuffle(order)
    lines = [
        f'<weight index="{index}" value="{weight}"> </weight>' for index, weight in profile.weights.items()
    ]
    if rng.random() < 0.2:
        lines.append('<weight index="99" value="0.5"/>')
    for issue in order:
        # The name may differ from that of the domain: the index counts.
        name = issue.name if rng.random() < 0.8 else "another"
        head = f'<issue index="{issue.index}" name={quoteattr(name)} {_types(rng, issue)}'
        if issue.kind == "discrete":
            lines.append(head + ">")
            lines += [
                f'<item index="{i}" value={quoteattr(value)} evaluation="{evaluation}"/>'
                for i, (value, evaluation) in enumerate(profile.items[issue.index])
            ]
            lines.append("</issue>")
        else:
            own = profile.evaluators[issue.index]
            attributes = " ".join(f'{key}="{text}"' for key, text in own.items())
            lines.append(
                head + _bounds(rng, issue) + (f"<evaluator {attributes}/>" if own else "") + "</issue>"
            )
    inside = "\n".join(lines)
    if rng.random() < 0.8:
        inside = f'<objective index="0" name="root" type="objective">{inside}</objective>'
    settings = ""
    if profile.discount is not None:
        settings += (
            f'<discount_factor value="{profile.discount}"/>' if profile.discount else "<discount_factor/>"
        )
    if profile.reservation is not None:
        settings += f'<reservation value="{profile.reservation}"/>'
    uncertain = "<comparisons value='9'/><errors value='0'/><experimental/><fixed_seed value='true'/>"
    kind, more = rng.choice([("", ""), ("", ""), (' type="any"', ""), (' type="UNCERTAIN"', uncertain)])
    return f'<utility_space number_of_issues="{len(issues)}"{kind}>{inside}{settings}{more}</utility_space>'


def _encoded(text: str, encoding: str, rng: Random) -> bytes:
    before = "\n\n " if rng.random() < 0.3 else ""
    if encoding == "undeclared cp1252":
        declaration = rng.choice(['<?xml version="1.0" encoding="UTF-8"?>', '<?xml version="1.0"?>', ""])
        return (before + declaration + text).encode("cp1252")
    declaration = f'<?xml version="1.0" encoding="{encoding}"?>'
    return (before + declaration + text).encode(encoding)
