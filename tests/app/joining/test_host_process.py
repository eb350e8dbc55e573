"""Hosts in processes of their own, as a window starts them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from negoplatform.app.joining.host_process import HostProcess
from negoplatform.domain.errors import NegoError


def test_a_host_says_where_windows_join_and_ends_when_it_is_asked_to(tmp_path: Path) -> None:
    said: list[Mapping[str, Any]] = []
    options = ("--game", "practice", "--agent", "fair", "--people", "P01", "--wizard", "agent:manual")
    host = HostProcess(["--data-dir", str(tmp_path), *options], said.append)

    session = host.await_session()
    is_running = host.is_running
    host.stop()

    assert is_running
    assert not host.is_running
    assert session.first == "human"
    assert list(session.codes) == ["human", "wizard", "experimenter", "system", "public"]
    assert (
        session.join_command("public")
        == f"negoplatform join {session.place} --code {session.codes['public']}"
    )
    assert [line["ev"] for line in said] == ["hosting", "discarded"]
    assert not list(tmp_path.glob("sessions/*"))


def test_options_that_a_host_refuses_are_an_error_of_the_window(tmp_path: Path) -> None:
    host = HostProcess(
        ["--data-dir", str(tmp_path), "--game", "practice", "--agent", "fair", "--people", "x y"]
    )

    with pytest.raises(NegoError, match="A participant code has 1 to 40 letters"):
        host.await_session()
    assert not host.is_running


def test_a_host_that_ends_before_windows_can_join_is_an_error_of_the_window(tmp_path: Path) -> None:
    said: list[Mapping[str, Any]] = []
    host = HostProcess(["--data-dir", str(tmp_path), "--no-such-option"], said.append)

    with pytest.raises(NegoError, match="ended with exit code 2 before windows could join it"):
        host.await_session()
    host.await_end()
    assert any("No such option" in line["text"] for line in said)
