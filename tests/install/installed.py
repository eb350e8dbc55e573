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
"""Seconds that a build, an installation or a command may take; not a measure, only an end."""


@dataclass(frozen=True, slots=True)
class Installed:
    """A program that can be called; commands run in ``home``, with nothing of our environment.

    Args:
        command: What starts it.
        home: An empty folder, where it finds itself at home.
    """

    command: tuple[str, ...]
    home: Path

    def run(self, *arguments: str) -> str:
        """What a command prints.

        Raises:
            AssertionError: If it fails, or has something to say on stderr.
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
    """This checkout, called as the installed program is."""
    return Installed((sys.executable, "-m", "negoplatform"), home)


def build(source: Path, to: Path, *kinds: str) -> None:
    """Builds a ``wheel`` or an ``sdist``, as pip does, but in the environment that runs the tests."""
    targets = [word for kind in kinds for word in ("-t", kind)]
    told([sys.executable, "-m", "hatchling", "build", "-d", str(to), *targets], cwd=source)


def install(wheel: Path, python: str, venv: Path) -> None:
    """Makes a clean environment and installs the wheel; what it needs comes from the package index.

    Not from the environment that runs the tests: then nobody would see that a package is not named.

    Args:
        wheel: What is installed.
        python: For which interpreter.
        venv: Where.
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
    """What a command prints; a failure shows everything that it said."""
    ran = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=LONGEST)
    assert ran.returncode == 0, f"{' '.join(command)}\n{ran.stdout}\n{ran.stderr}"
    return ran.stdout


def contents(wheel: Path) -> dict[str, bytes]:
    """What is in a wheel, by path."""
    with zipfile.ZipFile(wheel) as file:
        return {name: file.read(name) for name in file.namelist()}


@contextmanager
def once(place: Path) -> Iterator[bool]:
    """Whether this process is the one that has to make a folder; the others wait until it is made.

    Tests run side by side in processes of their own, and what they install here takes ten seconds.
    """
    with place.with_name(f"{place.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = place.with_name(f"{place.name}.done")
        yield not done.exists()
        done.touch()
