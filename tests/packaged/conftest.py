"""The packaged program, which ``make test-app`` builds, unpacks and passes to the tests."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.packaged.installed import Installed
from tests.packaged.installed_under_wine import (
    DEFAULT_PLACE,
    PATIENCE,
    InstalledUnderWine,
    awake,
    wine_prefix,
)
from tests.window.conftest import Program
from tests.x_server import Screen

PLACE = "NEGOPLATFORM_APP"
"""Environment variable with the program's path."""

SETUP = "NEGOPLATFORM_SETUP"
"""Environment variable with the path of the installer for Windows, which is run under Wine."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Allow the tests here more time under Wine, where everything starts slowly."""
    for item in items:
        if SETUP in os.environ and item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.timeout(600))


def named_by(variable: str) -> Path:
    """Return the path in an environment variable, which must be that of a file."""
    path = Path(os.environ[variable]).resolve()
    assert path.is_file(), f"{variable} names {path}, and there is no such file"
    return path


@pytest.fixture(scope="session")
def app_screen() -> Iterator[Screen]:
    """Screen of 1280 x 800 at 96 dpi, on which every user of this machine may show windows."""
    if PLACE not in os.environ and SETUP not in os.environ:
        pytest.skip(
            f"the packaged program is tried by make test-app, which sets {PLACE}, "
            f"and by make test-app-windows, which sets {SETUP}"
        )
    with Screen(for_everybody=True) as screen:
        yield screen


@pytest.fixture(scope="session")
def installed(app_screen: Screen, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installed]:
    """Program that all tests share, installed by default options."""
    folder = tmp_path_factory.mktemp("user")
    if SETUP not in os.environ:
        yield Installed(named_by(PLACE), folder, app_screen)
        return
    with wine_prefix(folder / "prefix") as prefix:
        app = InstalledUnderWine(prefix / DEFAULT_PLACE, folder, app_screen, patience=PATIENCE, prefix=prefix)
        done = app.install(named_by(SETUP))
        assert done.returncode == 0, done.stderr
        with awake(app):
            yield app


@pytest.fixture
def app(installed: Installed, tmp_path: Path) -> Installed:
    """Program with the home of a user who has never started it."""
    home = tmp_path / "home"
    home.mkdir()
    mine = replace(installed, home=home)
    # A user of Windows has one folder, wherever the home is that the tests write to.
    shutil.rmtree(mine.data_dir, ignore_errors=True)
    return mine


@pytest.fixture
def windows(app: Installed) -> InstalledUnderWine:
    """Program for Windows, installed under Wine."""
    if not isinstance(app, InstalledUnderWine):
        pytest.skip("about the program for Windows")
    return app


@pytest.fixture(scope="session")
def setup(app_screen: Screen) -> Path:
    """Installer for Windows."""
    if SETUP not in os.environ:
        pytest.skip("about the program for Windows")
    return named_by(SETUP)


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
