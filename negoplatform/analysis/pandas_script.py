"""Script that reads exported tables with pandas: ``import.py``."""

from __future__ import annotations

import json
from collections.abc import Iterable

from negoplatform.analysis.columns import Column, ColumnType, DataTable

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
labelled("participants", "COLUMN") returns them as categories with the labels. An empty cell is a missing
value.
"""

from pathlib import Path

import pandas as pd

FOLDER = Path(__file__).resolve().parent

# Type of each column, by table.
TYPES = @TYPES@

# Possible values of columns of text, by table.
CATEGORIES = @CATEGORIES@

# Labels of values, by table and column.
LABELS = @LABELS@


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
    numbers = frame[column].astype("Int64").astype("string")
    named = {}
    for value, label in labels.items():
        named[value] = f"{label} ({value})" if label in named.values() else label
    values = numbers.map(lambda value: named.get(value, value), na_action="ignore")
    others = sorted(set(values.dropna()) - set(named.values()))
    return pd.Series(pd.Categorical(values, [*named.values(), *others]), index=frame.index)


@READ@
'''


def pandas_script(tables: Iterable[DataTable]) -> str:
    """Return the script for some tables."""
    tables = list(tables)
    types = {t.name: {c.name: PANDAS_TYPES[c.kind] for c in t.columns} for t in tables}
    categories = {t.name: {c.name: list(c.values) for c in t.columns if is_category(c)} for t in tables}
    labels = {
        t.name: {c.name: dict(c.labels) for c in t.columns if c.labels and c.kind is not ColumnType.BOOLEAN}
        for t in tables
    }
    parts = {
        "TYPES": types,
        "CATEGORIES": categories,
        "LABELS": labels,
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
