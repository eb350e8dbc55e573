"""The packaged program, which ``make test-app`` builds, unpacks and names."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.packaged.installed import Installed
from tests.window.conftest import Program
from tests.x_server import Screen

PLACE = "NEGOPLATFORM_APP"
"""The environment variable that says where the program is."""


@pytest.fixture(scope="session")
def executable() -> Path:
    """The program that was built."""
    named = os.environ.get(PLACE)
    if named is None:
        pytest.skip(f"the packaged program is tried by make test-app, which sets {PLACE}")
    path = Path(named).resolve()
    assert path.is_file(), f"{PLACE} names {path}, and there is no such file"
    return path


@pytest.fixture(scope="session")
def app_screen(executable: Path) -> Iterator[Screen]:
    """A screen of 1280 x 800 at 96 dpi, on which every user of this machine may show windows."""
    with Screen(for_everybody=True) as screen:
        yield screen


@pytest.fixture
def app(executable: Path, app_screen: Screen, tmp_path: Path) -> Installed:
    """The program, and somebody who has never started it."""
    home = tmp_path / "home"
    home.mkdir()
    return Installed(executable, home, app_screen)


@pytest.fixture
def begin(app: Installed) -> Iterator[Callable[..., Program]]:
    """Starts the program, which may fail; it is ended after the test."""
    running: list[Program] = []

    def start(*arguments: str, of: Installed = app, **more: Any) -> Program:
        running.append(of.start(*arguments, **more))
        return running[-1]

    yield start
    for program in running:
        program.stop()


@pytest.fixture
def start(begin: Callable[..., Program]) -> Iterator[Callable[..., Program]]:
    """Opens the window; it is closed after the test, and must have nothing to complain about."""
    running: list[Program] = []

    def open_window(*arguments: str, **more: Any) -> Program:
        running.append(begin(*arguments, **more))
        return running[-1]

    yield open_window
    for program in running:
        assert program.stop() == ""
        assert crashes(program) == []


def crashes(program: Program) -> list[str]:
    """What the program kept of errors that the test did not provoke."""
    kept = [file.read_text(encoding="utf-8") for file in program.data_dir.glob("crashes/*")]
    return [text for text in kept if not program.provoked(text)]
