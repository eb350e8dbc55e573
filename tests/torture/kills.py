"""P1: every event that the program has acknowledged survives a kill at any moment."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
import zlib
from functools import partial
from pathlib import Path
from random import Random
from struct import Struct

from negoplatform.core.events import Event
from negoplatform.domain.errors import InputFileError
from negoplatform.eventlog.disk_calls import LOG_NAME
from negoplatform.eventlog.reader import read_log, read_whole_part
from negoplatform.eventlog.replay import replay
from negoplatform.eventlog.writer import LogWriter
from negoplatform.formats.events import encode_event
from tests.eventlog.logs import AT, header_for
from tests.torture.playing import Players, endless_game
from tests.torture.programs import KILLED, Send, start
from tests.torture.rows import Row, Tally

KILLS = 1200

KILL = "kill -9" if os.name == "posix" else "TerminateProcess"

GENERATIONS = 6
"""Number of kills and restarts of the program that writes one file."""

AT_ONCE = 0.2
"""Share of kills that come while the program is still starting: it creates the log, or recovers it."""

LONGEST_START = 0.015
"""Maximum number of seconds after which such a kill comes."""

MOST_ACKNOWLEDGED = 60
"""Maximum number of events after which a program is killed, unless it was killed at once."""

TORN = 0.3
"""Share of kills after which half a line is appended to the log: kills alone seldom tear a write."""

ACK = Struct("<II")
"""Record sent through the pipe once an event is written: its seq and a checksum of its contents."""


HALF_A_LINE = b'{"seq":17,"t":3.25,"type":"SEND_MESS'


def run(scale: float) -> Row:
    """Kill the program, recover by its own means, continue, kill again; then replay every file."""
    tally, random = Tally(), Random("P1")
    endless_game()
    torn = acknowledged = 0
    while tally.runs < max(12, round(KILLS * scale)):
        with tempfile.TemporaryDirectory() as folder:
            life = Life(Path(folder) / "session", tally, random)
            with tally.trying(f"the file after {tally.runs} kills"):
                for _ in range(GENERATIONS):
                    life.generation()
                life.finish()
            torn += len(life.torn)
            acknowledged += len(life.acknowledged)
    tally.remarks.append(
        f"{acknowledged:,} acknowledged events, {GENERATIONS} kills per file, {torn} torn last lines."
    )
    return tally.row("P1", f"{KILL} of a running session", counts=["lost"])


class Life:
    """Log with the programs that write it, one after the other.

    Args:
        folder: The session's folder.
        tally: The counts.
        random: The random numbers that determine the moments of the kills.
    """

    def __init__(self, folder: Path, tally: Tally, random: Random) -> None:
        self.acknowledged: dict[int, int] = {}
        self.torn: list[bytes] = []
        self._folder = folder
        self._path = folder / LOG_NAME
        self._tally = tally
        self._random = random

    def generation(self) -> None:
        """Run one program, which resumes the session and is killed; look for the acknowledged events."""
        self._tally.runs += 1
        program = start(partial(_program, self._path, self._random.random()), warm=endless_game)
        told = b""
        if self._random.random() < AT_ONCE:
            time.sleep(self._random.uniform(0, LONGEST_START))
        else:
            enough = ACK.size * self._random.randint(1, MOST_ACKNOWLEDGED)
            while len(told) < enough and (more := program.read_some()):
                told += more
            time.sleep(self._random.uniform(0, 0.002))
        told += program.kill()
        code = program.reap()
        self._tally.expect(code == KILLED, f"The program ended by itself with {code}.")
        whole = told[: len(told) // ACK.size * ACK.size]
        self.acknowledged.update(ACK.unpack_from(whole, at) for at in range(0, len(whole), ACK.size))
        self._look_for_what_was_acknowledged()
        if self._path.exists():
            if self._random.random() < TORN:
                with self._path.open("ab") as file:
                    file.write(HALF_A_LINE[: self._random.randint(1, len(HALF_A_LINE))])
            torn = self._path.read_bytes().rpartition(b"\n")[2]
            if torn:
                self.torn.append(torn)

    def finish(self) -> None:
        """Resume the session in a last program and end it; the file replays."""
        if not self._path.exists():
            return
        try:
            opened = LogWriter.reopen(self._path)
        except InputFileError:
            self._tally.expect(not self.acknowledged, "A log with acknowledged events cannot be reopened.")
            return
        players = Players(opened.writer.write, self._random)
        players.take_up(opened.log.events, opened.torn_bytes)
        players.end()
        kept = [path.read_bytes() for path in self._folder.glob(f"{LOG_NAME}.torn-*")]
        # A program that was killed before it had set a torn line aside leaves it to the next.
        gone = [torn for torn in self.torn if not any(each.startswith(torn) for each in kept)]
        self._tally.expect(not gone, f"{gone} was not set aside.")
        opened.writer.close()
        played = replay(read_log(self._path))
        self._tally.expect(played.state == players.session.state, "The file replays to another state.")
        self._look_for_what_was_acknowledged()

    def _look_for_what_was_acknowledged(self) -> None:
        try:
            part = read_whole_part(self._path)
        except InputFileError as problem:
            # Nothing is acknowledged before the header is on the disk.
            lost = len(self.acknowledged)
            self._tally.lost += lost
            self._tally.expect(not lost, f"Nothing can be read any more: {problem}")
            if self._folder.exists():
                shutil.rmtree(self._folder)
            self.torn.clear()
            return
        found = {event.seq: _checksum(event) for event in part.events}
        lost = sum(found.get(seq) != checksum for seq, checksum in self.acknowledged.items())
        self._tally.lost += lost
        self._tally.expect(not lost, f"{lost} acknowledged events are lost or changed.")


def _program(path: Path, seed: float, send: Send) -> None:
    """Resume the session, or start it, and play on until killed."""
    past: tuple[Event, ...] = ()
    torn_bytes = 0
    if path.exists():
        opened = LogWriter.reopen(path)
        log, past, torn_bytes = opened.writer, opened.log.events, opened.torn_bytes
    else:
        log = LogWriter(path.parent, header_for(endless_game()))

    def write(event: Event) -> None:
        log.write(event)
        send(ACK.pack(event.seq, _checksum(event)))

    players = Players(write, Random(seed))
    players.take_up(past, torn_bytes)
    while True:
        players.act()
        if log.sync_due is not None and time.monotonic() >= log.sync_due:
            log.sync()


def _checksum(event: Event) -> int:
    return zlib.crc32(encode_event(event, AT))
