"""Table with a person and an expressive agent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from negoplatform.app.catalogue.catalogue import find_game
from negoplatform.core.events import Event, EventType, Message, MessageSubtype, Preference
from negoplatform.domain.game import GameSpec
from negoplatform.strategies.expressive import Behaviour, ExpressiveAgent, Policies
from negoplatform.testing import TrialTable
from tests.agents.kinds import has_kind
from tests.agents.seating import of


class Mixed(ExpressiveAgent):
    """Agent with given policies."""

    def __init__(self, made: Policies | None = None) -> None:
        super().__init__()
        self.mixed = made or Policies()

    def policies(self) -> Policies:
        return self.mixed


def game(name: str = "campsite") -> GameSpec:
    """Return a shipped game."""
    return find_game(name, Path("no such folder"))


def seated(made: Policies | None = None, played: GameSpec | None = None, *, seed: int = 3) -> TrialTable:
    """Return a table where an agent with these policies has greeted."""
    table = TrialTable(played or game(), seed=seed)
    table.seat(Mixed(made))
    table.wait(5)
    return table


def quiet(**more: Any) -> Policies:
    """Return policies of an agent that only responds, and never acts unprompted."""
    return Policies(**{"behaviour": Behaviour(opens_after=500, asks=False, prompts=0), **more})


def comes_from(text: str, *kinds: str, voice: str = "warm") -> bool:
    """Return whether a message, or a part of it, comes from a template of one of some kinds."""
    return any(has_kind(text, kind, voice) for kind in kinds)


def tells(
    table: TrialTable,
    act: MessageSubtype,
    preference: Preference | None = None,
    *,
    batna: float | None = None,
) -> None:
    """State a preference as the person, or a value of no deal."""
    table.session.send_message("human", Message("This is so.", act, preference, batna))


def words(table: TrialTable) -> list[str]:
    """Return the texts of the agent's messages."""
    return [event.get_text() for event in of(table, EventType.SEND_MESSAGE, "agent")]


def said(table: TrialTable) -> list[Event]:
    """Return the agent's messages."""
    return of(table, EventType.SEND_MESSAGE, "agent")


def offered(table: TrialTable) -> list[Event]:
    """Return the agent's offers."""
    return of(table, EventType.SEND_OFFER, "agent")


def notes(table: TrialTable, key: str) -> list[Any]:
    """Return the agent's notes under a key, oldest first."""
    found = [
        dict(event.payload.updates).get("notes", {}).get("agent", {})
        for event in of(table, EventType.STATE_PROPOSED, "agent")
        if event.payload.accepted
    ]
    return [note[key] for note in found if key in note]
