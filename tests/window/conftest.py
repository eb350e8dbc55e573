"""The program, controlled on a private X server by real mouse and keys."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
import tkinter as tk
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from tkinter import font as tkfont
from typing import Any
from unittest import mock

import pytest
from PIL import Image, ImageGrab, ImageTk

from tests.window.forked_programs import ForkedProgram, ForkedPrograms
from tests.x_server import Screen

LONGEST = 30.0
"""Seconds that a test waits for something to be shown; an upper bound, not a measure."""


_INTERPRETERS: list[object] = []
"""Interpreters of the windows that tests have opened in this process."""

USUAL = ("--opening-delay", "0", "--closing-time", "5", "--no-practice")
"""Options that spare tests waiting, unless they request otherwise."""


class Program:
    """The running program: its announcements, and its control by mouse and keys.

    Args:
        screen: The screen on which it runs.
        data_dir: The folder of its sessions.
        arguments: The command line after ``play``.
        brief: Whether the rules are read first.
        replayed: The log that it replays; None: it plays.
        what: The command instead of ``play``; None: it plays.
        usual: Options that spare tests waiting.
        command: The command that starts it; this checkout's own unless given.
        name_of: Return the name of a path in the system of the program, if that is another one.
        path_of: Return the path with such a name.
        patience: Seconds that a test waits for something to be shown.
        forked: The process that forks it; None: it is a new process.

    ``may_report`` is an error that a test provokes and that the program keeps in a crash file; an error of a
    class derived from it may be kept too, such as that of a request to a process that has ended.
    """

    def __init__(
        self,
        screen: Screen,
        data_dir: Path,
        *arguments: str,
        brief: bool = False,
        replayed: Path | None = None,
        what: Sequence[str] | None = None,
        usual: Sequence[str] = USUAL,
        command: Sequence[str] = (sys.executable, "-m", "negoplatform"),
        name_of: Callable[[Path], str] = str,
        path_of: Callable[[str], Path] = Path,
        patience: float = LONGEST,
        forked: ForkedPrograms | None = None,
    ) -> None:
        self._screen = screen
        self._patience = patience
        self.name_of, self.path_of = name_of, path_of
        self.data_dir = data_dir
        play = ["play", "--briefing" if brief else "--no-briefing"]
        if "--resume" not in arguments:
            play += usual
        if what is None:
            what = play if replayed is None else [name_of(replayed)]  # as a double click gives it
        # What the program does outside of its data folder stays in the test's own.
        own = {"XDG_DATA_HOME": str(data_dir.parent / "home"), "TMPDIR": str(data_dir.parent / "tmp")}
        (data_dir.parent / "tmp").mkdir(parents=True, exist_ok=True)
        env = {**screen.env, **own}
        words = [*what, "--announce", "--data-dir", name_of(data_dir), *arguments]
        self.process: subprocess.Popen[bytes] | ForkedProgram = (
            subprocess.Popen(
                [*command, *words],
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            if forked is None
            else forked.start(words, env)
        )
        assert self.process.stdout is not None
        self._out = self.process.stdout.fileno()
        self._rest = b""
        self._unheard: deque[dict[str, Any]] = deque()
        self.printed: list[str] = []
        self.told: list[dict[str, Any]] = []
        self.may_report: type[BaseException] | None = None
        self.widgets: dict[str, list[int]] = {}

    def provoked(self, crash: str) -> bool:
        """Return whether a crash file is about the error that the test provokes, or a derived one."""
        kinds = [self.may_report, *self.may_report.__subclasses__()] if self.may_report else []
        return any(kind.__name__ in crash for kind in kinds)

    def wait_for(self, happening: str, **wanted: Any) -> dict[str, Any]:
        """Wait for an announcement with these values, after the last one that was waited for."""
        return self.wait_until(
            lambda told: told["ev"] == happening and all(told.get(k) == v for k, v in wanted.items()),
            f"{happening} {wanted}",
        )

    def wait_until(self, wanted: Callable[[dict[str, Any]], bool], name: str) -> dict[str, Any]:
        """Wait until the program announces an event that meets a condition."""
        end = time.monotonic() + self._patience
        while time.monotonic() < end:
            while self._unheard:
                told = self._unheard.popleft()
                self.told.append(told)
                self.widgets = told["widgets"]
                if wanted(told):
                    return told
            self._listen(end - time.monotonic())
        raise AssertionError(f"The program did not say {name}; last: {[t['ev'] for t in self.told[-5:]]}")

    def click(self, widget: str) -> None:
        """Click a named widget with the mouse."""
        x, y = self.widgets[widget]
        # Never --sync: it waits for seconds when the pointer is there already.
        self._screen.run("xdotool", "mousemove", str(x), str(y), "click", "1")

    def click_fast(self, widget: str, times: int) -> None:
        """Click a named widget several times, as fast as an impatient person."""
        x, y = self.widgets[widget]
        click = ("click", "--repeat", str(times), "--delay", "60", "1")
        self._screen.run("xdotool", "mousemove", str(x), str(y), *click)

    def choose(self, widget: str, *keys: str) -> None:
        """Open a list with the mouse and choose from it by keys."""
        self.click(widget)
        self.wait_for("list_open")
        self.press(*keys, "Return")

    def types(self, text: str) -> None:
        """Type a text; one that is not ASCII is pasted, because remapped keys race with the program."""
        if text.isascii():
            self._screen.run("xdotool", "type", "--delay", "12", text)
            return
        self._screen.run(
            "xclip", "-selection", "clipboard", "-loops", "0", input=text.encode(), stdout=subprocess.DEVNULL
        )
        self.press("ctrl+v")

    def press(self, *keys: str) -> None:
        """Press keys, such as ``ReplayTab`` or ``ctrl+v``."""
        self._screen.run("xdotool", "key", "--delay", "40", *keys)

    def tab_to(self, widget: str, key: str = "Tab") -> list[str]:
        """Move the focus until a widget has it; return the widgets on the way, the last one included.

        Args:
            widget: The widget to reach.
            key: The key that moves the focus to the next or the previous widget.
        """
        stops: list[str] = []
        while widget not in stops:
            self.press(key)
            stops.append(self.wait_for("focus")["widget"])
            assert len(set(stops)) == len(stops), f"{key} does not lead to {widget} but round: {stops}"
        return stops

    def walk_away(self) -> None:
        """End the negotiation without a deal."""
        self.click("walk_away")
        self.wait_for("dialog_open")
        self.click("dialog.yes")

    def shoot(self, path: Path) -> None:
        """Save a picture of the whole screen."""
        path.parent.mkdir(parents=True, exist_ok=True)
        image = ImageGrab.grab(xdisplay=self._screen.env["DISPLAY"])
        # Other ways to choose the colours give small things, such as faces, those of what is large.
        image.quantize(256, method=Image.Quantize.FASTOCTREE).save(path, optimize=True)

    def events(self) -> list[dict[str, Any]]:
        """Return the events in the session's log so far."""
        lines = self.log().read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines[1:]]

    def log(self) -> Path:
        """Return the newest session's log."""
        return max(
            (self.data_dir / "sessions").glob("*/events.jsonl"), key=lambda path: path.stat().st_mtime_ns
        )

    def close_window(self) -> None:
        """Ask the window manager to close the active window."""
        self.press("alt+F4")

    def kill(self) -> None:
        """End the program as a power cut does: it cannot react."""
        self.process.kill()
        self.process.wait(self._patience)

    def stop(self) -> str:
        """End the program if it still runs; return the content of stderr."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        _, errors = self.process.communicate(timeout=self._patience)
        return errors.decode()

    def _listen(self, patience: float) -> None:
        if select.select([self._out], [], [], max(0.0, patience))[0]:
            data = os.read(self._out, 65536)
            if not data:
                raise AssertionError(f"The program ended: {self.stop()}")
            *lines, self._rest = (self._rest + data).split(b"\n")
            # What is no announcement is for people.
            self.printed += [line.decode() for line in lines if not line.startswith(b"{")]
            self._unheard.extend(json.loads(line) for line in lines if line.startswith(b"{"))


def preferences(price: list[int], parking: int, reservation: int) -> dict[str, Any]:
    return {
        "issues": {"price": {"linear": price}, "car": {"values": {"with": parking, "without": 0}}},
        "reservation_value": reservation,
    }


def _do_nothing(_self: object) -> None:
    pass


@pytest.fixture(autouse=True, scope="session")
def _leave_windows_in_memory() -> Iterator[None]:
    """Let nothing of the windows that tests open in this process call Tk when it is freed.

    The garbage collector may free it on another thread, such as that of a checked agent. A font, picture or
    variable then waits for a second for the event loop of a window that is gone, and an interpreter ends the
    process.
    """
    create = tk.Tk.__init__

    def create_and_keep(root: tk.Tk, *args: Any, **options: Any) -> None:
        create(root, *args, **options)
        _INTERPRETERS.append(root.tk)

    with ExitStack() as patches:
        patches.enter_context(mock.patch.object(tk.Tk, "__init__", create_and_keep))
        for freed in (tkfont.Font, tk.Image, tk.Variable, ImageTk.PhotoImage):
            patches.enter_context(mock.patch.object(freed, "__del__", _do_nothing))
        yield


@pytest.fixture
def flat(tmp_path: Path) -> str:
    """Game file: a tenant, who has two profiles, and a landlord agree on a price and a parking place."""
    quick = preferences([20, 0], 6, 5)
    quick["interactions"] = [{"points": 4, "when": {"car": "with", "price": {"at_most": 120}}}]
    game = {
        "schema": "negoplatform.game/1",
        "name": "flat",
        "issues": [
            {"kind": "number", "name": "price", "low": 100, "high": 200, "step": 5, "unit": "€"},
            {"kind": "categorical", "name": "car", "values": ["with", "without"]},
        ],
        "seats": {
            "tenant": {
                "profile": "quick",
                "profiles": {
                    "quick": {"preferences": quick},
                    "long_term": {"preferences": preferences([10, 0], 2, 7)},
                },
            },
            "landlord": {"preferences": preferences([0, 20], -1, 5)},
        },
        "rules": {"deadline_seconds": 600},
    }
    path = tmp_path / "flat.json"
    path.write_text(json.dumps(game), encoding="utf-8")
    return str(path)


@pytest.fixture(scope="session")
def screen() -> Iterator[Screen]:
    """Screen of 1280 x 800 at 96 dpi."""
    with Screen() as screen:
        yield screen


@pytest.fixture(scope="session")
def forked() -> Iterator[ForkedPrograms | None]:
    """Process that forks programs; None on Windows, which cannot."""
    if sys.platform == "win32":
        yield None
        return
    programs = ForkedPrograms()
    yield programs
    programs.close()


@pytest.fixture
def start(
    screen: Screen, tmp_path: Path, forked: ForkedPrograms | None, request: pytest.FixtureRequest
) -> Iterator[Callable[..., Program]]:
    """Function that starts the program, which must end without output on stderr or a crash file."""
    running: list[Program] = []
    if forked is not None:
        forked.fork_agents = request.node.get_closest_marker("new_python") is None

    def begin(*arguments: str, on: Screen | None = None, **more: Any) -> Program:
        own = None if "command" in more else forked
        program = Program(on or screen, tmp_path / "data", *arguments, forked=own, **more)
        running.append(program)
        return program

    yield begin
    for program in running:
        assert program.stop() == ""
        for crash in program.data_dir.glob("crashes/*"):
            expected = program.provoked(crash.read_text())
            assert expected, f"the program left a crash file: {crash.read_text()}"


def replayed(log: Path, *more: str) -> str:
    """Return the output of ``negoplatform replay`` for a log."""
    command = [sys.executable, "-m", "negoplatform", "replay", str(log), *more]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=LONGEST).stdout


def pictures(tmp_path: Path) -> Path:
    """Return the folder for pictures of each step: one named in the environment, or a temporary one."""
    return Path(os.environ.get("NEGOPLATFORM_SCREENSHOTS", tmp_path / "pictures"))


def build(program: Program, **clicks: int) -> None:
    """Click the builder's buttons as often as given: ``bananas__human=4`` gives the human four bananas."""
    for cell, times in clicks.items():
        issue, seat = cell.split("__")
        for _ in range(times):
            if times == 2:
                time.sleep(APART)
            program.click(f"{issue}.{seat}.more")


APART = 0.45
"""Seconds after which a second click on a column no longer counts as part of a double click."""


def accept_at_last(program: Program) -> None:
    """Press accept and confirm the dialog."""
    program.click("accept")
    program.wait_for("dialog_open")
    program.click("dialog.yes")
