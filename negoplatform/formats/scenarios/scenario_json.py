"""Reader of the JSON and YAML of scenarios, with exact numbers."""

from __future__ import annotations

import json
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from math import inf
from pathlib import Path
from typing import Any

from negoplatform.domain.errors import InputFileError, missing_package_error
from negoplatform.formats.scenarios.scenario import written_number
from negoplatform.formats.strict_json import read_bytes, single_line

LARGEST_SCENARIO_FILE = 20_000_000
"""Maximum size of a JSON file in bytes."""

LARGEST_YAML_FILE = 2_000_000
"""Maximum size of a YAML file in bytes; reading one takes far longer than JSON."""

MOST_YAML_VALUES = 1_000_000
"""Maximum number of values of a YAML file, each as often as aliases repeat it."""

MOST_DIGITS = 100
"""Maximum number of digits of a number; Python's decimals would need much memory for a large exponent."""


def read_json(path: Path) -> Any:
    """Return the value of a JSON file, its numbers as decimals exactly as written; ``-Infinity`` is a float.

    Raises:
        InputFileError: If it is no JSON, or has a key twice.
    """

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        twice = next((key for key, n in Counter(key for key, _ in pairs).items() if n > 1), None)
        if twice is not None:
            reason = f"the key {single_line(twice, 40)!r} appears twice in an object; keep one of them"
            raise InputFileError(path, "", reason)
        return dict(pairs)

    def constant(name: str) -> float:
        if name == "-Infinity":  # the usual reservation value of NegMAS
            return -inf
        raise InputFileError(path, "", f"{name} is no number that a scenario may hold")

    try:
        text = read_bytes(path, LARGEST_SCENARIO_FILE).decode("utf-8-sig")
        return json.loads(
            text, parse_float=Decimal, parse_int=Decimal, parse_constant=constant, object_pairs_hook=unique
        )
    except UnicodeDecodeError:
        raise InputFileError(path, "", "this is no UTF-8 text") from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise InputFileError(path, place, f"this is no valid JSON ({single_line(error.msg, 80)})") from None
    except (RecursionError, ArithmeticError, ValueError):
        raise InputFileError(path, "", "the values are nested too deeply, or a number is too large") from None


def read_yaml(path: Path) -> Any:
    """Return the value of a YAML file.

    Raises:
        InputFileError: If it is no YAML of plain values.
        NegoError: If PyYAML is not installed.
    """
    try:
        import yaml  # an extra: only scenarios of NegMAS need it
    except ImportError:
        raise missing_package_error(f"{path} is YAML, which needs PyYAML", "scenarios") from None
    try:
        value = yaml.load(
            read_bytes(path, LARGEST_YAML_FILE), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        )
        if _count_values(value, {}) > MOST_YAML_VALUES:
            raise InputFileError(path, "", f"its aliases repeat more than {MOST_YAML_VALUES:,} values")
        return value
    except RecursionError:
        raise InputFileError(path, "", "the values are nested too deeply, or one contains itself") from None
    except yaml.MarkedYAMLError as error:
        place = f"line {error.problem_mark.line + 1}" if error.problem_mark else ""
        reason = f"this is no valid YAML ({single_line(str(error.problem), 80)})"
        raise InputFileError(path, place, reason) from None
    except (yaml.YAMLError, UnicodeError, ValueError) as error:
        raise InputFileError(
            path, "", f"this is no valid YAML ({single_line(str(error).partition(chr(10))[0], 80)})"
        ) from None


def _count_values(value: Any, counted: dict[int, int]) -> int:
    """Return the number of values in a value, each as often as it appears.

    Aliases unfold a short file to more than any memory once it becomes text.

    Raises:
        RecursionError: If the value contains itself, or is nested too deeply.
    """
    if not isinstance(value, dict | list | tuple | set):
        return 1
    if id(value) not in counted:
        parts = [*value, *value.values()] if isinstance(value, dict) else value
        counted[id(value)] = 1 + sum(_count_values(part, counted) for part in parts)
    return counted[id(value)]


def child(value: Any, key: str, kind: type | tuple[type, ...], path: object, where: str) -> Any:
    """Return the value under a key of an object.

    Raises:
        InputFileError: If it is missing, or not of the kind.
    """
    place = f"{where}.{key}" if where else key
    if not isinstance(value, dict) or key not in value:
        raise InputFileError(path, single_line(place, 80), "this key is missing")
    if not isinstance(value[key], kind):
        raise InputFileError(path, single_line(place, 80), "a value of another kind belongs here")
    return value[key]


def exact_number(value: object, path: object, where: str) -> Fraction:
    """Return a number: a decimal as written, or the nearest decimal to a 64-bit number.

    Raises:
        InputFileError: If it is no finite number of reasonable length.
    """
    if isinstance(value, str) and value.strip():
        try:
            value = Decimal(value.strip())
        except ArithmeticError:
            value = None
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise InputFileError(path, single_line(where, 80), "a number belongs here")
    if isinstance(value, float):
        return Fraction(written_number(value, path, where))
    if isinstance(value, Decimal):
        _, digits, exponent = value.as_tuple()
        if not isinstance(exponent, int) or len(digits) > MOST_DIGITS or abs(exponent) > MOST_DIGITS:
            raise InputFileError(
                path, single_line(where, 80), "a finite number of up to 100 digits belongs here"
            )
    return Fraction(value)
