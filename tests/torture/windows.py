"""Trials with Python for Windows under Wine: ``python -m tests.torture.windows``, on Linux.

``make windows-env`` has to have been called. A part is tried at a fraction of its size on Linux, because a
new Python takes seconds to start under Wine.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from scripts import windows_env
from tests.torture.__main__ import part_named, report, try_part
from tests.torture.disks import SMALL_DISK
from tests.torture.rows import Row, machine

SCALES = {"P1": 0.25, "P4": 0.5, "P5": 0.028, "P12": 0.06}
"""Parts that can be tried, with their sizes: 300 kills of sessions, 28 starts, 30 kills of visits."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the requested parts; return 0 if every promise was kept."""
    parser = argparse.ArgumentParser(prog="python -m tests.torture.windows", description=__doc__)
    parser.add_argument("--only", metavar="P1,P4", default=",".join(SCALES), help="these promises alone")
    parser.add_argument("--scale", type=float, default=1.0, help="a part of these sizes, such as 0.1")
    parser.add_argument("--out", type=Path, help="write the table to this file too")
    wanted = parser.parse_args(arguments)
    begun = time.monotonic()
    with small_disk() as disk:
        rows = [try_under_wine(name.strip(), wanted.scale, disk) for name in wanted.only.split(",")]
    wine = subprocess.run(["wine", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    where = f", with Python {windows_env.PYTHON_VERSION} for Windows under {wine}"
    text = report(rows, f"{where}: {machine(Path(tempfile.gettempdir()))}", time.monotonic() - begun)
    print(text, end="")
    if wanted.out is not None:
        wanted.out.write_text(text, encoding="utf-8")
    return 0 if all(row.kept for row in rows) else 1


def try_under_wine(name: str, scale: float, disk: Path | None) -> Row:
    """Try one promise under Wine.

    Args:
        name: Its name.
        scale: A part of the size that it has here.
        disk: A file system of 1 MB; None: there is none.
    """
    if name == "P4" and disk is None:
        return Row(name, "full disk", 0, faults=("Only root can mount a small file system.",))
    environment = dict(os.environ)
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # compiled modules load in half of the time
    if disk is not None:
        environment[SMALL_DISK] = windows_env.windows_path(disk)
    # Through this module, as under Wine a standard stream has to be a pipe.
    python = [sys.executable, "-m", "scripts.windows_env", "run", "-X", "utf8"]
    return try_part(part_named(name), scale * SCALES[name], python=python, environment=environment)


@contextmanager
def small_disk() -> Iterator[Path | None]:
    """Yield the mount point of a file system of 1 MB; None where this process may not mount one.

    All processes see it: files are opened by Wine's server, which may be running already.
    """
    if os.geteuid() != 0:
        yield None
        return
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder], check=True)
        try:
            yield Path(folder)
        finally:
            subprocess.run(["umount", "--lazy", folder], check=True)


if __name__ == "__main__":
    sys.exit(main())
