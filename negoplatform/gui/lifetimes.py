"""Calls from Tk that end with a widget: Tk keeps what it may call, and with that a whole screen, for ever."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from typing import Any


def when_written(text: tk.StringVar, widget: tk.Misc, call: Callable[[], object]) -> None:
    """Calls at every change of a text, for as long as a widget is there."""
    name = text.trace_add("write", lambda *_trace: call())
    widget.bind("<Destroy>", lambda _event: text.trace_remove("write", name), add="+")


def bind_tag(widget: tk.Misc, tag: str, sequence: str, call: Callable[[tk.Event[tk.Misc]], Any]) -> None:
    """Binds an event at all widgets with a tag, for as long as one of them is there."""
    command = widget.bind_class(tag, sequence, call)

    def let_go(_event: tk.Event[tk.Misc]) -> None:
        widget.unbind_class(tag, sequence)
        widget.nametowidget(".").deletecommand(command)  # which keeps a list of them

    widget.bind("<Destroy>", let_go, add="+")
