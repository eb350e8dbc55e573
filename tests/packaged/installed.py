"""The packaged program in some folder, started without any of our environment."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from tests.window.conftest import LONGEST, Program
from tests.x_server import Screen

LONGEST_COMMAND = 3 * LONGEST
"""Seconds that a command may take; agents' processes yield the processor to all others."""

PLAINEST = {"LANG": "C", "LC_ALL": "C"}
"""Environment of a system that has been told no language."""


@dataclass(frozen=True, slots=True)
class Installed:
    """Program in a folder, and the home of the user who starts it.

    Args:
        executable: The program.
        home: The user's home, which is also the working directory.
        screen: The screen for windows.
        before: A prefix of the command, which starts it as another user.
        more: Further environment variables; otherwise there are only PATH, HOME and DISPLAY.
        patience: Seconds that a test waits for the window to show something.
    """

    executable: Path
    home: Path
    screen: Screen
    before: tuple[str, ...] = ()
    more: Mapping[str, str] = field(default_factory=dict)
    patience: float = LONGEST

    @property
    def data_dir(self) -> Path:
        """The default folder of the user's data."""
        return self.home / ".local" / "share" / "NegoPlatform"

    @property
    def environment(self) -> dict[str, str]:
        """All environment variables: none of this process is passed on, so no Python of ours can help."""
        given = {"PATH": "/usr/bin:/bin", "HOME": str(self.home), "DISPLAY": self.screen.env["DISPLAY"]}
        return {**given, **self.more}

    @property
    def command(self) -> list[str]:
        """Command that starts the program with a window."""
        return self.command_of(str(self.executable))

    @property
    def console_command(self) -> list[str]:
        """Command that starts the program in a terminal."""
        return self.command

    @property
    def python(self) -> list[str]:
        """Command that starts a Python of the kind that the program was built with."""
        return [sys.executable]

    @property
    def python_version(self) -> str:
        """Version of that Python, such as 3.12."""
        return f"{sys.version_info.major}.{sys.version_info.minor}"

    def command_of(self, *command: str) -> list[str]:
        """Return a command that starts something as the user does."""
        given = [f"{name}={value}" for name, value in self.environment.items()]
        return [*self.before, "/usr/bin/env", "-i", "-C", str(self.home), *given, *command]

    def name_of(self, path: Path) -> str:
        """Return the name that a path has for the program."""
        return str(path)

    def path_of(self, name: str) -> Path:
        """Return the path for a name that the program has given."""
        return Path(name)

    def children_of(self, program: Program) -> list[int]:
        """Return the child processes of a program that have not ended."""
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
                except OSError:
                    continue
                if int(parent) == program.process.pid and state != "Z":
                    found.append(int(entry.name))
        return found

    def moved_to(self, folder: Path) -> Self:
        """Copy the program to a folder that does not exist yet."""
        shutil.copytree(self.executable.parent, folder, symlinks=True)
        return replace(self, executable=folder / self.executable.name)

    def start(self, *arguments: str, **more: Any) -> Program:
        """Open the window with the default data folder."""
        given = {"command": self.command, "name_of": self.name_of, "patience": self.patience, **more}
        return Program(self.screen, self.data_dir, *arguments, **given)

    def wait_for_window(self) -> None:
        """Wait until a window of the program is shown."""
        command = ["xdotool", "search", "--onlyvisible", "--name", "NegoPlatform"]
        end = time.monotonic() + self.patience
        # Not --sync: xdotool fails where a window disappears while it looks, as Wine's do.
        while subprocess.run(command, env=self.screen.env, stdout=subprocess.DEVNULL).returncode:
            assert time.monotonic() < end, "no window is shown"
            time.sleep(0.1)

    def run(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """Run a command to its end."""
        given = [self.name_of(each) if isinstance(each, Path) else each for each in arguments]
        return subprocess.run(
            [*self.console_command, *given],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=LONGEST_COMMAND * self.patience / LONGEST,
        )

    def says(self, *arguments: str | Path) -> str:
        """Return the output of a command, which must succeed without any output on stderr."""
        done = self.run(*arguments)
        assert (done.returncode, done.stderr) == (0, ""), f"{arguments}: {done.stdout}{done.stderr}"
        return done.stdout
