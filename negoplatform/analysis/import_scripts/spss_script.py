"""Syntax that reads exported tables with SPSS or PSPP: ``import.sps``.

Strings of the syntax are cut to the limits of SPSS: 255 bytes for the label of a variable, 120 for that of a
value. Values of text have at most 32,767 bytes. SPSS reads a text file line by line, so a table with line
breaks within cells is read from a copy without them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from negoplatform.analysis.export_tables.columns import CellValue, Column, ColumnType, DataTable, cell_text
from negoplatform.analysis.import_scripts.r_script import has_long_numbers

COPIES = "spss"
"""Folder of the copies of tables that SPSS cannot read as they are."""

LONGEST_NAME = 64
LONGEST_LABEL = 255
LONGEST_VALUE_LABEL = 120
LONGEST_STRING = 32_767
LONGEST_PIECE = 120
"""Maximum bytes of a piece of a string: a line of syntax has at most 256, even if every quote is doubled."""

RESERVED = frozenset({"ALL", "AND", "BY", "EQ", "GE", "GT", "LE", "LT", "NE", "NOT", "OR", "TO", "WITH"})

HEAD = """* Reads the tables in the working folder, and saves each for SPSS, such as participants.sav.
* First open the folder of the tables, for example with: CD 'C:/study/tables'.
* Works with SPSS and with PSPP. An empty cell is a missing value.
SET DECIMAL=DOT.

"""


def spss_script(tables: Iterable[DataTable]) -> str:
    """Return the syntax for some tables."""
    return HEAD + "\n".join("\n".join(_table_lines(table)) + "\n" for table in tables)


def spss_copies(tables: Iterable[DataTable]) -> list[DataTable]:
    """Return copies of the tables that SPSS cannot read unchanged, because of line breaks or long texts."""
    return [
        replace(table, rows=tuple(tuple(_one_line(cell) for cell in row) for row in table.rows))
        for table in tables
        if _needs_copy(table)
    ]


def _needs_copy(table: DataTable) -> bool:
    return any(isinstance(cell, str) and _one_line(cell) != cell for row in table.rows for cell in row)


def _one_line(cell: CellValue) -> CellValue:
    if not isinstance(cell, str):
        return cell
    return cut(" ".join(cell.splitlines()), LONGEST_STRING)


def _table_lines(table: DataTable) -> Iterator[str]:
    names = spss_names(column.name for column in table.columns)
    strings = [is_string(table, i) for i in range(len(table.columns))]
    file = f"{COPIES}/{table.name}.csv" if _needs_copy(table) else f"{table.name}.csv"
    yield f"GET DATA /TYPE=TXT /FILE='{file}' /ENCODING='UTF8'"
    yield "  /ARRANGEMENT=DELIMITED /DELIMITERS=',' /QUALIFIER='\"' /FIRSTCASE=2"
    yield "  /VARIABLES="
    for i, name in enumerate(names):
        yield f"  {name} {f'A{_width(table, i)}' if strings[i] else 'F20.0'}"
    yield "  ."
    for i, (name, column) in enumerate(zip(names, table.columns, strict=True)):
        yield f"VARIABLE LABELS {name}"
        yield f"  {spss_string(column.description, LONGEST_LABEL)}."
        yield from _value_labels(name, column, is_text=strings[i])
        if strings[i]:
            yield f"MISSING VALUES {name} ('')."
            yield f"VARIABLE LEVEL {name} (NOMINAL)."
        else:
            yield f"FORMATS {name} ({'F20.6' if column.kind is ColumnType.NUMBER else 'F20.0'})."
            yield f"VARIABLE LEVEL {name} ({'NOMINAL' if column.labels else 'SCALE'})."
    yield f"SAVE OUTFILE='{table.name}.sav'."


def _value_labels(name: str, column: Column, *, is_text: bool) -> Iterator[str]:
    if not column.labels:
        return
    yield f"VALUE LABELS {name}"
    for value, label in column.labels:
        shown = spss_string(value, LONGEST_VALUE_LABEL) if is_text else value
        yield f"  {shown} {spss_string(label, LONGEST_VALUE_LABEL)}"
    yield "  ."


def is_string(table: DataTable, index: int) -> bool:
    """Return whether a column is text for SPSS."""
    kinds = (ColumnType.TEXT, ColumnType.DATETIME, ColumnType.JSON)
    return table.columns[index].kind in kinds or has_long_numbers(table, index)


def _width(table: DataTable, index: int) -> int:
    """Return the width of a column of text in bytes: that of its longest cell or value."""
    column = table.columns[index]
    texts = [cell_text(_one_line(row[index])) for row in table.rows]
    longest = max((len(text.encode("utf-8")) for text in (*texts, *column.values)), default=0)
    return min(max(longest, 8), LONGEST_STRING)


def spss_names(names: Iterable[str]) -> list[str]:
    """Return names of variables that are not reserved, not too long, and unique regardless of case."""
    found: list[str] = []
    taken: set[str] = set()
    for name in names:
        legal = f"{name}_var" if name.upper() in RESERVED else name[:LONGEST_NAME]
        number = 1
        while legal.upper() in taken:
            number += 1
            end = f"_{number}"
            legal = name[: LONGEST_NAME - len(end)] + end
        taken.add(legal.upper())
        found.append(legal)
    return found


def spss_string(text: str, longest: int) -> str:
    """Return a text as a string of SPSS, in pieces on lines that are short enough."""
    rest = cut(" ".join(text.split()), longest)
    pieces: list[str] = []
    while rest or not pieces:
        piece = cut(rest, LONGEST_PIECE)
        pieces.append("'" + piece.replace("'", "''") + "'")
        rest = rest[len(piece) :]
    return " +\n  ".join(pieces)


def cut(text: str, longest: int) -> str:
    """Return the longest beginning of a text that fits into a number of bytes in UTF-8."""
    return text.encode("utf-8", "replace")[:longest].decode("utf-8", "ignore")
