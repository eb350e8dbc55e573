"""The program for Windows, put into a Wine prefix by its installer."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from scripts import windows_env
from tests.packaged.installed import Installed
from tests.window.conftest import LONGEST, Program

USER = "Zoë Müller-Łuk"
"""A user whose name is not in the letters of one code page."""

DEFAULT_PLACE = Path(
    "drive_c", "users", USER, "AppData", "Local", "Programs", "NegoPlatform", "NegoPlatform.exe"
)
"""Place of the program in a prefix, if the installer is not given any."""

PATIENCE = 3 * LONGEST
"""Seconds that a test waits for something to be shown: each start of a process takes long under Wine."""

UNINSTALL = r"Software\Microsoft\Windows\CurrentVersion\Uninstall\NegoPlatform"

READ_REGISTRY = """
import json, sys, winreg

def read(key):
    subkeys, values, _ = winreg.QueryInfoKey(key)
    found = {name: value for name, value, _ in (winreg.EnumValue(key, at) for at in range(values))}
    for name in [winreg.EnumKey(key, at) for at in range(subkeys)]:
        with winreg.OpenKey(key, name) as inside:
            found[name + "\\\\"] = read(inside)
    return found

try:
    with winreg.OpenKey(getattr(winreg, sys.argv[1]), sys.argv[2]) as key:
        sys.stdout.buffer.write(json.dumps(read(key)).encode())
except FileNotFoundError:
    print("null")
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class InstalledUnderWine(Installed):
    """Program for Windows in a Wine prefix. The user's data are in the prefix, one folder for all tests.

    Args:
        prefix: The Wine prefix.
    """

    prefix: Path

    @property
    def profile(self) -> Path:
        """The user's folder on drive C."""
        return self.prefix / "drive_c" / "users" / USER

    @property
    def data_dir(self) -> Path:
        """The default folder of the user's data."""
        return self.profile / "AppData" / "Local" / "NegoPlatform"

    @property
    def environment(self) -> dict[str, str]:
        """All environment variables; those of a user's session on Windows come from Wine."""
        return {**_wine(self.prefix), "DISPLAY": self.screen.env["DISPLAY"], **self.more}

    @property
    def command(self) -> list[str]:
        """Command that starts the program with a window."""
        return self.command_of("wine", self.name_of(self.executable))

    @property
    def console_command(self) -> list[str]:
        """Command that starts the program in a terminal."""
        console = self.executable.with_name("negoplatform-console.exe")
        return self.command_of("wine", self.name_of(console))

    @property
    def python(self) -> list[str]:
        """Command that starts a Python of the kind that the program was built with."""
        return self.command_of(*windows_env.python_command())

    @property
    def python_version(self) -> str:
        """Version of that Python, such as 3.12."""
        return windows_env.PYTHON_VERSION

    def name_of(self, path: Path) -> str:
        """Return the name that a path has for the program."""
        drive = self.prefix / "drive_c"
        if path.is_relative_to(drive):
            return "C:\\" + str(path.relative_to(drive)).replace("/", "\\")
        return windows_env.windows_path(path)

    def path_of(self, name: str) -> Path:
        """Return the path for a name that the program has given."""
        return windows_env.unix_path(name, self.prefix)

    def children_of(self, program: Program) -> list[int]:
        """Return the other processes of the same program file: Wine's processes do not know their parents."""
        return [pid for pid in self.processes() if pid != program.process.pid]

    def processes(self) -> list[int]:
        """Return the processes that run the program's file."""
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    mapped = (entry / "maps").read_text(encoding="utf-8")
                except OSError:
                    continue
                if f"{self.executable}\n" in mapped:
                    found.append(int(entry.name))
        return found

    def run_python(self, code: str, *arguments: str) -> bytes:
        """Return the output of Python for Windows, which must succeed."""
        done = self.run_here(*windows_env.python_command(), "-c", code, *arguments)
        assert (done.returncode, done.stderr) == (0, b""), done.stderr.decode()
        return done.stdout

    def start_by_python(self, code: str, *arguments: str) -> None:
        """Run Python for Windows until it has started a program, which keeps its output open."""
        command = self.command_of(*windows_env.python_command(), "-c", code, *arguments)
        null = subprocess.DEVNULL
        assert subprocess.run(command, stdin=null, stdout=null, stderr=null, timeout=PATIENCE).returncode == 0

    def run_here(self, *command: str) -> subprocess.CompletedProcess[bytes]:
        """Run something else to its end as the user does."""
        given = self.command_of(*command)
        return subprocess.run(given, stdin=subprocess.DEVNULL, capture_output=True, timeout=2 * PATIENCE)

    def registry(self, key: str, hive: str = "HKEY_CURRENT_USER") -> Any:
        """Return the values below a key; subkeys end in a backslash; None if there is no such key."""
        return json.loads(self.run_python(READ_REGISTRY, hive, key))

    def install(self, setup: Path, *options: str) -> subprocess.CompletedProcess[bytes]:
        """Run an installer silently."""
        # The folder that /D= names must not be in quotes, whatever blanks it has.
        given = " ".join(options).split(" ") if options else []
        return self.run_here("wine", self.name_of(setup), "/S", *given)

    def uninstall(self) -> None:
        """Uninstall the program silently; its uninstaller goes on in a copy of itself."""
        program = self.executable.with_name("Uninstall.exe")
        self.run_here("wine", self.name_of(program), "/S")
        end = time.monotonic() + PATIENCE
        while program.exists() and time.monotonic() < end:
            time.sleep(0.1)
        wait_for_end(self.prefix)


@contextmanager
def wine_prefix(folder: Path) -> Iterator[Path]:
    """Create a Wine prefix whose user has never started anything; at the end, end all that runs in it."""
    with mock.patch.dict(os.environ, _wine(folder), clear=True):
        windows_env.make_prefix(folder)
    try:
        yield folder
    finally:
        subprocess.run(["wineserver", "--kill"], env=_wine(folder), check=False)
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def awake(app: InstalledUnderWine) -> Iterator[None]:
    """Keep Wine's own programs running: who starts first starts them, and they keep its pipes open."""
    null = subprocess.DEVNULL
    command = app.command_of("wine", "cmd")
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=null, stderr=null) as prompt:
        # Those of the desktop are started by the first window.
        app.start_by_python("import tkinter; tkinter.Tk().update()")
        yield
        prompt.kill()


def wait_for_end(prefix: Path) -> None:
    """Wait until no program runs in a prefix."""
    subprocess.run(["wineserver", "--wait"], env=_wine(prefix), check=True, timeout=PATIENCE)


def _wine(prefix: Path) -> dict[str, str]:
    own = windows_env.environment(prefix)
    # Asking Windows about itself ends the process under Wine 8, unless that part of it is missing.
    overrides = own["WINEDLLOVERRIDES"] + ";wbemprox="
    return {
        "PATH": "/usr/bin:/bin",
        "HOME": str(prefix.parent),
        "USER": USER,
        "LC_ALL": "C.UTF-8",
        "WINEPREFIX": own["WINEPREFIX"],
        "WINEDEBUG": own["WINEDEBUG"],
        "WINEDLLOVERRIDES": overrides,
    }
