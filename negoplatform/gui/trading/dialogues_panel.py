"""Dialogues: a tab for each of the others, and the proposals of the chosen one as cards."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from functools import partial
from tkinter import ttk
from typing import Any

from negoplatform.domain.seat_map import Seat
from negoplatform.gui.plots.seat_mark_picture import SeatMarkPictures
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.trading.proposal_card import ProposalCard, ProposalCardActions
from negoplatform.gui.widgets.flow_layout import FlowLayout
from negoplatform.gui.widgets.scrolled_frame import ScrolledFrame
from negoplatform.presentation.trading.proposal_cards import DialoguesView, ProposalCardView

MARK, GAP = 12, 6
"""Size of a mark, and gap between two proposals, for 96 dpi."""

SHARE, LOW_SHARE, LOW = 0.5, 0.38, 560
"""Share of the column's height that the panel takes, and that of a column lower than LOW, at 96 dpi."""

LOWEST, HIGHEST = 138, 360
"""Limits of the panel's height, for 96 dpi."""

COUNT_WIDTH = 4
"""Characters of a tab that are kept free for the number of proposals."""

AT_END = 0.995
"""Position of the view's lower edge from which it counts as scrolled to the end."""


class DialoguesPanel:
    """List of the proposals; it stays at the newest one unless the participant has scrolled up.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        actions: Callbacks of the buttons on cards.
        on_choose: Called with the seat of a tab.
        focus_home: Called when the focused button is removed.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        *,
        actions: ProposalCardActions,
        on_choose: Callable[[Seat], None],
        focus_home: Callable[[], None],
    ) -> None:
        self._theme, self._actions = theme, actions
        self._on_choose, self._focus_home = on_choose, focus_home
        self._marks = SeatMarkPictures(theme)
        self._shown: DialoguesView | None = None
        self._tabs: dict[Seat, ttk.Button] = {}
        self.cards: dict[int, ProposalCard] = {}
        """The cards that are shown, by the ids of their proposals."""
        px = theme.px
        self.frame = theme.frame(parent)
        self.frame.pack_propagate(False)
        theme.rule(self.frame).pack(side="bottom", fill="x", pady=(px(GAP), 0))
        self._title = theme.label(self.frame, theme.translate("Proposals"), "bold")
        self._flow = FlowLayout(self.frame, theme, gap=4)
        self._list = ScrolledFrame(self.frame, theme, width=300, height=4000, on_scroll=self._note_seen)
        # Over the list, which stays as it is while it is used.
        self._below_button = theme.button(self.frame, "", "Small.Toggle.TButton", self._go_to_new)
        self._below_button.configure(takefocus=0)
        self._unseen: set[int] = set()
        self._empty = theme.label(self._list.inside, "", "small", theme.colours.muted, wrap=380)
        self._earlier = theme.label(self._list.inside, "", "small", theme.colours.muted)
        self._title.pack(anchor=theme.west, padx=px(2))
        self._list.frame.pack(fill="both", expand=True, pady=(px(4), 0))
        self._list.canvas.bind("<Configure>", lambda event: self._resized(event.width), add="+")
        # Space before and after the cards, so that the one in use stays where it is.
        self._above, self._below = (tk.Frame(self._list.inside, bg=theme.colours.card) for _ in range(2))
        self._follows_end = False
        self._list.frame.bind("<Leave>", lambda _event: self._left())
        self._width = 0

    def show(self, view: DialoguesView) -> None:
        """Show the dialogues."""
        if view == self._shown:
            return
        before, self._shown = self._shown, view
        self._show_tabs(view)
        follows = self._follows_end or self._is_at_end
        used = self._used_card()
        if before is None or before.chosen != view.chosen:
            self._remove(set(self.cards))
            follows, used = True, None
        place = 0 if used is None else self._top_of(used) - self._scrolled
        wanted = {card.proposal_id for card in view.cards}
        self._remove(set(self.cards) - wanted)
        added = [card for card in view.cards if self._show_card(card)]
        self._write_around(view)
        follows = follows or any(card.is_mine for card in added)
        if used in self.cards.values() and used is not None:
            self._keep_place(used, place)
            self._follows_end = follows
            self._unseen = (self._unseen | {card.proposal_id for card in added}) & set(self.cards)
            self._show_unseen()
            return
        if self._follows_end or self._is_spaced:
            self._release()
        if follows and (view.cards or before is not None):
            self._scroll_to_end()

    def fit(self, height: int) -> None:
        """Take a share of a column of a height in pixels."""
        px = self._theme.px
        share = SHARE if height >= px(LOW) else LOW_SHARE
        own = round(min(px(HIGHEST), max(px(LOWEST), share * height)))
        if int(str(self.frame.cget("height"))) != own:
            self.frame.configure(height=own)

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the tabs and the buttons of the cards by name."""
        named: dict[str, tk.Misc] = {
            f"dialogue.{seat or 'all'}": button for seat, button in self._tabs.items()
        }
        for number, card in self.cards.items():
            named |= {f"card.{number}.{name}": button for name, button in card.buttons.items()}
        return named

    def place_of(self, proposal_id: int) -> tuple[int, int] | None:
        """Return the middle of a card in pixels of the screen; None if it is not shown."""
        card = self.cards.get(proposal_id)
        if card is None or not card.frame.winfo_viewable():
            return None
        frame = card.frame
        return (
            frame.winfo_rootx() + frame.winfo_width() // 2,
            frame.winfo_rooty() + frame.winfo_height() // 2,
        )

    # Tabs

    def _show_tabs(self, view: DialoguesView) -> None:
        theme = self._theme
        if not view.tabs:
            return
        if not self._tabs:
            self._title.pack_forget()
            self._flow.frame.pack(fill="x", before=self._list.frame)
            for tab in view.tabs:
                button = theme.button(
                    self._flow.frame, "", "Small.Toggle.TButton", partial(self._on_choose, tab.seat)
                )
                # With room for a number, so that none of them moves when a proposal comes.
                button.configure(width=-(len(tab.name) + COUNT_WIDTH))
                if tab.mark is not None:
                    picture = self._marks.get(tab.mark, theme.px(MARK))
                    button.configure(image=picture, compound=theme.start)
                self._tabs[tab.seat] = button
            self._bind_arrows()
        changed = False
        for tab in view.tabs:
            button = self._tabs[tab.seat]
            width = button.winfo_reqwidth()
            theme.set_button_text(button, tab.title)
            changed = changed or button.winfo_reqwidth() != width
            chosen = tab.seat == view.chosen
            style = "Chosen.Small.Toggle.TButton" if chosen else "Small.Toggle.TButton"
            if str(button.cget("style")) != style:
                button.configure(style=style)
            button.configure(takefocus=chosen)
        if changed and self._width:
            self._flow.lay_out(self._width)

    def _bind_arrows(self) -> None:
        seats, on = list(self._tabs), -1 if self._theme.rtl else 1
        for index, button in enumerate(self._tabs.values()):
            for key, step in (("Right", on), ("Left", -on)):
                to = seats[(index + step) % len(seats)]
                button.bind(f"<{key}>", partial(self._go_to_tab, to))

    def _go_to_tab(self, seat: Seat, _event: object) -> str:
        self._tabs[seat].focus_set()
        self._on_choose(seat)
        return "break"

    # Cards

    def _show_card(self, view: ProposalCardView) -> bool:
        """Show a card; return whether it is a new one."""
        known = self.cards.get(view.proposal_id)
        if known is not None:
            known.show(view)
            return False
        card = ProposalCard(
            self._list.inside,
            self._theme,
            view,
            marks=self._marks,
            actions=self._actions,
            focus_home=self._focus_home,
        )
        if self._width:
            card.wrap(self._width)
        px = self._theme.px
        card.frame.pack(fill="x", pady=(0, px(GAP)), padx=px(1))
        self.cards[view.proposal_id] = card
        self._list.bind_scrolling(card.frame)
        return True

    def _remove(self, numbers: set[int]) -> None:
        focus = str(self.frame.tk.call("focus"))
        for number in numbers:
            card = self.cards.pop(number)
            had_focus = focus.startswith(f"{card.frame}.")
            card.frame.destroy()
            if had_focus:
                self._focus_home()

    def _write_around(self, view: DialoguesView) -> None:
        """Show what stands where there are no cards, or before the first."""
        for label, text in ((self._empty, "" if view.cards else view.empty), (self._earlier, view.earlier)):
            label.write(text)
            if not text:
                label.pack_forget()
            elif not label.winfo_manager():
                label.pack(anchor=self._theme.west, padx=self._theme.px(2))
                first = next(iter(self.cards.values()), None)
                if first is not None:
                    label.pack_configure(before=first.frame)

    # Position of the list

    @property
    def _is_at_end(self) -> bool:
        return self._list.canvas.yview()[1] >= AT_END

    @property
    def _scrolled(self) -> int:
        """Distance in pixels by which the list is scrolled."""
        return round(float(self._list.canvas.canvasy(0)))

    def _used_card(self) -> ProposalCard | None:
        """Return the card at which the pointer is, or that has the focus; None if there is none."""
        focus = str(self.frame.tk.call("focus"))
        cards = list(self.cards.values())
        focused = next((card for card in cards if focus.startswith(f"{card.frame}.")), None)
        if not self._has_pointer:
            return focused
        y = self._list.canvas.winfo_pointery() - self._list.canvas.winfo_rooty() + self._scrolled
        # Between two cards, or below the last one, it is the one above.
        above = [card for card in cards if self._top_of(card) <= y]
        return above[-1] if above else next(iter(cards), None)

    @property
    def _has_pointer(self) -> bool:
        canvas = self._list.canvas
        if not canvas.winfo_viewable():
            return False
        x, y = canvas.winfo_pointerxy()
        x, y = x - canvas.winfo_rootx(), y - canvas.winfo_rooty()
        return 0 <= x < canvas.winfo_width() and 0 <= y < canvas.winfo_height()

    def _top_of(self, card: ProposalCard) -> int:
        """Return the upper edge of a card in the list in pixels, from what the widgets above it request."""
        packed = self._list.inside.pack_slaves()
        above = packed[: packed.index(card.frame)]
        return sum(_requested_height(widget) for widget in above)

    def _keep_place(self, card: ProposalCard, place: int) -> None:
        """Scroll so that a card is as far below the upper edge as before, with free space where needed."""
        inside, canvas = self._list.inside, self._list.canvas
        for space in (self._above, self._below):
            space.pack_forget()
        inside.update_idletasks()
        scrolled, height = self._top_of(card) - place, canvas.winfo_height()
        above = max(0, -scrolled)
        below = max(0, scrolled + height - inside.winfo_reqheight()) if scrolled > 0 else 0
        if above:
            self._above.configure(height=above)
            self._above.pack(fill="x", before=inside.pack_slaves()[0])
        if below:
            self._below.configure(height=below)
            self._below.pack(fill="x")
        inside.update_idletasks()
        self._list.fit()
        canvas.yview_moveto((scrolled + above) / max(1, inside.winfo_reqheight()))

    def _left(self) -> None:
        """Go to the newest card once the pointer is elsewhere, if the list was there before it came."""
        if self._has_pointer or not (self._follows_end or self._is_spaced):
            return
        follows = self._follows_end
        self._release()
        if follows:
            self._scroll_to_end()

    @property
    def _is_spaced(self) -> bool:
        """Whether there is free space around the cards."""
        return bool(self._above.winfo_manager() or self._below.winfo_manager())

    def _note_seen(self) -> None:
        """Take new cards for seen: the participant scrolls."""
        self._unseen.clear()
        self._show_unseen()

    def _show_unseen(self) -> None:
        """Show how many new cards are below what is shown."""
        end = self._scrolled + self._list.canvas.winfo_height()
        self._unseen = {number for number in self._unseen if self._top_of(self.cards[number]) + MARK > end}
        if not self._unseen:
            self._below_button.place_forget()
            return
        words = self._theme.translate.plural(
            "{n} new proposal below", "{n} new proposals below", len(self._unseen)
        )
        self._theme.set_button_text(self._below_button, words)
        self._below_button.place(in_=self._list.frame, relx=0.5, rely=1.0, anchor="s")
        self._below_button.lift()

    def _go_to_new(self) -> None:
        self._release()
        self._scroll_to_end()

    def _release(self) -> None:
        """Take away the free space around the cards."""
        self._follows_end = False
        self._note_seen()
        for space in (self._above, self._below):
            space.pack_forget()
        self._list.inside.update_idletasks()
        self._list.fit()

    def _scroll_to_end(self) -> None:
        # A new card has its height only after the layout.
        self._list.inside.update_idletasks()
        self._list.fit()
        before = self._scrolled
        self._list.canvas.yview_moveto(1.0)
        if self._scrolled != before:
            for card in self.cards.values():
                card.note_moved()

    def _resized(self, width: int) -> None:
        width -= self._theme.px(6)
        if width > 1 and width != self._width:
            self._width = width
            self._empty.wrap_to(width)
            for card in self.cards.values():
                card.wrap(width)
            if self._tabs:
                self._flow.lay_out(width)


def _requested_height(widget: tk.Widget) -> int:
    """Return the height in pixels that a packed widget takes up in a column."""
    pady: Any = widget.pack_info()["pady"]
    outside = sum(pady) if isinstance(pady, tuple) else 2 * int(pady)
    return widget.winfo_reqheight() + outside
