"""Where keys go at the negotiation: to the line for writing, unless something has a use for them.

============================  ========================================================================
what happens                  what follows
============================  ========================================================================
a click with the mouse        the line has the keyboard again, unless a field was clicked
a character, Backspace        written in the line, unless the keyboard is in a field, or at a control
                              that uses that key: what a control uses, its bindings do not pass on
Space at a button             presses the button: Tab led there
paste, undo, redo             as in the line, unless the keyboard is in a field
Escape                        closes what lies over the talk, then the line has the keyboard
============================  ========================================================================

So a control has the keyboard only after Tab, and no Space or Enter of a sentence presses what was clicked
last.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

from negoplatform.gui.chat.message_field import MessageEntry
from negoplatform.gui.widgets.garbage_collection import bind_tag

FIELDS = ("Text", "TEntry", "Entry", "TSpinbox", "TCombobox")
"""The classes of widgets that keep the keyboard when they are clicked."""

PRESSED_BY_SPACE = ("TButton", "TCheckbutton", "TRadiobutton")

SHORTCUTS = ("Control", "Alt", "Meta")
"""With these held down, a key is no character; those of AltGr are delivered without them."""

PLATFORM_SHORTCUTS = {"x11": ("Mod4",), "aqua": ("Command",)}
"""The same, by windowing system: elsewhere these names mean Num Lock."""

WINDOW_TAG = "."
"""The tag of the window: its bindings come after those of a widget and its class."""


class KeyboardBindings:
    """The bindings of one window, for as long as the line is there.

    Args:
        screen: What they hold for, with everything in it.
        line: The line for writing.
        is_covered: Whether a page or a question lies over the screen; then nothing is done here.
        close: Closes what lies over the talk; whether there was anything.
    """

    def __init__(
        self,
        screen: tk.Misc,
        line: MessageEntry,
        *,
        is_covered: Callable[[], bool],
        close: Callable[[], bool],
    ) -> None:
        self._screen, self._line = f"{screen}.", line
        self._call = screen.tk.call
        self._is_covered, self._close = is_covered, close
        self._clicked_list = False
        first = f"First{line.text}"
        line.text.bindtags((first, *line.text.bindtags()))
        bind_tag(line.text, first, "<Escape>", lambda _event: "break" if self._close() else None)
        for sequence, act in (
            ("<ButtonPress-1>", self._pressed),
            ("<ButtonRelease-1>", self._released),
            ("<<ComboboxSelected>>", self._chosen),
            ("<Key>", self._typed),
            ("<<Paste>>", self._unless_in_field(line.paste)),
            ("<Control-z>", self._unless_in_field(line.undo)),
            ("<Control-y>", self._unless_in_field(line.redo)),
            ("<Control-Z>", self._unless_in_field(line.redo)),
            ("<Escape>", self._escaped),
        ):
            bind_tag(line.text, WINDOW_TAG, sequence, act)
        own = PLATFORM_SHORTCUTS.get(str(self._call("tk", "windowingsystem")), ())
        for shortcut in (*SHORTCUTS, *own):
            # Tk takes the closest binding: a shortcut is no character.
            bind_tag(line.text, WINDOW_TAG, f"<{shortcut}-Key>", lambda _event: None)

    # The mouse

    def _pressed(self, event: tk.Event[tk.Misc]) -> None:
        # A list that was opened by mouse has the keyboard until something is chosen from it.
        self._clicked_list = self._widget_class(event) == "TCombobox"
        self._released(event)

    def _released(self, event: tk.Event[tk.Misc]) -> None:
        if self._is_relevant(event) and self._widget_class(event) not in FIELDS:
            self._line.focus_input()

    def _chosen(self, event: tk.Event[tk.Misc]) -> None:
        if self._clicked_list and self._is_relevant(event):
            self._line.focus_input()

    # Keys

    def _typed(self, event: tk.Event[tk.Misc]) -> None:
        self._clicked_list = False
        # A control that its own press has taken away has used the key.
        if not self._is_relevant(event) or self._is_in_editable_field(event) or not self._widget_class(event):
            return
        if event.keysym == "BackSpace":
            self._line.erase()
        elif event.char.isprintable() and event.char and not self._activates_control(event):
            self._line.type(event.char)

    def _activates_control(self, event: tk.Event[tk.Misc]) -> bool:
        return event.keysym == "space" and self._widget_class(event) in PRESSED_BY_SPACE

    def _unless_in_field(self, act: Callable[[], None]) -> Callable[[tk.Event[tk.Misc]], None]:
        def pressed(event: tk.Event[tk.Misc]) -> None:
            if self._is_relevant(event) and not self._is_in_editable_field(event):
                act()

        return pressed

    def _escaped(self, event: tk.Event[tk.Misc]) -> None:
        if self._is_relevant(event):
            self._close()
            self._line.focus_input()

    # What an event is about

    def _is_relevant(self, event: tk.Event[tk.Misc]) -> bool:
        # What has just opened by a press, such as a menu, holds what comes next.
        held = self._call("grab", "current", ".")
        # While a screen is built anew nothing on it has the keyboard, but the window itself.
        path = str(event.widget)
        here = path == "." or path.startswith(self._screen)
        return here and not held and not self._is_covered()

    def _widget_class(self, event: tk.Event[tk.Misc]) -> str:
        # What its own press has taken away has none.
        path = str(event.widget)
        return str(self._call("winfo", "class", path)) if int(self._call("winfo", "exists", path)) else ""

    def _is_in_editable_field(self, event: tk.Event[tk.Misc]) -> bool:
        """Whether a field takes the key: not one that can only be read."""
        kind = self._widget_class(event)
        if kind not in FIELDS or kind == "TCombobox":
            return False
        return str(self._call(str(event.widget), "cget", "-state")) == "normal"
