"""Windows that Wine imitates: Python on it, and the program in its windows."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from scripts import windows_env
from tests.window.conftest import Program
from tests.x_server import Screen

PATIENCE = 100.0
"""Seconds that a test waits for something under Wine, whose imports take long on a busy machine."""


SETTLED_SECONDS = 2.0
"""Seconds after which a window that has the keyboard keeps it."""


class WindowsProgram(Program):
    """The program on Windows, whose window gets the keyboard from X later than Tk says."""

    def close_window(self) -> None:
        """Press Alt+F4 once the window keeps the keyboard, which it loses while it becomes full screen."""
        end = time.monotonic() + PATIENCE
        since = time.monotonic()
        while time.monotonic() < since + SETTLED_SECONDS:
            if self._screen.active_window() != "NegoPlatform":
                since = time.monotonic()
            assert time.monotonic() < end, "the window does not get the keyboard"
            time.sleep(0.1)
        super().close_window()

    _errors: str | None = None

    def stop(self) -> str:
        """End the program if it still runs; return the content of stderr, without what Wine itself says."""
        if self.process.poll() is None:
            self.kill()  # a signal to end is none of Windows
        self.process.wait(PATIENCE)
        if self._errors is None:
            lines = self._read_errors().splitlines(keepends=True)
            self._errors = "".join(line for line in lines if not line.startswith("wine: "))
        return self._errors

    def _read_errors(self) -> str:
        """Return what stderr has so far: a program of Wine's own may keep its pipe open for ever."""
        out, errors = self.process.stdout, self.process.stderr
        assert out is not None
        assert errors is not None
        if errors.closed:  # read to its end by the test
            return super().stop()
        os.set_blocking(errors.fileno(), False)
        with out, errors:
            return (errors.read() or b"").decode()


class WindowsScreen(Screen):
    """Screen on which keys such as Alt+F4 reach the program; for the window manager there are none.

    Args:
        size: Width and height in pixels.
    """

    def __init__(self, size: tuple[int, int] = (1280, 800)) -> None:
        super().__init__(size=size, manager_settings=Path(__file__).with_name("openbox.xml"))


@dataclass(frozen=True, slots=True)
class Machine:
    """Drive C: and the registry, and a Python for Windows.

    Args:
        python: The file python.exe.
        prefix: Wine's folder for the machine.
    """

    python: Path
    prefix: Path = windows_env.PREFIX

    @property
    def _variables(self) -> list[str]:
        given = windows_env.environment(self.prefix)
        changed = [f"{name}={value}" for name, value in given.items() if os.environ.get(name) != value]
        # The folder of Wine's server is in that of temporary files; a test may not have a server of its own.
        return [*changed, f"TMPDIR={tempfile.gettempdir()}"]

    def command(self, *, terminal: bool = True) -> list[str]:
        """Return the command that starts the program, by ``pythonw.exe`` if it is to have no terminal."""
        python = self.python if terminal else self.python.with_name("pythonw.exe")
        return ["/usr/bin/env", *self._variables, "wine", str(python), "-m", "negoplatform"]

    def start(self, screen: Screen, data_dir: Path, *arguments: str | Path, **more: Any) -> Program:
        """Open the program's window; paths among the arguments get their names on this machine."""
        if what := more.get("what"):
            more["what"] = named(what)
        return WindowsProgram(
            screen,
            data_dir,
            *named(arguments),
            **{"command": self.command(), **more},
            name_of=windows_env.windows_path,
            path_of=windows_env.unix_path,
            patience=PATIENCE,
        )

    def run(
        self, screen: Screen, program: str, *arguments: str | Path, typed: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """Run a program of this machine, such as ``wineboot``, to its end, with this text typed into it."""
        return subprocess.run(
            ["/usr/bin/env", *self._variables, "wine", program, *named(arguments)],
            env=screen.env,
            input=typed,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )

    def boot(self, screen: Screen) -> None:
        """Start Wine's own programs, which would keep the output of the program that starts them open."""
        self._control("--persistent=120")
        command = [*self.command()[:-2], "-c", "import tkinter; tkinter.Tk().update()"]
        subprocess.run(
            command,
            env=screen.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=PATIENCE,
            check=True,
        )

    def shut_down(self) -> None:
        """End all programs, those of Wine included."""
        self._control("--kill")

    def _control(self, option: str) -> None:
        command = ["/usr/bin/env", *self._variables, "wineserver", option]
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=PATIENCE)

    def copied_to(self, prefix: Path, *, dpi: int = 96) -> Self:
        """Return a machine of its own with the same drive C:.

        Args:
            prefix: The folder, which does not exist yet.
            dpi: Dots per inch of its screen, as set in the Control Panel.
        """
        prefix.mkdir()
        for file in self.prefix.glob("*.reg"):
            shutil.copy(file, prefix)
        shutil.copytree(self.prefix / "dosdevices", prefix / "dosdevices", symlinks=True)
        shutil.copy(self.prefix / ".update-timestamp", prefix)
        (prefix / "drive_c").symlink_to(self.prefix / "drive_c")
        registry = prefix / "user.reg"
        key = "[Control Panel\\\\Desktop]"
        before, found, after = registry.read_text(encoding="utf-8").partition(key)
        assert found, f"{registry} has no {key}"
        values, _, others = after.partition("\n\n")
        # The last value of a name counts.
        text = f'{before}{key}{values}\n"LogPixels"=dword:{dpi:08x}\n\n{others}'
        registry.write_text(text, encoding="utf-8")
        return replace(self, prefix=prefix)


@contextmanager
def another(
    machine: Machine,
    prefix: Path,
    *,
    size: tuple[int, int] = (1280, 800),
    dpi: int = 96,
    keyboard: str = "us",
) -> Iterator[tuple[WindowsScreen, Machine]]:
    """Return a screen with a copy of a machine, on which nothing else runs.

    Args:
        machine: The machine that is copied.
        prefix: The folder of the copy, which does not exist yet.
        size: Width and height of the screen in pixels.
        dpi: Dots per inch of the screen, as set in the Control Panel.
        keyboard: The layout of the keyboard.
    """
    with WindowsScreen(size) as screen:
        screen.run("setxkbmap", keyboard)
        copy = machine.copied_to(prefix, dpi=dpi)
        copy.boot(screen)
        yield screen, copy
        copy.shut_down()


def named(arguments: Sequence[str | Path]) -> list[str]:
    """Return arguments with the names that absolute paths have under Windows."""
    paths = (Path(each) if str(each).startswith("/") else None for each in arguments)
    return [
        str(each) if path is None else windows_env.windows_path(path)
        for each, path in zip(arguments, paths, strict=True)
    ]


def agents_of(program: Program) -> list[int]:
    """Return the processes of the program's agents; their parent tells nothing under Wine."""
    home = f"XDG_DATA_HOME={program.data_dir.parent / 'home'}\0".encode()
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                is_agent = b"\0agent-process\0" in (entry / "cmdline").read_bytes()
                if is_agent and home in (entry / "environ").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
    return found
