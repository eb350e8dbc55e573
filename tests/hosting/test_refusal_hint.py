"""A hint on a refusal is right, or is left out."""

from __future__ import annotations

import errno
import mmap
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from negoplatform.domain.errors import author_frame
from negoplatform.formats.agent_permissions import SandboxLevel
from negoplatform.hosting.sandbox.refusal_hint import refusal_hint

AGENT = Path("/agents/one/agent.py")

FULL = SandboxLevel(7, True)


class Failing(PermissionError):
    """Error whose attributes are code that fails."""

    @property
    def __traceback__(self) -> None:  # type: ignore[override]
        raise KeyError("traceback")

    @property
    def filename(self) -> None:
        raise SystemExit


class Strange(PermissionError):
    """Error whose attributes are of other types than they should be."""

    __traceback__ = "none"  # type: ignore[assignment]
    __cause__ = 3  # type: ignore[assignment]
    filename = 5


def raised(act: Callable[[], object]) -> BaseException:
    """Return what a function raises."""
    try:
        act()
    except BaseException as error:  # noqa: BLE001 - any
        return error
    pytest.fail("nothing was raised")


@pytest.mark.parametrize("made", [Failing, Strange])
def test_an_error_whose_attributes_fail_has_no_hint_and_no_place(made: type[PermissionError]) -> None:
    error = made(errno.EACCES, "Permission denied")

    assert (refusal_hint(error, AGENT, FULL), author_frame(error)) == ("", None)


def test_a_file_that_is_mapped_to_be_written_is_not_taken_for_a_connection(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x" * 100)
    with (tmp_path / "file").open("rb") as file:
        error = raised(lambda: mmap.mmap(file.fileno(), 0))

    assert isinstance(error, PermissionError)
    assert "connection" not in refusal_hint(error, AGENT, FULL)


def test_a_connection_that_the_system_refuses_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    class Refusing:
        def connect(self, place: object) -> None:
            raise PermissionError(errno.EACCES, "Permission denied", None)

    monkeypatch.setattr(socket, "socket", Refusing)
    error = raised(lambda: socket.socket().connect(("127.0.0.1", 9)))

    assert "refused the connection; to connect, and not to listen, declare" in refusal_hint(
        error, AGENT, FULL
    )


def test_an_error_that_the_agents_own_code_raises_is_not_put_down_to_the_sandbox() -> None:
    def act() -> None:
        raise PermissionError("this offer is not mine to make")

    assert not refusal_hint(raised(act), AGENT, FULL)
