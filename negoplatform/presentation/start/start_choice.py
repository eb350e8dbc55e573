"""Choice of game and agent, and the values entered, in the start window."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.plugins.code_file_trust_hash import CodeFile
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import displayable
from negoplatform.presentation.start.agent_option_fields import Entered


@dataclass(frozen=True, slots=True)
class SeatAgent:
    """Agent chosen for one of several seats.

    Args:
        name: Name of the agent, or the path of its file.
        file: File of the agent, which identifies it if names change; None for any file.
        settings: Values of its options.
    """

    name: str
    file: Path | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StartChoice:
    """Contents of the start window's fields.

    Args:
        game: Name of the game.
        agent: Name of the agent; in a game with more than two seats, that of the seats without an agent of
            their own.
        participant: Code of the participant.
        seed: Seed, as typed.
        minutes: Time limit in minutes, as typed.
        seat: Seat of the participant; None for the default seat.
        seats: Number of seats, in a game for different numbers; None for all.
        profiles: Profiles of the seats, in a game with several.
        trusted_files: Files of the game and the agents that the user trusts as of now.
        settings: Values of the agent's options.
        counterpart: Contents of the fields for the agents' mood and pace, by name; empty: the game's own.
        offer_requests: Whether the window has the buttons that ask for an offer, if the game allows them.
        entered: Contents of the fields for each agent's options, by agent name and option name; for an agent
            in one of several seats, the first key is ``SEAT=AGENT``.
        game_file: File of the game, which identifies it if names change; None for any file.
        agent_file: File of the agent, which identifies it if names change; None for any file.
        unfolded: Whether the advanced settings are shown.
        handed_over: Whether a participant takes over at once.
        seat_agents: Agents by seat in games with more than two; perhaps also those of another game's seats.
        allows_another: Whether the session may begin while another one of the same code runs.
    """

    game: str
    agent: str
    participant: str
    seed: str
    minutes: str
    seat: Seat | None = None
    seats: int | None = None
    profiles: SeatMap[str] = field(default_factory=SeatMap)
    trusted_files: tuple[CodeFile, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    counterpart: Mapping[str, Entered] = field(default_factory=dict)
    offer_requests: bool = True
    entered: Mapping[str, Mapping[str, Entered]] = field(default_factory=dict)
    game_file: Path | None = None
    agent_file: Path | None = None
    unfolded: bool = False
    handed_over: bool = False
    seat_agents: SeatMap[SeatAgent] = field(default_factory=SeatMap)
    allows_another: bool = False

    def played(self, game: GameSpec) -> GameSpec:
        """Return a game with the chosen number of seats, if it can be played with that."""
        seats = self.seats
        if seats is None or not game.fewest_seats or not game.fewest_seats <= seats <= len(game.seats):
            return game
        return game.with_seats(seats)

    def agent_at(self, seat: Seat, seats: int) -> SeatAgent:
        """Return the agent for a seat of a game with a number of seats."""
        usual = SeatAgent(self.agent, self.agent_file, self.settings)
        return self.seat_agents.get(seat, usual) if seats > 2 else usual


def named_agent(agent: str, displayed_name: str, translate: Language) -> str:
    """Return an agent with the name that participants read: ``Alex (negochat)``."""
    if not displayed_name:
        return agent
    return translate("{name} ({agent})", name=displayable(displayed_name), agent=agent)


def choice_summary(game: str, agents: str, translate: Language) -> str:
    """Return the choice on one line: ``Campsite with Alex (negochat)``; empty while it is incomplete."""
    if not game or not agents:
        return ""
    return translate("{game} with {agent}", game=displayable(game), agent=agents)
