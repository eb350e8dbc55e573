"""What came of trying a promise: one row of the table, and the table."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

MOST_FAULTS = 20
"""Sentences about faults that a row keeps; the first ones say it all."""


@dataclass(frozen=True, slots=True)
class Row:
    """How often a promise was tried, and what came of it.

    Args:
        promise: Its name, such as ``P1``.
        what: What was tried, in a few words.
        runs: How often.
        lost: Acknowledged events or decisions that were lost; None where nothing can be.
        harmed: Runs in which harm was done that has to be noticed; None where nothing has to be.
        detected: How many of these were noticed; None where nothing has to be.
        worst: The longest delay, in seconds; None where none is measured.
        p99: The delay that 99 of 100 stay below, in seconds; None where none is measured.
        faults: Sentences about what went wrong, the first few.
        remarks: What the reader of the table should know, such as a part that this machine cannot try.
        seconds: How long it took.
    """

    promise: str
    what: str
    runs: int
    lost: int | None = None
    harmed: int | None = None
    detected: int | None = None
    worst: float | None = None
    p99: float | None = None
    faults: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def kept(self) -> bool:
        """Whether the promise was kept, and tried at all: where harm has to be noticed, some was done."""
        noticed = self.harmed == self.detected and self.harmed != 0
        return self.runs > 0 and not self.lost and not self.faults and noticed


@dataclass(slots=True)
class Tally:
    """Counts while a promise is tried; becomes a row."""

    runs: int = 0
    lost: int = 0
    harmed: int = 0
    detected: int = 0
    delays: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Counts what another one counted."""
        self.runs += other.runs
        self.lost += other.lost
        self.harmed += other.harmed
        self.detected += other.detected
        self.delays += other.delays
        self.faults += other.faults
        self.remarks += other.remarks

    def expect(self, holds: bool, otherwise: str) -> bool:
        """Keeps a sentence about what does not hold; whether it holds."""
        if not holds:
            self.faults.append(otherwise)
        return holds

    def harm(self, noticed: bool, otherwise: str) -> None:
        """Counts a harm, and whether it was noticed."""
        self.harmed += 1
        self.detected += noticed
        if not noticed:
            self.faults.append(otherwise)

    @contextmanager
    def trying(self, name: str) -> Iterator[None]:
        """What breaks in here is a fault of one trial, and no end of all of them."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - the code under trial may do anything
            self.faults.append(f"{name}: it broke with {error!r}.")

    def row(self, promise: str, what: str, *, counts: Sequence[str] = ()) -> Row:
        """The row.

        Args:
            promise: The promise's name.
            what: What was tried.
            counts: Which columns make sense, of ``lost`` and ``detected``.
        """
        delays = sorted(self.delays)
        kept = self.faults[:MOST_FAULTS]
        if len(self.faults) > MOST_FAULTS:
            kept.append(f"… and {len(self.faults) - MOST_FAULTS} more.")
        return Row(
            promise=promise,
            what=what,
            runs=self.runs,
            lost=self.lost if "lost" in counts else None,
            harmed=self.harmed if "detected" in counts else None,
            detected=self.detected if "detected" in counts else None,
            worst=delays[-1] if delays else None,
            p99=delays[min(len(delays) - 1, len(delays) * 99 // 100)] if delays else None,
            faults=tuple(kept),
            remarks=tuple(dict.fromkeys(self.remarks)),
        )


def table(rows: Iterable[Row]) -> str:
    """The rows as a table in Markdown, and below it what went wrong."""
    rows = list(rows)
    lines = [
        "| promise | tried | runs | lost | detected | worst delay | kept | took |",
        "|---|---|---:|---:|---:|---:|---|---:|",
    ]
    lines += [_line(row) for row in rows]
    below = [f"- {row.promise}: {text}" for row in rows for text in (*row.remarks, *row.faults)]
    return "\n".join([*lines, *(["", *below] if below else [])]) + "\n"


def _line(row: Row) -> str:
    detected = "" if row.detected is None else f"{row.detected:,} of {row.harmed:,}"
    worst = "" if row.worst is None else f"{row.worst * 1000:.1f} ms"
    if row.p99 is not None and row.promise == "P10":
        worst += f" (p99 {row.p99 * 1000:.1f} ms)"
    cells = [
        row.promise,
        row.what,
        f"{row.runs:,}",
        "" if row.lost is None else f"{row.lost:,}",
        detected,
        worst,
        "yes" if row.kept else "**NO**",
        f"{row.seconds:.0f} s",
    ]
    return f"| {' | '.join(cells)} |"


def machine(folder: Path) -> str:
    """On what it was tried: processor, cores, memory, system, Python, and the file system of a folder."""
    return (
        f"{_processor()}, {os.cpu_count()} cores, {_memory()}{platform.system()} {platform.release()}, "
        f"Python {platform.python_version()}, {_file_system(folder)}"
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _memory() -> str:
    try:
        pages, size = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return ""
    return f"{pages * size / 2**30:.0f} GB, "


def _file_system(folder: Path) -> str:
    try:
        told = subprocess.run(
            ["stat", "--file-system", "--format=%T", str(folder)], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return "file system unknown"
    return f"file system {told.stdout.strip()}"
