"""Results and lists as lines of text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from negoplatform.app.catalogue import Row
from negoplatform.app.plugins import AgentPlugin
from negoplatform.app.simulate import Summary
from negoplatform.core.events import EndedBy
from negoplatform.domain.game import GameSpec


def catalogue_lines(rows: Sequence[Row[GameSpec]] | Sequence[Row[AgentPlugin]], plain: bool) -> Iterator[str]:
    """The catalogue: a name and a description a row, or the reason why it cannot be used."""
    if plain:
        yield from (row.name for row in rows if row.item is not None)
        return
    width = max((len(row.name) for row in rows), default=0) + 2
    for row in rows:
        text = row.item.description if row.item is not None else f"CANNOT BE USED: {row.reason}"
        yield textwrap.fill(
            text or "(no description)",
            100,
            initial_indent=row.name.ljust(width),
            subsequent_indent=" " * width,
        )


def simulation_lines(game: GameSpec, summaries: Sequence[Summary]) -> Iterator[str]:
    """One row per seating: who sat where, how often they agreed, what each got."""
    head = [
        *game.seats,
        "games",
        "agreed",
        *(f"points {seat}" for seat in game.seats),
        "seconds",
        "offers",
        "ended otherwise",
    ]
    rows = [head, *(_row(summary) for summary in summaries)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    named = len(game.seats)
    for row in rows:
        cells = (
            c.ljust(w) if i < named else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join(cells).rstrip()
    failures = sum(summary.failures for summary in summaries)
    refusals = sum(summary.refusals for summary in summaries)
    yield f"\n{failures} failures of agents, {refusals} actions refused."


def _row(summary: Summary) -> list[str]:
    return [
        *summary.agents.values(),
        str(summary.games),
        f"{100 * summary.agreements / summary.games:.0f} %",
        *("-" if points is None else f"{points:.2f}" for points in summary.points.values()),
        f"{summary.seconds:.1f}",
        f"{summary.offers:.1f}",
        ", ".join(f"{why.value} {n}" for why, n in summary.ends.items() if why is not EndedBy.AGREEMENT)
        or "-",
    ]
