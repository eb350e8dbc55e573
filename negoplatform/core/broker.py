"""Broker of addressed messages between principals, seats and the platform.

A message waits in its channel until its recipient asks for it; no one waits for an answer. A message holds
JSON values alone: objects stay in the program, and a state is read through the visibility filter.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from negoplatform.core.immutable.frozen_json import copy_json
from negoplatform.domain.errors import NegoError, Refused

MOST_WAITING = 1000
"""Messages that may wait in one channel."""

MOST_CHANNELS = 1000
"""Channels of one broker."""

LARGEST_PAYLOAD = 256 * 1024
"""Most bytes of JSON in a message: a change of the record, or an observation, fits."""

GET_INFO, GET_OBS_RESPONSE = "get_info", "get_obs_response"
"""Messages whose arrivals are noted in a log: a request for an observation, and its answer."""


class MessageType(StrEnum):
    """Kind of a message."""

    ACTION = "action"
    """A command from above."""
    INFO = "info"
    """A question about the session, or its answer."""
    STATE_UPDATE = "state"
    """A proposed change of the sender's own part of the record."""
    BROADCAST = "broadcast"
    CUSTOM = "custom"


@dataclass(frozen=True, slots=True)
class AddressedMessage:
    """Message from one participant of a session to another.

    Args:
        message_type: Its kind.
        sender_id: The sender: a principal, a seat, or ``platform``.
        recipient_id: The recipient.
        payload: JSON values, of which the message keeps a copy; 256 kB at most.
        timestamp: The session time (s) at which it was sent; None: unknown.
        env_id: The session's id.

    Raises:
        NegoError: If the payload is no JSON object, or is too large; a sentence.
    """

    message_type: MessageType
    sender_id: str
    recipient_id: str
    payload: Mapping[str, Any]
    timestamp: float | None = None
    env_id: str = "default"

    def __post_init__(self) -> None:
        object.__setattr__(self, "message_type", MessageType(self.message_type))
        whose = f"A message from {self.sender_id!r:.60} to {self.recipient_id!r:.60}"
        if not isinstance(self.payload, Mapping):
            raise NegoError(f"{whose} holds no JSON object but a {type(self.payload).__name__}.")
        try:
            copied = copy_json(dict(self.payload), LARGEST_PAYLOAD)
        except Refused as refusal:
            raise NegoError(f"{whose} holds what JSON cannot: {refusal}") from None
        object.__setattr__(self, "payload", copied)


class ChannelManager:
    """Names of channels."""

    @staticmethod
    def action_channel(sender_id: str, recipient_id: str, env_id: str) -> str:
        """Return the channel of the commands from one to another."""
        return f"env:{env_id}/action/{sender_id}->{recipient_id}"

    @staticmethod
    def info_channel(sender_id: str, recipient_id: str, env_id: str) -> str:
        """Return the channel of the questions and answers from one to another."""
        return f"env:{env_id}/info/{sender_id}->{recipient_id}"

    @staticmethod
    def state_channel(agent_id: str, env_id: str) -> str:
        """Return the channel of the changes that one proposes."""
        return f"env:{env_id}/state/{agent_id}"

    @staticmethod
    def broadcast_channel(env_id: str) -> str:
        """Return the channel of messages to everyone."""
        return f"env:{env_id}/broadcast"


class MessageBroker(ABC):
    """Broker of messages."""

    @abstractmethod
    def publish(self, channel: str, message: AddressedMessage) -> None:
        """Put a message into a channel.

        Raises:
            NegoError: If it cannot be taken.
        """

    @abstractmethod
    def consume(self, channel: str, recipient_id: str, env_id: str) -> list[AddressedMessage]:
        """Take a recipient's messages out of a channel, oldest first; return at once, also without any."""

    @abstractmethod
    def create_channel(self, channel_name: str) -> None:
        """Create a channel; one that exists stays as it is."""


class InMemoryBroker(MessageBroker):
    """Broker in this process: a bounded queue per channel.

    Args:
        most_waiting: The messages that may wait in one channel.
    """

    def __init__(self, most_waiting: int = MOST_WAITING) -> None:
        self._most_waiting = most_waiting
        self._channels: dict[str, deque[AddressedMessage]] = {}

    def publish(self, channel: str, message: AddressedMessage) -> None:
        """Put a message into a channel, which is created if need be.

        Raises:
            NegoError: If the channel is full, or there are too many channels.
        """
        self.create_channel(channel)
        waiting = self._channels[channel]
        if len(waiting) >= self._most_waiting:
            raise NegoError(
                f"The channel {channel!r:.200} is full: {self._most_waiting:,} messages wait in it, and "
                f"{message.recipient_id!r:.60} has taken none of them."
            )
        waiting.append(message)

    def consume(self, channel: str, recipient_id: str, env_id: str) -> list[AddressedMessage]:
        """Take a recipient's messages of a session out of a channel; those for others stay in it."""
        waiting = self._channels.get(channel)
        if not waiting:
            return []
        taken = [one for one in waiting if (one.recipient_id, one.env_id) == (recipient_id, env_id)]
        if taken:
            left = [one for one in waiting if (one.recipient_id, one.env_id) != (recipient_id, env_id)]
            self._channels[channel] = deque(left)
        return taken

    def create_channel(self, channel_name: str) -> None:
        """Create a channel; one that exists stays as it is.

        Raises:
            NegoError: If there are too many channels.
        """
        if channel_name in self._channels:
            return
        if len(self._channels) >= MOST_CHANNELS:
            raise NegoError(f"There are {MOST_CHANNELS:,} channels already, the most that a broker has.")
        self._channels[channel_name] = deque()

    def clear(self) -> None:
        """Drop all channels and the messages in them."""
        self._channels.clear()
