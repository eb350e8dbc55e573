"""The packaged program, which ``make test-app`` builds, unpacks and passes to the tests."""

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
"""Environment variable with the program's path."""


@pytest.fixture(scope="session")
def executable() -> Path:
    """Path of the program that was built."""
    named = os.environ.get(PLACE)
    if named is None:
        pytest.skip(f"the packaged program is tried by make test-app, which sets {PLACE}")
    path = Path(named).resolve()
    assert path.is_file(), f"{PLACE} names {path}, and there is no such file"
    return path


@pytest.fixture(scope="session")
def app_screen(executable: Path) -> Iterator[Screen]:
    """Screen of 1280 x 800 at 96 dpi, on which every user of this machine may show windows."""
    with Screen(for_everybody=True) as screen:
        yield screen


@pytest.fixture
def app(executable: Path, app_screen: Screen, tmp_path: Path) -> Installed:
    """Program with the home of a user who has never started it."""
    home = tmp_path / "home"
    home.mkdir()
    return Installed(executable, home, app_screen)


@pytest.fixture
def begin(app: Installed) -> Iterator[Callable[..., Program]]:
    """Function that starts the program, which may fail; the program is ended after the test."""
    running: list[Program] = []

    def start(*arguments: str, of: Installed = app, **more: Any) -> Program:
        running.append(of.start(*arguments, **more))
        return running[-1]

    yield start
    for program in running:
        program.stop()


@pytest.fixture
def start(begin: Callable[..., Program]) -> Iterator[Callable[..., Program]]:
    """Function that opens the window; the program must end without output on stderr or a crash file."""
    running: list[Program] = []

    def open_window(*arguments: str, **more: Any) -> Program:
        running.append(begin(*arguments, **more))
        return running[-1]

    yield open_window
    for program in running:
        assert program.stop() == ""
        assert crashes(program) == []


def crashes(program: Program) -> list[str]:
    """Return the program's crash files, except for errors that the test provokes."""
    kept = [file.read_text(encoding="utf-8") for file in program.data_dir.glob("crashes/*")]
    return [text for text in kept if not program.provoked(text)]
