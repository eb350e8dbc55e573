"""Table of advice: a row for each piece of advice to a person."""

from __future__ import annotations

import json
from dataclasses import replace

from negoplatform.analysis.export_tables.advice_rows import ADVICE_COLUMNS, advice_rows
from negoplatform.analysis.session_facts import GameFiguresCache, session_facts
from negoplatform.core.events import Event, Note
from tests.app.session.test_advisers import AdvisedTable, course_of_all_verdicts, log_of


def test_each_piece_of_advice_has_a_row_with_its_verdict_and_its_time() -> None:
    table = AdvisedTable().start()
    course_of_all_verdicts(table)
    log = log_of(table)

    rows = list(advice_rows(session_facts(log, GameFiguresCache())))

    advised = [e for e in log.events if isinstance(e.payload, Note) and e.payload.kind == "advised"]
    assert [row["seq"] for row in rows] == [event.seq for event in advised]
    assert [row["advice_no"] for row in rows] == list(range(1, len(rows) + 1))
    assert {row["verdict"] for row in rows} >= {"used", "dismissed", "superseded"}
    assert (rows[0]["seat"], rows[0]["kinds"], rows[0]["text"]) == ("human", "message offer", "About one")
    assert rows[0]["offer"] == "coins 3 human, 1 agent"
    assert [step["do"] for step in json.loads(str(rows[0]["steps"]))] == ["message", "offer"]
    assert set(rows[0]) == {column.name for column in ADVICE_COLUMNS}


def test_advice_of_any_steps_makes_no_failure() -> None:
    table = AdvisedTable().start()
    course_of_all_verdicts(table)
    log = log_of(table)
    events = tuple(
        replace_data(event, {**event.payload.data, "steps": [{"do": "offer", "offer": 3}, "x"]})
        if isinstance(event.payload, Note) and event.payload.kind == "advised"
        else event
        for event in log.events
    )

    rows = list(advice_rows(session_facts(replace(log, events=events), GameFiguresCache())))

    assert {row["offer"] for row in rows} == {None}


def replace_data(event: Event, data: dict[str, object]) -> Event:
    return event._replace(payload=replace(event.payload, data=data))
