"""Seats, named by their roles, and mappings with one value per seat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

Seat = str
"""A seat at the table, named by its role in the game."""

PLATFORM: Seat = "platform"
"""Sender of events that come from no seat: ticks, starts, ends."""

SYSTEM = "system"
"""Name of the observer on the highest level, such as a laboratory's own monitoring."""

RESERVED_NAMES = frozenset({PLATFORM, SYSTEM, "undecided", "public", "complete"})
"""Names that no seat may have, because files and commands give them another meaning."""

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")


class SeatMap(Mapping[Seat, T_co]):
    """An immutable mapping with one value per seat, in the order given.

    A table has few seats, so a look-up walks a tuple: the contents cannot be changed from outside,
    not even through a private dictionary, and two mappings with equal pairs are equal.
    """

    __slots__ = ("pairs",)
    pairs: tuple[tuple[Seat, T_co], ...]
    """The seats with their values, as ``items()`` gives them, without a look-up for each."""

    def __init__(self, pairs: Mapping[Seat, T_co] | Iterable[tuple[Seat, T_co]] = ()) -> None:
        pairs = tuple(pairs.items()) if isinstance(pairs, Mapping) else tuple(pairs)
        object.__setattr__(self, "pairs", pairs)

    def __getitem__(self, seat: Seat) -> T_co:
        for name, value in self.pairs:
            if name == seat:
                return value
        raise KeyError(seat)

    def __contains__(self, seat: object) -> bool:
        for name, _ in self.pairs:  # noqa: SIM110 - asked at every event: a loop is faster
            if name == seat:
                return True
        return False

    def __iter__(self) -> Iterator[Seat]:
        return (name for name, _ in self.pairs)

    def __len__(self) -> int:
        return len(self.pairs)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a SeatMap cannot be changed")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SeatMap) and self.pairs == other.pairs

    def __hash__(self) -> int:
        return hash(self.pairs)

    def __repr__(self) -> str:
        return f"SeatMap({dict(self.pairs)!r})"

    def __reduce__(self) -> tuple[type[SeatMap[T_co]], tuple[tuple[tuple[Seat, T_co], ...]]]:
        return SeatMap, (self.pairs,)

    def with_value(self: SeatMap[T], seat: Seat, value: T) -> SeatMap[T]:
        """Return the same mapping with one seat's value replaced, or added at the end."""
        pairs = self.pairs
        if len(pairs) == 2 and seat in (pairs[0][0], pairs[1][0]):  # most games
            first, second = pairs
            pairs = ((seat, value), second) if first[0] == seat else (first, (seat, value))
        else:
            for i, (name, _) in enumerate(pairs):
                if name == seat:
                    pairs = (*pairs[:i], (seat, value), *pairs[i + 1 :])
                    break
            else:
                pairs = (*pairs, (seat, value))
        made: SeatMap[T] = _new(SeatMap)
        _set_pairs(made, pairs)
        return made

    def restricted_to(self, seats: Iterable[Seat]) -> SeatMap[T_co]:
        """Return the same mapping without the seats that are not named."""
        if type(seats) is tuple and len(seats) == 1:
            (seat,) = seats  # a seat's view, asked for at every event
            for pair in self.pairs:
                if pair[0] == seat:
                    made: SeatMap[T_co] = _new(SeatMap)
                    _set_pairs(made, (pair,))
                    return made
            return _seat_map(())
        wanted = frozenset(seats)
        return _seat_map(tuple([pair for pair in self.pairs if pair[0] in wanted]))


_new = object.__new__
_set_pairs = vars(SeatMap)["pairs"].__set__
"""Setter of the slot: a look-up of its name would take longer than everything else here."""


def _seat_map(pairs: tuple[tuple[Seat, T], ...]) -> SeatMap[T]:
    """Return a mapping of pairs that are known to be valid."""
    made: SeatMap[T] = _new(SeatMap)
    _set_pairs(made, pairs)
    return made
