"""A list that only grows and is never copied: every version shares its beginning with the next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class PersistentList(Generic[T]):
    """Immutable list; ``append`` returns the next version in constant time.

    A chain of cells rather than a shared list: there is nothing mutable in it, so a reader that walks an
    older version can neither see nor change later items. Iteration runs from oldest to newest.
    """

    __slots__ = ("_length", "before", "last")
    before: PersistentList[T] | None
    """The list without its last item; None if that leaves nothing."""
    last: T | None
    """The item that was appended last; None in an empty list."""
    _length: int

    def __init__(self, items: Iterable[T] = ()) -> None:
        chain: PersistentList[T] | None = None
        last: T | None = None
        length = 0
        for item in items:
            if length:
                chain = _cell(chain, last, length)
            last = item
            length += 1
        _fill(self, chain, last, length)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a History cannot be changed")

    def append(self, item: T) -> PersistentList[T]:
        """Return this list with one more item at its end."""
        # Not by _cell, nor by __init__: this is the most frequent operation of all.
        longer: PersistentList[T] = _new(PersistentList)
        length = self._length
        _set_before(longer, self if length else None)
        _set_last(longer, item)
        _set_length(longer, length + 1)
        return longer

    def iter_backwards(self) -> Iterator[T]:
        """Return the items from newest to oldest."""
        cell: PersistentList[T] | None = self
        while cell is not None and cell._length:
            yield cell.last  # type: ignore[misc]  # a cell with a length holds an item
            cell = cell.before

    def since(self, earlier: PersistentList[T]) -> list[T] | None:
        """Return the items that an earlier version lacks, oldest first; None: it is no earlier version."""
        later: list[T] = []
        cell: PersistentList[T] | None = self
        for _ in range(self._length - earlier._length):
            assert cell is not None, "a list has as many cells as items"
            later.append(cell.last)  # type: ignore[arg-type]  # a cell with a length holds an item
            cell = cell.before
        return later[::-1] if cell is earlier or not earlier._length else None

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[T]:
        return iter(list(self.iter_backwards())[::-1])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PersistentList):
            return NotImplemented
        if self is other:
            return True
        return self._length == other._length and all(
            a == b for a, b in zip(self.iter_backwards(), other.iter_backwards(), strict=True)
        )

    def __hash__(self) -> int:
        return hash((self._length, self.last))

    def __repr__(self) -> str:
        return f"History({list(self)!r})"


_new = object.__new__
_set_before, _set_last, _set_length = (
    vars(PersistentList)[slot].__set__ for slot in ("before", "last", "_length")
)
"""Setters of the slots, which save a look-up of the names."""


def _fill(history: PersistentList[T], before: PersistentList[T] | None, item: T | None, length: int) -> None:
    _set_before(history, before)
    _set_last(history, item)
    _set_length(history, length)


def _cell(before: PersistentList[T] | None, item: T | None, length: int) -> PersistentList[T]:
    history: PersistentList[T] = PersistentList.__new__(PersistentList)
    _fill(history, before, item, length)
    return history
