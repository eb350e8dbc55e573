"""Whatever an agent does in its process, the program gets a response in time."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from shutil import copy

import pytest

from negoplatform.agent_api.actions import SendMessage
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.formats.agent_permissions import AgentPermissions
from negoplatform.hosting import agent_process_proxy, child_process
from negoplatform.hosting.agent_process_proxy import AgentProcess, discover_agents, make_process
from negoplatform.hosting.agent_runner import AgentResponse
from negoplatform.hosting.child_process import ChildEnded
from negoplatform.hosting.processes.process_limits import MAX_OPEN_FILES, MEGABYTE
from negoplatform.plugins.agent_loader import hash_of
from tests.hosting.processes import (
    HOSTILE,
    PATIENT,
    QUICK,
    hostile,
    is_gone,
    open_descriptors,
    processes_of_group,
    request_about,
    start_request_for,
    started,
)
from tests.unprivileged_user import can_be_ordinary, ordinary_command
from tests.wine import RUNS_UNDER_WINE

pytestmark = [pytest.mark.new_python, pytest.mark.timeout(60)]

GUARD = 30.0
"""Seconds after which a test counts as hung; the budgets are 0.2 s."""

SEGFAULT = (
    r"Windows: it used memory that is not its own \(exit code 0xC0000005\)"
    if sys.platform == "win32"
    else "SIGSEGV"
)
"""The end of an agent that reads memory that no process may read, as the program words it."""

ONLY_POSIX = pytest.mark.skipif(os.name != "posix", reason="the system has no limits of this kind")
NOT_UNDER_WINE = pytest.mark.skipif(
    RUNS_UNDER_WINE, reason="Wine 8 accepts the limits of a job and does not apply them"
)


@pytest.fixture(autouse=True)
def _nothing_left_behind() -> Iterator[None]:
    """Check that no thread and no descriptor outlives a stopped process."""
    threads = set(threading.enumerate())
    descriptors = open_descriptors()
    yield
    until = time.monotonic() + GUARD
    while set(threading.enumerate()) - threads and time.monotonic() < until:
        time.sleep(0.01)
    assert not set(threading.enumerate()) - threads
    assert open_descriptors() <= descriptors


def asked(name: str, game: GameSpec, **more: object) -> tuple[AgentResponse, AgentProcess]:
    """Return the response of a misbehaving agent, and its process, which is stopped."""
    process = make_process(hostile(name, game, **more))
    try:
        answer = process.respond(request_about(started(game)))
    finally:
        process.stop()
    return answer, process


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("loops", "did not react within 0.2 s"),
        ("loops_in_c", "did not react within 0.2 s"),
        ("ignores_signals", "did not react within 0.2 s"),
        pytest.param("eats_memory", "did not react within 0.2 s", marks=NOT_UNDER_WINE),
        ("prints_for_ever", "did not react within 0.2 s"),
        ("segfaults", f"ended by {SEGFAULT}"),
        ("exits", r"ended by itself \(exit code 3\)"),
        ("floods", "a message of more than 65,536 bytes"),
        # On Windows closing waits for the thread that reads.
        ("closes_everything", "closed its end|could not handle a message|did not react"),
    ],
)
def test_an_agent_that_takes_its_process_with_it_is_lost_with_a_reason(
    practice: GameSpec, name: str, words: str
) -> None:
    # Only an agent that never reacts is given little time: the others need some on a busy machine.
    budget = QUICK if "did not react within" in words else PATIENT

    answer, process = asked(name, practice, budget=budget)

    assert (answer.lost, answer.steps) == (True, ())
    assert re.search(words, answer.failure), answer.failure
    assert not processes_of_group(process.pid)
    assert is_gone(process.pid)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("raises_exit", "SystemExit"),
        ("interrupts", "KeyboardInterrupt"),
        pytest.param("runs_out_of_memory", "MemoryError", marks=NOT_UNDER_WINE),
        ("shouts", "bytes long; 65,536 are the most"),
        ("writes_rubbish", "sent what is no answer"),
        ("lies", "sent what is no answer"),
        ("reads_stdin", "EOFError"),
        ("opens_files", "OSError"),
    ],
)
def test_an_agent_that_fails_in_its_process_fails_and_can_be_asked_again(
    practice: GameSpec, name: str, words: str
) -> None:
    process = make_process(hostile(name, practice, budget=PATIENT))
    table = started(practice)

    answers = [process.respond(request_about(table)) for _ in range(3)]
    process.stop()

    for answer in answers:
        assert words in answer.failure
        assert (answer.lost, answer.steps) == (False, ())
        assert answer.error is not None


def test_an_agent_that_chatters_on_the_wire_is_ended(practice: GameSpec) -> None:
    process = make_process(hostile("chatters", practice))
    table = started(practice)

    answers = [process.respond(request_about(table))]
    until = time.monotonic() + GUARD
    while not answers[-1].lost and time.monotonic() < until:
        answers.append(process.respond(request_about(table)))
    process.stop()

    assert all(answer.failure and not answer.steps for answer in answers)
    assert answers[-1].lost
    assert is_gone(process.pid)


@pytest.mark.parametrize(("lines", "is_ended"), [(64, False), (65, True)])
def test_a_process_may_send_64_lines_that_nobody_reads_and_no_more(
    lines: int, is_ended: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    sent = tmp_path / "sent"
    program = (
        "import pathlib, sys, time\n"
        f"sys.stdout.buffer.write(b'{{}}\\n' * {lines})\n"
        "sys.stdout.buffer.flush()\n"
        f"pathlib.Path({str(sent)!r}).touch()\n"
        f"time.sleep({GUARD})\n"
    )
    monkeypatch.setattr(child_process, "agent_command", lambda: [sys.executable, "-I", "-c", program])
    child = child_process.ChildProcess()
    until = time.monotonic() + GUARD
    while not sent.exists() and child.alive and time.monotonic() < until:
        time.sleep(0.01)
    time.sleep(0.1)  # the thread that reads needs a moment

    received = [child.receive(until) for _ in range(lines)]
    alive = child.alive
    with pytest.raises(ChildEnded if is_ended else TimeoutError) as following:
        child.receive(time.monotonic() + (GUARD if is_ended else 0))
    child.stop()

    assert received == [b"{}"] * lines
    assert alive is not is_ended
    assert ("nobody had asked for" in str(following.value)) is is_ended


def test_a_failure_carries_the_trace_of_the_agents_process_to_the_crash_file(practice: GameSpec) -> None:
    answer, _ = asked("opens_files", practice, budget=PATIENT)

    notes = getattr(answer.error, "__notes__", [])
    assert any("opens_files.py" in note and "os.open" in note for note in notes)


def test_an_answer_that_took_too_long_counts_and_is_a_failure(practice: GameSpec) -> None:
    answer, _ = asked("sleeps", practice, budget=replace(PATIENT, soft_seconds=0.1))

    assert answer.steps == (SendMessage("Here I am."),)
    assert "s are allowed" in answer.failure
    assert not answer.lost


def test_what_an_agent_prints_goes_to_its_file_and_not_to_the_transport(
    practice: GameSpec, tmp_path: Path
) -> None:
    output = tmp_path / "agent.txt"

    answer, _ = asked("prints", practice, budget=PATIENT, output=output)

    assert answer.steps == (SendMessage("I have printed."),)
    assert output.read_text().splitlines() == [
        "printed by Python",
        "printed to stderr",
        "written to the descriptor",
        "printed by C",
    ]


def test_what_an_agent_prints_fills_no_disk(practice: GameSpec, tmp_path: Path) -> None:
    output = tmp_path / "agent.txt"

    answer, _ = asked(
        "prints_for_ever", practice, budget=replace(QUICK, soft_seconds=3, hard_seconds=3), output=output
    )

    assert answer.lost
    # Where only output of Python is limited, the traceback comes on top of it.
    assert output.stat().st_size <= 1024 * 1024 + (0 if os.name == "posix" else 10_000)


def test_where_a_hung_agent_hangs_stands_in_its_file(practice: GameSpec, tmp_path: Path) -> None:
    output = tmp_path / "agent.txt"

    asked("loops_in_c", practice, output=output)

    assert "loops_in_c.py" in output.read_text()


def test_a_grandchild_that_holds_the_wire_does_not_hide_that_the_agent_has_ended(
    practice: GameSpec,
) -> None:
    answer, process = asked("leaves_a_child", practice, budget=PATIENT)

    assert answer.lost
    assert "ended by itself (exit code 0)" in answer.failure
    assert is_gone(process.pid)


@pytest.mark.skipif(sys.platform != "linux", reason="the system tells nobody's limits")
def test_a_process_has_the_limits_of_its_budget(practice: GameSpec) -> None:
    process = make_process(hostile("sleeps", practice, budget=replace(PATIENT, cpu_seconds=33, file_mb=2)))
    lines = Path(f"/proc/{process.pid}/limits").read_text(encoding="ascii").splitlines()
    process.stop()

    limits = {line[:25].strip(): line[25:].split()[:2] for line in lines}
    assert limits["Max open files"] == [str(MAX_OPEN_FILES)] * 2
    assert limits["Max core file size"] == ["0", "0"]
    assert limits["Max file size"] == [str(2 * MEGABYTE)] * 2
    assert limits["Max cpu time"] == [
        "33",
        "34",
    ]  # the system ends it with a reason, and a second later anyway


def test_an_agent_that_computes_on_all_its_threads_still_answers(practice: GameSpec) -> None:
    process = make_process(hostile("burns_time", practice, budget=PATIENT))
    table = started(practice)

    answers = [process.respond(request_about(table)) for _ in range(2)]
    process.stop()

    assert [answer.steps for answer in answers] == [(SendMessage("Busy."),)] * 2


def test_an_agent_is_asked_even_where_no_thread_is_left_to_watch_it(practice: GameSpec) -> None:
    process = make_process(hostile("starts_no_thread", practice, budget=PATIENT))
    table = started(practice)

    answers = [process.respond(request_about(table)) for _ in range(2)]
    process.stop()

    assert [answer.steps for answer in answers] == [(SendMessage("I can still speak."),)] * 2


@pytest.mark.parametrize(
    "interpreter",
    [
        Path(sys.executable).name,
        pytest.param(
            "pythonw.exe",  # a program with windows, as the packaged one is
            marks=pytest.mark.skipif(sys.platform != "win32", reason="the system has no such programs"),
        ),
    ],
)
def test_an_agent_reads_what_another_program_prints(
    practice: GameSpec, monkeypatch: pytest.MonkeyPatch, interpreter: str
) -> None:
    program, *arguments = child_process.agent_command()
    command = [str(Path(program).with_name(interpreter)), *arguments]
    monkeypatch.setattr(child_process, "agent_command", lambda: command)

    answer, _ = asked("runs_a_program", practice, budget=PATIENT)

    assert answer.steps == (SendMessage("Hello"),), answer.failure


def test_an_agent_that_makes_sessions_of_its_own_finds_none_of_ours(practice: GameSpec) -> None:
    answer, _ = asked("imports_the_session", practice, budget=PATIENT)

    assert answer.steps == (SendMessage("I found 0."),)


@pytest.mark.parametrize("name", ["never_has_a_name", "never_configured"])
def test_an_agent_that_is_never_ready_is_given_up(practice: GameSpec, name: str) -> None:
    process = AgentProcess.spawn()
    with pytest.raises(NegoError, match="took longer than 2 s, so it was given up"):
        process.start(hostile(name, practice, budget=replace(QUICK, load_seconds=2)))

    assert is_gone(process.pid)


@ONLY_POSIX
def test_where_an_agent_hangs_that_is_never_ready_stands_in_its_file(
    practice: GameSpec, tmp_path: Path
) -> None:
    output = tmp_path / "agent.txt"
    budget = replace(QUICK, load_seconds=1)

    with pytest.raises(NegoError, match="so it was given up"):
        make_process(hostile("never_configured", practice, budget=budget, output=output))

    assert "never_configured.py" in output.read_text(encoding="utf-8")


def command_after(seconds: float) -> list[str]:
    """Return the command of an agent's process that takes its time to start, as under a virus scanner."""
    code = (
        f"import time; time.sleep({seconds}); import sys, runpy; "
        f"sys.argv = ['negoplatform', {child_process.AGENT_PROCESS!r}]; "
        "runpy.run_module('negoplatform', run_name='__main__')"
    )
    return [*child_process.agent_command()[:5], "-c", code]


def test_time_that_a_process_takes_to_start_is_not_time_for_loading(
    practice: GameSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = command_after(2.5)
    monkeypatch.setattr(child_process, "agent_command", lambda: command)

    answer, _ = asked("runs_a_program", practice, budget=replace(PATIENT, load_seconds=2.5))

    assert answer.steps == (SendMessage("Hello"),), answer.failure


def test_a_process_that_does_not_start_is_given_up(
    practice: GameSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = command_after(GUARD)
    monkeypatch.setattr(child_process, "agent_command", lambda: command)
    monkeypatch.setattr(agent_process_proxy, "START_SECONDS", 0.5)
    process = AgentProcess.spawn()

    with pytest.raises(NegoError, match=r"starting its process took longer than 0\.5 s"):
        process.start(hostile("loops", practice, budget=QUICK))

    assert is_gone(process.pid)


@pytest.mark.parametrize(
    ("name", "seconds", "words"),
    [
        ("hangs_at_import", 2, "took longer than 2 s"),
        ("segfaults_at_import", GUARD, SEGFAULT),
    ],
)
def test_a_file_that_misbehaves_when_it_is_loaded_is_refused_in_a_sentence(
    name: str, seconds: float, words: str
) -> None:
    file = HOSTILE / f"{name}.py"

    with pytest.raises(NegoError, match=words):
        discover_agents(file, hash_of(file), budget=replace(QUICK, load_seconds=seconds))


def test_agents_of_a_file_are_described_without_loading_them_here() -> None:
    file = HOSTILE / "loops.py"

    (found,) = discover_agents(file, hash_of(file))
    assert (found.class_name, found.description) == ("Loops", "Never comes to an end.")
    assert not [name for name in sys.modules if "plugin_loops_" in name]


def test_processes_that_start_processes_come_to_an_end() -> None:
    if os.name == "posix" and not can_be_ordinary():
        pytest.skip("root is bound by no limit of processes, and there is no setpriv to become another")
    prefix = ordinary_command() if os.name == "posix" else []
    command = [*prefix, sys.executable, "-m", "tests.hosting.fork_bomb"]

    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=GUARD,
        check=False,
        cwd=Path(__file__).parents[2],
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["It did not react within 0.2 s.", "lost", "nobody left"]


@ONLY_POSIX
def test_an_agent_cannot_write_a_file_beyond_its_limit(practice: GameSpec, tmp_path: Path) -> None:
    file = Path(copy(HOSTILE / "fills_files.py", tmp_path / "agent.py"))
    allowed = AgentPermissions(write=("scratch",))
    process = make_process(start_request_for(file, "FillsFiles", practice, permissions=allowed))

    answer = process.respond(request_about(started(practice)))
    process.stop()

    assert "OSError" in answer.failure
    limit = PATIENT.file_mb * MEGABYTE
    assert limit - MEGABYTE < (tmp_path / "scratch" / "filled").stat().st_size <= limit
