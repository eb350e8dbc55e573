"""Private X server with a window manager."""

from __future__ import annotations

import os
import select
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

LONGEST = 30.0
"""Longest time in seconds for a server, or for a command on its screen; a limit, not a measure."""


class Screen:
    """Private X server with a window manager; both are stopped at the end of a ``with``.

    Tk keeps its connection when a window is closed, and ends the process without a message once the server
    has stopped. So windows of the test process itself need the ``screen`` that lasts until the last test.

    Args:
        dpi: Dots per inch; 192 is a screen at 2x.
        size: Width and height in pixels.
        for_everybody: Whether every user of this machine may show windows on it.
        manager_settings: Settings of the window manager; None: its own.
    """

    def __init__(
        self,
        dpi: int = 96,
        size: tuple[int, int] = (1280, 800),
        *,
        for_everybody: bool = False,
        manager_settings: Path | None = None,
    ) -> None:
        read, write = os.pipe()
        self._server = subprocess.Popen(
            [
                *f"Xvfb -displayfd {write} -screen 0 {size[0]}x{size[1]}x24".split(),
                *f"-dpi {dpi} -nolisten tcp -noreset".split(),
                *(["-ac"] if for_everybody else []),
            ],
            pass_fds=[write],
            stderr=subprocess.DEVNULL,
        )
        os.close(write)
        number = b""
        # The number and its line break come in two writes; closing between them would end the server.
        while not number.endswith(b"\n"):
            assert select.select([read], [], [], LONGEST)[0], "Xvfb did not start"
            part = os.read(read, 20)
            assert part, "Xvfb ended at once"
            number += part
        os.close(read)
        self.env = {**os.environ, "DISPLAY": f":{number.decode().strip()}", "LC_ALL": "C.UTF-8"}
        manager = ["openbox", *(["--config-file", str(manager_settings)] if manager_settings else [])]
        self._manager = subprocess.Popen(
            manager, env=self.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self._wait_for_the_manager()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def run(self, *command: str, **more: Any) -> subprocess.CompletedProcess[bytes]:
        """Run a command on this screen."""
        return subprocess.run(command, env=self.env, check=True, timeout=LONGEST, **more)

    def wait_for_window(self, title: str) -> None:
        """Wait until a window with this title is shown."""
        self.run("xdotool", "search", "--sync", "--onlyvisible", "--name", title, stdout=subprocess.DEVNULL)

    def shows_window(self, title: str) -> bool:
        """Return whether a window with this title is shown now."""
        command = ["xdotool", "search", "--onlyvisible", "--name", title]
        return (
            subprocess.run(command, env=self.env, stdout=subprocess.DEVNULL, timeout=LONGEST).returncode == 0
        )

    def active_window(self) -> str:
        """Return the title of the window that has the keyboard; empty if there is none."""
        command = ["xdotool", "getactivewindow", "getwindowname"]
        told = subprocess.run(command, env=self.env, capture_output=True, timeout=LONGEST)
        return told.stdout.decode().strip()

    def stop(self) -> None:
        """Stop the server and the window manager."""
        for process in (self._manager, self._server):
            process.terminate()
            process.wait(LONGEST)

    def _wait_for_the_manager(self) -> None:
        end = time.monotonic() + LONGEST
        while time.monotonic() < end:
            told = self.run("xprop", "-root", "_NET_SUPPORTING_WM_CHECK", capture_output=True)
            if b"window id" in told.stdout:
                return
            time.sleep(0.05)
        raise AssertionError("openbox did not start")
