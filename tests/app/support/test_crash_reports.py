"""Crash files: full traces of errors that users see as one sentence."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from negoplatform.app.support.crash_reports import MOST_FILES, CrashFolder


def test_an_error_is_kept_with_its_trace(tmp_path: Path) -> None:
    crashes = CrashFolder(tmp_path / "crashes")

    path = crashes.write(ValueError("odd \ud800"))

    assert path is not None
    assert path.parent == tmp_path / "crashes"
    assert "ValueError: odd" in path.read_text(encoding="utf-8")


def test_a_folder_that_cannot_be_written_is_replaced_by_the_temporary_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    (tmp_path / "file").write_text("")

    path = CrashFolder(tmp_path / "file" / "crashes").write(ValueError("odd"))

    assert path is not None
    assert path.parent == tmp_path / "tmp" / "NegoPlatform-crashes"
    assert capfd.readouterr() == ("", "")


def test_an_agent_that_fails_at_everything_does_not_fill_the_disk(tmp_path: Path) -> None:
    crashes = CrashFolder(tmp_path)

    for _ in range(3 * MOST_FILES):
        crashes.write(ValueError("again"))

    assert len(list(tmp_path.iterdir())) == MOST_FILES


@pytest.mark.skipif(os.name != "posix", reason="other systems have no such modes")
def test_crash_files_are_for_the_user_alone(tmp_path: Path) -> None:
    (tmp_path / "crashes").mkdir(mode=0o755)

    path = CrashFolder(tmp_path / "crashes").write(ValueError("odd"))

    assert path is not None
    assert [stat.S_IMODE(file.stat().st_mode) for file in (path, path.parent)] == [0o600, 0o700]
