"""Logs that were recorded once and are read by every later version; see tests/golden/make.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from negoplatform.cli.render.transcript import replay_lines
from negoplatform.core.events import EndedBy, EventType
from negoplatform.domain.seat_map import SeatMap
from negoplatform.eventlog.observer_export import encode_log
from negoplatform.eventlog.reader import read_log
from negoplatform.eventlog.replay import replay
from negoplatform.eventlog.writer import LogWriter
from negoplatform.formats.log_header import FIRST_LOG_SCHEMA
from tests.golden.make import DEAL, GOLDEN, make, play

FIRST, SECOND = GOLDEN / "deal.jsonl", GOLDEN / "deal-2.jsonl"

every_format = pytest.mark.parametrize("log", [FIRST, SECOND], ids=["format 1", "format 2"])


@every_format
def test_the_golden_log_replays_to_its_deal_and_its_points(log: Path) -> None:
    played = replay(read_log(log))

    assert played.state.ending is not None
    assert played.state.ending.ended_by is EndedBy.AGREEMENT
    assert played.state.ending.deal == DEAL
    assert played.state.ended_at == 37.25
    assert played.points == SeatMap({"human": 11, "agent": 9})


@every_format
def test_the_golden_log_reads_as_it_always_did(log: Path) -> None:
    lines = replay_lines(read_log(log), step=False)

    assert "\n".join(lines) + "\n" == log.with_suffix(".txt").read_text(encoding="utf-8")


@every_format
def test_the_golden_log_is_written_again_byte_for_byte(log: Path) -> None:
    assert encode_log(read_log(log)) == log.read_bytes()


def test_the_golden_logs_hold_every_kind_of_event_but_a_walk_out() -> None:
    first, second = ({event.type for event in read_log(log).events} for log in (FIRST, SECOND))

    later = {EventType.AGENT_FAILED, EventType.STATE_PROPOSED, EventType.RESUMED}
    assert first == set(EventType) - later - {EventType.FORMAL_QUIT}
    assert second == set(EventType) - {EventType.FORMAL_QUIT}


def test_the_same_play_is_recorded_the_same_today(tmp_path: Path) -> None:
    assert make(tmp_path / "1", FIRST_LOG_SCHEMA, play).read_bytes() == FIRST.read_bytes()
    assert make(tmp_path / "2").read_bytes() == SECOND.read_bytes()


def test_a_log_of_the_first_format_is_gone_on_with_in_that_format(tmp_path: Path) -> None:
    begun = FIRST.read_bytes().splitlines(keepends=True)
    path = tmp_path / "events.jsonl"
    path.write_bytes(b"".join(begun[:-1]))
    whole = read_log(FIRST)

    opened = LogWriter.reopen(path, at=lambda: whole.times[-1])
    opened.writer.write(whole.events[-1])
    opened.writer.close()

    assert path.read_bytes() == FIRST.read_bytes()
    assert opened.writer.last_hash == ""
