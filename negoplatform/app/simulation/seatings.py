"""Agents in the seats of simulated games, and the orders in which they take them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import StrEnum
from itertools import permutations
from typing import assert_never

from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.plugins.agent_loader import AgentPlugin


class Seatings(StrEnum):
    """Orders in which agents take the seats of a game."""

    GIVEN = "given"
    """The order in which the agents are named."""
    ROTATIONS = "rotations"
    """As many orders as seats: each agent sits in every seat once, with the same neighbours."""
    BOTH = "both"
    """The same for two agents: as named, and reversed."""
    ALL = "all"
    """Every order."""


def seatings(
    agents: Sequence[AgentPlugin], how: Seatings = Seatings.ROTATIONS
) -> list[tuple[AgentPlugin, ...]]:
    """Return the orders in which agents take the seats, the given one first.

    Orders that differ only in equal agents count once. Two agents have the same orders by rotation as in all:
    as given, and reversed.

    Raises:
        NegoError: If both orders are asked for where there are not two agents.
    """
    given = tuple(agents)
    orders: Iterable[tuple[AgentPlugin, ...]]
    match how:
        case Seatings.GIVEN:
            return [given]
        case Seatings.BOTH if len(given) != 2:
            raise NegoError(
                f"Both seatings are those of two agents, and there are {len(given)}; name rotations or all."
            )
        case Seatings.ROTATIONS | Seatings.BOTH:
            orders = [(*given[i:], *given[:i]) for i in range(len(given))]
        case Seatings.ALL:
            orders = permutations(given)
        case _:
            assert_never(how)
    distinct: dict[tuple[object, ...], tuple[AgentPlugin, ...]] = {}
    for order in orders:
        distinct.setdefault(tuple(agent.identity for agent in order), order)
    return [*distinct.values()]


def fill_seats(
    game: GameSpec, agents: Sequence[AgentPlugin], fill: AgentPlugin | None = None
) -> list[AgentPlugin]:
    """Return an agent for every seat: those given, and then ``fill`` for the seats that are left.

    Raises:
        NegoError: If there are too few or too many agents for the seats.
    """
    seats, named = len(game.seats), len(agents)
    counts = (
        f"{game.name} has {seats} seats ({', '.join(game.seats)}), and {named} "
        f"agent{' is' if named == 1 else 's are'} named"
    )
    if named > seats:
        raise NegoError(f"{counts}; name as many agents as there are seats.")
    if fill is None and named < seats:
        raise NegoError(f"{counts}; name as many agents, or one for the other seats with --fill.")
    if fill is not None and named == seats:
        raise NegoError(f"{counts}, so no seat is left for another agent; leave out --fill.")
    return [*agents, *([] if fill is None else [fill] * (seats - named))]


def _with_unique_names(agents: Sequence[AgentPlugin]) -> list[AgentPlugin]:
    """Return the agents; different ones of the same name are named after their files."""
    names = {agent.name for agent in agents}
    if len(names) == len({id(agent) for agent in agents}):
        return list(agents)
    clash = len(names) < len({agent.identity for agent in agents})
    return [replace(agent, name=str(agent.file)) for agent in agents] if clash else list(agents)


def seat_agents(
    game: GameSpec,
    agents: Sequence[AgentPlugin],
    how: Seatings = Seatings.ROTATIONS,
    fill: AgentPlugin | None = None,
) -> tuple[GameSpec, list[tuple[AgentPlugin, ...]]]:
    """Return the game with the seats that are taken, and the orders in which agents take them.

    Args:
        game: The game.
        agents: As many as the game has seats, or fewer with ``fill``; fewer too where the game can be
            played with fewer seats.
        how: The orders.
        fill: The agent in all seats that the others leave; None: there are none.

    Raises:
        NegoError: If the numbers do not fit.
    """
    if fill is None and game.fewest_seats and game.fewest_seats <= len(agents):
        game = game.with_seats(min(len(agents), len(game.seats)))
    return game, seatings(_with_unique_names(fill_seats(game, agents, fill)), how)
