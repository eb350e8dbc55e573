"""Tables of docs/testing.md: every file and every test that they name exists."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.docs.pages import ROOT

PAGE = ROOT / "docs" / "testing.md"
HEADER = re.compile(r"\| row \| file \| test \|")
NAMED = re.compile(r"`([^`]+)`")
FILES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("*.py"))
NAMES_OF_COMMAND = {
    *(f"H{number}" for number in (*range(1, 15), 22, 23, *range(25, 39), 40, *range(63, 72))),
    *(f"H{number}" for number in (*range(84, 90), *range(91, 106))),
    *(f"S{number}" for number in range(10, 37)),
}
"""Capabilities of the section about command, teams and assistants."""
NAMES_OF_TRAINING = {
    f"H{number}" for number in (*range(15, 25), 39, *range(72, 84), 90, 103, *range(106, 112))
}
"""Capabilities of the section about training."""


def rows() -> list[tuple[int, str, list[str], list[str]]]:
    """Return the rows of all tables with tests: number of the line, capabilities, files, tests."""
    found = []
    inside = False
    for number, line in enumerate(PAGE.read_text(encoding="utf-8").splitlines(), 1):
        inside = bool(HEADER.match(line)) or (inside and line.startswith("|"))
        if inside and not HEADER.match(line) and not line.startswith("|---"):
            _, row, files, tests, *_ = line.split("|")
            found.append((number, row, NAMED.findall(files), NAMED.findall(tests)))
    return found


@cache
def definitions(file: str) -> frozenset[str]:
    """Return the names of the tests and classes of a file."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    names = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    for node in tree.body:
        if isinstance(node, ast.Assign):
            names.update(target.id for target in node.targets if isinstance(target, ast.Name))
    return frozenset(names)


def candidates(name: str) -> list[str]:
    """Return the files of the suite that a cell of a table may mean."""
    return [file for file in FILES if Path(file) == Path(name) or file.endswith(f"/{name}")]


def test_the_page_has_tables_with_tests() -> None:
    assert len(rows()) > 60


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"line {row[0]}")
def test_every_file_and_every_test_of_a_row_exists(row: tuple[int, str, list[str], list[str]]) -> None:
    _, _, files, tests = row

    known = {name for file in files for found in candidates(file) for name in definitions(found)}

    assert [file for file in files if file.endswith(".py") and not candidates(file)] == []
    assert [test for test in tests if test not in known] == []


@pytest.mark.parametrize(
    ("section", "following", "expected"),
    [
        ("## Command, teams and assistants", "## Training", NAMES_OF_COMMAND),
        ("## Training", "## The window", NAMES_OF_TRAINING),
    ],
    ids=["command", "training"],
)
def test_each_capability_of_a_section_has_a_row(section: str, following: str, expected: set[str]) -> None:
    page = PAGE.read_text(encoding="utf-8").splitlines()
    first, last = page.index(section) + 1, page.index(following) + 1
    named: set[str] = set()

    for number, row, _, _ in rows():
        if first < number < last:
            for kind, begin, end in re.findall(r"\b([HS])(\d+)(?:–[HS](\d+))?", row):
                named.update(f"{kind}{one}" for one in range(int(begin), int(end or begin) + 1))

    assert expected - named == set()
