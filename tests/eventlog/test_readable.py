"""Lines of a log, readable whatever their size, depth and texts."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from negoplatform.agent_api.actions import MAX_PROPOSAL_KEYS, ProposeChange
from negoplatform.core.events import Announced, Event, EventType, Message, Note
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.record.notes_and_tasks_proposals import Proposer, ProposerKind
from negoplatform.domain.errors import AgentError, InputFileError, LogWriteError, Refused
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import SeatMap
from negoplatform.eventlog.reader import read_log
from negoplatform.eventlog.writer import LogWriter
from negoplatform.formats.agent_protocol import AgentResponseModel, BadMessage, decode_reply
from negoplatform.formats.dataclass_codec import form
from negoplatform.formats.events import decode_event, encode_event
from negoplatform.formats.log_header import Header, Occupant, decode_header, encode_header
from negoplatform.formats.strict_json import FILE_LIMITS, LOG_LIMITS, JsonLimits, parse_json
from negoplatform.testing import TrialTable
from tests.eventlog.logs import AT, header_for
from tests.proposers import issued


def deep(levels: int) -> Any:
    """Return nested lists."""
    value: Any = []
    for _ in range(levels - 1):
        value = [value]
    return value


def answer(updates: dict[str, Any]) -> bytes:
    """Return the message of an agent's process that proposes a change."""
    step = {"do": "propose", "updates": updates, "base_version": None, "delay_ms": 0, "flushable": False}
    said = {"kind": "answer", "id": 1, "steps": [step], "failure": "", "trace": ""}
    return (json.dumps(said, separators=(",", ":")) + "\n").encode()


def keys_that_may_be_said() -> int:
    """Return how many lists a proposal may hold for a process's message to be accepted."""
    least, most = 0, FILE_LIMITS.max_keys
    while least < most:
        middle = (least + most + 1) // 2
        try:
            decode_reply(answer({"a": [[]] * middle}))
            least = middle
        except BadMessage:
            most = middle - 1
    return least


def proposed(folder: Path, game: GameSpec, updates: dict[str, Any]) -> LogWriter:
    """Return the log of a game in which a seat proposed a change that was refused."""
    log = LogWriter(folder / "session", header_for(game), at=lambda: AT)
    table = TrialTable(game, log=log)
    table.start()
    seat = game.seats[0]
    with pytest.raises(Refused):
        table.session.propose_change(issued(table.session, Proposer(ProposerKind.SEAT, seat)), updates, 0)
    table.session.send_message(seat, Message("And on."))
    log.close()
    return log


def test_the_fullest_proposal_that_a_process_may_make_can_be_read_in_the_log(
    tmp_path: Path, game: GameSpec
) -> None:
    most = keys_that_may_be_said()

    log = proposed(tmp_path, game, {"a": [[]] * most})

    assert most > FILE_LIMITS.max_keys - 100
    kinds = [event.type for event in read_log(log.path).events]
    assert EventType.STATE_PROPOSED in kinds
    assert kinds[-1] == EventType.SEND_MESSAGE


def test_the_deepest_proposal_that_a_process_may_make_can_be_read_in_the_log(
    tmp_path: Path, game: GameSpec
) -> None:
    for levels in range(1, FILE_LIMITS.max_depth):
        try:
            said = decode_reply(answer({"a": deep(levels)}))
            assert isinstance(said, AgentResponseModel)
            [step] = said.steps
            assert isinstance(step, form(ProposeChange))
            step.value()
        except (BadMessage, AgentError):
            break
        log = proposed(tmp_path / str(levels), game, step.updates)
        assert read_log(log.path).events[-1].type == EventType.SEND_MESSAGE
    assert levels == 20


def test_an_author_is_told_that_a_proposal_holds_too_much() -> None:
    ProposeChange({"notes": {"a": [[]] * (MAX_PROPOSAL_KEYS - 3)}})

    with pytest.raises(AgentError, match="more than 10,000 keys and lists"):
        ProposeChange({"notes": {"a": [[]] * (MAX_PROPOSAL_KEYS - 2)}})


@pytest.mark.parametrize("payload", [deep(LOG_LIMITS.max_depth + 1), [[]] * (LOG_LIMITS.max_keys + 1)])
def test_a_line_that_no_reader_would_take_is_refused_and_the_log_goes_on(
    tmp_path: Path, game: GameSpec, payload: Any
) -> None:
    log = LogWriter(tmp_path / "session", header_for(game), at=lambda: AT)
    too_much = Event(1, 0.0, "news", "platform", Announced(json.dumps({"a": payload}), ""))
    hello = Event(1, 0.0, EventType.SEND_MESSAGE, "human", Message("[" * 5000 + ":" * 50_000))

    with pytest.raises(Refused, match="too long to be recorded"):
        log.write(too_much)
    log.write(hello)
    log.close()

    assert read_log(log.path).events == (hello,)


def seated(game: GameSpec, config: dict[str, Any]) -> Header:
    """Return a header in which every seat has an agent with these settings."""
    who = Occupant("agent", "Robin", agent="fair", config=config)
    return replace(header_for(game), seats=SeatMap((seat, who) for seat in game.seats))


@pytest.mark.parametrize("config", [{"a": deep(FILE_LIMITS.max_depth - 1)}, {"a": [[]] * 12_000}])
def test_settings_that_a_file_may_hold_can_be_read_in_the_log_of_each_seat(
    tmp_path: Path, game: GameSpec, config: dict[str, Any]
) -> None:
    parse_json(json.dumps(config), "the settings")
    header = seated(game, config)

    log = LogWriter(tmp_path / "session", header, at=lambda: AT)
    log.close()

    assert read_log(log.path).header.seats == header.seats


@pytest.mark.parametrize(
    ("config", "reason"),
    [
        ({"a": deep(LOG_LIMITS.max_depth)}, "the values are nested too deeply"),
        ({"a": [[]] * FILE_LIMITS.max_keys}, "there are more than 40,000 keys and lists in it"),
    ],
)
def test_a_session_whose_log_could_not_be_read_is_refused_before_there_is_one(
    tmp_path: Path, game: GameSpec, config: dict[str, Any], reason: str
) -> None:
    with pytest.raises(LogWriteError, match=f"This session cannot be recorded.*: {reason}"):
        LogWriter(tmp_path / "session", seated(game, config))

    assert list(tmp_path.iterdir()) == []


def test_a_line_of_a_log_may_hold_more_than_a_file_but_not_without_end() -> None:
    text = json.dumps([[]] * FILE_LIMITS.max_keys)

    parse_json(text, "log", limits=LOG_LIMITS)
    with pytest.raises(InputFileError, match="there are more than 20,000 keys and lists"):
        parse_json(text, "file")
    with pytest.raises(InputFileError, match="nested too deeply"):
        parse_json(json.dumps(deep(4)), "log", limits=JsonLimits(max_depth=3, max_keys=100))


ODD = os.fsdecode(b"caf\xe9") if os.name == "posix" else "caf\udce9"


def test_a_note_about_a_path_that_is_no_utf8_is_written_all_the_same() -> None:
    note = Event(1, 0.0, EventType.NOTE, "platform", Note(NoteKind.LOG_MOVED, {"old": ODD}))

    line = encode_event(note, AT)

    event, _ = decode_event(line[:-1], "log", "line 2")
    assert isinstance(event.payload, Note)
    assert dict(event.payload.data) == {"old": "caf?"}


def test_the_header_of_an_agent_whose_path_is_no_utf8_is_written_all_the_same(game: GameSpec) -> None:
    who = Occupant("agent", "Robin", agent="fair", file=f"{ODD}/robin.py")
    header = replace(header_for(game), seats=SeatMap((seat, who) for seat in game.seats))

    again = decode_header(encode_header(header)[:-1], "log")

    assert [seat.file for seat in again.seats.values()] == ["caf?/robin.py"] * len(game.seats)
