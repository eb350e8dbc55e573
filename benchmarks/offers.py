"""Benchmark of offers per second on the whole path, compared with a bare loop of the same strategy.

Two quiet Boulware agents, loaded as plugins, negotiate over 1,000 outcomes on a virtual clock: session,
checks, events, state, views, the log as JSON lines in memory. The bare loop is the same strategy with only a
clock and a line of JSON for each offer. Run it with ``python benchmarks/offers.py``.

With ``NEGMAS_PYTHON`` set to an interpreter that has NegMAS, two of its time-dependent negotiators play
as many offers on as many outcomes, for comparison.
"""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import time
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

from negoplatform.analysis.bidding_measures import SentOffer, offers_sent
from negoplatform.analysis.outcome_measures import MeasuredGame
from negoplatform.app.catalogue.catalogue import find_agent
from negoplatform.app.session.session_runner import SessionRunner
from negoplatform.core.bus import PublishedEvent
from negoplatform.core.events import SEND_OFFER, EndedBy, Event
from negoplatform.core.virtual_clock import VirtualClock
from negoplatform.domain.game import GameSpec, Preferences, Rules
from negoplatform.domain.issue import CategoricalIssue
from negoplatform.domain.seat_map import SeatMap
from negoplatform.domain.utility import AdditiveUtility
from negoplatform.eventlog.reader import SessionLog
from negoplatform.eventlog.replay import replay
from negoplatform.eventlog.writer import NoLog
from negoplatform.formats.events import decode_event, encode_event
from negoplatform.formats.log_header import Header, Occupant
from negoplatform.plugins.agent_loader import make_agent

SEATS = ("human", "agent")
EXPONENT = 0.02
"""Exponent with which agents concede hardly anything before the deadline."""
SECONDS_PER_OFFER = 1.5
AT = "2026-01-01T00:00:00.000Z"


class MemoryLog:
    """Log as bytes in memory."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self.offers = 0

    def write(self, event: Event) -> None:
        """Encode and keep one event."""
        self.lines.append(encode_event(event, AT))
        self.offers += event.type == SEND_OFFER

    def close(self) -> None:
        """Do nothing."""


def thousand_outcomes(offers: int) -> GameSpec:
    """Return a game of three issues with ten values each, worth random points, and time for some offers."""
    rng = Random(3)
    issues = tuple(CategoricalIssue(name, tuple(f"{name}{i}" for i in range(10))) for name in "abc")
    preferences = {}
    for seat in SEATS:
        tables = {issue.name: {value: rng.randint(0, 100) for value in issue.values} for issue in issues}
        preferences[seat] = Preferences(AdditiveUtility(seat, tables), reservation_value=20)
    rules = Rules(deadline_seconds=offers * SECONDS_PER_OFFER, time_tick_seconds=3600)
    return GameSpec("benchmark", issues, SEATS, SeatMap(preferences), rules=rules)


def started_table(offers: int) -> tuple[MemoryLog, VirtualClock, SessionRunner]:
    """Return the log, the clock and the session of a game that has started, with sorted bids."""
    log, clock, game = MemoryLog(), VirtualClock(), thousand_outcomes(offers)
    table = SessionRunner(game, seed=1, clock=clock, log=log, report=print)
    plugin = find_agent("boulware", Path("none"))
    for seat in game.seats:
        table.assign_agent(seat, make_agent(plugin, seat, {"quiet": True, "exponent": EXPONENT}))
    table.start()
    return log, clock, table


def whole_path(offers: int) -> tuple[float, float, MemoryLog]:
    """Return offers per second, events per second, and the log of one game."""
    log, clock, table = started_table(offers)
    started = time.process_time()
    table.run_on(clock)
    seconds = time.process_time() - started
    return log.offers / seconds, len(log.lines) / seconds, log


def calls_per_offer(offers: int) -> float:
    """Return the calls of Python functions per offer of :func:`whole_path`, the same in every run."""
    log, clock, table = started_table(offers)
    calls = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        table.run_on(clock)
    finally:
        sys.setprofile(None)
    return calls / log.offers


def without_log(offers: int) -> tuple[float, list[SentOffer]]:
    """Return offers per second of the same game with talk off and without a log, and its offers."""
    game, clock, sent = thousand_outcomes(offers), VirtualClock(), list[SentOffer]()
    game = replace(game, rules=replace(game.rules, talk=False))
    table = SessionRunner(game, seed=1, clock=clock, log=NoLog(), report=print)

    def keep(published: PublishedEvent) -> None:
        sent.extend(offers_sent([published.event]))

    table.subscribe(keep)
    plugin = find_agent("boulware", Path("none"))
    for seat in game.seats:
        table.assign_agent(seat, make_agent(plugin, seat, {"quiet": True, "exponent": EXPONENT}))
    table.start()
    started = time.process_time()
    table.run_on(clock)
    return len(sent) / (time.process_time() - started), sent


def measured(sent: list[SentOffer], offers: int) -> float:
    """Return the seconds in which a game with these offers is measured."""
    game = thousand_outcomes(offers)
    yardstick = MeasuredGame(game)
    started = time.process_time()
    yardstick.measure_session(
        deal=None, ended_by=EndedBy.TIMEOUT, points=dict.fromkeys(SEATS, 20), offers=sent
    )
    return time.process_time() - started


NEGMAS_PROGRAM = """
import random, sys, time
from negmas import AspirationNegotiator, SAOMechanism, make_issue
from negmas.preferences import LinearAdditiveUtilityFunction

rng = random.Random(3)
issues = [make_issue([f"{name}{i}" for i in range(10)], name) for name in "abc"]
mechanism = SAOMechanism(issues=issues, n_steps=int(sys.argv[1]) // 2)
for _ in range(2):
    tables = {issue.name: {value: rng.randint(0, 100) for value in issue.values} for issue in issues}
    utility = LinearAdditiveUtilityFunction(tables, issues=issues, reserved_value=20)
    mechanism.add(AspirationNegotiator(aspiration_type=1 / float(sys.argv[2])), preferences=utility)
started = time.process_time()
mechanism.run()
print(len(mechanism.trace) / (time.process_time() - started))
"""


def negmas(offers: int) -> float | None:
    """Return offers per second of two negotiators of NegMAS; None without an interpreter that has it."""
    interpreter = os.environ.get("NEGMAS_PYTHON")
    if not interpreter:
        return None
    command = [interpreter, "-c", NEGMAS_PROGRAM, str(offers), str(EXPONENT)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(done.stdout.split()[-1])


def bare_loop(offers: int) -> float:
    """Return offers per second of the same strategy without a platform."""
    game = thousand_outcomes(offers)
    utility = {seat: game.preferences[seat].utility for seat in SEATS}
    outcomes = list(game.outcomes())
    ranked = {
        seat: sorted(((utility[seat](o), i) for i, o in enumerate(outcomes)), key=lambda bid: bid[0])
        for seat in SEATS
    }
    points = {seat: [worth for worth, _ in bids] for seat, bids in ranked.items()}
    documents = [dict(offer.terms) for offer in outcomes]
    deadline, t, seq, lines = game.rules.deadline_seconds or 0.0, 0.0, 0, []
    on_table, who, other = None, *SEATS
    started = time.process_time()
    while t < deadline:
        low, high = points[who][0], points[who][-1]
        target = max(20, high - min(1.0, t / deadline) ** (1 / EXPONENT) * (high - low))
        if on_table is not None and utility[who](outcomes[on_table]) >= target:
            break
        on_table = ranked[who][min(bisect_left(points[who], target), len(outcomes) - 1)][1]
        seq += 1
        lines.append(json.dumps({"seq": seq, "t": t, "sender": who, "offer": documents[on_table]}).encode())
        t = round(t + SECONDS_PER_OFFER, 3)
        who, other = other, who
    return seq / (time.process_time() - started)


def replayed(log: MemoryLog, offers: int) -> tuple[float, float]:
    """Return events per second, decoded from their lines, and replayed with all checks."""
    started = time.process_time()
    events = [decode_event(line, "benchmark", "")[0] for line in log.lines]
    read = len(events) / (time.process_time() - started)
    seats = SeatMap((seat, Occupant("agent", seat)) for seat in SEATS)
    header = Header("benchmark", AT, "0", 1, thousand_outcomes(offers), seats)
    session = SessionLog(Path("benchmark"), header, tuple(events), (AT,) * len(events))
    started = time.process_time()
    replay(session)
    return read, len(events) / (time.process_time() - started)


def best(of: Callable[[], float], tries: int = 5) -> float:
    """Return the best of several runs: the one that other work on the machine disturbed least."""
    results = []
    for _ in range(tries):
        gc.collect()
        results.append(of())
    return max(results)


def event_cost(offers: int) -> float:
    """Return the microseconds per event of a game with so many offers."""
    return 1e6 / best(lambda: whole_path(offers)[1], 3)


def main() -> None:
    """Print the table."""
    bare = best(lambda: bare_loop(10_000))
    whole = best(lambda: whole_path(10_000)[0])
    print(f"bare loop            {bare:10,.0f} offers/s")
    print(f"whole path           {whole:10,.0f} offers/s   {whole / bare:.2f} of the bare loop")
    print(f"calls of functions   {calls_per_offer(2_000):10.1f} per offer")
    *_, sent = without_log(10_000)
    quick = best(lambda: without_log(10_000)[0])
    print(f"without log and talk {quick:10,.0f} offers/s   {quick / bare:.2f} of the bare loop")
    game_seconds, measuring = len(sent) / quick, 1 / best(lambda: 1 / measured(sent, 10_000))
    share = measuring / (game_seconds + measuring)
    print(f"measures             {share:10.1%} of the time of that game with them")
    peer = negmas(4_000)
    if peer is None:
        print("NegMAS               skipped: NEGMAS_PYTHON names no interpreter")
    else:
        print(f"NegMAS               {peer:10,.0f} offers/s   without log and talk: {quick / peer:.1f}x")
    costs = {count: event_cost(count) for count in (1_000, 10_000, 100_000)}
    for count, cost in costs.items():
        print(f"{count:7,} offers       {cost:10.1f} µs/event   {cost / costs[1_000]:.2f} of a short game's")
    *_, log = whole_path(20_000)
    read, folded = replayed(log, 20_000)
    print(f"reading a log        {read:10,.0f} events/s")
    print(f"checking and folding {folded:10,.0f} events/s")


if __name__ == "__main__":
    main()
