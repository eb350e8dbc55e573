"""Tests with Python for Windows under Wine: ``make test-windows``.

``python -m scripts.test_windows`` runs the folders below. Arguments go to pytest; those that begin with
``tests/`` replace the folders::

    python -m scripts.test_windows tests/core -k fold
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import IO

from scripts import windows_env

FOLDERS = (
    "tests/domain",
    "tests/core",
    "tests/mechanisms",
    "tests/agent_api",
    "tests/formats",
    "tests/study",
    "tests/plugins",
    "tests/eventlog",
    "tests/hosting",
    "tests/app",
    "tests/presentation",
    "tests/cli",
    "tests/hostile",
)
"""Folders whose code depends on the system, or on which all other code depends.

Others, such as ``tests/language`` and ``tests/analysis``, compute the same everywhere; they run if they are
named. ``tests/docs`` and ``tests/install`` run shell scripts, and ``tests/windows`` has the windows.
"""

SIDE_BY_SIDE = ("-n", "2", "--dist", "worksteal")

SAME_EVERYWHERE = "tests/study/test_shipped_studies.py"
"""Tests of texts in these folders that compute the same everywhere, and take minutes to load all agents."""

OPTIONS = (*SIDE_BY_SIDE, "--timeout", "300", "-p", "no:cacheprovider", "-m", "not window")

LONGEST = 45 * 60.0
"""Seconds after which the tests are ended: a process under Wine may hang."""

ENDING = 30.0
"""Seconds that Wine may take to end."""


def main(arguments: Sequence[str]) -> int:
    """Run the tests and return pytest's exit code; 124 if they were ended because they took too long."""
    if not windows_env.PYTHON.is_file():
        sys.exit(f"There is no Python for Windows in {windows_env.FOLDER}; make windows-env makes it.")
    paths = [argument for argument in arguments if argument.startswith("tests/")]
    command = [
        *windows_env.python_command(),
        "-m",
        "pytest",
        *OPTIONS,
        *([] if paths else [*FOLDERS, f"--ignore={SAME_EVERYWHERE}"]),
        *arguments,
    ]
    environment = windows_env.environment()
    # Compiled modules halve the time in which a process starts.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    tests = subprocess.Popen(
        command,
        cwd=windows_env.ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    assert tests.stdout is not None
    # A thread reads, because a process that is left over keeps the pipe open after pytest has ended.
    printer = threading.Thread(target=_print_all, args=(tests.stdout,), daemon=True)
    printer.start()
    try:
        code = tests.wait(LONGEST)
        printer.join(ENDING)
    except subprocess.TimeoutExpired:
        print(f"\nThe tests were ended after {LONGEST / 60:.0f} minutes.", flush=True)
        code = 124
    finally:
        _end_all(tests)
    printer.join(ENDING)
    return code


def _print_all(output: IO[bytes]) -> None:
    while part := output.read1():  # type: ignore[attr-defined]
        sys.stdout.buffer.write(part)
        sys.stdout.buffer.flush()


def _end_all(tests: subprocess.Popen[bytes]) -> None:
    """End the tests and every other process in their prefix."""
    with suppress(subprocess.TimeoutExpired):
        subprocess.run(["wineserver", "-k"], env=windows_env.environment(), timeout=ENDING, check=False)
    with suppress(ProcessLookupError):
        os.killpg(tests.pid, signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
