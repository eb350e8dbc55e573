"""Log alone on the command line, as a file manager passes it on a double click."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from negoplatform.cli import errors
from negoplatform.cli.main import run


@pytest.mark.skipif(os.name == "nt", reason="Windows always has a display, so the window would open")
def test_a_log_alone_is_opened_in_the_viewer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    log = tmp_path / "events.jsonl"
    log.write_text("nothing\n", encoding="utf-8")

    code = run([str(log)])

    assert code == 1
    assert "There is no display here" in capsys.readouterr().err


def test_what_is_neither_a_command_nor_a_log_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["events.txt"]) == 2
    assert "No such command" in capsys.readouterr().err


@pytest.mark.parametrize("command", [[], ["replay"], ["replay", "--step"]])
def test_two_logs_are_one_too_many(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Otherwise a window with the error waits to be closed, on systems on which every program has a display.
    monkeypatch.setattr(errors, "has_terminal", lambda: True)

    assert run([*command, str(tmp_path / "one.jsonl"), str(tmp_path / "two.jsonl")]) == 1

    told = capsys.readouterr().err
    assert told == "negoplatform: One log is shown at a time, and these are 2; open each by itself.\n"
