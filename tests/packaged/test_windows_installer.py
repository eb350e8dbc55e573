"""The installer for Windows: files, registry, refusals, upgrade and uninstallation."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

import negoplatform
from tests.packaged.hands import all_gone
from tests.packaged.installed_under_wine import (
    PATIENCE,
    UNINSTALL,
    USER,
    InstalledUnderWine,
    wine_prefix,
)
from tests.window.conftest import Program
from tests.x_server import Screen

START = Callable[..., Program]

CLASSES = "Software\\Classes"

IN_USE, WRONG_FOLDER, NO_FOLDER = 3, 5, 7
"""Exit codes of a silent run of the installer."""

RUN = """
import subprocess, sys

subprocess.Popen(sys.argv[1])
"""

ANOTHER_PROGRAM = """
import winreg

with winreg.CreateKey(winreg.HKEY_CURRENT_USER, r"Software\\Classes\\.jsonl\\OpenWithProgids") as key:
    winreg.SetValueEx(key, "Another.Editor", 0, winreg.REG_SZ, "")
"""

MENU = Path("Microsoft", "Windows", "Start Menu", "Programs", "NegoPlatform.lnk")


def own_names(app: InstalledUnderWine) -> tuple[str, str]:
    """Return the program's folder and file as Windows names them."""
    return app.name_of(app.executable.parent), app.name_of(app.executable)


def test_an_account_without_rights_gets_it_in_its_own_folder_the_menu_and_the_list_of_programs(
    windows: InstalledUnderWine,
) -> None:
    folder, program = own_names(windows)
    listed = windows.registry(UNINSTALL)

    assert folder == rf"C:\users\{USER}\AppData\Local\Programs\NegoPlatform"
    assert (windows.profile / "AppData" / "Roaming" / MENU).is_file()
    assert listed["DisplayName"] == "NegoPlatform"
    assert listed["DisplayVersion"] == negoplatform.__version__
    assert listed["DisplayIcon"] == program
    assert listed["Publisher"] == "The NegoPlatform authors"
    assert listed["InstallLocation"] == folder
    assert listed["UninstallString"] == rf'"{folder}\Uninstall.exe"'
    assert listed["QuietUninstallString"] == rf'"{folder}\Uninstall.exe" /S'
    size = sum(path.stat().st_size for path in windows.executable.parent.rglob("*") if path.is_file())
    assert listed["EstimatedSize"] * 1024 == pytest.approx(size, rel=0.02)
    assert windows.registry(UNINSTALL, "HKEY_LOCAL_MACHINE") is None


def test_it_is_offered_for_logs_and_takes_them_from_no_other_program(windows: InstalledUnderWine) -> None:
    command = f'"{own_names(windows)[1]}" "%1"'
    suffix = windows.registry(rf"{CLASSES}\.jsonl")
    kind = windows.registry(rf"{CLASSES}\NegoPlatform.Log")
    application = windows.registry(rf"{CLASSES}\Applications\NegoPlatform.exe")

    assert suffix == {"OpenWithProgids\\": {"NegoPlatform.Log": ""}}
    assert kind[""] == "Negotiation session log"
    assert kind["shell\\"]["open\\"]["command\\"][""] == command
    assert application["shell\\"]["open\\"]["command\\"][""] == command
    assert application["SupportedTypes\\"] == {".jsonl": ""}


@pytest.mark.window
def test_the_command_that_is_registered_for_a_log_shows_it(windows: InstalledUnderWine) -> None:
    sessions = windows.home / "simulated games"
    windows.says(
        *("simulate", "--game", "practice", "--agents", "fair", "conceder", "--n", "1", "--logs", sessions)
    )
    log = min(sessions.glob("*/events.jsonl"))

    kind = windows.registry(rf"{CLASSES}\NegoPlatform.Log\shell\open\command")

    # Wine itself opens only files of a kind that a program has made its own (os.startfile: WinError 193).
    windows.start_by_python(RUN, kind[""].replace("%1", windows.name_of(log)))
    windows.wait_for_window()
    running = windows.processes()
    windows.screen.run("xdotool", "key", "alt+F4")

    end = time.monotonic() + PATIENCE
    while not all_gone(running) and time.monotonic() < end:
        time.sleep(0.1)
    assert running
    assert all_gone(running)


def test_a_newer_version_leaves_nothing_of_the_older_and_what_a_laboratory_put_beside_it(
    windows: InstalledUnderWine, setup: Path
) -> None:
    folder = windows.executable.parent
    old, agent = folder / "_internal" / "old.pyd", folder / "agents" / "ours.py"
    agent.parent.mkdir()
    for file in (old, agent):
        file.write_text("# something\n", encoding="utf-8")

    done = windows.install(setup)

    assert (done.returncode, done.stderr) == (0, b"")
    assert not old.exists()
    assert agent.read_text(encoding="utf-8") == "# something\n"
    assert negoplatform.__version__ in windows.says("--version")
    agent.unlink()
    agent.parent.rmdir()


@pytest.mark.window
def test_as_long_as_it_runs_it_is_neither_replaced_nor_removed(
    start: START, windows: InstalledUnderWine, setup: Path
) -> None:
    program = start()
    program.wait_for("start_screen")
    before = sorted(windows.executable.parent.rglob("*"))

    done = windows.install(setup)
    removed = windows.run_here("wine", windows.name_of(windows.executable.with_name("Uninstall.exe")), "/S")
    time.sleep(3)

    assert done.returncode == IN_USE
    assert done.stderr.endswith(b"is in use: close it and try again.\r\n")
    assert removed.stdout == b""
    assert sorted(windows.executable.parent.rglob("*")) == before
    assert program.process.poll() is None


def test_the_folder_of_another_program_is_refused(
    windows: InstalledUnderWine, setup: Path, tmp_path: Path
) -> None:
    other = tmp_path / "Other program" / "_internal" / "its.dll"
    other.parent.mkdir(parents=True)
    other.write_bytes(b"its own")

    done = windows.install(setup, f"/D={windows.name_of(other.parents[1])}")

    assert done.returncode == WRONG_FOLDER
    assert done.stderr.endswith(b"contains another program: choose a different folder.\r\n")
    assert [path.name for path in other.parents[1].rglob("*")] == ["_internal", "its.dll"]


@pytest.mark.parametrize("folder", ["C:/lab/Nego", "Q:\\lab\\Nego", "C:\\lab 4\\Nego", "C:\\lab|x\\Nego"])
def test_a_folder_that_the_installer_would_not_use_is_refused(
    windows: InstalledUnderWine, setup: Path, folder: str
) -> None:
    # As one argument, which gets quotes if it has a blank, as in PowerShell.
    done = windows.run_here("wine", windows.name_of(setup), "/S", f"/D={folder}")

    assert done.returncode == NO_FOLDER
    assert b"cannot be used: write it last, without quotes" in done.stderr
    assert windows.registry(UNINSTALL)["InstallLocation"] == windows.name_of(windows.executable.parent)


@pytest.mark.parametrize(
    ("options", "place", "hive", "menu"),
    [
        (
            ["/D=C:\\Labor \u00e9 2\\Nego"],
            "Labor \u00e9 2/Nego",
            "HKEY_CURRENT_USER",
            f"users/{USER}/AppData/Roaming",
        ),
        (["/ALLUSERS"], "Program Files/NegoPlatform", "HKEY_LOCAL_MACHINE", "ProgramData"),
    ],
    ids=["in a folder", "for all users"],
)
def test_what_is_uninstalled_is_gone_and_sessions_agents_and_the_entries_of_others_stay(
    setup: Path,
    app_screen: Screen,
    tmp_path: Path,
    options: list[str],
    place: str,
    hive: str,
    menu: str,
) -> None:
    with wine_prefix(tmp_path / "prefix") as prefix:
        drive = prefix / "drive_c"
        program = drive / place / "NegoPlatform.exe"
        app = InstalledUnderWine(program, tmp_path, app_screen, patience=PATIENCE, prefix=prefix)
        app.run_python(ANOTHER_PROGRAM)
        interrupted = program.parent / "_internal" / "negoplatform" / "older.txt"
        interrupted.parent.mkdir(parents=True)
        interrupted.write_text("left by an installation that was interrupted", encoding="utf-8")
        done = app.install(setup, *options)
        assert (done.returncode, done.stderr) == (0, b"")
        assert not interrupted.exists()
        before = app.registry(UNINSTALL, hive)
        app.says("new-agent", "haggler")
        beside = program.parent / "agents" / "ours.py"
        beside.parent.mkdir()
        beside.write_text("# ours\n", encoding="utf-8")
        shortcut = drive / menu / MENU
        assert shortcut.is_file()

        app.uninstall()

        assert before["InstallLocation"] == app.name_of(program.parent)
        assert sorted(path.name for path in program.parent.rglob("*")) == ["agents", "ours.py"]
        assert (app.data_dir / "agents" / "haggler" / "agent.py").is_file()
        assert not shortcut.exists()
        assert app.registry(UNINSTALL, hive) is None
        assert app.registry(rf"{CLASSES}\NegoPlatform.Log", hive) is None
        assert app.registry(rf"{CLASSES}\Applications\NegoPlatform.exe", hive) is None
        ours = app.registry(rf"{CLASSES}\.jsonl")
        assert ours == {"OpenWithProgids\\": {"Another.Editor": ""}}
