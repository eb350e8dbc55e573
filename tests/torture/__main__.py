"""Long trials of every promise: ``python -m tests.torture``; one table, and exit code 1 if one was broken."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.torture.rows import Row, machine, table

LONGEST = 2 * 3600.0
"""Seconds that one promise may take."""


@dataclass(frozen=True, slots=True)
class Part:
    """Promise and the module that tries it.

    Args:
        name: Its name.
        module: The module of this package whose ``run`` tries it.
        alone: Whether nothing else may run at the same time, because it measures delays.
    """

    name: str
    module: str
    alone: bool = False


PARTS = (
    Part("P10", "misbehaviour", alone=True),
    Part("P14", "joined", alone=True),
    Part("machine", "machine"),
    Part("fuzz", "fuzzing"),
    Part("sweeps", "sweeps"),
    Part("laws", "laws"),
    Part("paths", "paths"),
    Part("scenarios", "scenarios"),
    Part("P7", "replays"),
    Part("P1", "kills"),
    Part("P2", "power"),
    Part("P3", "damage"),
    Part("P4", "disks"),
    Part("P5", "starts"),
    Part("P6", "clocks"),
    Part("P11", "hostile"),
    Part("P12", "visits"),
    Part("P13", "tournaments"),
)
"""Parts in their order: measurements first, alone; then the longest, so that two at a time end together."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the requested parts; return 0 if every promise was kept."""
    wanted = _parser().parse_args(arguments)
    if wanted.one:
        return _run_one(part_named(wanted.one), wanted.scale)
    parts = [part_named(name) for name in wanted.only.split(",")] if wanted.only else list(PARTS)
    begun = time.monotonic()
    rows = [try_part(part, wanted.scale) for part in parts if part.alone]
    with ThreadPoolExecutor(max(1, wanted.jobs)) as pool:
        rows += pool.map(lambda part: try_part(part, wanted.scale), [p for p in parts if not p.alone])
    size = "" if wanted.scale == 1 else f" at a scale of {wanted.scale:g}"
    text = report(rows, f"{size}: {machine(Path(tempfile.gettempdir()))}", time.monotonic() - begun)
    print(text, end="")
    if wanted.out is not None:
        wanted.out.write_text(text, encoding="utf-8")
    return 0 if all(row.kept for row in rows) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.torture", description=__doc__)
    parser.add_argument("--only", metavar="P1,P4", help="these promises alone")
    parser.add_argument("--scale", type=float, default=1.0, help="a part of the full sizes, such as 0.1")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="promises at a time")
    parser.add_argument("--out", type=Path, help="write the table to this file too")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    return parser


def part_named(name: str) -> Part:
    """Return the part with a name, in any case."""
    for part in PARTS:
        if part.name.lower() == name.strip().lower():
            return part
    raise SystemExit(f"There is no promise {name!r}; there are {', '.join(part.name for part in PARTS)}.")


def try_part(
    part: Part,
    scale: float,
    *,
    python: Sequence[str] = (sys.executable,),
    environment: Mapping[str, str] | None = None,
) -> Row:
    """Try one promise in a separate process, which forks, limits and patches as it likes.

    Args:
        part: The promise.
        scale: A part of the full size.
        python: The command that starts Python.
        environment: The environment of the process; None: that of this one.
    """
    print(f"{part.name}: started", file=sys.stderr, flush=True)
    command = [*python, "-m", "tests.torture", "--one", part.name, "--scale", str(scale)]
    try:
        told = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            timeout=LONGEST,
            check=False,
            env=environment,
        )
        *printed, last = (line for line in told.stdout.splitlines() if line.strip())
        for line in printed:
            print(line.decode(errors="replace"), file=sys.stderr)
        row = _decoded(last)
    except (subprocess.TimeoutExpired, IndexError, ValueError, TypeError) as error:
        row = Row(part.name, "it came to no end", 0, faults=(f"The trial itself failed ({error!r}).",))
    print(f"{part.name}: {'kept' if row.kept else 'BROKEN'}", file=sys.stderr, flush=True)
    return row


def _run_one(part: Part, scale: float) -> int:
    run = importlib.import_module(f"tests.torture.{part.module}").run
    begun = time.monotonic()
    row = replace(run(scale), seconds=time.monotonic() - begun)
    print(json.dumps(asdict(row)))
    return 0


def _decoded(line: bytes) -> Row:
    values: Any = {name: tuple(v) if isinstance(v, list) else v for name, v in json.loads(line).items()}
    return Row(**values)


def _order(row: Row) -> tuple[int, str]:
    digits = row.promise[1:]
    return (int(digits), "") if digits.isdecimal() else (99, row.promise)


def report(rows: Sequence[Row], where: str, seconds: float) -> str:
    """Return the table, and above it when, for how long and where the promises were tried."""
    day = datetime.now(UTC).strftime("%Y-%m-%d")
    head = f"Tried on {day} in {seconds / 60:.0f} minutes{where}.\n\n"
    return head + table(sorted(rows, key=_order))


if __name__ == "__main__":
    sys.exit(main())
