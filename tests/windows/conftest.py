"""The program on CPython for Windows, run under Wine by ``make test-windows``."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.window import conftest as window_conftest
from tests.window.conftest import Program
from tests.windows.machine import Machine, WindowsScreen, another
from tests.x_server import Screen

PLACE = "NEGOPLATFORM_WINDOWS_PYTHON"
"""Environment variable with the path of Python for Windows."""

PAINTING_SECONDS = 2.0
"""Seconds between an announcement and a picture of it."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Allow the tests here more time: everything starts slowly under Wine."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.timeout(400))


flat = window_conftest.flat


@pytest.fixture(scope="session")
def made_machine() -> Machine:
    """Machine as make windows-env has made it, which every test may be using."""
    named = os.environ.get(PLACE)
    if named is None:
        pytest.skip(f"the program for Windows is tried by make test-windows, which sets {PLACE}")
    python = Path(named).resolve()
    assert python.is_file(), f"{PLACE} names {python}, and there is no such file; run make windows-env"
    assert shutil.which("wine"), "Wine is missing; `sh scripts/need-wine.sh` names its package"
    return Machine(python)


@pytest.fixture(scope="session")
def computer(
    made_machine: Machine, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[WindowsScreen, Machine]]:
    """Screen of 1280 x 800 at 96 dpi, and a machine on which nothing but these tests runs.

    Of all windows of a machine one has the keyboard, even if they are on different screens.
    """
    with another(made_machine, tmp_path_factory.mktemp("windows") / "prefix") as computer:
        yield computer


@pytest.fixture(scope="session")
def screen(computer: tuple[WindowsScreen, Machine]) -> WindowsScreen:
    """Screen of the machine."""
    return computer[0]


@pytest.fixture(scope="session")
def windows(computer: tuple[WindowsScreen, Machine]) -> Machine:
    """Machine with Windows, which Wine imitates."""
    return computer[1]


@pytest.fixture
def begin(windows: Machine, screen: Screen, tmp_path: Path) -> Iterator[Callable[..., Program]]:
    """Function that starts the program, which may fail; the program is ended after the test."""
    running: list[Program] = []

    def start(
        *arguments: str | Path,
        on: Screen | None = None,
        machine: Machine = windows,
        data_dir: Path = tmp_path / "data",
        **more: Any,
    ) -> Program:
        running.append(machine.start(on or screen, data_dir, *arguments, **more))
        return running[-1]

    yield start
    for program in running:
        program.stop()


@pytest.fixture
def start(begin: Callable[..., Program]) -> Iterator[Callable[..., Program]]:
    """Function that opens the window; the program must end without output on stderr or a crash file."""
    running: list[Program] = []

    def open_window(*arguments: str | Path, **more: Any) -> Program:
        running.append(begin(*arguments, **more))
        return running[-1]

    yield open_window
    for program in running:
        assert program.stop() == ""
        for crash in program.data_dir.glob("crashes/*"):
            told = crash.read_text(encoding="utf-8")
            assert program.provoked(told), f"the program left a crash file: {told}"


def shoot(program: Program, path: Path) -> None:
    """Save a picture of the screen once what was announced is painted, which Windows does when it is idle."""
    time.sleep(PAINTING_SECONDS)
    program.shoot(path)
