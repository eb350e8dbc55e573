"""Replies that a process may send, and the handling of all others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from negoplatform.agent_api.actions import MAX_DELAY_MS, MAX_SCRIPT_ACTIONS
from negoplatform.app.session.agent_setup import agent_budget
from negoplatform.domain.agent_limits import DEFAULT_BUDGET
from negoplatform.formats.agent_protocol import (
    LONGEST_LINE,
    LONGEST_REQUEST,
    AgentRequestModel,
    AgentResponseModel,
    BadMessage,
    ChunkBuffer,
    ChunkModel,
    DescribeReplyModel,
    decode_reply,
    decode_request,
    encode_chunks,
    encode_json_line,
    encode_message,
)
from negoplatform.plugins.agent_loader import build_plugins
from negoplatform.presentation.start.agent_option_fields import agent_options

CALL = {"do": "call", "number": 1, "delay_ms": 0, "flushable": False}
MESSAGE: dict[str, Any] = {
    "do": "message",
    "text": "Hello",
    "subtype": "GENERIC",
    "preference": None,
    "batna": None,
    "to": [],
    "delay_ms": 0,
    "flushable": False,
}


def answer(*steps: object, **changes: object) -> dict[str, Any]:
    document = {"kind": "answer", "id": 1, "steps": list(steps), "failure": "", "trace": ""}
    return {**document, **changes}


def test_an_answer_is_read_as_it_was_written() -> None:
    line = encode_json_line(answer(MESSAGE, CALL))

    said = decode_reply(line)

    assert isinstance(said, AgentResponseModel)
    assert json.loads(encode_message(said)) == answer(MESSAGE, CALL)


@pytest.mark.parametrize(
    "document",
    [
        answer(id=0),
        answer(id="1"),
        answer(id=True),
        answer(id=2**60),
        answer(more=1),
        answer(kind="anwser"),
        answer(kind=["answer"]),
        answer(steps=None),
        answer(steps={"0": MESSAGE}),
        answer(failure=None),
        answer(failure="x" * 1000),
        answer(trace="x" * 9000),
        answer({**MESSAGE, "do": "shout"}),
        answer({**MESSAGE, "text": 5}),
        answer({**MESSAGE, "text": None}),
        answer({**MESSAGE, "subtype": "RUDE"}),
        answer({**MESSAGE, "delay_ms": -1}),
        answer({**MESSAGE, "delay_ms": "1"}),
        answer({**MESSAGE, "delay_ms": True}),
        answer({**MESSAGE, "delay_ms": MAX_DELAY_MS + 1}),
        answer({**MESSAGE, "flushable": None}),
        answer({**MESSAGE, "flushable": 1}),
        answer({**MESSAGE, "to": "human"}),
        answer({**MESSAGE, "to": ["human"] * 101}),
        answer({**MESSAGE, "batna": "much"}),
        answer({**MESSAGE, "preference": {"issue1": "a", "relation": "NEAR", "issue2": None}}),
        answer({**MESSAGE, "callback": 1}),
        answer({key: value for key, value in MESSAGE.items() if key != "to"}),
        answer({"do": "offer", "offer": {"a": None}, "delay_ms": 0, "flushable": False}),
        answer({"do": "offer", "offer": {"a": {"human": -1}}, "delay_ms": 0, "flushable": False}),
        answer({"do": "offer", "offer": {"a": {"human": 0.5}}, "delay_ms": 0, "flushable": False}),
        answer({"do": "offer", "offer": {"a": [1]}, "delay_ms": 0, "flushable": False}),
        answer({"do": "typing", "duration_ms": 0.5, "flushable": False}),
        answer({"do": "propose", "updates": [], "base_version": 0, "delay_ms": 0, "flushable": False}),
        answer({"do": "propose", "updates": {}, "base_version": -2, "delay_ms": 0, "flushable": False}),
        answer({**CALL, "number": 0}),
        answer({**CALL, "number": 1.0}),
        answer(*[CALL] * (MAX_SCRIPT_ACTIONS + 1)),
        {"kind": "ready", "name": "x" * 41},
        {"kind": "described", "agents": [["A"]]},
        {"kind": "described", "agents": [["A", "b"]] * 101},
        {"kind": "ask", "id": 1, "call": None, "version": 0, "t": 0.0, "now": 0.0},
        {},
        [],
        5,
        "answer",
        None,
    ],
)
def test_what_is_of_no_known_shape_is_no_message(document: Any) -> None:
    line = (json.dumps(document) + "\n").encode()

    with pytest.raises(BadMessage):
        decode_reply(line)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        b"{",
        b"nonsense",
        b"\xff\xfe",
        b'{"kind":"answer","id":1,"id":1,"steps":[],"failure":"","trace":""}',
        b'{"kind":"answer","id":1,"steps":[],"failure":"\\ud800","trace":""}',
        b'{"kind":"answer","id":NaN,"steps":[],"failure":"","trace":""}',
        b'{"kind":"answer","id":1e400,"steps":[],"failure":"","trace":""}',
        b'{"kind":"answer","id":' + b"9" * 5000 + b',"steps":[],"failure":"","trace":""}',
        json.dumps(answer({**MESSAGE, "delay_ms": 1})).replace('_ms": 1', '_ms": Infinity').encode(),
        b"[" * 60_000,
        b'{"kind":' * 8000,
        b'{"kind":"answer","id":1,"steps":' + b"[" * 30_000 + b"]" * 30_000 + b',"failure":"","trace":""}',
        json.dumps(answer(failure="", trace="", id=1, steps=[]) | {"x": "y" * LONGEST_LINE}).encode(),
    ],
)
def test_what_is_no_sound_json_is_no_message(line: bytes) -> None:
    with pytest.raises(BadMessage):
        decode_reply(line)


def test_a_process_understands_nothing_that_only_it_may_say() -> None:
    with pytest.raises(BadMessage):
        decode_request(encode_json_line(answer()))


@pytest.mark.parametrize("length", [10, LONGEST_LINE - 1, LONGEST_LINE, LONGEST_LINE + 1, 1_000_000])
@pytest.mark.parametrize("letter", ["x", "é", "🙂", '"', "\\", "\n"])
def test_what_is_too_long_goes_in_pieces_and_comes_together_again(length: int, letter: str) -> None:
    line = encode_json_line({"text": letter * length})
    pieces = ChunkBuffer()

    lines = list(encode_chunks(line))

    whole = [pieces.feed(each) for each in lines]
    assert whole[-1] == line
    assert whole[:-1] == [None] * (len(lines) - 1)
    assert all(len(each) <= LONGEST_LINE and each.index(b"\n") == len(each) - 1 for each in lines)


def test_pieces_without_end_are_refused() -> None:
    pieces = ChunkBuffer()
    piece = encode_message(ChunkModel(text="x" * 60_000, last=False))
    for _ in range(LONGEST_REQUEST // 60_000):
        pieces.feed(piece)

    with pytest.raises(BadMessage, match="characters in one message"):
        pieces.feed(piece)


def test_a_question_takes_a_hundred_and_fifty_bytes() -> None:
    line = encode_message(AgentRequestModel(id=1234, call=None, version=5678, t=599.999, now=600.0))

    assert len(line) < 150
    assert isinstance(decode_request(line), AgentRequestModel)


@pytest.mark.parametrize("properties", [["language"], 3, "budget", {"language": 5, "budget": []}, None])
def test_settings_of_a_shape_that_is_none_cannot_stop_a_session(properties: object) -> None:
    told = {"class_name": "A", "description": "", "options": {"type": "object", "properties": properties}}
    line = json.dumps({"kind": "described", "agents": [told]}).encode()

    reply = decode_reply(line)

    assert isinstance(reply, DescribeReplyModel)
    (plugin,) = build_plugins(Path("agent.py"), "one", "0" * 64, reply.agents)
    assert plugin.resolve_settings({}) == {}
    assert agent_budget({}, DEFAULT_BUDGET, plugin.options) == DEFAULT_BUDGET
    assert not agent_options(plugin.options)
