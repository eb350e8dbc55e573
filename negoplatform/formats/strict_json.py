"""Strict JSON reader: no unknown or duplicate keys, no NaN, one sentence for each fault."""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from itertools import count
from math import isfinite
from pathlib import Path
from typing import Annotated, Any, BinaryIO, TypeVar
from unicodedata import category

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from negoplatform.domain.errors import InputFileError
from negoplatform.domain.visible_text import escaped, reveal_invisible

LARGEST_FILE = 1_000_000
"""Maximum size of a game file in bytes."""

LARGEST_NUMBER = 1_000_000_000
"""Maximum absolute value of points and numbers in a file."""


EXACT_LENGTH = 15
"""Length of a written number up to which every digit of it is kept."""

SMALLEST_EXACT = 1e-300
"""Absolute value below which digits may be lost however short the number is."""


@dataclass(frozen=True, slots=True)
class JsonLimits:
    """Limits of a JSON text.

    Args:
        max_depth: Maximum nesting depth of values; Python's recursion limit is far below what JSON allows.
        max_keys: Maximum number of keys and lists in total: each may be at fault, and a fault takes 2 KB.
    """

    max_depth: int
    max_keys: int


FILE_LIMITS = JsonLimits(max_depth=100, max_keys=20_000)
"""Limits of a file that a person writes, and of a message from an agent's process."""

LOG_LIMITS = JsonLimits(max_depth=120, max_keys=40_000)
"""Limits of a log line. Wider, so that anything accepted from a file or an agent can be read from the log."""

LONGEST_REASON = 300
"""Maximum length of a reason in characters, whatever names and values of the file it quotes."""

M = TypeVar("M", bound=BaseModel)


class StrictModel(BaseModel):
    """Base of models that accept only the fields that they declare."""

    model_config = ConfigDict(
        strict=True,
        extra="forbid",
        allow_inf_nan=False,
        frozen=True,
        populate_by_name=False,
        # Built on first use: most runs read only a few kinds of file.
        defer_build=True,
        # The default engine unrolls repeated Unicode classes: a single pattern took 6 MB.
        regex_engine="python-re",
    )


class LazyStrictModel(StrictModel):
    """Base of strict models that few files need: built when first read, not at every start."""

    model_config = ConfigDict(defer_build=True)


def exact_decimal(value: object) -> Decimal:
    """Return a number exactly as written; pydantic would also accept one in quotes.

    Raises:
        ValueError: If it is not a number.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"a number belongs here, not {preview(value)}")
    return Decimal(str(value))


Number = Annotated[Decimal, BeforeValidator(exact_decimal), Field(ge=-LARGEST_NUMBER, le=LARGEST_NUMBER)]
"""Number as written: 0.1 is exactly a tenth."""

Seconds = Annotated[float, Field(ge=0.001, le=86_400)]


_SERIAL_NUMBERS = count(1)


class _Fault:
    """Placeholder in a parsed value for something that no file may hold."""

    __slots__ = ("key", "reason")

    latest = 0
    """Serial number of the last placeholder; it changes while a text is parsed that holds one."""

    def __init__(self, reason: str, key: str | None = None) -> None:
        # Not an addition: of two threads at once, one could set it back to what it was.
        _Fault.latest = next(_SERIAL_NUMBERS)
        self.reason = reason
        self.key = key


_CONTAINER_TYPES = (dict, list, _Fault)

_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")


def _build_object(pairs: list[tuple[str, Any]]) -> dict[str, Any] | _Fault:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            return _Fault("this key appears twice; keep one of them", key)
        found[key] = value
    return found


def _reject_constant(name: str) -> _Fault:
    return _Fault(f"{name} is no number that a file may hold; write a finite one")


def _parse_float(written: str) -> float | _Fault:
    """Parse a number with a point or an exponent; Python reads 1e400 as infinity, and 1e-400 as 0."""
    found = float(written)
    if not isfinite(found):
        return _Fault(f"{written[:40]} is too large to be kept; write a finite number")
    doubtful = len(written) > EXACT_LENGTH or abs(found) < SMALLEST_EXACT
    if doubtful and not _is_exact(written, found):
        return _Fault(
            f"{written[:40]} has too many digits to be kept exactly; {found!r} is the nearest number"
        )
    return found


def _is_exact(written: str, found: float) -> bool:
    """Return whether a written number is the one that is kept."""
    try:
        return Decimal(written) == Decimal(repr(found))
    except InvalidOperation:  # an exponent of many digits
        return False


_DECODER = json.JSONDecoder(
    object_pairs_hook=_build_object, parse_constant=_reject_constant, parse_float=_parse_float
)
"""Made once: a decoder takes longer to make than a short line to parse."""


def _is_surely_within(limits: JsonLimits, text: str) -> bool:
    """Return whether a text is too short, and has too few brackets, to exceed the limits."""
    return len(text) < limits.max_keys and text.count("[") + text.count("{") < limits.max_depth


def read_bytes(path: Path, largest: int = LARGEST_FILE) -> bytes:
    """Return the content of a file; only a regular file of reasonable size is opened.

    Raises:
        InputFileError: If it cannot be read, is not a regular file, or is too large.
    """
    try:
        with open_regular(path) as file:
            # Not the whole file: some system files report a size of 0 and never end.
            data = file.read(largest + 1)
    except OSError as error:
        raise InputFileError(path, "", f"the file cannot be read ({error.strerror})") from None
    except ValueError:
        raise InputFileError(single_line(str(path)), "", "this is no name of a file") from None
    if len(data) > largest:
        raise InputFileError(path, "", f"the file is larger than {largest // 1_000_000} MB")
    return data


def open_regular(path: Path) -> BinaryIO:
    """Return a file, open for reading its bytes, without waiting for a pipe.

    Raises:
        InputFileError: If it is not a regular file.
        OSError: If it cannot be opened.
        ValueError: If the path is no name of a file.
    """
    _check_regular(path, path.stat())
    # It may have been replaced since.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    file = os.fdopen(handle, "rb")
    try:
        _check_regular(path, os.fstat(handle))
    except InputFileError:
        file.close()
        raise
    return file


def _check_regular(path: Path, about: os.stat_result) -> None:
    if not stat.S_ISREG(about.st_mode):
        raise InputFileError(path, "", "this is no file but a folder or a device; name a file")


def read_text(path: Path) -> str:
    """Return the text of a UTF-8 file.

    Raises:
        InputFileError: If it cannot be read, is too large, or is not UTF-8.
    """
    try:
        return read_bytes(path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputFileError(path, f"byte {error.start}", "this is no UTF-8 text; save it as UTF-8") from None


def parse_json(text: str | bytes, path: object, where: str = "", *, limits: JsonLimits = FILE_LIMITS) -> Any:
    """Return the value of a JSON text.

    Raises:
        InputFileError: If it is not JSON, has a duplicate key, NaN or Infinity, or exceeds the limits.
    """
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8")
        before = _Fault.latest
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        place = where or f"line {error.lineno}, column {error.colno}"
        raise InputFileError(path, place, _describe_json_error(text, error)) from None
    except UnicodeDecodeError:
        raise InputFileError(path, where, "this is no UTF-8 text") from None
    except ValueError:
        raise InputFileError(path, where, "a number has too many digits") from None
    except RecursionError:
        raise InputFileError(path, where, "the values are nested too deeply") from None
    if _Fault.latest != before or not _is_surely_within(limits, text):
        _raise_fault(value, path, where, limits)
    if _SURROGATE_ESCAPE.search(text):
        _check_surrogates(value, path, where)
    return value


TYPOGRAPHIC_QUOTES = "“”„‟«»‘’"


def _describe_json_error(text: str | bytes, error: json.JSONDecodeError) -> str:
    if not text.strip():
        return "there is nothing in it"
    if text[:1] == "\ufeff":
        return "the text begins with a byte order mark; save it as UTF-8 without one"
    described = f"this is no valid JSON ({error.msg[:1].lower() + error.msg[1:]})"
    if error.doc[error.pos : error.pos + 1] in tuple(TYPOGRAPHIC_QUOTES):
        return f'{described}; write straight quotes, "'
    if error.msg.startswith("Expecting ',' delimiter"):
        return f"{described}; a comma is missing before this place"
    if error.msg.startswith(("Expecting property name", "Illegal trailing comma")):
        return f"{described}; there is an extra comma before this place, or a key without quotes"
    return described


def _raise_fault(value: Any, path: object, where: str, limits: JsonLimits) -> None:
    """Raise InputFileError for the first fault in a parsed value, with its place.

    Only the path to the current place is stored: a file can hold 300,000 lists, each 900 levels deep.
    """
    waiting = [_nested_items({"": value})]
    way: list[int | str] = [""]
    keys = 0
    while waiting:
        step = next(waiting[-1], None)
        if step is None:
            waiting.pop()
            way.pop()
            continue
        way[-1], found = step
        if isinstance(found, _Fault):
            at = way[1:] if found.key is None else [*way[1:], found.key]
            raise InputFileError(path, _join_location(where, at), found.reason)
        if len(waiting) > limits.max_depth:
            raise InputFileError(path, where, "the values are nested too deeply")
        keys += max(1, len(found)) if isinstance(found, dict) else 1
        if keys > limits.max_keys:
            raise InputFileError(
                path, where, f"there are more than {limits.max_keys:,} keys and lists in it; shorten it"
            )
        waiting.append(_nested_items(found))
        way.append("")


def _nested_items(found: dict[str, Any] | list[Any]) -> Iterator[tuple[int | str, Any]]:
    """Return the items of an object or a list that may hold a fault, each with its key or index."""
    items: Iterator[tuple[int | str, Any]] = iter(
        found.items() if isinstance(found, dict) else enumerate(found)
    )
    return (item for item in items if isinstance(item[1], _CONTAINER_TYPES))


def _check_surrogates(value: Any, path: object, where: str) -> None:
    # A lone surrogate can be written neither to a log nor to a terminal.
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise InputFileError(path, where, "a \\u escape in a text is only half of a character") from None


def validate_json(model: type[M], text: str | bytes, path: object, where: str = "") -> M:
    """Return a model of a JSON text that :func:`parse_json` has accepted.

    Raises:
        InputFileError: With the place and the reason of a fault.
    """
    try:
        return model.model_validate_json(text)
    except ValidationError as error:
        # A union reports a fault for each branch; the deepest one is the most specific. A misspelt key is
        # both unknown and missing; the key in the file helps its author more.
        fault = max(
            error.errors(include_url=False),
            key=lambda fault: (len(fault["loc"]), fault["type"] == "extra_forbidden"),
        )
        _, place = _resolve_path(fault["loc"], json.loads(text), missing=fault["type"] == "missing")
        if fault["type"].startswith("union_tag"):
            place = (*place, fault["ctx"]["discriminator"].strip("'"))
        raise InputFileError(path, _join_location(where, place), single_line(describe_error(fault))) from None


def validate_message(adapter: TypeAdapter[Any], line: bytes, *, longest: int, limits: JsonLimits) -> Any:
    """Return the value of a line that another process has sent.

    Args:
        adapter: The forms that it may have.
        line: The line, with or without its line break.
        longest: The most bytes that it may have.
        limits: The limits of its JSON.

    Raises:
        ValueError: If it is too long, not JSON, or of no known shape; the end of a sentence.
    """
    if len(line) > longest:
        raise ValueError(f"it is longer than {longest:,} bytes")
    try:
        parse_json(line, "the message", limits=limits)
        return adapter.validate_json(line)
    except InputFileError as problem:
        raise ValueError(problem.reason) from None
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        raise ValueError(f"it has no known shape ({describe_error(fault)[:200]})") from None
    except ValueError as error:  # a text that pydantic parses differently from Python
        raise ValueError(f"it cannot be read ({str(error)[:200]})") from None


def describe_error(fault: ErrorDetails) -> str:
    """Return a sentence about a fault and its remedy, for the author of a file, not of this program."""
    given, context = preview(fault["input"]), fault.get("ctx", {})
    kind = fault["type"]
    if kind in _EXPECTED_TYPES:
        return f"{_EXPECTED_TYPES[kind]} belongs here, not {given}"
    match kind:
        case "extra_forbidden":
            return "this key is not known here; check its spelling or remove it"
        case "missing" | "union_tag_not_found":
            return "this key is missing"
        case "literal_error" | "enum":
            return f"{given} is not known here; write {context['expected']}"
        case "union_tag_invalid":
            known = context["expected_tags"].replace(", ", " or ")
            return f"{single_line(context['tag'], 40)!r} is not known here; write {known}"
        case "greater_than" | "greater_than_equal" | "less_than" | "less_than_equal":
            (limit,) = context.values()
            return f"the number must be {_COMPARISONS[kind]} {limit:,.10g}, not {given}"
        case "too_short":
            least, there = context["min_length"], context["actual_length"]
            return (
                f"at least {least} {'is' if least == 1 else 'are'} needed here, "
                f"but there {'is' if there < 2 else 'are'} {there or 'none'}"
            )
        case "too_long":
            return f"at most {context['max_length']} belong here"
        case "string_too_short":
            return "the text must not be empty"
        case "string_too_long":
            return f"the text is too long; at most {context['max_length']:,} characters belong here"
        case "json_invalid":
            if "recursion" in context["error"]:
                return "the values are nested too deeply"
            if "hex escape" in context["error"]:
                return "a \\u escape in a text is only half of a character"
            return f"this is no valid JSON ({context['error']})"
        case _:
            reason = fault["msg"].removeprefix("Value error, ").rstrip(".")
            return reason[:1].lower() + reason[1:]


_EXPECTED_TYPES = {
    "string_type": "a text in quotes",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "dict_type": "an object in braces { }",
    "model_type": "an object in braces { }",
    "model_attributes_type": "an object in braces { }",
    "list_type": "a list in brackets [ ]",
    "tuple_type": "a list in brackets [ ]",
}
"""Expected values, by pydantic's name for the fault."""

_COMPARISONS = {
    "greater_than": "above",
    "greater_than_equal": "at least",
    "less_than": "below",
    "less_than_equal": "at most",
}


def preview(value: Any) -> str:
    """Return a value as a short part of a sentence."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    text = str(value) if isinstance(value, Decimal) else json.dumps(value, ensure_ascii=False, default=str)
    return single_line(text if len(text) <= 40 else f"{text[:40]}…")


def single_line(text: str, longest: int = LONGEST_REASON) -> str:
    """Return any text as a single line of limited length that is safe to print to a terminal.

    Characters that a terminal would act on or might not show (line breaks, escapes, direction marks, unusual
    spaces, characters without a meaning) are shown as escapes, such as ``\\u202e``.
    """
    text = _shortened(text, longest)
    if text.isascii() and text.isprintable():
        return text
    shown = "".join(escaped(c) if _is_odd(c) else c for c in reveal_invisible(text))
    return _shortened(shown, longest)


def _is_odd(char: str) -> bool:
    """Return whether a character is an unusual space, for private use, or unknown to this Unicode version."""
    return (char.isspace() and char != " ") or category(char) in ("Co", "Cn")


def _shortened(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest * 2 // 3]}…{text[-longest // 3 + 1 :]}"


def _resolve_path(
    location: Sequence[int | str], value: Any, *, missing: bool
) -> tuple[bool, tuple[int | str, ...]]:
    """Return whether a location leads to its end in a value, and the parts of it that exist in the value.

    A pydantic location also names models and union branches, which do not occur in the file.
    """
    if not location:
        return True, ()
    head, rest = location[0], location[1:]
    ways: list[tuple[bool, tuple[int | str, ...]]] = []
    if _has_child(value, head):
        to_end, parts = _resolve_path(rest, value[head], missing=missing)
        ways.append((to_end, (head, *parts)))
    if rest:
        ways.append(_resolve_path(rest, value, missing=missing))
    else:
        ways.append((True, (head,)) if missing and isinstance(value, dict) else (False, ()))
    return max(ways, key=lambda way: (way[0], len(way[1])))


def _has_child(value: Any, head: int | str) -> bool:
    if isinstance(value, dict):
        return head in value
    # A path that skipped a part may have entered another list, which may be shorter.
    return isinstance(value, list) and isinstance(head, int) and head < len(value)


def _join_location(where: str, location: Sequence[int | str]) -> str:
    place = dotted_path(location)
    return f"{where}, {place}" if where and place else where or place


def dotted_path(location: Sequence[int | str]) -> str:
    """Return a place inside a file, such as ``issues[2].values``."""
    text = ""
    for part in location:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            key = single_line(part, 80)
            text += f".{key}" if text else key
    return single_line(text)
