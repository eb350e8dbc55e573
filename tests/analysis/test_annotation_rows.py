"""Tables of assistants: annotations with their verdicts, and tasks with the time at which they were done."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from negoplatform.analysis.export_tables.export import Export
from negoplatform.core.events import EventType
from negoplatform.domain.assistant_settings import AssistantSpec
from negoplatform.eventlog.reader import SessionLog
from tests.app.simulation.test_assistants_in_simulations import played
from tests.hosting.assistants.small_assistants import proposals


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> SessionLog:
    return played(tmp_path_factory.mktemp("logs"), "practice", ["boulware", "conceder"])


@pytest.fixture(scope="module")
def tables(log: SessionLog) -> dict[str, list[dict[str, Any]]]:
    export = Export()
    export.add(log.path)
    return {
        table.name: [
            dict(zip((column.name for column in table.columns), row, strict=True)) for row in table.rows
        ]
        for table in export.tables()
    }


def test_each_proposal_of_an_assistant_is_in_the_table(
    log: SessionLog, tables: dict[str, list[dict[str, Any]]]
) -> None:
    rows = tables["annotations"]

    seqs = [
        event.seq
        for event in log.events
        if event.type == EventType.STATE_PROPOSED and event.payload.proposer.kind == "assistant"
    ]
    assert sorted({row["seq"] for row in rows}) == seqs
    assert {row["verdict"] for row in rows} == {"accepted"}
    assert {(row["assistant"], row["kind"]) for row in rows} >= {
        ("agenda", "agenda"),
        ("insights", "insights"),
        ("debrief", "debrief"),
    }
    assert {row["reply_to"] for row in rows} == {cause for _, cause, _ in proposals(log.events)}
    summary = next(row for row in rows if row["path"] == "annotations/debrief/summary")
    assert summary["seq"] == seqs[-1]
    assert json.loads(summary["value"])["text"].startswith("The negotiation ended with an agreement.")


def test_a_task_that_is_done_has_the_time_at_which_it_was(
    log: SessionLog, tables: dict[str, list[dict[str, Any]]]
) -> None:
    rows = {row["task_id"]: row for row in tables["tasks"]}
    ended_at = log.events[-1].t

    assert [
        row["task_id"] for row in rows.values() if row["status"] == "done" and row["done_at"] is None
    ] == []
    assert [
        row["task_id"] for row in rows.values() if row["status"] != "done" and row["done_at"] is not None
    ] == []
    assert rows["agenda/deal"]["timestamp"] == 0
    assert 0 < rows["agenda/deal"]["done_at"] <= ended_at
    offers = [row for row in rows.values() if row["outcome"] in ("countered", "replaced", "accepted")]
    assert offers
    assert all(row["done_at"] >= row["timestamp"] for row in offers)


def test_sessions_without_assistants_have_no_table_of_annotations(tmp_path: Path) -> None:
    export = Export()
    export.add(played(tmp_path, "practice", ["boulware", "conceder"], specs=()).path)

    assert "annotations" not in {table.name for table in export.tables()}


def test_a_refused_proposal_is_in_the_table_with_its_reason(tmp_path: Path) -> None:
    plugin = tmp_path / "meddler.py"
    plugin.write_text(
        "from negoplatform.agent_api import AgendaAssistant, Plan\n\n\n"
        "class Meddler(AgendaAssistant):\n"
        "    def plan(self, ctx):\n"
        '        return Plan([], {"deal": {"final": True}})\n',
        encoding="utf-8",
    )
    specs = (AssistantSpec("meddler", str(plugin)),)
    export = Export()
    export.add(played(tmp_path / "logs", "practice", ["boulware", "conceder"], specs).path)
    (table,) = (table for table in export.tables() if table.name == "annotations")

    names = [column.name for column in table.columns]
    rows = [dict(zip(names, row, strict=True)) for row in table.rows]
    assert {(row["path"], row["verdict"]) for row in rows} == {
        ("annotations/meddler/task_structure", "refused"),
        ("deal", "refused"),
    }
    assert "deal may only be changed by the platform" in str(rows[0]["reason"])
