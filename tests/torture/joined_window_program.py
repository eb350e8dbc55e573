"""Window that has joined a session, in which a robot negotiates or operates a seat as its wizard.

``python -m tests.torture.joined_window_program ADDRESS CODE FOLDER NAME`` runs until ``FOLDER/stop`` exists,
and writes its measurements to ``FOLDER/NAME.json``. All times are those of ``time.monotonic()``, which the
processes of one computer share.
"""

from __future__ import annotations

import json
import sys
import time
from itertools import islice
from pathlib import Path
from typing import Any
from unittest.mock import patch

from negoplatform.agent_api.actions import FormalQuit, SendMessage
from negoplatform.gui.shell import join_application
from negoplatform.gui.shell.join_controller import JoinChoice
from negoplatform.gui.table.table_screen import TableScreen
from negoplatform.gui.wizard.wizard_side import WizardSide

BEAT_MS = 10
"""Milliseconds between two checks of whether the window still reacts."""

WORD_SECONDS = 0.7
"""Seconds between two messages of the person."""

THINKING_SECONDS = 1.2
"""Seconds for which a wizard thinks: longer than the agent's own pause, which a quick answer waits for."""


class Measured:
    """Robot and measurements of a window with a table.

    Args:
        stop: The file that ends the window.
    """

    def __init__(self, stop: Path) -> None:
        self._stop = stop
        self.beats: list[tuple[float, float]] = []
        self.sent: dict[str, float] = {}
        self.seen: dict[str, float] = {}
        self._counted = 0
        self._beat_at: float | None = None
        self._first_seen: dict[int, float] = {}
        self._words = 0
        self._quit = False

    def write(self, path: Path) -> None:
        """Write the measurements."""
        found = {"beats": self.beats, "sent": self.sent, "seen": self.seen}
        path.write_text(json.dumps(found), encoding="utf-8")

    def beat(self, screen: object) -> bool:
        """Record a beat and act; return whether the window is to be closed."""
        now = time.monotonic()
        if self._beat_at is not None:
            self.beats.append((now, max(0.0, now - self._beat_at - BEAT_MS / 1000)))
        if isinstance(screen, TableScreen) and screen._updates.newest is not None:
            self._look(screen, now)
            if isinstance(screen._wizard, WizardSide):
                self._operate(screen._wizard, now)
            else:
                self._talk(screen, now)
            if screen._updates.newest.view.state.ending is not None and self._stop.exists():
                return True
        self._beat_at = time.monotonic()
        return False

    def _look(self, screen: TableScreen, now: float) -> None:
        newest = screen._updates.newest
        assert newest is not None
        transcript = newest.view.state.transcript
        for event in islice(transcript.iter_backwards(), len(transcript) - self._counted):
            text = event.get_text()
            if text:
                self.seen.setdefault(text, now)
        self._counted = len(transcript)

    def _talk(self, screen: TableScreen, now: float) -> None:
        seat = screen._inputs.table
        if self._stop.exists():
            if not self._quit:
                self._quit = True
                seat.propose(FormalQuit())
            return
        if now - max(self.sent.values(), default=0.0) > WORD_SECONDS:
            self._words += 1
            text = f"Word {self._words}."
            self.sent[text] = now
            seat.propose(SendMessage(text))

    def _operate(self, side: WizardSide, now: float) -> None:
        for waiting in side._wizard.waiting:
            number = waiting.suggestion.number
            if now - self._first_seen.setdefault(number, now) < THINKING_SECONDS:
                continue
            (step,) = waiting.suggestion.steps
            if isinstance(step, SendMessage) and step.text not in self.sent:
                self.sent[step.text] = now
                side._send(number, None)


def main() -> None:
    """Join as the command line says."""
    address, code, folder, name = sys.argv[1], sys.argv[2], Path(sys.argv[3]), sys.argv[4]
    measured = Measured(folder / "stop")

    class MeasuredWindow(join_application._JoinWindow):
        def run(self, choice: JoinChoice) -> None:
            self._theme.root.after(BEAT_MS, self._beat)
            super().run(choice)

        def _beat(self) -> None:
            if measured.beat(self._navigator.current):
                self._theme.root.destroy()
                return
            self._theme.root.after(BEAT_MS, self._beat)

    looks: dict[str, Any] = {"reduce_motion": True}
    with patch.object(join_application, "_JoinWindow", MeasuredWindow):
        join_application.open_join_window(
            JoinChoice(address, code),
            folder / f"{name}-data",
            appearance_overrides=looks,
            is_participant=False,
            shows_briefing=False,
        )
    measured.write(folder / f"{name}.json")


if __name__ == "__main__":
    main()
