"""Condition for a file to count as saved, and the request to watch an agent's file."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from negoplatform.domain.errors import NegoError
from negoplatform.gui.shell.agent_reload_loop import resolve_watch
from negoplatform.gui.shell.file_watcher import FileWatcher
from negoplatform.presentation.start.launch_options import LaunchOptions


class Clock:
    """Stand-in for the window's timer, which fires when a test calls ``look``."""

    def __init__(self) -> None:
        self._next: Callable[[], None] = lambda: None

    def after(self, _ms: int, call: Callable[[], None]) -> None:
        self._next = call

    def look(self) -> None:
        self._next()


@pytest.fixture
def clock() -> Clock:
    return Clock()


def watched(clock: Clock, *files: Path) -> tuple[FileWatcher, list[Path]]:
    saved: list[Path] = []
    return FileWatcher(cast("Any", clock), files, saved.append), saved


def test_a_file_is_saved_once_it_stays_as_it_is(clock: Clock, tmp_path: Path) -> None:
    file = tmp_path / "agent.py"
    file.write_text("a = 1\n")
    _files, saved = watched(clock, file)

    file.write_text("a = 1\nb")
    clock.look()
    file.write_text("a = 1\nb = 2\n")
    clock.look()
    before = list(saved)
    clock.look()
    clock.look()

    assert (before, saved) == ([], [file])


def test_a_file_that_is_gone_for_a_moment_is_not_saved_before_it_is_back(
    clock: Clock, tmp_path: Path
) -> None:
    file = tmp_path / "agent.py"
    file.write_text("a = 1\n")
    _files, saved = watched(clock, file)

    file.unlink()
    clock.look()
    clock.look()
    before = list(saved)
    file.write_text("a = 2\n")
    clock.look()
    clock.look()

    assert (before, saved) == ([], [file])


def test_the_file_beside_it_counts_too_when_it_comes(clock: Clock, tmp_path: Path) -> None:
    file, manifest = tmp_path / "agent.py", tmp_path / "agent.json"
    file.write_text("a = 1\n")
    _files, saved = watched(clock, file, manifest)

    manifest.write_text("{}")
    clock.look()
    clock.look()

    assert saved == [manifest]


def test_what_is_known_already_is_not_told(clock: Clock, tmp_path: Path) -> None:
    file = tmp_path / "agent.py"
    file.write_text("a = 1\n")
    files, saved = watched(clock, file)
    file.write_text("a = 2 + 2\n")

    files.reset()
    clock.look()
    clock.look()

    assert saved == []


def test_every_game_against_a_watched_agent_has_the_same_seed_and_code(tmp_path: Path) -> None:
    file = tmp_path / "mine" / "agent.py"
    file.parent.mkdir()
    file.write_text("")

    wish, files = resolve_watch(LaunchOptions(watch=str(file.parent)))
    named, _files = resolve_watch(
        LaunchOptions(watch=f"{file}:Mine", game="job_candidate", seed=7, participant="P01")
    )

    assert files == [file, file.with_name("agent.json")]
    assert (wish.game, wish.agent) == ("practice", str(file))
    assert wish.seed is not None
    assert wish.participant
    assert (named.game, named.agent, named.seed, named.participant) == (
        "job_candidate",
        f"{file}:Mine",
        7,
        "P01",
    )


@pytest.mark.parametrize("wanted", ["fair", "nowhere.py", f"nowhere{os.sep}agent.py:Mine"])
def test_what_is_no_file_of_an_agent_cannot_be_watched(wanted: str) -> None:
    with pytest.raises(NegoError, match="--watch takes its file"):
        resolve_watch(LaunchOptions(watch=wanted))
