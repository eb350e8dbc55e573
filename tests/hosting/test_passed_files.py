"""Output files that the program opens and passes to an agent's process."""

from __future__ import annotations

import os
import socket
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from negoplatform.core.rounds import Round
from negoplatform.domain.game import GameSpec
from negoplatform.formats.agent_protocol import encode_json_line
from negoplatform.hosting import agent_process_requests
from negoplatform.hosting import transport as transport_module
from negoplatform.hosting.agent_output_redirection import open_output
from negoplatform.hosting.agent_process_proxy import AgentProcess
from negoplatform.hosting.agent_runner import AgentGame
from negoplatform.hosting.transport import SocketTransport, receive_with_files
from tests.hosting.conftest import Make
from tests.hosting.processes import PATIENT, hostile, request_about, started

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a pipe there passes no open file")


def in_a_moment() -> float:
    return time.monotonic() + 20


def test_a_file_comes_with_the_first_byte_of_the_bytes_it_was_sent_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport_module, "READ_BYTES", 5)
    ours, theirs = socket.socketpair()
    transport = SocketTransport(ours)
    with (tmp_path / "one.txt").open("w") as one, theirs, ours:
        transport.write(b"before\n", in_a_moment())
        transport.write(b"with\n", in_a_moment(), one.fileno())
        transport.write(b"after\n", in_a_moment())

        read, came = b"", []
        while not read.endswith(b"after\n"):
            data, files = receive_with_files(theirs)
            read += data
            came += [(len(read), file) for file in files]

    assert read == b"before\nwith\nafter\n"
    ((length, file),) = came
    assert len(b"before\n") < length <= len(b"before\nwith\n")
    os.write(file, b"printed")
    os.close(file)
    assert (tmp_path / "one.txt").read_text() == "printed"


def test_a_file_is_passed_once_however_many_writes_its_bytes_take(tmp_path: Path) -> None:
    ours, theirs = socket.socketpair()
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    transport = SocketTransport(ours)
    data, read = b"x" * 50_000, 0
    came: list[int] = []
    with (tmp_path / "one.txt").open("w") as one, theirs, ours:
        with pytest.raises(TimeoutError):
            transport.write(data, time.monotonic() + 0.05, one.fileno())

        theirs.setblocking(False)
        while True:
            try:
                chunk, files = receive_with_files(theirs)
            except BlockingIOError:
                break
            read += len(chunk)
            came += files

    assert read > 4096
    assert len(came) == 1
    os.close(came[0])


@pytest.mark.parametrize("pipes", [False, True])
def test_the_request_names_the_output_file_only_where_it_cannot_be_passed_open(
    practice: GameSpec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pipes: bool
) -> None:
    lines: list[bytes] = []

    def encode(document: Mapping[str, Any]) -> bytes:
        lines.append(encode_json_line(document))
        return lines[-1]

    monkeypatch.setattr(agent_process_requests, "encode_json_line", encode)
    output = tmp_path / "agent.txt"
    process = AgentProcess.spawn(pipes=pipes)

    process.start(hostile("prints", practice, budget=PATIENT, output=output))
    process.respond(request_about(started(practice)))
    process.stop()

    (line,) = [line for line in lines if line.startswith(b'{"kind":"start"')]
    assert (str(output).encode() in line) == pipes
    assert "written to the descriptor" in output.read_text()


def test_the_output_of_the_next_game_goes_to_the_file_of_that_game_or_nowhere(
    practice: GameSpec, tmp_path: Path, make: Make
) -> None:
    first, second = tmp_path / "first.txt", tmp_path / "second.txt"
    process = make(hostile("prints", practice, budget=PATIENT, output=first, round=Round(1, 3)))
    following = AgentGame(
        seat="agent", game=practice, rng_state=Random(1).getstate(), round=Round(2, 3), output=second
    )
    request = request_about(started(practice))

    process.respond(request)
    of_the_first = first.read_text()
    process.begin_next(following)
    process.respond(request)
    of_the_second = second.read_text()
    process.begin_next(replace(following, round=Round(3, 3), output=None))
    process.respond(request)

    assert "written to the descriptor" in of_the_first
    assert "written to the descriptor" in of_the_second
    assert first.read_text() == of_the_first
    assert second.read_text() == of_the_second


@pytest.mark.skipif(sys.platform != "linux", reason="the system lists nobody's descriptors")
def test_a_process_and_the_program_keep_no_descriptor_of_an_earlier_file(
    practice: GameSpec, tmp_path: Path, make: Make
) -> None:
    process = make(hostile("prints", practice, budget=PATIENT, output=tmp_path / "1.txt", round=Round(1, 9)))
    ours, theirs = Path("/proc/self/fd"), Path(f"/proc/{process.pid}/fd")
    before = len(list(theirs.iterdir()))

    for number in range(2, 9):
        output = tmp_path / f"{number}.txt"
        process.begin_next(
            AgentGame(
                seat="agent",
                game=practice,
                rng_state=Random(1).getstate(),
                round=Round(number, 9),
                output=output,
            )
        )

    assert len(list(theirs.iterdir())) == before
    open_here = {str(link.readlink()) for link in ours.iterdir() if link.is_symlink()}
    assert not open_here & {str(path) for path in tmp_path.iterdir()}


def test_a_link_a_pipe_and_a_folder_are_no_files_for_output(tmp_path: Path) -> None:
    (tmp_path / "kept.txt").write_text("kept")
    (tmp_path / "link").symlink_to(tmp_path / "kept.txt")
    os.mkfifo(tmp_path / "pipe")

    opened = [open_output(str(tmp_path / name)) for name in ("link", "pipe", ".", "no folder/file")]

    assert opened == [None] * 4
    assert open_output(None) is None
