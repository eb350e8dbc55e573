"""Results of a tournament as lines for a terminal, and as tables in Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil, log10
from statistics import fmean

from negoplatform.analysis.tournament.tables import AgentScore, TournamentTables
from negoplatform.analysis.tournament.tournament_game import TournamentGame, Trouble, troubles_of
from negoplatform.cli.render.aligned_columns import align_columns, decimal_number, percent
from negoplatform.cli.terminal_output import counted
from negoplatform.core.events import EndedBy
from negoplatform.domain.game import GameSpec

MOST_TROUBLES = 10
"""Kinds of failures and refusals, and blocks that could not be played, that are printed."""

SCORE_HEADS = ("rank", "agent", "games", "agreed", "score", "95 % interval", "sd", "points", "p_holm")


def summary_lines(
    tables: TournamentTables, games: Sequence[TournamentGame], errors: Sequence[str], earlier: int
) -> Iterator[str]:
    """Yield the scores, the games with failures or refusals, and how the games were played.

    Args:
        tables: The tables of the games.
        games: The games.
        errors: Sentences about blocks that could not be played.
        earlier: The number of games that earlier runs had played.
    """
    rows = [_score_row(row) for row in tables.scores]
    yield from align_columns([SCORE_HEADS, *rows], 2)
    yield ""
    for row in tables.scores:
        if row.unscored:
            yield f"{row.agent}: {row.unscored:,} of {row.games:,} games gave no score and count in no mean."
    yield f"score: {tables.score.value}. p_holm: Wilcoxon's signed-rank test against the best agent."
    yield from _trouble_lines(games)
    paths = ", ".join(
        f"{n:,} on the {path} path" for path, n in sorted(Counter(g.path for g in games).items())
    )
    before = f", {earlier:,} of them by an earlier run" if earlier else ""
    yield f"{counted(len(games), 'game')}{before}: {paths}." if games else "No game could be played."
    if errors:
        yield f"{counted(len(errors), 'block')} of games could not be played; the same command tries again:"
        yield from _first(errors)


def early_end_lines(games: Iterable[TournamentGame], specs: Mapping[str, GameSpec]) -> Iterator[str]:
    """Yield a line about games that timed out before their last offer, if there are any.

    Games in which an agent failed are left out, since such an agent may make no further offers.

    Args:
        games: The games.
        specs: The games' definitions, by name.
    """
    early = Counter(
        game.game
        for game in games
        if game.ended_by is EndedBy.TIMEOUT
        and not any(game.failures)
        and (most := specs[game.game].rules.deadline_offers) is not None
        and game.offers < most
    )
    if early:
        names = ", ".join(f"{name} {n:,}" for name, n in early.items())
        yield (
            f"{counted(early.total(), 'game')} ended by time before the last offer: {names}. "
            "More seconds (--time-limit, or seconds in the key deadline) let all offers be made."
        )


def _first(lines: Sequence[str]) -> Iterator[str]:
    yield from (f"  {line}" for line in lines[:MOST_TROUBLES])
    if len(lines) > MOST_TROUBLES:
        yield f"  and {len(lines) - MOST_TROUBLES:,} more."


def _score_row(row: AgentScore) -> list[str]:
    interval = "-" if row.low is None or row.high is None else f"{row.low:.3f} to {row.high:.3f}"
    return [
        "-" if row.rank is None else str(row.rank),
        row.agent,
        str(row.games),
        percent(row.agreement_rate),
        decimal_number(row.mean),
        interval,
        decimal_number(row.sd),
        decimal_number(row.points, 2),
        "-" if row.p_holm is None else probability(row.p_holm),
    ]


def probability(value: float) -> str:
    """Return a p value (0 to 1) with three digits, a smaller one as ``< 0.001``."""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _trouble_lines(games: Sequence[TournamentGame]) -> Iterator[str]:
    failures, refusals = sum(sum(game.failures) for game in games), sum(sum(game.refusals) for game in games)
    yield f"{counted(failures, 'failure')} of agents, {counted(refusals, 'action')} refused."
    yield from _first([_trouble_line(trouble) for trouble in troubles_of(games)])


def _trouble_line(trouble: Trouble) -> str:
    (game, seat), more = trouble.places[0], trouble.games - 1
    again = f" The same in {counted(more, 'more game')}." if more else ""
    return (
        f"{game.game}, {game.agents[0]} against {game.agents[1]}, seed {game.seed}: {trouble.agent} as "
        f"{game.seats[seat]}: {trouble.sentence}{again}"
    )


COLUMNS = ("agreement", "points", "points of the other", "Pareto distance", "s to agreement")


def markdown_tables(names: Sequence[str], agents: Sequence[str], games: Sequence[TournamentGame]) -> str:
    """Return a section in Markdown for each game: a row for each agent, and folded, a row for each pair.

    Agents are ranked by their mean points. Of an agent against itself both seats count.

    Args:
        names: The games' names, in order.
        agents: The agents' names, in order.
        games: The games.
    """
    return "\n".join(_section(name, agents, [game for game in games if game.game == name]) for name in names)


_Side = tuple[TournamentGame, int]
"""A game, and the seat (0 or 1) from which it is seen."""


def _section(name: str, agents: Sequence[str], games: Sequence[TournamentGame]) -> str:
    digits = _digits(games)
    pairs: list[list[str]] = []
    ranked: list[tuple[tuple[bool, float], list[str]]] = []
    for agent in agents:
        of_agent: list[_Side] = []
        for other in agents:
            sides = [
                (game, seat)
                for game in games
                for seat in (0, 1)
                if (game.agents[seat], game.agents[1 - seat]) == (agent, other)
            ]
            of_agent += sides
            if sides and agents.index(agent) <= agents.index(other):
                pairs.append([agent, other, *_figures(sides, digits)])
        if of_agent:
            mean = _mean_points(of_agent, 0)
            key = mean is None, -(mean or 0.0)
            ranked.append((key, [agent, str(len(of_agent)), *_figures(of_agent, digits)]))
    summary = _table(("agent", "games", *COLUMNS), [row for _, row in sorted(ranked, key=lambda one: one[0])])
    folded = _table(("agent", "against", *COLUMNS), pairs)
    return (
        f'## {name}\n\n{summary}\n\n<details markdown="1"><summary>Every pair</summary>\n\n{folded}\n\n'
        "</details>\n"
    )


def _digits(games: Sequence[TournamentGame]) -> int:
    """Return the number of decimals (1 to 12) with which a hundredth of the range of points is seen."""
    known = [points for game in games for points in game.points if points is not None]
    reach = max(known, default=0.0) - min(known, default=0.0)
    return 1 if reach <= 0 else min(12, max(1, 3 - ceil(log10(reach))))


def _figures(sides: Sequence[_Side], digits: int) -> list[str]:
    agreed = [game.seconds for game, _ in sides if game.ended_by is EndedBy.AGREEMENT]
    distances = [d for game, _ in sides if (d := game.measures.get("pareto_distance")) is not None]
    means = _mean_points(sides, 0), _mean_points(sides, 1)
    return [
        f"{len(agreed) / len(sides):.0%}",
        *("" if mean is None else f"{mean:.{digits}f}" for mean in means),
        f"{fmean(distances):.3f}" if distances else "",
        f"{fmean(agreed):.0f}" if agreed else "",
    ]


def _mean_points(sides: Sequence[_Side], other: int) -> float | None:
    """Return the mean points of the games that gave points; None if none did."""
    known = [points for game, seat in sides if (points := game.points[seat ^ other]) is not None]
    return fmean(known) if known else None


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---" if i < 2 else "---:" for i in range(len(head))], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
