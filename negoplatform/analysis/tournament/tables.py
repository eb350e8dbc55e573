"""Tables of a tournament: the agents' scores, the pairs of agents, and the same for each game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import fsum, inf
from statistics import stdev
from typing import Any, ClassVar

from negoplatform.analysis.tournament.score_statistics import (
    EQUAL,
    Cluster,
    PairedTest,
    bootstrap_intervals,
    holm,
    paired_test,
)
from negoplatform.analysis.tournament.tournament_game import TournamentGame
from negoplatform.core.events import EndedBy

Names = tuple[str, ...]
"""Names that distinguish a group of games: an agent, two agents, or a game and an agent."""


class ScoreKind(StrEnum):
    """Number that a game gives an agent, by which agents are compared."""

    ADVANTAGE = "advantage"
    """(points - r) / (M - r), with final points: 1 the best outcome of the seat, 0 no deal (the default of
    NegMAS' tournaments).
    """
    POINTS = "points"
    """Final points, after discount and time costs; comparable only in games with the same scale."""
    WELFARE = "welfare"
    """Sum of both seats' final points as a share of the highest sum of any outcome; equal for both."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Averages:
    """Averages over games of an agent. An agent that plays against itself has two entries in each such game.

    None where no game has the value.

    Args:
        games: The number of games; one against itself counts twice, once for each seat.
        unscored: The number of them without a score, such as aborted games; the means leave them out.
        agreement_rate: The share of games that ended with an agreement, 0 to 1.
        mean: The mean score.
        sd: The standard deviation of the scores (of a sample, n - 1).
        low: The lower end of the 95 % interval of the mean score; see
            ``negoplatform.analysis.tournament.score_statistics.bootstrap_intervals``.
        high: The upper end of the interval.
        points: The mean of the final points.
        own_advantage: The mean of its advantage.
        other_advantage: The mean advantage of the other seat.
        welfare: The mean of the sum of both seats' final points, as a share of the highest of any outcome.
        nash_distance: The mean distance of the end from the Nash point, 0 up.
        failures: The number of its failures.
        other_failures: The number of failures of the other seat's agents in these games.
        refusals: The number of its refused actions.
        other_refusals: The number of those of the other seat.
    """

    KEYS: ClassVar[tuple[str, ...]] = ()
    games: int
    unscored: int
    agreement_rate: float
    mean: float | None
    sd: float | None
    low: float | None
    high: float | None
    points: float | None
    own_advantage: float | None
    other_advantage: float | None
    welfare: float | None
    nash_distance: float | None
    failures: int
    other_failures: int
    refusals: int
    other_refusals: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentScore(Averages):
    """Row of ``scores.csv``: an agent over all games.

    The test compares an agent with the best one in pairs: the two mean scores in the same seat of the same
    game with the same seed against the same opponent, where both have one. Where all seeds of a game, seat
    and opponent give the same two scores, as agents without random numbers do, they are one observation
    and count as one pair.

    Args:
        rank: 1 for the highest mean score; agents with equal means share a rank. None without a score.
        agent: The agent.
        compared_with: The agent with the highest mean score; empty in its own row, and without scores.
        pairs: The number of pairs of the test.
        p_value: The p value of the Wilcoxon signed-rank test, 0 to 1.
        p_holm: The same, corrected for the number of tests in the table (Holm 1979).
        test_note: The reason in a sentence why there is no p value.
    """

    KEYS: ClassVar[tuple[str, ...]] = ("rank", "agent")
    rank: int | None
    agent: str
    compared_with: str
    pairs: int
    p_value: float | None
    p_holm: float | None
    test_note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PairScore(Averages):
    """Row of ``pairs.csv``: an agent against one opponent, over all games.

    Args:
        agent: The agent whose averages they are.
        opponent: The agent in the other seat.
    """

    KEYS: ClassVar[tuple[str, ...]] = ("agent", "opponent")
    agent: str
    opponent: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameScore(Averages):
    """Row of the table by game: an agent in one game, against all opponents.

    Args:
        game: The game.
        agent: The agent.
    """

    KEYS: ClassVar[tuple[str, ...]] = ("game", "agent")
    game: str
    agent: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PairInGameScore(Averages):
    """Row of ``pairs_by_game.csv``: an agent against one opponent in one game, without intervals.

    Args:
        game: The game.
        agent: The agent whose averages they are.
        opponent: The agent in the other seat.
    """

    KEYS: ClassVar[tuple[str, ...]] = ("game", "agent", "opponent")
    game: str
    agent: str
    opponent: str


@dataclass(frozen=True, slots=True)
class TournamentTables:
    """Tables of a tournament.

    Args:
        score: The score by which agents are compared.
        games: The number of games.
        scores: One row for each agent, the best first.
        pairs: One row for each agent and opponent, in the order of ``scores``.
        by_game: One row for each game and agent, games by name and agents in the order of ``scores``.
        pairs_by_game: One row for each game, agent and opponent, in the same orders.
    """

    score: ScoreKind
    games: int
    scores: tuple[AgentScore, ...]
    pairs: tuple[PairScore, ...]
    by_game: tuple[GameScore, ...]
    pairs_by_game: tuple[PairInGameScore, ...]


def game_score(game: TournamentGame, seat: int, score: ScoreKind) -> float | None:
    """Return the score that a game gives the agent in a seat (0 or 1); None if it gives none."""
    match score:
        case ScoreKind.ADVANTAGE:
            return game.advantages[seat]
        case ScoreKind.POINTS:
            return game.points[seat]
        case ScoreKind.WELFARE:
            return game.welfare


def tournament_tables(
    games: Sequence[TournamentGame], *, score: ScoreKind = ScoreKind.ADVANTAGE, bootstrap_seed: int = 1
) -> TournamentTables:
    """Return the tables of a tournament; the order of the games makes no difference.

    Args:
        games: The games.
        score: The score by which agents are compared.
        bootstrap_seed: The seed of the bootstrap intervals.

    Raises:
        NegoError: If NumPy or SciPy is not installed.
    """
    entries = [
        _Entry(game, seat, game_score(game, seat, score))
        for game in sorted(games, key=lambda game: (game.game, game.seed, game.agents))
        for seat in (0, 1)
    ]
    by_agent = _grouped(entries, lambda entry: (entry.agent,))
    agents = _best_first(by_agent)
    place = {agent: i for i, agent in enumerate(agents)}
    by_pair = _grouped(entries, lambda entry: (entry.agent, entry.opponent))
    pairs = sorted(by_pair, key=lambda pair: (place[pair[0]], place[pair[1]]))
    by_game = _grouped(entries, lambda entry: (entry.game.game, entry.agent))
    rows = sorted(by_game, key=lambda row: (row[0], place[row[1]]))
    by_both = _grouped(entries, lambda entry: (entry.game.game, entry.agent, entry.opponent))
    trios = sorted(by_both, key=lambda trio: (trio[0], place[trio[1]], place[trio[2]]))
    groups = [
        *(by_agent[agent,] for agent in agents),
        *(by_pair[pair] for pair in pairs),
        *(by_game[row] for row in rows),
    ]
    averages = iter(_averages(groups, bootstrap_seed))
    return TournamentTables(
        score=score,
        games=len(games),
        scores=_agent_scores(agents, by_agent, averages),
        pairs=tuple(PairScore(agent=agent, opponent=opponent, **next(averages)) for agent, opponent in pairs),
        by_game=tuple(GameScore(game=game, agent=agent, **next(averages)) for game, agent in rows),
        pairs_by_game=tuple(
            # Intervals of so many groups would take as long as all other tables together.
            PairInGameScore(
                game=trio[0],
                agent=trio[1],
                opponent=trio[2],
                low=None,
                high=None,
                **_plain_averages(by_both[trio]),
            )
            for trio in trios
        ),
    )


@dataclass(frozen=True, slots=True)
class _Entry:
    """Seat of a game with its score."""

    game: TournamentGame
    seat: int
    score: float | None

    @property
    def agent(self) -> str:
        return self.game.agents[self.seat]

    @property
    def opponent(self) -> str:
        return self.game.agents[1 - self.seat]

    @property
    def cluster(self) -> Cluster:
        return self.game.game, self.game.seed


def _grouped(entries: Iterable[_Entry], key: Callable[[_Entry], Names]) -> dict[Names, list[_Entry]]:
    groups: dict[Names, list[_Entry]] = {}
    for entry in entries:
        groups.setdefault(key(entry), []).append(entry)
    return groups


def _mean(values: Sequence[float]) -> float | None:
    return fsum(values) / len(values) if values else None


def _scores_of(entries: Iterable[_Entry]) -> list[float]:
    return [entry.score for entry in entries if entry.score is not None]


def _known(values: Iterable[float | None]) -> list[float]:
    return [value for value in values if value is not None]


def _measure(game: TournamentGame, name: str) -> float | None:
    value = game.measures.get(name)
    return None if value is None else float(value)


def _best_first(by_agent: Mapping[Names, Sequence[_Entry]]) -> list[str]:
    """Return the agents by their mean scores, the highest first; equal ones by name, those without last."""
    means = {agent: _mean(_scores_of(entries)) for (agent,), entries in by_agent.items()}
    return sorted(means, key=lambda agent: (-_or_lowest(means[agent]), agent))


def _or_lowest(mean: float | None) -> float:
    return -inf if mean is None else mean


def _averages(groups: Sequence[Sequence[_Entry]], seed: int) -> list[dict[str, Any]]:
    """Return the fields of ``Averages`` for each group of games."""
    by_cluster: list[dict[Cluster, list[float]]] = []
    for group in groups:
        clusters: dict[Cluster, list[float]] = {}
        for entry in group:
            if entry.score is not None:
                clusters.setdefault(entry.cluster, []).append(entry.score)
        by_cluster.append(clusters)
    intervals = bootstrap_intervals(by_cluster, seed=seed)
    return [
        {
            **_plain_averages(group),
            "low": None if interval is None else interval.low,
            "high": None if interval is None else interval.high,
        }
        for group, interval in zip(groups, intervals, strict=True)
    ]


def _plain_averages(group: Sequence[_Entry]) -> dict[str, Any]:
    scores = _scores_of(group)
    agreements = sum(entry.game.ended_by is EndedBy.AGREEMENT for entry in group)
    return {
        "games": len(group),
        "unscored": len(group) - len(scores),
        "agreement_rate": agreements / len(group),
        "mean": _mean(scores),
        "sd": stdev(scores) if len(scores) > 1 else None,
        "points": _mean(_known(entry.game.points[entry.seat] for entry in group)),
        "own_advantage": _mean(_known(entry.game.advantages[entry.seat] for entry in group)),
        "other_advantage": _mean(_known(entry.game.advantages[1 - entry.seat] for entry in group)),
        "welfare": _mean(_known(entry.game.welfare for entry in group)),
        "nash_distance": _mean(_known(_measure(entry.game, "nash_distance") for entry in group)),
        "failures": sum(entry.game.failures[entry.seat] for entry in group),
        "other_failures": sum(entry.game.failures[1 - entry.seat] for entry in group),
        "refusals": sum(entry.game.refusals[entry.seat] for entry in group),
        "other_refusals": sum(entry.game.refusals[1 - entry.seat] for entry in group),
    }


def _agent_scores(
    agents: Sequence[str], by_agent: Mapping[Names, Sequence[_Entry]], averages: Iterator[dict[str, Any]]
) -> tuple[AgentScore, ...]:
    """Return the rows of the agents, each tested against the first one."""
    own = [next(averages) for _ in agents]
    tests = _tests_against_the_first(agents, by_agent)
    p_values = {agent: test.p_value for agent, test in tests.items() if test.p_value is not None}
    corrected = dict(zip(p_values, holm([*p_values.values()]), strict=True))
    rows: list[AgentScore] = []
    for agent, averaged in zip(agents, own, strict=True):
        mean, test = averaged["mean"], tests.get(agent)
        above = sum(_or_lowest(other["mean"]) > _or_lowest(mean) + EQUAL for other in own)
        rows.append(
            AgentScore(
                agent=agent,
                rank=None if mean is None else above + 1,
                compared_with="" if test is None else agents[0],
                pairs=0 if test is None else test.pairs,
                p_value=p_values.get(agent),
                p_holm=corrected.get(agent),
                test_note="" if test is None else test.note,
                **averaged,
            )
        )
    return tuple(rows)


def _tests_against_the_first(
    agents: Sequence[str], by_agent: Mapping[Names, Sequence[_Entry]]
) -> dict[str, PairedTest]:
    """Return the paired test of every agent but the first one against it."""
    paired = {agent: _by_occasion(by_agent[agent,]) for agent in agents}
    tests: dict[str, PairedTest] = {}
    for agent in agents[1:]:
        best, other = paired[agents[0]], paired[agent]
        seeds: dict[tuple[str, int, str], list[tuple[float, float]]] = {}
        for game, seed, seat, opponent in sorted(best.keys() & other.keys()):
            key = (game, seed, seat, opponent)
            seeds.setdefault((game, seat, opponent), []).append((other[key], best[key]))
        pairs = [pair for found in seeds.values() for pair in (found[:1] if _all_equal(found) else found)]
        tests[agent] = paired_test([pair[0] for pair in pairs], [pair[1] for pair in pairs])
    return tests


def _all_equal(pairs: Sequence[tuple[float, float]]) -> bool:
    first, second = pairs[0]
    return all(abs(one - first) <= EQUAL and abs(other - second) <= EQUAL for one, other in pairs)


def _by_occasion(entries: Iterable[_Entry]) -> dict[tuple[str, int, int, str], float]:
    """Return an agent's mean score by game, seed, seat and opponent."""
    scores: dict[tuple[str, int, int, str], list[float]] = {}
    for entry in entries:
        if entry.score is not None:
            key = (entry.game.game, entry.game.seed, entry.seat, entry.opponent)
            scores.setdefault(key, []).append(entry.score)
    return {key: fsum(values) / len(values) for key, values in scores.items()}
