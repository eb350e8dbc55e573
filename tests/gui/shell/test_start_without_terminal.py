"""Errors shown in a window: those of commands that open one, if there is no terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from negoplatform.cli.main import run

GAME = ("--game", "chess", "--agent", "fair")


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """List of the sentences that would appear in a window."""
    sentences: list[str] = []
    monkeypatch.setattr(
        "negoplatform.cli.errors._show_in_window", lambda text, *_places, **_more: sentences.append(text)
    )
    return sentences


@pytest.mark.parametrize(
    ("arguments", "terminal", "in_window"),
    [
        (("play", *GAME), False, True),
        (("play", *GAME), True, False),
        (("play", "--nonsense"), False, True),
        (("gone.jsonl",), False, True),
        (("replay", "gone.jsonl", "--gui"), False, True),
        (("replay", "gone.jsonl"), False, False),
        (("simulate", *GAME), False, False),
        (("nonsense",), False, False),
    ],
)
def test_a_window_says_what_a_window_was_wanted_for(
    arguments: tuple[str, ...],
    terminal: bool,
    in_window: bool,
    shown: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("negoplatform.cli.errors.has_terminal", lambda: terminal)
    monkeypatch.setenv("DISPLAY", "")

    code = run(arguments)

    told = capsys.readouterr().err
    assert code in (1, 2)
    assert told.startswith("negoplatform: ")
    assert shown == ([told.removeprefix("negoplatform: ").rstrip("\n")] if in_window else [])


def test_a_file_that_is_no_command_is_looked_at_as_a_log(
    shown: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "list").write_text("no log")
    (tmp_path / "notes.txt").write_text("no log")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("negoplatform.cli.errors.has_terminal", lambda: False)
    monkeypatch.setenv("DISPLAY", "")

    codes = run(["notes.txt"]), run(["list", "games", "--plain"])

    assert codes == (1, 0), "a command is a command, whatever lies in the folder"
    assert len(shown) == 1
