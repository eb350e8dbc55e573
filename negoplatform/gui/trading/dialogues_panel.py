"""Dialogues: a tab for each of the others, and the proposals of the chosen one as cards."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from functools import partial
from tkinter import ttk

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
        self._list = ScrolledFrame(self.frame, theme, width=300, height=4000)
        self._empty = theme.label(self._list.inside, "", "small", theme.colours.muted, wrap=380)
        self._earlier = theme.label(self._list.inside, "", "small", theme.colours.muted)
        self._title.pack(anchor=theme.west, padx=px(2))
        self._list.frame.pack(fill="both", expand=True, pady=(px(4), 0))
        self._list.canvas.bind("<Configure>", lambda event: self._resized(event.width), add="+")
        self._width = 0

    def show(self, view: DialoguesView) -> None:
        """Show the dialogues."""
        if view == self._shown:
            return
        before, self._shown = self._shown, view
        self._show_tabs(view)
        was_at_end = self._is_at_end
        if before is None or before.chosen != view.chosen:
            self._remove(set(self.cards))
            was_at_end = True
        wanted = {card.proposal_id for card in view.cards}
        self._remove(set(self.cards) - wanted)
        added = [card for card in view.cards if self._show_card(card)]
        self._write_around(view)
        if added and (was_at_end or any(card.is_mine for card in added)):
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

    @property
    def _is_at_end(self) -> bool:
        return self._list.canvas.yview()[1] >= AT_END

    def _scroll_to_end(self) -> None:
        # The new card has its height only after the layout.
        self._list.inside.update_idletasks()
        self._list.canvas.yview_moveto(1.0)
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
