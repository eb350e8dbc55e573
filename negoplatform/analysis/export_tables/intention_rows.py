"""Rows of the ledger of intentions."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from negoplatform.core.record.notes_and_tasks import Task

COLUMNS = (
    "task_id",
    "timestamp",
    "agent_origin",
    "intent",
    "status",
    "seq",
    "event",
    "outcome",
    "refused",
    "text",
    "metadata",
)
"""The columns of the ledger as a table."""


def ledger_rows(tasks: Iterable[Task]) -> list[dict[str, str | float]]:
    """Return the ledger as flat rows, each with all of ``COLUMNS``; empty text for missing values.

    ``metadata`` is one JSON text.
    """
    rows: list[dict[str, str | float]] = []
    for task in tasks:
        metadata = task.metadata.to_dict()
        row: dict[str, str | float] = {
            "task_id": task.task_id,
            "timestamp": task.timestamp,
            "agent_origin": task.agent_origin,
            "intent": task.intent,
            "status": task.status.value,
        }
        row.update({name: _cell(metadata.get(name)) for name in COLUMNS[5:-1]})
        rows.append({**row, "metadata": task.metadata.text})
    return rows


def _cell(value: Any) -> str | float:
    if value is None:
        return ""
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        return value
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
