"""Program for Windows under Wine: a game between agents, with their processes and its log.

``make test-windows`` runs the other tests there.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from negoplatform.cli.main import run as cli
from scripts.windows_env import PYTHON, environment, python_command, unix_path, windows_path
from tests.app.simulation.test_simulate import without_wall_clock

LONGEST = 100.0
"""Seconds that a command may take; an upper bound, not a measure."""

needs_wine = pytest.mark.skipif(
    shutil.which("wine") is None or not PYTHON.is_file(),
    reason="Wine or its Python for Windows is missing; make windows-env makes it",
)


def run(*arguments: str) -> str:
    """Return the output of the program for Windows."""
    ran = subprocess.run(
        [*python_command(), "-m", "negoplatform", *arguments],
        env=environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=LONGEST,
    )
    assert (ran.returncode, ran.stderr) == (0, b""), (ran.stdout + ran.stderr).decode(errors="replace")
    return ran.stdout.decode("utf-8").replace("\r\n", "\n")


@needs_wine
@pytest.mark.timeout(3 * LONGEST)
def test_a_game_among_processes_on_windows_has_the_log_that_it_has_here(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "Łódź 数据"  # letters that no single code page has
    for folder in (here, there):
        folder.mkdir()
        # Not what is tried here, and processes start slowly under Wine.
        (folder / "slow.json").write_text('{"budget": {"load_seconds": 60}}', encoding="utf-8")

    def arguments(folder: str, slow: str) -> list[str]:
        agents = ["--agents", f"fair@{slow}", f"negochat@{slow}", "--isolated", "--seatings", "given"]
        return ["simulate", "--game", "practice", *agents, "--n", "1", "--logs", folder, "--data-dir", folder]

    listed = run("list", "games", "--data-dir", windows_path(there))
    run(*arguments(windows_path(there), windows_path(there / "slow.json")))
    assert cli(arguments(str(here), str(here / "slow.json"))) == 0
    verified = run("log", "verify", windows_path(next(there.glob("*/events.jsonl"))))

    assert "€1,100 a month" in listed
    assert without_wall_clock(there) == without_wall_clock(here)
    assert b"\r" not in next(there.glob("*/events.jsonl")).read_bytes()
    assert "events.jsonl: sound; 39 lines" in verified


def test_a_path_has_a_name_on_the_drive_of_the_whole_file_system(tmp_path: Path) -> None:
    path = tmp_path / "a b" / "Łódź.jsonl"

    name = windows_path(path)

    assert name == "Z:" + str(path.resolve()).replace("/", "\\")
    assert unix_path(name) == path.resolve()


@pytest.mark.parametrize(
    "name", [r"C:\users\root\Temp\x", "c:/users/root/Temp/x", "C:\\users\\root/Temp\\x\\"]
)
def test_a_name_on_another_drive_is_a_path_in_the_prefix(name: str) -> None:
    assert unix_path(name, Path("/prefix")) == Path("/prefix/drive_c/users/root/Temp/x")


def test_a_drive_is_its_first_folder(tmp_path: Path) -> None:
    assert unix_path("Z:\\") == Path("/")
    assert unix_path("D:", tmp_path) == tmp_path / "drive_d"
