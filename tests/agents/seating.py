"""Shipped agents, created and seated for a test."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.app.catalogue.catalogue import find_agent, find_game
from negoplatform.core.events import Event, EventType
from negoplatform.core.mechanisms.bargaining import is_bindable
from negoplatform.domain.game import GameSpec
from negoplatform.plugins.agent_loader import AgentPlugin, make_agent
from negoplatform.testing import TrialTable

BIDDERS = ("fair", "boulware", "linear", "conceder", "tit_for_tat", "micro", "random_bids")
"""Agents that trade complete offers."""

TALKERS = (
    *("negochat", "negochat_a", "kb_agent", "qo_agent"),
    *("conceding", "competitive", "building", "lying"),
    *("favours_fair", "favours_limited", "favours_betraying"),
)
"""Agents that respond to messages."""

SHIPPED = (*BIDDERS, *TALKERS)

VOICES_OF = {
    "fair": "neutral",
    "competitive": "tough",
    "building": "cheerful",
    "lying": "formal",
}
"""Voices of the shipped agents that are not warm."""

NOWHERE = Path("no such folder")


def shipped(name: str, **config: Any) -> NegotiationAgent:
    """Return a shipped agent with this configuration."""
    return make_agent(plugin(name), name, config)


@cache
def plugin(name: str) -> AgentPlugin:
    """Return a shipped agent's plugin; cached, because the search reads the files of all agents."""
    return find_agent(name, NOWHERE)


@cache
def load(name: str) -> GameSpec:
    """Return a shipped game; cached."""
    return find_game(name, NOWHERE)


def played(game: GameSpec, *names: str, seed: int = 1, seconds: float = 1000.0) -> TrialTable:
    """Return a table at which shipped agents have played each other."""
    table = TrialTable(game, seed=seed)
    for seat, name in zip(game.seats, names, strict=True):
        table.seat(shipped(name), seat)
    table.wait(seconds)
    return table


def of(table: TrialTable, kind: EventType, seat: str | None = None) -> list[Event]:
    """Return the events of a type, and of one seat if it is given."""
    return [event for event in table.events if event.type == kind and seat in (None, event.sender)]


def words(table: TrialTable) -> list[str]:
    """Return the texts of the seat ``agent``."""
    return [event.get_text() for event in of(table, EventType.SEND_MESSAGE, "agent")]


def below_reservation(table: TrialTable, seat: str) -> list[str]:
    """Return the offers that a seat made or accepted and that are worth less to it than no deal.

    A partial offer that cannot become a deal does not count: its open issues can still add points.
    """
    game = table.state.game
    preferences = game.preferences[seat]
    offers = {event.seq: event.get_offer() for event in of(table, EventType.SEND_OFFER)}
    stood_for = [
        offers[event.seq]
        for event in of(table, EventType.SEND_OFFER, seat)
        if is_bindable(game, offers[event.seq])
    ]
    stood_for += [offers[event.payload.offer_id] for event in of(table, EventType.FORMAL_ACCEPT, seat)]
    return [repr(offer) for offer in stood_for if preferences.utility(offer) < preferences.reservation_value]
