"""Agents in all seats but the participant's: who sits where, and their preparation."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from negoplatform.app.catalogue.catalogue import find_agent
from negoplatform.app.session.agent_setup import PreparedAgent
from negoplatform.app.session.session_plan import check_participant, read_settings
from negoplatform.core.mechanisms.market import Market
from negoplatform.core.mechanisms.registry import BARGAINING
from negoplatform.core.mechanisms.trading import Trading
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.plugins.agent_loader import SEAT_ROLE, AgentPlugin

SHOWN_KINDS = (BARGAINING, Trading.name, Market.name)
"""Kinds of game that the window shows, by the names of their mechanisms."""

MOST_AGENTS = 7
"""Number of agents with which a person can negotiate in the window."""

MOST_SHOWN_VALUES = 1000
"""Values of all issues of a game that the window can show together: a screen has no taller area for them."""

T = TypeVar("T")


def participant_seat(game: GameSpec, seat: Seat | None) -> Seat:
    """Return the participant's seat.

    Args:
        game: The game.
        seat: The chosen seat; None: ``human`` if the game has such a seat, else its first.

    Raises:
        NegoError: If the game has no such seat, or more seats or values than the window can show, or is of a
            kind that the window does not show.
    """
    if game.mechanism not in SHOWN_KINDS:
        raise NegoError(
            f"{game.name} is a game of the kind {game.mechanism}, and the window shows "
            f"{' and '.join(SHOWN_KINDS)} alone; 'negoplatform simulate' plays it among agents."
        )
    mine = seat or default_human_seat(game)
    if mine not in game.seats:
        raise _unknown_seat(game, mine)
    if len(game.seats) > MOST_AGENTS + 1:
        raise NegoError(
            f"{game.name} has {len(game.seats)} seats, and the window seats one person and up to "
            f"{MOST_AGENTS} agents; 'negoplatform simulate' plays it among agents."
        )
    values = sum(len(issue.values) for issue in game.issues if isinstance(issue, CategoricalIssue))
    if values > MOST_SHOWN_VALUES:
        raise NegoError(
            f"{game.name} has {values:,} values to choose from, and the window shows up to "
            f"{MOST_SHOWN_VALUES:,}; 'negoplatform simulate' plays it among agents."
        )
    return mine


def default_human_seat(game: GameSpec) -> Seat:
    """Return the participant's seat where none is chosen."""
    return "human" if "human" in game.seats else game.seats[0]


def agents_by_seat(
    game: GameSpec,
    participant: Seat,
    named: Mapping[Seat, T],
    usual: T | None = None,
    *,
    people: Collection[Seat] = (),
) -> SeatMap[T]:
    """Return what is chosen for each seat without a person, in the game's order.

    Args:
        game: The game.
        participant: The participant's seat.
        named: The choices that name a seat.
        usual: The choice for all other seats; None: there is none.
        people: The seats of further people.

    Raises:
        NegoError: If a named seat does not exist or is a person's, or a seat has no agent.
    """
    for seat in named:
        if seat not in game.seats:
            raise _unknown_seat(game, seat)
        if seat == participant or seat in people:
            raise NegoError(
                f"The seat {seat!r} is the participant's, so no agent can have it; "
                "choose another seat for one of them."
            )
    seats = [seat for seat in game.others(participant) if seat not in people]
    chosen = {seat: named.get(seat, usual) for seat in seats}
    if empty := [seat for seat, choice in chosen.items() if choice is None]:
        which = f"the seat {empty[0]!r}" if len(empty) == 1 else f"the seats {', '.join(map(repr, empty))}"
        raise NegoError(
            f"{game.name}: no agent is chosen for {which}; choose one, as in --agent {empty[0]}=fair."
        )
    return SeatMap((seat, choice) for seat, choice in chosen.items() if choice is not None)


def check_people(game: GameSpec, participant: Seat, code: str, people: Mapping[Seat, str]) -> None:
    """Check the seats and the codes of the people besides the first participant.

    Args:
        game: The game.
        participant: The first participant's seat.
        code: The first participant's code.
        people: The codes of the others by seat.

    Raises:
        NegoError: If a seat does not exist or is taken, or a code is none or is another person's.
    """
    codes = {check_participant(code): participant}
    for seat, theirs in people.items():
        if seat not in game.seats:
            raise _unknown_seat(game, seat)
        if seat == participant:
            raise NegoError(f"The seat {seat!r} is given to two people; choose another seat for one of them.")
        theirs = check_participant(theirs)
        if theirs in codes:
            raise NegoError(
                f"The participants in the seats {codes[theirs]!r} and {seat!r} have the same code "
                f"{theirs!r}; choose another one for one of them."
            )
        codes[theirs] = seat


def check_wizards(game: GameSpec, agents: Collection[Seat], wizards: Collection[Seat]) -> None:
    """Check the seats that wizards operate.

    Args:
        game: The game.
        agents: The seats of agents.
        wizards: The seats with a wizard.

    Raises:
        NegoError: If there is more than one, or it is no agent's seat, or no seat at all.
    """
    if len(wizards) > 1:
        raise NegoError(f"A session has one wizard, not {len(wizards)}; leave the others out.")
    for seat in wizards:
        if seat not in game.seats:
            raise _unknown_seat(game, seat)
        if seat not in agents:
            raise NegoError(
                f"A wizard operates the seat of an agent, and no agent is chosen for {seat!r}; "
                f"choose one, as in --agent {seat}=fair."
            )


def prepare_agents(seats: Iterable[Seat], prepare: Callable[[Seat], PreparedAgent]) -> SeatMap[PreparedAgent]:
    """Prepare an agent for each seat; if one cannot be prepared, those before it are released.

    Args:
        seats: The seats.
        prepare: Prepares the agent of a seat.

    Raises:
        NegoError: If one cannot be prepared.
    """
    prepared: dict[Seat, PreparedAgent] = {}
    try:
        for seat in seats:
            prepared[seat] = prepare(seat)
    except BaseException:
        for agent in prepared.values():
            agent.discard()
        raise
    return SeatMap(prepared)


def split_settings_file(wanted: str) -> tuple[str, Path | None]:
    """Return an agent's name or path, and the file of its settings: ``fair@soft.json`` names both."""
    name, at, file = wanted.rpartition("@")
    # A folder in the path of an agent's file may have an @ in its name.
    if not at or file.endswith(".py") or ".py:" in file:
        return wanted, None
    return name, Path(file)


def find_agent_with_settings(
    wanted: str, data_dir: Path, *, in_program: bool = False, roles: Collection[str] = (SEAT_ROLE,)
) -> AgentPlugin:
    """Return an agent by its name or path, with the settings in a file if one is named: ``fair@soft.json``.

    Args:
        wanted: The name or path, and the file.
        data_dir: The user's folder.
        in_program: Whether the agent runs in the program's own process.
        roles: Roles that fit: by default agents for seats.

    Raises:
        NegoError: If there is no such agent, or the file holds no settings.
    """
    name, file = split_settings_file(wanted)
    plugin = find_agent(name, data_dir, in_program=in_program, roles=roles)
    if file is None:
        return plugin
    settings = {**plugin.settings, **read_settings(file)}
    return replace(plugin, name=f"{plugin.name}@{file.stem}", settings=settings)


def _unknown_seat(game: GameSpec, seat: Seat) -> NegoError:
    return NegoError(f"{game.name} has no seat {seat!r}; it has {', '.join(game.seats)}.")
