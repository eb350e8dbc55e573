"""Small typed states and events that several tests use."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from pydantic import Field

from negoplatform.core.typed_state.typed_game_state import (
    EventField,
    EventHandler,
    EventMessage,
    EventRefused,
    GameState,
    HasData,
    PrivateInformation,
    PublicInformation,
)
from negoplatform.domain.errors import Refused

ORDER = {"id": 7, "sender": 1, "price": 30, "quantity": 2, "type": "ask", "condition": 0}
WALLET = [{"balance": 100, "shares": 3}, {"balance": 50, "shares": 1}]
CONDITIONS = [{"name": "no project"}, {"name": "project"}]


def told(event_type: str, **data: Any) -> EventMessage:
    return EventMessage(event_type, data)


def assert_refused(state: GameState, message: HasData, *words: str, addressed: bool = False) -> None:
    """Assert that the state refuses the event in a sentence with these words, and stays as it was."""
    before = copy.deepcopy(state)

    with pytest.raises(EventRefused) as refused:
        state.update(message, addressed=addressed)

    assert state == before
    assert all(word in str(refused.value) for word in words), str(refused.value)


class Counted(PublicInformation):
    total: int = EventField(default=0)
    events: int = EventField(default=0, exclude_from_mapping=True)


class Secret(PrivateInformation):
    number: int = EventField(default=0)


class Handling(GameState):
    private_information: Secret = Field(default_factory=Secret)
    public_information: Counted = Field(default_factory=Counted)

    def get_custom_handlers(self) -> dict[str, EventHandler]:
        return {
            "both": self._both,
            "fails": self._fails,
            "publishes": self._publishes,
            "leaks": self._leaks,
            "keeps": self._keeps,
            "objects": self._objects,
        }

    def _both(self, event_type: str, data: dict[str, Any]) -> None:
        self.private_information.number = -1
        self.map_event(EventMessage(event_type, data))

    def _fails(self, event_type: str, data: dict[str, Any]) -> None:
        self.private_information.number = 99
        self.map_event(EventMessage(event_type, {"total": 99}))
        data["nowhere"]["to be found"]

    def _publishes(self, event_type: str, data: dict[str, Any]) -> None:
        self.public_information.events += 1

    def _leaks(self, event_type: str, data: dict[str, Any]) -> None:
        self.public_information.total = self.private_information.number

    def _keeps(self, event_type: str, data: dict[str, Any]) -> None:
        data["list"].append("mine")

    def _objects(self, event_type: str, data: dict[str, Any]) -> None:
        self.private_information.number = 99
        raise Refused("Not on a Sunday.")


class Doubling(GameState):
    private_information: Secret = Field(default_factory=Secret)
    public_information: Counted = Field(default_factory=Counted)

    def update(self, message: HasData, addressed: bool = False) -> None:
        if message.event_type == "breaks":
            raise LookupError("gone")
        doubled = {key: value * 2 for key, value in message.data.items()}
        super().update(EventMessage(message.event_type, doubled))
