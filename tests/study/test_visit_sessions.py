"""Sessions of a visit as the window plays them: live, in processes, and after a crash."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from negoplatform.agent_api import FormalQuit
from negoplatform.app.session.session_start import OpenSession
from negoplatform.app.study.study_folder import StudyFolder
from negoplatform.app.visit.visit_run import VisitRun
from negoplatform.app.visit.visit_sessions import VisitSessions
from negoplatform.core.events import Event, EventType
from negoplatform.domain.errors import NegoError
from negoplatform.eventlog.reader import read_log
from negoplatform.study.visit_events import SessionClosed
from tests.study.rounds import logs_of, rounds_study
from tests.study.visits import begin


@pytest.fixture
def folder(tmp_path: Path) -> StudyFolder:
    """Return a study of three rounds."""
    return rounds_study(tmp_path)


@pytest.fixture
def run(folder: StudyFolder) -> Iterator[VisitRun]:
    """Make a visit that stands at its first round."""
    visit = begin(folder)
    yield visit
    visit.close()


@pytest.fixture
def sessions(run: VisitRun) -> Iterator[VisitSessions]:
    """Make the visit's sessions."""
    found = sessions_of(run)
    yield found
    found.stop()


def sessions_of(run: VisitRun) -> VisitSessions:
    """Return the sessions of a visit whose errors fail the test."""

    def report(error: BaseException) -> None:
        raise error

    return VisitSessions(run, report=report)


def prepared(sessions: VisitSessions) -> OpenSession:
    """Return the session that is prepared."""
    session = sessions.prepare()
    assert session is not None
    return session


def play(session: OpenSession, *, until: str = EventType.GAME_END) -> list[Event]:
    """Play a session until an event of a type, and stop it; walk away when the agent has spoken."""
    events: list[Event] = []
    live = session.create_live_session(lambda error: pytest.fail(str(error)), events.append)
    live.start()
    try:
        while True:
            update = live.updates.get(timeout=10)
            event = update.event
            if event is not None and event.type == until:
                break
            if event is not None and event.type == EventType.SEND_MESSAGE and event.sender != live.seat:
                live.participant_seat.propose(FormalQuit())
    finally:
        live.stop()
    return events


def agent_text(events: list[Event]) -> str:
    """Return what the agent said first."""
    return next(event.get_text() for event in events if event.type == EventType.SEND_MESSAGE)


def test_a_living_agent_remembers_the_round_before(run: VisitRun, sessions: VisitSessions) -> None:
    said = []
    for _ in range(3):
        session = prepared(sessions)
        sessions.opened(session)
        said.append(agent_text(play(session)))
        sessions.closed(session)

    assert [text[:4] for text in said] == ["1/3 ", "2/3 ", "3/3 "]
    assert "{'rounds': 1} 2 1 0 []" in said[1]
    assert "{'rounds': 2} 3 2 0 []" in said[2]
    assert run.state.step is not None
    assert run.step.id == "end"


def test_the_same_process_plays_all_rounds(sessions: VisitSessions) -> None:
    pids = []
    for _ in range(2):
        session = prepared(sessions)
        sessions.opened(session)
        (agent,) = session.plan.agents.values()
        assert agent.staying is not None
        pids.append(agent.staying.responder.pid)
        play(session)
        sessions.closed(session)

    assert pids[0] == pids[1]


def test_a_session_is_recorded_with_its_end_and_the_participants_points(
    run: VisitRun, sessions: VisitSessions
) -> None:
    session = prepared(sessions)
    sessions.opened(session)
    sessions.opened(session)
    play(session)

    sessions.closed(session)

    closed = run.state.sessions["r.1"]
    assert isinstance(closed, SessionClosed)
    assert (closed.session, closed.end, closed.agreement) == (session.plan.session_id, "quit", False)
    assert closed.last_hash == session.log.last_hash
    assert closed.points is not None
    assert len(logs_of(run)) == 1


def test_a_session_that_was_never_named_is_deleted(run: VisitRun, sessions: VisitSessions) -> None:
    left = prepared(sessions)
    left.log.close()
    left.plan.discard_agents()

    again = prepared(sessions)

    assert [path.name for path in run.data.sessions.iterdir() if path.is_dir()] == [
        again.log.path.parent.name
    ]
    again.discard()


def test_a_named_session_that_was_not_begun_is_opened_again(run: VisitRun, sessions: VisitSessions) -> None:
    left = prepared(sessions)
    sessions.opened(left)
    left.log.close()
    left.plan.discard_agents()

    again = prepared(sessions)
    sessions.opened(again)

    opened = run.state.sessions["r.1"]
    assert opened.session == again.plan.session_id != left.plan.session_id
    assert not left.log.path.exists()
    again.discard()


def test_a_session_that_was_over_only_has_to_be_recorded(run: VisitRun, sessions: VisitSessions) -> None:
    session = prepared(sessions)
    sessions.opened(session)
    play(session)

    after = sessions_of(run)
    assert after.prepare() is None
    after.closed_already()

    assert isinstance(run.state.sessions["r.1"], SessionClosed)
    with pytest.raises(NegoError, match="No session"):
        after.closed_already()


def test_a_killed_session_is_resumed_by_an_agent_that_remembers(
    folder: StudyFolder, run: VisitRun, sessions: VisitSessions
) -> None:
    first = prepared(sessions)
    sessions.opened(first)
    play(first)
    sessions.closed(first)
    second = prepared(sessions)
    sessions.opened(second)
    cut = play(second)
    begun = read_log(second.log.path)
    end = next(n for n, event in enumerate(begun.events) if event.type == EventType.GAME_END)
    lines = second.log.path.read_bytes().splitlines(keepends=True)
    second.log.path.write_bytes(b"".join(lines[:end]))
    run.close()
    sessions.stop()
    shutil.rmtree(folder.root / "agents" / "__pycache__", ignore_errors=True)

    resumed_run = VisitRun.resume(folder, run.data, run._log.path.parent)
    after = sessions_of(resumed_run)
    resumed = prepared(after)
    assert resumed.resume_point is not None
    after.opened(resumed)
    play(resumed)
    after.closed(resumed)
    third = prepared(after)
    after.opened(third)
    text = agent_text(play(third))
    after.closed(third)
    after.stop()
    resumed_run.close()

    assert agent_text(cut).startswith("2/3 ")
    assert text.startswith("3/3 [(1, 'practice', 'quit', ")
    assert "{'rounds': 2} 3 2 1 []" in text


def test_a_session_that_had_to_stop_is_ended_as_aborted(run: VisitRun, sessions: VisitSessions) -> None:
    session = prepared(sessions)
    sessions.opened(session)
    play(session, until=EventType.SEND_MESSAGE)

    sessions.closed(session)

    closed = run.state.sessions["r.1"]
    assert isinstance(closed, SessionClosed)
    assert (closed.end, closed.points) == ("aborted", None)
