"""Table of suggestions: a row for each script of an agent that waited for the wizard."""

from __future__ import annotations

import json
from dataclasses import replace

from negoplatform.analysis.export_tables.suggestion_rows import SUGGESTION_COLUMNS, suggestion_rows
from negoplatform.analysis.session_facts import GameFiguresCache, session_facts
from negoplatform.core.events import Note
from negoplatform.domain.joining_settings import WizardMode, WizardSettings
from tests.app.session.wizard_table import WizardTable, course_of_all_verdicts


def table_of_all_verdicts() -> WizardTable:
    table = WizardTable(WizardSettings(WizardMode.ASSISTED, 10.0))
    course_of_all_verdicts(table)
    return table


def test_each_suggestion_has_a_row_with_its_verdict_and_its_time() -> None:
    log = table_of_all_verdicts().log()

    rows = list(suggestion_rows(session_facts(log, GameFiguresCache())))

    suggested = [e for e in log.events if isinstance(e.payload, Note) and e.payload.kind == "suggested"]
    assert [row["seq"] for row in rows] == [event.seq for event in suggested]
    assert [row["suggestion_no"] for row in rows] == list(range(1, len(rows) + 1))
    assert {row["verdict"] for row in rows} >= {"sent", "edited", "dropped", "timed_out_sent", "autonomous"}
    assert rows[0]["text"] == "About one"
    assert rows[0]["offer"] == "coins 2 agent, 2 human"
    assert rows[0]["kinds"] == "message offer"
    assert (rows[0]["mode"], rows[0]["side"], rows[0]["performed"]) == ("assisted", "a", True)
    assert isinstance(rows[0]["seconds"], float)
    assert [step["do"] for step in json.loads(str(rows[0]["steps"]))] == ["message", "offer"]
    assert set(rows[0]) == {column.name for column in SUGGESTION_COLUMNS}


def test_an_edited_suggestion_has_both_texts_and_a_mode_that_was_changed_counts_from_then_on() -> None:
    log = table_of_all_verdicts().log()

    rows = list(suggestion_rows(session_facts(log, GameFiguresCache())))

    (edited,) = [row for row in rows if row["verdict"] == "edited"]
    assert (edited["text"], edited["edited_text"], edited["mode"]) == ("About three", "Changed.", "manual")
    assert (edited["offer"], edited["edited_offer"]) == ("coins 2 agent, 2 human", None)


def test_a_note_of_any_content_makes_no_failure() -> None:
    log = table_of_all_verdicts().log()
    odd = [{"do": "offer", "offer": 3}, "x", {"do": "offer"}]
    events = tuple(
        event._replace(payload=replace(event.payload, data={**event.payload.data, "steps": odd}))
        if isinstance(event.payload, Note) and "steps" in event.payload.data
        else event
        for event in log.events
    )

    rows = list(suggestion_rows(session_facts(replace(log, events=events), GameFiguresCache())))

    assert {row["offer"] for row in rows} == {None}
