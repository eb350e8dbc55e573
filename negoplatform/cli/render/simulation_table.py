"""Results of simulated games as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from negoplatform.app.simulation.simulate import Summary
from negoplatform.cli.render.aligned_columns import align_columns, percent
from negoplatform.core.events import EndedBy
from negoplatform.domain.game import GameSpec
from negoplatform.domain.step_analysis import StepClass


def simulation_lines(game: GameSpec, summaries: Sequence[Summary]) -> Iterator[str]:
    """Yield one row per seating, the quality of the outcomes, and the classes of the steps."""
    head = [
        *game.seats,
        "games",
        "agreed",
        *(f"points {seat}" for seat in game.seats),
        "joint",
        "Pareto",
        "to Nash",
        "seconds",
        "offers",
        "no deal",
    ]
    yield from align_columns([head, *(_row(summary) for summary in summaries)], len(game.seats))
    if any(summary.means for summary in summaries):
        yield ""
        yield "joint: sum of points as a share of the highest possible. Pareto: agreements that are Pareto"
        yield "efficient. to Nash: distance to the Nash point, each seat's points counted from 0 to 1."
    steps = [row for summary in summaries for row in _step_rows(summary)]
    if steps:
        yield "\nSteps from one proposal of a seat to its next:"
        yield from align_columns([["seat", "agent", *(step.value for step in StepClass), "steps"], *steps], 2)
    failures = sum(summary.failures for summary in summaries)
    refusals = sum(summary.refusals for summary in summaries)
    yield f"\n{failures} failures of agents, {refusals} actions refused."


def _row(summary: Summary) -> list[str]:
    nash = summary.means.get("nash_distance")
    return [
        *summary.agents.values(),
        str(summary.games),
        percent(summary.agreements / summary.games),
        *("-" if points is None else f"{points:.2f}" for points in summary.points.values()),
        percent(summary.means.get("joint_share")),
        percent(summary.means.get("pareto_optimal")),
        "-" if nash is None else f"{nash:.3f}",
        f"{summary.seconds:.1f}",
        f"{summary.offers:.1f}",
        ", ".join(f"{why.value} {n}" for why, n in summary.ends.items() if why is not EndedBy.AGREEMENT)
        or "-",
    ]


def _step_rows(summary: Summary) -> Iterator[list[str]]:
    """Yield a seat's steps, each class as a share; nothing for steps without a class."""
    for seat, agent in summary.agents.items():
        counts = [summary.means.get(f"{seat}.steps_{step.value}") for step in StepClass]
        known = [count for count in counts if count is not None]
        if len(known) == len(counts):
            total = sum(known)
            shares = [percent(count / total if total else None) for count in known]
            yield [seat, agent, *shares, f"{total * summary.games:.0f}"]
