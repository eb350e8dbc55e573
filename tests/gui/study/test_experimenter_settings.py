"""Settings of the experimenter, which decide how a participant's screen can be left."""

from __future__ import annotations

import tkinter as tk
from pathlib import Path

import pytest

from negoplatform.gui.shell.settings_controller import SettingsController
from negoplatform.gui.theming.bidi_label import BidiLabel
from negoplatform.gui.widgets.screen_navigator import ScreenNavigator
from tests.gui.study.conftest import Desk

pytestmark = pytest.mark.window


def _texts(widget: tk.Misc) -> list[str]:
    own = [widget.logical_text] if isinstance(widget, BidiLabel) else []
    return own + [text for child in widget.winfo_children() for text in _texts(child)]


def test_once_a_code_is_set_the_settings_say_how_the_full_screen_is_left(desk: Desk, tmp_path: Path) -> None:
    navigator = ScreenNavigator(desk.theme, lambda error: pytest.fail(str(error)))
    settings = SettingsController(
        navigator, data_dir=tmp_path, announcer=desk.named, apply_appearance=lambda _appearance: None
    )
    settings.show(lambda: None)
    assert navigator.current is not None
    assert any("Without a code" in text for text in _texts(navigator.current.frame))

    desk.widget("settings.code").insert(0, "lab42")
    desk.widget("settings.set_code").invoke()

    texts = _texts(navigator.current.frame)
    assert "The code has been set." in texts
    assert not any("Without a code" in text for text in texts)
    navigator.current.frame.destroy()
