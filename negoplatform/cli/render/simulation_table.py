"""Results of simulated games as lines of text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

from negoplatform.app.simulation.simulate import Summary
from negoplatform.cli.render.aligned_columns import align_columns, percent
from negoplatform.core.events import EndedBy
from negoplatform.domain.game import GameSpec
from negoplatform.domain.step_analysis import StepClass

OUTCOME_HEADS = ("joint", "Pareto", "to Nash", "seconds", "offers", "no deal")


def simulation_lines(game: GameSpec, summaries: Sequence[Summary]) -> Iterator[str]:
    """Yield one row per seating, the quality of the outcomes, and the classes of the steps.

    With more than two seats, the agents and their points are a second table with one row per seat: a row per
    seating would be too long for a terminal.
    """
    if any(summary.traded for summary in summaries):
        yield from _trade_lines(summaries)
    elif len(game.seats) == 2:
        head = [*game.seats, "games", "agreed", *(f"points {seat}" for seat in game.seats), *OUTCOME_HEADS]
        yield from align_columns([head, *(_row(summary) for summary in summaries)], 2)
    else:
        rows = [[str(n), *_games(each), *_outcome(each)] for n, each in enumerate(summaries, start=1)]
        yield from align_columns([["seating", "games", "agreed", *OUTCOME_HEADS], *rows], 1)
        yield ""
        yield from align_columns([["seating", "seat", "agent", "points"], *_seat_rows(summaries)], 3)
        yield ""
        yield from align_columns([["agent", "games", "points"], *_agent_rows(summaries)], 1)
    if any(summary.means and not summary.traded for summary in summaries):
        yield ""
        yield "joint: sum of points as a share of the highest possible. Pareto: agreements that are Pareto"
        yield "efficient. to Nash: distance to the Nash point, each seat's points counted from 0 to 1."
    if game.issues and len(game.seats) > 2:
        yield "Classes of steps are for games with two seats."
    steps = [row for summary in summaries for row in _step_rows(summary)]
    if steps:
        yield "\nSteps from one proposal of a seat to its next:"
        head = ["seat", "agent", *(step.value for step in StepClass), "steps", "moved"]
        yield from align_columns([head, *steps], 2)
        yield "moved: share of the steps that change a side's points by at least 3 % of their range."
    failures = sum(summary.failures for summary in summaries)
    refusals = sum(summary.refusals for summary in summaries)
    yield f"\n{failures} failures of agents, {refusals} actions refused."
    yield from _first_of_each("failure", [summary.first_failures for summary in summaries])
    yield from _first_of_each("refused action", [summary.first_refusals for summary in summaries])
    yield from _path_lines(summaries)


def _first_of_each(what: str, found: Sequence[Mapping[str, str]]) -> Iterator[str]:
    """Yield the first sentence of each agent; nothing if there is none."""
    first: dict[str, str] = {}
    for by_agent in reversed(found):
        first |= by_agent
    if len(first) == 1:
        yield f"The first {what}: {next(iter(first.values()))}"
    elif first:
        yield f"The first {what} of each agent:"
        yield from sorted(first.values())


def _path_lines(summaries: Sequence[Summary]) -> Iterator[str]:
    """Yield how many games took the fast path, if any did."""
    games, fast = sum(summary.games for summary in summaries), sum(summary.fast for summary in summaries)
    if fast == games > 0:
        yield "All games were played on the fast path, with the same results."
    elif fast:
        yield (
            f"{fast} games were played on the fast path and {games - fast} on the full one, with the same "
            "results."
        )


def _trade_lines(summaries: Sequence[Summary]) -> Iterator[str]:
    """Yield the tables of a trading or market game: seatings, seats, and agents over all their seats."""
    rows = [[str(n), str(each.games), *_trade_figures(each)] for n, each in enumerate(summaries, start=1)]
    yield from align_columns([["seating", "games", *TRADE_HEADS], *rows], 1)
    yield ""
    seats = [
        [
            "" if i else str(n),
            seat,
            agent,
            *(_points(each.means.get(f"{seat}.{name}")) for name in ("score", "gain", "equilibrium_gain")),
            *(_count(each.means.get(f"{seat}.{name}")) for name in ("orders", "trades")),
        ]
        for n, each in enumerate(summaries, start=1)
        for i, (seat, agent) in enumerate(each.agents.items())
    ]
    head = ["seating", "seat", "agent", "score", "gain", "in equilibrium", "orders", "trades"]
    yield from align_columns([head, *seats], 3)
    yield ""
    gains = _gains_by_agent(summaries)
    agents = [[agent, str(len(found)), _points(fmean(found) if found else None)] for agent, found in gains]
    yield from align_columns([["agent", "seats", "gain"], *agents], 1)
    yield ""
    yield "efficiency: gain of all seats as a share of the highest possible. alpha: distance of the prices"
    yield "from the equilibrium price, in per cent of that (Smith 1962). Scores and gains: the game's money."


TRADE_HEADS = ("efficiency", "trades", "mean price", "alpha", "spread", "seconds", "ended")


def _trade_figures(summary: Summary) -> list[str]:
    means = summary.means
    return [
        percent(means.get("efficiency")),
        _count(means.get("trades")),
        *(_points(means.get(name)) for name in ("mean_price", "alpha", "mean_spread")),
        f"{summary.seconds:.1f}",
        ", ".join(f"{why.value} {n}" for why, n in summary.ends.items()),
    ]


def _gains_by_agent(summaries: Sequence[Summary]) -> list[tuple[str, list[float]]]:
    """Return the mean gains of each agent, one for each seat and seating in which it sat."""
    found: dict[str, list[float]] = {}
    for summary in summaries:
        for seat, agent in summary.agents.items():
            gain = summary.means.get(f"{seat}.gain")
            found.setdefault(agent, []).extend([] if gain is None else [gain])
    return list(found.items())


def _count(number: float | None) -> str:
    return "-" if number is None else f"{number:.1f}"


def _row(summary: Summary) -> list[str]:
    points = (_points(points) for points in summary.points.values())
    return [*summary.agents.values(), *_games(summary), *points, *_outcome(summary)]


def _games(summary: Summary) -> list[str]:
    return [str(summary.games), percent(summary.agreements / summary.games)]


def _outcome(summary: Summary) -> list[str]:
    nash = summary.means.get("nash_distance")
    return [
        percent(summary.means.get("joint_share")),
        percent(summary.means.get("pareto_optimal")),
        "-" if nash is None else f"{nash:.3f}",
        f"{summary.seconds:.1f}",
        f"{summary.offers:.1f}",
        ", ".join(f"{why.value} {n}" for why, n in summary.ends.items() if why is not EndedBy.AGREEMENT)
        or "-",
    ]


def _seat_rows(summaries: Sequence[Summary]) -> Iterator[list[str]]:
    """Yield the agent and the points of every seat; the number of a seating stands in its first row."""
    for n, summary in enumerate(summaries, start=1):
        for i, (seat, agent) in enumerate(summary.agents.items()):
            yield ["" if i else str(n), seat, agent, _points(summary.points[seat])]


def _agent_rows(summaries: Sequence[Summary]) -> Iterator[list[str]]:
    """Yield the games and the mean points of every agent, over all its seats and seatings."""
    games: Counter[str] = Counter()
    found: dict[str, list[tuple[int, float]]] = {}
    for summary in summaries:
        for seat, agent in summary.agents.items():
            points = summary.points[seat]
            games[agent] += summary.games
            found.setdefault(agent, []).extend([] if points is None else [(summary.scored[seat], points)])
    for agent, parts in found.items():
        scored = sum(count for count, _ in parts)
        mean = sum(n * mean for n, mean in parts) / scored if scored else None
        yield [agent, str(games[agent]), _points(mean)]


def _points(points: float | None) -> str:
    return "-" if points is None else f"{points:.2f}"


def _step_rows(summary: Summary) -> Iterator[list[str]]:
    """Yield a seat's steps, each class as a share; nothing for steps without a class."""
    for seat, agent in summary.agents.items():
        counts = [summary.means.get(f"{seat}.steps_{step.value}") for step in StepClass]
        known = [count for count in counts if count is not None]
        if len(known) == len(counts):
            total = sum(known)
            shares = [percent(count / total if total else None) for count in known]
            moved = sum(summary.means.get(f"{seat}.moved_steps_{step.value}", 0) for step in StepClass)
            share = percent(moved / total if total else None)
            yield [seat, agent, *shares, f"{total * summary.games:.0f}", share]
