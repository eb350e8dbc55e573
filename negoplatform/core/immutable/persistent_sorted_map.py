"""A sorted mapping that is never copied whole: every version shares most of its nodes with the next."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from typing import Any, Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")

MOST_PER_NODE = 64
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
        depth, (keys, parts) = self._depth, self._root
        path = []
        for _ in range(depth):
            i = bisect_right(keys, key) - 1
            if i < 0:
                i = 0
            path.append((keys, parts, i))
            keys, parts = parts[i]
        i = bisect_left(keys, key)
        if i < len(keys) and keys[i] == key:
            node, added = (keys, (*parts[:i], value, *parts[i + 1 :])), 0
        else:
            node, added = ((*keys[:i], key, *keys[i:]), (*parts[:i], value, *parts[i:])), 1
        while len(node[0]) > MOST_PER_NODE:
            keys, parts = node
            half = len(keys) // 2
            left, right = (keys[:half], parts[:half]), (keys[half:], parts[half:])
            if not path:
                return _sorted_map(
                    ((left[0][0], right[0][0]), (left, right)), depth + 1, self._length + added
                )
            keys, parts, i = path.pop()
            keys = (*keys[:i], left[0][0], right[0][0], *keys[i + 1 :])
            node = (keys, (*parts[:i], left, right, *parts[i + 1 :]))
        return _sorted_map(_with_child(path, node) if path else node, depth, self._length + added)

    def without(self, key: K) -> PersistentSortedMap[K, V]:
        """Return this mapping without a key.

        Raises:
            KeyError: If it has no such key.
        """
        depth, (keys, parts) = self._depth, self._root
        path = []
        for _ in range(depth):
            i = bisect_right(keys, key) - 1
            if i < 0:
                i = 0
            path.append((keys, parts, i))
            keys, parts = parts[i]
        i = bisect_left(keys, key)
        if i == len(keys) or keys[i] != key:
            raise KeyError(key)
        node = (keys[:i] + keys[i + 1 :], parts[:i] + parts[i + 1 :])
        while path and not node[0]:
            keys, parts, i = path.pop()
            node = (keys[:i] + keys[i + 1 :], parts[:i] + parts[i + 1 :])
        root = _with_child(path, node) if path else node
        while depth and len(root[0]) == 1:
            root, depth = root[1][0], depth - 1
        return _sorted_map(root if root[0] else _EMPTY, depth if root[0] else 0, self._length - 1)

    def get(self, key: K, default: Any = None) -> V | Any:
        """Return the value of a key, or the default."""
        keys, parts = self._root
        for _ in range(self._depth):
            i = bisect_right(keys, key)
            keys, parts = parts[i - 1 if i else 0]
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
        return _items(self._root, self._depth) if self._depth else zip(*self._root, strict=True)

    def values(self) -> Iterator[V]:
        """Yield the values, in the order of the keys."""
        return (value for _, value in self.items())

    def __iter__(self) -> Iterator[K]:
        return (key for key, _ in self.items())

    def __len__(self) -> int:
        return self._length

    def __contains__(self, key: object) -> bool:
        try:
            return self.get(key, _EMPTY) is not _EMPTY  # type: ignore[arg-type]  # any key may be asked for
        except TypeError:  # it cannot be compared with the keys
            return False

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
# A look-up by name at each of many calls would take longer than the change itself.
_set_root, _set_depth, _set_length = (
    getattr(PersistentSortedMap, name).__set__ for name in ("_root", "_depth", "_length")
)


def _sorted_map(root: _Node, depth: int, length: int) -> PersistentSortedMap[Any, Any]:
    made: PersistentSortedMap[Any, Any] = _new(PersistentSortedMap)
    _set_root(made, root)
    _set_depth(made, depth)
    _set_length(made, length)
    return made


def _with_child(path: list[tuple[tuple[Any, ...], tuple[Any, ...], int]], node: _Node) -> _Node:
    """Return the root of a tree in which a node has changed.

    Args:
        path: The nodes above it from the root, each with the place of the next.
        node: The node as it is now.
    """
    for keys, parts, i in reversed(path):
        least = node[0][0]
        # Mostly the least key below is the same, so the keys need no copy.
        if keys[i] is not least:
            keys = (*keys[:i], least, *keys[i + 1 :])
        node = (keys, (*parts[:i], node, *parts[i + 1 :]))
    return node


def _items(node: _Node, depth: int) -> Iterator[tuple[Any, Any]]:
    for child in node[1]:
        yield from zip(*child, strict=True) if depth == 1 else _items(child, depth - 1)
