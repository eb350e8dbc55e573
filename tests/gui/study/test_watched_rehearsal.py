"""Rehearsals in the window: the same visits as without one, shown before they are sent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from negoplatform.app.rehearsal.rehearsal import rehearse
from negoplatform.app.rehearsal.rehearsal_people import PeopleModel
from negoplatform.app.rehearsal.simulated_person import SimulatedVisit
from negoplatform.app.study.study_data import StudyData, study_data
from negoplatform.app.study.study_folder import StudyFolder
from negoplatform.domain.errors import NegoError
from negoplatform.eventlog.visit_log import VisitRecord
from negoplatform.gui.shell import watched_rehearsal
from negoplatform.gui.shell.visit_controller import VisitController
from negoplatform.gui.shell.watched_rehearsal import WatchedRehearsal, watch_rehearsal
from negoplatform.study.visit_events import Answered, AnyVisitEvent
from tests.gui.study.test_study_pictures import fail, short_study
from tests.study.rehearsals import people

pytestmark = [pytest.mark.window, pytest.mark.usefixtures("display")]


@pytest.fixture(autouse=True)
def _brief(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watched_rehearsal, "LEAST_SHOWN_MS", 10)
    monkeypatch.setattr(watched_rehearsal, "MOST_SHOWN_MS", 20)
    monkeypatch.setattr(watched_rehearsal, "END_SHOWN_MS", 10)


def watched(folder: StudyFolder, mix: PeopleModel, participants: int = 1) -> list[SimulatedVisit]:
    return watch_rehearsal(
        folder,
        study_data(folder, folder.data_dir, is_test=True),
        mix,
        participants=participants,
        seed=3,
        speed=1000,
        data_dir=folder.data_dir,
        report=fail,
    )


def events(data: StudyData) -> list[AnyVisitEvent]:
    (record,) = [record for record in data.records() if isinstance(record, VisitRecord)]
    assert record.header.is_test
    return list(record.events)


def told(event: AnyVisitEvent) -> dict[str, Any]:
    """Return what an event says, apart from what differs in each run."""
    apart = {"t_utc", "session", "folder", "last_hash", "hidden_ms"}
    return event.model_dump(exclude=apart)


def test_a_visit_in_the_window_is_the_one_without_it(tmp_path: Path) -> None:
    folder, mix = short_study(tmp_path), people(quiz_errors=0.9)
    data = study_data(folder, folder.data_dir, is_test=True)
    expected = rehearse(folder, data, mix, participants=1, seed=3, report=fail)
    without = [told(event) for event in events(data)]

    found = watched(folder, mix)

    assert found == expected
    assert [told(event) for event in events(data)] == without
    assert any(event["type"] == "QUIZ_TRIED" and event["wrong"] for event in without)


def test_answers_are_on_the_screen_before_they_are_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, shown = short_study(tmp_path), dict[str, Any]()
    send = VisitController.answer_page

    def look_and_send(visit: VisitController, answers: Any) -> None:
        assert visit._screen is not None
        shown.update(visit._screen.entered())
        send(visit, answers)

    monkeypatch.setattr(VisitController, "answer_page", look_and_send)

    watched(folder, people())

    recorded = [
        event
        for event in events(study_data(folder, folder.data_dir, is_test=True))
        if isinstance(event, Answered)
    ]
    assert recorded
    assert {event.item: event.value for event in recorded}.items() <= shown.items()


def test_escape_stops_the_rehearsal_and_keeps_what_was_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = short_study(tmp_path)
    play = WatchedRehearsal._play

    def press_escape(rehearsal: WatchedRehearsal, *about: Any) -> None:
        play(rehearsal, *about)
        rehearsal._root.focus_force()
        rehearsal._root.update()
        rehearsal._root.event_generate("<Escape>")

    monkeypatch.setattr(WatchedRehearsal, "_play", press_escape)

    found = watched(folder, people(), participants=9)

    assert found == []
    assert "SESSION_CLOSED" in [
        event.type for event in events(study_data(folder, folder.data_dir, is_test=True))
    ]


def test_an_error_ends_the_rehearsal_with_its_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = short_study(tmp_path)

    def refuse(*_about: Any) -> None:
        raise NegoError("The disk is full.")

    monkeypatch.setattr(VisitController, "try_quiz", refuse)

    with pytest.raises(NegoError, match="The disk is full"):
        watched(folder, people())
