"""Sessions of one participant's code: a running one needs permission, an earlier one is named."""

from __future__ import annotations

import os
import re
import time
from contextlib import suppress
from pathlib import Path

import pytest

from negoplatform.app.catalogue.catalogue import find_game, find_shipped_agent
from negoplatform.app.session.agent_setup import prepare_in_process
from negoplatform.app.session.participant_sessions import (
    SessionIsRunning,
    check_not_running,
    earlier_session_text,
    participant_sessions,
)
from negoplatform.app.session.session_plan import SessionPlan
from negoplatform.app.session.session_start import SESSIONS, OpenSession, open_session
from negoplatform.domain.seat_map import SeatMap
from negoplatform.eventlog.file_lock import acquire_lock
from tests.torture.forks import fork, gates, reap

POSIX = pytest.mark.skipif(os.name != "posix", reason="programs are forked")


def opened(data: Path, code: str = "P01", *, allows_another: bool = False) -> OpenSession:
    game = find_game("practice", data)
    agents = SeatMap([("agent", prepare_in_process(find_shipped_agent("fair"), "agent", {}, game=game))])
    plan = SessionPlan(game, 1, "human", code, agents, allows_another=allows_another)
    return open_session(plan, data, print)


def test_a_code_whose_session_is_running_begins_no_other_one(tmp_path: Path) -> None:
    running = opened(tmp_path)

    with pytest.raises(SessionIsRunning) as refused:
        opened(tmp_path, "p01")

    assert re.sub(r"(today|[\d-]{10}) \d\d:\d\d", "today 14:03", str(refused.value)) == (
        f"P01 already has a session of today 14:03, which is still running ({running.log.path.parent}); "
        "end it first, or allow another one with --another-session."
    )
    assert [folder.name for folder in (tmp_path / SESSIONS).iterdir()] == [running.log.path.parent.name]
    running.log.close()


def test_another_session_is_begun_where_that_is_allowed(tmp_path: Path) -> None:
    running = opened(tmp_path)

    another = opened(tmp_path, allows_another=True)

    assert len(list((tmp_path / SESSIONS).iterdir())) == 2
    running.log.close()
    another.log.close()


@pytest.mark.parametrize("code", ["P0", "P01-2", "01", "P02", "resource"])
def test_another_code_is_not_concerned(tmp_path: Path, code: str) -> None:
    running = opened(tmp_path, "P01")

    opened(tmp_path, code).log.close()

    assert not participant_sessions("", tmp_path / SESSIONS)
    running.log.close()


def test_a_code_whose_session_is_over_begins_another_one_and_the_earlier_one_is_named(tmp_path: Path) -> None:
    earlier = opened(tmp_path)
    earlier.log.close()

    later = opened(tmp_path)

    running, over = participant_sessions("P01", tmp_path / SESSIONS)
    assert (running.log, running.is_running) == (later.log.path, True)
    assert (over.log, over.is_running) == (earlier.log.path, False)
    assert earlier_session_text(over).startswith("P01 has had a session before, of ")
    assert "P01 already has a session of " in earlier_session_text(running)
    assert "still running" in earlier_session_text(running)
    later.log.close()


def test_a_session_that_was_continued_in_another_folder_is_running(tmp_path: Path) -> None:
    first = opened(tmp_path)
    first.log.close()
    elsewhere = tmp_path / "elsewhere"
    moved = elsewhere / first.log.path.parent.name
    moved.mkdir(parents=True)
    moved_log = moved / first.log.path.name
    moved_log.write_bytes(first.log.path.read_bytes())

    with moved_log.open("ab") as held:
        acquire_lock(held.fileno(), moved_log)
        found = participant_sessions("P01", tmp_path / SESSIONS, elsewhere)

    assert [(one.log, one.is_running) for one in found] == [(moved_log, True)]
    with pytest.raises(SessionIsRunning):
        check_not_running(found)


@POSIX
def test_of_programs_that_begin_with_one_code_at_the_same_instant_one_at_most_goes_on(tmp_path: Path) -> None:
    with gates(2) as (gate, end):
        children = []
        for n in range(4):

            def work(n: int = n) -> None:
                gate.wait()
                session = None
                with suppress(SessionIsRunning):
                    session = opened(tmp_path)
                (tmp_path / f"{'refused' if session is None else 'began'}-{n}").touch()
                end.wait()
                if session is not None:
                    session.log.close()

            children.append(fork(work))
        gate.open()
        while len(list(tmp_path.glob("*-[0-3]"))) < len(children):
            time.sleep(0.01)
        end.open()
        assert [reap(child) for child in children] == [0] * len(children)

    assert len(list(tmp_path.glob("began-*"))) <= 1
