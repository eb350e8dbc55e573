"""Frozen JSON values, and copies of values that JSON can hold."""

from __future__ import annotations

import json
from collections.abc import ItemsView, Iterator, Mapping, ValuesView
from math import isfinite
from typing import Any

from negoplatform.domain.errors import Refused
from negoplatform.domain.offer import exact_str

MAX_DEPTH = 20
"""Levels of nested objects and lists, at most."""

MAX_EXACT_INTEGER = 2**53
"""Largest integer that is the same number in every reader of JSON."""


RecordPath = tuple[str, ...]
"""Path in a record, such as ``("notes", "agent")``."""


canonical_json = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
).encode
"""Encoder of a JSON value as text: one text for each value, with sorted keys and without spaces."""


def format_path(path: RecordPath) -> str:
    """Return a path as it is written in a sentence, such as ``notes/agent``; safe to print anywhere."""
    text = "/".join(part if len(part) <= 60 else f"{part[:60]}…" for part in path)
    return "".join(c if c.isprintable() else "?" for c in text)


def copy_json(value: object, largest: int | None = None) -> Any:
    """Return a fresh copy made of plain dicts, lists, texts, numbers, booleans and None alone.

    Args:
        value: A presumed JSON value; tuples count as lists.
        largest: Bytes of JSON that it may have; None for no limit.

    Raises:
        Refused: If it is no JSON value (a number that is not finite, a key that is no text), is nested
            deeper than 20 levels, or is too large; the sentence names the place.
    """
    if largest is None:
        try:
            return _plain_copy(value, 0)
        except _NotPlainError:
            pass
    too_large = f"This is too large: at most {(largest or 0) // 1024} kB of JSON can be kept at once."
    left = [largest] if largest is not None else None
    copied = _copy(value, (), left, too_large)
    if largest is not None and len(canonical_json(copied).encode("utf-8")) > largest:
        raise Refused(too_large)
    return copied


class _NotPlainError(Exception):
    """Refusal of a value that is not made of exactly the types of JSON."""


def _plain_copy(value: Any, depth: int) -> Any:
    # The same as _copy, in a quarter of its time, for what is nearly always copied.
    kind = type(value)
    if kind is str and (value.isascii() or _is_whole(value)):
        return value
    if value is None or kind is bool:
        return value
    if kind is FrozenJson:
        value, kind = value.to_dict(), dict
    if depth < MAX_DEPTH:
        if kind is dict:
            for key in value:
                if type(key) is not str or not (key.isascii() or _is_whole(key)):
                    raise _NotPlainError
            return {key: _plain_copy(item, depth + 1) for key, item in value.items()}
        if kind is list or kind is tuple:
            return [_plain_copy(item, depth + 1) for item in value]
    if kind is int and -MAX_EXACT_INTEGER <= value <= MAX_EXACT_INTEGER:
        return value
    if kind is float and isfinite(value):
        return value
    raise _NotPlainError


def _is_whole(text: str) -> bool:
    """Return whether a text holds no half of a character."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _copy(value: Any, path: RecordPath, left: list[int] | None, too_large: str) -> Any:
    # Each value takes a byte at least. Counting on the way stops at a value that contains itself, twice, in
    # time.
    if left is not None:
        left[0] -= 1
        if left[0] < 0:
            raise Refused(too_large)
    # The type, not isinstance: an object may claim any class, and a subclass may run code of its own.
    kind = type(value)
    if value is None or kind is bool:
        return value
    if issubclass(kind, str):
        return _copy_text(exact_str(value), path)
    if issubclass(kind, int):
        whole = int.__add__(value, 0)
        if abs(whole) > MAX_EXACT_INTEGER:
            raise Refused(f"{_at(path)} is a number too large to be kept exactly; write it as text.")
        return whole
    if issubclass(kind, float):
        number = float.__add__(value, 0.0)
        if not isfinite(number):
            raise Refused(f"{_at(path)} is no finite number, and JSON holds no other.")
        return number
    if kind is FrozenJson:
        value, kind = value.to_dict(), dict
    if issubclass(kind, dict | list | tuple) and len(path) >= MAX_DEPTH:
        raise Refused(f"{_at(path)} is nested too deeply: {MAX_DEPTH} levels are the most.")
    if issubclass(kind, dict):
        pairs = [(_key(key, path), item) for key, item in dict.items(value)]
        return {key: _copy(item, (*path, key), left, too_large) for key, item in pairs}
    if issubclass(kind, list | tuple):
        items = list.__iter__(value) if issubclass(kind, list) else tuple.__iter__(value)
        return [_copy(item, (*path, str(i)), left, too_large) for i, item in enumerate(items)]
    raise Refused(f"{_at(path)} is no JSON value but of type {kind.__name__}.")


def _key(key: Any, path: RecordPath) -> str:
    if not issubclass(type(key), str):
        raise Refused(f"A key in {_at(path)} is no text, and JSON has no other keys.")
    return _copy_text(exact_str(key), path)


def _copy_text(text: str, path: RecordPath) -> str:
    if not _is_whole(text):
        raise Refused(f"{_at(path)} holds half of a character, which cannot be written down.")
    return text


def _at(path: RecordPath) -> str:
    return format_path(path) or "This"


class FrozenJson(Mapping[str, Any]):
    """An immutable JSON object; every reader gets a fresh copy.

    Equal when the JSON is equal, whatever the order of keys. 1 and 1.0 and true are three values.

    Args:
        value: The object.

    Raises:
        Refused: If it is no JSON object.
    """

    __slots__ = ("_text",)
    _text: str

    def __init__(self, value: Mapping[str, Any] = {}) -> None:
        copied = copy_json(value)
        if type(copied) is not dict:
            raise Refused("Only an object in braces { } can be kept here.")
        object.__setattr__(self, "_text", canonical_json(copied))

    @property
    def text(self) -> str:
        """Object as JSON text with sorted keys."""
        return self._text

    def to_dict(self) -> dict[str, Any]:
        """Return a fresh copy that its reader may change."""
        copied: dict[str, Any] = json.loads(self._text)
        return copied

    def __getitem__(self, key: str) -> Any:
        return self.to_dict()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.to_dict())

    def __len__(self) -> int:
        return len(self.to_dict())

    # As they are inherited, these read the text once for each key.

    def items(self) -> ItemsView[str, Any]:
        """Return the keys and values of a fresh copy."""
        return self.to_dict().items()

    def values(self) -> ValuesView[Any]:
        """Return the values of a fresh copy."""
        return self.to_dict().values()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a FrozenJson cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a FrozenJson cannot be changed")

    def __eq__(self, other: object) -> bool:
        return self._text == other._text if isinstance(other, FrozenJson) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._text)

    def __repr__(self) -> str:
        return f"FrozenJson({self.to_dict()!r})"

    def __reduce__(self) -> tuple[type[FrozenJson], tuple[dict[str, Any]]]:
        return FrozenJson, (self.to_dict(),)


EMPTY_JSON = FrozenJson()
