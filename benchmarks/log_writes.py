"""Benchmark of writing a line of the log, compared with a bare write and sync.

Run it with ``python benchmarks/log_writes.py``.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles

from negoplatform.app.catalogue.catalogue import find_game
from negoplatform.core.events import DecidedBy, Event, EventType, Message, OfferMade
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat_map import SeatMap
from negoplatform.eventlog.writer import LogWriter
from negoplatform.formats.events import encode_event
from negoplatform.formats.log_header import Header, Occupant

AT = "2026-01-31T12:00:00.000Z"
MESSAGES, DECISIONS = 20_000, 500


def message(seq: int) -> Event:
    """Return a message of typical length."""
    told = Message("I could live with two of them, if the day stays as it is.")
    return Event(seq, seq / 1000, EventType.SEND_MESSAGE, "human", told, (), None, DecidedBy.HUMAN)


def offer(seq: int) -> Event:
    """Return an offer on one issue."""
    made = OfferMade(Offer([("apples", Allocation([("human", 3), ("agent", 3)], 0))]))
    return Event(seq, seq / 1000, EventType.SEND_OFFER, "human", made, (), None, DecidedBy.HUMAN)


def timed(call: Callable[[int], object], times: int) -> list[float]:
    """Return the seconds of each call."""
    found = []
    for i in range(1, times + 1):
        began = time.perf_counter()
        call(i)
        found.append(time.perf_counter() - began)
    return found


def main() -> None:
    """Print the table."""
    game = find_game("practice", Path("no such folder")).resolve_profiles(1)
    seats = SeatMap((seat, Occupant("human", "Somebody", participant="P1")) for seat in game.seats)
    header = Header("0123456789ab", AT, "0.1.0", 1, game, seats)
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as top:
        folder = Path(top)
        bare = os.open(folder / "bare", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        line = encode_event(message(1), AT)
        writes = timed(lambda _i: os.write(bare, line), MESSAGES)
        syncs = timed(lambda _i: (os.write(bare, line), os.fsync(bare)), DECISIONS)
        log = LogWriter(folder / "log", header, at=lambda: AT)
        words = timed(lambda i: log.write(message(i)), MESSAGES)
        decisions = timed(lambda i: log.write(offer(MESSAGES + i)), DECISIONS)
        began = time.perf_counter()
        log.close()
        LogWriter.reopen(folder / "log").writer.close()
        reopened = time.perf_counter() - began
    print(f"a bare write of {len(line)} bytes  {median(writes) * 1e6:8.1f} µs")
    print(f"a message in the log       {median(words) * 1e6:8.1f} µs   {median(words) / median(writes):.1f}x")
    print(f"a bare write and sync      {median(syncs) * 1e3:8.2f} ms")
    ratio, worst = median(decisions) / median(syncs), quantiles(decisions, n=100)[98] * 1e3
    print(f"a decision in the log      {median(decisions) * 1e3:8.2f} ms   {ratio:.2f}x   p99 {worst:.2f} ms")
    print(f"opening a log of {MESSAGES + DECISIONS:,} events again  {reopened:.2f} s")


if __name__ == "__main__":
    main()
