"""Benchmark of the start of the packaged window, compared with source: ``python -m benchmarks.app_start``.

Requires the output of ``make app``; ``--dist`` names another folder.
"""

from __future__ import annotations

import argparse
import os
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from statistics import median

from tests.x_server import LONGEST, Screen

STARTS = 7
ROOT = Path(__file__).resolve().parent.parent
GOAL_MS = 300

LOADED = """
import sys, negoplatform.cli.gui_entry, negoplatform.gui.shell.window_startup
for module in list(sys.modules.values()):
    for name in ("__file__", "__cached__"):
        if getattr(module, name, None):
            print(getattr(module, name))
"""

Spy = subprocess.Popen[bytes]


def main() -> None:
    """Print the table, using a private screen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dist", type=Path, default=ROOT / "dist", help="Where the packaged program is.")
    dist = parser.parse_args().dist
    folder = dist / "NegoPlatform"
    program = folder / ("NegoPlatform.exe" if os.name == "nt" else "NegoPlatform")
    if not program.is_file():
        sys.exit(f"{program}: there is no packaged program; make app builds it.")
    for path in (folder, *sorted(dist.glob("*.deb")), *sorted(dist.glob("*.tar.xz"))):
        print(f"{path.name:44}{_size(path) / 1e6:9.1f} MB")
    print(f"first window, from process start (ms){'median':>13}{'least':>9}{'most':>9}{'goal':>9}")
    source = [sys.executable, "-m", "negoplatform"]
    # Prints a line whenever the window manager has taken in a window, or let one go.
    watch = ["xprop", "-spy", "-root", "_NET_CLIENT_LIST"]
    with (
        Screen() as screen,
        subprocess.Popen(watch, env=screen.env, stdout=subprocess.PIPE, bufsize=0) as spy,
    ):
        for name, command, files in (
            ("packaged", [str(program)], list(folder.rglob("*"))),
            ("from source", source, _source_files()),
        ):
            _start(screen, spy, command)  # the first of all writes down what it finds
            _row(f"{name}, warm", [_start(screen, spy, command) for _ in range(STARTS)])
            _row(
                f"{name}, its files not in memory",
                [_cold(screen, spy, command, files) for _ in range(STARTS)],
            )
        spy.kill()


def _row(what: str, found: list[float]) -> None:
    print(f"  {what:42}{median(found):6.0f}{min(found):9.0f}{max(found):9.0f}{f'< {GOAL_MS}':>9}")


def _start(screen: Screen, spy: Spy, command: list[str]) -> float:
    """Return the milliseconds from before the process is created until its window is on the screen."""
    with tempfile.TemporaryDirectory() as home:
        began = time.monotonic()
        program = subprocess.Popen(command, env={**screen.env, "XDG_DATA_HOME": home})
        try:
            _wait(spy, shown=True)
            return 1000 * (time.monotonic() - began)
        finally:
            program.kill()
            program.wait()
            _wait(spy, shown=False)


def _wait(spy: Spy, *, shown: bool) -> None:
    """Wait until a window is shown, or until none is shown any more."""
    assert spy.stdout is not None
    there = not shown
    while there != shown:
        assert select.select([spy.stdout], [], [], LONGEST)[0], "nothing was shown"
        told = os.read(spy.stdout.fileno(), 4096)
        assert told, "xprop has ended"
        there = b"0x" in told.splitlines()[-1]


def _cold(screen: Screen, spy: Spy, command: list[str], files: Iterable[Path]) -> float:
    for path in files:
        if path.is_file():
            _forget(path)
    return _start(screen, spy, command)


def _forget(path: Path) -> None:
    """Drop a file from the system's cache, except for parts that a running program has mapped."""
    file = os.open(path, os.O_RDONLY)
    try:
        os.fdatasync(file)
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
    finally:
        os.close(file)


def _source_files() -> list[Path]:
    """Return the files that the program loads from source before its first window opens, and its fonts."""
    told = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True).stdout
    return [Path(line) for line in told.splitlines()] + list((ROOT / "assets").rglob("*.*"))


def _size(path: Path) -> int:
    """Return the size in bytes of a file, or of the files in a folder."""
    if path.is_file():
        return path.stat().st_size
    return sum(each.lstat().st_size for each in path.rglob("*") if each.is_file() and not each.is_symlink())


if __name__ == "__main__":
    main()
