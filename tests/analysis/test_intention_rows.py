"""Ledger of intentions as a flat table."""

from __future__ import annotations

import csv
import io
import json

import pytest

from negoplatform.analysis.export_tables.intention_rows import COLUMNS, ledger_rows
from negoplatform.core.intention_ledger import ledger
from negoplatform.core.record.notes_and_tasks import EMPTY_RECORD, Task, get_state, parse_record
from negoplatform.domain.errors import Refused
from negoplatform.testing import TrialTable

ALL = {"bananas": 3, "grain": 1, "wood": 2, "spices": 1}


def test_the_ledger_is_a_flat_table(table: TrialTable) -> None:
    table.human.says('Said "so", and\nmore')
    table.human.offers(ALL)
    with pytest.raises(Refused):
        table.human.accepts(99)
    task = Task("plan", 1.0, "agenda", "settle")
    record = parse_record({**get_state(EMPTY_RECORD), "tasks": [task.document()]})
    rows = ledger_rows(ledger(table.events, record))

    file = io.StringIO(newline="")
    writer = csv.DictWriter(file, COLUMNS)
    writer.writeheader()
    writer.writerows(rows)
    file.seek(0)
    read = list(csv.DictReader(file))

    assert [tuple(row) for row in rows] == [COLUMNS] * 4
    assert [row["text"] for row in read] == ['Said "so", and\nmore', "", "", ""]
    assert [row["refused"] for row in read] == ["", "", "That offer is no longer on the table.", ""]
    assert [row["seq"] for row in rows] == [2, 3, 4, ""]
    assert json.loads(read[1]["metadata"])["offer_id"] == 3
