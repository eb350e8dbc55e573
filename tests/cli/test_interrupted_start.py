"""Ctrl-C while the command line's modules are loaded."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import ModuleType

import pytest

from negoplatform import __main__ as program

LOADED = "negoplatform.cli.main"


class Interruption:
    """Finder of modules that is interrupted at the command line."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> None:
        if name == LOADED:
            raise KeyboardInterrupt


def test_ctrl_c_while_modules_are_loaded_prints_one_word(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["negoplatform", "list", "games"])
    monkeypatch.delitem(sys.modules, LOADED, raising=False)
    monkeypatch.setattr(sys, "meta_path", [Interruption(), *sys.meta_path])

    with pytest.raises(SystemExit) as ended:
        program.main()

    assert ended.value.code == 130
    assert capsys.readouterr().err == "Stopped.\n"
