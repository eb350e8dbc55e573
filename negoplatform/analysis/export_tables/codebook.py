"""Codebook: every column of every table, with the meaning of its cells."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from negoplatform.analysis.export_tables.columns import (
    Column,
    ColumnType,
    DataTable,
    Row,
    build_table,
    text_column,
)

TABLE_DESCRIPTIONS = {
    "sessions": "One row for each session: the game, the players, the ending, and both sides' measures "
    "(columns that end in _h, _a, _human and _agent: games with two seats; seats has them for others).",
    "seats": "One row for each seat of each session, for games with any number of seats.",
    "offers": "One row for each offer, full or partial: its terms, its points, the step and the response.",
    "offer_seats": "One row for each seat of each offer: its units and its points, for any number of seats.",
    "orders": "Markets: one row for each order: its price, what was traded of it, and how it left its book.",
    "trades": "Trading and market games: one row for each trade, with its distance to the equilibrium.",
    "proposals": "Trading games: one row for each proposal, with its gains and its answer.",
    "accounts": "Trading and market games: one row for each good of each seat, at the start, at the end of "
    "each period and at the end.",
    "messages": "One row for each message: its text, its speech act, its claims and whether they are true.",
    "events": "One row for each event, in the order of the log, with its contents as JSON.",
    "advice": "One row for each piece of advice that an adviser gave to a person, and how it ended.",
    "mandates": "One row for each command of a principal: its mandate, whether it was kept, and its acts.",
    "annotations": "One row for each place in the record that an assistant proposed to change.",
    "tasks": "One row for each action that a party attempted, refused ones included.",
    "participants": "Studies: one row for each visit, with cell, factors, results, answers and scores.",
    "answers": "Studies: one row for each item that a participant answered or skipped.",
    "stages": "Studies: one row each time that a participant entered a step.",
    "help": "Studies: one row for each time that a participant called the experimenter.",
    "transitions": "One row for each act of each seat: its own view in numbers, the act, and the reward.",
    "iago_wide": "One row for each game, with the column names of the logs of IAGO.",
    "codebook": "This table: one row for each column of each table.",
}
"""Tables of an export, in reading order, with the meaning of their rows."""

CODEBOOK_COLUMNS = (
    text_column("table", "Name of the table: that of its file without .csv.", TABLE_DESCRIPTIONS),
    text_column("column", "Name of the column."),
    text_column(
        "type",
        "integer, number (with a decimal point), boolean (0 or 1), text, datetime (ISO 8601), or JSON.",
        ("integer", "number", "boolean", "text", "datetime", "json"),
    ),
    text_column("unit_or_range", "Unit or range of numbers; empty if there is none."),
    text_column("value_labels", "Possible values with their labels, separated by |, if there are few."),
    Column("labels", ColumnType.JSON, "Labels by value as JSON; empty if the values have no labels."),
    text_column("description", "Meaning of the cells."),
)


def codebook(tables: Iterable[DataTable]) -> DataTable:
    """Return the codebook of some tables, which describes itself too."""
    described = [(table.name, table.columns) for table in tables]
    return build_table("codebook", CODEBOOK_COLUMNS, _rows([*described, ("codebook", CODEBOOK_COLUMNS)]))


def _rows(described: Iterable[tuple[str, tuple[Column, ...]]]) -> Iterator[Row]:
    for table, columns in described:
        for column in columns:
            yield {
                "table": table,
                "column": column.name,
                "type": column.kind.value,
                "unit_or_range": column.unit,
                "value_labels": " | ".join(_value_text(column, value) for value in column.values),
                "labels": json.dumps(dict(column.labels), ensure_ascii=False) if column.labels else None,
                "description": column.description,
            }


def _value_text(column: Column, value: str) -> str:
    label = dict(column.labels).get(value)
    return value if label is None or column.kind is ColumnType.BOOLEAN else f"{value} = {label}"
