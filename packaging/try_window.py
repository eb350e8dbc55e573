"""Test of the packaged program: its window opens, and stays open without an error message.

``python packaging/try_window.py PROGRAM [ARGUMENT …]``, on any system.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

SECONDS = 10
"""Seconds that the window has to stay open."""


def main() -> None:
    """Exit with a sentence and code 1 if the window does not stay open."""
    command = sys.argv[1:]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        data, said = Path(folder, "data"), Path(folder, "said.txt")
        with said.open("wb") as out:
            program = subprocess.Popen(
                [*command, "--data-dir", data], stdin=subprocess.DEVNULL, stdout=out, stderr=out
            )
            until = time.monotonic() + SECONDS
            while program.poll() is None and time.monotonic() < until:
                time.sleep(0.1)
            code = program.poll()
            program.kill()
            program.wait()
        told = [said, *sorted(data.glob("crashes/*"))]
        problems = "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in told).strip()
    if code is not None:
        sys.exit(f"{command[0]} ended with {code} before {SECONDS} seconds were over.\n{problems}")
    if problems:
        sys.exit(f"{command[0]} complains:\n{problems}")
    print(f"{command[0]} has stayed open for {SECONDS} seconds.")


if __name__ == "__main__":
    main()
