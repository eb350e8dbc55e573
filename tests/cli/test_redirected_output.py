"""Output that goes to a file or to another program: UTF-8 on every system."""

from __future__ import annotations

import io
import os
import subprocess
import sys

import pytest

from negoplatform.app.support.console_fallback import write_utf8


class Terminal(io.BytesIO):
    def isatty(self) -> bool:
        return True


def legacy(buffer: io.BytesIO) -> io.TextIOWrapper:
    """Return a stream as Windows has it for a file."""
    return io.TextIOWrapper(buffer, encoding="cp1252")


def test_a_list_in_a_pipe_is_utf_8() -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    command = [sys.executable, "-m", "negoplatform", "list", "games"]

    listed = subprocess.run(
        command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=60
    )

    assert (listed.returncode, listed.stderr) == (0, b"")
    assert "€1,100" in listed.stdout.decode("utf-8")


def test_a_letter_that_the_code_page_lacks_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    file = io.BytesIO()
    stream = legacy(file)

    write_utf8(stream, None)
    stream.write("3 → 4, \udc80")
    stream.flush()

    assert file.getvalue() == "3 → 4, \\udc80".encode()


def test_a_terminal_and_an_encoding_that_the_user_has_set_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    terminal, file = legacy(Terminal()), legacy(io.BytesIO())

    write_utf8(terminal)
    monkeypatch.setenv("PYTHONIOENCODING", "cp1252")
    write_utf8(file)

    assert (terminal.encoding, file.encoding) == ("cp1252", "cp1252")
