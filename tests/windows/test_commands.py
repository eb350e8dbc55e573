"""Scripts of the documentation, run by Windows' own command interpreter."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.windows_env import windows_path
from tests.docs.test_experimenter import block
from tests.windows.machine import Machine
from tests.x_server import Screen

PLAN = "P-101 fair 101\r\nP-102 boulware 102\r\nP-1020 linear 7\r\n"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("P-102", 'play --game campsite --agent "boulware" --seed 102 --participant P-102 --full-screen'),
        ("P-10", "There is no code P-10 in plan.txt."),
    ],
)
def test_the_script_starts_what_the_plan_has_for_a_code(
    windows: Machine, screen: Screen, tmp_path: Path, code: str, expected: str
) -> None:
    lines = block("bat", "plan.txt").text.splitlines()
    assert lines[2].startswith("set program=")
    lines[2] = r"set program=%~dp0program.bat"
    (tmp_path / "study.bat").write_bytes("\r\n".join([*lines, ""]).encode())
    (tmp_path / "program.bat").write_bytes(b"@echo off\r\necho %*\r\n")
    (tmp_path / "plan.txt").write_bytes(PLAN.encode())

    told = windows.run(screen, windows_path(tmp_path / "study.bat"), typed=f"{code}\r\n")

    assert told.stdout.removeprefix("Participant code: ").startswith(expected)
