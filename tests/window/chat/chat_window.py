"""Chat panel in a window of its own, for tests."""

from __future__ import annotations

import tkinter as tk

from negoplatform.core.events import Expression
from negoplatform.domain.offer import Term
from negoplatform.gui.chat.chat_panel import ChatPanel
from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.appearance import Appearance
from negoplatform.presentation.transcript.transcript_entries import TranscriptEntry


class Answered:
    """Record of the answers to shown interpretations."""

    def __init__(self) -> None:
        self.given: list[str] = []

    def confirm(self, choice: int) -> None:
        self.given.append(f"yes {choice}")

    def correct(self, issue: str, term: Term | None) -> None:
        self.given.append(f"correct {issue} {term}")

    def edit(self) -> None:
        self.given.append("edit")

    def send_text_only(self) -> None:
        self.given.append("only say")

    def revert(self) -> None:
        self.given.append("back")


class Chat:
    """Chat panel in a separate window, with a record of its output."""

    def __init__(self, appearance: Appearance) -> None:
        self.problems: list[BaseException] = []
        self.sent: list[str] = []
        self.answers = Answered()
        self.typed = 0
        self.theme = Theme("Chat", appearance, self.problems.append)
        self.panel = ChatPanel(
            self.theme.root,
            self.theme,
            on_send=self._send,
            on_typing=self._type,
            on_words=lambda: None,
            on_phrases=lambda: self.sent.append("phrases"),
            reading=self.answers,
        )
        self.panel.frame.pack(fill="both", expand=True)
        self.panel.show(True, "Message Rowan")
        self.theme.fit(560, 600, least=(200, 200))
        self.widgets = self.panel.widgets()
        self.canvas = self.panel.transcript_canvas
        self.focus(self.canvas)

    def _send(self, text: str) -> None:
        self.sent.append(f"{text}|{self.panel.text}")
        self.panel.clear_sent()

    def focus(self, widget: tk.Misc) -> None:
        self.theme.root.update()
        widget.focus_force()
        self.theme.root.update()

    def press(self, *keys: str) -> None:
        for key in keys:
            focused = self.theme.root.focus_get()
            assert focused is not None
            focused.event_generate(f"<{key}>")
            if len(key) == 1:
                focused.event_generate(f"<KeyRelease-{key}>")
            self.theme.root.update()

    def clipboard(self) -> str:
        return self.theme.root.clipboard_get()

    def at(self, name: str) -> bool:
        return self.theme.root.focus_get() is self.widgets[name]

    def texts(self) -> list[tuple[float, str, int]]:
        """Return the texts that the canvas shows, from top to bottom, with their positions and items."""
        call = self.theme.root.tk.call
        found = []
        for item in self.canvas.find_all():
            if call(self.canvas, "type", item) == "text":
                top = float(self.canvas.coords(item)[1])
                found.append((top, str(call(self.canvas, "itemcget", item, "-text")), item))
        return sorted(found)

    def drawn(self) -> list[str]:
        """Return the texts alone."""
        return [text for _, text, _ in self.texts()]

    def places(self) -> list[tuple[float, str]]:
        """Return the positions and texts."""
        return [(top, text) for top, text, _ in self.texts()]

    def click(self, said: str) -> None:
        """Click the line with a text."""
        (item,) = [item for _, text, item in self.texts() if text == said]
        x, y = map(round, self.canvas.coords(item))
        self.canvas.event_generate("<Button-1>", x=x, y=y + 2)
        self.theme.root.update()

    def _type(self) -> None:
        self.typed += 1


def messages(first: int, last: int) -> list[TranscriptEntry]:
    return [
        TranscriptEntry("theirs", "Rowan", f"message {number}", expression=Expression.NEUTRAL)
        for number in range(first, last)
    ]
