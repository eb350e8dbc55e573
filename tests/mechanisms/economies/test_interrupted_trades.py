"""Logs of trades that were cut off, by a kill or a full disk, and logs of the four shipped games."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import pytest

from negoplatform.app.catalogue.catalogue import find_agent, find_game
from negoplatform.app.session.session_runner import SessionRunner
from negoplatform.app.simulation.rerun import resimulate
from negoplatform.app.simulation.simulate import simulate
from negoplatform.cli.main import run as run_command
from negoplatform.core.bus import PublishedEvent
from negoplatform.core.events import Event, EventType
from negoplatform.core.mechanisms.double_auction_state import OrderPlaced
from negoplatform.core.mechanisms.market_terms import MarketTerms
from negoplatform.core.mechanisms.order_book import OrderSide
from negoplatform.core.mechanisms.trading_state import Tape, TransactionRequested
from negoplatform.core.virtual_clock import VirtualClock
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import SeatMap
from negoplatform.domain.trading.economy import Quantities
from negoplatform.eventlog.disk_calls import DISK, LOG_NAME, Disk
from negoplatform.eventlog.failover import FailoverLog
from negoplatform.eventlog.reader import read_log
from negoplatform.eventlog.replay import replay
from negoplatform.eventlog.writer import EventSink, LogWriter, NoLog
from negoplatform.formats.log_header import Header, Occupant
from tests.eventlog.disks import TestDisk
from tests.mechanisms.economies.land import land_market
from tests.mechanisms.grain_market import BUYER, OTHER, SELLER, grain_market
from tests.mechanisms.moves import TriedAct
from tests.mechanisms.trading_table import ONE, TWO, worked_example
from tests.resumed_events import without_the_break
from tests.torture.programs import KILLED, Send, start

if sys.platform == "win32":
    pytest.skip("the kills here are those of POSIX", allow_module_level=True)


class Trade(NamedTuple):
    """A game, the acts up to and with one that makes a trade, and the facts that follow from the last."""

    game: GameSpec
    acts: tuple[TriedAct, ...]
    facts: int


def a_transaction() -> Trade:
    """Return a transaction that both sides request."""
    acts = tuple(
        TriedAct(
            seat, "SUBMIT_TRANSACTION", TransactionRequested("x", buys, other, 10, Quantities({"good_1": 1}))
        )
        for seat, other, buys in ((ONE, TWO, True), (TWO, ONE, False))
    )
    return Trade(worked_example(fee=1, seats=3, tape=Tape.PUBLIC), acts, 2)


def a_sweep() -> Trade:
    """Return a bid that buys from two orders, and of which a part is left."""
    asks = [(SELLER, 40, 2), (OTHER, 45, 1)]
    acts = [
        TriedAct(seat, "PLACE_ORDER", OrderPlaced(OrderSide.ASK, price, count)) for seat, price, count in asks
    ]
    acts.append(TriedAct(BUYER, "PLACE_ORDER", OrderPlaced(OrderSide.BID, 50, 4)))
    return Trade(grain_market(), tuple(acts), 9)


TRADES = {"transaction": a_transaction, "sweep": a_sweep}
every_trade = pytest.mark.parametrize("trade", [make() for make in TRADES.values()], ids=TRADES)


def header(game: GameSpec) -> Header:
    """Return the header of a session of agents."""
    seats = SeatMap((seat, Occupant("agent", seat)) for seat in game.seats)
    return Header("s", "", "1", 1, game, seats)


def session_of(game: GameSpec, log: EventSink, past: Sequence[Event] = ()) -> SessionRunner:
    """Return a session that is started, or resumed after its past."""
    clock = VirtualClock()
    runner = SessionRunner(game, seed=1, clock=clock, log=log, report=lambda error: pytest.fail(str(error)))
    if past:
        clock.advance_to(past[-1].t)
    runner.resume(past)
    return runner


def perform(runner: SessionRunner, acts: Sequence[TriedAct]) -> None:
    """Perform acts."""
    for act in acts:
        runner.session.act(act.seat, act.type, act.payload)


def new_log(folder: Path, trade: Trade, disk: Disk = DISK) -> LogWriter:
    """Return a new log of the game of a trade."""
    return LogWriter(folder / "s", header(trade.game.resolve_profiles(1)), disk=disk)


class Kept(NoLog):
    """Log in memory."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def write(self, event: Event) -> None:
        """Append the event."""
        self.events.append(event)


def uncut(trade: Trade) -> list[Event]:
    """Return the events of the trade when nothing goes wrong; the last ones are its facts."""
    kept = Kept()
    perform(session_of(trade.game, kept), trade.acts)
    assert [event.type for event in kept.events].index(trade.acts[-1].type) > 0
    assert [event.type for event in kept.events[-trade.facts - 1 :]].count(trade.acts[-1].type) == 1
    assert kept.events[-trade.facts - 1].type == trade.acts[-1].type
    return kept.events


def taken_up(path: Path, whole: Sequence[Event]) -> None:
    """Resume a log in which the act of the trade is, and check what comes of it, up to its last verdict."""
    reopened = LogWriter.reopen(path)
    past = reopened.log.events
    assert past == tuple(whole[: len(past)])
    runner = session_of(reopened.log.header.game, reopened.writer, past)

    state = runner.session.state
    runner.finish()

    log = read_log(path)
    assert without_the_break(list(log.events)) == list(whole)
    assert replay(log).state.mechanism_state == state.mechanism_state
    assert run_command(["log", "verify", str(path)]) == 0


@every_trade
def test_a_log_cut_at_any_line_of_a_trade_is_completed_with_what_is_owed(
    trade: Trade, tmp_path: Path
) -> None:
    whole = uncut(trade)
    writer = new_log(tmp_path, trade)
    perform(session_of(trade.game, writer), trade.acts)
    writer.close()
    lines = writer.path.read_bytes().splitlines(keepends=True)
    assert len(lines) == len(whole) + 1

    for left in range(len(lines) - trade.facts, len(lines) + 1):
        for torn in (b"", lines[left][:30] if left < len(lines) else b'{"seq'):
            folder = tmp_path / f"{left}-{len(torn)}"
            folder.mkdir()
            (folder / LOG_NAME).write_bytes(b"".join(lines[:left]) + torn)
            taken_up(folder / LOG_NAME, whole)


class DyingLog(NoLog):
    """Log whose process is killed as soon as a line is written.

    Args:
        log: The log.
        seq: The number of the event of that line.
        send: Tells the parent about each event that is shown to anybody.
    """

    def __init__(self, log: LogWriter, seq: int) -> None:
        self._log = log
        self._seq = seq

    def write(self, event: Event) -> None:
        """Write the line."""
        self._log.write(event)
        if event.seq == self._seq:
            os.kill(os.getpid(), signal.SIGKILL)


def _die(folder: Path, trade: Trade, seq: int, send: Send) -> None:
    runner = session_of(trade.game, DyingLog(new_log(folder, trade), seq))

    def shown(published: PublishedEvent) -> None:
        send(bytes([published.event.seq]))

    runner.subscribe(shown)
    perform(runner, trade.acts)


@every_trade
def test_a_process_killed_between_the_facts_of_a_trade_owes_them_to_its_log(
    trade: Trade, tmp_path: Path
) -> None:
    whole = uncut(trade)

    for seq in range(len(whole) - trade.facts, len(whole) + 1):
        folder = tmp_path / str(seq)
        program = start(partial(_die, folder, trade, seq), warm=land_market)
        shown = b""
        while more := program.read_some():
            shown += more
        assert program.reap() == KILLED
        assert max(shown, default=0) < len(whole) - trade.facts  # nothing of the trade was shown before
        taken_up(folder / "s" / LOG_NAME, whole)


@every_trade
def test_a_disk_that_is_full_in_the_middle_of_a_trade_loses_nothing_of_it(
    trade: Trade, tmp_path: Path
) -> None:
    whole = uncut(trade)

    for fact in range(trade.facts):
        disk = TestDisk()
        writer = new_log(tmp_path / f"a{fact}", trade, disk)
        path = writer.path
        runner = session_of(trade.game, _FullFrom(writer, len(whole) - trade.facts + fact + 1, disk))
        with pytest.raises(NegoError):
            perform(runner, trade.acts)
        disk.end_program()
        assert len(read_whole(path)) == len(whole) - trade.facts + fact
        taken_up(path, whole)


def read_whole(path: Path) -> list[bytes]:
    """Return the whole lines of a log without its header."""
    return [line for line in path.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")][1:]


class _FullFrom(NoLog):
    """Log on a disk that is full from an event on."""

    def __init__(self, log: LogWriter, seq: int, disk: TestDisk) -> None:
        self._log = log
        self._seq = seq
        self._disk = disk

    def write(self, event: Event) -> None:
        """Write the line, or half of it."""
        if event.seq == self._seq:
            self._disk.fails = lambda _number, name, _path: name == "write"
        self._log.write(event)


@every_trade
def test_a_trade_goes_on_in_another_folder_where_the_disk_is_full(trade: Trade, tmp_path: Path) -> None:
    whole = uncut(trade)

    for fact in range(trade.facts):
        folder = tmp_path / str(fact)
        disk = TestDisk()
        writer = new_log(folder, trade, disk)
        log = FailoverLog(writer, fallbacks=[folder / "more"])
        first = writer.path.parent
        seq = len(whole) - trade.facts + fact + 1
        runner = session_of(trade.game, log)
        disk.fails = partial(_is_full, writer.path, seq, first)

        perform(runner, trade.acts)
        runner.finish()

        (moved,) = (folder / "more").glob(f"*/{LOG_NAME}")
        events = read_log(moved).events
        assert list(events) == whole
        assert run_command(["log", "verify", str(moved)]) == 0


def _is_full(path: Path, seq: int, first: Path, _number: int, name: str, file: Path) -> bool:
    return name == "write" and file.is_relative_to(first) and path.read_bytes().count(b"\n") >= seq


# The four games


GAMES: dict[str, tuple[str, ...]] = {
    "tac_trading": ("tac_baseline",) * 2,
    "tac_market": ("tac_baseline",) * 3,
    "grain_market": ("zero_intelligence", "zip") * 3,
    "land_market": ("land_trader",) * 5,
}
every_game = pytest.mark.parametrize("name", GAMES)


def shortened(game: GameSpec) -> GameSpec:
    """Return a game whose periods and phases take 20 s at most, in which its agents do all that they do."""
    economy = game.economy
    if economy is None or not isinstance(economy.terms, MarketTerms):
        return game
    terms = economy.terms
    if terms.phases:
        phases = tuple(replace(phase, seconds=min(phase.seconds, 20)) for phase in terms.phases)
        shorter = replace(terms, phases=phases)
    else:
        shorter = replace(terms, periods=replace(terms.periods, seconds=20))
    return replace(game, economy=replace(economy, terms=shorter))


@cache
def log_of(name: str, folder: Path) -> Path:
    """Return the log of a simulated session of a game."""
    agents = [find_agent(agent, folder) for agent in GAMES[name]]
    fail: Callable[[BaseException], object] = lambda error: pytest.fail(str(error))  # noqa: E731 - as typed
    for _ in simulate(shortened(find_game(name, folder)), agents, games=1, seed=7, logs=folder, report=fail):
        pass
    return min(folder.glob(f"*/{LOG_NAME}"))


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return a function that returns the log of a game, which is simulated once."""
    folders = {name: tmp_path_factory.mktemp(name) for name in GAMES}
    return lambda name: log_of(name, folders[name])


@every_game
def test_the_commands_verify_replay_export_and_run_again_the_log_of_a_game(
    name: str, logs: Callable[[str], Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = logs(name)
    seats = read_log(log).header.game.seats

    assert run_command(["log", "verify", str(log)]) == 0
    assert run_command(["replay", "--step", str(log)]) == 0
    assert run_command(["export", str(log), "--out", str(tmp_path / "tables")]) == 0
    assert run_command(["resimulate", str(log)]) == 0
    for who in (seats[0], "public"):
        seen = tmp_path / f"{who}.jsonl"
        assert run_command(["replay", "--view", who, "--out", str(seen), str(log)]) == 0
        assert run_command(["log", "verify", str(seen)]) == 0
        assert run_command(["replay", str(seen)]) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    assert (tmp_path / "tables" / "seats.csv").read_text(encoding="utf-8-sig").count("\n") >= len(seats)


@every_game
def test_a_seat_s_export_holds_what_its_seat_has_seen_and_the_state_that_follows(
    name: str, logs: Callable[[str], Path], tmp_path: Path
) -> None:
    log = read_log(logs(name))
    whole = replay(log).state
    seat = log.header.game.seats[0]
    seen = tmp_path / "seen.jsonl"

    assert run_command(["replay", "--view", seat, "--out", str(seen), str(log.path)]) == 0

    accounts = replay(read_log(seen)).state.mechanism_state.accounts  # type: ignore[attr-defined]  # both kinds have them
    assert list(accounts) == [seat]
    assert accounts[seat] == whole.mechanism_state.accounts[seat]  # type: ignore[attr-defined]


@every_game
def test_a_log_resumed_between_the_facts_of_a_trade_runs_on_to_the_same_end_and_runs_again(
    name: str, logs: Callable[[str], Path], tmp_path: Path
) -> None:
    log = read_log(logs(name))
    whole = list(log.events)
    kind = "transaction-confirmation" if name.startswith("tac") else "contract-fulfilled"
    at = next(i for i, event in enumerate(whole) if event.type == kind)
    lines = log.path.read_bytes().splitlines(keepends=True)

    for cut in range(at, at + 3):  # behind the act, behind the first fact, behind the second
        path = tmp_path / str(cut) / LOG_NAME
        path.parent.mkdir()
        path.write_bytes(b"".join(lines[: cut + 1]))
        reopened = LogWriter.reopen(path)
        past = reopened.log.events
        runner = session_of(reopened.log.header.game, reopened.writer, past)
        runner.finish()
        resumed = without_the_break(list(read_log(path).events))
        owed = next(i for i, event in enumerate(whole[at:], start=at) if _ends(event, whole, i))
        assert resumed[: owed + 1] == whole[: owed + 1]
        assert run_command(["log", "verify", str(path)]) == 0
    assert resimulate(log, tmp_path).differences == ()


def _ends(event: Event, whole: list[Event], i: int) -> bool:
    """Return whether the facts of an act end here: what comes next is no fact of the same moment."""
    following = whole[i + 1]
    return following.sender != "platform" or following.type in (EventType.NOTE, EventType.TIME)
