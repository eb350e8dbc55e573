"""P6: disturbances of the computer's clocks change nothing in a session, and are noted.

The program is not imported here. Every disturbance has a separate process, in which the clocks are replaced
before the program is imported: it cannot have a reference to the true ones, not even as a default.
"""

from __future__ import annotations

import datetime
import importlib
import pickle
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tests.torture.forks import fork, reap
from tests.torture.rows import Row, Tally

ROUNDS = 7
"""Repetitions of every disturbance."""

PLAYING = "tests.torture.clock_sessions"
"""Module whose ``play`` plays a session while its clocks are disturbed."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """Disturbance of the clocks in the middle of a session.

    Args:
        name: Its name.
        jump: The seconds by which the time of day is moved.
        slept: The seconds for which the computer sleeps.
    """

    name: str
    jump: float = 0.0
    slept: float = 0.0


TROUBLES = (
    Trouble("nothing"),
    Trouble("an hour forward", jump=3600.0),
    Trouble("an hour back", jump=-3600.0),
    Trouble("a day forward", jump=86_400.0),
    Trouble("a day back", jump=-86_400.0),
    Trouble("a second and a half back", jump=-1.5),
    Trouble("a suspend of ten minutes", slept=600.0),
)


class Clocks:
    """Clocks of a computer; all but the steady one are disturbed at some moment.

    Args:
        trouble: The disturbance.
    """

    def __init__(self, trouble: Trouble) -> None:
        self.at = inf
        """Moment of the disturbance, in steady seconds."""
        self._trouble = trouble
        self._time = time.time
        self._clock_gettime = time.clock_gettime

    def time(self) -> float:
        """Return the time of day."""
        return self._time() + self._moved(self._trouble.jump + self._trouble.slept)

    def clock_gettime(self, clock: int) -> float:
        """Return the time of any clock: one may be the time of day, one goes on while the computer sleeps."""
        if clock == time.CLOCK_REALTIME:
            return self.time()
        slept = self._trouble.slept if clock == getattr(time, "CLOCK_BOOTTIME", None) else 0.0
        return self._clock_gettime(clock) + self._moved(slept)

    def _moved(self, seconds: float) -> float:
        return seconds if time.monotonic() >= self.at else 0.0

    @contextmanager
    def in_force(self) -> Iterator[None]:
        """Replace the clocks of the whole process for the duration of the context."""
        clocks = self

        class Moment(datetime.datetime):
            @classmethod
            def now(cls, tz: datetime.tzinfo | None = None) -> Moment:
                return cls.fromtimestamp(clocks.time(), tz)

            @classmethod
            def utcnow(cls) -> Moment:
                return cls.now(datetime.UTC).replace(tzinfo=None)

        with ExitStack() as stack:
            stack.enter_context(patch.object(time, "time", self.time))
            stack.enter_context(patch.object(time, "time_ns", lambda: round(self.time() * 1e9)))
            stack.enter_context(patch.object(time, "clock_gettime", self.clock_gettime))
            stack.enter_context(patch.object(datetime, "datetime", Moment))
            yield


def run(scale: float) -> Row:
    """Play sessions on the wall clock while it jumps or the computer sleeps."""
    tally = Tally()
    for _ in range(max(1, round(ROUNDS * scale))):
        with tempfile.TemporaryDirectory() as folder:
            places = {trouble: Path(folder) / str(i) for i, trouble in enumerate(TROUBLES)}
            children = {trouble: _start(trouble, place) for trouble, place in places.items()}
            for trouble, child in children.items():
                code = reap(child)
                if tally.expect(code == 0, f"{trouble.name}: its process ended with {code}."):
                    tally.add(pickle.loads((places[trouble] / "tally").read_bytes()))
    return tally.row("P6", "time of day moved, computer suspended", counts=["lost", "detected"])


def _start(trouble: Trouble, place: Path) -> int:
    """Start a process that plays the session with one disturbance and writes down the outcome."""

    def play() -> None:
        known = [name for name in sys.modules if name.partition(".")[0] == "negoplatform"]
        assert not known, "The program was imported already, and has hold of the true clocks."
        clocks = Clocks(trouble)
        with clocks.in_force():
            sessions: Any = importlib.import_module(PLAYING)
            found = sessions.play(trouble, clocks, place)
        (place / "tally").write_bytes(pickle.dumps(found))

    place.mkdir()
    return fork(play)
