"""Menu of phrases below the transcript: groups side by side, and below them the chosen group's page."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk

from negoplatform.core.events import Message
from negoplatform.gui.chat.phrase_list_button import CHOSEN_GROUP, GROUP, make_list_styles
from negoplatform.gui.chat.phrase_page import PhrasePage
from negoplatform.gui.theming.bidi_label import BidiLabel
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.flow_layout import FlowLayout
from negoplatform.gui.widgets.scrolled_frame import ScrolledFrame
from negoplatform.gui.widgets.widget_bound_callbacks import add_tag, bind_tag
from negoplatform.presentation.chat.phrases import PhrasesView

EDGE, GAP = 11, 2
"""Margin at both sides, and gap between groups, for 96 dpi."""

MOST_HEIGHT, LEAST_HEIGHT, SHARE = 272, 180, 0.52
"""Greatest and least height, for 96 dpi, and the share of the common height that is used if it suffices."""

LOW, MIN_TRANSCRIPT_HEIGHT = 300, 60
"""Common height below which the heading is hidden; least height of a visible transcript; for 96 dpi."""


class PhraseMenu:
    """Menu of phrases; choosing one sends it and closes the menu.

    Left and Right move from one control to the next, Down from the groups to the phrases and Up back; Escape
    closes.

    Args:
        parent: The parent, on whose grid ``frame`` is placed, hidden at first.
        theme: The window's theme.
        on_send: Called with the chosen message, after the menu is closed.
        on_close: Called whenever the menu has been closed.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        *,
        on_send: Callable[[Message], None],
        on_close: Callable[[], None],
    ) -> None:
        self._theme = theme
        self._on_send, self._on_close = on_send, on_close
        self._view: PhrasesView | None = None
        self._pages: dict[str, PhrasePage] = {}
        self._groups: dict[str, ttk.Button] = {}
        self._chosen = ""
        self._focused_before = ""
        self.is_open = False
        make_list_styles(theme)
        px = theme.px
        self.frame = theme.frame(parent)
        self.frame.pack_propagate(False)
        self._tag = f"Phrases{self.frame}"
        bind_tag(self.frame, self._tag, "<Escape>", lambda _event: self._escape())
        for key in ("Up", "Down", "Left", "Right"):
            bind_tag(self.frame, self._tag, f"<{key}>", lambda event, key=key: self._move(event, key))  # type: ignore[misc]
        theme.rule(self.frame).pack(fill="x")
        self._head, self._hint = self._make_head()
        self._tabs = FlowLayout(self.frame, theme, gap=GAP)
        self._tabs.frame.pack(fill="x", padx=px(EDGE), pady=px(4))
        self._scrolled = ScrolledFrame(self.frame, theme, width=1, height=4000)
        self._scrolled.frame.pack(fill="both", expand=True, padx=px(EDGE - 2), pady=(0, px(4)))

    def show(self, view: PhrasesView) -> None:
        """Update the phrases; a statement that is being composed stays."""
        if view == self._view:
            return
        before, self._view = self._view, view
        if before is None or _structure_key(before) != _structure_key(view):
            self._rebuild(view)
        if view.can_talk:
            self._hint.write(view.hint)
        else:
            self._hint.write(self._theme.translate("You can’t send messages right now."))
        for group in view.groups:
            if group.name in self._pages:
                self._pages[group.name].show(group, view)

    def open(self, room: int) -> None:
        """Show the menu and focus it.

        Args:
            room: The height in pixels that it shares with the transcript.
        """
        if self.is_open or self._view is None:
            return
        self.is_open = True
        # Asked of Tk itself: focus_get() fails while the list of a combobox has the focus.
        self._focused_before = str(self.frame.tk.call("focus"))
        self.fit(room)
        self.frame.grid()
        self._groups[self._chosen].focus_set()

    def fit(self, room: int) -> None:
        """Set the height; ``room`` is the height in pixels of menu and transcript together."""
        px = self._theme.px
        height = max(min(px(MOST_HEIGHT), round(room * SHARE)), min(px(LEAST_HEIGHT), room))
        if room - height < px(MIN_TRANSCRIPT_HEIGHT):
            height = room
        self.frame.configure(height=height)
        if room < px(LOW):
            self._head.pack_forget()
        elif not self._head.winfo_manager():
            self._head.pack(fill="x", padx=px(EDGE), pady=(px(4), 0), before=self._tabs.frame)

    def has_focus(self) -> bool:
        """Return whether one of the menu's controls has the focus."""
        path = str(self.frame.tk.call("focus"))
        return path.startswith(f"{self.frame}.")

    def close(self, *, restore_focus: bool = True) -> None:
        """Close the menu, and return the focus to the former widget if ``restore_focus``."""
        if not self.is_open:
            return
        self.is_open = False
        self.frame.grid_remove()
        if (
            restore_focus
            and self._focused_before
            and int(self.frame.tk.call("winfo", "exists", self._focused_before))
        ):
            self.frame.tk.call("focus", self._focused_before)
        self._on_close()

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the controls by name, in the order of Tab: the groups, and those of the chosen page."""
        groups: dict[str, tk.Misc] = {f"group.{name}": button for name, button in self._groups.items()}
        page = self._pages[self._chosen].widgets() if self._chosen else {}
        return {"phrases.close": self._close_button, **groups, **page}

    def _make_head(self) -> tuple[tk.Frame, BidiLabel]:
        theme = self._theme
        head = theme.frame(self.frame)
        self._close_button = theme.button(head, "", "Small.Quiet.TButton", self.close, icon="clear")
        self._close_button.pack(side=theme.end)
        theme.label(head, theme.translate("Phrases"), "bold").pack(side=theme.start, padx=theme.padx(3, 10))
        hint = theme.label(head, "", "small", theme.colours.muted)
        hint.pack(side=theme.start)
        add_tag(head, self._tag)
        return head, hint

    def _rebuild(self, view: PhrasesView) -> None:
        """Rebuild the menu for other groups or issues: another game."""
        for child in (*self._tabs.frame.winfo_children(), *self._scrolled.inside.winfo_children()):
            child.destroy()
        self._groups, self._pages = {}, {}
        for group in view.groups:
            button = self._theme.button(
                self._tabs.frame,
                group.title,
                GROUP,
                lambda name=group.name: self._choose(name),  # type: ignore[misc]
            )
            self._groups[group.name] = button
        add_tag(self._tabs.frame, self._tag)
        self._choose(self._chosen if self._chosen in self._groups else view.groups[0].name)

    def _choose(self, name: str) -> None:
        if self._chosen in self._pages:
            self._pages[self._chosen].frame.pack_forget()
        self._chosen = name
        if name not in self._pages:
            self._pages[name] = self._make_page(name)
        self._pages[name].frame.pack(fill="both", expand=True)
        self._scrolled.canvas.yview_moveto(0)
        for each, button in self._groups.items():
            # Tab stops at the chosen group and then at its phrases; arrow keys move between groups.
            button.configure(takefocus=each == name)
            style = CHOSEN_GROUP if each == name else GROUP
            if button.cget("style") != style:
                button.configure(style=style)
        if str(self.frame.tk.call("focus")) in map(str, self._groups.values()):
            # A focus ring around another group would look as if that one was chosen too.
            self._groups[name].focus_set()

    def _make_page(self, name: str) -> PhrasePage:
        view = self._view
        assert view is not None, "a page is made for what is shown"
        group = next(group for group in view.groups if group.name == name)
        page = PhrasePage(self._scrolled.inside, self._theme, group, view, on_send=self._send)
        self._scrolled.bind_scrolling(page.frame)
        add_tag(page.frame, self._tag)
        return page

    def _send(self, message: Message) -> None:
        # Closed first: the message may end the session, and the screen with it.
        self.close()
        self._on_send(message)

    def _escape(self) -> str:
        self.close()
        return "break"

    def _move(self, event: tk.Event[tk.Misc], key: str) -> str | None:
        """Move the focus by an arrow key; a list, and sideways a field, uses the key itself."""
        in_field = isinstance(event.widget, ttk.Entry) and key in ("Left", "Right")
        if in_field or (isinstance(event.widget, ttk.Combobox) and key == "Down"):
            return None
        groups: list[tk.Misc] = list(self._groups.values())
        page = [control for control in self._pages[self._chosen].widgets().values() if _can_press(control)]
        onward = "Left" if self._theme.rtl else "Right"
        if event.widget in groups and key in ("Left", "Right"):
            button = _neighbour(groups, event.widget, onward=key == onward)
            self._choose(next(name for name, each in self._groups.items() if each is button))
            button.focus_set()
        elif event.widget in groups and key == "Down" and page:
            _focus_control(page[0])
        elif event.widget in page and (key != "Up" or event.widget is not page[0]):
            _focus_control(_neighbour(page, event.widget, onward=key in (onward, "Down")))
        elif event.widget not in groups:
            self._groups[self._chosen].focus_set()
        return "break"


def _structure_key(view: PhrasesView) -> object:
    """Return the part of a view that determines the widgets; the rest only updates them."""
    return view.issues, [(group.name, group.title, len(group.phrases)) for group in view.groups]


def _can_press(widget: tk.Misc) -> bool:
    return str(widget.cget("state")) != "disabled"


def _focus_control(widget: tk.Misc) -> None:
    """Focus a control as Tab does: in a field, typing replaces the text."""
    widget.focus_set()
    if isinstance(widget, ttk.Entry):
        widget.selection_range(0, "end")


def _neighbour(widgets: list[tk.Misc], widget: tk.Misc, *, onward: bool) -> tk.Misc:
    """Return the widget after or before another one; at an end, the widget itself."""
    index = widgets.index(widget) + (1 if onward else -1)
    return widgets[min(len(widgets) - 1, max(0, index))]
