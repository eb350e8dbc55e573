"""Callbacks on text variables and tags that are deleted with their widget."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from typing import Any


def on_text_change(text: tk.StringVar, widget: tk.Misc, call: Callable[[], object]) -> None:
    """Call a function at every change of a text, until a widget is destroyed."""
    name = text.trace_add("write", lambda *_trace: call())
    widget.bind("<Destroy>", lambda _event: text.trace_remove("write", name), add="+")


def bind_tag(widget: tk.Misc, tag: str, sequence: str, call: Callable[[tk.Event[tk.Misc]], Any]) -> None:
    """Bind an event at all widgets with a tag, until a widget is destroyed."""
    command = widget.bind_class(tag, sequence, call)

    def unbind(_event: tk.Event[tk.Misc]) -> None:
        # The successor of this widget may have bound the tag by now.
        if command in str(widget.tk.call("bind", tag, sequence)):
            widget.unbind_class(tag, sequence)
        widget.nametowidget(".").deletecommand(command)  # also drops it from the widget's list

    widget.bind("<Destroy>", unbind, add="+")


def add_tag(widget: tk.Misc, tag: str) -> None:
    """Add a tag to a widget and all its descendants, ahead of all their other bindings."""
    if tag not in widget.bindtags():
        # Ahead of the class too: in a field, the class would paste at Control-y.
        widget.bindtags((tag, *widget.bindtags()))
    for child in widget.winfo_children():
        add_tag(child, tag)
