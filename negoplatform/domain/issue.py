"""Issues: the items under negotiation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import combinations, pairwise
from math import comb
from random import Random
from typing import ClassVar

from negoplatform.domain.offer import (
    Allocation,
    Number,
    Offer,
    Term,
    number_from_decimal,
    offer_of_checked_terms,
)
from negoplatform.domain.seat_map import Seat

PICTURES = (
    *("apple", "banana", "bread", "grain", "spice", "food", "fish", "cup"),
    *("water", "wood", "firewood", "tree", "land", "house", "tent", "car", "tyre"),
    *("broom", "book", "ball", "hat", "gift", "key", "coin", "money", "pension"),
    *("briefcase", "promotion", "calendar", "clock", "medicine", "phone"),
    *("circle", "square", "triangle", "diamond", "star", "heart"),
)
"""Pictures that the program draws."""

OWN_PICTURE = re.compile(r"[\w-]{1,60}\.png")
"""Name of a picture of the game's own: a PNG file next to the game file."""


@dataclass(frozen=True, slots=True)
class QuantityIssue:
    """Identical units that are divided between the seats.

    Args:
        name: Its name in files, offers and agents.
        quantity: How many units there are, 1 or more.
        label: Its name for people; the name unless given.
        synonyms: Other words for it, by which typed text is understood.
        picture: One of :data:`PICTURES`, or a PNG file next to the game; empty: none.
        spoken: The noun phrases of one unit and of several, inside a sentence ("bottle of water", "bottles
            of water"); empty: the title.
        spoken_title: Its name inside a sentence; empty: the title.
    """

    kind: ClassVar[str] = "quantity"
    name: str
    quantity: int
    label: str = ""
    synonyms: tuple[str, ...] = ()
    picture: str = ""
    spoken: tuple[str, ...] = ()
    spoken_title: str = ""

    @property
    def title(self) -> str:
        """Name for people."""
        return self.label or self.name

    def count(self, seats: Sequence[Seat]) -> int:
        """Return the number of ways to divide all units."""
        return comb(self.quantity + len(seats) - 1, len(seats) - 1)

    def terms(self, seats: Sequence[Seat]) -> Iterator[Term]:
        """Yield every way to divide all units, nothing undecided."""
        bars = self.quantity + len(seats) - 1
        for cuts in combinations(range(bars), len(seats) - 1):
            edges = (-1, *cuts, bars)
            units = [edges[i + 1] - edges[i] - 1 for i in range(len(seats))]
            yield Allocation(zip(seats, units, strict=True))


@dataclass(frozen=True, slots=True)
class CategoricalIssue:
    """A choice of one among several named values.

    Args:
        name: Its name in files, offers and agents.
        values: The values, in the order in which people read them; at least one, all different.
        label: Its name for people; the name unless given.
        synonyms: Other words for it, by which typed text is understood.
        value_synonyms: The same for values: pairs of a value and its other words.
        picture: One of :data:`PICTURES`, or a PNG file next to the game; empty: none.
        spoken: The noun phrase of each value inside a sentence ("a leased car"), in the order of the values;
            empty: the values themselves.
        spoken_title: Its name inside a sentence; empty: the title.
    """

    kind: ClassVar[str] = "categorical"
    name: str
    values: tuple[str, ...]
    label: str = ""
    synonyms: tuple[str, ...] = ()
    value_synonyms: tuple[tuple[str, tuple[str, ...]], ...] = ()
    picture: str = ""
    spoken: tuple[str, ...] = ()
    spoken_title: str = ""

    @property
    def title(self) -> str:
        """Name for people."""
        return self.label or self.name

    def count(self, seats: Sequence[Seat]) -> int:  # noqa: ARG002 - the same call for every kind of issue
        """Return the number of values."""
        return len(self.values)

    def terms(self, seats: Sequence[Seat]) -> Iterator[Term]:  # noqa: ARG002 - the same call for every kind
        """Yield every value."""
        return iter(self.values)


@dataclass(frozen=True, slots=True)
class NumberIssue:
    """A number from a range, in steps.

    Args:
        name: Its name in files, offers and agents.
        low: The lowest number.
        high: The highest number; a whole number of steps above ``low``.
        step: The distance between neighbouring numbers, above 0.
        label: Its name for people; the name unless given.
        unit: The unit of the numbers, such as ``€`` or ``days``; may be empty.
        synonyms: Other words for it, by which typed text is understood.
        picture: One of :data:`PICTURES`, or a PNG file next to the game; empty: none.
        spoken: The noun phrase of a number inside a sentence, with ``{value}`` ("a price of {value}"); empty:
            the number and the title.
        spoken_title: Its name inside a sentence; empty: the title.
    """

    kind: ClassVar[str] = "number"
    name: str
    low: Number
    high: Number
    step: Number = 1
    label: str = ""
    unit: str = ""
    synonyms: tuple[str, ...] = ()
    picture: str = ""
    spoken: str = ""
    spoken_title: str = ""
    values: tuple[Number, ...] = field(init=False, repr=False, compare=False)
    """Every number from lowest to highest; exact in decimal fractions, so three steps of 0.1 give 0.3."""
    allowed: frozenset[Number] = field(init=False, repr=False, compare=False)
    """The same numbers as a set, for membership tests."""

    def __post_init__(self) -> None:
        low, high, step = (Decimal(str(number)) for number in (self.low, self.high, self.step))
        if step <= 0 or high < low or (high - low) % step:
            raise ValueError(
                f"from {self.low} to {self.high} there is no whole number of steps of {self.step}"
            )
        count = int((high - low) / step) + 1
        object.__setattr__(self, "values", tuple(number_from_decimal(low + i * step) for i in range(count)))
        object.__setattr__(self, "allowed", frozenset(self.values))
        if len(self.allowed) < count:
            raise ValueError(
                f"steps of {self.step} are too small for numbers as large as these: some come out the same"
            )

    @property
    def title(self) -> str:
        """Name for people."""
        return self.label or self.name

    def count(self, seats: Sequence[Seat]) -> int:  # noqa: ARG002 - the same call for every kind of issue
        """Return the number of numbers."""
        return len(self.values)

    def terms(self, seats: Sequence[Seat]) -> Iterator[Term]:  # noqa: ARG002 - the same call for every kind
        """Yield every number."""
        return iter(self.values)


Issue = QuantityIssue | CategoricalIssue | NumberIssue

MAX_LISTED_TERMS = 1_000
"""Number of terms of an issue up to which its offers share them."""


def complete_offers(issues: Sequence[Issue], seats: Sequence[Seat]) -> Iterator[Offer]:
    """Yield every complete offer on these issues, the terms of the last one changing first."""
    # Not itertools.product: it lists every issue in full before it gives the first offer.
    listed = [
        list(issue.terms(seats)) if issue.count(seats) <= MAX_LISTED_TERMS else None for issue in issues
    ]

    def terms_of(i: int) -> Iterator[Term]:
        shared = listed[i]
        return issues[i].terms(seats) if shared is None else iter(shared)

    running = [terms_of(i) for i in range(len(issues))]
    terms = [next(of_issue) for of_issue in running]
    order = sorted(range(len(issues)), key=lambda i: issues[i].name)
    names = tuple([issues[i].name for i in order])
    while True:
        yield offer_of_checked_terms(names, tuple([terms[i] for i in order]))
        for i in reversed(range(len(running))):
            term = next(running[i], None)
            if term is not None:
                terms[i] = term
                break
            running[i] = terms_of(i)
            terms[i] = next(running[i])
        else:
            return


def sample_outcomes(issues: Sequence[Issue], seats: Sequence[Seat], count: int) -> Iterator[Offer]:
    """Yield a random sample of the complete offers, uniform and with replacement; always the same one."""
    rng = Random(0)
    for _ in range(count):
        yield Offer((issue.name, _sample_term(issue, seats, rng)) for issue in issues)


def _sample_term(issue: Issue, seats: Sequence[Seat], rng: Random) -> Term:
    if not isinstance(issue, QuantityIssue):
        return rng.choice(issue.values)
    bars = issue.quantity + len(seats) - 1
    edges = (-1, *sorted(rng.sample(range(bars), len(seats) - 1)), bars)
    units = (after - before - 1 for before, after in pairwise(edges))
    return Allocation(zip(seats, units, strict=True))
