"""Popup lists over the window, for menus and the values of a field; one line can be chosen."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from tkinter import ttk

from PIL import ImageTk

from negoplatform.gui.theming.rounded_shapes import rounded
from negoplatform.gui.theming.screen_reader_names import set_accessible_name
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.widget_bound_callbacks import bind_tag

CLASS = "PopupList"
"""Bind tag of every open list, so that other code can observe lists."""

LINE, PADDING = 32, 6
"""Height of a line and padding of the list, in pixels at 96 dpi."""

TICK, BEFORE, AFTER = 16, 34, 16
"""Size of the tick, and room before and after the text, in pixels at 96 dpi."""

RADIUS, EDGE = 10, 8
"""Radius of the card's corners, and distance to the window's edges, in pixels at 96 dpi."""

HIGHLIGHT_RADIUS = 6
"""Radius of the corners of the highlighted line, in pixels at 96 dpi."""

PAGE = 5


class PopupList:
    """List over the window until a line is chosen, or Escape or a press elsewhere closes it.

    Args:
        theme: Theme of the window.
        owner: Widget that opens the list; the list is closed with it.
        lines: Texts in drawing order.
        chosen: Index of the ticked line; None for no tick.
        on_choose: Called with the index of the chosen line, after the list is closed.
    """

    def __init__(
        self,
        theme: Theme,
        owner: tk.Misc,
        lines: Sequence[str],
        chosen: int | None,
        *,
        on_choose: Callable[[int], object],
    ) -> None:
        self._theme, self._lines, self._chosen = theme, tuple(lines), chosen
        self._on_choose = on_choose
        self._grabbed = ""
        self._owner = owner
        self._highlighted = chosen or 0
        self._first = self._visible = 0
        self._width = 0
        self._focused_before = ""
        self._pictures: list[ImageTk.PhotoImage] = []
        self.canvas = tk.Canvas(theme.root, bd=0, highlightthickness=0, bg=theme.colours.card, takefocus=1)
        self.canvas.bindtags((str(self.canvas), CLASS, "all"))
        set_accessible_name(self.canvas, "List", "")
        # Bound by a tag that goes with the list: a binding of the owner itself would outlive the list.
        self._tag = f"Owner{self.canvas}"
        owner.bindtags((*owner.bindtags(), self._tag))
        bind_tag(self.canvas, self._tag, "<Destroy>", lambda _event: self.close())
        for key, step in {"Up": -1, "Down": 1, "Prior": -PAGE, "Next": PAGE}.items():
            self.canvas.bind(f"<{key}>", lambda _event, step=step: self._highlight(self._highlighted + step))  # type: ignore[misc]
        self.canvas.bind("<Home>", lambda _event: self._highlight(0))
        self.canvas.bind("<End>", lambda _event: self._highlight(len(self._lines) - 1))
        for key in ("Return", "KP_Enter", "space"):
            self.canvas.bind(f"<{key}>", lambda _event: self._choose(self._highlighted))
        for key in ("<Escape>", "<<NextWindow>>", "<<PrevWindow>>"):
            self.canvas.bind(key, lambda _event: self._dismiss())
        self.canvas.bind("<Key>", self._type)
        self.canvas.bind("<Motion>", self._on_motion)
        self.canvas.bind("<Button-1>", self._press)
        self.canvas.bind("<ButtonRelease-1>", self._release)
        for wheel, step in {"<Button-4>": -1, "<Button-5>": 1}.items():
            self.canvas.bind(wheel, lambda _event, step=step: self._scroll(step))  # type: ignore[misc]
        self.canvas.bind("<MouseWheel>", lambda event: self._scroll(-1 if event.delta > 0 else 1))

    def open(self, x: int, y: int, *, least: int = 0, above: int = 0) -> None:
        """Show the list.

        Args:
            x: Left edge in the window, in pixels; the right edge in a right-to-left language.
            y: Top edge in the window, in pixels.
            least: Minimum width in pixels.
            above: Distance in pixels from ``y`` up to the list's bottom edge, if it does not fit below.
        """
        theme, px, root = self._theme, self._theme.px, self._theme.root
        root.update_idletasks()
        self._focused_before = str(root.tk.call("focus"))
        across, down = root.winfo_width(), root.winfo_height()
        font = theme.font("body")
        words = max(font.measure(line) for line in self._lines)
        self._width = min(max(least, words + px(BEFORE) + px(AFTER)), across - 2 * px(EDGE))
        below, over = down - px(EDGE) - y, y - above - px(EDGE)
        needed = len(self._lines) * px(LINE) + 2 * px(PADDING)
        room = below if needed <= below or below >= over else over
        self._visible = max(1, min(len(self._lines), (room - 2 * px(PADDING)) // px(LINE)))
        height = self._visible * px(LINE) + 2 * px(PADDING)
        top = y if room == below else y - above - height
        left = x - self._width if theme.rtl else x
        left = max(px(EDGE), min(left, across - px(EDGE) - self._width))
        self._place(left, top, height)
        self.canvas.focus_set()
        self._grabbed = str(root.tk.call("grab", "current", root))
        self.canvas.grab_set()
        self._highlight(self._highlighted)

    def close(self) -> None:
        """Close the list; the focus returns to where it was."""
        if not self.canvas.winfo_exists():
            return
        call = self.canvas.tk.call
        if self._owner.winfo_exists():
            self._owner.bindtags(tuple(tag for tag in self._owner.bindtags() if tag != self._tag))
        self.canvas.grab_release()
        self.canvas.destroy()
        self._pictures.clear()
        if self._grabbed and int(call("winfo", "exists", self._grabbed)):
            call("grab", "set", self._grabbed)
        if self._focused_before and int(call("winfo", "exists", self._focused_before)):
            call("focus", self._focused_before)

    def _place(self, left: int, top: int, height: int) -> None:
        """Place the card at a position in pixels."""
        theme = self._theme
        # The corners have the colour of a card, because nearly all of the ground below is a card.
        c, size = theme.colours, (self._width, height)
        radius, edge = theme.px(RADIUS), max(1, theme.px(1))
        image = rounded(size, radius, face=c.card, edge=c.edge, width=edge, ground=c.card)
        self._pictures.append(theme.picture(image))
        self.canvas.create_image(0, 0, image=self._pictures[0], anchor="nw")
        self.canvas.place(x=left, y=top, width=self._width, height=height)
        tk.Misc.tkraise(self.canvas)
        theme.root.update_idletasks()

    def _highlight(self, index: int) -> str:
        """Highlight the line that Enter would choose."""
        self._highlighted = max(0, min(len(self._lines) - 1, index))
        if self._highlighted < self._first:
            self._first = self._highlighted
        elif self._highlighted >= self._first + self._visible:
            self._first = self._highlighted - self._visible + 1
        self._draw()
        return "break"

    def _scroll(self, step: int) -> str:
        self._first = max(0, min(len(self._lines) - self._visible, self._first + step))
        self._draw()
        return "break"

    def _draw(self) -> None:
        theme, px, c, canvas = self._theme, self._theme.px, self._theme.colours, self.canvas
        canvas.delete("line")
        del self._pictures[1:]
        for place in range(self._visible):
            index = self._first + place
            top = px(PADDING) + place * px(LINE)
            if index == self._highlighted:
                size = self._width - 2 * px(PADDING), px(LINE)
                image = rounded(size, px(HIGHLIGHT_RADIUS), face=c.mine_soft, ground=c.card)
                self._pictures.append(theme.picture(image))
                canvas.create_image(px(PADDING), top, image=self._pictures[-1], anchor="nw", tags="line")
            middle = top + px(LINE) // 2
            canvas.create_text(
                self._offset_x(px(BEFORE)),
                middle,
                text=self._lines[index],
                font=theme.font("bold" if index == self._chosen else "body"),
                fill=c.ink,
                anchor=theme.west,
                tags="line",
            )
            if index == self._chosen:
                tick = theme.icon("tick", c.primary, TICK)
                canvas.create_image(
                    self._offset_x(px(BEFORE) // 2), middle, image=tick, anchor="center", tags="line"
                )

    def _offset_x(self, distance: int) -> int:
        """Return the x coordinate at a distance from where lines start."""
        return self._width - distance if self._theme.rtl else distance

    # Events

    def _index_at(self, event: tk.Event[tk.Misc]) -> int | None:
        """Return the index of the line under the pointer; None if there is none."""
        px = self._theme.px
        place = (event.y - px(PADDING)) // px(LINE)
        inside = 0 <= event.x < self._width
        return self._first + place if inside and 0 <= place < self._visible else None

    def _on_motion(self, event: tk.Event[tk.Misc]) -> None:
        at = self._index_at(event)
        if at is not None and at != self._highlighted:
            self._highlighted = at
            self._draw()

    def _press(self, event: tk.Event[tk.Misc]) -> None:
        if self._index_at(event) is None:
            self._dismiss()

    def _release(self, event: tk.Event[tk.Misc]) -> None:
        at = self._index_at(event)
        if at is not None:
            self._choose(at)

    def _type(self, event: tk.Event[tk.Misc]) -> str:
        """Highlight the next line that begins with the typed letter."""
        letter = event.char.casefold()
        after = [*range(self._highlighted + 1, len(self._lines)), *range(self._highlighted + 1)]
        if letter:
            found = (index for index in after if self._lines[index].casefold().startswith(letter))
            self._highlight(next(found, self._highlighted))
        return "break"

    def _dismiss(self) -> str:
        self.close()
        return "break"

    def _choose(self, index: int) -> str:
        self.close()
        self._on_choose(index)
        return "break"


def use_popup_lists(theme: Theme) -> None:
    """Make every combobox open its values as a :class:`PopupList`."""

    def post(event: tk.Event[tk.Misc]) -> str | None:
        box = event.widget
        if not isinstance(box, ttk.Combobox) or box.instate(["disabled"]):
            return None
        values = [str(value) for value in box.tk.splitlist(box.cget("values"))]
        if not values:
            return "break"

        def choose(index: int) -> None:
            if box.instate(["disabled"]):
                return  # disabled while the list was open
            box.current(index)
            box.event_generate("<<ComboboxSelected>>")

        box.focus_set()
        x, y = box.winfo_rootx() - theme.root.winfo_rootx(), box.winfo_rooty() - theme.root.winfo_rooty()
        current = box.current()
        popup = PopupList(theme, box, values, current if current >= 0 else None, on_choose=choose)
        edge = theme.px(2)
        popup.open(
            x + box.winfo_width() if theme.rtl else x,
            y + box.winfo_height() + edge,
            least=box.winfo_width(),
            above=box.winfo_height() + 2 * edge,
        )
        # A click is passed on to the bindings that place the focus after it.
        return None if event.type is tk.EventType.ButtonPress else "break"

    for sequence in ("<Button-1>", "<Down>", "<Alt-Down>", "<space>", "<Return>"):
        theme.root.bind_class("TCombobox", sequence, post)
    for sequence in ("<B1-Motion>", "<ButtonRelease-1>", "<Double-Button-1>", "<Triple-Button-1>"):
        theme.root.bind_class("TCombobox", sequence, lambda _event: None)
