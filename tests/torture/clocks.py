"""P6: what the computer's clocks do changes nothing in a session, and is noted.

Nothing of the program is imported here. Every trouble has a process of its own, in which the clocks are
replaced before the program is imported: it cannot have taken hold of the true ones, not even as a default.
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
"""Times that every trouble is met."""

PLAYING = "tests.torture.clock_sessions"
"""The module whose ``play`` plays a session while its clocks are in trouble."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """What the clocks do in the middle of a session.

    Args:
        name: What it is called.
        jump: By how many seconds the time of day is moved.
        slept: How many seconds the computer sleeps.
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
    """The clocks of a computer; all but the steady one have a trouble that comes at some moment.

    Args:
        trouble: What they do then.
    """

    def __init__(self, trouble: Trouble) -> None:
        self.at = inf
        """The moment, in steady seconds."""
        self._trouble = trouble
        self._time = time.time
        self._clock_gettime = time.clock_gettime

    def time(self) -> float:
        """The time of day."""
        return self._time() + self._moved(self._trouble.jump + self._trouble.slept)

    def clock_gettime(self, clock: int) -> float:
        """Any clock: one may be the time of day, one goes on while the computer sleeps."""
        if clock == time.CLOCK_REALTIME:
            return self.time()
        slept = self._trouble.slept if clock == getattr(time, "CLOCK_BOOTTIME", None) else 0.0
        return self._clock_gettime(clock) + self._moved(slept)

    def _moved(self, seconds: float) -> float:
        return seconds if time.monotonic() >= self.at else 0.0

    @contextmanager
    def in_force(self) -> Iterator[None]:
        """For as long, this whole process has these clocks."""
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
    """Sessions on the wall clock, while it jumps or the computer sleeps."""
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
    """A process in which the session with one trouble is played, and what came of it is written down."""

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
