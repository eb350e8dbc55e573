"""Actions of a participant that several tests need, and queries of a log."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from tests.eventlog.logs import lines_of
from tests.hosting.processes import is_gone
from tests.packaged.installed import Installed
from tests.window.conftest import APART, Program


def choose(program: Program, kind: str, name: str) -> None:
    """Choose a game or an agent: click into the list, and press keys until it is the chosen one."""
    program.click(kind)
    passed = [program.wait_for("chosen")["value"]]
    for key in ("End", "Home", *["Down"] * 60):
        if passed[-1] == name:
            return
        program.press(key)
        passed.append(program.wait_for("chosen")["value"])
    raise AssertionError(f"{name} is not among {passed}")


def build(program: Program, **clicks: int) -> None:
    """Click the builder's buttons, each time once the last click is shown: ``bananas__human=4``.

    Under Wine the window is slower than the mouse.
    """
    for cell, times in clicks.items():
        issue, seat = cell.split("__")
        for _ in range(times):
            time.sleep(APART)
            program.click(f"{issue}.{seat}.more")
            program.wait_for("draft")


def say(program: Program, text: str) -> None:
    """Type and send a text, without asking for its interpretation."""
    program.click("entry")
    program.types(text)
    program.press("Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="human")


def close(program: Program) -> str:
    """Close the window, which must end the program; return its output."""
    program.close_window()
    told, _ = program.process.communicate(timeout=30)
    assert program.process.returncode == 0
    return "\n".join([*program.printed, told.decode()])


def read_and_close(program: Program) -> tuple[str, str]:
    """Read the error window and close it; return its text, and the content of stderr."""
    sentence = program.wait_for("error_window")["text"]
    program.click("error.close")
    _, errors = program.process.communicate(timeout=30)
    assert program.process.returncode == 1
    return sentence, errors.decode().replace("\r\n", "\n")


def of(program: Program, sender: str, kind: str) -> list[dict[str, Any]]:
    """Return the payloads of a seat's events of one kind, as recorded in the log."""
    found = [event for event in program.events() if event["type"] == kind and event["sender"] == sender]
    return [event["payload"] for event in found]


def ending(log: Path) -> dict[str, Any]:
    """Return how a session ended, as recorded in its log."""
    return next(line["payload"] for line in lines_of(log) if line.get("type") == "GAME_END")


def verified(app: Installed, log: Path) -> str:
    """Return the packaged program's report on a log, which must be sound."""
    told = app.says("log", "verify", log)
    assert ": sound; " in told
    return told


def all_gone(pids: list[int]) -> bool:
    """Return whether these processes have ended."""
    return all(is_gone(pid) for pid in pids)


def strangers_in(pid: int, folder: Path) -> list[str]:
    """Return the files of a Python that a process has mapped from outside a folder."""
    lines = Path(f"/proc/{pid}/maps").read_text(encoding="utf-8").splitlines()
    files = {line.split(maxsplit=5)[5] for line in lines if "/" in line}
    return sorted(
        file for file in files if "python" in file.lower() and not Path(file).is_relative_to(folder)
    )
