"""Studies with a wizard in the window: the experimenter reads the codes, and the wizard joins once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from negoplatform.app.joining.join_codes import shown_code
from negoplatform.core.events import Note
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.eventlog.reader import read_log
from negoplatform.study.visit_events import SessionClosed
from tests.window.conftest import Program, pictures
from tests.window.study.small_window_study import (
    consent,
    only,
    stage,
    visits,
    wait_for_step,
    write_window_study,
)
from tests.window.study.test_visits import run
from tests.x_server import Screen

pytestmark = [pytest.mark.window, pytest.mark.new_python]

START = Callable[..., Program]


@pytest.fixture
def other_screen() -> Iterator[Screen]:
    """Screen of the wizard's window."""
    with Screen() as screen:
        yield screen


def with_wizard(document: dict[str, Any]) -> None:
    only("consent", "r", "end")(document)
    document["partners"]["sam"]["wizard"] = {"mode": "manual"}
    stage(document, "r")["show_result"] = "none"


def test_a_wizard_joins_once_for_all_games_of_a_visit(
    other_screen: Screen, start: START, tmp_path: Path
) -> None:
    study = write_window_study(tmp_path / "short", with_wizard)
    station = run(start, study, "--code", "P-01", "--listen")
    told = station.wait_for("study_joining")
    command = ["join", told["place"], "--code", told["codes"]["wizard"]]
    wizard = start("--reduce-motion", what=command, on=other_screen)
    wizard.wait_for("awaiting_next_session")

    consent(station)
    for _ in range(2):
        wizard.wait_for("joined", role="wizard", seat="agent")
        station.wait_for("shown", type="GAME_START")
        station.shoot(pictures(tmp_path) / "study-game-with-wizard.png")
        wizard.shoot(pictures(tmp_path) / "study-wizard.png")
        station.walk_away()
        station.wait_for("ended")
        station.click("done")
    wait_for_step(station, "end")

    assert f"negoplatform join {told['place']} --code {shown_code(told['codes']['wizard'])}" in "\n".join(
        station.printed
    )
    (record,) = visits(station)
    closed = [event for event in record.events if isinstance(event, SessionClosed)]
    assert [(event.step, event.end) for event in closed] == [("r.1", "quit"), ("r.2", "quit")]
    sessions = station.data_dir / "study_data/short-1.0.0/sessions"
    for event in closed:
        log = read_log(next(sessions.glob(f"*-{event.session}")))
        joined = [
            each.payload.data["role"]
            for each in log.events
            if isinstance(each.payload, Note) and each.payload.kind is NoteKind.SEAT_JOINED
        ]
        assert joined == ["wizard"]


def test_the_experimenter_reads_the_codes_before_the_first_participant_comes(
    start: START, tmp_path: Path
) -> None:
    study = write_window_study(tmp_path / "short", with_wizard)
    station = run(start, study)
    local = station.wait_for("study_joining")
    station.wait_for("joining_screen")
    station.shoot(pictures(tmp_path) / "study-joining.png")
    station.click("listen.network")
    network = station.wait_for("study_joining")
    station.wait_for("joining_screen")
    station.shoot(pictures(tmp_path) / "study-joining-network.png")
    station.click("continue")
    station.wait_for("code_screen")

    assert local["place"].startswith("127.0.0.1")
    assert not network["place"].startswith("127.0.0.1")
    assert local["codes"] == network["codes"]
    assert set(local["codes"]) == {"wizard", "experimenter"}


def test_a_study_without_others_asks_for_the_code_at_once(start: START, tmp_path: Path) -> None:
    station = run(start, write_window_study(tmp_path / "short"))

    station.wait_for("code_screen")

    assert not [event for event in station.told if event["ev"] == "study_joining"]


def with_person(document: dict[str, Any]) -> None:
    only("consent", "r", "end")(document)
    document["partners"] = {"sam": {"person": True, "name": "Sam", "participant_name": "Kim"}}
    stage(document, "r")["show_result"] = "none"


def test_a_second_person_plays_all_games_of_a_visit_from_one_window(
    other_screen: Screen, start: START, tmp_path: Path
) -> None:
    shots = pictures(tmp_path)
    study = write_window_study(tmp_path / "short", with_person)
    station = run(start, study, "--code", "P-01", "--listen")
    told = station.wait_for("study_joining")
    command = ["join", told["place"], "--code", told["codes"]["partner"]]
    person = start("--reduce-motion", what=command, on=other_screen)
    person.wait_for("awaiting_next_session")

    consent(station)
    for number in (1, 2):
        person.wait_for("joined", role="seat", seat="agent")
        station.wait_for("table_screen")
        person.shoot(shots / f"study-person-{number}.png")
        person.click("begin")
        person.wait_for("shown")  # events before the first update are shown together
        person.types("Good morning.")
        person.press("Return")
        station.wait_for("shown", type="SEND_MESSAGE", sender="agent")
        station.walk_away()
        person.wait_for("ended")
        station.wait_for("ended")
        station.click("done")
    wait_for_step(station, "end")
    person.shoot(shots / "study-person-end.png")

    (record,) = visits(station)
    closed = [event for event in record.events if isinstance(event, SessionClosed)]
    assert [(event.step, event.end) for event in closed] == [("r.1", "quit"), ("r.2", "quit")]
    log = read_log(
        next((station.data_dir / "study_data/short-1.0.0/sessions").glob(f"*-{closed[1].session}"))
    )
    assert {seat: (who.name, who.participant) for seat, who in log.header.seats.items()} == {
        "human": ("Kim", "P-01"),
        "agent": ("Sam", "P-01-partner"),
    }
