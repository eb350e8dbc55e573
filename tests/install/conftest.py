"""The wheel and the source archive, built once, and the environments in which the wheel is installed."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.install.installed import ROOT, Installed, build, checkout, install, once


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder that all processes of this run share."""
    base = tmp_path_factory.getbasetemp()
    # xdist gives each of its workers a folder inside the run's.
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@pytest.fixture(scope="session")
def built(shared: Path) -> Path:
    """Folder with the wheel and the source archive of this checkout."""
    place = shared / "built"
    with once(place) as mine:
        if mine:
            build(ROOT, place, "wheel", "sdist")
    return place


@pytest.fixture(scope="session")
def wheel(built: Path) -> Path:
    return next(built.glob("*.whl"))


@pytest.fixture(scope="session")
def installed_for(wheel: Path, shared: Path) -> Callable[[str], Path]:
    """Function that installs the wheel for an interpreter and returns the program's path."""

    def install_for(python: str) -> Path:
        venv = shared / f"venv-{Path(python).resolve().name}"
        with once(venv) as mine:
            if mine:
                install(wheel, python, venv)
        return venv / "bin" / "negoplatform"

    return install_for


@pytest.fixture
def elsewhere(installed_for: Callable[[str], Path], tmp_path: Path) -> Installed:
    """Installed program, with an empty folder as home."""
    home = tmp_path / "elsewhere"
    home.mkdir()
    return Installed((str(installed_for(sys.executable)),), home)


@pytest.fixture(scope="session")
def here(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Program of this checkout, with another empty folder as home."""
    return checkout(tmp_path_factory.mktemp("here"))


@pytest.fixture(scope="session")
def said_here(here: Installed) -> Callable[..., str]:
    """Output of this checkout; each command is run once."""
    return cache(here.run)
