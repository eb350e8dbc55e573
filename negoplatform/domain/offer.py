"""Offers, complete or partial, exactly as they were sent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import TypeVar, overload

from negoplatform.domain.errors import OfferError
from negoplatform.domain.seat_map import Seat, SeatMap

LARGEST_NUMBER = 1_000_000_000_000
"""Largest absolute value of a number in an offer."""


def exact_str(text: str) -> str:
    """Return a text as an exact ``str``, whatever its class."""
    return str.__str__(text)


def _name(name: object) -> str:
    if not isinstance(name, str):
        raise OfferError("An offer names its issues by text.")
    return exact_str(name)


def _term(term: object) -> Term:
    if type(term) is Allocation or type(term) is str:
        return term
    if isinstance(term, str):
        return exact_str(term)
    if isinstance(term, int | float) and not isinstance(term, bool):
        if not abs(term) <= LARGEST_NUMBER:
            raise OfferError(f"A number of an offer lies between minus and plus {LARGEST_NUMBER:,}.")
        # Printed and parsed again: a foreign kind of float, such as NumPy's, becomes a plain one.
        return number_from_decimal(Decimal(repr(int(term) if isinstance(term, int) else float(term))))
    raise OfferError(f"An issue needs an Allocation, a value or a number, not a {type(term).__name__}.")


def number_from_decimal(value: Decimal) -> Number:
    """Return a decimal number as offers and points hold it: whole ones as int, so that sums stay exact."""
    return int(value) if value == value.to_integral_value() else float(value)


class Sealed:
    """Mixin of values whose class cannot be extended, so that a checked value cannot change its behaviour."""

    __slots__ = ()

    def __init_subclass__(cls, **more: object) -> None:
        if Sealed not in cls.__bases__:
            raise TypeError(f"{cls.__bases__[0].__name__} is a plain value; it cannot be subclassed")
        super().__init_subclass__(**more)


class Allocation(Sealed):
    """Division of the units of one quantity issue.

    Args:
        units: Units per seat, 0 or more each; a seat that is not named gets none.
        undecided: Units that no seat gets yet, 0 or more.

    Raises:
        OfferError: If a number is negative or not whole, or a seat is named twice.
    """

    __slots__ = ("_hash", "undecided", "units")
    units: SeatMap[int]
    undecided: int
    _hash: int

    def __init__(self, units: Mapping[Seat, int] | Iterable[tuple[Seat, int]], undecided: int = 0) -> None:
        given = units.items() if isinstance(units, Mapping) else units
        by_seat = SeatMap([(_name(seat), number) for seat, number in given])
        for number in (*[number for _, number in by_seat.pairs], undecided):
            if type(number) is not int or number < 0:
                raise OfferError(f"Units are whole numbers from 0 up, not {number!r}.")
        if len({seat for seat, _ in by_seat.pairs}) < len(by_seat):
            raise OfferError("The allocation names a seat twice.")
        object.__setattr__(self, "units", by_seat)
        object.__setattr__(self, "undecided", undecided)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("an Allocation cannot be changed")

    def of(self, seat: Seat) -> int:
        """Return the units that a seat gets."""
        for name, number in self.units.pairs:  # asked for every outcome of a game
            if name == seat:
                return number
        return 0

    @property
    def total(self) -> int:
        """Number of all units, the undecided ones included."""
        return sum([number for _, number in self.units.pairs]) + self.undecided

    @property
    def complete(self) -> bool:
        """Whether nothing is undecided."""
        return self.undecided == 0

    @property
    def human(self) -> int:
        """Units of the seat ``human``, for games with the seats human and agent."""
        return self.of("human")

    @property
    def agent(self) -> int:
        """Units of the seat ``agent``, for games with the seats human and agent."""
        return self.of("agent")

    @property
    def middle(self) -> int:
        """Number of undecided units."""
        return self.undecided

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Allocation):
            return NotImplemented
        if self.units.pairs == other.units.pairs:
            return self.undecided == other.undecided
        return self._key() == other._key()

    def __hash__(self) -> int:
        # Computed once: the offers of a game share their allocations, and are looked up very often.
        try:
            return self._hash
        except AttributeError:
            object.__setattr__(self, "_hash", hash(self._key()))
            return self._hash

    def _key(self) -> tuple[frozenset[tuple[Seat, int]], int]:
        return frozenset([pair for pair in self.units.pairs if pair[1]]), self.undecided

    def __repr__(self) -> str:
        return f"Allocation({dict(self.units.pairs)!r}, undecided={self.undecided})"

    def __reduce__(self) -> tuple[type[Allocation], tuple[SeatMap[int], int]]:
        return Allocation, (self.units, self.undecided)


Number = int | float
"""A number of a number issue; whole numbers are ``int``."""

Term = Allocation | str | int | float
"""Term of one issue: an allocation of units, a value, or a number."""


class Offer(Sealed):
    """A proposal with a term, or none, per issue; an issue without a term is left as it was.

    Args:
        terms: Issue names with their terms, in any order.

    Raises:
        OfferError: If an issue is named twice or a term is neither an allocation nor a value.
    """

    __slots__ = ("_hash", "issues", "terms")
    _hash: int
    terms: tuple[tuple[str, Term], ...]
    """Pairs of issue name and term, sorted by name."""
    issues: tuple[str, ...]
    """Issue names, sorted."""

    # Two overloads, so that a type checker takes {"day": "Sunday", "apples": Allocation(...)} as it is.
    @overload
    def __init__(self, terms: Mapping[str, Term], /) -> None: ...
    @overload
    def __init__(self, terms: Iterable[tuple[str, Term]] = (), /) -> None: ...
    def __init__(self, terms: Mapping[str, Term] | Iterable[tuple[str, Term]] = (), /) -> None:
        given = terms.items() if isinstance(terms, Mapping) else terms
        pairs = sorted(((_name(name), _term(term)) for name, term in given), key=lambda pair: pair[0])
        for i, (name, _) in enumerate(pairs):
            if i and pairs[i - 1][0] == name:
                raise OfferError(f"The offer names {name!r} twice.")
        object.__setattr__(self, "terms", tuple(pairs))
        object.__setattr__(self, "issues", tuple([name for name, _ in pairs]))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("an Offer cannot be changed")

    def get(self, issue: str) -> Term | None:
        """Return the term for an issue; None where the offer has none."""
        for name, term in self.terms:
            if name == issue:
                return term
        return None

    def with_terms_of(self, other: Offer) -> Offer:
        """Return this offer with another's terms in place of its own, where the other has any."""
        if self.issues == other.issues:
            return other
        return Offer({**dict(self.terms), **dict(other.terms)})

    def units(self, issue: str, seat: Seat) -> int:
        """Return the units of a quantity issue that a seat gets; 0 where the offer has no term for it."""
        term = self.get(issue)
        return term.of(seat) if isinstance(term, Allocation) else 0

    def __contains__(self, issue: str) -> bool:
        return issue in self.issues

    def __iter__(self) -> Iterator[str]:
        return iter(self.issues)

    def __len__(self) -> int:
        return len(self.terms)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return self.terms == other.terms if isinstance(other, Offer) else NotImplemented

    def __hash__(self) -> int:
        # Computed once: agents and measures look the same offers up over and over.
        try:
            return self._hash
        except AttributeError:
            object.__setattr__(self, "_hash", found := hash(self.terms))
            return found

    def __repr__(self) -> str:
        return f"Offer({dict(self.terms)!r})"

    def __reduce__(self) -> tuple[type[Offer], tuple[tuple[tuple[str, Term], ...]]]:
        return Offer, (self.terms,)


_set_terms, _set_issues = vars(Offer)["terms"].__set__, vars(Offer)["issues"].__set__


def offer_of_checked_terms(issues: tuple[str, ...], terms: tuple[Term, ...]) -> Offer:
    """Return an offer without checking it, for the many outcomes of a game.

    Args:
        issues: Issue names, sorted, no two equal.
        terms: The term of each.
    """
    return offer_of_checked_pairs(issues, tuple(zip(issues, terms, strict=True)))


def offer_of_checked_pairs(issues: tuple[str, ...], pairs: tuple[tuple[str, Term], ...]) -> Offer:
    """Return an offer without checking it, from its issue names, sorted, and the pairs with their terms."""
    made = object.__new__(Offer)
    _set_terms(made, pairs)
    _set_issues(made, issues)
    return made


Terms = tuple[tuple[str, Term], ...]
"""Terms of an offer by issue, sorted: ``offer.terms``."""

MOST_KNOWN_TERMS = 4096
"""Offers of which one memo keeps a value at once."""

T = TypeVar("T")


class TermsMemo(dict[int, tuple[Terms, T]]):
    """Values that were computed for offers, by the identity of the offers' terms.

    Agents send the offers of a list over and over. Each entry holds the terms, so that no others have their
    identity; an offer whose terms were exchanged is not found. Copies begin empty. Frequent readers look up
    ``memo.get(id(offer.terms))`` themselves, and compare the terms.
    """

    __slots__ = ()

    def keep(self, terms: Terms, value: T) -> T:
        """Keep the value for some terms, and return it."""
        if len(self) >= MOST_KNOWN_TERMS:
            self.clear()
        self[id(terms)] = (terms, value)
        return value

    def __reduce__(self) -> tuple[type[TermsMemo[T]], tuple[()]]:
        return TermsMemo, ()


EMPTY_OFFER = Offer()
"""The offer without terms, which is on the table before the first offer."""
