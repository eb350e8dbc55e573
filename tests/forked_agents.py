"""Agents' processes that are forked from a process in which their modules are imported, and so start sooner.

Such a process runs what ``negoplatform agent-process`` runs, as a child of the tests' own process and the
leader of a new session. Tests of the process itself start a new Python: their modules have the mark
``new_python``.
"""

from __future__ import annotations

import gc
import json
import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from threading import Lock
from typing import Any

from negoplatform.hosting.agent_main import serve
from negoplatform.hosting.child_process import AGENT_PROCESS, agent_command, agent_environment
from negoplatform.hosting.processes.process_limits import lower_priority
from negoplatform.hosting.transport import ProcessTransport, SocketTransport, start_process

ROOT = Path(__file__).parents[1]

LARGEST_REQUEST = 128 * 1024

LONGEST = 60.0
"""Seconds that the process of the imports may take to answer; a limit, not a measure."""

READ_LATE = frozenset({"PATH", "TMPDIR", "TEMP", "TMP"})
"""Variables of the environment that Python does not read when it starts."""


class ForkedProcess(subprocess.Popen[bytes]):
    """Child process of this one that another process has forked.

    Args:
        pid: Its number.
    """

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.args = agent_command()
        self.returncode: int | None = None
        self.stdin = self.stdout = self.stderr = None
        self._child_created = True
        self._waitpid_lock = Lock()


class ForkedAgents:
    """Process that forks an agent's process for each start, and in which an agent's modules are imported.

    Args:
        channel: The channel of that process; None: one is started as agents' processes are, at the first use.
    """

    def __init__(self, channel: socket.socket | None = None) -> None:
        self._channel = channel
        self._process: subprocess.Popen[bytes] | None = None
        self._command, self._environment = agent_command(), agent_environment()
        self._lock = Lock()

    @classmethod
    def of_this_process(cls) -> ForkedAgents:
        """Fork that process from this one, which must have no other thread yet."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        if not os.fork():
            ours.close()
            nowhere = os.open(os.devnull, os.O_RDWR)
            for number in (0, 1, 2):
                os.dup2(nowhere, number)
            os.close(nowhere)
            serve_from_forks(theirs)
            os._exit(0)
        theirs.close()
        return cls(ours)

    def start(
        self, command: list[str], environment: dict[str, str], *, pipes: bool
    ) -> tuple[subprocess.Popen[bytes], ProcessTransport]:
        """Start an agent's process as ``start_process`` does, which starts those that are not as usual."""
        if pipes or command != self._command or _fixed(environment) != _fixed(self._environment):
            return start_process(command, environment, pipes=pipes)
        request = {"environment": environment, "folder": str(Path.cwd())}
        ours, theirs = socket.socketpair()
        with theirs, self._lock:
            channel = self._channel = self._channel or self._begin()
            socket.send_fds(channel, [json.dumps(request).encode()], [theirs.fileno()])
            pid = int(channel.recv(LARGEST_REQUEST))
        return ForkedProcess(pid), SocketTransport(ours)

    def close(self) -> None:
        """End the process; agents' processes that still run are not its own to end."""
        if self._channel is not None:
            self._channel.close()
        if self._process is not None:
            self._process.wait(LONGEST)

    def _begin(self) -> socket.socket:
        """Start the process; return its channel."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.settimeout(LONGEST)
        with theirs:
            self._process = subprocess.Popen(
                [*python_of_agents(), "tests.forked_agents", str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd=ROOT,
                env=self._environment,
            )
        return ours


def python_of_agents() -> list[str]:
    """Return the command of an agent's process up to the name of its module."""
    command = agent_command()
    return command[: command.index("-m") + 1]


def serve_from_forks(channel: socket.socket) -> None:
    """Fork for requests until there are no more; return only then."""
    asked = _fork_for_requests(channel)
    if asked is not None:
        _become(*asked)


def _fixed(environment: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if name not in READ_LATE}


def _fork_for_requests(channel: socket.socket) -> tuple[dict[str, Any], int] | None:
    """Fork for requests; return one in the agent's process, with its descriptor, and None at the end."""
    while True:
        data, descriptors, _, _ = socket.recv_fds(channel, LARGEST_REQUEST, 1)
        if not data:
            return None
        read, write = os.pipe()
        between = os.fork()
        if not between:
            if os.fork():
                os._exit(0)  # the process of the tests, a subreaper, is now the parent of the other one
            os.setsid()
            os.write(write, str(os.getpid()).encode())
            for number in (read, write):
                os.close(number)
            channel.close()
            return json.loads(data), descriptors[0]
        os.waitpid(between, 0)
        channel.send(os.read(read, 32))
        for number in (read, write, *descriptors):
            os.close(number)


def _become(request: dict[str, Any], descriptor: int) -> None:
    """Serve an agent in this process, with the descriptor as its standard streams."""
    for number in (0, 1):
        os.dup2(descriptor, number)
    os.close(descriptor)
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])
    sys.argv = ["negoplatform", AGENT_PROCESS]
    tempfile.tempdir = None
    # Imported here: a program that is forked from the same process runs this module as its own.
    from negoplatform.__main__ import YOUNG_OBJECTS

    gc.set_threshold(YOUNG_OBJECTS, 10, 10)
    lower_priority()
    serve()


if __name__ == "__main__":
    gc.freeze()
    serve_from_forks(socket.socket(fileno=int(sys.argv[1])))
