"""Columns of exported tables: what each one is, what it may be called, and how its values are written."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

MAX_NAME_LENGTH = 32
"""Characters in a column's name: what every statistics program takes."""

CellValue = str | int | float | bool | None
"""A cell before it is written; None is missing."""

Row = Mapping[str, CellValue]
"""A row: values by column. What is left out is missing."""


class ColumnType(StrEnum):
    """What the cells of a column hold."""

    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    TEXT = "text"
    DATETIME = "datetime"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class Column:
    """One column.

    Args:
        name: Legal as a name (``[a-z][a-z0-9_]*``, at most 32 characters).
        kind: What its cells hold.
        description: What they mean, in a sentence or two.
        unit: The unit of numbers, or their range; empty where there is none.
        values: The values that may occur, where they are few.
    """

    name: str
    kind: ColumnType
    description: str
    unit: str = ""
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DataTable:
    """A table that is ready to be written.

    Args:
        name: The file's name without ``.csv``.
        columns: Its columns, in order.
        rows: Its rows, one value per column.
    """

    name: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[CellValue, ...], ...]


def integer_column(name: str, description: str, unit: str = "") -> Column:
    """A column of whole numbers."""
    return Column(name, ColumnType.INTEGER, description, unit)


def number_column(name: str, description: str, unit: str = "") -> Column:
    """A column of numbers."""
    return Column(name, ColumnType.NUMBER, description, unit)


def boolean_column(name: str, description: str) -> Column:
    """A column of 0 and 1."""
    return Column(name, ColumnType.BOOLEAN, description, values=("0", "1"))


def text_column(name: str, description: str, values: Iterable[str] = ()) -> Column:
    """A column of text."""
    return Column(name, ColumnType.TEXT, description, values=tuple(values))


def build_table(name: str, columns: Sequence[Column], rows: Iterable[Row]) -> DataTable:
    """A table with each row's values put under their columns.

    Raises:
        KeyError: If a row has a value for which there is no column.
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
    """A value as it stands in a file: empty for what is missing, 0 or 1, numbers as exact as they are."""
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
    """A text as part of a column's name: small letters, digits and single underscores.

    Accents are dropped; letters that have no Latin form are, too. What leaves nothing is called ``issue``.
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "_", plain).strip("_")[:longest].rstrip("_") or "issue"


def legal_stems(texts: Iterable[str], longest: int) -> dict[str, str]:
    """A stem for every text, all different: the second one that comes out the same ends in ``_2``.

    Args:
        texts: Names, in order; one that comes again keeps its stem.
        longest: Characters that a stem may have, the number included.
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
