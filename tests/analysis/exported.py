"""Logs of games that were played, and the tables of their export."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from negoplatform.analysis.export_tables.export import Export, csv_bytes
from negoplatform.core.events import (
    Expression,
)
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.eventlog.disk_calls import LOG_NAME
from negoplatform.eventlog.writer import LogWriter
from negoplatform.testing import TrialTable
from tests.eventlog.logs import AT, header_for

Rows = list[dict[str, str]]
Play = Callable[[TrialTable], object]

EVEN = Offer(
    {
        "bananas": Allocation({"human": 4}),
        "grain": Allocation({"human": 3, "agent": 2}),
        "wood": Allocation({"agent": 3}),
        "spices": Allocation({"agent": 3}),
    }
)
"""25 points for human and 25 for agent."""


def kept(folder: Path, game: GameSpec, play: Play, session_id: str = "s1", **header: Any) -> Path:
    """Return the log of a played game with a given session id."""
    head = replace(header_for(game), session_id=session_id, **header)
    log = LogWriter(folder / session_id, head, at=lambda: AT)
    play(TrialTable(game, log=log))
    log.close()
    return folder / session_id / LOG_NAME


def tables_of(*paths: Path, excel: bool = False) -> dict[str, Rows]:
    """Return the tables of some logs, read back from the bytes of their files."""
    export = Export()
    for path in paths:
        export.add(path)
    return {
        table.name: rows_of(csv_bytes(table, excel=excel).decode("utf-8-sig" if excel else "utf-8"))
        for table in export.tables()
    }


def rows_of(text: str) -> Rows:
    """Return the rows of a CSV file."""
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


def column(rows: Iterable[dict[str, str]], name: str) -> list[str]:
    """Return the values of a column."""
    return [row[name] for row in rows]


def deal(table: TrialTable) -> None:
    """Play a game that ends with an agreement."""
    table.human.says("Hello")
    table.wait(2)
    table.agent.offers(grain=(2, 3))
    table.wait(1)
    table.agent.offers(EVEN)
    table.human.accepts()
    table.wait(1)
    table.agent.shows(Expression.HAPPY)
    table.agent.accepts()
    table.human.says("Thank you.")
    table.play_out()
