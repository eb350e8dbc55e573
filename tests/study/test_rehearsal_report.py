"""Report of a rehearsal: tables, cells, reach of steps, flags and faults."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from negoplatform.app.rehearsal.rehearsal import rehearse
from negoplatform.app.rehearsal.rehearsal_report import RehearsalReport, build_report
from negoplatform.app.rehearsal.rehearsal_text import report_lines, report_page
from negoplatform.app.study.study_data import study_data
from negoplatform.study.reachability import unreachable_steps
from tests.study.rehearsals import fail, people, rehearsed, without_games
from tests.study.studies import small_study, stage


def test_games_are_reported_by_step_and_practice_is_not_in_the_cells(tmp_path: Path) -> None:
    report, _, _ = rehearsed(small_study(tmp_path), people(), 4)

    assert [(game.step, game.counts, game.games) for game in report.games] == [
        ("practice", False, 4),
        ("r.1", True, 4),
        ("r.2", True, 4),
    ]
    assert sum(cell.games for cell in report.cells) == 8
    lines = list(report_lines(report))
    assert [line for line in lines if line.startswith("Game practice (practice): ")]
    assert "<h2>Games</h2>" in report_page(report)
    assert "<h2>Faults</h2>" not in report_page(report)


def test_flags_are_read_as_sentences(tmp_path: Path) -> None:
    report, _, _ = rehearsed(small_study(tmp_path, without_games), people(quiz_errors=1.0), 2)

    assert "Flags, number of people: 2 did not pass the quiz in quiz." in list(report_lines(report))


def test_the_tables_are_read_back_and_counted(tmp_path: Path) -> None:
    folder = small_study(tmp_path)

    report, data, records = rehearsed(folder, people(), 2)

    rows = {table.name: table.rows for table in report.tables}
    assert rows["participants"] == rows["payments"] == 2
    assert rows["sessions"] == report.sessions == report.verified == 6
    assert rows["stages"] == sum(e.type == "STAGE_ENTERED" for r in records for e in r.events)
    assert (data.root / "tables" / "participants.csv").exists()
    assert not report.faults


def test_a_session_that_was_changed_is_a_fault_of_the_report(tmp_path: Path) -> None:
    folder, mix = small_study(tmp_path), people()
    data = study_data(folder, folder.data_dir, is_test=True)
    visits = rehearse(folder, data, mix, participants=1, seed=3, report=fail)
    log = sorted(data.sessions.glob("*/events.jsonl"))[0]
    log.write_bytes(log.read_bytes().replace(b'"t":0.0', b'"t":0.1', 1))

    report = build_report(folder, data, mix, visits, seed=3)

    assert (report.sessions, report.verified) == (3, 2)
    assert any(str(log) in fault for fault in report.faults)


def test_steps_that_nobody_reached_are_told_from_those_that_nobody_can_reach(tmp_path: Path) -> None:
    def change(study: dict[str, Any]) -> None:
        at = next(i for i, one in enumerate(study["stages"]) if one["id"] == "pay")
        study["stages"][at:at] = [
            {"kind": "page", "id": "angry_only", "text": "debrief.md", "when": {"emotion": "angry"}},
            {"kind": "page", "id": "old", "text": "debrief.md", "when": {"about.age": {"at_least": 119}}},
            {
                "kind": "block",
                "id": "never",
                "when": {"emotion": "angry"},
                "stages": [
                    {"kind": "page", "id": "happy_too", "text": "debrief.md", "when": {"emotion": "happy"}}
                ],
            },
        ]
        without_games(study)

    report, _, _ = rehearsed(small_study(tmp_path, change), people(), 4)

    assert report.unreachable == ["happy_too"]
    assert report.unreached == ["old"]


@pytest.mark.parametrize(
    ("when", "reached"),
    [
        ({"attention.a": 7, "emotion": "happy"}, True),
        ({"attention.a": {"above": 4, "below": 5}}, False),
        ({"any": [{"emotion": "angry", "quiz.passed": True}, {"attention.a": {"above": 7}}]}, True),
        ({"emotion": "happy", "any": [{"emotion": "angry"}, {"attention.a": {"above": 7}}]}, False),
        ({"about.age": {"above": 1000}}, True),
    ],
)
def test_only_impossible_conditions_make_a_step_unreachable(
    tmp_path: Path, when: dict[str, Any], reached: bool
) -> None:
    folder = small_study(tmp_path, lambda study: stage(study, "debrief").update(when=when))

    assert (unreachable_steps(folder.study) == []) is reached


def test_what_follows_an_end_of_one_cell_is_reached_by_the_others_only(tmp_path: Path) -> None:
    def change(study: dict[str, Any]) -> None:
        at = next(i for i, one in enumerate(study["stages"]) if one["id"] == "pay")
        study["stages"][at:at] = [
            {"kind": "end", "id": "early", "text": "thanks.md", "when": {"emotion": "happy"}},
            {"kind": "page", "id": "happy_page", "text": "debrief.md", "when": {"emotion": "happy"}},
        ]

    assert unreachable_steps(small_study(tmp_path, change).study) == ["happy_page"]


def test_the_page_of_a_report_is_escaped_and_has_no_scripts() -> None:
    evil = "<script>alert(1)</script>"

    page = report_page(
        RehearsalReport(
            evil, "ab" * 32, 1, 2, kinds={evil: 1}, ends={"<b>": 1}, flags={"a&b": 1}, faults=(evil,)
        )
    )

    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "<h2>Faults</h2>" in page
    assert "<b>" not in page
    assert "http://" not in page
    assert "src=" not in page


def test_a_time_limit_that_is_exceeded_is_flagged(tmp_path: Path) -> None:
    def limit(study: dict[str, Any]) -> None:
        stage(study, "debrief").update(timeout_seconds=1, timeout_does="flag")
        stage(study, "instructions").update(timeout_seconds=1, timeout_does="go_on")
        without_games(study)

    report, _, records = rehearsed(small_study(tmp_path, limit), people(), 2)

    assert report.flags == {"exceeded the time limit in debrief": 2}
    left = [e for r in records for e in r.events if e.type == "STAGE_LEFT" and e.step == "instructions"]
    assert {event.how for event in left} == {"timeout"}
