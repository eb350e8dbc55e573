"""Columns of exported tables: definitions, legal names, and the format of values."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

MAX_NAME_LENGTH = 32
"""Maximum number of characters in a column's name, which every statistics program accepts."""

CellValue = str | int | float | bool | None
"""Cell before it is written; None for a missing value."""

Row = Mapping[str, CellValue]
"""Values of a row by column; omitted columns are missing values."""


class ColumnType(StrEnum):
    """Type of a column's cells."""

    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    TEXT = "text"
    DATETIME = "datetime"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class Column:
    """Definition of a column.

    Args:
        name: A legal name (``[a-z][a-z0-9_]*``, at most 32 characters).
        kind: The type of its cells.
        description: Their meaning, in a sentence or two.
        unit: The unit or range of numbers; empty where there is none.
        values: The possible values, where they are few.
        labels: The text that is shown for each value; values without one are left out.
        is_ordered: Whether the values are points of a rating scale, from the lowest to the highest.
    """

    name: str
    kind: ColumnType
    description: str
    unit: str = ""
    values: tuple[str, ...] = ()
    labels: tuple[tuple[str, str], ...] = ()
    is_ordered: bool = False


@dataclass(frozen=True, slots=True)
class DataTable:
    """Table that is ready to be written.

    Args:
        name: The file's name without ``.csv``.
        columns: The columns, in order.
        rows: The rows, with one value per column.
    """

    name: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[CellValue, ...], ...]


def integer_column(name: str, description: str, unit: str = "") -> Column:
    """Return a column of whole numbers."""
    return Column(name, ColumnType.INTEGER, description, unit)


def number_column(name: str, description: str, unit: str = "") -> Column:
    """Return a column of numbers."""
    return Column(name, ColumnType.NUMBER, description, unit)


def boolean_column(name: str, description: str) -> Column:
    """Return a column of 0 and 1."""
    return Column(
        name, ColumnType.BOOLEAN, description, values=("0", "1"), labels=(("0", "no"), ("1", "yes"))
    )


def text_column(name: str, description: str, values: Iterable[str] = ()) -> Column:
    """Return a column of text."""
    return Column(name, ColumnType.TEXT, description, values=tuple(values))


def build_table(name: str, columns: Sequence[Column], rows: Iterable[Row]) -> DataTable:
    """Return a table with each row's values in the order of the columns.

    Raises:
        KeyError: If a row has a value without a column.
    """
    names = [column.name for column in columns]
    known = frozenset(names)
    made = []
    for row in rows:
        if not row.keys() <= known:
            raise KeyError(f"{name} has no column {sorted(row.keys() - known)[0]}")
        made.append(tuple([row.get(column) for column in names]))
    return DataTable(name, tuple(columns), tuple(made))


def cell_text(value: CellValue) -> str:
    """Return a value as text of a cell: empty if missing, 0 or 1 for a boolean, numbers in full precision."""
    match value:
        case None:
            return ""
        case bool():
            return str(int(value))
        case str():
            return value
        case _:
            return repr(value)


def legal_stem(text: str, longest: int) -> str:
    """Return a text as part of a column's name: lower-case letters, digits and single underscores.

    Accents are dropped, as are letters without a Latin form. If nothing is left, the stem is ``issue``.
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "_", plain).strip("_")[:longest].rstrip("_") or "issue"


def legal_stems(texts: Iterable[str], longest: int) -> dict[str, str]:
    """Return a different stem for every text: the second of two equal stems ends in ``_2``.

    Args:
        texts: The names, in order; a repeated name keeps its stem.
        longest: The maximum number of characters of a stem, including the number.
    """
    stems: dict[str, str] = {}
    taken: set[str] = set()
    for text in texts:
        if text in stems:
            continue
        stem, count = legal_stem(text, longest), 1
        while stem in taken:
            count += 1
            end = f"_{count}"
            stem = legal_stem(text, longest - len(end)) + end
        stems[text] = stem
        taken.add(stem)
    return stems
