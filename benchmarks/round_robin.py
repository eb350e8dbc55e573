"""Tournament of every shipped agent against every other and itself, headless: a row per pair and per agent.

Run it with ``python -m benchmarks.round_robin GAME… [--games 200] [--jobs 2] [--without AGENT…]``. A pair
plays half of its games in each seating. It prints the Markdown of docs/agents_compared.md: agreement rate,
mean points of both, mean Pareto distance of all ends (in shares of each side's range) and mean time to
agreement.
It takes an hour or two. With ``--keep FOLDER`` finished pairs are saved, and an interrupted run is continued;
use a new folder after any change to the program.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import astuple, dataclass
from functools import partial
from itertools import combinations_with_replacement
from pathlib import Path
from statistics import fmean

from negoplatform.app.catalogue.catalogue import find_game, list_agents
from negoplatform.app.simulation.simulate import Result, simulate
from negoplatform.core.events import EndedBy
from negoplatform.plugins.agent_loader import AgentPlugin

NOWHERE = Path("none")


@dataclass(frozen=True, slots=True)
class Game:
    """Game of a pair, from the first agent's side.

    Args:
        agreed: Whether it ended in an agreement.
        own: The first agent's points.
        other: The second agent's points.
        distance: The distance from the Pareto frontier; None where it cannot be measured.
        seconds: Session time at the end.
    """

    agreed: bool
    own: float
    other: float
    distance: float | None
    seconds: float

    def turned(self) -> Game:
        """Return the same game from the second agent's side."""
        return Game(self.agreed, self.other, self.own, self.distance, self.seconds)


@dataclass(frozen=True, slots=True)
class Match:
    """All games of a pair.

    Args:
        first: An agent.
        second: The other agent, or the same one.
        games: The games from the first agent's side; of an agent against itself, from the first seat's side.
        failures: The total number of agent failures.
    """

    first: str
    second: str
    games: tuple[Game, ...]
    failures: int


def played(game: str, games: int, keep: Path | None, pair: tuple[AgentPlugin, AgentPlugin]) -> Match:
    """Return a pair's games at one game: saved ones, or else new ones, half in each seating."""
    first, second = (agent.name for agent in pair)
    kept = None if keep is None else keep / f"{game} {games} {first} {second}.json"
    if kept is not None and kept.exists():
        found = json.loads(kept.read_text(encoding="utf-8"))
        return Match(first, second, tuple(Game(*one) for one in found["games"]), found["failures"])
    match = play(game, games, pair)
    if kept is not None:
        text = json.dumps({"failures": match.failures, "games": [astuple(one) for one in match.games]})
        kept.write_text(text, encoding="utf-8")
    return match


def play(game: str, games: int, pair: tuple[AgentPlugin, AgentPlugin]) -> Match:
    """Play a pair's games at one game, half in each seating."""
    first, second = pair
    errors: list[BaseException] = []
    each = games if first == second else games // 2
    results = list(
        simulate(find_game(game, NOWHERE), pair, games=each, seed=1, logs=None, report=errors.append)
    )
    seen = tuple(_seen_by(first.name, result) for result in results)
    return Match(first.name, second.name, seen, sum(result.failures for result in results) + len(errors))


def _seen_by(agent: str, result: Result) -> Game:
    (seat, who), (other, _) = result.agents.items()
    agreed = result.ended_by is EndedBy.AGREEMENT
    distance = result.measures.pareto_distance if result.measures else None
    game = Game(agreed, result.points[seat] or 0, result.points[other] or 0, distance, result.seconds)
    return game if who == agent else game.turned()


def figures(games: Sequence[Game]) -> list[str]:
    """Return agreement rate, points, Pareto distance and time to agreement of some games."""
    agreed = [game.seconds for game in games if game.agreed]
    measured = [game.distance for game in games if game.distance is not None]
    return [
        f"{len(agreed) / len(games):.0%}",
        f"{fmean(game.own for game in games):.1f}",
        f"{fmean(game.other for game in games):.1f}",
        f"{fmean(measured):.3f}" if measured else "",
        f"{fmean(agreed):.0f}" if agreed else "",
    ]


def agent_rows(matches: Iterable[Match]) -> list[list[str]]:
    """Return one row per agent over all its games, best points first."""
    of: dict[str, list[Game]] = {}
    for match in matches:
        of.setdefault(match.first, []).extend(match.games)
        # Against itself an agent has sat on both sides.
        of.setdefault(match.second, []).extend(game.turned() for game in match.games)
    ranked = sorted(of, key=lambda agent: -fmean(game.own for game in of[agent]))
    return [[agent, str(len(of[agent])), *figures(of[agent])] for agent in ranked]


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [head, ["---" if i < 2 else "---:" for i in range(len(head))], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def report(game: str, matches: Sequence[Match]) -> str:
    """Return the report on one game."""
    columns = ("agreement", "points", "points of the other", "Pareto distance", "s to agreement")
    pairs = table(("agent", "against", *columns), ([m.first, m.second, *figures(m.games)] for m in matches))
    summary = table(("agent", "games", *columns), agent_rows(matches))
    folded = f'<details markdown="1"><summary>Every pair</summary>\n\n{pairs}\n\n</details>'
    return f"## {game}\n\n{summary}\n\n{folded}\n"


def main(args: Sequence[str] | None = None) -> int:
    """Play all games and print the report; return 1 if an agent failed."""
    parser = argparse.ArgumentParser(description="Every shipped agent against every other.")
    parser.add_argument("games_played", nargs="+", metavar="GAME")
    parser.add_argument("--games", type=int, default=200, help="per pair (200)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    parser.add_argument("--keep", type=Path, help="a folder for what was played")
    parser.add_argument("--only", nargs="*", default=(), help="agents that play, in place of all")
    parser.add_argument("--without", nargs="*", default=(), help="agents that do not play")
    asked = parser.parse_args(args)
    shipped = [row.item for row in list_agents(NOWHERE) if row.item is not None]
    agents = [
        agent
        for agent in shipped
        if agent.name not in asked.without and (not asked.only or agent.name in asked.only)
    ]
    failures = 0
    if asked.keep is not None:
        asked.keep.mkdir(parents=True, exist_ok=True)
    for game in asked.games_played:
        started = time.perf_counter()
        with ProcessPoolExecutor(asked.jobs) as pool:
            pairs = list(combinations_with_replacement(agents, 2))
            matches = list(pool.map(partial(played, game, asked.games, asked.keep), pairs))
        print(report(game, matches))
        failures += sum(match.failures for match in matches)
        print(f"{game}: {time.perf_counter() - started:.0f} s, {failures} failures", file=sys.stderr)
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
