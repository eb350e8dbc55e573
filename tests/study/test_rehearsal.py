"""Rehearsals: simulated people, test data apart from data, and what the logs of the games say."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import fmean

import pytest

from negoplatform.app.study.rehearsal import PeopleModel, RehearsalReport, rehearse
from negoplatform.app.study.study_data import StudyData, study_data
from negoplatform.app.study.study_folder import StudyFolder
from negoplatform.domain.errors import NegoError
from negoplatform.eventlog.reader import read_log
from negoplatform.eventlog.visit_log import VisitRecord, replay_visit
from negoplatform.formats.log_header import StudySession
from negoplatform.study.visit_events import SessionClosed
from tests.study.studies import small_study


def rehearsed(
    folder: StudyFolder, people: PeopleModel, participants: int
) -> tuple[RehearsalReport, StudyData, list[VisitRecord]]:
    data = study_data(folder, folder.data_dir, is_test=True)

    def fail(error: BaseException) -> None:
        raise error

    report = rehearse(folder, data, people, participants=participants, seed=3, report=fail)
    records = [record for record in data.records() if isinstance(record, VisitRecord)]
    return report, data, records


EVERYBODY_STAYS = PeopleModel(drop_out=0.0, declines=0.0)


def test_every_session_of_a_rehearsal_names_its_place_in_the_study(tmp_path: Path) -> None:
    folder = small_study(tmp_path)

    report, data, records = rehearsed(folder, EVERYBODY_STAYS, 4)

    assert report.ends == {"finished": 4}
    assert set(report.cells.values()) <= {1, 2}
    closed = {e.session: e for record in records for e in record.events if isinstance(e, SessionClosed)}
    logs = [read_log(path) for path in data.sessions.glob("*/events.jsonl")]
    assert len(logs) == len(closed) == 12
    for log in logs:
        study = log.header.study
        assert isinstance(study, StudySession)
        state = next(replay_visit(folder.study, r) for r in records if r.header.visit == study.visit)
        assert state.assigned is not None
        assert dict(study.cell) == state.assigned.cell
        assert (study.name, study.participant, study.is_test) == ("small", state.header.code, True)
        assert study.step == closed[log.header.session_id].step
        assert study.counts is (study.stage == "r")
        assert (
            log.header.game.rules.counterpart.mood.value == study.cell["emotion"].upper() or not study.counts
        )
        last = log.path.read_text(encoding="utf-8").splitlines()[-1]
        assert json.loads(last)["hash"] == closed[log.header.session_id].last_hash


def test_equal_seeds_give_equal_rehearsals(tmp_path: Path) -> None:
    people = PeopleModel()

    first, second = (rehearsed(small_study(tmp_path / name), people, 6)[2] for name in ("a", "b"))

    def answers(records: list[VisitRecord]) -> list[list[object]]:
        changing = {"n", "t", "t_utc", "session", "folder", "last_hash"}
        return [[event.model_dump(exclude=changing) for event in record.events] for record in records]

    by_code = [sorted(records, key=lambda record: record.header.code) for records in (first, second)]
    assert answers(by_code[0]) == answers(by_code[1])


def test_a_planted_effect_is_found_in_the_answers(tmp_path: Path) -> None:
    folder = small_study(tmp_path)
    people = PeopleModel(
        drop_out=0.0, declines=0.0, effects={"svi.": {"emotion": {"angry": -1.5, "happy": 1.5}}}
    )

    _, _, records = rehearsed(folder, people, 12)

    means: dict[str, list[float]] = {"happy": [], "angry": []}
    for record in records:
        state = replay_visit(folder.study, record)
        assert state.assigned is not None
        value = state.value_of("svi.global")
        means[state.assigned.cell["emotion"]].append(float(str(value)))
    assert fmean(means["happy"]) - fmean(means["angry"]) > 1.5


def test_people_who_decline_or_drop_out_are_counted(tmp_path: Path) -> None:
    folder = small_study(tmp_path)

    report, data, records = rehearsed(folder, PeopleModel(drop_out=0.5, declines=0.5), 12)

    assert report.ends["declined"]
    assert report.ends["dropped out"]
    assert len(records) == 12 - report.ends["declined"]
    declined = (data.root / "declined.csv").read_text(encoding="utf-8").splitlines()
    assert len(declined) == 1 + report.ends["declined"]


def test_a_rehearsal_never_writes_into_the_folder_of_real_data(tmp_path: Path) -> None:
    folder = small_study(tmp_path)
    real = study_data(folder, folder.data_dir, is_test=False)

    with pytest.raises(NegoError, match="test data, which has a folder of its own"):
        rehearse(folder, real, PeopleModel(), participants=1, seed=1, report=lambda _error: None)
    rehearsed(folder, EVERYBODY_STAYS, 1)

    assert not real.root.exists()
