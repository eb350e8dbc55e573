"""Keyboard shortcuts for moving through a session, wherever the focus is."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from tkinter import ttk

from negoplatform.gui.widgets.widget_bound_callbacks import bind_tag

TAKES_SPACE = (ttk.Button, ttk.Checkbutton, ttk.Combobox)
"""Widgets that are pressed with the space bar."""

TAKES_ARROWS = (ttk.Treeview, ttk.Combobox, tk.Text, tk.Listbox)
"""Widgets that use the arrow keys, Home and End themselves."""


@dataclass(frozen=True, slots=True)
class Shortcuts:
    """Actions of the keys: steps in events or offers, to an end, faster or slower."""

    play: Callable[[], None]
    step: Callable[[int], None]
    offer: Callable[[int], None]
    to_end: Callable[[bool], None]
    faster: Callable[[int], None]


def bind_keys(
    frame: tk.Misc, shortcuts: Shortcuts, arrow_widgets: Callable[[], tuple[tk.Misc, ...]], *, rtl: bool
) -> None:
    """Bind the keys for the lifetime of a frame.

    Args:
        frame: The frame, which fills the window.
        shortcuts: The actions.
        arrow_widgets: Returns further widgets that use the arrow keys and the space bar themselves.
        rtl: Whether time runs from right to left: then the left arrow goes forward.
    """
    on = -1 if rtl else 1

    def arrows(event: tk.Event[tk.Misc]) -> bool:
        return isinstance(event.widget, TAKES_ARROWS) or event.widget in arrow_widgets()

    def space(event: tk.Event[tk.Misc]) -> bool:
        return isinstance(event.widget, TAKES_SPACE) or event.widget in arrow_widgets()

    def never(_event: tk.Event[tk.Misc]) -> bool:
        return False

    for keys, taken, act in (
        (("<space>",), space, shortcuts.play),
        (("<Right>",), arrows, partial(shortcuts.step, on)),
        (("<Left>",), arrows, partial(shortcuts.step, -on)),
        (("<Control-Right>",), never, partial(shortcuts.offer, on)),
        (("<Control-Left>",), never, partial(shortcuts.offer, -on)),
        (("<n>", "<N>"), never, partial(shortcuts.offer, 1)),
        (("<p>", "<P>"), never, partial(shortcuts.offer, -1)),
        (("<Home>",), arrows, partial(shortcuts.to_end, False)),
        (("<End>",), arrows, partial(shortcuts.to_end, True)),
        (("<Up>",), arrows, partial(shortcuts.faster, 1)),
        (("<Down>",), arrows, partial(shortcuts.faster, -1)),
        (("<plus>", "<equal>", "<KP_Add>"), never, partial(shortcuts.faster, 1)),
        (("<minus>", "<KP_Subtract>"), never, partial(shortcuts.faster, -1)),
    ):
        for key in keys:
            bind_tag(frame, ".", key, partial(_press, taken=taken, act=act))


def _press(
    event: tk.Event[tk.Misc], *, taken: Callable[[tk.Event[tk.Misc]], bool], act: Callable[[], None]
) -> None:
    if not taken(event):
        act()
