"""Results and lists as lines of text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from negoplatform.app.catalogue.catalogue import CatalogueEntry
from negoplatform.app.catalogue.search_path import PluginSource
from negoplatform.app.simulation.simulate import Summary
from negoplatform.core.events import EndedBy
from negoplatform.domain.game import GameSpec
from negoplatform.domain.step_analysis import StepClass
from negoplatform.formats.agent_manifest import EMPTY_MANIFEST
from negoplatform.formats.strict_json import single_line
from negoplatform.plugins.loader import AgentPlugin


def catalogue_lines(
    rows: Sequence[CatalogueEntry[GameSpec]] | Sequence[CatalogueEntry[AgentPlugin]], plain: bool
) -> Iterator[str]:
    """Yield one row per entry: name and description, or why it is unavailable, or how it is trusted."""
    if plain:
        yield from (single_line(row.name) for row in rows if row.item is not None)
        return
    width = max((len(single_line(row.name)) for row in rows), default=0) + 2
    for row in rows:
        # A file name may contain any character.
        name = single_line(row.name).ljust(width)
        origin = _origin(row)
        if row.untrusted is not None:
            # Not wrapped: a command is meant to be copied.
            yield f"{name}{origin}{row.reason}"
            continue
        text = row.item.description if row.item is not None else f"CANNOT BE USED: {row.reason}"
        yield textwrap.fill(
            origin + (text or "(no description)"),
            100,
            initial_indent=name,
            subsequent_indent=" " * width,
        )


def _origin(row: CatalogueEntry[GameSpec] | CatalogueEntry[AgentPlugin]) -> str:
    """Return an entry's source, version and author in brackets; empty for shipped ones."""
    if row.source is PluginSource.PROGRAM:
        return ""
    agent = row.item or row.preview
    manifest = agent.manifest if isinstance(agent, AgentPlugin) else EMPTY_MANIFEST
    said = [
        _SOURCE_LABELS[row.source],
        f"version {manifest.version}" if manifest.version else "",
        f"by {manifest.author}" if manifest.author else "",
    ]
    return f"({', '.join(part for part in said if part)}) "


_SOURCE_LABELS = {
    PluginSource.PROGRAM: "",
    PluginSource.BESIDE: "beside the program",
    PluginSource.USER: "yours",
}
"""Label of each source in a list."""


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


def align_columns(rows: Sequence[Sequence[str]], names: int) -> Iterator[str]:
    """Yield rows as aligned columns; the first ``names`` columns are left-aligned, numbers right-aligned."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            cell.ljust(width) if i < names else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join(cells).rstrip()


def percent(share: float | None) -> str:
    """Return a share, 0 to 1, in per cent; a dash for None."""
    return "-" if share is None else f"{100 * share:.0f} %"


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
