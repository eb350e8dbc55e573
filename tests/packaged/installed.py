"""The packaged program at some place, started with nothing of ours around it."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from tests.window.conftest import Program
from tests.x_server import Screen

LONGEST_COMMAND = 90.0
"""Seconds that a command may take; agents' processes leave the processor to everybody else."""


@dataclass(frozen=True, slots=True)
class Installed:
    """The program in a folder, and somebody whose home it is started from.

    Args:
        executable: The program.
        home: The home of whoever starts it, and where they stand.
        screen: Where windows are shown.
        before: What stands before the command: who starts it.
        more: What else is in the environment, which has nothing but PATH, HOME and DISPLAY.
    """

    executable: Path
    home: Path
    screen: Screen
    before: tuple[str, ...] = ()
    more: Mapping[str, str] = field(default_factory=dict)

    @property
    def data_dir(self) -> Path:
        """Where the program keeps what is the user's if nobody says otherwise."""
        return self.home / ".local" / "share" / "NegoPlatform"

    @property
    def command(self) -> list[str]:
        """What starts it: no variable of this process reaches it, so no Python of ours can help."""
        environment = {
            "PATH": "/usr/bin:/bin",
            "HOME": str(self.home),
            "DISPLAY": self.screen.env["DISPLAY"],
            **self.more,
        }
        given = [f"{name}={value}" for name, value in environment.items()]
        return [*self.before, "/usr/bin/env", "-i", "-C", str(self.home), *given, str(self.executable)]

    def moved_to(self, folder: Path) -> Self:
        """A copy of the program in a folder that is not there yet."""
        shutil.copytree(self.executable.parent, folder, symlinks=True)
        return replace(self, executable=folder / self.executable.name)

    def start(self, *arguments: str, **more: Any) -> Program:
        """Opens the window on the user's own folder."""
        return Program(self.screen, self.data_dir, *arguments, command=self.command, **more)

    def run(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """Runs a command to its end."""
        command = [*self.command, *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, timeout=LONGEST_COMMAND)

    def says(self, *arguments: str | Path) -> str:
        """What a command prints that must succeed, and complain about nothing."""
        done = self.run(*arguments)
        assert (done.returncode, done.stderr) == (0, ""), f"{arguments}: {done.stdout}{done.stderr}"
        return done.stdout
