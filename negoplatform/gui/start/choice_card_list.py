"""List of cards of which at most one is chosen."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from functools import partial

from PIL import ImageTk

from negoplatform.core.events import Expression
from negoplatform.gui.avatars.face_drawing import draw_portrait
from negoplatform.gui.theming.bidi_label import BidiLabel
from negoplatform.gui.theming.rounded_shapes import rounded, stretched
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.scrolled_frame import ScrolledFrame
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.agent_characters import character_for
from negoplatform.presentation.start.plugin_cards import ChoiceCard

PADDING = 14
"""Distance between a card's edge and its text, for 96 dpi."""

FACE = 44
"""Size of the portrait on a card, for 96 dpi."""

LIST_HEIGHT = 120
"""Largest height that a list requests, for 96 dpi; it gets more where there is room."""

TICK = 18
"""Size of the tick on the chosen card, for 96 dpi."""

CORNER = 14
"""Size of the corners in a card's picture, for 96 dpi."""


class ChoiceCardList:
    """Vertical list of cards; Tab reaches the chosen card, and the arrow keys choose another one.

    While none is chosen, Tab reaches the first card.

    Args:
        parent: The parent of the list.
        theme: The window's theme.
        name: The name of the chosen card in UI tests; followed by a dot and a key, the name of each card.
        announcer: Reports the cards' positions to UI tests.
        on_choose: Called with the key of a card that the user chose.
        compact: Whether the cards are small.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        *,
        name: str,
        announcer: UiTestAnnouncer,
        on_choose: Callable[[str], None],
        compact: bool = False,
    ) -> None:
        self._theme = theme
        self._name = name
        self._compact = compact
        self._announcer = announcer
        self._on_choose = on_choose
        self._cards: dict[str, _Card] = {}
        self._scrolled = ScrolledFrame(
            parent, theme, width=250, height=LIST_HEIGHT, on_scroll=self._on_user_scroll
        )
        self.frame = self._scrolled.frame
        self._scrolled.canvas.bind("<Configure>", self._wrap, add="+")
        self._scrolled.inside.bind("<Configure>", lambda _event: self._schedule_scroll(), add="+")
        self._scroll_pending = True
        self._shown: tuple[ChoiceCard, ...] | None = None
        self.chosen = ""

    def show(self, views: Sequence[ChoiceCard], chosen: str) -> None:
        """Show cards and mark the chosen one; an unchanged list of cards is not rebuilt."""
        if self._shown == tuple(views):
            self.mark(chosen)
            return
        had_keyboard = self._has_keyboard()
        self._shown = tuple(views)
        for child in self._scrolled.inside.winfo_children():
            child.destroy()
        self._cards = {}
        for view in views:
            card = _Card(self._scrolled.inside, self._theme, view, compact=self._compact)
            card.frame.pack(fill="x", pady=(0, self._theme.px(4 if self._compact else 8)))
            self._cards[view.key] = card
            self._announcer.register(f"{self._name}.{view.key}", card.frame)
        self._spacer = self._theme.frame(self._scrolled.inside)
        self._scrolled.bind_scrolling(self._scrolled.inside)
        for key, card in self._selectable.items():
            card.bind_events(partial(self._pressed, key), self._step)
        self.chosen = ""
        self._mark(chosen)
        self._scroll_pending = True
        self._wrap()
        if had_keyboard:
            self.focus()

    def mark(self, key: str) -> None:
        """Mark a card as chosen, and scroll to it."""
        if key != self.chosen:
            self._mark(key)
            self._scroll_pending = True
            self._schedule_scroll()

    def set_max_height(self, height: int) -> None:
        """Set the largest height in pixels that the list requests."""
        self._scrolled.set_max_height(height)

    def focus(self) -> None:
        """Give the focus to the card at which Tab stops."""
        if self._tab_stop in self._cards:
            self._cards[self._tab_stop].frame.focus_set()

    @property
    def _tab_stop(self) -> str:
        return self.chosen or next(iter(self._selectable), "")

    @property
    def _selectable(self) -> dict[str, _Card]:
        return {key: card for key, card in self._cards.items() if card.selectable}

    def _has_keyboard(self) -> bool:
        return str(self.frame.tk.call("focus")) in {str(card.frame) for card in self._cards.values()}

    def _pressed(self, key: str) -> None:
        self._scroll_pending = False
        self._mark(key)
        self.focus()
        self._on_choose(key)

    def _step(self, keysym: str) -> None:
        keys = list(self._selectable)
        at = keys.index(self.chosen) if self.chosen else -1
        to = {"Up": max(0, at - 1), "Down": at + 1, "Home": 0, "End": len(keys) - 1}.get(keysym, at)
        if to != at and 0 <= to < len(keys):
            self._pressed(keys[to])

    def _mark(self, key: str) -> None:
        if self._tab_stop:
            self._cards[self._tab_stop].set_state(chosen=False, stop=False)
        self.chosen = key if key in self._selectable else ""
        if self._tab_stop:
            card = self._cards[self._tab_stop]
            card.set_state(chosen=bool(self.chosen), stop=True)
            self._announcer.register(self._name, card.frame)

    def _wrap(self, _event: object = None) -> None:
        width = self._scrolled.canvas.winfo_width()
        if width <= 1:
            return
        for card in self._cards.values():
            card.wrap(width)
        self._schedule_scroll()

    def _on_user_scroll(self) -> None:
        """Keep the position to which the user has scrolled."""
        self._scroll_pending = False

    def _schedule_scroll(self) -> None:
        if self._scroll_pending:
            self.frame.after_idle(self._scroll_to_chosen)

    def _scroll_to_chosen(self) -> None:
        """Scroll to the chosen card, which is visible at first; stop once the user scrolls or chooses."""
        if not (self._scroll_pending and self.frame.winfo_exists() and self.chosen in self._cards):
            return
        # The text was wrapped just now, so the cards are not yet at their final positions.
        self.frame.update_idletasks()
        canvas, card = self._scrolled.canvas, self._cards[self.chosen].frame
        room = canvas.winfo_height()
        shown, top = canvas.canvasy(0), card.winfo_y()
        # A card higher than the list is shown from its top: scrolling to either end would endlessly trigger
        # the other.
        lowest = min(top, top + card.winfo_height() + self._theme.px(6) - room)
        if self._compact:
            # Its height follows from its cards, so no space may be added below them.
            shown = min(max(shown, lowest), top)
            canvas.yview_moveto(max(0, shown) / max(1, self._scrolled.inside.winfo_reqheight()))
            return
        # The view begins at the top of a card: a row that is cut off at the top looks like a mistake.
        starts = [other.frame.winfo_y() for other in self._cards.values()]
        if not (lowest <= shown <= top and any(abs(shown - start) <= 1 for start in starts)):
            shown = min(start for start in starts if start >= lowest)
        self._reserve_space(shown + room)
        needed = max(1, self._scrolled.inside.winfo_reqheight())
        if abs(shown - canvas.canvasy(0)) > 1:
            canvas.yview_moveto(shown / needed)

    def _reserve_space(self, end: float) -> None:
        """Extend the list down to ``end`` (pixels), which allows scrolling to any card."""
        inside, spacer = self._scrolled.inside, self._spacer
        before = spacer.winfo_reqheight() if spacer.winfo_manager() else 0
        missing = round(end) - (inside.winfo_reqheight() - before)
        if missing <= 0:
            spacer.pack_forget()
        else:
            spacer.configure(height=missing)
            spacer.pack(fill="x")
        if max(0, missing) != before:
            self.frame.update_idletasks()


class _Card:
    """A card: a picture drawn for its size, with text on it."""

    def __init__(self, parent: tk.Misc, theme: Theme, view: ChoiceCard, *, compact: bool) -> None:
        self._theme = theme
        self._view = view
        self._padding, self._face_size = (12, 30) if compact else (PADDING, FACE)
        self.selectable = view.selectable
        self._chosen = self._focused = False
        self._drawn: tuple[int, int, bool, bool] | None = None
        self._picture: ImageTk.PhotoImage | None = None
        c, px = theme.colours, theme.px
        # The class makes the list scroll to it as to other Tab stops; that class's own bindings are removed.
        self.frame = tk.Frame(
            parent, class_="TRadiobutton", bg=c.card, bd=0, highlightthickness=0, takefocus=0
        )
        self._ground = tk.Label(self.frame, bd=0, bg=c.card)
        self._ground.place(x=0, y=0, relwidth=1, relheight=1)
        self._portrait: ImageTk.PhotoImage | None = None
        self._labels: list[BidiLabel] = []
        self._inside = tk.Frame(self.frame, bd=0, highlightthickness=0)
        self._inside.pack(fill="both", expand=True, padx=px(self._padding), pady=px(8 if compact else 10))
        self._inside.columnconfigure(theme.column(1, 3), weight=1)
        self._tick = tk.Label(self._inside, bd=0, image=theme.icon("check", c.card, TICK))
        self._tick.grid(row=0, column=theme.column(2, 3), sticky="n" + theme.east)
        self._face = self._add_face()
        self._add_labels()
        self.frame.bind("<Configure>", lambda _event: self._draw())
        self._update_colours()

    def bind_events(self, press: Callable[[], None], step: Callable[[str], None]) -> None:
        """Bind the functions for a press and for an arrow key."""
        # Its own bindings come before those of the list, whose arrow keys scroll; the class's are left out.
        kind = self.frame.winfo_class()
        others = [tag for tag in self.frame.bindtags() if tag not in (kind, str(self.frame))]
        self.frame.bindtags((str(self.frame), *others))
        self.frame.bind("<FocusIn>", lambda _event: self._focus(on=True), add="+")
        self.frame.bind("<FocusOut>", lambda _event: self._focus(on=False), add="+")
        for key in ("Up", "Down", "Home", "End"):
            self.frame.bind(f"<{key}>", lambda _event, key=key: _handle_arrow(step, key))  # type: ignore[misc]
        for key in ("space", "Return"):
            self.frame.bind(f"<{key}>", lambda _event: press())
        self._bind_press(self.frame, press)

    def set_state(self, *, chosen: bool, stop: bool) -> None:
        """Set whether the card is chosen, and whether Tab stops at it."""
        self._chosen = chosen
        self.frame.configure(takefocus=1 if stop else 0)
        self._update_colours()
        self._draw()

    def wrap(self, width: int) -> None:
        """Wrap the text for a card of this width in pixels."""
        px = self._theme.px
        face = self._face_size + 12 if self._face else 0
        room = width - px(2 * self._padding + TICK + 10) - px(face)
        for label in self._labels:
            label.wrap_to(max(px(80), room))

    def _bind_press(self, widget: tk.Misc, press: Callable[[], None]) -> None:
        widget.bind("<Button-1>", lambda _event: press())
        for child in widget.winfo_children():
            self._bind_press(child, press)

    def _focus(self, *, on: bool) -> None:
        self._focused = on
        self._draw()

    def _add_face(self) -> tk.Label | None:
        if not self._view.portrait_name:
            return None
        theme = self._theme
        face = tk.Label(self._inside, bd=0)
        face.grid(row=0, rowspan=4, column=theme.column(0, 3), sticky="n", padx=theme.padx(0, 12))
        return face

    def _add_labels(self) -> None:
        view, c = self._view, self._theme.colours
        parts = (
            (view.title, "bold", c.ink),
            (view.text, "small", c.muted),
            (view.warning, "small_bold", c.warning),
            (view.footer, "small_bold", c.muted),
        )
        for row, (text, font, colour) in enumerate(parts):
            if text:
                label = self._theme.label(self._inside, text, font, colour)
                label.grid(
                    row=row,
                    column=self._theme.column(1, 3),
                    sticky=self._theme.west,
                    pady=(self._theme.px(3) if row else 0, 0),
                )
                self._labels.append(label)

    @property
    def _background(self) -> str:
        c = self._theme.colours
        return c.mine_soft if self._chosen else c.card if self.selectable else c.ground

    def _update_colours(self) -> None:
        """Set the background of everything on the card to the card's colour."""
        for widget in (self._inside, self._tick, *self._inside.winfo_children()):
            widget.configure(bg=self._background)  # type: ignore[call-arg]  # only frames and labels
        colour = self._theme.colours.primary if self._chosen else self._background
        self._tick.configure(image=self._theme.icon("check", colour, TICK))
        if self._face is not None:
            size, person = self._theme.px(self._face_size), character_for(self._view.portrait_name)
            self._portrait = self._theme.picture(
                draw_portrait(person, Expression.NEUTRAL, size, self._background)
            )
            self._face.configure(image=self._portrait)

    def _draw(self) -> None:
        size = self.frame.winfo_width(), self.frame.winfo_height()
        state = (*size, self._chosen, self._focused)
        if size[0] <= 1 or state == self._drawn:
            return
        self._drawn = state
        c, px = self._theme.colours, self._theme.px
        corner, thin = px(CORNER), max(1.0, self._theme.scale)
        image = rounded(
            (2 * corner + 1, 2 * corner + 1),
            px(9),
            face=self._background,
            edge=c.primary if self._chosen else c.edge,
            width=2 * thin if self._chosen else thin,
            ground=c.card,
            ring=c.focus if self._focused else "",
            ring_width=2 * thin if self._focused else 0,
            gap=thin if self._focused else 3 * thin,
        )
        middle = max(1, size[0] - 2 * corner), max(1, size[1] - 2 * corner)
        self._picture = self._theme.picture(stretched(image, corner, middle))
        self._ground.configure(image=self._picture)


def _handle_arrow(step: Callable[[str], None], key: str) -> str:
    step(key)
    return "break"
