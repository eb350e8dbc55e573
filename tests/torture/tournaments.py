"""P13: a tournament completes with the same tables when its program and its workers are killed."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from random import Random

from negoplatform.app.tournament.tournament_plan import SEEDS_PER_BLOCK
from tests.app.tournament.programs import (
    PATIENCE,
    in_group,
    played,
    start,
    tables_in,
    tour,
    wait_until,
    workers_of,
)
from tests.torture.rows import Row, Tally

GAMES = 10_000
"""Games of a tournament."""

AGENTS = ("boulware", "conceder", "linear", "micro", "random_bids")
"""Quick bidders: 25 seatings."""

KILLS = ("program", "workers", "program", "workers", "program")
"""Victims of the kills, in order; programs are started again, workers are not."""

OFFERS = 30
"""Offers after which a game ends."""

END = 3600.0
"""Seconds that a program may take to its end."""


def run(scale: float) -> Row:
    """Play a tournament undisturbed, with five kills, and on Dask with one; compare the tables."""
    tally, random = Tally(), Random("P13")
    seeds = max(SEEDS_PER_BLOCK, round(GAMES * scale / len(AGENTS) ** 2))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = tour(
            folder, agents=list(AGENTS), seeds={"n": seeds}, deadline={"offers": OFFERS}, keep_logs="none"
        )
        calm, killed, dask = (folder / out for out in ("calm", "killed", "dask"))
        _finish(start(folder, file, "--out", str(calm)), tally)
        blocks = played(calm)
        _with_kills(folder, file, killed, blocks, random, tally)
        _with_killed_dask_worker(folder, file, dask, blocks, random, tally)
        for out in (killed, dask):
            same = tally.expect((out / "scores.csv").exists(), f"{out.name}: it came to no end.")
            if same and tables_in(out) != tables_in(calm):
                tally.faults.append(
                    f"{out.name}: its tables differ from those of the undisturbed tournament."
                )
        tally.runs += 3 * len(AGENTS) ** 2 * seeds
    return Row(
        "P13",
        "tournament with its program and workers killed, on processes and on Dask",
        tally.runs,
        lost=0,
        faults=tuple(tally.faults),
        remarks=tuple(tally.remarks),
    )


def _finish(program: subprocess.Popen[bytes], tally: Tally) -> None:
    _, told = program.communicate(timeout=END)
    tally.expect(
        program.returncode == 0, f"A program ended with {program.returncode}: {told.decode()[-300:]}"
    )


def _with_kills(folder: Path, file: Path, out: Path, blocks: int, random: Random, tally: Tally) -> None:
    """Kill the program and its workers, each time after another sixth of the blocks."""
    # In loky's processes at once: the usual engine plays its first seconds in the program's own.
    options = ("--engine", "loky", "--out", str(out))
    program = start(folder, file, *options)
    for i, victim in enumerate(KILLS, start=1):
        _wait_for_blocks(out, blocks * i // (len(KILLS) + 1), program)
        if victim == "workers":
            _kill_worker(program, random, tally)
            continue
        program.kill()
        program.communicate()
        wait_until(lambda group=program.pid: not in_group(group), "its workers go on")  # type: ignore[misc]
        tally.expect(not (out / "scores.csv").exists(), "The program ended before it was killed.")
        program = start(folder, file, *options)
    _finish(program, tally)


def _with_killed_dask_worker(
    folder: Path, file: Path, out: Path, blocks: int, random: Random, tally: Tally
) -> None:
    program = start(folder, file, "--engine", "dask", "--out", str(out))
    _wait_for_blocks(out, blocks // 3, program)
    _kill_worker(program, random, tally)
    _finish(program, tally)


def _wait_for_blocks(out: Path, blocks: int, program: subprocess.Popen[bytes]) -> None:
    """Wait for a number of blocks, as long as there are new ones."""
    before = -1
    while (now := played(out)) < blocks and program.poll() is None and now != before:
        before = now
        with suppress(AssertionError):
            wait_until(lambda least=now: played(out) > least, "no new block", PATIENCE)  # type: ignore[misc]


def _kill_worker(program: subprocess.Popen[bytes], random: Random, tally: Tally) -> None:
    workers = workers_of(program)
    if tally.expect(bool(workers), "No worker was found that could be killed."):
        with suppress(ProcessLookupError):
            os.kill(random.choice(workers), signal.SIGKILL)
