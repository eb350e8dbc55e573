"""Benchmark of the window's speed, measured inside the running program: ``python -m benchmarks.window``."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from statistics import median, quantiles
from typing import Any

from tests.x_server import Screen

STARTS = 7

FIRST = """
import sys, time, tkinter
update = tkinter.Tk.update
def shown(self):
    update(self)
    self.winfo_pointerxy()  # answered once the window is drawn
    print(time.monotonic(), flush=True)
    import os; os._exit(0)
tkinter.Tk.update = shown
import runpy
runpy.run_module("negoplatform", run_name="__main__")
"""
"""The unchanged program, except that it exits when its first window is on the screen."""


def main() -> None:
    """Print the table, using a private screen."""
    with Screen() as screen:
        bare = _starts(screen, "import time; print(time.monotonic())")
        first = _starts(screen, FIRST)
        hands, watching = (_inside(screen, mode) for mode in ("hands", "watching"))
    print(f"{platform.machine()}, {_processor()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    print(f"{'':44}{'median':>9}{'p99':>9}{'goal':>12}")
    _row("Python itself, from its start (ms)", median(bare), None, "")
    _row("first window, from process start (ms)", median(first), None, "< 400")
    for name in ("pressed", "moved", "typed"):
        _row(f"a control shows that it was {name} (ms)", *_spread(hands[name]), "p99 < 17")
    _row("a decision shown, from its line on disk (ms)", *_spread(hands["decision"]), "p99 < 50")
    _row("frames per second while an agent computes", watching["frames"], None, "> 58")
    _row("idle at the table (% of a core)", 100 * watching["idle"], None, "< 2")
    _row("memory after 120 offers (MB)", hands["memory_mb"], None, "< 90")
    print(f"NumPy, matplotlib imported: {', '.join(watching['heavy']) or 'neither'}")


def _starts(screen: Screen, code: str) -> list[float]:
    """Return the milliseconds from before a process is created until it prints the time."""
    found = []
    with tempfile.TemporaryDirectory() as home:
        for _ in range(STARTS):
            began = time.monotonic()
            env = {**screen.env, "XDG_DATA_HOME": home}
            done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, check=True)
            found.append(1000 * (float(done.stdout) - began))
    return found


def _inside(screen: Screen, mode: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.window.inside", mode],
        env=screen.env,
        stdout=subprocess.PIPE,
        check=True,
        timeout=300,
    )
    measured: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return measured


def _spread(values: list[float]) -> tuple[float, float]:
    return median(values), quantiles(values, n=100)[98]


def _row(what: str, middle: float, p99: float | None, goal: str) -> None:
    print(f"{what:44}{middle:9.1f}{'' if p99 is None else f'{p99:.1f}':>9}{goal:>12}")


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:  # noqa: PTH123 - one line of a file of the system
            return next(line.split(":")[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor()


if __name__ == "__main__":
    main()
