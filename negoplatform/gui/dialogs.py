"""Questions that need an answer before something binds."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

from negoplatform.gui.announce import Announcer
from negoplatform.gui.pairs import pair_rows
from negoplatform.gui.question import Question
from negoplatform.gui.scrolled import ScrolledFrame
from negoplatform.gui.theme import Theme

WIDTH = 420
"""Width of the words in a dialog, for 96 dpi."""


class Dialog:
    """A small window on top; Escape and closing it mean no.

    Args:
        theme: Its looks; it stands over the theme's root.
        title: What it says first.
        announcer: Is told that it opened and closed.
    """

    def __init__(self, theme: Theme, title: str, *, announcer: Announcer) -> None:
        self._theme = theme
        self._announcer = announcer
        self._asked = title
        px, card = theme.px, theme.colours.card
        self.window = tk.Toplevel(theme.root, bg=card, padx=px(24), pady=px(20), takefocus=0)
        self.window.withdraw()
        self.window.title(title)  # the window manager puts it in order itself
        self.window.transient(theme.root)
        self.window.resizable(False, False)
        if theme.root.attributes("-topmost"):
            self.window.attributes("-topmost", True)
        self.window.protocol("WM_DELETE_WINDOW", self.close)
        self.window.bind("<Escape>", lambda _event: self.close())
        self.window.bind("<Button>", self._pressed)
        theme.label(self.window, title, "heading", wrap=WIDTH).pack(anchor=theme.west)

    def open(self) -> None:
        """Shows the question."""
        self._put_in_the_middle(self._theme.root)
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
            self._announcer.tell("dialog_closed")

    def words(self, text: str, colour: str, font: str = "body") -> tk.Label:
        """A paragraph."""
        label = self._theme.label(self.window, text, font, colour, wrap=WIDTH)
        label.pack(anchor=self._theme.west, pady=self._theme.px(8))
        return label

    def buttons(self, yes: str, no: str, style: str, on_yes: Callable[[], None]) -> tk.Widget:
        """The two answers, the safe one last; that one."""
        theme = self._theme
        line = theme.frame(self.window)
        line.pack(fill="x", pady=(theme.px(14), 0))
        # Made in the order in which Tab comes to them, which is that of reading.
        doing = theme.button(line, yes, style, on_yes)
        safe = theme.button(line, no, "Plain.TButton", self.close)
        safe.pack(side=theme.end)
        doing.pack(side=theme.end, padx=theme.px(8))
        self._announcer.name("dialog.yes", doing)
        self._announcer.name("dialog.no", safe)
        return safe

    def first_focus(self) -> tk.Misc:
        """What has the keyboard at first."""
        return self.window

    def _pressed(self, event: tk.Event[tk.Misc]) -> None:
        """A press beside it comes here too, while it is open."""
        # The manager gives the keyboard to the window that was pressed, where nothing may be done now: no key
        # would do anything until this one is pressed.
        inside = 0 <= event.x < self.window.winfo_width() and 0 <= event.y < self.window.winfo_height()
        if event.widget is self.window and not inside:
            self.window.after_idle(self._take_back_the_keys)

    def _take_back_the_keys(self) -> None:
        if self.open_still:
            (self.window.focus_lastfor() or self.first_focus()).focus_force()

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
        self.first_focus().focus_force()
        self._announcer.tell("dialog_open", text=self._asked)


class Confirmation(Dialog):
    """A question that is answered with yes or no.

    Args:
        theme: Its looks; it stands over the theme's root.
        question: What is asked.
        on_yes: Is called once, if the answer is yes.
        announcer: Is told where the buttons are.
    """

    def __init__(
        self, theme: Theme, question: Question, *, on_yes: Callable[[], None], announcer: Announcer
    ) -> None:
        super().__init__(theme, question.title, announcer=announcer)
        self._on_yes = on_yes
        self._asked = question.text
        self.words(question.text, theme.colours.muted)
        if question.rows:
            rows = ScrolledFrame(self.window, theme, width=WIDTH, height=340)
            rows.frame.pack(fill="x")
            pair_rows(theme, rows.inside, question.rows, width=WIDTH)
            rows.watch(rows.inside)
        if question.warning:
            self.words(question.warning, theme.colours.danger, "bold")
        self._no = self.buttons(question.yes, question.no, question.style, self._yes)

    def first_focus(self) -> tk.Misc:
        """The safe answer: a key pressed by accident binds nobody."""
        return self._no

    def _yes(self) -> None:
        self.close()
        self._on_yes()


class Asker:
    """Asks one thing at a time.

    Args:
        theme: Its looks.
        announcer: Is told what is asked.
        before_yes: Is called before a yes does anything.
    """

    def __init__(self, theme: Theme, announcer: Announcer, *, before_yes: Callable[[], None]) -> None:
        self._theme = theme
        self._announcer = announcer
        self._before_yes = before_yes
        self._dialog: Confirmation | None = None

    def ask(self, question: Question, on_yes: Callable[[], None]) -> None:
        """Asks, in place of whatever was being asked."""

        def answer() -> None:
            self._before_yes()
            on_yes()

        self.close()
        self._dialog = Confirmation(self._theme, question, on_yes=answer, announcer=self._announcer)
        self._dialog.open()

    @property
    def is_open(self) -> bool:
        """Whether something is being asked."""
        return self._dialog is not None and self._dialog.open_still

    def close(self) -> None:
        """What was being asked no longer stands so; the answer is no."""
        if self._dialog is not None:
            self._dialog.close()
            self._dialog = None
