"""Script that reads exported tables with pandas: ``import_tables.py``."""

from __future__ import annotations

import json
from collections.abc import Iterable

from negoplatform.analysis.export_tables.columns import Column, ColumnType, DataTable

PANDAS_TYPES = {
    ColumnType.INTEGER: "Int64",
    ColumnType.NUMBER: "Float64",
    ColumnType.BOOLEAN: "boolean",
    ColumnType.TEXT: "string",
    ColumnType.DATETIME: "datetime",
    ColumnType.JSON: "string",
}

SCRIPT = '''"""Read the tables in the folder of this file: every table becomes a data frame of the same name.

Text columns with few distinct values are categories. Numbers with labels stay numbers;
labelled("participants", "COLUMN") returns them as categories with the labels, in the order of the numbers; a
rating scale is ordered, and its points without a label are named by their numbers. An empty cell is a missing
value. In another script in the same folder: from import_tables import *
"""

from pathlib import Path

import pandas as pd

FOLDER = Path(__file__).resolve().parent

# Type of each column, by table.
TYPES = @TYPES@

# Possible values of columns of text, by table.
CATEGORIES = @CATEGORIES@

# Label of each possible value, by table and column; values without a label have their own text.
LABELS = @LABELS@

# Columns of rating scales, by table.
ORDERED = @ORDERED@


def convert(cells, kind):
    if kind == "Int64":
        return pd.array([pd.NA if cell is pd.NA else int(cell) for cell in cells], dtype="Int64")
    if kind == "Float64":
        return pd.array([pd.NA if cell is pd.NA else float(cell) for cell in cells], dtype="Float64")
    if kind == "boolean":
        return pd.array([pd.NA if cell is pd.NA else cell == "1" for cell in cells], dtype="boolean")
    if kind == "datetime":
        return pd.to_datetime(cells, utc=True, format="ISO8601")
    return cells


def read_table(table):
    cells = pd.read_csv(
        FOLDER / f"{table}.csv",
        dtype="string",
        keep_default_na=False,
        na_values=[""],
        skip_blank_lines=False,
        encoding="utf-8-sig",
        engine="python",
    )
    columns = {}
    for name, kind in TYPES[table].items():
        columns[name] = pd.Series(convert(cells[name], kind), index=cells.index)
        known = CATEGORIES[table].get(name)
        if known is not None:
            others = sorted(set(cells[name].dropna()) - set(known))
            columns[name] = pd.Series(pd.Categorical(cells[name], [*known, *others]), index=cells.index)
    return pd.DataFrame(columns)


def labelled(table, column):
    frame, labels = globals()[table], LABELS[table][column]
    kind = "Int64" if TYPES[table][column] == "Int64" else "string"
    cells = frame[column].astype(kind).astype("string")
    named = {}
    for value in [*labels, *sorted(set(cells.dropna()) - set(labels))]:
        label = labels.get(value, value)
        named[value] = f"{label} ({value})" if label in named.values() else label
    values = cells.map(named, na_action="ignore")
    return pd.Series(
        pd.Categorical(values, list(named.values()), ordered=column in ORDERED[table]), index=frame.index
    )


@READ@
'''


def pandas_script(tables: Iterable[DataTable]) -> str:
    """Return the script for some tables."""
    tables = list(tables)
    types = {t.name: {c.name: PANDAS_TYPES[c.kind] for c in t.columns} for t in tables}
    categories = {t.name: {c.name: list(c.values) for c in t.columns if is_category(c)} for t in tables}
    labels = {
        t.name: {
            c.name: {value: value for value in c.values} | dict(c.labels)
            for c in t.columns
            if c.labels and c.kind is not ColumnType.BOOLEAN
        }
        for t in tables
    }
    ordered = {t.name: [c.name for c in t.columns if c.is_ordered] for t in tables}
    parts = {
        "TYPES": types,
        "CATEGORIES": categories,
        "LABELS": labels,
        "ORDERED": ordered,
    }
    script = SCRIPT
    for name, value in parts.items():
        # JSON of texts, lists and objects is Python too.
        script = script.replace(f"@{name}@", json.dumps(value, indent=4, ensure_ascii=False), 1)
    read = "\n".join(f'{t.name} = read_table("{t.name}")' for t in tables)
    head, _, tail = script.rpartition("@READ@")
    return f"{head}{read}{tail}"


def is_category(column: Column) -> bool:
    """Return whether a column has texts of which there are few."""
    return column.kind is ColumnType.TEXT and bool(column.values)
