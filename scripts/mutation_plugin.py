"""Plugin of pytest for the mutation sample: the coverage of each test, and mutants in forked processes.

:mod:`scripts.mutation_sample` starts pytest with it, and with a folder in an environment variable. Without a
plan there, each test runs under coverage. With one, all tests are collected once; then each mutant's
tests run in a copy of this process in which its function has the fault. That saves the imports, which take
longer than the tests.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

WORK_FOLDER = "NEGOPLATFORM_MUTATION_WORK"
"""Environment variable: the folder in which the plan is, and in which the results are written."""

PLAN, RESULTS, COVERAGE = "plan.json", "noticed.jsonl", "coverage.json"

NOT_SWAPPED = "not swapped"
"""Result of a mutant whose function cannot be given its code in a running process."""

POLL_SECONDS = 0.01


def pytest_configure(config: pytest.Config) -> None:
    """Register the part that is needed."""
    work = Path(os.environ[WORK_FOLDER])
    planned = (work / PLAN).exists()
    config.pluginmanager.register(MutantRuns(work) if planned else CoverageOfTests(work))


class CoverageOfTests:
    """Coverage of each test, its seconds, and whether it failed."""

    def __init__(self, work: Path) -> None:
        from coverage import Coverage  # type: ignore[import-not-found,unused-ignore]  # needed here alone

        self._work = work
        self._seconds: Counter[str] = Counter()
        self._failed: list[str] = []
        package = str(Path.cwd() / "negoplatform")
        self._coverage: Any = Coverage(
            data_file=str(work / "coverage.data"), source=[package], config_file=False
        )
        self._coverage.start()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Attribute the lines that follow to a test."""
        self._coverage.switch_context(nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note how long a test took, and whether it failed."""
        self._seconds[report.nodeid] += report.duration
        if report.failed:
            self._failed.append(report.nodeid)

    def pytest_unconfigure(self) -> None:
        """Write all of it."""
        self._coverage.stop()
        data = self._coverage.get_data()
        lines = {
            Path(file).relative_to(Path.cwd()).as_posix(): {
                str(line): [context for context in contexts if context]
                for line, contexts in data.contexts_by_lineno(file).items()
            }
            for file in data.measured_files()
        }
        found = {"seconds": self._seconds, "failed": self._failed, "lines": lines}
        (self._work / COVERAGE).write_text(json.dumps(found))


class MutantRuns:
    """Runs of the tests of each mutant, in a forked process."""

    def __init__(self, work: Path) -> None:
        self._work = work
        self._failed = ""

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the mutants of the plan instead of the tests."""
        gc.unfreeze()  # tests/conftest.py has frozen all functions, so that they would not be found
        items = {item.nodeid: item for item in session.items}
        for planned in json.loads((self._work / PLAN).read_text()):
            tests = [items[test] for test in planned["tests"] if test in items]
            began = time.monotonic()
            noticed = self._try(planned, tests) if tests else ""
            with (self._work / RESULTS).open("a") as file:
                seconds = round(time.monotonic() - began, 1)
                print(json.dumps([planned["name"], noticed, len(tests), seconds]), file=file)
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note the first test that fails."""
        if report.failed and not self._failed:
            reason = getattr(getattr(report.longrepr, "reprcrash", None), "message", "")
            self._failed = f"{report.nodeid}: {' '.join(str(reason).split())[:120]}"

    def _try(self, planned: dict[str, Any], tests: list[pytest.Item]) -> str:
        """Return the test that notices a mutant; empty: none."""
        file = Path.cwd() / planned["path"]
        source, stat = file.read_bytes(), file.stat()
        answer = self._work / "answer.txt"
        answer.unlink(missing_ok=True)
        # Also in the file, which agents' processes import.
        file.write_text(planned["source"], encoding="utf-8")
        child = os.fork()
        if child == 0:
            self._run_and_exit(file, planned["source"], tests, answer)
        try:
            ended = _wait(child, planned["seconds"])
        finally:
            file.write_bytes(source)
            os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))
        if not ended:
            return f"no end within {planned['seconds']:.0f} s"
        return answer.read_text(encoding="utf-8") if answer.exists() else "the process of the tests ended"

    def _run_and_exit(self, file: Path, source: str, tests: list[pytest.Item], answer: Path) -> None:
        """Run tests until one fails; never return."""
        os.setsid()
        try:
            try:
                for function, code in _faulty(file, source):
                    function.__code__ = code
            except ValueError:  # it uses other variables of the function around it
                answer.write_text(NOT_SWAPPED)
                return
            for test, following in zip(tests, [*tests[1:], None], strict=True):
                test.config.hook.pytest_runtest_protocol(item=test, nextitem=following)
                if self._failed:
                    break
            answer.write_text(self._failed, encoding="utf-8", errors="replace")
        except BaseException as error:  # noqa: BLE001 - the process ends here in any case
            answer.write_text(f"{type(error).__name__}: {error}", encoding="utf-8", errors="replace")
        finally:
            os._exit(0)


def _wait(child: int, seconds: float) -> bool:
    """Wait until a process has ended; end it and its group after some seconds, and return False."""
    until = time.monotonic() + seconds
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        if time.monotonic() > until:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return False
        time.sleep(POLL_SECONDS)
    return True


def _faulty(file: Path, source: str) -> list[tuple[FunctionType, CodeType]]:
    """Return the functions of a file with their code from a changed source that has the same lines."""
    codes = {_place(code): code for code in _codes(compile(source, str(file), "exec", dont_inherit=True))}
    functions = [one for one in gc.get_objects() if type(one) is FunctionType]
    return [
        (function, codes[_place(function.__code__)])
        for function in functions
        if function.__code__.co_filename == str(file) and _place(function.__code__) in codes
    ]


def _place(code: CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno


def _codes(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)
