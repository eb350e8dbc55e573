"""Values of a session as lines between a host and a window, and lines that are none."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negoplatform.agent_api.actions import SendMessage
from negoplatform.app.joining.feed_lines import (
    NumberedEntry,
    NumberedIntroduction,
    TimedItem,
    decode_host_line,
    decode_window_line,
    encode_entry,
    encode_introduction,
    encode_item,
    may_send,
)
from negoplatform.app.session.participant_actions import ParticipantProposal
from negoplatform.app.session.participant_seat import PauseRequest
from negoplatform.app.session.windows.session_feed import (
    ChangeWizardMode,
    DraftEntry,
    FeedEvent,
    FeedItem,
    FeedStatus,
    FeedSuggestion,
    JoinRole,
    OpenWholeState,
    RemoteEntry,
    RoleKind,
    SessionIntroduction,
    StartRequest,
)
from negoplatform.core.events import Event, EventType, Message
from negoplatform.domain.joining_settings import WizardMode
from negoplatform.formats.join_protocol import (
    LONGEST_ENTRY_LINE,
    BadJoinLine,
    DoneModel,
    GoodbyeModel,
    GoodbyeReason,
    LeaveModel,
    PingModel,
    PongModel,
    WaitingModel,
    encode_line,
)
from negoplatform.hosting.agent_runner import ScriptStep
from tests.app.joining.strategies import ENTRIES, ITEMS, PROPOSALS, STEPS, introductions

FEED = "0f" * 16
ENTRY = encode_entry(NumberedEntry(FEED, 7, (SendMessage("Hello"),)))
EVENT = encode_item(FeedEvent(Event(1, 0.5, EventType.SEND_MESSAGE, "human", Message("Hello"))), 0.0)
STATUS = encode_item(FeedStatus(1.5, running=True, started=True), 12.5)


def altered(line: bytes, **changes: object) -> bytes:
    return json.dumps({**json.loads(line), **changes}).encode()


def test_every_class_of_proposal_step_entry_and_item_is_tried_here() -> None:
    of_window = {tuple if each not in ENTRIES else each for each in get_args(RemoteEntry)}

    assert set(PROPOSALS) == set(get_args(ParticipantProposal))
    assert {each.__name__ for each in get_args(ScriptStep)} - {"Schedule"} == {
        each.__name__ for each in STEPS
    }
    assert of_window == set(ENTRIES)
    assert set(ITEMS) == set(get_args(FeedItem))


@pytest.mark.parametrize("kind", ENTRIES, ids=lambda kind: kind.__name__)
@given(data=st.data())
@settings(max_examples=25)
def test_an_entry_comes_back_from_its_line(kind: type[Any], data: st.DataObject) -> None:
    entry = NumberedEntry(FEED, data.draw(st.integers(1, 2**53)), data.draw(ENTRIES[kind]))

    line = encode_entry(entry)

    assert line.count(b"\n") == 1
    assert decode_window_line(line[:-1]) == entry
    assert encode_entry(decode_window_line(line[:-1])) == line  # type: ignore[arg-type]  # an entry


@pytest.mark.parametrize("kind", PROPOSALS, ids=lambda kind: kind.__name__)
@given(data=st.data())
@settings(max_examples=25)
def test_a_proposal_comes_back_as_the_same_kind_of_value(kind: type[Any], data: st.DataObject) -> None:
    proposal = data.draw(PROPOSALS[kind])

    found = decode_window_line(encode_entry(NumberedEntry(FEED, 1, (proposal,)))[:-1])

    assert isinstance(found, NumberedEntry)
    assert found.entry == (proposal,)
    assert type(found.entry[0]) is kind


@pytest.mark.parametrize("kind", ITEMS, ids=lambda kind: kind.__name__)
@given(data=st.data())
@settings(max_examples=25)
def test_an_item_comes_back_from_its_line(kind: type[Any], data: st.DataObject) -> None:
    item = data.draw(ITEMS[kind])

    line = encode_item(item, 12.5)

    assert line.count(b"\n") == 1
    assert decode_host_line(line[:-1]) == TimedItem(item, 12.5 if kind is FeedStatus else None)
    assert encode_item(item, 12.5) == line


@pytest.mark.parametrize("kind", STEPS, ids=lambda kind: kind.__name__)
@given(data=st.data())
@settings(max_examples=25)
def test_a_step_of_a_suggestion_comes_back_as_the_same_kind_of_value(
    kind: type[Any], data: st.DataObject
) -> None:
    step = data.draw(STEPS[kind])

    found = decode_host_line(encode_item(FeedSuggestion(3, (step,), None), 0.0)[:-1])

    assert isinstance(found, TimedItem)
    assert isinstance(found.item, FeedSuggestion)
    assert found.item.steps == (step,)
    assert type(found.item.steps[0]) is kind


@given(introductions, st.integers(0, 2**53))
def test_an_introduction_comes_back_from_its_line(introduction: SessionIntroduction, performed: int) -> None:
    numbered = NumberedIntroduction(FEED, performed, introduction)

    line = encode_introduction(numbered)

    assert line.count(b"\n") == 1
    assert decode_host_line(line[:-1]) == numbered


@pytest.mark.parametrize("message", [PingModel(number=3), LeaveModel()], ids=lambda message: message.kind)
def test_a_report_of_a_window_comes_back_from_its_line(message: PingModel | LeaveModel) -> None:
    assert decode_window_line(encode_line(message)[:-1]) == message


@pytest.mark.parametrize(
    "message",
    [
        WaitingModel(),
        DoneModel(number=3, accepted=False),
        PongModel(number=3, time=0.25),
        GoodbyeModel(reason=GoodbyeReason.REPLACED),
    ],
    ids=lambda message: message.kind,
)
def test_a_report_of_a_host_comes_back_from_its_line(
    message: WaitingModel | DoneModel | PongModel | GoodbyeModel,
) -> None:
    assert decode_host_line(encode_line(message)[:-1]) == message


@given(st.binary(max_size=300))
@settings(max_examples=300)
def test_any_bytes_are_a_message_or_are_refused(data: bytes) -> None:
    for line in (data, EVENT[:12] + data, b'{"kind":"event","event":' + data + b"}", ENTRY[:20] + data):
        for decode in (decode_window_line, decode_host_line):
            with pytest.raises(BadJoinLine):
                decode(line)


@given(st.integers(0, len(ENTRY) - 2), st.integers(0, 255))
@settings(max_examples=300)
def test_an_entry_with_one_other_byte_is_an_entry_or_is_refused(place: int, byte: int) -> None:
    line = bytearray(ENTRY[:-1])
    line[place] = byte

    try:
        found = decode_window_line(bytes(line))
    except BadJoinLine:
        return

    assert isinstance(found, NumberedEntry)


@pytest.mark.parametrize(
    "line",
    [
        altered(ENTRY, kind="shout"),
        altered(ENTRY, more=1),
        altered(ENTRY, number=True),
        altered(ENTRY, number=0),
        altered(ENTRY, number=1.0),
        altered(ENTRY, number=10**400),
        altered(ENTRY, feed="0F" * 16),
        altered(ENTRY, entry={"do": "draft", "draft": []}),
        altered(ENTRY, entry={"do": "draft", "draft": {}, "more": 1}),
        altered(ENTRY, entry={"do": "shout"}),
        altered(ENTRY, entry=[{"do": "pause", "page": "rules"}]),
        altered(ENTRY, entry=[{"do": "quit"}]),
        altered(
            ENTRY,
            entry=[{"do": "act", "type": "SHOUT", "payload": {}, "to": [], "delay_ms": 0, "flushable": True}],
        ),
        altered(ENTRY, entry=[{"do": "note", "kind": "no_kind", "data": {}}]),
        altered(
            ENTRY,
            entry={
                "do": "answer_suggestion",
                "number": 1,
                "send": True,
                "steps": [{"do": "call", "number": 1, "delay_ms": 0, "flushable": False}],
            },
        ),
        altered(ENTRY, entry=json.loads(ENTRY)["entry"] * 101),
        ENTRY[:-1].replace(b'"delay_ms":0', b'"delay_ms":NaN'),
        ENTRY[:-1].replace(b'"delay_ms":0', b'"delay_ms":-1'),
        ENTRY[:-1].replace(b'"delay_ms":0', b'"delay_ms":1e999'),
        ENTRY[:-1].replace(b"Hello", b"\xff\xfe"),
        ENTRY[:-1].replace(b"Hello", b"\\ud800"),
        ENTRY[:-1].replace(b'"number":7', b'"number":7,"number":8'),
        ENTRY[:-1].replace(b'"number":7', b'"number":' + b"[" * 90_000),
        altered(ENTRY, entry={"do": "draft", "draft": {"a": "x" * LONGEST_ENTRY_LINE}}),
        b"",
        b"null",
        b"[]",
        b"GET / HTTP/1.1",
    ],
)
def test_a_line_that_a_window_may_not_send_is_refused(line: bytes) -> None:
    with pytest.raises(BadJoinLine):
        decode_window_line(line)


@pytest.mark.parametrize(
    "line",
    [
        altered(STATUS, more=1),
        altered(STATUS, made="now"),
        STATUS[:-1].replace(b"1.5", b"Infinity"),
        EVENT[:-1] + b"}",
        EVENT[:-2] + b',"more":1}',
        altered(EVENT, event={}),
        b'{"kind":"raw_header","header":{}}',
        ENTRY[:-1],
    ],
)
def test_a_line_that_a_host_does_not_send_is_refused(line: bytes) -> None:
    with pytest.raises(BadJoinLine):
        decode_host_line(line)


def test_an_entry_that_is_too_long_is_refused_before_it_is_sent() -> None:
    with pytest.raises(BadJoinLine, match="longer than 65,536 bytes"):
        encode_entry(NumberedEntry(FEED, 1, DraftEntry({"text": "x" * LONGEST_ENTRY_LINE})))


def test_an_entry_with_a_number_that_is_none_is_refused_before_it_is_sent() -> None:
    with pytest.raises(BadJoinLine, match="number"):
        encode_entry(NumberedEntry(FEED, 1, DraftEntry({"price": float("nan")})))


@pytest.mark.parametrize(
    ("kind", "entry", "allowed"),
    [
        (RoleKind.SEAT, (SendMessage("Hello"),), True),
        (RoleKind.SEAT, StartRequest(), True),
        (RoleKind.SEAT, DraftEntry({}), True),
        (RoleKind.SEAT, OpenWholeState(), False),
        (RoleKind.SEAT, ChangeWizardMode(WizardMode.MANUAL), False),
        (RoleKind.WIZARD, (SendMessage("Hello"),), True),
        (RoleKind.WIZARD, OpenWholeState(), True),
        (RoleKind.WIZARD, PauseRequest("rules"), False),
        (RoleKind.WIZARD, StartRequest(), False),
        (RoleKind.EXPERIMENTER, (SendMessage("Hello"),), False),
        (RoleKind.PUBLIC, StartRequest(), False),
    ],
)
def test_each_role_may_send_its_own_entries(kind: RoleKind, entry: RemoteEntry, allowed: bool) -> None:
    assert may_send(JoinRole(kind, "human"), entry) is allowed
