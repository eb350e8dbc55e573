"""Programs that are forked from a process in which their modules are imported, and so start sooner.

Such a program is what ``python -m negoplatform`` runs, with its own arguments, environment and output. Tests
of the start itself, of installed and of packaged programs start a new Python.
"""

from __future__ import annotations

import gc
import json
import os
import pkgutil
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from typing import IO, Any

from negoplatform.hosting import child_process
from negoplatform.hosting.child_process import agent_environment
from tests.forked_agents import ForkedAgents, python_of_agents

ROOT = Path(__file__).parents[2]

PACKAGES = ("gui", "presentation", "app.session", "app.visit", "hosting")
"""Packages of the window, of which every module is imported in advance."""

LARGEST_REQUEST = 128 * 1024

LONGEST = 30.0
"""Seconds that the process of the imports may take to answer; a limit, not a measure."""


class ForkedPrograms:
    """Process that imports the program's modules and forks a program for each start.

    ``fork_agents`` is whether the programs fork their agents' processes too.
    """

    def __init__(self) -> None:
        self.fork_agents = True
        self._channel, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with there:
            self._process = subprocess.Popen(
                # Its programs fork agents' processes, so it begins as these do.
                [*python_of_agents(), "tests.window.forked_programs", str(there.fileno())],
                pass_fds=[there.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                cwd=ROOT,
                # The locale of the screens on which the programs run: Python reads it when it starts.
                env={**os.environ, **agent_environment(), "LC_ALL": "C.UTF-8"},
            )
        self._channel.settimeout(LONGEST)

    def start(self, arguments: Sequence[str], env: Mapping[str, str]) -> ForkedProgram:
        """Start a program in the present folder.

        Args:
            arguments: Its command line, without Python's part.
            env: Its environment.
        """
        return ForkedProgram(self, arguments, env)

    def ask(self, request: Mapping[str, Any], descriptors: Sequence[int] = ()) -> int | None:
        """Return the answer to a request, a number or nothing."""
        socket.send_fds(self._channel, [json.dumps(request).encode()], descriptors)
        answer: int | None = json.loads(self._channel.recv(LARGEST_REQUEST))
        return answer

    def close(self) -> None:
        """End the process; programs that still run are not its own to end."""
        self._channel.close()
        self._process.wait(LONGEST)


class ForkedProgram:
    """Program with those methods of ``subprocess.Popen`` that tests use.

    Args:
        programs: The process that forks it.
        arguments: Its command line, without Python's part.
        env: Its environment.
    """

    def __init__(self, programs: ForkedPrograms, arguments: Sequence[str], env: Mapping[str, str]) -> None:
        self._programs = programs
        self.returncode: int | None = None
        out, err = os.pipe(), os.pipe()
        request = {
            "arguments": list(arguments),
            "env": dict(env),
            "folder": str(Path.cwd()),
            "fork_agents": programs.fork_agents,
        }
        self.pid = programs.ask(request, [out[1], err[1]]) or 0
        for _, write in (out, err):
            os.close(write)
        self.stdout: IO[bytes] = os.fdopen(out[0], "rb", buffering=0)
        self.stderr: IO[bytes] = os.fdopen(err[0], "rb", buffering=0)

    def poll(self) -> int | None:
        """Return the exit code of an ended program; a negative one is a signal."""
        if self.returncode is None:
            self.returncode = self._programs.ask({"ended": self.pid})
        return self.returncode

    def wait(self, timeout: float) -> int:
        """Wait for the end and return the exit code.

        Raises:
            subprocess.TimeoutExpired: If it has not come within so many seconds.
        """
        end = time.monotonic() + timeout
        while (code := self.poll()) is None:
            if time.monotonic() > end:
                raise subprocess.TimeoutExpired("negoplatform", timeout)
            time.sleep(0.01)
        return code

    def communicate(self, *, timeout: float) -> tuple[bytes, bytes]:
        """Return the rest of the output and of the errors, up to the end of the program.

        Raises:
            subprocess.TimeoutExpired: If it has not come within so many seconds.
        """
        end = time.monotonic() + timeout
        read = {self.stdout: b"", self.stderr: b""}
        with DefaultSelector() as selector:
            for stream in read:
                if not stream.closed:
                    selector.register(stream, EVENT_READ, stream)
            while selector.get_map():
                for key, _ in selector.select(max(0.0, end - time.monotonic())):
                    data = os.read(key.fd, 65536)
                    read[key.data] += data
                    if not data:
                        selector.unregister(key.fd)
                        key.data.close()
                if time.monotonic() > end:
                    raise subprocess.TimeoutExpired("negoplatform", timeout)
        self.wait(timeout)
        return read[self.stdout], read[self.stderr]

    def send_signal(self, number: int) -> None:
        """Send a signal to a program that has not ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it as a power cut does."""
        self.send_signal(signal.SIGKILL)


def _serve(channel: socket.socket) -> dict[str, Any] | None:
    """Answer requests; return the request for a program in its own process, and None at the end."""
    while True:
        data, descriptors, _, _ = socket.recv_fds(channel, LARGEST_REQUEST, 2)
        if not data:
            return None
        request: dict[str, Any] = json.loads(data)
        if "ended" in request:
            pid, status = os.waitpid(request["ended"], os.WNOHANG)
            answer = os.waitstatus_to_exitcode(status) if pid else None
        else:
            answer = os.fork()
            if not answer:
                channel.close()
                for descriptor, number in zip(descriptors, (1, 2), strict=True):
                    os.dup2(descriptor, number)
                    os.close(descriptor)
                return request
            for descriptor in descriptors:
                os.close(descriptor)
        channel.send(json.dumps(answer).encode())


def _become(request: Mapping[str, Any]) -> None:
    """Run the program in this process."""
    os.environ.clear()
    os.environ.update(request["env"])
    os.chdir(request["folder"])
    tempfile.tempdir = None
    if request["fork_agents"]:
        setattr(child_process, "start_process", ForkedAgents.of_this_process().start)  # noqa: B010 - it is imported there
    sys.argv = ["negoplatform", *request["arguments"]]
    runpy.run_module("negoplatform", run_name="__main__", alter_sys=True)


def _import_the_window() -> None:
    """Import all modules of the window, and build the models that it needs."""
    import negoplatform
    from negoplatform.app.catalogue.catalogue import list_games

    for name in PACKAGES:
        package = import_module(f"{negoplatform.__name__}.{name}")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            import_module(module.name)
    list_games(Path("no such folder"))


if __name__ == "__main__":
    _import_the_window()
    gc.freeze()
    asked = _serve(socket.socket(fileno=int(sys.argv[1])))
    if asked is not None:
        _become(asked)
