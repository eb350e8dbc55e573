"""Rehearsals of small studies, with people of one kind."""

from __future__ import annotations

from typing import Any

from negoplatform.app.rehearsal.rehearsal import rehearse
from negoplatform.app.rehearsal.rehearsal_people import (
    PeopleModel,
)
from negoplatform.app.rehearsal.rehearsal_report import RehearsalReport, build_report
from negoplatform.app.study.study_data import StudyData, study_data
from negoplatform.app.study.study_folder import StudyFolder
from negoplatform.eventlog.visit_log import VisitRecord
from tests.study.studies import stage


def people(*, effects: dict[str, Any] | None = None, **keys: Any) -> PeopleModel:
    """Return people of one kind, who stay to the end unless said otherwise."""
    kind = {"name": "all", "share": 1, "drop_out": 0.0, "declines": 0.0, **keys}
    return PeopleModel.model_validate(
        {"schema": "negoplatform.people/1", "kinds": [kind], "effects": effects or {}}
    )


def without_games(study: dict[str, Any]) -> None:
    """Leave out the games of the small study, where answers in forms are what matters."""
    study["stages"] = [one for one in study["stages"] if one["id"] not in ("practice", "r")]
    quiz = stage(study, "quiz")
    quiz["questions"] = [one for one in quiz["questions"] if one["id"] != "batna"]
    del study["design"]["within"]
    del study["payment"]["points"]


def fail(error: BaseException) -> None:
    """Raise an error that an agent has caused."""
    raise error


def rehearsed(
    folder: StudyFolder, mix: PeopleModel, participants: int, *, jobs: int = 1, seed: int = 3
) -> tuple[RehearsalReport, StudyData, list[VisitRecord]]:
    """Return the report, the data and the visits of a rehearsal."""
    data = study_data(folder, folder.data_dir, is_test=True)
    visits = rehearse(folder, data, mix, participants=participants, seed=seed, report=fail, jobs=jobs)
    report = build_report(folder, data, mix, visits, seed=seed)
    records = [record for record in data.records() if isinstance(record, VisitRecord)]
    return report, data, records


def contents(records: list[VisitRecord]) -> list[Any]:
    """Return what has to be equal in equal rehearsals."""
    changing = {"n", "t_utc", "session", "folder", "last_hash"}
    own = {"visit", "created_at"}
    return sorted(
        (
            record.header.code,
            record.header.model_dump(exclude=own),
            [event.model_dump(exclude=changing) for event in record.events],
        )
        for record in records
    )
