"""Logs that were recorded once and are read by every later version; see tests/golden/make.py."""

from __future__ import annotations

from pathlib import Path

from negoplatform.cli.render.transcript import replay_lines
from negoplatform.core.events import EndedBy, EventType
from negoplatform.domain.seat_map import SeatMap
from negoplatform.eventlog.observer_export import encode_log
from negoplatform.eventlog.reader import read_log
from negoplatform.eventlog.replay import replay
from tests.golden.make import DEAL, GOLDEN, make

LOG = GOLDEN / "deal-2.jsonl"


def test_the_golden_log_replays_to_its_deal_and_its_points() -> None:
    played = replay(read_log(LOG))

    assert played.state.ending is not None
    assert played.state.ending.ended_by is EndedBy.AGREEMENT
    assert played.state.ending.deal == DEAL
    assert played.state.ended_at == 37.25
    assert played.points == SeatMap({"human": 11, "agent": 9})


def test_the_golden_log_reads_as_it_always_did() -> None:
    lines = replay_lines(read_log(LOG), step=False)

    assert "\n".join(lines) + "\n" == LOG.with_suffix(".txt").read_text(encoding="utf-8")


def test_the_golden_log_is_written_again_byte_for_byte() -> None:
    assert encode_log(read_log(LOG)) == LOG.read_bytes()


def test_the_golden_log_holds_every_kind_of_event_but_a_walk_out() -> None:
    kinds = {event.type for event in read_log(LOG).events}

    assert kinds == set(EventType) - {EventType.FORMAL_QUIT}


def test_the_same_play_is_recorded_the_same_today(tmp_path: Path) -> None:
    assert make(tmp_path).read_bytes() == LOG.read_bytes()
