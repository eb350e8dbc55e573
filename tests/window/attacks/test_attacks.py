"""Attacks of a hostile agent in the real window, as an ordinary user, with the sandbox and without."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import socket
import struct
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import copy
from tempfile import TemporaryDirectory

import pytest

from negoplatform.hosting.sandbox.process_sandbox import available_sandbox
from negoplatform.plugins.program_and_user_folders import bundled
from tests.hosting.processes import is_gone
from tests.unprivileged_user import NOBODY, can_be_ordinary, ordinary_command
from tests.window.conftest import Program
from tests.x_server import Screen

pytestmark = [
    pytest.mark.window,
    pytest.mark.skipif(available_sandbox().name != "full", reason="this system has no full sandbox"),
    pytest.mark.skipif(not can_be_ordinary(), reason="no program can be run as an ordinary user"),
]

SOON = 5.0
"""Seconds within which a daemon ends after the program, if it does; it would run for ten minutes."""

PYTHON = (sys.executable, "-m")

HERE = Path(__file__).parent

LONGEST = 60.0
"""Seconds that a test waits for the agent; a limit, not a measure."""

ELSEWHERE = {
    "opens_the_log_by_its_handle": "needs a right that only some systems give ordinary users",
    "reads_by_a_ring_of_requests": "the kernel may have it turned off",
    "asks_for_kernel_functions": "the kernel keeps ordinary users from some of them",
    "reads_what_is_noted_on_a_file": "some file systems keep no notes",
    "keeps_memory_in_rules_for_files": "the kernel may lack them",
    "changes_the_flags_of_a_file": "some file systems have no flags",
    "fills_the_disk_past_the_end_of_its_output": "some file systems reserve nothing",
    "has_the_program_wait_for_a_file": "some file systems have no leases",
    "is_told_of_changes_in_a_folder": "the kernel may lack it",
    "uses_up_asynchronous_requests": "the kernel may lack them",
    "asks_the_kernels_key_ring": "the kernel may lack it",
    "makes_a_user_namespace": "some systems keep ordinary users from it",
    "uses_calls_of_another_table": "the kernel may lack the 32-bit calls",
    "uses_the_abstract_socket_of_the_screen": "some X servers have none",
    "traces_the_program": "some systems let a process trace its own children only",
    "reads_the_programs_memory": "some systems let a process read its own children's only",
    "reads_the_programs_memory_by_a_call": "some systems let a process read its own children's only",
    "writes_the_programs_memory": "some systems let a process write its own children's only",
    "writes_the_programs_memory_by_a_call": "some systems let a process write its own children's only",
    "takes_a_descriptor_of_the_program": "some systems let a process do so with its own children only",
}
"""Attacks that may fail without the sandbox too, and why."""


NEEDS_LANDLOCK = {
    *(
        "reads_the_log",
        "lists_sessions",
        "reads_an_earlier_session",
        "reads_the_store",
        "reads_a_shipped_game",
    ),
    *("reads_another_agent", "reads_the_home_folder", "reads_by_a_link_in_its_own_folder"),
    *("reads_by_another_thread", "reads_by_a_forked_process", "reads_the_programs_command_line"),
    *("writes_to_the_log", "truncates_a_log", "moves_a_log_away", "deletes_a_file_of_the_user"),
    *("links_a_log_into_its_own_folder", "trusts_another_file", "adds_an_agent", "changes_its_own_file"),
    *("starts_a_program_that_types", "fills_the_temporary_folder", "fills_shared_memory"),
    # There an agent's process may not signal its own processes either. A program that ends by itself does.
    "its_daemon_outlives_the_program",
}
"""Attacks that are open on Linux without Landlock."""

OUTLIVES = "its_daemon_outlives_the_program"
"""Attack that the test judges, because the agent has ended by then."""


def names() -> list[str]:
    """Return the names of the attacks, without loading the agent."""
    text = (HERE / "attacker.py").read_text(encoding="utf-8")
    found = [part.partition("(")[0].removeprefix("def ") for part in text.split("@attack\n")[1:]]
    # It may start processes; what counts is whether they end.
    found.remove("leaves_a_daemon")
    return [*found, "reads_by_another_thread", OUTLIVES]


def attacked(folder: Path, command: Sequence[str], games: Path | None = None) -> dict[str, str]:
    """Run the program with the hostile agent until it has tried everything; return what came of it.

    Args:
        folder: An empty folder that an ordinary user can enter.
        command: The command that starts the program.
        games: The program's own games; None: those of this checkout.
    """
    data, home, agent = folder / "data", folder / "home", folder / "attacker"
    earlier = data / "sessions" / "earlier" / "events.jsonl"
    for place in (home, agent, data / "agents", earlier.parent):
        place.mkdir(parents=True)
    copy(HERE / "attacker.py", agent / "agent.py")
    earlier.write_text("{}\n", encoding="utf-8")
    (data / "agents" / "other.py").write_text("SECRET = 1\n", encoding="utf-8")
    for name in ("secret.txt", "spare.txt"):
        (home / name).write_text("private", encoding="utf-8")
    (agent / "link.txt").symlink_to(home / "secret.txt")
    with suppress(OSError):
        os.setxattr(home / "secret.txt", "user.note", b"private")
    with (
        Screen(for_everybody=True) as screen,
        between_programs() as (queue, semaphore),
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as journal,
    ):
        journal.bind(str(home / "journal"))
        targets = {
            "journal": str(home / "journal"),
            "data": str(data),
            "earlier": str(earlier),
            "store": str(data / "store.sqlite3"),
            "other_agent": str(data / "agents" / "other.py"),
            "game": str((games or bundled("games")) / "practice.json"),
            "home": str(home),
            "display": screen.env["DISPLAY"].removeprefix(":"),
            "port": server.getsockname()[1],
            "queue": queue,
            "semaphore": semaphore,
        }
        (agent / "targets.json").write_text(json.dumps(targets), encoding="utf-8")
        own_everything(folder)
        screen.env["HOME"] = str(home)
        program = Program(
            screen,
            data,
            *("--game", "practice", "--agent", str(agent / "agent.py")),
            command=[*ordinary_command(), *command],
        )
        try:
            found = reported(data)
        finally:
            errors = program.stop()
        assert not errors
        daemon = int(found["leaves_a_daemon"].removeprefix("open: "))
        found[OUTLIVES] = f"closed: {daemon}" if ends(daemon) else f"open: {daemon}"
        with suppress(ProcessLookupError):
            os.kill(daemon, signal.SIGKILL)
        return found


@contextmanager
def between_programs() -> Iterator[tuple[int, int]]:
    """Make a queue with a message and a semaphore, as two other programs of the user may have."""
    library = ctypes.CDLL(None)
    queue, semaphore = library.msgget(0, 0o1666), library.semget(0, 1, 0o1666)
    library.msgsnd(queue, struct.pack("q16s", 1, b"private"), 16, 0)
    try:
        yield queue, semaphore
    finally:
        library.msgctl(queue, 0, None)
        library.semctl(semaphore, 0, 0)


def ends(pid: int) -> bool:
    """Wait until a process has ended; return whether it has."""
    until = time.monotonic() + SOON
    while not is_gone(pid) and time.monotonic() < until:
        time.sleep(0.05)
    return is_gone(pid)


def own_everything(folder: Path) -> None:
    """Give everything in a folder to the ordinary user."""
    if os.geteuid() == 0:
        for place in (folder, *folder.rglob("*")):
            os.chown(place, NOBODY, NOBODY, follow_symlinks=False)


def reported(data: Path) -> dict[str, str]:
    """Wait for both reports of the agent, in the file of its output; return them together."""
    until = time.monotonic() + LONGEST
    while time.monotonic() < until:
        lines = [
            line
            for output in data.glob("sessions/*/agent-*.txt")
            for line in output.read_text(encoding="utf-8").splitlines()
            if line.startswith("REPORT ")
        ]
        if len(lines) == 2:
            return {name: said for line in lines for name, said in json.loads(line[7:]).items()}
        time.sleep(0.1)
    raise AssertionError(f"The agent has not reported: {list(data.glob('sessions/*/*'))}")


@pytest.fixture(scope="module")
def protected() -> Iterator[dict[str, str]]:
    with folder_of_everybody() as folder:
        yield attacked(folder, [*PYTHON, "negoplatform"])


@pytest.fixture(scope="module")
def unprotected() -> Iterator[dict[str, str]]:
    with folder_of_everybody() as folder:
        yield attacked(folder, [*PYTHON, "tests.window.attacks.weakened", "none"])


@pytest.fixture(scope="module")
def filtered() -> Iterator[dict[str, str]]:
    """Run the attacks as on a kernel without Landlock."""
    with folder_of_everybody() as folder:
        yield attacked(folder, [*PYTHON, "tests.window.attacks.weakened", "filter"])


@contextmanager
def folder_of_everybody() -> Iterator[Path]:
    """Make a folder that an ordinary user can enter; those of pytest are closed to others."""
    with TemporaryDirectory(prefix="negoplatform-attacks-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.mark.parametrize("name", names())
def test_an_attack_is_refused_by_the_system(name: str, protected: dict[str, str]) -> None:
    assert protected[name].startswith("closed"), f"{name}: {protected[name]}"


@pytest.mark.parametrize("name", [name for name in names() if name not in ELSEWHERE])
def test_the_attack_succeeds_without_the_sandbox(name: str, unprotected: dict[str, str]) -> None:
    assert unprotected[name].startswith("open"), f"{name}: {unprotected[name]}"


@pytest.mark.parametrize("name", [name for name in names() if name not in NEEDS_LANDLOCK])
def test_the_filter_of_system_calls_alone_refuses_an_attack(name: str, filtered: dict[str, str]) -> None:
    assert filtered[name].startswith("closed"), f"{name}: {filtered[name]}"
