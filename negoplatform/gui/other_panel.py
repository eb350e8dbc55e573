"""Who sits opposite, and what matters to the participant."""

from __future__ import annotations

import tkinter as tk

from PIL import ImageTk

from negoplatform.core.events import Expression
from negoplatform.gui.face import draw_face
from negoplatform.gui.scrolled import ScrolledFrame
from negoplatform.gui.theme import CARD, GREEN, MUTED, Theme
from negoplatform.gui.view import OtherView, TableView

FACE_SIZE = 132

PANEL_WIDTH = 196
"""Width of the words in the left column, for 96 dpi."""


class OtherPanel:
    """The other's face, the expression in words, and what they are doing.

    Args:
        parent: Where it is put.
        theme: Its looks.
    """

    def __init__(self, parent: tk.Misc, theme: Theme) -> None:
        self._theme = theme
        self._shown: OtherView | None = None
        self._faces: dict[Expression, ImageTk.PhotoImage] = {}
        self.frame = theme.card(parent)
        self._face = tk.Label(self.frame, bg=CARD, bd=0)
        self._face.pack()
        self._name = theme.label(self.frame, "", "heading")
        self._name.configure(wraplength=theme.px(PANEL_WIDTH))
        self._name.pack(pady=(theme.px(6), 0))
        self._looks = theme.label(self.frame, "", "bold", GREEN)
        self._looks.pack()
        self._doing = theme.label(self.frame, "", "small", MUTED)
        self._doing.configure(wraplength=theme.px(PANEL_WIDTH))
        self._doing.pack(pady=(theme.px(2), 0))

    def show(self, view: OtherView) -> None:
        """Shows a view."""
        if view == self._shown:
            return
        self._shown = view
        self._face.configure(image=self._picture(view.expression))
        self._name.configure(text=view.name)
        self._looks.configure(text=view.looks)
        self._doing.configure(text=f"{view.name} {view.doing}" if view.doing else "")

    def _picture(self, expression: Expression) -> ImageTk.PhotoImage:
        if expression not in self._faces:
            face = draw_face(expression, self._theme.px(FACE_SIZE))
            self._faces[expression] = self._theme.picture(face)
        return self._faces[expression]


class PrioritiesPanel:
    """The participant's own story and what each issue is worth to them.

    Args:
        parent: Where it is put.
        theme: Its looks.
    """

    def __init__(self, parent: tk.Misc, theme: Theme) -> None:
        self._theme = theme
        self._shown: object = None
        self.frame = theme.card(parent)
        theme.label(self.frame, "What matters to you", "bold").pack(anchor="w")
        self._who_sees = theme.label(self.frame, "", "small", MUTED)
        self._who_sees.pack(anchor="w", pady=(0, theme.px(6)))
        self._body = ScrolledFrame(self.frame, theme, width=PANEL_WIDTH, height=2000)
        self._body.frame.pack(fill="both", expand=True)
        self._rows = theme.frame(self._body.inside)
        self._rows.pack(fill="x")
        self._story = theme.label(self._body.inside, "", "small", MUTED)
        self._story.configure(wraplength=theme.px(PANEL_WIDTH), justify="left")
        self._story.pack(anchor="w", pady=(theme.px(10), 0))
        self._their_title = theme.label(self._body.inside, "", "bold")
        self._their_title.configure(wraplength=theme.px(PANEL_WIDTH), justify="left")
        self._theirs = theme.frame(self._body.inside)

    def show(self, view: TableView) -> None:
        """Shows what matters, who knows it, and what matters to the other side where that is public."""
        shown = (view.story, view.priorities, view.who_sees_priorities, view.their_priorities)
        if self._shown == shown:
            return
        self._shown = shown
        self._who_sees.configure(text=view.who_sees_priorities)
        pair_rows(self._theme, self._rows, view.priorities, width=PANEL_WIDTH, font="small")
        self._story.configure(text=view.story)
        if view.their_priorities:
            self._their_title.configure(text=f"What matters to {view.other.name}")
            self._their_title.pack(anchor="w", pady=(self._theme.px(10), self._theme.px(4)))
            self._theirs.pack(fill="x")
            pair_rows(self._theme, self._theirs, view.their_priorities, width=PANEL_WIDTH, font="small")
        self._body.watch(self._body.inside)


def pair_rows(
    theme: Theme, parent: tk.Misc, rows: tuple[tuple[str, str], ...], *, width: int, font: str = "body"
) -> None:
    """Pairs of words, left and right, wrapped so that they never ask for more width."""
    for child in parent.winfo_children():
        child.destroy()
    for left, right in rows:
        row = theme.frame(parent)
        row.pack(fill="x", pady=theme.px(2))
        first = theme.label(row, left, "small" if font == "small" else "bold")
        first.configure(wraplength=theme.px(width * 0.45), justify="left")
        first.pack(side="left", anchor="n")
        second = theme.label(row, right, font)
        second.configure(wraplength=theme.px(width * 0.52), justify="right")
        second.pack(side="right", anchor="n")
