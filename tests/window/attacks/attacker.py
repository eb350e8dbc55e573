"""Agent that attacks the program and the person's computer from its process, and prints what came of it.

Each attack returns what it gained, or raises OSError. None does lasting harm: what it could write, it opens
for writing; what it could stop, it signals with 0. ``targets.json`` next to this file has the paths that an
attacker would guess.
"""

from __future__ import annotations

import array
import contextlib
import ctypes
import errno
import fcntl
import glob
import json
import mmap
import os
import resource
import signal
import socket
import sqlite3
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from negoplatform.agent_api.actions import Action, Schedule
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event
from negoplatform.formats.agent_protocol import ChunkBuffer
from negoplatform.plugins.program_and_user_folders import bundled

PRIVATE = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS

LIBRARY = ctypes.CDLL(None, use_errno=True)


def _targets() -> dict[str, Any]:
    """Return the paths in ``targets.json``; without it, what the name of this process's output tells."""
    listed = Path(__file__).parent / "targets.json"
    if listed.exists():
        found: dict[str, Any] = json.loads(listed.read_text(encoding="utf-8"))
        return found
    data = os.readlink("/proc/self/fd/1").partition("/sessions/")[0]
    return {
        "data": data,
        "earlier": f"{data}/sessions/earlier/events.jsonl",
        "store": f"{data}/store.sqlite3",
        "other_agent": f"{data}/agents/other.py",
        "game": str(bundled("games") / "practice.json"),
        "home": data,
        "display": os.getpid() % 100,
        "port": 1,
    }


TARGETS = _targets()

Attack = Callable[[], object]
ATTACKS: dict[str, Attack] = {}


class Attacker(NegotiationAgent):
    """Agent that attacks when the game starts."""

    def on_game_start(self, ctx: AgentContext, event: Event) -> list[Action]:
        report(ATTACKS)
        # The thread that reads the transport runs before this file is loaded.
        take_over_reading()
        return [Schedule(100, lambda _ctx: report({"reads_by_another_thread": read_in_thread}))]


def report(attacks: Mapping[str, Attack]) -> list[Action]:
    """Print what came of attacks; act no further."""
    print("REPORT", json.dumps({name: outcome(tried) for name, tried in attacks.items()}), flush=True)
    return []


def outcome(tried: Attack) -> str:
    """Return what came of an attack: ``open``, ``closed`` or ``failed``, and why."""
    try:
        return f"open: {tried()!r:.80}"
    except OSError as error:
        return f"closed: {errno.errorcode.get(error.errno or 0, error)}"
    except Exception as error:  # noqa: BLE001 - reported
        return f"failed: {type(error).__name__} {error}"


in_thread: list[str | OSError] = []


def take_over_reading() -> None:
    """Have the thread that reads the transport read the log when it has read its next message."""
    ordinary = ChunkBuffer.feed

    def feed(self: ChunkBuffer, line: bytes) -> bytes | None:
        try:
            in_thread.append(log_file().read_text(encoding="utf-8")[:20])
        except OSError as error:
            in_thread.append(error)
        return ordinary(self, line)

    setattr(ChunkBuffer, "feed", feed)  # noqa: B010 - a type checker refuses the plain assignment


def read_in_thread() -> str:
    """Return what the other thread has read."""
    found = in_thread[0]
    if isinstance(found, OSError):
        raise found
    return found


def attack(function: Attack) -> Attack:
    """Register an attack under the name of its function."""
    ATTACKS[function.__name__] = function
    return function


def call(number: int, *arguments: object) -> int:
    """Make a system call by its number on x86-64.

    Raises:
        OSError: If it fails.
    """
    return checked(LIBRARY.syscall(ctypes.c_long(number), *arguments))


def checked(result: int) -> int:
    """Return the result of a call of the C library.

    Raises:
        OSError: If it is negative.
    """
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


def log_folder() -> Path:
    """Return the folder of the log: the system names the file that the agent's output goes to."""
    return Path(os.readlink("/proc/self/fd/1")).parent


def log_file() -> Path:
    """Return the log of this session."""
    known = [
        place for place in (log_folder() / "events.jsonl", *map(Path, logs_by_guess())) if place.exists()
    ]
    return known[0] if known else Path(TARGETS["data"]) / "sessions" / "events.jsonl"


def logs_by_guess() -> list[str]:
    """Return the logs in the sessions folder."""
    return glob.glob(f"{TARGETS['data']}/sessions/*/events.jsonl")


# Reading


@attack
def reads_the_log() -> str:
    return log_file().read_text(encoding="utf-8")[:20]


@attack
def lists_sessions() -> list[str]:
    return os.listdir(f"{TARGETS['data']}/sessions")


@attack
def reads_an_earlier_session() -> str:
    return Path(TARGETS["earlier"]).read_text(encoding="utf-8")[:20]


@attack
def reads_the_store() -> bytes:
    return Path(TARGETS["store"]).read_bytes()[:16]


@attack
def reads_a_shipped_game() -> str:
    return Path(TARGETS["game"]).read_text(encoding="utf-8")[:20]


@attack
def reads_another_agent() -> str:
    return Path(TARGETS["other_agent"]).read_text(encoding="utf-8")[:20]


@attack
def reads_the_home_folder() -> str:
    return (Path(TARGETS["home"]) / "secret.txt").read_text(encoding="utf-8")


@attack
def reads_by_a_link_in_its_own_folder() -> str:
    return (Path(__file__).parent / "link.txt").read_text(encoding="utf-8")


@attack
def reads_by_a_forked_process() -> str:
    read, write = os.pipe()
    if os.fork() == 0:
        try:
            os.write(write, log_file().read_bytes()[:20])
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        found = pipe.read()
    os.wait()
    if not found:
        raise PermissionError(errno.EACCES, "nothing read")
    return found.decode()


@attack
def reads_the_programs_environment() -> bytes:
    return Path(f"/proc/{os.getppid()}/environ").read_bytes()[:20]


@attack
def reads_the_programs_command_line() -> bytes:
    return Path(f"/proc/{os.getppid()}/cmdline").read_bytes()


@attack
def reads_the_programs_descriptors() -> list[str]:
    folder = f"/proc/{os.getppid()}/fd"
    return [os.readlink(f"{folder}/{name}") for name in os.listdir(folder)]


@attack
def reads_the_programs_memory_map() -> str:
    return Path(f"/proc/{os.getppid()}/maps").read_text(encoding="utf-8")[:20]


@attack
def reads_the_programs_memory() -> bytes:
    with open(f"/proc/{os.getppid()}/mem", "rb", buffering=0) as memory:
        memory.seek(address_in_the_program())
        return memory.read(16)


@attack
def reads_the_programs_memory_by_a_call() -> bytes:
    into = ctypes.create_string_buffer(16)
    ours = struct.pack("QQ", ctypes.addressof(into), 16)
    address = 4096
    with contextlib.suppress(OSError):  # the map may be closed although the memory is not
        address = address_in_the_program()
    theirs = struct.pack("QQ", address, 16)
    call(310, os.getppid(), ours, 1, theirs, 1, 0)
    return into.raw


@attack
def takes_a_descriptor_of_the_program() -> int:
    program = call(434, os.getppid(), 0)
    return call(438, program, 0, 0)


@attack
def takes_a_message_between_other_programs() -> bytes:
    into = ctypes.create_string_buffer(24)
    call(70, TARGETS["queue"], into, 16, ctypes.c_long(0), 0o4000)
    return into.raw


@attack
def reads_what_is_noted_on_a_file() -> bytes:
    return os.getxattr(Path(TARGETS["home"]) / "secret.txt", "user.note")


@attack
def watches_the_log() -> int:
    watching = checked(LIBRARY.inotify_init1(0))
    return checked(LIBRARY.inotify_add_watch(watching, bytes(log_folder()), 0xFFF))


@attack
def opens_the_log_by_its_handle() -> int:
    handle = ctypes.create_string_buffer(struct.pack("Ii", 128, 0) + bytes(128))
    mount = ctypes.c_int()
    call(303, -100, bytes(log_file()), handle, ctypes.byref(mount), 0)
    where = os.open(Path(__file__).parent, os.O_RDONLY)
    return call(304, where, handle, os.O_RDONLY)


@attack
def reads_by_a_ring_of_requests() -> int:
    return call(425, 4, ctypes.create_string_buffer(120))


@attack
def reads_the_screen() -> bytes:
    return on_screen()[:8]


@attack
def uses_the_abstract_socket_of_the_screen() -> bytes:
    return on_screen("\0")[:8]


@attack
def connects_to_a_port() -> str:
    with socket.create_connection(("127.0.0.1", TARGETS["port"]), timeout=5):
        return "connected"


@attack
def sends_a_datagram() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        return sender.sendto(b"secret", ("127.0.0.1", TARGETS["port"]))


@attack
def listens_on_a_port() -> str:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return str(server.getsockname())


@attack
def is_told_of_changes_in_a_folder() -> int:
    folder = os.open(Path(__file__).parent, os.O_RDONLY)
    try:
        return fcntl.fcntl(folder, fcntl.F_NOTIFY, fcntl.DN_CREATE)
    finally:
        os.close(folder)  # otherwise its own attacks would have the system signal it


@attack
def writes_to_a_socket_of_the_system() -> int:
    """Send from one of a pair, which needs no other socket, to where a system's journal would listen."""
    sender, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    return sender.sendto(b"falsified", TARGETS["journal"])


@attack
def asks_the_kernels_key_ring() -> int:
    return call(250, 0, -3, 1)


# Falsifying


@attack
def writes_to_the_log() -> str:
    with log_file().open("ab"):
        return "opened"


@attack
def truncates_a_log() -> str:
    os.truncate(TARGETS["earlier"], os.stat(TARGETS["earlier"]).st_size)
    return "truncated"


@attack
def moves_a_log_away() -> str:
    moved = f"{TARGETS['earlier']}.moved"
    os.rename(TARGETS["earlier"], moved)
    os.rename(moved, TARGETS["earlier"])
    return "moved"


@attack
def deletes_a_file_of_the_user() -> str:
    spare = Path(TARGETS["home"]) / "spare.txt"
    spare.unlink()
    return "deleted"


@attack
def links_a_log_into_its_own_folder() -> str:
    linked = Path(__file__).parent / "linked"
    os.link(TARGETS["earlier"], linked)
    linked.unlink()
    return "linked"


@attack
def changes_a_semaphore_of_another_program() -> int:
    return call(66, TARGETS["semaphore"], 0, 16, 1)


@attack
def takes_a_name_for_a_socket_that_is_no_file() -> str:
    one, other = socket.socketpair()
    with one, other:
        one.bind("\0negoplatform-attack")
        return str(one.getsockname())


@attack
def closes_the_log_folder_to_the_program() -> str:
    mode = os.stat(TARGETS["data"]).st_mode
    os.chmod(TARGETS["data"], mode)
    return "changed"


@attack
def changes_the_time_of_a_log() -> str:
    os.utime(TARGETS["earlier"])
    return "changed"


@attack
def changes_the_flags_of_a_file() -> bytes:
    """Have the system no longer note when the file is read; it is open for reading only."""
    file, flags = os.open(__file__, os.O_RDONLY), bytearray(8)
    fcntl.ioctl(file, 0x80086601, flags)
    return fcntl.ioctl(file, 0x40086602, struct.pack("q", struct.unpack("q", flags)[0] | 0x80))


@attack
def trusts_another_file() -> str:
    try:
        with contextlib.closing(sqlite3.connect(TARGETS["store"], timeout=1)) as store:
            store.execute("create table if not exists attack (name text)")
            store.execute("drop table attack")
    except sqlite3.OperationalError as error:
        raise PermissionError(errno.EACCES, str(error)) from None
    return "written"


@attack
def adds_an_agent() -> str:
    added = Path(TARGETS["data"]) / "agents" / "added.py"
    added.write_text("", encoding="utf-8")
    added.unlink()
    return "added"


@attack
def changes_its_own_file() -> str:
    with Path(__file__).open("ab"):
        return "opened"


@attack
def writes_the_programs_memory() -> str:
    with open(f"/proc/{os.getppid()}/mem", "wb", buffering=0):
        return "opened"


@attack
def writes_the_programs_memory_by_a_call() -> int:
    nothing = struct.pack("QQ", 0, 0)
    return call(311, os.getppid(), nothing, 1, nothing, 1, 0)


@attack
def traces_the_program() -> int:
    program = os.getppid()
    if os.fork() == 0:  # which lets go of the program when it ends
        os._exit(0 if LIBRARY.syscall(101, 0x4206, program, 0, 0) == 0 else 1)
    return exit_code()


@attack
def starts_a_program_that_types() -> str:
    return subprocess.run(["/bin/sh", "-c", "echo typed"], capture_output=True, text=True, check=True).stdout


@attack
def runs_a_file_from_memory() -> str:
    made = os.memfd_create("tool")
    os.write(made, Path(sys.executable).read_bytes()[:64])
    return "made"


# Stopping


@attack
def signals_the_program() -> str:
    os.kill(os.getppid(), 0)
    return "allowed"


@attack
def signals_the_program_by_descriptor() -> str:
    signal.pidfd_send_signal(call(434, os.getppid(), 0), 0)
    return "allowed"


@attack
def signals_the_program_with_a_value() -> int:
    return call(129, os.getppid(), 0, struct.pack("iii116x", 0, 0, -1))


@attack
def has_the_kernel_signal_the_program() -> int:
    read, _ = os.pipe()
    return fcntl.fcntl(read, fcntl.F_SETOWN, os.getppid())


@attack
def limits_the_program() -> object:
    return resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE)


@attack
def slows_the_program() -> str:
    its = os.getpriority(os.PRIO_PROCESS, os.getppid())
    os.setpriority(os.PRIO_PROCESS, os.getppid(), its)
    return "allowed"


@attack
def slows_everything_of_the_user() -> str:
    os.setpriority(os.PRIO_USER, os.getuid(), 19)
    return "allowed"


@attack
def binds_the_program_to_a_processor() -> str:
    os.sched_setaffinity(os.getppid(), os.sched_getaffinity(os.getppid()))
    return "allowed"


@attack
def changes_how_the_program_is_scheduled() -> str:
    os.sched_setscheduler(os.getppid(), os.SCHED_OTHER, os.sched_param(0))
    return "allowed"


@attack
def gets_a_share_of_time_for_a_session_of_its_own() -> int:
    """Begin a session: Linux shares out processor time between sessions, whatever their niceness."""
    if os.fork() == 0:
        os._exit(0 if LIBRARY.setsid() > 0 else 1)
    return exit_code()


@attack
def has_the_program_wait_for_a_file() -> int:
    """Take a lease: a program that opens the file then waits until it is given up, up to 45 seconds."""
    taken = fcntl.fcntl(1, fcntl.F_SETLEASE, fcntl.F_WRLCK)
    fcntl.fcntl(1, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    return taken


@attack
def changes_the_programs_disk_priority() -> int:
    return call(251, 1, os.getppid(), 2 << 13 | 4)


# Escaping


@attack
def makes_a_user_namespace() -> int:
    if os.fork() == 0:
        os._exit(0 if LIBRARY.unshare(0x10000000) == 0 else 1)
    return exit_code()


@attack
def can_gain_privileges() -> str:
    if LIBRARY.prctl(39, 0, 0, 0, 0) == 1:
        raise PermissionError(errno.EPERM, "no new privileges")
    return "possible"


@attack
def uses_calls_of_another_table() -> int:
    """Ask for the process's number by the 32-bit calls, past a filter of the 64-bit ones."""
    code = bytes.fromhex("b814000000cd80c3")  # mov eax, 20; int 0x80; ret
    page = mmap.mmap(-1, mmap.PAGESIZE, PRIVATE, mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(code)
    place = ctypes.addressof(ctypes.c_char.from_buffer(page))
    found = int(ctypes.CFUNCTYPE(ctypes.c_int)(place)())
    if found < 0:
        raise OSError(-found, os.strerror(-found))
    return found


@attack
def asks_for_kernel_functions() -> dict[str, int]:
    found = {}
    for name, number, arguments in (("bpf", 321, (0, 0, 0)), ("userfaultfd", 323, (1,))):
        result = LIBRARY.syscall(ctypes.c_long(number), *arguments)
        code = ctypes.get_errno()
        if result >= 0 or code not in (errno.EPERM, errno.ENOSYS):
            found[name] = result
    if not found:
        raise PermissionError(errno.EPERM, "refused")
    return found


# Exhausting


@attack
def fills_the_temporary_folder() -> str:
    return made_in("/tmp")


@attack
def fills_shared_memory() -> str:
    return made_in("/dev/shm")


@attack
def fills_the_disk_past_the_end_of_its_output() -> int:
    """Reserve more than a file may be long, without making the file longer."""
    call(285, 1, 1, ctypes.c_long(0), ctypes.c_long(32 << 20))
    used = os.fstat(1).st_blocks * 512
    os.ftruncate(1, os.fstat(1).st_size)
    return used


@attack
def uses_up_asynchronous_requests() -> int:
    return call(206, 1000, ctypes.byref(ctypes.c_ulong()))


@attack
def keeps_memory_in_a_pipe() -> int:
    """Give a page to a pipe: of a large one, the whole stays in use when the process has given it up."""
    page, (read, write) = mmap.mmap(-1, mmap.PAGESIZE, PRIVATE), os.pipe()
    whole = struct.pack("QQ", ctypes.addressof(ctypes.c_char.from_buffer(page)), mmap.PAGESIZE)
    try:
        return call(278, write, whole, 1, 0)
    finally:
        os.close(read)
        os.close(write)


@attack
def keeps_memory_that_it_seems_to_give_up() -> int:
    """Share memory with no other process and give up all but a page: the rest stays in use, uncounted."""
    with mmap.mmap(-1, 16 * mmap.PAGESIZE) as shared:
        shared[:] = b"x" * len(shared)
        shared.resize(mmap.PAGESIZE)
        return len(shared)


@attack
def keeps_memory_in_rules_for_files() -> int:
    rules = call(444, struct.pack("QQ", 0, 2), ctypes.c_size_t(16), 0)
    try:
        return call(445, rules, 2, struct.pack("=QQ", 2, 1), 0)
    finally:
        os.close(rules)


@attack
def hands_a_child_to_the_program() -> int:
    """Make a process that is the program's child, so that its memory would not count with the agent's."""
    made = call(56, ctypes.c_ulong(0x8000 | signal.SIGCHLD), 0, 0, 0, 0)
    if made == 0:
        os._exit(0)
    return made


@attack
def gives_up_what_it_leaves_behind() -> int:
    """Leave processes to the program, and to the system if that is killed."""
    given_up = checked(LIBRARY.prctl(36, 0, 0, 0, 0))
    LIBRARY.prctl(36, 1, 0, 0, 0)
    return given_up


@attack
def keeps_memory_beyond_its_end() -> int:
    made = checked(LIBRARY.shmget(0, 4096, 0o1600))
    LIBRARY.shmctl(made, 0, None)
    return int(made)


@attack
def leaves_a_daemon() -> int:
    """Leave a process outside the group; the test looks whether it has ended with the session."""
    read, write = os.pipe()
    if os.fork() == 0:
        os.setpgid(0, 0)
        if os.fork() == 0:
            os.write(write, array.array("i", [os.getpid()]).tobytes())
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            time.sleep(600)
        os._exit(0)
    (pid,) = array.array("i", os.read(read, 4))
    os.wait()
    return int(pid)


def made_in(folder: str) -> str:
    """Make a file in a folder and delete it."""
    file = Path(folder) / "negoplatform-attack"
    file.touch()
    file.unlink()
    return "opened"


def exit_code() -> int:
    """Wait for the process that was forked last.

    Raises:
        OSError: If it reports that it was refused something.
    """
    _, status = os.wait()
    if status:
        raise PermissionError(errno.EPERM, "refused")
    return status


def address_in_the_program() -> int:
    """Return an address that the program has mapped."""
    with open(f"/proc/{os.getppid()}/maps", encoding="utf-8") as maps:
        return int(maps.readline().partition("-")[0], 16)


def on_screen(prefix: str = "") -> bytes:
    """Return the first answer of an X server; it would then send pictures and take key presses."""
    name = f"{prefix}/tmp/.X11-unix/X{TARGETS['display']}"
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(name)
        client.sendall(struct.pack("=BBHHHHH", 0x6C, 0, 11, 0, 0, 0, 0))
        return client.recv(64)
