"""Games of ``simulate`` in several processes, by the engines of tournaments."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from negoplatform.app.simulation.seatings import Seatings, seat_agents
from negoplatform.app.simulation.simulate import Result, simulate
from negoplatform.app.support.crash_reports import CrashFolder
from negoplatform.app.tournament.block_player import with_state_class, without_state_class
from negoplatform.app.tournament.engines import LOKY, EngineChoice, WorkerLost, opened_engine
from negoplatform.app.tournament.tournament_plan import SEEDS_PER_BLOCK
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.plugins.agent_loader import AgentPlugin

MOST_ATTEMPTS = 3
"""Number of attempts at games whose processes end."""


@dataclass(frozen=True, slots=True)
class SimulatedGames:
    """Games to be simulated.

    Args:
        game: The game.
        agents: The agents, as ``simulate`` takes them.
        games: The number of games in each seating.
        seed: The first game's seed.
        how: The orders in which the agents take the seats.
        fill: The agent in all seats that the others leave; None: there are none.
        profiles: Profiles by seat, instead of the game's own choice.
        logs: A folder for a log of every game; None: no logs.
        measures: Whether the measures of each game are computed.
    """

    game: GameSpec
    agents: tuple[AgentPlugin, ...]
    games: int
    seed: int
    how: Seatings = Seatings.ROTATIONS
    fill: AgentPlugin | None = None
    profiles: Mapping[Seat, str] | None = None
    logs: Path | None = None
    measures: bool = True


def simulate_in_parallel(wanted: SimulatedGames, *, jobs: int, data_dir: Path) -> Iterator[Result]:
    """Yield the results that ``simulate`` gives, in its order.

    Args:
        wanted: The games.
        jobs: The number of processes.
        data_dir: The user's folder, for traces of errors.

    Raises:
        NegoError: If the games cannot be played, joblib is not installed, or an agent ends its process.
    """
    parts = _parts(wanted)
    found: dict[int, list[Result]] = {}
    following = 0
    with opened_engine(EngineChoice(LOKY, jobs)) as engine:
        for _ in range(MOST_ATTEMPTS):
            missing = [(i, parts[i], data_dir) for i in range(following, len(parts)) if i not in found]
            try:
                for number, results in engine.run(_play_part, missing):
                    found[number] = results
                    while following in found:
                        yield from found.pop(following)
                        following += 1
                return
            except WorkerLost:
                continue
    raise NegoError(
        f"A process ended {MOST_ATTEMPTS} times while games were played in it: an agent ends it. With "
        "--isolated in place of --jobs the failures name that agent."
    )


def _parts(wanted: SimulatedGames) -> list[SimulatedGames]:
    """Return the games in parts: one seating and some seeds each, in the order of play."""
    game, orders = seat_agents(wanted.game, wanted.agents, wanted.how, wanted.fill)
    return [
        replace(
            wanted,
            game=without_state_class(game),
            agents=order,
            fill=None,
            how=Seatings.GIVEN,
            seed=wanted.seed + start,
            games=min(SEEDS_PER_BLOCK, wanted.games - start),
        )
        for order in orders
        for start in range(0, wanted.games, SEEDS_PER_BLOCK)
    ]


def _play_part(number: int, part: SimulatedGames, data_dir: Path) -> tuple[int, list[Result]]:
    crashes = CrashFolder(data_dir / "crashes")
    # A worker's output would be mixed with the results.
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        results = list(
            simulate(
                with_state_class(part.game),
                part.agents,
                games=part.games,
                seed=part.seed,
                logs=part.logs,
                report=crashes.write,
                profiles=part.profiles,
                how=part.how,
                measures=part.measures,
            )
        )
    return number, results
