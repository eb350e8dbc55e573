"""Routing of keys at the table: to the message field, unless the focused widget uses them.

============================  ========================================================================
event                         effect
============================  ========================================================================
mouse click                   the message field gets the focus, unless a field was clicked; in the right
                              column of some kinds of games, a field of that column gets it; elsewhere,
                              that column itself, if it was used after the chat and no message is begun
character, Backspace          goes to the message field, unless a field has the focus, or a control that
                              uses the key: its bindings do not pass it on
digit, sign, separator,       if the right column has fields and was used after the chat: goes to the field
Backspace                     of it that was used last, or its first one, or nowhere while they take nothing
Space at a button             presses the button, which got the focus by Tab
paste, undo, redo             act on the message field, unless a field has the focus
Escape                        closes what covers the chat, then the message field gets the focus, or the
                              right column, as after a click
============================  ========================================================================

A control therefore has the focus only after Tab, and no Space or Enter of a sentence presses a button that
was clicked before. A number that was meant for a field is never typed into the message field, from where
Enter would send it to everyone.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

from negoplatform.gui.chat.message_field import MessageField
from negoplatform.gui.widgets.widget_bound_callbacks import bind_tag

FIELDS = ("Text", "TEntry", "Entry", "TSpinbox", "TCombobox")
"""Classes of widgets that keep the focus when they are clicked."""

NUMBER_FIELD = "TEntry"
"""Class of the fields that take numbers."""

PRESSED_BY_SPACE = ("TButton", "TCheckbutton", "TRadiobutton")

SHORTCUTS = ("Control", "Alt", "Meta")
"""Modifiers with which a key is not a character; keys with AltGr are delivered without them."""

PLATFORM_SHORTCUTS = {"x11": ("Mod4",), "aqua": ("Command",)}
"""Further such modifiers by windowing system; on other systems these names mean Num Lock."""

NUMBER_SIGNS = ".,+-\N{MINUS SIGN}%\N{EURO SIGN}$"
"""Characters of a typed number other than digits."""

WINDOW_TAG = "."
"""The bindtag of the window, whose bindings come after those of a widget and its class."""


class KeyboardBindings:
    """The key and mouse bindings of one window, which last as long as the message field.

    Args:
        screen: The widget within which they apply.
        line: The message field.
        is_covered: Return whether a page or a dialog covers the screen; while it does, nothing is routed.
        close: Close what covers the chat; return whether there was anything.
        work: The right column, whose fields take numbers; None: there is none.
        click_home: Return what gets the focus after a click in that column; None: the message field.
    """

    def __init__(
        self,
        screen: tk.Misc,
        line: MessageField,
        *,
        is_covered: Callable[[], bool],
        close: Callable[[], bool],
        work: tk.Misc | None = None,
        click_home: Callable[[], tk.Misc | None] = lambda: None,
    ) -> None:
        self._screen, self._line = f"{screen}.", line
        self._work, self._click_home = work, click_home
        self._was_work_used_last, self._last_field = False, ""
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
            ("<FocusIn>", self._focused),
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
            # Tk takes the most specific binding: a shortcut is not a character.
            bind_tag(line.text, WINDOW_TAG, f"<{shortcut}-Key>", lambda _event: None)

    # Mouse

    def _pressed(self, event: tk.Event[tk.Misc]) -> None:
        # A list opened by mouse keeps the focus until an item is chosen.
        self._clicked_list = self._widget_class(event) == "TCombobox"
        self._released(event)

    def _released(self, event: tk.Event[tk.Misc]) -> None:
        if not self._is_relevant(event) or self._widget_class(event) in FIELDS:
            return
        home = self._click_home() if self._is_in_work(str(event.widget)) else None
        if home is None:
            self._focus_home()
        else:
            home.focus_set()

    def _focus_home(self) -> None:
        """Focus the message field, or the right column, from where digits go to its field."""
        is_working = self._was_work_used_last and not self._line.content
        if self._work is not None and is_working and self._click_home() is not None:
            self._work.focus_set()
        else:
            self._line.focus_input()

    def _chosen(self, event: tk.Event[tk.Misc]) -> None:
        if self._clicked_list and self._is_relevant(event):
            self._line.focus_input()

    # Keys

    def _typed(self, event: tk.Event[tk.Misc]) -> None:
        self._clicked_list = False
        # A key that removed its own control has been used.
        if not self._is_relevant(event) or self._is_in_editable_field(event) or not self._widget_class(event):
            return
        if self._takes_numbers(event):
            return
        if event.keysym == "BackSpace":
            self._line.erase()
        elif event.char.isprintable() and event.char and not self._activates_control(event):
            self._line.type(event.char)

    def _focused(self, event: tk.Event[tk.Misc]) -> None:
        """Remember which part of the screen is used, and the field."""
        path = str(event.widget)
        if path == str(self._line.text):
            self._was_work_used_last = False
        elif self._is_in_work(path):
            self._was_work_used_last = True
            if self._widget_class(event) == NUMBER_FIELD:
                self._last_field = path

    def _takes_numbers(self, event: tk.Event[tk.Misc]) -> bool:
        """Return whether a key is meant for a field of the right column; type it there, if possible."""
        is_erasing = event.keysym == "BackSpace"
        is_number = len(event.char) == 1 and (event.char.isdigit() or event.char in NUMBER_SIGNS)
        if not self._was_work_used_last or self._work is None or not (is_erasing or is_number):
            return False
        if not _has_number_field(self._work):
            return False
        path, call = self._last_field, self._call
        if not self._can_type_at(path):
            path = str(self._click_home() or "")
        if self._can_type_at(path):
            if str(call("focus")) != path:
                # As after Tab: what is typed takes the place of the text.
                call("focus", path)
                call(path, "selection", "range", 0, "end")
            if is_erasing:
                call("ttk::entry::Backspace", path)
            else:
                call("ttk::entry::Insert", path, event.char)
        return True

    def _can_type_at(self, path: str) -> bool:
        """Return whether there is a field for numbers at a path that is shown and can be changed."""
        call = self._call
        return bool(
            path
            and int(call("winfo", "exists", path))
            and str(call("winfo", "class", path)) == NUMBER_FIELD
            and int(call("winfo", "viewable", path))
            and str(call(path, "cget", "-state")) == "normal"
        )

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
            self._focus_home()

    # Properties of an event

    def _is_relevant(self, event: tk.Event[tk.Misc]) -> bool:
        # A popup that this press has opened, such as a menu, takes the following events.
        held = self._call("grab", "current", ".")
        # While a screen is being rebuilt, the window itself has the focus.
        path = str(event.widget)
        here = path == "." or path.startswith(self._screen)
        return here and not held and not self._is_covered()

    def _is_in_work(self, path: str) -> bool:
        work = str(self._work)
        return self._work is not None and (path == work or path.startswith(f"{work}."))

    def _widget_class(self, event: tk.Event[tk.Misc]) -> str:
        # A widget that its own press has removed has no class.
        path = str(event.widget)
        return str(self._call("winfo", "class", path)) if int(self._call("winfo", "exists", path)) else ""

    def _is_in_editable_field(self, event: tk.Event[tk.Misc]) -> bool:
        """Return whether a field takes the key, which a read-only field does not."""
        kind = self._widget_class(event)
        if kind not in FIELDS or kind == "TCombobox":
            return False
        return str(self._call(str(event.widget), "cget", "-state")) == "normal"


def _has_number_field(widget: tk.Misc) -> bool:
    """Return whether a widget has a field for numbers inside, shown or not."""
    return any(
        child.winfo_class() == NUMBER_FIELD or _has_number_field(child) for child in widget.winfo_children()
    )
