"""Cost of one answer of the shipped agenda, early and late in a session.

The agenda adds the events that are new since its last answer. A full reading of the record
(``ctx.get_state()``), which goes through all events, is timed for comparison.

Run: ``python benchmarks/agenda.py``. It prints the CPU time of both after 100 and after 800 events, and the
ratio of the two.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import median

from negoplatform.agent_api.assistant import AgendaAssistant
from negoplatform.app.catalogue.catalogue import find_agent, find_game
from negoplatform.core.events import MessageSubtype
from negoplatform.plugins.agent_loader import ASSISTANT_ROLES, make_agent
from negoplatform.testing import TrialTable

EARLY, LATE = 100, 800
"""Events after which answers are timed."""

ANSWERS = 20
"""Answers of which the median counts."""

SEAT = "human"


def cpu_seconds(action: Callable[[], object]) -> float:
    """Return the CPU time of one call."""
    start = time.process_time()
    action()
    return time.process_time() - start


def measure() -> dict[str, tuple[float, float]]:
    """Return the median CPU seconds after both numbers of events, by what is timed."""
    nowhere = Path("nowhere")
    game = find_game("practice", nowhere)
    table = TrialTable(replace(game, rules=replace(game.rules, deadline_seconds=None)))
    agenda = make_agent(find_agent("agenda", nowhere, roles=ASSISTANT_ROLES), "agenda", {})
    assert isinstance(agenda, AgendaAssistant)
    found: dict[str, list[float]] = {"agenda": [], "get_state": []}
    for until in (EARLY, LATE):
        times: dict[str, list[float]] = {name: [] for name in found}
        while len(times["agenda"]) < ANSWERS:
            add_event(table)
            ctx = table.context(SEAT)
            spent = cpu_seconds(lambda ctx=ctx: agenda.plan(ctx))
            if len(table.events) > until:
                times["agenda"].append(spent)
                times["get_state"].append(cpu_seconds(ctx.get_state))
        for name, seconds in times.items():
            found[name].append(median(seconds))
    return {name: (early, late) for name, (early, late) in found.items()}


def add_event(table: TrialTable) -> None:
    """Have the agent ask something or offer terms, each in turn with the person."""
    number = len(table.events)
    party = table.agent if number % 2 else table.human
    if number % 5:
        party.says("What about that?", MessageSubtype.PREF_REQUEST)
    else:
        party.offers(day=("Friday", "Saturday")[number % 2])
    table.wait(1.0)


def main() -> None:
    """Print the times and their ratios."""
    for name, (early, late) in measure().items():
        print(
            f"{name:>10}: {early * 1000:.2f} ms after {EARLY} events, {late * 1000:.2f} ms after {LATE}; "
            f"ratio {late / early:.2f}"
        )


if __name__ == "__main__":
    main()
