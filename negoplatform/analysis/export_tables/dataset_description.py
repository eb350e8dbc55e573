"""Description of exported tables for data archives: ``dataset_description.json`` of Psych-DS, as JSON-LD."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import negoplatform
from negoplatform.analysis.export_tables.columns import Column, ColumnType, DataTable

DATA_TYPES = {
    ColumnType.INTEGER: "Integer",
    ColumnType.NUMBER: "Number",
    ColumnType.BOOLEAN: "Boolean",
    ColumnType.TEXT: "Text",
    ColumnType.DATETIME: "DateTime",
    ColumnType.JSON: "Text",
}
"""Types of schema.org."""


def dataset_description(tables: Iterable[DataTable], *, name: str, version: str, about: str) -> str:
    """Return the description of some tables.

    Args:
        tables: The tables.
        name: The name of the data set.
        version: Its version.
        about: A sentence about its contents.
    """
    tables = list(tables)
    columns: dict[str, Column] = {}
    places: dict[str, list[str]] = {}
    for table in tables:
        for column in table.columns:
            columns.setdefault(column.name, column)
            places.setdefault(column.name, []).append(f"{table.name}.csv")
    document = {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": name,
        "version": version,
        "description": about,
        "generator": f"NegoPlatform {negoplatform.__version__}",
        "encodingFormat": "text/csv",
        "distribution": [
            {
                "@type": "DataDownload",
                "name": table.name,
                "contentUrl": f"{table.name}.csv",
                "encodingFormat": "text/csv",
            }
            for table in tables
        ],
        "variableMeasured": [_variable(column, places[name]) for name, column in columns.items()],
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _variable(column: Column, files: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = {
        "@type": "PropertyValue",
        "name": column.name,
        "description": column.description,
        "valueType": DATA_TYPES[column.kind],
        "files": files,
    }
    if column.unit:
        found["unitText"] = column.unit
    if column.labels or column.values:
        labels = dict(column.labels)
        found["valueReference"] = [
            {"@type": "PropertyValue", "value": value, "name": labels.get(value, value)}
            for value in column.values
        ]
    return found
