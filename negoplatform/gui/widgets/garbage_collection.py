"""Ends of life: what Tk would keep for ever goes with its widget; what nothing uses goes on one thread."""

from __future__ import annotations

import gc
import tkinter as tk
from collections.abc import Callable
from typing import Any

COLLECT_MS = 2000
"""How often what nothing uses any more is collected."""


def on_text_change(text: tk.StringVar, widget: tk.Misc, call: Callable[[], object]) -> None:
    """Calls at every change of a text, for as long as a widget is there."""
    name = text.trace_add("write", lambda *_trace: call())
    widget.bind("<Destroy>", lambda _event: text.trace_remove("write", name), add="+")


def bind_tag(widget: tk.Misc, tag: str, sequence: str, call: Callable[[tk.Event[tk.Misc]], Any]) -> None:
    """Binds an event at all widgets with a tag, for as long as one of them is there."""
    command = widget.bind_class(tag, sequence, call)

    def let_go(_event: tk.Event[tk.Misc]) -> None:
        # By now it may be bound by what took this one's place.
        if command in str(widget.tk.call("bind", tag, sequence)):
            widget.unbind_class(tag, sequence)
        widget.nametowidget(".").deletecommand(command)  # which keeps a list of them

    widget.bind("<Destroy>", let_go, add="+")


def collect_garbage_here(root: tk.Misc) -> None:
    """Only this thread collects from now on: a Tk object that another one frees ends the process."""
    gc.disable()
    gc.collect()
    gc.freeze()

    def collect() -> None:
        gc.collect()
        root.after(COLLECT_MS, collect)

    root.after(COLLECT_MS, collect)
