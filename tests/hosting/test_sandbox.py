"""The sandbox refuses what it should, with every version of Landlock, and lets an agent read its own."""

from __future__ import annotations

import json
import platform
import re
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from negoplatform.app.catalogue.search_path import keep_user_files_from_agents
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.formats.agent_permissions import AgentPermissions, SandboxLevel
from negoplatform.hosting.agent_process_proxy import make_process
from negoplatform.hosting.processes.process_limits import MAX_QUEUED_SIGNALS
from negoplatform.hosting.sandbox import readable_paths
from negoplatform.hosting.sandbox.process_sandbox import available_sandbox
from negoplatform.hosting.sandbox.readable_paths import keep_private, sandbox_rules
from negoplatform.hosting.sandbox.syscall_table import TABLES
from tests.hosting.processes import hostile

pytestmark = pytest.mark.new_python

HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}

NEWER = 451
"""Last system call of the oldest headers that a computer may have; later ones are the same everywhere."""

needs_sandbox = pytest.mark.skipif(
    available_sandbox().name != "full", reason="this system has no full sandbox"
)

TRIED = """
import json, os, socket, sys
from unittest.mock import patch
from negoplatform.formats.agent_protocol import SandboxRulesModel
from negoplatform.hosting.sandbox import landlock, process_sandbox

rules, abi, port = json.loads(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
def tried(act):
    try:
        act()
    except OSError as error:
        return type(error).__name__
    return "allowed"
def connected(at):
    with socket.socket() as client:
        client.connect(("127.0.0.1", at))
def fast_open():
    with socket.socket() as client:
        client.sendto(b"x", socket.MSG_FASTOPEN, ("127.0.0.1", port + 1))
def fast_open_message():
    with socket.socket() as client:
        client.sendmsg([b"x"], [], socket.MSG_FASTOPEN, ("127.0.0.1", port + 1))
def zero_copy():
    with socket.socket(type=socket.SOCK_DGRAM) as sender:
        sender.sendto(b"x", 0x4000000, ("127.0.0.1", port))
def listened():
    with socket.socket() as server:
        server.listen(1)
with patch.object(landlock, "landlock_abi", lambda: min(abi, LANDLOCK)):
    level = process_sandbox.enter_sandbox(SandboxRulesModel(**rules))
print(json.dumps({
    "level": level.name,
    "read": tried(lambda: os.close(os.open("/etc/passwd", os.O_RDONLY))),
    "write": tried(lambda: os.close(os.open(sys.argv[4], os.O_WRONLY))),
    "signal": tried(lambda: os.kill(os.getppid(), 0)),
    "own signal": tried(lambda: os.kill(os.getpid(), 0)),
    "socket": tried(lambda: socket.socket().close()),
    "connect": tried(lambda: connected(port)),
    "connect elsewhere": tried(lambda: connected(port + 1)),
    "fast open": tried(fast_open),
    "fast open of a message": tried(fast_open_message),
    "zero copy": tried(zero_copy),
    "listen": tried(listened),
    "datagrams": tried(lambda: socket.socket(type=socket.SOCK_DGRAM).close()),
    "MPTCP": tried(lambda: socket.socket(proto=262).close()),
    "SCTP": tried(lambda: socket.socket(type=5).close()),
    "SCTP by its number": tried(lambda: socket.socket(proto=132).close()),
    "DCCP": tried(lambda: socket.socket(type=6).close()),
    "UDP-Lite": tried(lambda: socket.socket(type=2, proto=136).close()),
    "change": tried(lambda: os.chmod(sys.argv[4], 0o600)),
}))
""".replace("LANDLOCK", str(available_sandbox().landlock))


ALWAYS = (
    *("level", "read", "write", "signal", "own signal", "socket", "connect", "connect elsewhere", "change"),
)
"""Attempts with every version of Landlock."""

PROTOCOLS = ("MPTCP", "SCTP", "SCTP by its number", "DCCP", "UDP-Lite")


def tried_with(rules: dict[str, Any], abi: int, port: int, file: Path) -> dict[str, str]:
    """Return what a process could do in a sandbox, with so many versions of Landlock."""
    known = sandbox_rules(file).model_dump() | rules
    found = subprocess.run(
        [sys.executable, "-c", TRIED, json.dumps(known), str(abi), str(port), str(file)],
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    )
    answer: dict[str, str] = json.loads(found.stdout)
    return answer


@pytest.fixture
def port() -> Iterator[int]:
    """Port that is listened on, and the next one too."""
    for _ in range(50):
        with socket.create_server(("127.0.0.1", 0)) as server:
            number: int = server.getsockname()[1]
            try:
                with socket.create_server(("127.0.0.1", number + 1)):
                    yield number
                    return
            except OSError:
                continue
    pytest.fail("no two ports in a row are free")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "agent.py"
    path.write_text("", encoding="utf-8")
    return path


@needs_sandbox
@pytest.mark.parametrize(
    ("abi", "level", "signal", "read"),
    [
        (0, "partial", "PermissionError", "allowed"),
        (1, "partial", "PermissionError", "PermissionError"),
        (3, "partial", "PermissionError", "PermissionError"),
        (5, "partial", "PermissionError", "PermissionError"),
        (99, "full", "PermissionError", "PermissionError"),
    ],
)
def test_a_sandbox_of_an_older_kernel_refuses_what_that_kernel_can(
    abi: int, level: str, signal: str, read: str, port: int, file: Path
) -> None:
    found = tried_with({}, abi, port, file)

    assert {name: found[name] for name in ALWAYS} == {
        "level": level,
        "read": read,
        "write": read,
        "signal": signal,
        "own signal": "allowed",
        "socket": "PermissionError",
        "connect": "PermissionError",
        "connect elsewhere": "PermissionError",
        "change": "PermissionError",
    }


@needs_sandbox
def test_a_declared_port_can_be_connected_to_and_no_other(port: int, file: Path) -> None:
    found = tried_with({"ports": [port]}, 99, port, file)

    assert (found["socket"], found["connect"]) == ("allowed", "allowed")
    assert found["connect elsewhere"] == "PermissionError"


@needs_sandbox
def test_with_a_declared_port_only_tcp_and_udp_sockets_can_be_made(port: int, file: Path) -> None:
    found = tried_with({"ports": [port]}, 99, port, file)

    assert found["datagrams"] == "allowed"
    assert {found[name] for name in PROTOCOLS} == {"PermissionError"}


@needs_sandbox
def test_a_declared_port_lets_no_data_go_to_another_or_be_kept_and_nobody_connect(
    port: int, file: Path
) -> None:
    found = tried_with({"ports": [port]}, 99, port, file)

    assert (found["fast open"], found["fast open of a message"]) == ("PermissionError", "PermissionError")
    assert found["zero copy"] == "PermissionError"
    assert found["listen"] == "PermissionError"


@needs_sandbox
def test_every_thread_of_an_agents_process_is_in_the_sandbox(practice: GameSpec) -> None:
    process = make_process(hostile("sleeps", practice))

    threads = list(Path(f"/proc/{process.pid}/task").iterdir())
    said = [(thread / "status").read_text(encoding="ascii") for thread in threads]
    process.stop()

    assert len(said) > 1
    assert all(re.search(r"^Seccomp:\t2$", text, re.MULTILINE) for text in said)
    assert all(re.search(r"^NoNewPrivs:\t1$", text, re.MULTILINE) for text in said)


@needs_sandbox
def test_a_process_reports_the_sandbox_that_it_has_reached(practice: GameSpec) -> None:
    process = make_process(hostile("sleeps", practice))
    process.stop()

    assert process.sandbox == available_sandbox()


@pytest.mark.parametrize(
    ("level", "words"),
    [
        (SandboxLevel(7, True), "full (Landlock 7, system calls filtered)"),
        (SandboxLevel(5, True), "partial (Landlock 5, system calls filtered)"),
        (SandboxLevel(0, True), "partial (no Landlock, system calls filtered)"),
        (SandboxLevel(7, False), "partial (Landlock 7, system calls not filtered)"),
        (SandboxLevel(0, False), "none: agents can do what you can do on this computer"),
    ],
)
def test_a_level_is_full_only_if_nothing_is_missing(level: SandboxLevel, words: str) -> None:
    assert level.description == words


def test_an_agents_folder_is_readable_unless_something_private_is_in_it(tmp_path: Path, file: Path) -> None:
    alone = sandbox_rules(file).read
    shared = sandbox_rules(file, private=[tmp_path / "data"]).read

    assert str(tmp_path) in alone
    assert str(tmp_path) not in shared
    assert {str(file), str(tmp_path / "agent.json")} <= set(shared)


def test_a_link_that_an_agent_asks_to_read_does_not_open_what_it_leads_to(tmp_path: Path, file: Path) -> None:
    for name in ("own/model", "elsewhere"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "own" / "away").symlink_to(tmp_path / "elsewhere")
    agent = tmp_path / "own" / "agent.py"
    asked = AgentPermissions(read=("model", "away"))

    read = sandbox_rules(agent, permissions=asked, private=[tmp_path / "own" / "data"]).read

    assert str(tmp_path / "own" / "model") in read
    assert not [place for place in read if "elsewhere" in place or "away" in place]


def test_a_folder_that_is_kept_private_closes_the_agents_folder(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readable_paths, "_private_places", set())
    keep_private(tmp_path / "sessions")

    assert str(tmp_path) not in sandbox_rules(file).read


def test_an_agent_right_in_the_folder_of_agents_does_not_read_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readable_paths, "_shared_folders", set())
    agents = tmp_path / "agents"
    (agents / "other").mkdir(parents=True)
    keep_user_files_from_agents(tmp_path)
    asked = AgentPermissions(read=("other",))

    read = sandbox_rules(agents / "agent.py", permissions=asked).read
    alone = sandbox_rules(agents / "other" / "agent.py").read

    assert str(agents / "agent.py") in read
    assert not {str(agents), str(agents / "other")} & set(read)
    assert str(agents / "other") in alone


def test_an_agent_saved_among_the_users_downloads_does_not_read_these(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".config").mkdir()
    (tmp_path / ".config" / "user-dirs.dirs").write_text(
        '# A remark\nXDG_DESKTOP_DIR="$HOME/"\nXDG_DOCUMENTS_DIR="$HOME/Meine Dokumente"\n', encoding="utf-8"
    )
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setattr(readable_paths, "_own_folders", readable_paths._own_folders.__wrapped__)

    for name in ("Downloads", "Meine Dokumente"):
        folder = tmp_path / name
        assert str(folder) not in sandbox_rules(folder / "agent.py").read
        assert str(folder / "own") in sandbox_rules(folder / "own" / "agent.py").read


def test_an_agent_right_in_the_home_folder_gets_no_other_folder_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "letters").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(readable_paths, "_own_folders", readable_paths._own_folders.__wrapped__)
    agent = tmp_path / "agent.py"

    assert (
        str(tmp_path / "letters")
        not in sandbox_rules(agent, permissions=AgentPermissions(read=("letters",))).read
    )
    with pytest.raises(NegoError, match="which is not its alone; move the agent to a folder of its own"):
        sandbox_rules(agent, permissions=AgentPermissions(write=("letters",)))


def test_a_folder_of_libraries_that_may_not_be_looked_at_is_left_out(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = tmp_path / "closed" / "lib"

    def refuse(place: Path) -> bool:
        raise PermissionError(place)

    monkeypatch.setattr(Path, "exists", refuse)  # as in a folder of another user, before Python 3.14
    monkeypatch.setenv("LD_LIBRARY_PATH", str(closed))
    monkeypatch.setattr(readable_paths, "_readable_python", readable_paths._readable_python.__wrapped__)

    assert str(closed) not in sandbox_rules(file).read


def test_an_agent_in_the_folder_for_temporary_files_does_not_read_that_folder() -> None:
    folder = Path(tempfile.gettempdir()).resolve()

    read = sandbox_rules(folder / "agent.py").read

    assert str(folder / "agent.py") in read
    assert str(folder) not in read


def test_an_agent_that_is_one_file_of_many_reads_that_file_alone(tmp_path: Path) -> None:
    file = tmp_path / "single.py"
    file.write_text("", encoding="utf-8")

    assert [place for place in sandbox_rules(file).read if place.startswith(str(tmp_path))] == [str(file)]


def test_folders_of_libraries_are_readable_without_the_games_in_them(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = tmp_path / "library"
    for name in ("package/bundled/games", "package/bundled/agents", "package/code", "other"):
        (library / name).mkdir(parents=True)
    games = frozenset({library / "package" / "bundled" / "games"})
    monkeypatch.setattr(readable_paths, "_shipped_games", lambda: games)
    monkeypatch.setattr(readable_paths, "_library_paths", lambda: iter([str(library)]))
    monkeypatch.setattr(readable_paths, "_readable_python", readable_paths._readable_python.__wrapped__)

    rules = sandbox_rules(file)

    found = {
        Path(place).relative_to(library).as_posix() for place in rules.read if place.startswith(str(library))
    }
    assert found == {"package/bundled/agents", "package/code", "other"}
    assert str(library) in rules.listed


def test_a_folder_of_libraries_with_something_private_is_left_out(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / "mine")])
    (tmp_path / "mine" / "data").mkdir(parents=True)

    open_one = sandbox_rules(file, private=[tmp_path / "elsewhere"])
    closed_one = sandbox_rules(file, private=[tmp_path / "mine" / "data"])

    assert str(tmp_path / "mine") in open_one.read
    assert not [place for place in (*closed_one.read, *closed_one.listed) if "mine" in place]


def test_a_folder_of_libraries_is_read_without_a_private_file_in_it(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = tmp_path / "mine"
    for name in ("package", "games"):
        (library / name).mkdir(parents=True)
    for name in ("package/__init__.py", "games/one.json", "games/other.json"):
        (library / name).write_text("", encoding="utf-8")
    monkeypatch.setattr(sys, "path", [*sys.path, str(library)])

    rules = sandbox_rules(file, private=[library / "games" / "one.json"])

    found = {place for place in rules.read if place.startswith(str(library))}
    assert found == {str(library / "package"), str(library / "games" / "other.json")}
    assert str(library) in rules.listed


def test_a_folder_to_write_is_made(tmp_path: Path, file: Path) -> None:
    rules = sandbox_rules(file, permissions=AgentPermissions(write=("scratch/deep",)))

    assert rules.write == [str(tmp_path / "scratch" / "deep")]
    assert (tmp_path / "scratch" / "deep").is_dir()


def test_a_folder_to_write_that_leads_elsewhere_is_refused(tmp_path: Path, file: Path) -> None:
    outside = tmp_path / "outside"
    own = tmp_path / "own"
    for place in (outside, own):
        place.mkdir()
    (own / "scratch").symlink_to(outside)

    with pytest.raises(NegoError, match="leads out of the agent's folder; replace the link by a folder"):
        sandbox_rules(own / "agent.py", permissions=AgentPermissions(write=("scratch",)))


def test_a_folder_to_write_with_sessions_in_it_is_refused(tmp_path: Path, file: Path) -> None:
    sessions = tmp_path / "data" / "sessions"

    for asked in ("data", "data/sessions", "data/sessions/earlier"):
        with pytest.raises(NegoError, match="in which the program keeps sessions or settings"):
            sandbox_rules(file, permissions=AgentPermissions(write=(asked,)), private=[sessions])
    beside = sandbox_rules(file, permissions=AgentPermissions(write=("data/own",)), private=[sessions])

    assert beside.write == [str(tmp_path / "data" / "own")]
    assert not sessions.exists()


def test_nothing_is_made_where_a_folder_to_write_leads_elsewhere(tmp_path: Path) -> None:
    for place in ("outside", "own"):
        (tmp_path / place).mkdir()
    (tmp_path / "own" / "link").symlink_to(tmp_path / "outside")

    with pytest.raises(NegoError, match="leads out of the agent's folder"):
        sandbox_rules(tmp_path / "own" / "agent.py", permissions=AgentPermissions(write=("link/made",)))

    assert list((tmp_path / "outside").iterdir()) == []


def test_a_link_that_leads_to_itself_is_refused_in_a_sentence(tmp_path: Path, file: Path) -> None:
    (tmp_path / "scratch").symlink_to(tmp_path / "scratch")

    with pytest.raises(NegoError, match="scratch: this folder, which the agent may write, cannot be made"):
        sandbox_rules(file, permissions=AgentPermissions(write=("scratch",)))


def test_what_an_agent_asks_to_read_is_not_read_where_a_link_leads_elsewhere(
    tmp_path: Path, file: Path
) -> None:
    sessions = tmp_path / "data" / "sessions"
    (sessions / "earlier").mkdir(parents=True)
    (tmp_path / "model").mkdir()
    (tmp_path / "logs").symlink_to(sessions / "earlier")
    (tmp_path / "system").symlink_to("/etc")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    asked = AgentPermissions(read=("model", "logs", "system", "loop"))

    read = sandbox_rules(file, permissions=asked, private=[sessions]).read

    assert str(tmp_path / "model") in read
    assert not {str(tmp_path / name) for name in ("logs", "system", "loop")} & set(read)
    assert not {str(sessions / "earlier"), "/etc"} & set(read)


def test_a_folder_to_write_that_is_a_file_is_refused(tmp_path: Path, file: Path) -> None:
    (tmp_path / "scratch").write_text("", encoding="utf-8")

    with pytest.raises(NegoError, match="scratch: this folder, which the agent may write, cannot be made"):
        sandbox_rules(file, permissions=AgentPermissions(write=("scratch",)))


def test_ports_follow_from_permissions_and_from_the_addresses_in_settings(file: Path) -> None:
    rules = sandbox_rules(
        file,
        permissions=AgentPermissions(network=("api.example.org:8443",)),
        endpoints=["https://one.example/v1", "http://[::1]:8080/v1", "http://two.example"],
    )

    assert rules.ports == [8443, 443, 8080, 80]
    assert "/etc/resolv.conf" in rules.read
    assert "/etc/resolv.conf" not in sandbox_rules(file).read


@pytest.mark.parametrize("processor", HEADERS)
def test_the_numbers_of_system_calls_are_those_of_the_kernels_headers(processor: str) -> None:
    if not HEADERS[processor].is_file():
        pytest.skip("the kernel's headers are not installed")
    text = HEADERS[processor].read_text(encoding="utf-8")
    known = {name: int(number) for name, number in re.findall(r"__NR(?:3264)?_(\w+)\s+(\d+)", text)}

    ours = {name: number for name, number in TABLES[processor].numbers.items() if number <= NEWER}

    assert ours.items() <= known.items()


def test_this_processor_has_a_table() -> None:
    if platform.machine() not in TABLES:
        pytest.skip("there is no filter for this processor")

    assert available_sandbox().seccomp == sys.platform.startswith("linux")


@needs_sandbox
def test_an_agent_leaves_signals_and_timers_to_the_users_other_programs() -> None:
    queues = (
        "import ctypes, os, signal\n"
        "from negoplatform.hosting.processes.process_limits import limit_process\n"
        "limit_process(memory_mb=256, cpu_seconds=9, file_mb=1)\n"
        "number = signal.SIGRTMIN + 1\n"
        "signal.pthread_sigmask(signal.SIG_BLOCK, {number})\n"
        "queue = ctypes.CDLL(None).sigqueue\n"
        "print(sum(queue(os.getpid(), number, ctypes.c_void_p(0)) == 0 for _ in range(2000)))\n"
    )

    found = subprocess.run([sys.executable, "-c", queues], check=True, capture_output=True, text=True)

    assert int(found.stdout) <= MAX_QUEUED_SIGNALS
