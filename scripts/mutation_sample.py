"""Sample of mutants, each run against the tests that execute its line.

A mutant is the program with one small fault. ``python -m scripts.mutation_sample hosting eventlog`` draws
mutants of these packages, the same number of each, and prints those that no test notices. It works on a copy
of the repository: an agent's process must have the fault too, and that process imports files.
docs/testing.md has the result.

First every test runs once under coverage, which gives the tests of each line (``pip install coverage``).
That, and which mutants were killed, is kept in the work folder; what survived is tried again by the next
call.
"""

from __future__ import annotations

import argparse
import ast
import copy
import fnmatch
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.mutation_plugin import COVERAGE, NOT_SWAPPED, PLAN, RESULTS, WORK_FOLDER

ROOT = Path(__file__).parent.parent
PACKAGE = "negoplatform"
LEFT_OUT = ("*/windows_*.py",)
"""Files whose code runs on Windows alone."""

FOLDERS = ("hosting", "eventlog", "language", "app", "study", "core", "cli", "testing", "presentation")
"""Folders of tests that may notice a mutant; those with windows take too long."""

STARTS_PROCESSES = f"{PACKAGE}/hosting/child_process.py"
"""File whose tests start agents' processes: nothing measures which lines these execute."""

OPTIONS = ("-n", "0", "-p", "no:cacheprovider", "-p", "scripts.mutation_plugin", "-m", "not window")

LONGEST_WAIT = 40.0
"""Seconds that a mutant's tests may take beyond twice the time that they took under coverage."""

STARTING_SECONDS = 60.0
"""Seconds that pytest itself may take."""

SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
CALLS = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True, slots=True)
class Mutant:
    """A file with one part replaced.

    Args:
        path: The file, from the root.
        lines: First and last line of the statement that was changed, or of its head.
        span: First and last byte of the part that is replaced.
        text: What stands there instead.
        was: What stood there.
        at_import: Whether it is executed when the file is imported, not when a function is called.
    """

    path: str
    lines: tuple[int, int]
    span: tuple[int, int]
    text: str
    was: str
    at_import: bool

    def apply(self, source: bytes) -> bytes:
        """Return the changed file."""
        start, end = self.span
        return source[:start] + self.text.encode() + source[end:]

    def __str__(self) -> str:
        was, text = (" ".join(part.split()) for part in (self.was, self.text))
        return f"{self.path.removeprefix(PACKAGE + '/')}:{self.lines[0]}: {was} → {text}"


def mutants_of(path: str) -> list[Mutant]:
    """Return all mutants of a file."""
    source = (ROOT / path).read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = []
    for statement, node, text, at_import in _changes(ast.parse(source), None, at_import=True):
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset
        was = source[start:end].decode()
        same_lines = text.removesuffix(")") + "\n" * was.count("\n") + ")" * text.endswith(")")
        found.append(Mutant(path, _head(statement), (start, end), same_lines, was, at_import))
    return found


def _head(statement: Any) -> tuple[int, int]:
    """Return the lines of a statement without the statements in it."""
    body = getattr(statement, "body", None)
    last = body[0].lineno - 1 if isinstance(body, list) and body else statement.end_lineno
    return statement.lineno, max(statement.lineno, last)


def _changes(node: ast.AST, statement: Any, *, at_import: bool) -> Iterator[tuple[Any, Any, str, bool]]:
    """Yield each change below a node: the statement, the part of it, the text that replaces that part.

    The last value is whether it is executed at import. Annotations, decorators, imports, docstrings and other
    texts are left as they are.
    """
    if isinstance(node, ast.Import | ast.ImportFrom | ast.JoinedStr):
        return
    if isinstance(node, ast.stmt):
        statement = node
        if text := _instead_of_statement(node):
            yield statement, node, text, at_import
    elif isinstance(node, ast.expr):
        for changed in _instead_of_expression(node):
            yield statement, node, f"({ast.unparse(changed)})", at_import
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params", "type_comment"):
            continue
        inside = at_import and not (isinstance(node, ast.FunctionDef) and name == "body")
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST):
                continue
            if name == "test" and not _is_negated_by_swap(child):
                yield statement, child, f"(not ({ast.unparse(child)}))", inside
            yield from _changes(child, statement, at_import=inside)


def _is_negated_by_swap(test: ast.AST) -> bool:
    """Return whether another mutant of a test is its negation."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return isinstance(test.ops[0], ast.Eq | ast.NotEq | ast.Is | ast.IsNot | ast.In | ast.NotIn)
    return isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)


def _instead_of_statement(node: ast.stmt) -> str:
    match node:
        case ast.Return(value=ast.Constant(value=bool() | None)):
            return ""  # None instead of False is the same to nearly every caller
        case ast.Return(value=value) if value is not None:
            return "return None"
        case ast.Break():
            return "continue"
        case ast.Continue():
            return "break"
        case ast.Expr(value=ast.Constant()):
            return ""  # a docstring, or an ellipsis
        case ast.Expr(value=ast.Call(func=ast.Name(id="assert_never"))):
            return ""  # for mypy; it is never called
        case ast.Expr() | ast.Raise() | ast.AugAssign() | ast.Delete() | ast.Assert():
            return "pass"
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            return "pass"
    return ""


def _instead_of_expression(node: ast.expr) -> Iterator[ast.expr]:
    """Yield the expressions that replace one."""
    changed: Any = copy.deepcopy(node)
    match node:
        case ast.Compare(ops=[operator, *_]) if type(operator) in SWAPPED:
            changed.ops[0] = SWAPPED[type(operator)]()
            yield changed
        case ast.BinOp(op=operator) if type(operator) in SWAPPED and not _is_text_or_path(node):
            changed.op = SWAPPED[type(operator)]()
            yield changed
        case ast.BoolOp(op=operator, values=values):
            changed.op = SWAPPED[type(operator)]()
            yield changed
            for i in range(len(values)):
                rest = [value for j, value in enumerate(values) if j != i]
                yield rest[0] if len(rest) == 1 else ast.BoolOp(operator, rest)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case ast.Constant(value=bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(value=int() | float() as value):
            yield ast.Constant(value + 1)
        case ast.Call(func=ast.Name(id=name)) if name in CALLS:
            changed.func = ast.Name(CALLS[name])
            yield changed


def _is_text_or_path(node: ast.BinOp) -> bool:
    """Return whether ``+`` joins texts or ``/`` may join a path: the mutant would raise a TypeError."""
    sides = (node.left, node.right)
    numbers = [isinstance(side, ast.Constant) and isinstance(side.value, int | float) for side in sides]
    texts = [isinstance(side, ast.JoinedStr | ast.Constant) for side in sides]
    return (isinstance(node.op, ast.Div) and not any(numbers)) or (any(texts) and not any(numbers))


def draw(packages: Sequence[str], count: int, seed: int) -> list[Mutant]:
    """Return a sample with the same number of mutants of each package."""
    chance = random.Random(seed)
    drawn = []
    for package in packages:
        files = sorted((ROOT / PACKAGE / package).rglob("*.py"))
        paths = [file.relative_to(ROOT).as_posix() for file in files]
        paths = [path for path in paths if not any(fnmatch.fnmatch(path, pattern) for pattern in LEFT_OUT)]
        possible = [mutant for path in paths for mutant in mutants_of(path)]
        drawn += chance.sample(possible, min(len(possible), count // len(packages)))
        print(f"{package}: {len(possible)} mutants are possible")
    return drawn


class TestMap:
    """The tests of each line, and the seconds that each test takes."""

    __test__ = False  # not a class of tests

    def __init__(self, files: Sequence[Path]) -> None:
        self.seconds: dict[str, float] = {}
        self._lines: dict[str, dict[int, set[str]]] = {}
        failed: set[str] = set()
        for file in files:
            measured = json.loads(file.read_text())
            self.seconds |= measured["seconds"]
            failed |= set(measured["failed"])
            for path, lines in measured["lines"].items():
                of_path = self._lines.setdefault(path, {})
                for line, tests in lines.items():
                    of_path.setdefault(int(line), set()).update(tests)
        self.seconds = {test: taken for test, taken in self.seconds.items() if test not in failed}

    def tests_of_line(self, mutant: Mutant) -> list[str]:
        """Return the tests that execute the line, quick ones and those of the same package first."""
        of_path = self._lines.get(mutant.path, {})
        first, last = mutant.lines
        return self._sorted(
            set().union(*(of_path.get(line, set()) for line in range(first, last + 1))), mutant
        )

    def tests_of_file(self, mutant: Mutant) -> list[str]:
        """Return the tests that execute anything of the file, or else start a process that may do that."""
        found = self._all_of(mutant.path)
        if not found and mutant.path.startswith(f"{PACKAGE}/hosting/"):
            found = self._all_of(STARTS_PROCESSES)
        return self._sorted(found, mutant)

    def _all_of(self, path: str) -> set[str]:
        return set().union(*self._lines.get(path, {}).values())

    def _sorted(self, tests: set[str], mutant: Mutant) -> list[str]:
        folder = f"tests/{mutant.path.split('/')[1]}/"
        name = Path(mutant.path).stem

        def place(test: str) -> tuple[bool, bool, float]:
            return name not in test.split("::")[0], not test.startswith(folder), self.seconds[test]

        return sorted((test for test in tests if test in self.seconds), key=place)


class Workshop:
    """A copy of the repository in which tests run, brought up to date.

    The coverage of a folder of tests is measured again when one of its files has changed.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._copy = folder / "copy"
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            check=True,
            capture_output=True,
        )
        for name in filter(None, listed.stdout.decode().split("\0")):
            ours, theirs = ROOT / name, self._copy / name
            if not ours.is_file() or (theirs.is_file() and ours.read_bytes() == theirs.read_bytes()):
                continue
            theirs.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ours, theirs)
            if name.startswith("tests/"):
                (folder / name.split("/")[1] / COVERAGE).unlink(missing_ok=True)

    def test_map(self) -> TestMap:
        """Run each folder of tests once under coverage, unless that was done before."""
        for name in FOLDERS:
            work = self._folder / name
            work.mkdir(exist_ok=True)
            if not (work / COVERAGE).exists():
                began = time.monotonic()
                self._pytest([f"tests/{name}"], work)
                print(f"tests/{name} under coverage: {time.monotonic() - began:.0f} s", flush=True)
        return TestMap([self._folder / name / COVERAGE for name in FOLDERS])

    def run(self, plan: Sequence[Mapping[str, Any]], *, swapped: bool) -> dict[str, str]:
        """Return which test notices each mutant of a plan; empty: none.

        Args:
            plan: The mutants with their tests.
            swapped: Whether all run in one call of pytest, in forked processes in which functions are
                swapped. What is executed at import needs a call for each.
        """
        work = self._folder / "plan"
        work.mkdir(exist_ok=True)
        (work / RESULTS).unlink(missing_ok=True)
        for part in [plan] if swapped else [[one] for one in plan]:
            (work / PLAN).write_text(json.dumps(part))
            tests = sorted({test for planned in part for test in planned["tests"]})
            (work / "tests.txt").write_text("\n".join(tests))
            if swapped:
                self._pytest([f"@{work / 'tests.txt'}"], work)
            else:
                self._run_changed(part[0], work)
        results = [json.loads(line) for line in (work / RESULTS).read_text().splitlines()]
        return {name: noticed for name, noticed, *_ in results}

    def _run_changed(self, planned: Mapping[str, Any], work: Path) -> None:
        """Run a mutant that all files are imported with."""
        file = self._copy / planned["path"]
        source, stat = file.read_bytes(), file.stat()
        try:
            file.write_text(planned["source"], encoding="utf-8")
            (work / RESULTS).touch()
            before = (work / RESULTS).read_text()
            code = self._pytest([f"@{work / 'tests.txt'}"], work, planned["seconds"] + STARTING_SECONDS)
            if (work / RESULTS).read_text() == before:
                noticed = "pytest itself" if code else "no end"
                (work / RESULTS).write_text(before + json.dumps([planned["name"], noticed]) + "\n")
        finally:
            file.write_bytes(source)
            os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))

    def _pytest(self, arguments: Sequence[str], work: Path, seconds: float | None = None) -> int | None:
        """Run pytest with the plugin in the copy; return its exit code, or None if it took too long."""
        path = os.pathsep.join([str(self._copy), *filter(None, [os.environ.get("PYTHONPATH")])])
        environment = {**os.environ, "PYTHONPATH": path, WORK_FOLDER: str(work)}
        # A module that was compiled with a fault would be used for the next mutant.
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        if (work / PLAN).exists():
            environment["PYTHONDONTWRITEBYTECODE"] = "1"
        command = [sys.executable, "-m", "pytest", *OPTIONS, *arguments]
        with (work / "output.txt").open("w") as output:
            tests = subprocess.Popen(
                command,
                cwd=self._copy,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                return tests.wait(seconds)
            except subprocess.TimeoutExpired:
                return None
            finally:
                if tests.poll() is None:
                    os.killpg(tests.pid, signal.SIGKILL)
                    tests.wait()


def within(tests: Sequence[str], seconds: Mapping[str, float], most: float) -> list[str]:
    """Return the first tests that take so long together; at least one."""
    total = 0.0
    chosen: list[str] = []
    for test in tests:
        total += seconds[test]
        if chosen and total > most:
            break
        chosen.append(test)
    return chosen


def plan_for(mutant: Mutant, tests: TestMap, most: float) -> dict[str, Any]:
    """Return a mutant with the tests that execute its line, and then those of its file."""
    of_line = tests.tests_of_line(mutant)
    of_file = [test for test in tests.tests_of_file(mutant) if test not in set(of_line)]
    chosen = within(of_line, tests.seconds, most)
    chosen += within(of_file, tests.seconds, most / 2 if of_line else most)
    expected = sum(tests.seconds[test] for test in chosen)
    return {
        "name": str(mutant),
        "path": mutant.path,
        "source": mutant.apply((ROOT / mutant.path).read_bytes()).decode(),
        "tests": chosen,
        "seconds": 2 * expected + LONGEST_WAIT,
    }


def main() -> int:
    """Draw the sample, run it, and print the survivors."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("packages", nargs="+", help=f"packages below {PACKAGE}, such as hosting")
    parser.add_argument("--seed", type=int, default=25)
    parser.add_argument("--count", type=int, default=200, help="mutants in all")
    parser.add_argument("--seconds", type=float, default=60, help="most seconds of tests for a mutant")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "mutants")
    parser.add_argument("--list", action="store_true", help="print the sample and run nothing")
    options = parser.parse_args()
    sample = draw(options.packages, options.count, options.seed)
    if options.list:
        print(*sample, sep="\n")
        return 0
    options.work.mkdir(parents=True, exist_ok=True)
    workshop = Workshop(options.work.resolve())
    tests = workshop.test_map()
    kept = options.work / "results.json"
    results: dict[str, str] = json.loads(kept.read_text()) if kept.exists() else {}
    left = {str(mutant): mutant for mutant in sample if not results.get(str(mutant))}
    for swapped in (True, False):
        plan = [
            plan_for(mutant, tests, options.seconds)
            for mutant in left.values()
            if not (swapped and mutant.at_import)
        ]
        found = workshop.run(plan, swapped=swapped) if plan else {}
        results |= {name: noticed for name, noticed in found.items() if noticed != NOT_SWAPPED}
        left = {name: mutant for name, mutant in left.items() if name not in results}
        kept.write_text(json.dumps(results, indent=1, ensure_ascii=False))
    survivors = [mutant for mutant in sample if not results.get(str(mutant))]
    for package in options.packages:
        drawn = [mutant for mutant in sample if mutant.path.startswith(f"{PACKAGE}/{package}/")]
        alive = [mutant for mutant in drawn if mutant in survivors]
        print(f"{package}: {len(drawn) - len(alive)} of {len(drawn)} killed")
    print(*survivors, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
