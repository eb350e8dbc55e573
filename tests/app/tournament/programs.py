"""The command tournament as a program of its own, to be killed."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

PATIENCE = 100.0
"""Seconds after which a program that does not go on is a fault."""

TABLES = ("games.csv", "pairs.csv", "scores.csv", "by_game.csv", "pairs_by_game.csv", "tables.md")


def tour(tmp_path: Path, **more: object) -> Path:
    """Write a tournament file and return it."""
    file = tmp_path / "tour.json"
    document = {
        "schema": "negoplatform.tournament/1",
        "agents": ["conceder", "random_bids", "linear"],
        "games": ["practice"],
        "seeds": {"n": 21},
        "deadline": {"seconds": 15},
        **more,
    }
    file.write_text(json.dumps(document), encoding="utf-8")
    return file


def start(tmp_path: Path, file: Path, *options: str) -> subprocess.Popen[bytes]:
    """Start the command in a process group of its own."""
    data = ("--data-dir", str(tmp_path / "data"))
    command = [sys.executable, "-m", "negoplatform", "tournament", str(file), *options, *data]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, cwd=tmp_path
    )


def wait_until(condition: Callable[[], bool], what: str, patience: float = PATIENCE) -> None:
    """Wait for a condition.

    Raises:
        AssertionError: If it does not come true.
    """
    until = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < until, what
        time.sleep(0.02)


def played(out: Path) -> int:
    """Return the number of blocks that are finished in a folder."""
    return sum(1 for _ in (out / "blocks").glob("*.json"))


def in_group(group: int) -> list[int]:
    """Return the processes of a group, except ended ones."""
    found = subprocess.run(["ps", "-eo", "pid=,pgid=,stat="], capture_output=True, text=True, check=True)
    rows = (line.split() for line in found.stdout.splitlines())
    return [int(pid) for pid, pgid, stat in rows if int(pgid) == group and not stat.startswith("Z")]


def tables_in(out: Path) -> dict[str, bytes]:
    """Return the contents of a tournament's tables."""
    return {name: (out / name).read_bytes() for name in TABLES}


def workers_of(program: subprocess.Popen[bytes]) -> list[int]:
    """Return the worker processes of a program, of joblib's own pool or of Dask."""
    found = subprocess.run(["ps", "-eo", "pid=,pgid=,args="], capture_output=True, text=True, check=True)
    rows = (line.split(maxsplit=2) for line in found.stdout.splitlines())
    kinds = ("popen_loky_posix", "spawn_main")
    return [int(r[0]) for r in rows if int(r[1]) == program.pid and any(kind in r[2] for kind in kinds)]
