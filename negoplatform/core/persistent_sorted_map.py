"""A sorted mapping that is never copied whole: every version shares most of its nodes with the next."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from typing import Any, Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")

MOST_PER_NODE = 32
"""Most entries of a leaf, and most children of an inner node."""

_Node = tuple[tuple[Any, ...], tuple[Any, ...]]
"""Keys and values of a leaf; or the least key below each child, and the children."""

_EMPTY: _Node = ((), ())


class PersistentSortedMap(Generic[K, V]):
    """Immutable mapping in the order of its keys; a change returns the next version in logarithmic time.

    A B+ tree of tuples. Nothing in it is mutable, so a reader of an older version neither sees nor causes a
    change. Nodes that become small are not merged; empty ones are dropped.

    Args:
        items: Keys with values, in any order; a later value replaces an earlier one.
    """

    __slots__ = ("_depth", "_length", "_root")
    _root: _Node
    _depth: int
    _length: int

    def __init__(self, items: Iterable[tuple[K, V]] = ()) -> None:
        found: dict[K, V] = dict(items)
        grown: PersistentSortedMap[K, V] = _sorted_map(_EMPTY, 0, 0)
        for key, value in found.items():
            grown = grown.with_item(key, value)
        _put(self, "_root", grown._root)
        _put(self, "_depth", grown._depth)
        _put(self, "_length", grown._length)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a PersistentSortedMap cannot be changed")

    def with_item(self, key: K, value: V) -> PersistentSortedMap[K, V]:
        """Return this mapping with a key added, or its value replaced."""
        nodes, added = _insert(self._root, self._depth, key, value)
        if len(nodes) == 1:
            return _sorted_map(nodes[0], self._depth, self._length + added)
        root = (tuple(node[0][0] for node in nodes), nodes)
        return _sorted_map(root, self._depth + 1, self._length + added)

    def without(self, key: K) -> PersistentSortedMap[K, V]:
        """Return this mapping without a key.

        Raises:
            KeyError: If it has no such key.
        """
        root = _remove(self._root, self._depth, key)
        depth = self._depth
        while depth and len(root[0]) == 1:
            root, depth = root[1][0], depth - 1
        return _sorted_map(root if root[0] else _EMPTY, depth if root[0] else 0, self._length - 1)

    def get(self, key: K, default: Any = None) -> V | Any:
        """Return the value of a key, or the default."""
        keys, parts = self._root
        for _ in range(self._depth):
            keys, parts = parts[max(0, bisect_right(keys, key) - 1)]
        i = bisect_left(keys, key)
        return parts[i] if i < len(keys) and keys[i] == key else default

    def first(self) -> tuple[K, V] | None:
        """Return the least key with its value; None where there is none."""
        if not self._length:
            return None
        keys, parts = self._root
        for _ in range(self._depth):
            keys, parts = parts[0]
        return keys[0], parts[0]

    def items(self) -> Iterator[tuple[K, V]]:
        """Yield the keys with their values, in the order of the keys."""
        return _items(self._root, self._depth)

    def values(self) -> Iterator[V]:
        """Yield the values, in the order of the keys."""
        return (value for _, value in self.items())

    def __iter__(self) -> Iterator[K]:
        return (key for key, _ in self.items())

    def __len__(self) -> int:
        return self._length

    def __contains__(self, key: object) -> bool:
        return self.get(key, _EMPTY) is not _EMPTY  # type: ignore[arg-type]  # any key may be asked for

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PersistentSortedMap):
            return NotImplemented
        if self is other or self._root is other._root:
            return True
        return self._length == other._length and all(
            a == b for a, b in zip(self.items(), other.items(), strict=True)
        )

    def __hash__(self) -> int:
        return hash((self._length, self.first()))

    def __repr__(self) -> str:
        return f"PersistentSortedMap({list(self.items())!r})"


_new = object.__new__
_put = object.__setattr__


def _sorted_map(root: _Node, depth: int, length: int) -> PersistentSortedMap[Any, Any]:
    made: PersistentSortedMap[Any, Any] = _new(PersistentSortedMap)
    _put(made, "_root", root)
    _put(made, "_depth", depth)
    _put(made, "_length", length)
    return made


def _insert(node: _Node, depth: int, key: Any, value: Any) -> tuple[tuple[_Node, ...], int]:
    """Return the node, or the two into which it splits, with an entry more; and whether a key was added."""
    keys, parts = node
    if depth:
        i = bisect_right(keys, key) - 1
        i = max(i, 0)
        nodes, added = _insert(parts[i], depth - 1, key, value)
        parts = (*parts[:i], *nodes, *parts[i + 1 :])
        keys = (*keys[:i], *[child[0][0] for child in nodes], *keys[i + 1 :])
    else:
        i = bisect_left(keys, key)
        if i < len(keys) and keys[i] == key:
            return ((keys, (*parts[:i], value, *parts[i + 1 :])),), 0
        keys = (*keys[:i], key, *keys[i:])
        parts = (*parts[:i], value, *parts[i:])
        added = 1
    if len(keys) <= MOST_PER_NODE:
        return ((keys, parts),), added
    half = len(keys) // 2
    return ((keys[:half], parts[:half]), (keys[half:], parts[half:])), added


def _remove(node: _Node, depth: int, key: Any) -> _Node:
    keys, parts = node
    if not depth:
        i = bisect_left(keys, key)
        if i == len(keys) or keys[i] != key:
            raise KeyError(key)
        return (*keys[:i], *keys[i + 1 :]), (*parts[:i], *parts[i + 1 :])
    i = max(0, bisect_right(keys, key) - 1)
    child = _remove(parts[i], depth - 1, key)
    if not child[0]:
        return (*keys[:i], *keys[i + 1 :]), (*parts[:i], *parts[i + 1 :])
    return (*keys[:i], child[0][0], *keys[i + 1 :]), (*parts[:i], child, *parts[i + 1 :])


def _items(node: _Node, depth: int) -> Iterator[tuple[Any, Any]]:
    if not depth:
        yield from zip(node[0], node[1], strict=True)
        return
    for child in node[1]:
        yield from _items(child, depth - 1)
