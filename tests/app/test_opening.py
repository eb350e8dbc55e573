"""Where a session's log may go on."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from negoplatform.app.folders import user_folder
from negoplatform.app.opening import SESSIONS, fallback_folders


def test_a_folder_that_lasts_comes_first_and_that_for_temporary_files_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    usual, own = fallback_folders(user_folder()), fallback_folders(tmp_path / "data")

    assert len(usual) == 3
    assert usual[-1] == tmp_path / "NegoPlatform-sessions"
    assert own == [user_folder() / SESSIONS, *usual]


def test_a_folder_for_temporary_files_that_is_a_link_is_no_fallback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "NegoPlatform-sessions").symlink_to(tmp_path)

    assert tmp_path / "NegoPlatform-sessions" not in fallback_folders(tmp_path)
