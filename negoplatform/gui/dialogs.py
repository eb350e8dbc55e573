"""Questions that need an answer before something binds."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from tkinter import ttk

from negoplatform.gui.announce import Announcer
from negoplatform.gui.other_panel import pair_rows
from negoplatform.gui.scrolled import ScrolledFrame
from negoplatform.gui.theme import CARD, MUTED, RED, Theme


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked.

    Args:
        title: The question.
        text: What follows from a yes.
        yes: The words on the button that does it.
        no: The words on the button that does not.
        rows: What it is about, in pairs.
        warning: What to think of first; empty if nothing.
        style: The style of the button that does it.
    """

    title: str
    text: str
    yes: str
    no: str
    rows: tuple[tuple[str, str], ...] = ()
    warning: str = ""
    style: str = "Primary.TButton"


class Confirmation:
    """A small window on top; Escape and closing it mean no.

    Args:
        theme: Its looks; it stands over the theme's root.
        question: What is asked.
        on_yes: Is called once, if the answer is yes.
        announcer: Is told where the buttons are.
    """

    def __init__(
        self, theme: Theme, question: Question, *, on_yes: Callable[[], None], announcer: Announcer
    ) -> None:
        self._on_yes = on_yes
        self._announcer = announcer
        self._asked = question.text
        px = theme.px
        self.window = tk.Toplevel(theme.root, bg=CARD, padx=px(22), pady=px(18), takefocus=0)
        self.window.withdraw()
        self.window.title(question.title)
        self.window.transient(theme.root)
        self.window.resizable(False, False)
        self.window.protocol("WM_DELETE_WINDOW", self.close)
        self.window.bind("<Escape>", lambda _event: self.close())
        theme.label(self.window, question.title, "heading").pack(anchor="w")
        self._words(theme, question.text, MUTED)
        if question.rows:
            rows = ScrolledFrame(self.window, theme, width=400, height=340)
            rows.frame.pack(fill="x")
            pair_rows(theme, rows.inside, question.rows, width=400)
            rows.watch(rows.inside)
        if question.warning:
            self._words(theme, question.warning, RED, "bold")
        self._add_buttons(theme, question)
        self._put_in_the_middle(theme.root)

    def open(self) -> None:
        """Shows the question."""
        self.window.deiconify()
        self._take_the_keys()

    @property
    def open_still(self) -> bool:
        """Whether it has not been answered yet."""
        return bool(self.window.winfo_exists())

    def close(self) -> None:
        """The answer is no."""
        if self.open_still:
            self.window.grab_release()
            self.window.destroy()
            self._announcer.say("dialog_closed")

    def _yes(self) -> None:
        self.close()
        self._on_yes()

    def _words(self, theme: Theme, text: str, colour: str, font: str = "body") -> None:
        label = theme.label(self.window, text, font, colour)
        label.configure(wraplength=theme.px(400), justify="left")
        label.pack(anchor="w", pady=theme.px(8))

    def _add_buttons(self, theme: Theme, question: Question) -> None:
        line = theme.frame(self.window)
        line.pack(fill="x", pady=(theme.px(12), 0))
        yes = ttk.Button(line, text=question.yes, style=question.style, command=self._yes)
        no = ttk.Button(line, text=question.no, style="Plain.TButton", command=self.close)
        no.pack(side="right")
        yes.pack(side="right", padx=theme.px(8))
        self._no = no
        self._announcer.name("dialog.yes", yes)
        self._announcer.name("dialog.no", no)

    def _put_in_the_middle(self, root: tk.Tk) -> None:
        self.window.update_idletasks()
        x = root.winfo_rootx() + (root.winfo_width() - self.window.winfo_reqwidth()) // 2
        y = root.winfo_rooty() + (root.winfo_height() - self.window.winfo_reqheight()) // 3
        self.window.geometry(f"+{max(0, x)}+{max(0, y)}")

    def _take_the_keys(self) -> None:
        """Once the window is drawn; waiting for that inside a callback would let other things happen."""
        if not self.open_still:
            return
        if not self.window.winfo_viewable():
            self.window.after(10, self._take_the_keys)
            return
        self.window.grab_set()
        # The safe answer has the focus: a key pressed by accident binds nobody.
        self._no.focus_force()
        self._announcer.say("dialog_open", text=self._asked)
