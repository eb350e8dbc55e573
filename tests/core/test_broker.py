"""Messages reach the one whom they are addressed to, and hold nothing but JSON values."""

from __future__ import annotations

from typing import Any

import pytest

from negoplatform.core.broker import (
    LARGEST_PAYLOAD,
    AddressedMessage,
    ChannelManager,
    InMemoryBroker,
    MessageType,
)
from negoplatform.domain.errors import NegoError
from negoplatform.domain.offer import EMPTY_OFFER


def message(recipient: str = "field_1", env: str = "default", **payload: Any) -> AddressedMessage:
    return AddressedMessage(MessageType.ACTION, "coordinator_1", recipient, payload, env_id=env)


def test_channels_have_the_names_of_the_framework() -> None:
    names = ChannelManager

    assert names.action_channel("coordinator_1", "field_1", "default") == (
        "env:default/action/coordinator_1->field_1"
    )
    assert names.info_channel("head", "platform", "s1") == "env:s1/info/head->platform"
    assert names.state_channel("head", "s1") == "env:s1/state/head"
    assert names.broadcast_channel("s1") == "env:s1/broadcast"
    assert [kind.value for kind in MessageType] == ["action", "info", "state", "broadcast", "custom"]


def test_a_message_without_further_values_is_of_the_default_session_and_no_time() -> None:
    made = message(action="x")

    assert (made.timestamp, made.env_id) == (None, "default")


def test_messages_are_taken_once_and_in_order() -> None:
    broker = InMemoryBroker()
    for number in range(3):
        broker.publish("c", message(number=number))

    taken = broker.consume("c", "field_1", "default")

    assert [one.payload["number"] for one in taken] == [0, 1, 2]
    assert broker.consume("c", "field_1", "default") == []


def test_a_channel_that_does_not_exist_has_no_messages() -> None:
    assert InMemoryBroker().consume("nowhere", "field_1", "default") == []


def test_taking_leaves_the_messages_of_others_and_of_other_sessions() -> None:
    broker = InMemoryBroker()
    broker.publish("c", message("field_2", n=1))
    broker.publish("c", message("field_1", n=2))
    broker.publish("c", message("field_1", env="other", n=3))

    first = broker.consume("c", "field_1", "default")

    assert [one.payload["n"] for one in first] == [2]
    assert [one.payload["n"] for one in broker.consume("c", "field_2", "default")] == [1]
    assert [one.payload["n"] for one in broker.consume("c", "field_1", "other")] == [3]


def test_a_message_keeps_a_copy_of_its_payload() -> None:
    payload = {"offer": [1, 2]}
    made = AddressedMessage(MessageType.INFO, "head", "seat", payload)

    payload["offer"].append(3)

    assert made.payload == {"offer": [1, 2]}


@pytest.mark.parametrize(
    "payload",
    [
        {"action": EMPTY_OFFER},
        {"action": object()},
        {"action": float("nan")},
        {1: "one"},
        "text",
        {"text": "x" * LARGEST_PAYLOAD},
    ],
)
def test_a_payload_that_json_cannot_hold_is_refused_in_a_sentence(payload: Any) -> None:
    with pytest.raises(NegoError, match=r"^A message from 'head' to 'seat' holds .*\.$"):
        AddressedMessage(MessageType.ACTION, "head", "seat", payload)


def test_a_full_channel_refuses_a_message_and_keeps_the_others() -> None:
    broker = InMemoryBroker(most_waiting=2)
    broker.publish("c", message(n=1))
    broker.publish("c", message(n=2))

    with pytest.raises(NegoError, match="is full: 2 messages wait in it"):
        broker.publish("c", message(n=3))

    assert [one.payload["n"] for one in broker.consume("c", "field_1", "default")] == [1, 2]


def test_creating_a_channel_again_leaves_its_messages() -> None:
    broker = InMemoryBroker()
    broker.publish("c", message(n=1))

    broker.create_channel("c")

    assert len(broker.consume("c", "field_1", "default")) == 1
