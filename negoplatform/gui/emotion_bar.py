"""Five emotions that the participant can show."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk

from negoplatform.core.events import Expression
from negoplatform.gui.face import draw_face
from negoplatform.gui.texts import EXPRESSION_WORDS, PARTICIPANTS_EXPRESSIONS
from negoplatform.gui.theme import MUTED, Theme


class EmotionBar:
    """A button per emotion: a picture and its word.

    Args:
        parent: Where it is put.
        theme: Its looks.
        on_express: Is given the emotion that was pressed.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, *, on_express: Callable[[Expression], None]) -> None:
        self.frame = theme.frame(parent)
        self.buttons: dict[Expression, ttk.Button] = {}
        self._pictures = []
        self._shown: tuple[Expression, bool] | None = None
        theme.label(self.frame, "You feel", "small", MUTED).pack(side="left", padx=(0, theme.px(8)))
        for expression in PARTICIPANTS_EXPRESSIONS:
            picture = theme.picture(draw_face(expression, theme.px(20)))
            self._pictures.append(picture)
            button = ttk.Button(
                self.frame,
                text=f" {EXPRESSION_WORDS[expression]}",
                image=picture,
                compound="left",
                style="Toggle.TButton",
                command=lambda chosen=expression: on_express(chosen),  # type: ignore[misc]
            )
            button.pack(side="left", padx=theme.px(2))
            self.buttons[expression] = button

    def show(self, current: Expression, can_express: bool) -> None:
        """Marks the emotion that the others see now."""
        if self._shown == (current, can_express):
            return
        self._shown = (current, can_express)
        for expression, button in self.buttons.items():
            button.configure(
                style="Chosen.Toggle.TButton" if expression is current else "Toggle.TButton",
                state="normal" if can_express else "disabled",
            )
