"""Wrapped right-to-left text in a label."""

from __future__ import annotations

import tkinter as tk
from tkinter import font as tkfont

import pytest

from negoplatform.gui.theming.bidi_label import BidiLabel
from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.appearance import Appearance
from tests.x_server import Screen

pytestmark = pytest.mark.window

HEBREW = "\u05e9\u05dc\u05d5\u05dd"


def test_a_last_line_without_right_to_left_letters_has_its_full_stop_at_its_left(
    screen: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", screen.env["DISPLAY"])
    root = tk.Tk()
    font = tkfont.Font(root, family="Helvetica", size=12)
    label = BidiLabel(root, "", font=font, colour="black", ground="white", wrap=0, rtl=True, reorders=True)

    label.write(f"{HEBREW}\nMika.")

    assert label.cget("text").split("\n") == [HEBREW[::-1], ".Mika"]
    root.destroy()


def test_what_is_invisible_in_a_text_is_drawn(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", screen.env["DISPLAY"])
    theme = Theme("Ali\u202ecexe", Appearance(), print)
    label = theme.label(theme.root, "Ali\u202ecexe")
    button = theme.button(theme.root, "Ali\u200b", "Plain.TButton", lambda: None)

    drawn = [theme.root.title(), label.cget("text"), str(button.cget("text"))]

    assert drawn == ["Ali\\u202ecexe", "Ali\\u202ecexe", "Ali\\u200b"]
    assert label.logical_text == "Ali\u202ecexe"
    theme.root.destroy()
