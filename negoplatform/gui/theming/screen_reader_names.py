"""Accessible names for screen readers, which Tk supports from version 9.1."""

from __future__ import annotations

import tkinter as tk

MIN_TK_VERSION = 9.1


def set_accessible_name(widget: tk.Misc, role: str, name: str) -> None:
    """Set a widget's role and name for assistive tools; do nothing before Tk 9.1.

    Args:
        widget: The widget.
        role: One of Tk's accessible roles, such as ``Button``, ``List`` or ``Canvas``.
        name: Its name as people read it.
    """
    if tk.TkVersion >= MIN_TK_VERSION:
        call = widget.tk.call
        call("tk", "accessible", "set_acc_role", str(widget), role)
        call("tk", "accessible", "set_acc_name", str(widget), name)
        call("tk", "accessible", "add_acc_object", str(widget))
