"""Runs of tournaments: equal results in every engine, and whatever interrupts them."""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

import pytest

from negoplatform.app.tournament import block_player, tournament_run
from negoplatform.app.tournament.block_player import play_block
from negoplatform.app.tournament.engines import Engine, EngineChoice, engine_choice, opened_engine
from negoplatform.app.tournament.tournament_plan import GameBlock
from negoplatform.app.tournament.tournament_run import LOCK_FILE, MOST_LOST_WORKERS, run_tournament
from negoplatform.domain.errors import NegoError
from negoplatform.eventlog.file_lock import acquire_lock
from tests.app.tournament.small_tournaments import (
    ACCEPTS_ANYTHING,
    ENDS_EVERY_PROCESS,
    ENDS_ITS_PROCESS_ONCE,
    files_in,
    plan,
    play,
)


def test_inline_and_processes_give_equal_files(tmp_path: Path) -> None:
    planned = plan(tmp_path)

    here = play(planned, tmp_path, "inline", "here")
    there = play(planned, tmp_path, "loky", "there", jobs=2)

    assert here == there
    assert files_in(tmp_path / "here") == files_in(tmp_path / "there")
    assert [game.seed for game in here.played[0].games] == [1, 2, 3]
    assert len(here.played) == 4
    assert not here.errors


@pytest.mark.parametrize(
    ("agents", "seconds_alone", "engines"),
    [
        (("conceder", "random_bids"), 1000.0, ["inline"]),
        (("conceder", "random_bids"), 0.0, ["inline", "loky"]),
        (("conceder", "mine.py"), 1000.0, ["loky"]),
    ],
    ids=["short", "long", "with an agent of a person"],
)
def test_the_usual_engine_starts_processes_where_they_are_needed(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    agents: tuple[str, ...],
    seconds_alone: float,
    engines: list[str],
) -> None:
    (tmp_path / "mine.py").write_text(ACCEPTS_ANYTHING, encoding="utf-8")
    planned = plan(tmp_path, agents)
    expected = play(planned, tmp_path, "inline", "expected")
    monkeypatch.setattr(tournament_run, "SECONDS_ALONE", seconds_alone)
    monkeypatch.setattr(tournament_run, "usual_jobs", lambda: 2)
    opened: list[str] = []

    def recorded(choice: EngineChoice) -> AbstractContextManager[Engine]:
        opened.append(choice.name)
        return opened_engine(choice)

    monkeypatch.setattr(tournament_run, "opened_engine", recorded)
    found = play(planned, tmp_path, "auto")

    assert opened == engines
    assert found.alone == (engines == ["inline"])
    assert replace(found, alone=False) == expected
    assert files_in(tmp_path / "out") == files_in(tmp_path / "expected")


def test_what_was_played_is_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planned = plan(tmp_path)
    first = play(planned, tmp_path)
    monkeypatch.setattr(block_player, "simulate", None)

    again = play(planned, tmp_path)

    assert again.played == first.played
    assert (first.earlier, again.earlier) == (0, 12)


@pytest.mark.parametrize("damage", [b"", b"{}", b"cut"])
def test_a_torn_file_is_set_aside_and_its_block_played_again(tmp_path: Path, damage: bytes) -> None:
    planned = plan(tmp_path)
    first = play(planned, tmp_path)
    whole = files_in(tmp_path / "out")
    torn, foreign = (tmp_path / "out" / "blocks" / name for name in sorted(whole)[:2])
    torn.write_bytes(torn.read_bytes()[:-40] if damage == b"cut" else damage)
    foreign.write_bytes((tmp_path / "out" / "blocks" / sorted(whole)[2]).read_bytes())

    again = play(planned, tmp_path)

    files = files_in(tmp_path / "out")
    assert again.played == first.played
    assert again.earlier == 6
    assert {name: files[name] for name in whole} == whole
    assert sum("damaged" in name for name in files) == 2


def test_a_file_with_the_right_hash_that_cannot_be_read_is_played_again_by_the_next_run(
    tmp_path: Path,
) -> None:
    planned = plan(tmp_path, ("conceder",))
    before = play(planned, tmp_path)
    (path,) = (tmp_path / "out" / "blocks").glob("*.json")
    document = json.loads(path.read_bytes().partition(b"\n")[2])
    content = json.dumps({**document, "games": [{}]}).encode()
    path.write_bytes(hashlib.sha256(content).hexdigest().encode() + b"\n" + content)

    broken, again = play(planned, tmp_path), play(planned, tmp_path)

    assert "cannot be read; run the same again" in broken.errors[0]
    assert (again.played, again.errors) == (before.played, ())


def test_a_folder_in_which_nothing_can_be_written_is_named(tmp_path: Path) -> None:
    (block,) = plan(tmp_path, ("conceder",)).blocks()

    outcome = play_block(block, tmp_path / "gone", tmp_path / "data")

    assert outcome.error.startswith("practice, conceder against conceder, seeds 1 to 3: ")
    assert outcome.error.endswith(".begun cannot be written (No such file or directory).")


def test_a_block_whose_process_ended_is_played_again(tmp_path: Path) -> None:
    agent = tmp_path / "ends.py"
    agent.write_text(ENDS_ITS_PROCESS_ONCE, encoding="utf-8")
    planned = plan(tmp_path, ("ends.py", "conceder"))

    found = play(planned, tmp_path, "loky", jobs=2)

    assert agent.with_suffix(".begun").exists()
    assert not found.errors
    undisturbed = play(planned, tmp_path, "inline", "undisturbed")
    assert found.played == undisturbed.played


def test_a_block_that_always_ends_its_process_is_given_up_and_the_rest_is_played(tmp_path: Path) -> None:
    (tmp_path / "ends.py").write_text(ENDS_EVERY_PROCESS, encoding="utf-8")
    planned = plan(tmp_path, ("conceder", "ends.py"), seeds={"n": 2}, seatings="given")

    found = play(planned, tmp_path, "loky", jobs=2)

    assert [block.games[0].agents for block in found.played] == [("conceder", "conceder")]
    assert found.errors == tuple(
        f"practice, {pair}, seeds 1 to 2: its process ended {MOST_LOST_WORKERS} times while it was played."
        for pair in ("conceder against ends", "ends against ends")
    )


def test_one_process_of_its_own_keeps_an_agent_from_ending_the_program(tmp_path: Path) -> None:
    (tmp_path / "ends.py").write_text(ENDS_ITS_PROCESS_ONCE, encoding="utf-8")

    found = play(plan(tmp_path, ("ends.py",)), tmp_path, "loky", jobs=1)

    assert not found.errors
    assert len(found.played) == 1


AT_ITS_FIRST_BID = """
import os
from pathlib import Path
from negoplatform.agent_api import Bidder

class Odd(Bidder):
    def least(self, ctx):
        return self.bids.lowest

    def next_bid(self, ctx, answered):
        {statement}
        return self.bids.any_from(self.bids.lowest, ctx.rng)
"""


def test_an_agent_that_raises_keyboard_interrupt_does_not_end_the_others(tmp_path: Path) -> None:
    (tmp_path / "odd.py").write_text(AT_ITS_FIRST_BID.format(statement="raise KeyboardInterrupt"))

    found = play(plan(tmp_path, ("odd.py", "conceder")), tmp_path, "loky", jobs=1)

    assert [block.games[0].agents for block in found.played] == [("conceder", "conceder")]
    assert "an agent raised KeyboardInterrupt" in found.errors[0]


def test_an_agent_may_change_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "odd.py").write_text(
        AT_ITS_FIRST_BID.format(statement=f"os.chdir({str(tmp_path / 'elsewhere')!r})")
    )
    planned = plan(tmp_path, ("odd.py", "conceder"))

    found = run_tournament(planned, Path("out"), Path("data"), engine=engine_choice("inline", None))

    assert found.errors == ()
    assert len(found.played) == 4


def test_an_agent_may_close_its_output(tmp_path: Path) -> None:
    (tmp_path / "odd.py").write_text(AT_ITS_FIRST_BID.format(statement="import sys; sys.stdout.close()"))

    found = play(plan(tmp_path, ("odd.py", "conceder")), tmp_path)

    assert found.errors == ()


def test_a_block_that_takes_long_is_named(tmp_path: Path) -> None:
    waits = "while not Path(__file__).with_name('go').exists(): pass"
    (tmp_path / "odd.py").write_text(AT_ITS_FIRST_BID.format(statement=waits))
    told: list[str] = []

    def tell(sentence: str) -> None:
        told.append(sentence)
        (tmp_path / "go").touch()

    planned = plan(tmp_path, ("odd.py", "conceder"))
    engine = engine_choice("inline", None)
    run_tournament(
        planned, tmp_path / "out", tmp_path / "data", engine=engine, on_long_block=tell, patience=0.2
    )

    assert told[0].startswith("practice, odd against odd, seeds 1 to 3: it is still being played after")


def test_a_block_that_cannot_be_played_does_not_end_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = block_player._played

    def fail_once(block: GameBlock, *rest: object) -> object:
        if block.agents[0].name != block.agents[1].name:
            raise NegoError("No such thing.")
        return played(block, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(block_player, "_played", fail_once)
    planned = plan(tmp_path, seatings="given")

    found = play(planned, tmp_path)

    assert found.errors == ("practice, conceder against random_bids, seeds 1 to 3: No such thing.",)
    assert len(found.played) == 2
    monkeypatch.undo()
    assert not play(planned, tmp_path).errors


def test_a_worker_with_another_version_plays_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planned = plan(tmp_path, ("conceder",))
    monkeypatch.setattr(block_player, "program_hash", lambda: "another")

    found = play(planned, tmp_path)

    assert not found.played
    assert "a worker has another version of NegoPlatform" in found.errors[0]


def test_a_second_run_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    planned = plan(tmp_path)
    play(planned, tmp_path)
    lock = tmp_path / "out" / LOCK_FILE
    held = os.open(lock, os.O_RDWR)
    acquire_lock(held, lock)

    try:
        with pytest.raises(NegoError, match=r"Another tournament is running in .*out; wait for its end"):
            play(planned, tmp_path)
    finally:
        os.close(held)


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.txt").write_text("mine", encoding="utf-8")

    with pytest.raises(NegoError, match="has files of something else; name a new folder"):
        play(plan(tmp_path), tmp_path)

    assert [path.name for path in (tmp_path / "out").iterdir()] == ["thesis.txt"]


def test_what_agents_print_goes_to_a_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "loud.py").write_text(
        ENDS_EVERY_PROCESS.replace("os.kill(os.getpid(), signal.SIGKILL)", "print('begins')"),
        encoding="utf-8",
    )

    play(plan(tmp_path, ("loud.py",)), tmp_path)
    play(plan(tmp_path, ("loud.py",)), tmp_path, "loky", "other", jobs=2)

    assert "begins" not in "".join(capfd.readouterr())
    for out in ("out", "other"):
        printed = (tmp_path / out / "agents_output.txt").read_text(encoding="utf-8")
        assert printed.count("begins") == 6


@pytest.mark.parametrize(
    ("text", "jobs", "sentence"),
    [
        ("spark", None, "There is no engine 'spark'"),
        ("dask://nowhere", None, "There is no engine 'dask://nowhere'"),
        ("inline", 3, "The engine inline has one process"),
        ("dask://127.0.0.1:8786", 3, "has its own number of workers"),
    ],
)
def test_engines_that_do_not_exist_are_refused(text: str, jobs: int | None, sentence: str) -> None:
    with pytest.raises(NegoError, match=sentence):
        engine_choice(text, jobs)
