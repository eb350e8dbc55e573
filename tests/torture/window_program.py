"""The program with its real window open, in which a robot plays one misbehaving agent after the other.

``python -m tests.torture.window_program FOLDER SESSIONS SECONDS NAME…`` plays SESSIONS sessions with each
agent, or as many rounds of all of them as there is time for, and writes its measurements to
``FOLDER/measured.json``; the caller judges the logs.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from queue import SimpleQueue
from typing import Any
from unittest.mock import patch

from negoplatform.app.session import session_start
from negoplatform.app.session.agent_setup import prepare_in_subprocess, starting_output_path
from negoplatform.app.session.live_session import LiveSession
from negoplatform.app.session.participant_controller import ParticipantController
from negoplatform.app.session.participant_seat import SessionUpdate
from negoplatform.app.session.session_plan import SessionPlan
from negoplatform.app.session.session_start import SESSIONS, OpenSession
from negoplatform.core.events import Event, Message
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat_map import SeatMap
from negoplatform.formats.events import encode_event
from negoplatform.formats.games import load_game
from negoplatform.gui.shell import application as window
from negoplatform.gui.shell import session_tables
from negoplatform.gui.shell.window_startup import make_theme
from negoplatform.gui.table.table_screen import TableScreen
from negoplatform.hosting.agent_process_proxy import AgentProcess
from negoplatform.plugins.agent_loader import AgentPlugin, hash_of
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.presentation.appearance import Appearance
from negoplatform.presentation.start.launch_options import LaunchOptions
from negoplatform.presentation.table.table_view import ResultView
from tests.hosting.processes import HOSTILE
from tests.torture.beats import Beats

BEAT_MS = 10
"""Milliseconds between two checks of whether the window still reacts."""

LOOK_MS = 20
"""Milliseconds between two steps of the robot."""

WORDS = 16
"""Messages after which the robot walks away, if the other side seems to be present.

A small number, so that the first offer and message, which take longer to draw than any others, weigh much.
"""

PATIENCE = 15.0
"""Seconds after which the robot walks away in any case."""

BUDGET: dict[str, Any] = {
    "load_seconds": 60.0,  # not what is tried here, and the machine may be busy
    "soft_seconds": 0.2,
    "hard_seconds": 0.2,
    "memory_mb": 256,
    "cpu_seconds": 20,
    "file_mb": 1,
}
"""Limits of the agents."""

TIME_TO_LOOK = {"soft_seconds": 5.0, "hard_seconds": 5.0}
"""Limits of agents that do not delay anything but look around: 0.2 s are not enough to find anything."""

LOOK_ROUND = ("spies", "imports_the_session", "attacks")

AFTERWARDS: list[dict[str, Any]] = [
    {"restarts": 0},
    {"restarts": 1},
    {"restarts": 1, "fallback": "fair"},
]
"""Consequences of the loss of an agent: each in every third session."""

SEAT = "human"
"""Seat of the robot."""

SECRET = 7_654_321.5
"""The robot's value of no deal: a number that occurs nowhere else, and that the agent must not see."""


def main() -> None:
    """Play the sessions given by the command line."""
    folder, sessions, seconds, names = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), sys.argv[4:]
    beats = Beats(BEAT_MS / 1000)
    with (
        patch.object(session_start, "LiveSession", HeardTable),
        patch.object(session_tables, "TableScreen", screen_that_says_when(beats)),
    ):
        series = Series(folder, names, sessions, seconds, beats)
        series.run()
    (folder / "measured.json").write_text(json.dumps(series.measured()), encoding="utf-8")


def private_game() -> GameSpec:
    """Return the practice game with a secret of the robot."""
    game = load_game(bundled("games") / "practice.json")
    mine = replace(game.preferences[SEAT], reservation_value=SECRET)
    preferences = SeatMap((seat, mine if seat == SEAT else game.preferences[seat]) for seat in game.seats)
    return replace(game, preferences=preferences)


def plugin_named(name: str) -> AgentPlugin:
    """Return one of the misbehaving agents."""
    file = HOSTILE / f"{name}.py"
    return AgentPlugin(name, "".join(word.title() for word in name.split("_")), file, hash_of(file), "")


def line_of(event: Event) -> str:
    """Return an event as one complete line: two events are equal if their lines are."""
    return encode_event(event, "").decode()


class Heard(SimpleQueue[SessionUpdate]):
    """Updates of a table, of which a second reader also sees the last one."""

    def __init__(self) -> None:
        self.told: list[SessionUpdate] = []

    def put(self, item: SessionUpdate, block: bool = True, timeout: float | None = None) -> None:
        """Pass on an update."""
        self.told.append(item)
        super().put(item)


class HeardTable(LiveSession):
    """Table whose updates the robot also sees."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.updates: Heard = Heard()


def screen_that_says_when(beats: Beats) -> type[TableScreen]:
    """Return a class of the table's screen that reports the time that belongs to the game.

    This time begins when the first update is painted, and ends when the window begins to show the end. No
    time between counts as the window's own work, however long that takes.
    """

    class SayingScreen(TableScreen):
        _drawn = False
        _ended = False
        _painted = 0
        _painting = ""

        def _redraw(self) -> None:
            super()._redraw()
            if self._updates.newest is not None and not self._drawn:
                self._drawn = True
                # Bound to the window, it is called for whatever stands in it.
                self._painting = self._theme.root.bind("<Expose>", self._paint, add="+")
                self._theme.root.after_idle(self._rest, -1)

        def _paint(self, _event: object) -> None:
            self._painted += 1

        def _rest(self, painted: int) -> None:
            """Wait until a turn has painted nothing: layout and painting take several turns."""
            root = self._theme.root
            if self._painted == painted or self._ended:
                root.unbind("<Expose>", self._painting)
                if not self._ended:
                    beats.play(time.monotonic())
                return
            root.winfo_pointerxy()  # the server's answer comes after all that it wants painted
            root.after_idle(self._rest, self._painted)

        def _show_end(self, end: ResultView) -> None:
            if not self._ended:
                self._ended = True
                beats.work(time.monotonic())
            super()._show_end(end)

    return SayingScreen


@dataclass(slots=True)
class Robot:
    """Participant that keeps talking, and walks away in the end.

    Args:
        table: The table.
        begun: The time at which it started.
        words: The number of its messages.
    """

    table: HeardTable
    begun: float
    words: int = 0

    def act(self) -> bool:
        """Do one step; return whether the session is over."""
        told = self.table.updates.told
        if not told:
            return False
        if told[-1].finished or told[-1].view.state.ending is not None:
            return True
        me = ParticipantController(self.table.participant_seat)
        if self.words == 0:
            me.send_offer(Offer({"apples": Allocation({SEAT: 3, "agent": 3}), "day": "Sunday"}))
        elif self.words < WORDS:
            me.show_typing()
            me.send_message(Message(f"Word {self.words}."))
        elif self.answered(told) or time.monotonic() - self.begun > PATIENCE:
            me.formal_quit()
        self.words += 1
        return False

    def answered(self, told: list[SessionUpdate]) -> bool:
        """Return whether the other side has acted at all."""
        return any(update.event and update.event.sender == "agent" for update in told)


class Series(window.Application):
    """Window with one session after the other.

    Args:
        folder: The folder of the sessions.
        names: The agents that the robot plays, one after the other, in every round.
        rounds: The number of rounds.
        seconds: The time in seconds after which no further round is begun.
        beats: The record of the window's beats and of the agents.
    """

    def __init__(self, folder: Path, names: list[str], rounds: int, seconds: float, beats: Beats) -> None:
        super().__init__(
            folder, LaunchOptions(briefing=False), announce=False, make_theme=lambda: make_theme(Appearance())
        )
        self._meetings = self._rounds(names, rounds, time.monotonic() + seconds)
        self._game = private_game()
        self._beats = beats
        self._seen: dict[str, list[str]] = {}
        self._robot: Robot | None = None
        self._spare: AgentProcess | None = None

    def measured(self) -> dict[str, Any]:
        """Return the measurements: delays in seconds; per log, the window's events, a line for each."""
        return {"played": self._beats.played, "own": self._beats.own, "seen": self._seen}

    def _show_first(self) -> None:
        self._beat_on()
        self._next()

    def _beat_on(self) -> None:
        """Record a beat and schedule the next one; the window's delay of it is measured."""
        self._beats.beat(time.monotonic())
        self._theme.root.after(BEAT_MS, self._beat_on)

    def _rounds(self, names: list[str], rounds: int, until: float) -> Iterator[tuple[int, str]]:
        for number in range(rounds):
            if time.monotonic() > until:
                return
            yield from ((number, name) for name in names)

    def _next(self) -> None:
        number, name = next(self._meetings, (0, ""))
        if not name:
            if self._spare is not None:
                self._spare.stop()
            self._theme.root.destroy()
            return
        self._navigator.run_in_background(
            lambda: self._made(name, number), self._meet, self._complain_and_stop
        )

    def _made(self, name: str, number: int) -> OpenSession:
        budget = {**BUDGET, **AFTERWARDS[number % len(AFTERWARDS)]}
        if name in LOOK_ROUND:
            budget |= TIME_TO_LOOK
        (other,) = self._game.others(SEAT)
        spare, self._spare = self._spare, None
        seated = prepare_in_subprocess(
            plugin_named(name),
            other,
            {"budget": budget, "timing": {"act_delay": 0.01}},
            game=self._game,
            seed=number,
            output=starting_output_path(self._data_dir / SESSIONS, other),
            warm_process=spare,
        )
        sitting = SessionPlan(
            game=self._game,
            seed=number,
            human_seat=SEAT,
            participant=f"{name}-{number}",
            agents=SeatMap([(other, seated)]),
        )
        return self._open(sitting)

    def _meet(self, session: OpenSession) -> None:
        (other,) = session.plan.agents.values()
        self._beats.meet(other.plugin.name, time.monotonic())
        self._start_session(session)
        table = self._tables._open[-1][0]
        assert isinstance(table, HeardTable)
        self._robot = Robot(table, time.monotonic())
        self._theme.root.after(LOOK_MS, self._look)

    def _look(self) -> None:
        robot = self._robot
        if robot is None:
            return
        if not robot.act():
            self._theme.root.after(LOOK_MS if robot.words < 3 else 3 * LOOK_MS, self._look)
            return
        self._robot = None
        self._navigator.run_in_background(
            self._stop_tables, lambda _none: self._next(), self._complain_and_stop
        )

    def _stop_tables(self) -> None:
        while self._tables._open:
            table, session = self._tables._open.pop()
            table.stop(30.0)
            assert isinstance(table, HeardTable)
            told = [update.event for update in table.updates.told if update.event]
            self._seen[str(session.log.path)] = [line_of(event) for event in told]
        # Only now: while a session is played, starting one more process would be this trial's own doing.
        self._spare = AgentProcess.spawn()

    def _complain_and_stop(self, problem: str) -> None:
        print(problem, file=sys.stderr)
        self._theme.root.destroy()


if __name__ == "__main__":
    main()
