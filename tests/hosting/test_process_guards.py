"""A process stays guarded where the system offers less, or runs short."""

from __future__ import annotations

import faulthandler
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.hosting import child_process, transport
from negoplatform.hosting.agent_process_proxy import AgentProcess, discover_agents, make_process
from negoplatform.hosting.agent_stdio import Watchdog
from negoplatform.hosting.child_process import agent_command, agent_environment
from negoplatform.plugins.agent_loader import hash_of
from tests.hosting.processes import (
    HOSTILE,
    PATIENT,
    hostile,
    is_gone,
    processes_of_group,
    request_about,
    start_request_for,
    started,
)

pytestmark = [pytest.mark.new_python, pytest.mark.timeout(60)]

ONLY_POSIX = pytest.mark.skipif(os.name != "posix", reason="the system has nothing of this kind")


def test_answers_to_an_old_request_block_no_longer_than_a_hard_budget(
    practice: GameSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = make_process(hostile("loops", practice))
    process._request_count = 1  # so that there is an older one

    def receive(until: float) -> bytes:
        assert time.monotonic() < until + 20
        return b'{"kind":"answer","id":1,"steps":[],"failure":"","trace":""}\n'

    monkeypatch.setattr(process._child, "receive", receive)
    answer = process.respond(request_about(started(practice)))
    process.stop()

    assert answer.lost
    assert answer.failure == "It did not react within 0.2 s."
    assert is_gone(process.pid)


@pytest.mark.parametrize("moves", [True, False])
def test_the_crash_file_says_where_the_file_of_a_hung_agent_lies_now(
    practice: GameSpec, tmp_path: Path, moves: bool
) -> None:
    starting = tmp_path / ".starting-agent.txt"
    process = make_process(hostile("loops", practice, output=starting))
    if moves:
        starting.replace(tmp_path / "agent-agent.txt")

    answer = process.respond(request_about(started(practice)))
    process.stop()

    place = "agent-agent.txt beside the session's log" if moves else str(starting)
    assert answer.error is not None
    assert answer.error.__notes__ == [f"Where it hung stands in {place}, if the system could say."]


@pytest.mark.parametrize("waitid", [True, False])
def test_an_agent_that_ends_takes_what_it_started_with_it(
    practice: GameSpec, monkeypatch: pytest.MonkeyPatch, waitid: bool
) -> None:
    if not waitid:  # as on macOS, where looking at a process reaps it
        monkeypatch.delattr(os, "waitid", raising=False)
    process = make_process(hostile("leaves_a_helper", practice, budget=PATIENT))

    # Looked at by several threads at once, as the program does.
    looking = threading.Thread(target=lambda: [process.alive for _ in iter(lambda: process.alive, False)])
    looking.start()
    answer = process.respond(request_about(started(practice)))
    looking.join()
    process.stop()

    assert answer.lost
    until = time.monotonic() + 20
    while processes_of_group(process.pid) and time.monotonic() < until:
        time.sleep(0.01)
    assert not processes_of_group(process.pid)


@pytest.mark.parametrize("waitid", [True, False])
def test_a_process_that_is_looked_at_goes_on(
    practice: GameSpec, monkeypatch: pytest.MonkeyPatch, waitid: bool
) -> None:
    if not waitid:
        monkeypatch.delattr(os, "waitid", raising=False)
    process = make_process(hostile("prints", practice, budget=PATIENT))

    looked = [process.alive for _ in range(3)]
    answer = process.respond(request_about(started(practice)))
    process.stop()

    assert looked == [True, True, True]
    assert not answer.lost


@pytest.mark.parametrize(
    ("failure", "raised"), [(RuntimeError("no thread"), NegoError), (MemoryError(), MemoryError)]
)
def test_a_process_that_cannot_be_read_from_is_not_left_behind(
    monkeypatch: pytest.MonkeyPatch, failure: Exception, raised: type[Exception]
) -> None:
    begun = []

    def start_process(*given: Any, **more: Any) -> Any:
        begun.append(transport.start_process(*given, **more))
        return begun[-1]

    def no_thread(*given: Any, **more: Any) -> threading.Thread:
        raise failure

    monkeypatch.setattr(child_process, "start_process", start_process)
    monkeypatch.setattr(child_process, "Thread", no_thread)

    with pytest.raises(raised):
        AgentProcess.spawn()

    assert begun[0][0].returncode is not None


def test_in_a_virtual_environment_of_windows_the_interpreter_itself_is_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(sys, "_base_executable", "C:\\Python\\python.exe", raising=False)

    assert agent_command()[0] == "C:\\Python\\python.exe"
    assert agent_environment()["__PYVENV_LAUNCHER__"] == sys.executable


def a_link(file: Path, elsewhere: Path) -> None:
    elsewhere.write_text("kept")
    file.symlink_to(elsewhere)


def a_pipe(file: Path, elsewhere: Path) -> None:
    elsewhere.write_text("kept")
    os.mkfifo(file)


@ONLY_POSIX
@pytest.mark.parametrize("make", [a_link, a_pipe])
def test_what_an_agent_prints_goes_nowhere_but_to_a_file(
    practice: GameSpec, tmp_path: Path, make: Callable[[Path, Path], None]
) -> None:
    output, elsewhere = tmp_path / "agent.txt", tmp_path / "elsewhere.txt"
    make(output, elsewhere)
    process = make_process(hostile("prints", practice, budget=PATIENT, output=output))

    answer = process.respond(request_about(started(practice)))
    process.stop()

    assert answer.steps
    assert elsewhere.read_text() == "kept"


@ONLY_POSIX
def test_a_file_whose_name_is_no_utf8_is_refused_in_a_sentence_about_its_name(
    practice: GameSpec, tmp_path: Path
) -> None:
    file = Path(os.fsdecode(os.fsencode(tmp_path) + b"/na\xefve.py"))
    try:
        file.write_bytes((HOSTILE / "loops.py").read_bytes())
    except OSError:
        pytest.skip("the system has no such names")

    for attempt in (
        lambda: discover_agents(file, hash_of(file)),
        lambda: make_process(start_request_for(file, "Loops", practice)),
    ):
        with pytest.raises(NegoError, match=r"na\?ve\.py: the name of the file.* is no UTF-8"):
            attempt()


def test_requests_that_follow_each_other_have_one_watchdog_and_each_its_whole_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock, given = [100.0], []
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(
        faulthandler,
        "dump_traceback_later",
        lambda seconds, **_more: given.append((clock[0], clock[0] + seconds)),
    )
    monkeypatch.setattr(faulthandler, "cancel_dump_traceback_later", lambda: given.append((clock[0], 0.0)))
    watchdog = Watchdog()

    for clock[0] in (100.0, 100.125, 100.25, 100.375, 100.5):
        watchdog.watch(6.0)
    watchdog.rest()
    watchdog.watch(6.0)

    assert given == [(100.0, 106.25), (100.375, 106.625), (100.5, 0.0), (100.5, 106.75)]
