"""Reader: a damaged log is refused at its line."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from negoplatform.domain.errors import InputFileError
from negoplatform.domain.game import GameSpec
from negoplatform.eventlog.disk_calls import MOVED_NAME
from negoplatform.eventlog.reader import read_log
from negoplatform.testing import TrialTable
from tests.eventlog.logs import AT, header_for, lines_of, recorded, rehashed, rewrite

Lines = list[dict[str, Any]]


def play(table: TrialTable) -> None:
    table.human.says("Hello")
    table.wait(1)
    table.agent.offers(bananas=(2, 2), grain=(3, 2))
    table.wait(1)
    table.human.says("Hm.")


@pytest.fixture
def log(tmp_path: Path, game: GameSpec) -> Path:
    return recorded(tmp_path, game, play)


def test_a_log_is_read_with_its_header_its_events_and_their_times(log: Path, game: GameSpec) -> None:
    found = read_log(log)

    assert found.header == header_for(game)
    assert [event.type for event in found.events] == [
        "GAME_START",
        "SEND_MESSAGE",
        "SEND_OFFER",
        "SEND_MESSAGE",
    ]
    assert found.times == (AT,) * 4


def test_a_log_is_found_by_its_folder_too(log: Path) -> None:
    assert read_log(log.parent) == read_log(log)


def swap(lines: Lines) -> None:
    lines[2], lines[3] = lines[3], lines[2]


def delete(lines: Lines) -> None:
    del lines[3]


def repeat(lines: Lines) -> None:
    lines.insert(3, lines[2])


def begin_late(lines: Lines) -> None:
    del lines[1]


def turn_back_time(lines: Lines) -> None:
    lines[4]["t"] = 0.5


def unknown_type(lines: Lines) -> None:
    lines[3]["type"] = "SEND_FLOWERS"


def unknown_schema(lines: Lines) -> None:
    lines[0]["schema"] = "negoplatform.log/99"


def no_header(lines: Lines) -> None:
    del lines[0]


def unknown_view(lines: Lines) -> None:
    lines[0]["view"] = "everybody"


def hidden_preferences(lines: Lines) -> None:
    lines[0]["game"]["seats"]["agent"]["preferences"] = None


def another_seat(lines: Lines) -> None:
    lines[0]["seats"]["cook"] = lines[0]["seats"].pop("agent")


def bad_game(lines: Lines) -> None:
    lines[0]["game"]["issues"][0]["quantity"] = "4"


def bad_points(lines: Lines) -> None:
    lines[0]["game"]["seats"]["human"]["preferences"]["issues"]["grain"]["by_units"] = [1]


def empty_line(lines: Lines) -> None:
    lines[3] = {}


@pytest.mark.parametrize(
    ("alter", "where", "reason"),
    [
        (swap, "line 3", "event 3 is in the place of event 2"),
        (delete, "line 4", "event 4 is in the place of event 3"),
        (repeat, "line 4", "event 2 is in the place of event 3"),
        (begin_late, "line 2", "event 2 is in the place of event 1"),
        (turn_back_time, "line 5", "its time, 0.5 s, is before the event above it, 1 s"),
        (unknown_type, "line 4", "this is no event of a kind that is known here ('SEND_FLOWERS')"),
        (
            unknown_schema,
            "line 1",
            "this is no session log that is known here (schema 'negoplatform.log/99')",
        ),
        (no_header, "line 1", "this is no session log that is known here (schema None)"),
        (unknown_view, "line 1, view", "there is no view 'everybody' of this game"),
        (hidden_preferences, "line 1, game.seats.agent.preferences", "this key is missing"),
        (another_seat, "line 1", "the seats do not match the game's"),
        (bad_game, "line 1, game.issues[0].quantity", 'a whole number belongs here, not "4"'),
        (bad_points, "line 1, game.seats.human.preferences.issues.grain", "by_units needs 6 numbers"),
        (empty_line, "line 4", "this is no event of a kind that is known here (None)"),
    ],
)
def test_a_log_that_was_altered_is_refused_at_its_line(
    log: Path, alter: Callable[[Lines], None], where: str, reason: str
) -> None:
    lines = lines_of(log)
    alter(lines)
    rewrite(log, lines)

    with pytest.raises(InputFileError) as caught:
        read_log(log)

    assert caught.value.where == where
    assert caught.value.reason.startswith(reason)


@pytest.mark.parametrize("cut", [1, 2, 40])
def test_a_last_line_that_was_cut_off_is_named(log: Path, cut: int) -> None:
    log.write_bytes(log.read_bytes()[:-cut])

    with pytest.raises(
        InputFileError, match="line 5: this last line is cut off; the lines before it are whole"
    ):
        read_log(log)


@pytest.mark.parametrize(
    ("data", "where", "reason"),
    [
        (b"", "line 1", "the file is empty: the program was ended before it wrote the first line, or"),
        (b"\n", "line 1", "there is nothing in it"),
        (b"hello", "line 1", "this first line is cut off, so there is no session"),
        (b"hello\n", "line 1", "this is no valid JSON"),
        (b"\xff\xff\n", "line 1", "this is no UTF-8 text"),
        (b"[" * 100_000 + b"\n", "line 1", "the values are nested too deeply"),
        (b"null\n", "line 1", "this is no session log"),
        (rehashed(b'{"schema":"negoplatform.log/2"}\n'), "line 1", "this key is missing"),
        (b'{"schema":"negoplatform.log/1"}\n', "line 1", "a format without hashes that was never released"),
        (b'{"schema":"a","schema":"b"}\n', "line 1, schema", "this key appears twice"),
    ],
)
def test_what_is_no_log_is_refused_in_one_sentence(
    tmp_path: Path, data: bytes, where: str, reason: str
) -> None:
    path = tmp_path / "events.jsonl"
    path.write_bytes(data)

    with pytest.raises(InputFileError) as caught:
        read_log(path)

    assert caught.value.where.startswith(where)
    assert reason in caught.value.reason


def test_a_blank_line_inside_a_log_is_refused(log: Path) -> None:
    log.write_bytes(log.read_bytes() + b"\n")

    with pytest.raises(InputFileError, match="line 6: its hash does not fit"):
        read_log(log)


@pytest.mark.parametrize("name", ["nowhere", "nowhere.jsonl", "."])
def test_a_log_that_is_not_there_is_said_so(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputFileError, match="there is no such session log"):
        read_log(tmp_path / name)


@pytest.mark.skipif(os.name != "posix", reason="the path is one of POSIX")
def test_a_log_that_is_not_there_any_more_is_said_to_go_on_where_its_note_says(tmp_path: Path) -> None:
    (tmp_path / MOVED_NAME).write_text("The log of this session goes on in\n/elsewhere/events.jsonl\n")

    with pytest.raises(InputFileError, match=r"is not here; it goes on in /elsewhere/events\.jsonl"):
        read_log(tmp_path)
