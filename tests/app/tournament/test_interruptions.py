"""Interrupted tournaments: killed programs and workers, on this computer and on a Dask cluster."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from negoplatform.app.tournament.engines import engine_choice, opened_engine
from negoplatform.cli.main import run
from tests.app.tournament.programs import PATIENCE, in_group, played, start, tables_in, tour, wait_until
from tests.app.tournament.small_tournaments import ENDS_ITS_PROCESS_ONCE, WAITS_IN_THE_MIDDLE

pytestmark = pytest.mark.skipif(os.name == "nt", reason="SIGKILL is a signal of POSIX systems")

ONE_PROCESS = (
    "Agents of different authors share one process here, where each could find the others' preferences."
)


def undisturbed(tmp_path: Path, file: Path) -> dict[str, bytes]:
    """Return the tables of the same tournament, played in this process without an interruption."""
    out = tmp_path / "undisturbed"
    data = str(tmp_path / "data")
    code = run(["tournament", str(file), "--engine", "inline", "--out", str(out), "--data-dir", data])
    assert code == 0
    return tables_in(out)


@pytest.fixture
def held(tmp_path: Path) -> Path:
    """File while which exists an agent waits once two blocks are finished: no tournament with it ends."""
    agent = tmp_path / "waits.py"
    agent.write_text(WAITS_IN_THE_MIDDLE, encoding="utf-8")
    held = agent.with_suffix(".held")
    held.touch()
    return held


def test_a_killed_program_continues_with_the_same_tables(tmp_path: Path, held: Path) -> None:
    file, out = tour(tmp_path, agents=["conceder", "random_bids", "waits.py"]), tmp_path / "out"
    program = start(tmp_path, file, "--jobs", "2", "--out", str(out))
    wait_until(lambda: played(out) >= 2, "no block is played")

    program.kill()
    program.communicate()

    held.unlink()
    wait_until(lambda: not in_group(program.pid), "its workers go on")
    assert not (out / "scores.csv").exists()
    program = start(tmp_path, file, "--jobs", "2", "--out", str(out))
    printed, told = program.communicate(timeout=PATIENCE)
    assert program.returncode == 0, told
    assert b"of them by an earlier run" in printed
    assert tables_in(out) == undisturbed(tmp_path, file)


def test_the_same_command_continues_after_ctrl_c(tmp_path: Path, held: Path) -> None:
    file, out = tour(tmp_path, agents=["conceder", "random_bids", "waits.py"]), tmp_path / "out"
    program = start(tmp_path, file, "--jobs", "2", "--out", str(out))
    wait_until(lambda: played(out) >= 2, "no block is played")

    os.killpg(program.pid, signal.SIGINT)
    _, told = program.communicate(timeout=PATIENCE)

    held.unlink()
    assert program.returncode == 130
    assert [line for line in told.decode().splitlines() if line] == [
        ONE_PROCESS,
        f"What was played is kept in {out}; the same command continues.",
        "negoplatform: Stopped.",
    ]
    wait_until(lambda: not in_group(program.pid), "its workers go on")
    assert run(["tournament", str(file), "--engine", "inline", "--out", str(out)]) == 0
    assert tables_in(out) == undisturbed(tmp_path, file)


def blocked_signals() -> set[int]:
    """Return the signals that the process blocks."""
    return {*signal.pthread_sigmask(signal.SIG_BLOCK, ())}


def test_workers_block_ctrl_c_from_their_start_and_the_program_does_not() -> None:
    with opened_engine(engine_choice("loky", 2)) as engine:
        found = list(engine.run(blocked_signals, [()] * 4))

    assert all(signal.SIGINT in blocked for blocked in found)
    assert signal.SIGINT not in blocked_signals()


def test_a_worker_of_dask_that_ends_costs_no_game(tmp_path: Path) -> None:
    agent = tmp_path / "ends.py"
    agent.write_text(ENDS_ITS_PROCESS_ONCE, encoding="utf-8")
    file, out = tour(tmp_path, agents=["ends.py", "conceder"], seeds={"n": 3}), tmp_path / "out"
    program = start(tmp_path, file, "--engine", "dask", "--jobs", "2", "--out", str(out))

    printed, told = program.communicate(timeout=PATIENCE)

    assert program.returncode == 0, told
    assert agent.with_suffix(".begun").exists()
    assert printed.startswith(b"rank")
    assert told.decode().splitlines() == [ONE_PROCESS]
    assert tables_in(out) == undisturbed(tmp_path, file)
