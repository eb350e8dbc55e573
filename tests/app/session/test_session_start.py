"""Folders for a session's log: the first one, and those to fall back on."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

import pytest

from negoplatform.app.catalogue.catalogue import find_game, find_shipped_agent
from negoplatform.app.session.agent_setup import prepare_in_process, starting_output_path
from negoplatform.app.session.session_plan import SessionPlan
from negoplatform.app.session.session_start import SESSIONS, fallback_folders, open_session
from negoplatform.domain.seat_map import SeatMap
from negoplatform.plugins.program_and_user_folders import user_folder


def test_a_folder_that_lasts_comes_first_and_that_for_temporary_files_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    usual, own = fallback_folders(user_folder()), fallback_folders(tmp_path / "data")

    # On other systems the folder of the state is that of the data.
    assert len(usual) == (3 if sys.platform == "linux" else 2)
    assert usual[-1] == tmp_path / "NegoPlatform-sessions"
    assert own == [user_folder() / SESSIONS, *usual]


@pytest.mark.skipif(os.name != "posix", reason="there the folder for temporary files is the user's own")
def test_a_folder_for_temporary_files_that_is_a_link_is_no_fallback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "NegoPlatform-sessions").symlink_to(tmp_path)

    assert tmp_path / "NegoPlatform-sessions" not in fallback_folders(tmp_path)


def test_what_is_left_of_a_start_that_was_killed_is_cleared_away(tmp_path: Path) -> None:
    sessions = tmp_path / SESSIONS
    sessions.mkdir()
    killed, beginning, mine = (starting_output_path(sessions, seat) for seat in ("agent", "human", "agent"))
    mine = mine.with_name("starting-notes.txt")
    for file in (killed, beginning, mine):
        file.write_text("Hello.")
    for file in (killed, mine):
        os.utime(file, (time.time() - 7200, time.time() - 7200))
    game = find_game("practice", tmp_path)
    agents = SeatMap([("agent", prepare_in_process(find_shipped_agent("fair"), "agent", {}, game=game))])

    session = open_session(SessionPlan(game, 1, "human", "P01", agents), tmp_path, print)
    session.log.close()

    assert {path.name for path in sessions.iterdir() if path.is_file()} == {beginning.name, mine.name}
