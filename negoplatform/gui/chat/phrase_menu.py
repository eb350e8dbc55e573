"""The phrases below the talk: groups side by side, and under them what the chosen one holds."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk

from negoplatform.core.events import Message
from negoplatform.gui.chat.phrase_button import CHOSEN_GROUP, GROUP, make_list_styles
from negoplatform.gui.chat.phrase_page import PhrasePage
from negoplatform.gui.theming.caption import BidiLabel
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.flow_layout import FlowLayout
from negoplatform.gui.widgets.garbage_collection import bind_tag
from negoplatform.gui.widgets.scrolled_frame import ScrolledFrame
from negoplatform.presentation.chat.phrases import PhrasesView

EDGE, GAP = 11, 2
"""At both sides, and between groups; for 96 dpi."""

MOST_HEIGHT, LEAST_HEIGHT, SHARE = 272, 180, 0.52
"""Of all of it, for 96 dpi; and the part of the talk's height that it takes if that is enough."""

LOW, MIN_TRANSCRIPT_HEIGHT = 300, 60
"""Where talk and phrases have less than this, the heading goes; less of the talk isn't shown; for 96 dpi."""


class PhraseMenu:
    """The phrases; a press says one and closes them.

    Left and Right go from one control to the next, Down from the groups to the phrases and Up back, Escape
    closes.

    Args:
        parent: Where ``frame`` is put on a grid, and taken away at first.
        theme: Their looks.
        on_say: Is given what is said; the phrases are closed by then.
        on_close: Is called whenever they were closed, whoever closed them.
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
        """Shows what can be said now; what is being put together stays as it is."""
        if view == self._view:
            return
        before, self._view = self._view, view
        if before is None or _structure_key(before) != _structure_key(view):
            self._rebuild(view)
        if view.can_talk:
            self._hint.write(self._theme.translate("Sent as a message, not as an offer."))
        else:
            self._hint.write(self._theme.translate("You can’t send messages right now."))
        for group in view.groups:
            if group.name in self._pages:
                self._pages[group.name].show(group, view)

    def open(self, room: int) -> None:
        """Show the phrases and give the keyboard to them.

        Args:
            room: The height in pixels that they share with the talk.
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
        """Take so much of the height in pixels that most of the talk is still seen."""
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
        """Whether the keyboard is with one of their controls."""
        path = str(self.frame.tk.call("focus"))
        return path.startswith(f"{self.frame}.")

    def close(self, *, restore_focus: bool = True) -> None:
        """Take the phrases away; the keyboard goes back to where it was, if it shall."""
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
        """The controls by name, in the order of Tab: the groups, and what is in the chosen one."""
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
        self._add_bindtag(head)
        return head, hint

    def _rebuild(self, view: PhrasesView) -> None:
        """Other groups or issues: another game."""
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
        self._add_bindtag(self._tabs.frame)
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
            # Tab stops at the chosen group and leads on to its phrases; arrows lead from group to group.
            button.configure(takefocus=each == name)
            style = CHOSEN_GROUP if each == name else GROUP
            if button.cget("style") != style:
                button.configure(style=style)
        if str(self.frame.tk.call("focus")) in map(str, self._groups.values()):
            # A ring around another group would look as if that one was chosen, too.
            self._groups[name].focus_set()

    def _make_page(self, name: str) -> PhrasePage:
        view = self._view
        assert view is not None, "a page is made for what is shown"
        group = next(group for group in view.groups if group.name == name)
        page = PhrasePage(self._scrolled.inside, self._theme, group, view, on_send=self._send)
        self._scrolled.bind_scrolling(page.frame)
        self._add_bindtag(page.frame)
        return page

    def _send(self, message: Message) -> None:
        # Closed first: what is said may end the session, and the screen with it.
        self.close()
        self._on_send(message)

    def _escape(self) -> str:
        self.close()
        return "break"

    def _move(self, event: tk.Event[tk.Misc], key: str) -> str | None:
        """Where an arrow key leads; a list, and sideways a field, has a use of its own for it."""
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

    def _add_bindtag(self, widget: tk.Misc) -> None:
        """The keys of the phrases work in a widget and all that is in it, before those that scroll."""
        if self._tag not in widget.bindtags():
            widget.bindtags((self._tag, *widget.bindtags()))
        for child in widget.winfo_children():
            self._add_bindtag(child)


def _structure_key(view: PhrasesView) -> object:
    """What the menu is built of; everything else in a view only changes it."""
    return view.issues, [(group.name, group.title, len(group.phrases)) for group in view.groups]


def _can_press(widget: tk.Misc) -> bool:
    return str(widget.cget("state")) != "disabled"


def _focus_control(widget: tk.Misc) -> None:
    """Brings the keyboard to a control as Tab does: what is typed replaces what stands in a field."""
    widget.focus_set()
    if isinstance(widget, ttk.Entry):
        widget.selection_range(0, "end")


def _neighbour(widgets: list[tk.Misc], widget: tk.Misc, *, onward: bool) -> tk.Misc:
    """The one after or before; the first and the last have none and stay."""
    index = widgets.index(widget) + (1 if onward else -1)
    return widgets[min(len(widgets) - 1, max(0, index))]
