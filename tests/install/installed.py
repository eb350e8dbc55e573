"""The program as pip installs it: built, put into a clean environment, and run far from this checkout."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent

LONGEST = 100.0
"""Seconds that a build, an installation or a command may take; an upper bound, not a measure."""


@dataclass(frozen=True, slots=True)
class Installed:
    """Program that can be run; commands run in ``home``, without our environment.

    Args:
        command: The command that starts it.
        home: An empty folder, which is its home.
    """

    command: tuple[str, ...]
    home: Path

    def run(self, *arguments: str) -> str:
        """Return the output of a command.

        Raises:
            AssertionError: If it fails, or writes to stderr.
        """
        ran = subprocess.run(
            [*self.command, *arguments],
            cwd=self.home,
            env={"PATH": os.defpath, "HOME": str(self.home), "LC_ALL": "C.UTF-8"},
            capture_output=True,
            text=True,
            timeout=LONGEST,
        )
        assert (ran.returncode, ran.stderr) == (0, ""), f"{arguments}: {ran.stdout}{ran.stderr}"
        return ran.stdout


def checkout(home: Path) -> Installed:
    """Return this checkout, to be run like the installed program."""
    return Installed((sys.executable, "-m", "negoplatform"), home)


def build(source: Path, to: Path, *kinds: str) -> None:
    """Build a ``wheel`` or an ``sdist``, as pip does, but in the environment that runs the tests."""
    targets = [word for kind in kinds for word in ("-t", kind)]
    told([sys.executable, "-m", "hatchling", "build", "-d", str(to), *targets], cwd=source)


def install(wheel: Path, python: str, venv: Path) -> None:
    """Create a clean environment and install the wheel; its dependencies come from the package index.

    Not from the environment that runs the tests: that would hide a dependency that is not declared.

    Args:
        wheel: The wheel.
        python: The interpreter.
        venv: The folder of the environment.
    """
    told([python, "-m", "venv", "--without-pip", str(venv)])
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--disable-pip-version-check",
        "--python",
        str(venv / "bin" / "python"),
    ]
    told([*pip, "install", "--quiet", "--no-compile", str(wheel)])


def told(command: list[str], cwd: Path | None = None) -> str:
    """Return the output of a command; a failure shows its entire output."""
    ran = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=LONGEST)
    assert ran.returncode == 0, f"{' '.join(command)}\n{ran.stdout}\n{ran.stderr}"
    return ran.stdout


def contents(wheel: Path) -> dict[str, bytes]:
    """Return the contents of a wheel, by path."""
    with zipfile.ZipFile(wheel) as file:
        return {name: file.read(name) for name in file.namelist()}


@contextmanager
def once(place: Path) -> Iterator[bool]:
    """Yield whether this process has to create a folder; the others wait until it is created.

    Tests run in parallel processes, and each installation takes ten seconds.
    """
    with place.with_name(f"{place.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = place.with_name(f"{place.name}.done")
        yield not done.exists()
        done.touch()
