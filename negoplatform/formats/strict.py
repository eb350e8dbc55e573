"""Reading JSON strictly: no unknown keys, no key twice, no NaN, one sentence for each fault."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from negoplatform.domain.errors import FileProblem

LARGEST_FILE = 5_000_000
"""Bytes that a game file may have."""

M = TypeVar("M", bound=BaseModel)


class Strict(BaseModel):
    """A model that takes what it declares and nothing else."""

    model_config = ConfigDict(
        strict=True, extra="forbid", allow_inf_nan=False, frozen=True, populate_by_name=False
    )


class _TwiceError(ValueError):
    """An object has one key twice."""


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise _TwiceError(f"the key {key!r} stands there twice; keep one of them")
        found[key] = value
    return found


def _no_constant(name: str) -> NoReturn:
    raise _TwiceError(f"{name} is no number that a file may hold; write a finite one")


def read_text(path: Path) -> str:
    """The text of a UTF-8 file.

    Raises:
        FileProblem: If it cannot be read, is too large, or is no UTF-8 text.
    """
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise FileProblem(path, "", f"the file is larger than {LARGEST_FILE // 1_000_000} MB")
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise FileProblem(path, f"byte {error.start}", "this is no UTF-8 text; save it as UTF-8") from None
    except OSError as error:
        raise FileProblem(path, "", f"the file cannot be read ({error.strerror})") from None


def parse_json(text: str | bytes, path: object, where: str = "") -> Any:
    """The value of a JSON text.

    Raises:
        FileProblem: If it is no JSON, has a key twice, holds NaN or Infinity, or is nested too deeply.
    """
    try:
        return json.loads(text, object_pairs_hook=_no_duplicates, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        place = where or f"line {error.lineno}, column {error.colno}"
        raise FileProblem(path, place, f"this is no valid JSON ({error.msg})") from None
    except _TwiceError as error:
        raise FileProblem(path, where, str(error)) from None
    except UnicodeDecodeError:
        raise FileProblem(path, where, "this is no UTF-8 text") from None
    except ValueError:
        raise FileProblem(path, where, "a number has too many digits") from None
    except RecursionError:
        raise FileProblem(path, where, "the values are nested too deeply") from None


def validate_json(model: type[M], text: str | bytes, path: object, where: str = "") -> M:
    """A model from a JSON text that :func:`parse_json` has accepted.

    Raises:
        FileProblem: With the place of the first fault and its reason.
    """
    try:
        return model.model_validate_json(text)
    except ValidationError as error:
        raise FileProblem(path, *_first_fault(error, where)) from None


def validate_value(model: type[M], value: Any, path: object, where: str = "") -> M:
    """A model from a value that JSON could hold."""
    return validate_json(model, json.dumps(value), path, where)


def _first_fault(error: ValidationError, where: str) -> tuple[str, str]:
    # A union reports each of its branches; the branch that got furthest knows best.
    fault = max(error.errors(include_url=False, include_context=False), key=lambda fault: len(fault["loc"]))
    place = ".".join(part for part in (where, dotted(fault["loc"])) if part)
    match fault["type"]:
        case "extra_forbidden":
            return place, "this key is not known here; check its spelling or remove it"
        case "missing":
            return place, "this key is missing"
        case _:
            reason = fault["msg"].removeprefix("Value error, ").rstrip(".")
            return place, reason[:1].lower() + reason[1:]


def dotted(location: Sequence[int | str]) -> str:
    """A place inside a file, such as ``issues[2].values``."""
    text = ""
    for part in location:
        if isinstance(part, int):
            text += f"[{part}]"
        elif not part.startswith(("function-", "tagged-")):
            text += f".{part}" if text else part
    return text
