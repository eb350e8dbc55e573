"""The check of a saved agent file, without a window."""

from __future__ import annotations

from pathlib import Path

import pytest

from negoplatform.gui.shell.agent_reload_loop import syntax_error_line


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("x = 1\n", None),
        ("x = 1\nclass Greeter(\n", 2),
        ("x = 1\n\nreturn x\n", 3),
        ("-" * 100_000 + "1\n", None),
    ],
    ids=["valid", "not closed", "return outside a function", "too deep to parse"],
)
def test_the_line_that_is_not_valid_python_is_found(tmp_path: Path, source: str, line: int | None) -> None:
    file = tmp_path / "agent.py"
    file.write_text(source, encoding="utf-8")

    assert syntax_error_line(file) == line


def test_a_picture_and_a_missing_file_are_not_parsed(tmp_path: Path) -> None:
    (tmp_path / "agent.json").write_text("{", encoding="utf-8")

    assert syntax_error_line(tmp_path / "agent.json") is None
    assert syntax_error_line(tmp_path / "missing.py") is None
