"""Events encoded as lines of JSON, and decoded to the same events."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negoplatform.core.events import Accepted, Event, EventType, Expression, Message, OfferMade, clean_text
from negoplatform.core.mechanisms.registry import MECHANISMS
from negoplatform.domain.errors import InputFileError
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.formats.events import PAYLOAD_CLASSES, decode_event, encode_event
from negoplatform.testing import TrialTable
from tests.formats.strategies import PAYLOADS, events

AT = "2025-01-31T12:00:00.000Z"
HELLO = Event(1, 0.5, EventType.SEND_MESSAGE, "human", Message("Hello"), decided_at=0.25)


def decoded(line: bytes) -> Event:
    event, at = decode_event(line, "log", "line 2")
    assert at == AT
    return event


def altered(event: Event, **changes: object) -> bytes:
    return json.dumps({**json.loads(encode_event(event, AT)), **changes}).encode()


def test_every_event_type_that_a_log_may_hold_is_tried_here() -> None:
    acts = [kind for mechanism in MECHANISMS.values() for kind in mechanism.all_acts]
    assert {*PAYLOAD_CLASSES, *acts, "tax-announced"} == set(PAYLOADS)
    assert set(EventType) <= set(PAYLOADS)


@given(st.sampled_from(sorted(PAYLOADS)).flatmap(events))
def test_every_event_comes_back_from_its_line(event: Event) -> None:
    line = encode_event(event, AT)

    assert decoded(line) == event
    assert encode_event(decoded(line), AT) == line


def test_equal_offers_are_written_each_in_its_own_order() -> None:
    one = Offer({"apples": Allocation([("human", 1), ("agent", 2)])})
    other = Offer({"apples": Allocation([("agent", 2), ("human", 1)])})

    lines = [
        encode_event(Event(1, 0.0, EventType.SEND_OFFER, "human", OfferMade(offer)), "")
        for offer in (one, other, one)
    ]

    assert one == other
    assert b'{"human":1,"agent":2,' in lines[0]
    assert b'{"agent":2,"human":1,' in lines[1]
    assert lines[2] == lines[0]


@given(st.sampled_from(sorted(PAYLOADS)).flatmap(events))
def test_an_event_is_one_line(event: Event) -> None:
    line = encode_event(event, AT)

    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")


@pytest.mark.parametrize(
    "text",
    [
        "Grüße, 你好, مرحبا, 🍌",
        "She said \"no\" \\ and 'left'",
        "two\nlines\tand a tab",
        "\u2028\u2029\x85",
        "\x00",
    ],
)
def test_words_come_back_as_they_were_said(text: str) -> None:
    event = Event(1, 0.0, EventType.SEND_MESSAGE, "human", Message(text))

    assert decoded(encode_event(event, AT)).get_text() == text


def test_half_a_character_pasted_into_the_chat_is_replaced_before_it_is_recorded(table: TrialTable) -> None:
    said = table.human.says("bananas \ud83c please\x00\x1b[31m!")

    assert said.get_text() == "bananas ? please  [31m!"
    assert decoded(encode_event(said, AT)) == said


@given(st.text(st.characters(), max_size=30))
def test_cleaned_text_can_always_be_written(text: str) -> None:
    clean = clean_text(text)

    assert clean.encode("utf-8").decode("utf-8") == clean
    assert clean_text(clean) == clean
    assert len(clean) == len(text)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"", "there is nothing in it"),
        (b"{", "this is no valid JSON"),
        (b"[]", "no event of a kind that is known here"),
        (b"\xff\xfe", "this is no UTF-8 text"),
        (b"[" * 100_000, "nested too deeply"),
        (altered(HELLO, type="SEND_FLOWERS"), r"no event of a kind that is known here \('SEND_FLOWERS'\)"),
        (altered(HELLO, type=None), "no event of a kind that is known here"),
        (altered(HELLO, type="RESUMED"), "line 2, payload"),
        (altered(HELLO, hash="0" * 64), "line 2, hash: this key is not known here"),
        (altered(HELLO, type="tax-announced", payload={}), "line 2, payload.data: this key is missing"),
        (altered(HELLO, seq=0), "line 2, seq: the number must be at least 1, not 0"),
        (altered(HELLO, seq="1"), 'line 2, seq: a whole number belongs here, not "1"'),
        (altered(HELLO, seq=True), "line 2, seq: a whole number belongs here, not true"),
        (altered(HELLO, t=-1), "line 2, t: the number must be at least 0"),
        (altered(HELLO, t=float("nan")), "line 2, t: NaN is no number that a file may hold"),
        (altered(HELLO, to="agent"), 'line 2, to: a list in brackets .* not "agent"'),
        (altered(HELLO, decided_by="cat"), "line 2, decided_by: \"cat\" is not known here; write 'human'"),
        (altered(HELLO, mood="good"), "line 2, mood: this key is not known here"),
        (altered(HELLO, payload={}), "line 2, payload.text: this key is missing"),
        (altered(HELLO, payload=None), "line 2, payload: an object in braces"),
        (
            altered(Event(1, 0.0, EventType.FORMAL_ACCEPT, "human", Accepted(1)), payload={"offer_id": 1.5}),
            "line 2, payload.offer_id: a whole number belongs here, not 1.5",
        ),
        (
            altered(HELLO, type="SEND_OFFER", payload={"offer": {"apples": {"human": -1}}}),
            "line 2, payload.offer.apples.human: the number must be at least 0, not -1",
        ),
        (
            altered(HELLO, type="SEND_OFFER", payload={"offer": {"apples": {"human": "6"}}}),
            'line 2, payload.offer.apples.human: a whole number belongs here, not "6"',
        ),
        (altered(HELLO, type="NOTE", payload={"kind": "gossip", "data": {}}), "line 2, payload.kind"),
        (b'{"seq":1,"seq":2}', "line 2, seq: this key appears twice"),
        (b'{"seq":' + b"9" * 5000 + b"}", "a number has too many digits"),
        (encode_event(HELLO, AT).replace(b"Hello", b"\\ud800"), "only half of a character"),
    ],
)
def test_a_line_that_is_no_event_is_refused_with_its_place(line: bytes, reason: str) -> None:
    with pytest.raises(InputFileError, match=reason) as caught:
        decode_event(line, "log", "line 2")

    assert str(caught.value).startswith("log at line 2")


def test_what_an_event_is_not_about_is_empty() -> None:
    smile: Any = decoded(
        altered(HELLO, type="SEND_EXPRESSION", payload={"expression": "HAPPY", "duration_ms": 9})
    )

    assert smile.get_expression() is Expression.HAPPY
    assert smile.get_text() == ""
    assert HELLO.get_expression() is None
    assert len(HELLO.get_offer()) == 0
