"""The two programs for Windows: what is in them, in a terminal, and without one."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest

import negoplatform
from tests.packaged.installed_under_wine import PATIENCE, InstalledUnderWine

BY_WINE = (b"Wine builtin DLL", b"Wine placeholder DLL")
"""Beginning of the programs and libraries that Wine has instead of those of Windows."""

OF_WINDOWS = ("bcryptprimitives", "ucrtbase", "api-ms-win-", "opengl32", "d3d")
"""Beginnings of the names of libraries that Windows has."""

WINDOW, CONSOLE = 2, 3
"""Subsystems of Windows, as a program's file has them."""

DESCRIBE = """
import json, pefile, struct, sys

told = {}
for path in sys.argv[1:]:
    file = pefile.PE(path)
    table = file.FileInfo[0][0].StringTable[0].entries
    kinds = {entry.id: entry for entry in file.DIRECTORY_ENTRY_RESOURCE.entries}
    group = kinds[pefile.RESOURCE_TYPE["RT_GROUP_ICON"]].directory.entries[0].directory.entries[0].data.struct
    icons = file.get_data(group.OffsetToData, group.Size)
    told[path] = {
        "subsystem": file.OPTIONAL_HEADER.Subsystem,
        "words": {name.decode(): value.decode() for name, value in table.items()},
        "icons": sorted(icons[6 + 14 * at] or 256 for at in range(struct.unpack_from("<H", icons, 4)[0])),
    }
print(json.dumps(told))
"""

START_WITHOUT_HANDLES = """
import subprocess, sys

none = subprocess.STARTUPINFO(dwFlags=subprocess.STARTF_USESTDHANDLES)
subprocess.Popen(sys.argv[1:], startupinfo=none, creationflags=subprocess.DETACHED_PROCESS)
"""


def in_terminal(app: InstalledUnderWine, line: str) -> bytes:
    """Return the output of a line of the Windows command prompt, in which %CONSOLE% is the program."""
    script = app.home / "line.bat"
    program = app.name_of(app.executable.with_name("negoplatform-console.exe"))
    # Wine's command prompt reads scripts in a code page; the environment keeps every letter.
    script.write_text(f"@{line}\r\n", encoding="ascii")
    done = app.run_here("/usr/bin/env", f"CONSOLE={program}", "wine", "cmd", "/c", app.name_of(script))
    assert done.stderr == b""
    return done.stdout


def test_nothing_of_wine_and_nothing_that_windows_has_is_in_the_program(windows: InstalledUnderWine) -> None:
    files = [path for path in windows.executable.parent.rglob("*") if path.suffix in {".exe", ".dll", ".pyd"}]
    by_wine = [path.name for path in files if any(mark in path.read_bytes()[:256] for mark in BY_WINE)]
    system = [path.name for path in files if path.name.lower().startswith(OF_WINDOWS)]

    assert len(files) > 30
    assert by_wine == []
    assert system == []
    assert not [path.name for path in windows.executable.parent.rglob("*numpy*")]


def test_both_programs_and_the_uninstaller_have_a_version_and_the_icon(windows: InstalledUnderWine) -> None:
    folder = windows.executable.parent
    names = ("NegoPlatform.exe", "negoplatform-console.exe", "Uninstall.exe")

    told = windows.run_python(DESCRIBE, *(windows.name_of(folder / name) for name in names))

    described: list[dict[str, Any]] = list(json.loads(told).values())
    assert [each["subsystem"] for each in described] == [WINDOW, CONSOLE, WINDOW]
    assert [each["words"]["ProductVersion"] for each in described] == [negoplatform.__version__] * 3
    assert [each["words"]["ProductName"] for each in described] == ["NegoPlatform"] * 3
    assert [each["icons"] for each in described] == [[16, 32, 48, 64, 128, 256]] * 3


@pytest.mark.parametrize("page", ["437", "850", "65001"])
def test_redirected_output_is_utf_8_in_every_code_page(windows: InstalledUnderWine, page: str) -> None:
    told = in_terminal(
        windows,
        f'chcp {page} >nul & "%CONSOLE%" list games --plain >games.txt & "%CONSOLE%" list games',
    )

    assert told.decode("utf-8").count("€") > 0
    assert "practice" in (windows.home / "games.txt").read_text(encoding="utf-8").splitlines()


def test_a_script_learns_from_the_exit_code_how_a_command_ended(windows: InstalledUnderWine) -> None:
    broken = windows.home / "broken.jsonl"
    broken.write_text("Not a log.\n", encoding="utf-8")

    codes = [
        windows.run(*line).returncode for line in (["--version"], ["log", "verify", broken], ["no-such"])
    ]
    told = in_terminal(windows, '"%CONSOLE%" --version && echo went well')

    assert codes == [0, 1, 2]
    assert told.decode().splitlines()[-1].strip() == "went well"


KEEPS_A_KEY = """
import keyring
from negoplatform.agent_api.base import NegotiationAgent

assert keyring.get_keyring().name.startswith("Windows"), keyring.get_keyring()
keyring.set_password("NegoPlatform", "A_KEY", "kept – ש")
assert keyring.get_password("NegoPlatform", "A_KEY") == "kept – ש"
keyring.delete_password("NegoPlatform", "A_KEY")


class KeepsAKey(NegotiationAgent):
    pass
"""


def test_keys_of_language_models_are_in_the_key_ring_of_windows(windows: InstalledUnderWine) -> None:
    agent = windows.home / "keeps_a_key.py"
    agent.write_text(KEEPS_A_KEY, encoding="utf-8")

    assert windows.says("check", agent).splitlines()[-1].startswith("No errors")


@pytest.mark.window
def test_without_any_standard_handle_the_window_negotiates_with_an_agent_in_a_process(
    windows: InstalledUnderWine,
) -> None:
    options = ("--game", "practice", "--agent", "fair", "--participant", "P05", "--no-briefing")
    program = (windows.name_of(windows.executable), "play", *options, "--opening-delay", "0")

    windows.start_by_python(START_WITHOUT_HANDLES, *program)
    windows.wait_for_window()
    messages = wait_for_messages(windows.data_dir)
    processes = windows.processes()
    for pid in processes:
        os.kill(pid, signal.SIGKILL)

    assert messages[0]["sender"] == "agent"
    assert len(processes) >= 2
    assert not list(windows.data_dir.glob("crashes/*"))


def wait_for_messages(data_dir: Path) -> list[dict[str, Any]]:
    """Wait until the log of the only session has messages; return them."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        for log in data_dir.glob("sessions/*/events.jsonl"):
            lines = log.read_text(encoding="utf-8").split("\n")[1:-1]
            found = [event for event in map(json.loads, lines) if event["type"] == "SEND_MESSAGE"]
            if found:
                return found
        time.sleep(0.1)
    raise AssertionError(f"No message is in a log in {data_dir}.")
