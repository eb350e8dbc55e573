"""Results of trying a promise: one row of the table, and the table."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

MOST_FAULTS = 20
"""Maximum number of sentences about faults in a row; the first ones are enough."""


@dataclass(frozen=True, slots=True)
class Row:
    """Number of trials of a promise, and their results.

    Args:
        promise: Its name, such as ``P1``.
        what: A short description of the trial.
        runs: The number of runs.
        lost: Acknowledged events or decisions that were lost; None where nothing can be.
        harmed: Runs with harm that has to be noticed; None where nothing has to be.
        detected: The number of these that were noticed; None where nothing has to be.
        worst: The longest delay, in seconds; None where none is measured.
        p99: The delay that 99 of 100 stay below, in seconds; None where none is measured.
        faults: Sentences about what went wrong, the first few.
        remarks: Remarks for the reader of the table, such as a part that this machine cannot try.
        seconds: The duration.
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
        """Whether the promise was tried and kept; where harm has to be noticed, some must have been done."""
        noticed = self.harmed == self.detected and self.harmed != 0
        return self.runs > 0 and not self.lost and not self.faults and noticed


@dataclass(slots=True)
class Tally:
    """Counts during the trial of a promise, from which its row is made."""

    runs: int = 0
    lost: int = 0
    harmed: int = 0
    detected: int = 0
    delays: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Add the counts of another tally."""
        self.runs += other.runs
        self.lost += other.lost
        self.harmed += other.harmed
        self.detected += other.detected
        self.delays += other.delays
        self.faults += other.faults
        self.remarks += other.remarks

    def expect(self, holds: bool, otherwise: str) -> bool:
        """Record a sentence about a condition that does not hold; return whether it holds."""
        if not holds:
            self.faults.append(otherwise)
        return holds

    def harm(self, noticed: bool, otherwise: str) -> None:
        """Count a harm, and whether it was noticed."""
        self.harmed += 1
        self.detected += noticed
        if not noticed:
            self.faults.append(otherwise)

    @contextmanager
    def trying(self, name: str) -> Iterator[None]:
        """Count an exception in the context as a fault of this trial, and go on with the others."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - the code under trial may do anything
            self.faults.append(f"{name}: it broke with {error!r}.")

    def row(self, promise: str, what: str, *, counts: Sequence[str] = ()) -> Row:
        """Return the row.

        Args:
            promise: The promise's name.
            what: The description of the trial.
            counts: The columns that apply, of ``lost`` and ``detected``.
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
    """Return the rows as a table in Markdown, followed by remarks and faults."""
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
    if row.p99 is not None and row.promise in ("P10", "P14"):
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
    """Return the machine of the trials: processor, cores, memory, system, Python, a folder's file system."""
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
