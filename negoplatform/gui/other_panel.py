"""Who sits opposite, and what matters to the participant."""

from __future__ import annotations

import tkinter as tk

from PIL import ImageTk

from negoplatform.core.events import Expression
from negoplatform.gui.face import draw_face
from negoplatform.gui.scrolled import ScrolledFrame
from negoplatform.gui.theme import CARD, GREEN, INK, MUTED, Theme
from negoplatform.gui.view import OtherView, Priorities, TableView

FACE_SIZE = 132

PANEL_WIDTH = 196
"""Width of the words in the left column, for 96 dpi."""

INDENT = 10
"""How far the levels of an issue stand in, for 96 dpi."""


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
        self._mine = theme.frame(self._body.inside)
        self._mine.pack(fill="x")
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
        self._fill(self._mine, view.priorities)
        self._story.configure(text=view.story)
        if view.their_priorities is not None:
            self._their_title.configure(text=f"What matters to {view.other.name}")
            self._their_title.pack(anchor="w", pady=(self._theme.px(10), self._theme.px(4)))
            self._theirs.pack(fill="x")
            self._fill(self._theirs, view.their_priorities)
        self._body.watch(self._body.inside)

    def _fill(self, frame: tk.Frame, what: Priorities) -> None:
        """One side's issues, and below them what goes together."""
        theme = self._theme
        for child in frame.winfo_children():
            child.destroy()
        for issue in what.issues:
            pair_row(theme, frame, (issue.title, issue.text), width=PANEL_WIDTH, font="small")
            levels = theme.frame(frame)
            for level in issue.levels:
                pair_row(theme, levels, level, width=PANEL_WIDTH - INDENT, font="small", share=0.66)
            if issue.levels:
                levels.pack(fill="x", padx=(theme.px(INDENT), 0), pady=(0, theme.px(4)))
        if not what.together:
            return
        theme.label(frame, "What goes together", "bold").pack(anchor="w", pady=(theme.px(8), theme.px(2)))
        for line in what.together:
            label = theme.label(frame, line, "small")
            label.configure(wraplength=theme.px(PANEL_WIDTH), justify="left")
            label.pack(anchor="w", pady=theme.px(2))


def pair_rows(
    theme: Theme, parent: tk.Misc, rows: tuple[tuple[str, str], ...], *, width: int, font: str = "body"
) -> None:
    """Pairs of words, left and right, wrapped so that they never ask for more width."""
    for child in parent.winfo_children():
        child.destroy()
    for pair in rows:
        pair_row(theme, parent, pair, width=width, font=font)


def pair_row(
    theme: Theme, parent: tk.Misc, pair: tuple[str, str], *, width: int, font: str, share: float = 0.45
) -> None:
    """One pair; ``share`` is the part of the width that the left words may take."""
    left, right = pair
    row = theme.frame(parent)
    row.pack(fill="x", pady=theme.px(2 if share < 0.5 else 0))
    first = theme.label(row, left, "small" if font == "small" else "bold", INK if share < 0.5 else MUTED)
    first.configure(wraplength=theme.px(width * (share if right else 1)), justify="left")
    first.pack(side="left", anchor="n")
    second = theme.label(row, right, font)
    second.configure(wraplength=theme.px(width * (0.97 - share)), justify="right")
    second.pack(side="right", anchor="n")
