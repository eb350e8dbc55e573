"""The saved appearance of the window; no saved value makes the program unusable."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from negoplatform.presentation.appearance import (
    FILE_NAME,
    Appearance,
    read_appearance,
    reset_appearance,
    write_appearance,
)

OTHER = Appearance("dark", 1.5, "he", True, True)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    write_appearance(tmp_path / "new", OTHER)

    assert read_appearance(tmp_path / "new") == OTHER


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "[" * 100_000, '{"theme": {}, "text_size": "1.5"}'])
def test_what_makes_no_sense_is_as_at_first(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE_NAME).write_text(text)

    assert read_appearance(tmp_path) == Appearance()


@pytest.mark.parametrize(
    ("field", "value"),
    [("text_size", 40), ("text_size", 0), ("theme", "pink"), ("language", "xx"), ("full_screen", 1)],
)
def test_one_senseless_value_does_not_cost_the_others(tmp_path: Path, field: str, value: object) -> None:
    kept = {"theme": "dark", "language": "de", field: value}
    (tmp_path / FILE_NAME).write_text(json.dumps(kept))

    read = read_appearance(tmp_path)

    assert getattr(read, field) == getattr(Appearance(), field)
    assert read != Appearance()


def test_everything_can_be_as_at_first_again(tmp_path: Path) -> None:
    write_appearance(tmp_path, OTHER)

    reset_appearance(tmp_path)
    reset_appearance(tmp_path)

    assert read_appearance(tmp_path) == Appearance()


def test_the_first_window_waits_for_nothing_heavy() -> None:
    code = (
        "import sys, negoplatform.cli.gui_entry, negoplatform.gui.shell.window_startup; print(*sys.modules)"
    )

    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    heavy = {"click", "pydantic", "negoplatform.gui.shell.application", "negoplatform.core.session"}
    assert not heavy & set(loaded.split())
