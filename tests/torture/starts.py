"""P5: two programs never write one session, however many start at once."""

from __future__ import annotations

import gc
import os
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from negoplatform.core.action_rules import tick_at
from negoplatform.core.events import NOTHING, Event, EventType
from negoplatform.domain.errors import NegoError
from negoplatform.domain.seat_map import PLATFORM
from negoplatform.eventlog.disk_calls import LOG_NAME
from negoplatform.eventlog.reader import read_log
from negoplatform.eventlog.writer import LogWriter
from tests.eventlog.logs import header_for
from tests.torture.forks import LONGEST, fork, gates, read_some, read_to_end, reap
from tests.torture.programs import READY, Send, SpawnedProgram
from tests.torture.rows import Row, Tally
from tests.torture.sessions import shipped_games

ROUNDS = 1000

FEWEST, MOST = 2, 20 if os.name == "posix" else 8
"""Minimum and maximum number of programs that start at once."""

AHEAD = 0.2
"""Seconds until the moment at which they start, where they are not copies of one process."""

TORN = b'{"seq":2,"t":0.5,"ty'
"""Half a line, as after a crash; a program that reopens the log has to repair that too."""


def run(scale: float) -> Row:
    """Create a session in half of the rounds, and continue one in the others."""
    tally = Tally()
    shipped_games()  # read here, and not once in every copy
    gc.collect()
    gc.freeze()  # copies of this process share its memory as long as none writes to it
    try:
        for number in range(max(4, round(ROUNDS * scale))):
            programs = FEWEST + (number // 2) % (MOST - FEWEST + 1)
            with tempfile.TemporaryDirectory() as folder, tally.trying(f"round {number}"):
                _round(Path(folder) / "session", programs, tally, reopening=bool(number % 2))
    finally:
        gc.unfreeze()
    return tally.row(
        "P5", f"{FEWEST} to {MOST} programs at once on one session: one writes", counts=["lost", "detected"]
    )


def _round(folder: Path, programs: int, tally: Tally, *, reopening: bool) -> None:
    tally.runs += 1
    seq, lines = 1, 2
    if reopening:
        seq, lines = 2, 3
        log = LogWriter(folder, header_for(shipped_games()[0]))
        log.write(_event(1))
        log.close()
        with (folder / LOG_NAME).open("ab") as file:
            file.write(TORN)

    start_at_once = _start_at_once if os.name == "posix" else _spawn_at_once
    said = start_at_once(programs, partial(_reopened if reopening else _created, folder), seq)
    name = f"{programs} programs {'reopening' if reopening else 'creating'}"
    winners = said.count("writes")
    tally.expect(winners == 1, f"{name}: {winners} of them write.")
    tally.expect(len(said) == programs, f"{name}: only {len(said)} came to an end.")
    for sentence in said:
        if sentence != "writes":
            tally.harm(
                sentence.startswith("told: ") and sentence.endswith("."),
                f"{name}: one was told {sentence!r}.",
            )
    found = read_log(folder)
    tally.lost += max(0, seq - len(found.events))
    tally.expect(len(found.events) + 1 == lines, f"{name}: the log holds {len(found.events)} events.")


def _created(folder: Path) -> LogWriter:
    return LogWriter(folder, header_for(shipped_games()[0]))


def _reopened(folder: Path) -> LogWriter:
    return LogWriter.reopen(folder / LOG_NAME).writer


def _event(seq: int) -> Event:
    if seq == 1:
        return Event(1, 0.0, EventType.GAME_START, PLATFORM, NOTHING)
    return Event(2, 1.0, EventType.TIME, PLATFORM, tick_at(1.0, shipped_games()[0]))


def _start_at_once(programs: int, take: Callable[[], LogWriter], seq: int) -> list[str]:
    """Return the replies of some programs that try to write at the same time."""
    read, write = os.pipe()
    with gates(2) as (start, done):

        def program() -> None:
            os.close(read)
            start.wait()
            said = _one_start(take, seq)
            os.write(write, f"{said}\n".encode())
            if said == "writes":
                done.wait()  # the session is held until all have tried

        children = [fork(program) for _ in range(programs)]
        os.close(write)
        start.open()
        lines = b""
        while lines.count(b"\n") < programs and (data := read_some(read, LONGEST)):
            lines += data
        done.open()
        rest = read_to_end(read, LONGEST)
    os.close(read)
    for child in children:
        reap(child)
    return (lines + rest).decode().splitlines()


def _spawn_at_once(programs: int, take: Callable[[], LogWriter], seq: int) -> list[str]:
    """Do the same where processes are not forked: they wait for one moment."""
    started = SpawnedProgram.take_ready(programs, shipped_games)
    moment = time.time() + AHEAD
    for each in started:
        each.begin(partial(_start_at, moment, take, seq), stays=True)
    lines = []
    for each in started:
        data = b""
        while not data.endswith((_WRITES, READY)) and (more := each.read_some()):
            data += more
        lines.append(data)
    for each, line in zip(started, lines, strict=True):
        if line.endswith(READY):
            each.give_back(shipped_games)
        else:  # the one that writes is killed, which releases the session
            each.kill()
            each.reap()
    return [line.rstrip(READY).decode().rstrip() for line in lines]


_WRITES = b"writes\n"


def _start_at(moment: float, take: Callable[[], LogWriter], seq: int, send: Send) -> None:
    while time.time() < moment:
        pass
    said = _one_start(take, seq)
    send(f"{said}\n".encode())
    if said == "writes":
        time.sleep(LONGEST)  # the session is held until all have tried


def _one_start(take: Callable[[], LogWriter], seq: int) -> str:
    try:
        log = take()
        log.write(_event(seq))
    except NegoError as error:
        text = str(error)
        return f"told: {text}" if "\n" not in text else f"more than a sentence: {text!r}"
    except BaseException as error:  # noqa: BLE001 - whatever it is, it is no sentence
        return f"broke: {error!r}"
    _KEPT.append(log)  # not closed: the lock is held until this process ends
    return "writes"


_KEPT: list[LogWriter] = []
