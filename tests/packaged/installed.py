"""The packaged program in some folder, started without any of our environment."""

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
"""Seconds that a command may take; agents' processes yield the processor to all others."""


@dataclass(frozen=True, slots=True)
class Installed:
    """Program in a folder, and the home of the user who starts it.

    Args:
        executable: The program.
        home: The user's home, which is also the working directory.
        screen: The screen for windows.
        before: A prefix of the command, which starts it as another user.
        more: Further environment variables; otherwise there are only PATH, HOME and DISPLAY.
    """

    executable: Path
    home: Path
    screen: Screen
    before: tuple[str, ...] = ()
    more: Mapping[str, str] = field(default_factory=dict)

    @property
    def data_dir(self) -> Path:
        """The default folder of the user's data."""
        return self.home / ".local" / "share" / "NegoPlatform"

    @property
    def command(self) -> list[str]:
        """Command that starts it: no variable of this process reaches it, so no Python of ours can help."""
        environment = {
            "PATH": "/usr/bin:/bin",
            "HOME": str(self.home),
            "DISPLAY": self.screen.env["DISPLAY"],
            **self.more,
        }
        given = [f"{name}={value}" for name, value in environment.items()]
        return [*self.before, "/usr/bin/env", "-i", "-C", str(self.home), *given, str(self.executable)]

    def moved_to(self, folder: Path) -> Self:
        """Copy the program to a folder that does not exist yet."""
        shutil.copytree(self.executable.parent, folder, symlinks=True)
        return replace(self, executable=folder / self.executable.name)

    def start(self, *arguments: str, **more: Any) -> Program:
        """Open the window with the default data folder."""
        return Program(self.screen, self.data_dir, *arguments, command=self.command, **more)

    def run(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """Run a command to its end."""
        command = [*self.command, *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, timeout=LONGEST_COMMAND)

    def says(self, *arguments: str | Path) -> str:
        """Return the output of a command, which must succeed without any output on stderr."""
        done = self.run(*arguments)
        assert (done.returncode, done.stderr) == (0, ""), f"{arguments}: {done.stdout}{done.stderr}"
        return done.stdout
