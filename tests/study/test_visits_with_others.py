"""Visits with a wizard or a second person: live, after a crash, in rehearsals and in tables."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from negoplatform.agent_api import FormalQuit, SendMessage
from negoplatform.app.session.live_session import LiveSession
from negoplatform.app.session.session_start import OpenSession
from negoplatform.app.session.windows.session_feed import (
    AnswerSuggestion,
    ChangeWizardMode,
    FeedSuggestion,
    FeedWizard,
    JoinRole,
    RoleKind,
    StartRequest,
)
from negoplatform.app.study.forget import prepare_forgetting
from negoplatform.app.visit.visit_rerun import rerun_visit
from negoplatform.app.visit.visit_run import VisitRun
from negoplatform.app.visit.visit_sessions import VisitSessions
from negoplatform.cli.main import cli
from negoplatform.core.events import DecidedBy, EventType, Note
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.domain.errors import NegoError
from negoplatform.domain.joining_settings import WizardMode, WizardSettings
from negoplatform.eventlog.reader import read_log
from negoplatform.study.partners import LONGEST_CODE, partner_code
from negoplatform.study.visit_events import SessionClosed
from tests.app.session.test_joined_windows import Window
from tests.study.others import WITH_PERSON, WITH_WIZARD, study_with
from tests.study.rounds import logs_of, play_of, play_rounds
from tests.study.test_visit_sessions import prepared, sessions_of
from tests.study.visits import begin

pytestmark = pytest.mark.timeout(120)

WIZARD, PERSON = JoinRole(RoleKind.WIZARD, "agent"), JoinRole(RoleKind.SEAT, "agent")


@contextmanager
def playing(sessions: VisitSessions, session: OpenSession) -> Iterator[LiveSession]:
    """Play a session whose participant is ready, until the end of the block; then record its end."""
    sessions.opened(session)
    live = session.create_live_session(lambda error: pytest.fail(str(error)))
    live.await_start()
    live.participant_seat.start()
    try:
        yield live
    finally:
        live.stop()


def await_end(live: LiveSession) -> None:
    """Wait until the participant's window is told that the game has ended."""
    while True:
        event = live.updates.get(timeout=20).event
        if event is not None and event.type == EventType.GAME_END:
            return


def cut_before_quit(log: Path) -> None:
    """Cut off a log before the event with which a seat quits, as if the program had been killed."""
    end = next(n for n, event in enumerate(read_log(log).events) if event.type == EventType.FORMAL_QUIT)
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[: end + 1]))


def test_a_game_with_a_wizard_begins_when_the_wizard_joins_and_stays_the_agent_s(tmp_path: Path) -> None:
    run = begin(study_with(tmp_path, WITH_WIZARD))
    sessions = sessions_of(run)
    session = prepared(sessions)

    with playing(sessions, session) as live:
        waits = not live.has_started
        wizard = Window(live, WIZARD).join()
        suggestion = wizard.wait_for(FeedSuggestion)
        live.submit(WIZARD, AnswerSuggestion(suggestion.number, send=True))
        wizard.wait_for_event(EventType.SEND_MESSAGE, "agent")
        live.participant_seat.propose(FormalQuit())
        await_end(live)
    sessions.closed(session)
    sessions.stop()
    run.close()

    assert waits
    assert session.plan.wizards == {"agent": WizardSettings()}
    (log,) = logs_of(run)
    said = next(event for event in log.events if event.type == EventType.SEND_MESSAGE)
    assert said.decided_by is DecidedBy.WIZARD
    assert log.header.seats["agent"].agent == "counting"


def test_an_agent_with_a_wizard_remembers_the_round_before_and_runs_again_as_logged(tmp_path: Path) -> None:
    folder = study_with(tmp_path, WITH_WIZARD)
    run = begin(folder)
    sessions = sessions_of(run)
    said = []

    for _ in range(2):
        session = prepared(sessions)
        with playing(sessions, session) as live:
            wizard = Window(live, WIZARD).join()
            number = wizard.wait_for(FeedSuggestion).number
            live.submit(WIZARD, AnswerSuggestion(number, send=True))
            said.append(wizard.wait_for_event(EventType.SEND_MESSAGE, "agent").get_text())
            live.participant_seat.propose(FormalQuit())
            await_end(live)
        sessions.closed(session)
    sessions.stop()
    path = run._log.path
    run.close()

    assert [text[:4] for text in said] == ["1/2 ", "2/2 "]
    rerun = rerun_visit(path, folder.data_dir, study=folder)
    assert (rerun.sessions, rerun.differences) == (2, ())


@pytest.mark.parametrize("seat", ["human", "agent"])
def test_two_people_play_the_games_of_a_visit(tmp_path: Path, seat: str) -> None:
    folder = study_with(
        tmp_path, WITH_PERSON, games=1, change=lambda s: s["stages"][0]["rounds"][0].update(seat=seat)
    )
    other = "agent" if seat == "human" else "human"
    role = JoinRole(RoleKind.SEAT, other)
    run = begin(folder)
    sessions = sessions_of(run)
    session = prepared(sessions)

    with playing(sessions, session) as live:
        window = Window(live, role).join()
        live.submit(role, StartRequest())
        live.submit(role, (SendMessage("Hello"),))
        window.wait_for_event(EventType.SEND_MESSAGE, other)
        introduction = live.introduction(role)
        live.participant_seat.propose(FormalQuit())
        await_end(live)
    sessions.closed(session)
    run.close()

    (log,) = logs_of(run)
    assert {name: who.participant for name, who in log.header.seats.items()} == {
        seat: "P-01",
        other: "P-01-partner",
    }
    assert log.header.people == (seat, other)
    assert introduction.names == {seat: "Kim"}
    assert session.plan.names[other] == "Alex"
    closed = run.state.sessions["r.1"]
    assert isinstance(closed, SessionClosed)
    assert closed.points == str(log.header.game.preferences[seat].quit_value)


def test_a_killed_session_of_two_people_goes_on_with_each_in_their_seat(tmp_path: Path) -> None:
    lost = {"action": "agent", "seconds": 0, "agent": "counting"}
    folder = study_with(
        tmp_path,
        {**WITH_PERSON, "lost_link": lost},
        games=1,
        change=lambda s: s["stages"][0]["rounds"][0].update(seat="agent"),
    )
    role = JoinRole(RoleKind.SEAT, "human")
    run = begin(folder)
    sessions = sessions_of(run)
    session = prepared(sessions)
    with playing(sessions, session) as live:
        window = Window(live, role).join()
        live.submit(role, StartRequest())
        live.submit(role, (SendMessage("Hello"),))
        window.wait_for_event(EventType.SEND_MESSAGE, "human")
        live.participant_seat.propose(FormalQuit())
        await_end(live)
    cut_before_quit(session.log.path)
    run.close()

    again = VisitRun.resume(folder, run.data, run._log.path.parent)
    sessions = sessions_of(again)
    resumed = prepared(sessions)
    with playing(sessions, resumed) as live:
        back = Window(live, role).join()
        live.submit(role, StartRequest())
        back.wait_for_event(EventType.SEND_MESSAGE, "human")
        back.leave("lost")
        while not any(
            isinstance(event.payload, Note) and event.payload.kind is NoteKind.SEAT_TAKEN_OVER
            for event in read_log(resumed.log.path).events
        ):
            live.updates.get(timeout=20)
        live.participant_seat.propose(FormalQuit())
        await_end(live)
    sessions.closed(resumed)
    sessions.stop()
    again.close()

    assert live.seat == "agent"
    assert (resumed.plan.participant, resumed.plan.people) == ("P-01", {"human": "P-01-partner"})
    assert isinstance(again.state.sessions["r.1"], SessionClosed)


def test_a_killed_session_with_a_wizard_goes_on_in_the_mode_that_the_wizard_chose(tmp_path: Path) -> None:
    folder = study_with(tmp_path, WITH_WIZARD, games=1)
    run = begin(folder)
    sessions = sessions_of(run)
    session = prepared(sessions)
    with playing(sessions, session) as live:
        wizard = Window(live, WIZARD).join()
        wizard.wait_for(FeedSuggestion)
        live.submit(WIZARD, ChangeWizardMode(WizardMode.MANUAL))
        wizard.wait_for(FeedWizard, lambda item: item.mode is WizardMode.MANUAL)
        live.participant_seat.propose(FormalQuit())
        await_end(live)
    cut_before_quit(session.log.path)
    sessions.stop()
    run.close()

    again = VisitRun.resume(folder, run.data, run._log.path.parent)
    sessions = sessions_of(again)
    resumed = prepared(sessions)
    with playing(sessions, resumed) as live:
        back = Window(live, WIZARD).join()
        mode = back.wait_for(FeedWizard, lambda item: item.mode is WizardMode.MANUAL).mode
        number = back.wait_for(FeedSuggestion).number
        live.submit(WIZARD, AnswerSuggestion(number, send=True))
        back.wait_for_event(EventType.SEND_MESSAGE, "agent")
        live.participant_seat.propose(FormalQuit())
        await_end(live)
    sessions.closed(resumed)
    sessions.stop()
    path = again._log.path
    again.close()

    assert mode is WizardMode.MANUAL
    assert resumed.plan.wizards == {"agent": WizardSettings()}
    assert rerun_visit(path, folder.data_dir, study=folder).differences == ()


def test_the_code_of_a_second_person_is_a_code_however_long_the_participant_s_is() -> None:
    assert partner_code("P-01") == "P-01-partner"
    assert len(partner_code("P" * LONGEST_CODE)) == LONGEST_CODE


# Rehearsals and tables


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


def rehearsed_tables(tmp_path: Path, partner: dict[str, Any], *, seat: str = "human") -> Path:
    """Rehearse a study with a partner, export it, and return the folder of the tables."""
    folder = study_with(
        tmp_path, partner, change=lambda s: [one.update(seat=seat) for one in s["stages"][0]["rounds"]]
    )
    out = tmp_path / "tables"
    for arguments in (
        ["rehearse", folder.root, "--participants", 2, "--data-dir", folder.data_dir],
        ["export", folder.root, "--test", "--out", out, "--data-dir", folder.data_dir],
    ):
        result = CliRunner().invoke(cli, ["study", *map(str, arguments)])
        assert result.exit_code == 0, result.output
    return out


def test_a_rehearsed_wizard_decides_on_some_of_what_the_agent_suggests(tmp_path: Path) -> None:
    tables = rehearsed_tables(tmp_path, {**WITH_WIZARD, "agent": "fair"})

    deciders = {row["decided_by"] for row in rows_of(tables / "events.csv") if row["seat"] == "agent"}
    assert {"wizard"} <= deciders <= {"wizard", "agent"}
    assert all(row["points_human"] for row in rows_of(tables / "sessions.csv"))


@pytest.mark.parametrize("seat", ["human", "agent"])
def test_columns_about_the_participant_are_those_of_the_visit_with_two_people(
    tmp_path: Path, seat: str
) -> None:
    tables = rehearsed_tables(tmp_path, WITH_PERSON, seat=seat)

    sessions = rows_of(tables / "sessions.csv")
    assert [row["participant"] + "-partner" for row in sessions] == [
        row["second_participant"] for row in sessions
    ]
    seats = {(row["session_id"], row["side"]): row for row in rows_of(tables / "seats.csv")}
    for row in sessions:
        mine = seats[row["session_id"], "h"]
        assert (mine["seat"], mine["participant"]) == (seat, row["participant"])
        assert mine["points"] == row["points_human"]
    people = {row["code"]: row for row in rows_of(tables / "participants.csv")}
    found = [float(people[row["participant"]][f"r_{row['round']}_points"]) for row in sessions]
    assert found == [float(row["points_human"]) for row in sessions]
    assert {row["seat"] for row in rows_of(tables / "offers.csv")} == {"human", "agent"}


def test_equal_seeds_simulate_equal_wizards(tmp_path: Path) -> None:
    logs = []
    for name in ("first", "second"):
        run = begin(study_with(tmp_path / name, WITH_WIZARD))
        play_rounds(run, play_of(run))
        logs.append([log.events for log in logs_of(run)])

    assert logs[0] == logs[1]
    assert any(
        isinstance(event.payload, Note) and event.payload.kind is NoteKind.SUGGESTION_ANSWERED
        for log in logs[0]
        for event in log
    )


def run_command(*arguments: object) -> str:
    """Run a command that succeeds, and return its output."""
    result = CliRunner().invoke(cli, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.parametrize("kind", [WITH_WIZARD, WITH_PERSON], ids=["wizard", "person"])
def test_visits_with_others_are_collected_exported_run_again_and_forgotten(
    tmp_path: Path, kind: dict[str, Any]
) -> None:
    folder = study_with(tmp_path, kind)
    run = begin(folder)
    play_rounds(run, play_of(run))
    lab, path = folder.data_dir, run._log.path.parent
    notes = lab / "study_data" / "notes.txt"
    notes.write_text(f"{partner_code('P-01')} came late\nP-02-partner was here\n", encoding="utf-8")

    rerun = run_command("resimulate", "--visit", path, "--study", folder.root, "--data-dir", lab)
    collected = run_command(
        "study", "collect", lab, "--into", tmp_path / "all", "--study", folder.root, "--data-dir", lab
    )
    run_command(
        *("study", "export", folder.root, "--from", tmp_path / "all"),
        *("--out", tmp_path / "tables", "--data-dir", lab),
    )
    forgotten = run_command("study", "forget", "p-01", "--yes", "--data-dir", lab)

    assert rerun.startswith("No difference" if kind is WITH_WIZARD else "People had all seats")
    assert "1 visit and 2 sessions are new" in collected
    assert len(rows_of(tmp_path / "tables" / "sessions.csv")) == 2
    assert "2 session(s)" in forgotten
    assert notes.read_text(encoding="utf-8") == "P-02-partner was here\n"
    left = [file for file in lab.rglob("*") if file.is_file() and b"P-01" in file.read_bytes()]
    assert left == []


def test_a_second_person_is_forgotten_with_the_participant(tmp_path: Path) -> None:
    folder = study_with(tmp_path, WITH_PERSON, games=1)
    run = begin(folder)
    play_rounds(run, play_of(run))

    with pytest.raises(NegoError, match="name P-01 to delete them together"):
        prepare_forgetting([folder.data_dir], "P-01-partner")
