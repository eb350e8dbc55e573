"""Facts on the disk: what was shown is there after a power cut, or follows from what is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from negoplatform.app.session.session_runner import SessionRunner
from negoplatform.core.bus import PublishedEvent
from negoplatform.core.events import EventType, Message
from negoplatform.core.session import ActionOrigin
from negoplatform.core.virtual_clock import VirtualClock
from negoplatform.domain.seat_map import SeatMap
from negoplatform.eventlog.writer import LogWriter
from negoplatform.formats.log_header import Header, Occupant
from tests.eventlog.disks import TestDisk
from tests.mechanisms.auction_games import AUCTION, build
from tests.mechanisms.sealed_bid import GIVE_MONEY, PLACE_BID, BidPlaced, MoneyOffered, SealedBid


class Table:
    """A session on a disk that records what is synced.

    Attributes:
        synced: For each published event its type, and whether its line was on the disk by then.
        syncs: The number of syncs of the log.
    """

    def __init__(self, folder: Path) -> None:
        game = build({**AUCTION, "terms": {"rounds": 3, "seconds": 4.0}})
        self.syncs = 0
        self.disk = TestDisk(self._count)
        seats = SeatMap((seat, Occupant("agent", seat)) for seat in game.seats)
        self.log = LogWriter(folder / "s", Header("s", "", "1", 1, game, seats), disk=self.disk)
        self.clock = VirtualClock()
        self.runner = SessionRunner(
            game, seed=1, clock=self.clock, log=self.log, report=lambda error: pytest.fail(str(error))
        )
        self.synced: list[tuple[str, bool]] = []
        self.runner.subscribe(self._note)
        self.runner.start()
        self.synced.clear()
        self.syncs = 0

    def wait_until(self, t: float) -> None:
        """Let time pass."""
        while (due := self.runner.next_due()) is not None and due <= t:
            self.clock.advance_to(due)
            self.runner.run_one_due()

    def _count(self, _number: int, name: str, _path: Path) -> bool:
        self.syncs += name == "fsync"
        return False

    def _note(self, published: PublishedEvent) -> None:
        lines = self.disk.synced[self.log.path].count(b"\n")
        self.synced.append((published.event.type, lines > published.event.seq))


def act(kind: str) -> Callable[[Table], object]:
    """Return a move of ann's."""
    payload = {PLACE_BID: BidPlaced(5), GIVE_MONEY: MoneyOffered(5)}[kind]
    to = ("ben",) if kind == GIVE_MONEY else ()
    return lambda table: table.runner.session.act("ann", kind, payload, ActionOrigin(to=to))


def test_what_time_causes_is_synced_once_before_it_is_shown(tmp_path: Path) -> None:
    table = Table(tmp_path)
    act(PLACE_BID)(table)
    table.synced.clear()
    table.syncs = 0

    table.wait_until(4.0)

    assert [kind for kind, _ in table.synced] == ["round-closed", "account-changed", "round-opened"]
    assert table.synced[0] == ("round-closed", True)
    assert table.syncs == 1, "what follows from the first fact is not synced by itself"
    assert table.log.sync_due is not None, "but with the next lines"


def test_what_follows_from_an_act_needs_no_sync_of_its_own(tmp_path: Path) -> None:
    table = Table(tmp_path)

    act(GIVE_MONEY)(table)

    assert [kind for kind, _ in table.synced] == [GIVE_MONEY, "money-given"]
    assert table.synced[0][1]
    assert table.syncs == 1


def test_a_fact_behind_words_is_synced_with_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sound = SealedBid.consequences
    monkeypatch.setattr(
        SealedBid,
        "consequences",
        lambda self, state, event: (
            self._close_round(state) if event.type == EventType.SEND_MESSAGE else sound(self, state, event)
        ),
    )
    table = Table(tmp_path)
    act(PLACE_BID)(table)  # a decision at the same session time

    table.runner.session.send_message("ben", Message("Close it."))

    closed = [kind for kind, _ in table.synced].index("round-closed")
    assert table.synced[closed] == ("round-closed", True)
    assert table.synced[closed - 1] == (EventType.SEND_MESSAGE, True)
