"""The card of phrases that opens over the transcript: groups, and beside them what the chosen one holds."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk

from negoplatform.core.events import Message
from negoplatform.gui.caption import Caption
from negoplatform.gui.lifetimes import bind_tag
from negoplatform.gui.paint import rounded, stretched
from negoplatform.gui.phrase_button import CHOSEN_GROUP, GROUP, make_list_styles
from negoplatform.gui.phrase_page import PhrasePage
from negoplatform.gui.phrases import PhrasesView
from negoplatform.gui.scrolled import ScrolledFrame
from negoplatform.gui.theme import Theme

GROUP_HEIGHT = 35
"""Of a group's button, for 96 dpi, so that none moves when another is chosen."""

LIST_HEIGHT, PAGE_HEIGHT = 320, 280
"""The most of both, for 96 dpi: the groups fit without scrolling, and no page is higher than they are."""

PAGE_WIDTH = 360

CORNER = 13
"""How much of the card's picture is corner, for 96 dpi."""


class PhraseMenu:
    """The card; whoever owns it places ``frame``, then opens it. A press says the phrase and closes the card.

    Up and Down go from one control to the next, Left and Right between groups and phrases, Escape closes.

    Args:
        parent: What the card lies over.
        theme: Its looks.
        on_say: Is given what is said; the card is closed by then.
        on_close: Is called whenever the card was closed, whoever closed it.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        *,
        on_say: Callable[[Message], None],
        on_close: Callable[[], None],
    ) -> None:
        self._theme = theme
        self._on_say, self._on_close = on_say, on_close
        self._view: PhrasesView | None = None
        self._pages: dict[str, PhrasePage] = {}
        self._groups: dict[str, ttk.Button] = {}
        self._chosen = ""
        self._before = ""
        self.is_open = False
        make_list_styles(theme)
        self.frame = theme.frame(parent)
        self._face = tk.Label(self.frame, bd=0, bg=theme.colours.card)
        self._face.place(x=0, y=0, relwidth=1, relheight=1)
        self._face.bind("<Configure>", lambda event: self._draw_face(event.width, event.height))
        self._tag = f"Phrases{self.frame}"
        bind_tag(self.frame, self._tag, "<Escape>", lambda _event: self.close())
        for key in ("Up", "Down", "Left", "Right"):
            bind_tag(self.frame, self._tag, f"<{key}>", lambda event, key=key: self._move(event, key))  # type: ignore[misc]
        self._hint = self._make_head()
        self._list = ScrolledFrame(self.frame, theme, width=1, height=LIST_HEIGHT)
        self._scrolled = ScrolledFrame(self.frame, theme, width=PAGE_WIDTH, height=PAGE_HEIGHT)
        self._arrange()

    def show(self, view: PhrasesView) -> None:
        """Shows what can be said now; what is being put together stays as it is."""
        if view == self._view:
            return
        before, self._view = self._view, view
        if before is None or _shape(before) != _shape(view):
            self._rebuild(view)
        if view.can_talk:
            self._hint.write(
                self._theme.say("Said at once when you press it. Words only: nothing is agreed.")
            )
        else:
            self._hint.write(self._theme.say("Nothing can be said at this moment."))
        for group in view.groups:
            if group.name in self._pages:
                self._pages[group.name].show(group, view)

    def open(self) -> None:
        """Brings the card up and the keyboard to it."""
        if self.is_open or self._view is None:
            return
        self.is_open = True
        # Asked of Tk itself: focus_get() fails while the list of a combobox has the focus.
        self._before = str(self.frame.tk.call("focus"))
        self.frame.tk.call("raise", self.frame)
        self._groups[self._chosen].focus_set()

    def has_keyboard(self) -> bool:
        """Whether the keyboard is with one of its controls."""
        path = str(self.frame.tk.call("focus"))
        return path.startswith(f"{self.frame}.")

    def close(self, *, lead_back: bool = True) -> None:
        """Takes the card away; the keyboard goes back to where it was, if it shall."""
        if not self.is_open:
            return
        self.is_open = False
        self.frame.place_forget()
        if lead_back and self._before and int(self.frame.tk.call("winfo", "exists", self._before)):
            self.frame.tk.call("focus", self._before)
        self._on_close()

    def widgets(self) -> dict[str, tk.Misc]:
        """The controls by name, in the order of Tab: the groups, and what is in the chosen one."""
        groups: dict[str, tk.Misc] = {f"group.{name}": button for name, button in self._groups.items()}
        page = self._pages[self._chosen].widgets() if self._chosen else {}
        return {"phrases.close": self._shut, **groups, **page}

    def _make_head(self) -> Caption:
        theme = self._theme
        head = theme.frame(self.frame)
        head.grid(
            row=0, column=0, columnspan=3, sticky="ew", padx=theme.px(14), pady=(theme.px(10), theme.px(4))
        )
        words = theme.frame(head)
        words.pack(side=theme.start, fill="x", expand=True)
        theme.label(words, theme.say("Say it with a phrase"), "heading").pack(anchor=theme.west)
        hint = theme.label(words, "", "small", theme.colours.muted, wrap=440)
        hint.pack(anchor=theme.west)
        self._shut = theme.button(head, theme.say("Close"), "Quiet.TButton", self.close)
        self._shut.pack(side=theme.end, anchor="n")
        self._watch(head)
        return hint

    def _arrange(self) -> None:
        theme, edge = self._theme, self._theme.px(10)
        self._list.frame.grid(
            row=1, column=theme.column(0, 3), sticky="nsew", padx=theme.beside(10, 0), pady=(0, edge)
        )
        line = theme.rule(self.frame, upright=True)
        line.grid(row=1, column=1, sticky="ns", padx=theme.px(6), pady=(0, edge))
        self._scrolled.frame.grid(
            row=1, column=theme.column(2, 3), sticky="nsew", padx=theme.beside(0, 10), pady=(0, edge)
        )
        self.frame.rowconfigure(1, weight=1)
        self.frame.columnconfigure(theme.column(2, 3), weight=1)

    def _rebuild(self, view: PhrasesView) -> None:
        """Other groups or issues: another game."""
        for child in (*self._list.inside.winfo_children(), *self._scrolled.inside.winfo_children()):
            child.destroy()
        self._groups, self._pages = {}, {}
        self._list.inside.columnconfigure(0, weight=1)
        for row, group in enumerate(view.groups):
            button = self._theme.button(
                self._list.inside,
                group.title,
                GROUP,
                lambda name=group.name: self._choose(name),  # type: ignore[misc]
            )
            button.grid(row=row, column=0, sticky="nsew")
            self._list.inside.rowconfigure(row, minsize=self._theme.px(GROUP_HEIGHT))
            self._groups[group.name] = button
        # As wide as the widest would be in bold, so that none moves when it is chosen.
        widest = max(
            self._theme.font("bold").measure(self._theme.drawn(group.title)) for group in view.groups
        )
        self._list.canvas.configure(width=widest + self._theme.px(32))
        self._list.watch(self._list.inside)
        self._watch(self._list.inside)
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

    def _make_page(self, name: str) -> PhrasePage:
        view = self._view
        assert view is not None, "a page is made for what is shown"
        group = next(group for group in view.groups if group.name == name)
        page = PhrasePage(self._scrolled.inside, self._theme, group, view, on_say=self._say)
        self._scrolled.watch(page.frame)
        self._watch(page.frame)
        return page

    def _say(self, message: Message) -> None:
        # Closed first: what is said may end the session, and the screen with it.
        self.close()
        self._on_say(message)

    def _move(self, event: tk.Event[tk.Misc], key: str) -> str | None:
        """Where an arrow key leads; a list, and sideways a field, has a use of its own for it."""
        in_field = isinstance(event.widget, ttk.Entry) and key in ("Left", "Right")
        if in_field or isinstance(event.widget, ttk.Combobox):
            return None
        groups: list[tk.Misc] = list(self._groups.values())
        page = [control for control in self._pages[self._chosen].widgets().values() if _can_press(control)]
        onward, back = ("Left", "Right") if self._theme.rtl else ("Right", "Left")
        if event.widget in groups and key in ("Up", "Down"):
            button = _neighbour(groups, event.widget, key)
            self._choose(next(name for name, each in self._groups.items() if each is button))
            button.focus_set()
        elif event.widget in page and key in ("Up", "Down"):
            _go_to(_neighbour(page, event.widget, key))
        elif event.widget in groups and key == onward and page:
            _go_to(page[0])
        elif event.widget not in groups and key in (back, "Down"):
            self._groups[self._chosen].focus_set()
        return "break"

    def _watch(self, widget: tk.Misc) -> None:
        """The keys of the card work in a widget and all that is in it, before those that scroll."""
        if self._tag not in widget.bindtags():
            widget.bindtags((self._tag, *widget.bindtags()))
        for child in widget.winfo_children():
            self._watch(child)

    def _draw_face(self, width: int, height: int) -> None:
        theme, colours = self._theme, self._theme.colours
        n = theme.px(CORNER)
        if width <= 2 * n or height <= 2 * n:
            return
        small = rounded(
            (2 * n + 1, 2 * n + 1),  # one pixel between the corners, to be pulled
            theme.px(11),
            face=colours.card,
            edge=colours.edge,
            width=max(1.0, theme.scale),
            ground=colours.card,
        )
        self._picture = theme.picture(stretched(small, n, (width - 2 * n, height - 2 * n)))
        self._face.configure(image=self._picture)


def _shape(view: PhrasesView) -> object:
    """What the card is built of; everything else in a view only changes it."""
    return view.issues, [(group.name, group.title, len(group.phrases)) for group in view.groups]


def _can_press(widget: tk.Misc) -> bool:
    return str(widget.cget("state")) != "disabled"


def _go_to(widget: tk.Misc) -> None:
    """Brings the keyboard to a control as Tab does: what is typed replaces what stands in a field."""
    widget.focus_set()
    if isinstance(widget, ttk.Entry):
        widget.selection_range(0, "end")


def _neighbour(widgets: list[tk.Misc], widget: tk.Misc, key: str) -> tk.Misc:
    """The one above or below; the first and the last have none and stay."""
    index = widgets.index(widget) + (1 if key == "Down" else -1)
    return widgets[min(len(widgets) - 1, max(0, index))]
