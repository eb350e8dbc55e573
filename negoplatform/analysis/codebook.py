"""Codebook: every column of every table, with the meaning of its cells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from negoplatform.analysis.columns import Column, DataTable, Row, build_table, text_column

TABLE_DESCRIPTIONS = {
    "sessions": "One row for each session: what was played, by whom, how it ended, and both sides' measures.",
    "seats": "One row for each seat of each session, for games of any number of seats.",
    "offers": "One row for each offer, full or partial: its terms, its worth, the step and the response.",
    "messages": "One row for each message: words, what they do, what they claim and whether that is true.",
    "events": "One row for each event, in the order of the log, with all that it says as JSON.",
    "tasks": "The ledger of intentions: one row for each thing that a party tried to do, refusals included.",
    "codebook": "This table: one row for each column of each table.",
}
"""Tables of an export, in reading order, with the meaning of their rows."""

CODEBOOK_COLUMNS = (
    text_column("table", "The table, as its file is called without .csv.", TABLE_DESCRIPTIONS),
    text_column("column", "The column."),
    text_column(
        "type",
        "integer, number (with a decimal point), boolean (0 or 1), text, datetime (ISO 8601), or JSON.",
        ("integer", "number", "boolean", "text", "datetime", "json"),
    ),
    text_column("unit_or_range", "The unit of numbers, or their range; empty where there is none."),
    text_column("value_labels", "The values that may occur, where they are few, with | between."),
    text_column("description", "What the cells mean."),
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
                "value_labels": " | ".join(column.values),
                "description": column.description,
            }
