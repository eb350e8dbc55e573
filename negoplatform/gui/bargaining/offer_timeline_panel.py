"""Strip above the talk: a mark for every offer, in order, at the height of its worth to the participant."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence

from PIL import ImageTk

from negoplatform.gui.plots.plot_image import shapes_image
from negoplatform.gui.theming.screen_reader_names import set_accessible_name
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.transcript.offer_card_index import OFFERS
from negoplatform.gui.widgets.floating_card import FloatingCard
from negoplatform.gui.widgets.label_pairs import build_pair_row
from negoplatform.gui.widgets.tooltip import Tooltip
from negoplatform.presentation.bargaining.offer_timeline_layout import (
    HEIGHT,
    PAD,
    TimelineMark,
    mark_height,
    nearest_mark,
    place_marks,
    timeline_drawing,
)
from negoplatform.presentation.offers.offer_valuation import comparison_colour
from negoplatform.presentation.transcript.transcript_entries import TranscriptEntry

GAP = 6.0
"""Space between the strip and the words at its end, in pixels at 96 dpi."""

POPUP = 240
"""Text width of an offer's popup, in pixels at 96 dpi."""


class OfferTimelinePanel:
    """Strip of offers; a popup below the strip describes the mark under the pointer or the arrow keys.

    Pressing a mark scrolls the talk to its offer; pressing a second mark compares the two offers.

    Args:
        parent: Parent widget; the strip is packed above its other contents.
        theme: Theme of the window.
        above: Widget above which the strip is packed; a child of the same parent.
        on_pick: Called with the ``seq`` of an offer that was pressed.
        on_compare: Called with the ``seq`` of two offers that were pressed one after the other.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        *,
        above: tk.Misc,
        on_pick: Callable[[int], None],
        on_compare: Callable[[int, int], None],
    ) -> None:
        self._theme, self._parent, self._above = theme, parent, above
        self._on_pick, self._on_compare = on_pick, on_compare
        self._offers: list[TranscriptEntry] = []
        self._marks: tuple[TimelineMark, ...] = ()
        self._no_deal = 0.0
        self._popup_index: int | None = None
        self._at: int | None = None
        self._chosen: int | None = None
        self._popup: tk.Frame | None = None
        self._picture: ImageTk.PhotoImage | None = None
        self._width = 0
        self.folded = False
        c, px = theme.colours, theme.px
        self.frame = theme.frame(parent)
        line = theme.frame(self.frame)
        line.pack(fill="x", padx=px(4), pady=(px(2), 0))
        self.fold = theme.button(
            line, theme.translate("Offers"), "Small.Quiet.TButton", self.toggle, icon="chevron_up"
        )
        self.fold.pack(side=theme.start, anchor="n")
        Tooltip(theme, self.fold, theme.translate("Show or hide all offers in order"))
        self._summary = theme.label(line, "", "small", c.muted)
        self.canvas = tk.Canvas(
            line,
            height=px(HEIGHT),
            width=px(100),
            bg=c.card,
            bd=0,
            highlightthickness=px(2),
            highlightbackground=c.card,
            highlightcolor=c.focus,
            takefocus=1,
            cursor="hand2",
        )
        self.canvas.pack(side=theme.start, fill="x", expand=True)
        set_accessible_name(
            self.canvas, "Canvas", theme.translate("All offers and what they’re worth to you")
        )
        theme.rule(self.frame).pack(fill="x", side="bottom")
        self._item = self.canvas.create_image(0, 0, anchor="nw")
        self._words = self.canvas.create_text(
            0,
            0,
            anchor=theme.east,
            font=theme.font("small"),
            fill=c.muted,
            text=theme.visual_order(theme.translate("no deal")),
        )
        # At the end of its line, where no mark can cover it.
        self._words_width = theme.font("small").measure(theme.translate("no deal")) / theme.scale
        self._bind()

    def add(self, lines: Sequence[TranscriptEntry]) -> None:
        """Add the offers among some entries of the talk."""
        offers = [line for line in lines if line.kind in OFFERS]
        if not offers:
            return
        self._offers += offers
        self._draw()
        self._summarise()
        if not self.frame.winfo_manager():
            self.frame.pack(side="top", fill="x", before=self._above)

    def show(self, no_deal: float) -> None:
        """Show the value of no deal, as a share of the participant's best result."""
        if no_deal != self._no_deal:
            self._no_deal = no_deal
            self._draw()

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the controls by name."""
        return {"timeline": self.canvas, "timeline.fold": self.fold} if self._offers else {}

    def close(self) -> bool:
        """Hide the popup and clear the selection; return whether there was either."""
        was_open = self._popup_index is not None or self._chosen is not None
        self._show_popup(None)
        self._choose(None)
        return was_open

    # Building and drawing

    def _bind(self) -> None:
        canvas = self.canvas
        canvas.bind("<Configure>", self._sized)
        canvas.bind("<Motion>", lambda event: self._show_popup(self._near(event)))
        canvas.bind("<Leave>", lambda _event: self._show_popup(None))
        canvas.bind("<FocusOut>", lambda _event: self._show_popup(None))
        canvas.bind("<Button-1>", lambda event: self._press(self._near(event)))
        canvas.bind("<Left>", lambda _event: self._move_selection(1 if self._theme.rtl else -1))
        canvas.bind("<Right>", lambda _event: self._move_selection(-1 if self._theme.rtl else 1))
        for key in ("<Return>", "<KP_Enter>", "<space>"):
            canvas.bind(key, lambda _event: self._press(self._at))
        canvas.bind("<Escape>", lambda _event: self._escape())

    def _sized(self, event: tk.Event[tk.Misc]) -> None:
        if event.width != self._width:
            self._width = event.width
            self._draw()

    def _draw(self) -> None:
        edge = int(str(self.canvas.cget("highlightthickness")))
        across = (self._width - 2 * edge) / self._theme.scale
        if across <= 1:
            return
        rtl, end = self._theme.rtl, self._words_width + GAP
        self._marks = place_marks(self._offers, across, end=end, rtl=rtl)
        drawing = timeline_drawing(
            self._marks,
            across,
            end=end,
            rtl=rtl,
            no_deal=self._no_deal,
            chosen=self._chosen,
            colours=self._theme.colours,
            title="",
        )
        self._picture = self._theme.picture(shapes_image(drawing, self._theme.scale))
        self.canvas.itemconfigure(self._item, image=self._picture)
        self.canvas.coords(self._item, edge, edge)
        theme = self._theme
        level = edge + theme.px(mark_height(self._no_deal))
        self.canvas.coords(self._words, edge + theme.px(PAD if rtl else across - PAD), level)

    def _summarise(self) -> None:
        self._summary.write(
            self._theme.translate.plural("{n} offer so far", "{n} offers so far", len(self._offers))
        )

    def toggle(self) -> None:
        """Fold the strip to a line, or unfold it."""
        theme = self._theme
        self.folded = not self.folded
        self.close()
        icon = "chevron_down" if self.folded else "chevron_up"
        self.fold.configure(image=theme.icon(icon, theme.colours.muted))
        if self.folded:
            self.canvas.pack_forget()
            self._summary.pack(side=theme.start, padx=theme.padx(6, 0))
        else:
            self._summary.pack_forget()
            self.canvas.pack(side=theme.start, fill="x", expand=True)

    # Pointer, arrow keys and presses

    def _near(self, event: tk.Event[tk.Misc]) -> int | None:
        edge = int(str(self.canvas.cget("highlightthickness")))
        return nearest_mark(self._marks, (event.x - edge) / self._theme.scale)

    def _move_selection(self, by: int) -> str:
        if self._offers:
            start = (-1 if by > 0 else 0) if self._at is None else self._at
            self._show_popup((start + by) % len(self._offers))
        return "break"

    def _press(self, index: int | None) -> str:
        if index is None:
            self._choose(None)
            return "break"
        before = self._chosen
        compares = before is not None and before != index
        self._show_popup(None)
        self._choose(None if before is not None else index)
        self._on_pick(self._offers[index].seq)
        if compares and before is not None:
            self._on_compare(self._offers[before].seq, self._offers[index].seq)
        return "break"

    def _escape(self) -> str | None:
        return "break" if self.close() else None

    def _choose(self, index: int | None) -> None:
        if index != self._chosen:
            self._chosen = index
            self._draw()

    def _show_popup(self, index: int | None) -> None:
        """Show an offer's popup below its mark; None hides it."""
        if index == self._popup_index:
            return
        self._popup_index = index
        self._at = self._at if index is None else index
        if self._popup is not None:
            self._popup.destroy()
            self._popup = None
        if index is not None:
            self._popup = self._make_popup(self._offers[index], hint=self._hint(index))
            self._place_popup(self._popup, self._marks[index])

    def _hint(self, index: int) -> str:
        translate = self._theme.translate
        if self._chosen is None:
            return translate("Press to see it in the chat")
        return "" if self._chosen == index else translate("Press to compare the two")

    def _make_popup(self, line: TranscriptEntry, hint: str) -> tk.Frame:
        theme, px, c = self._theme, self._theme.px, self._theme.colours
        card = FloatingCard(self._parent, theme, padding=10)
        popup, inside = card.frame, card.inside
        heading = c.primary if line.is_mine else c.theirs_words
        theme.label(inside, line.text, "bold", heading, wrap=POPUP).pack(anchor=theme.west)
        for title, *cells in line.rows:
            build_pair_row(theme, inside, (title, _terms(line, cells)), width=POPUP, font="small", share=0.5)
        theme.label(inside, line.footer, "small", c.muted, wrap=POPUP).pack(anchor=theme.west)
        if line.verdict:
            colour = comparison_colour(line.versus, c) or c.muted
            theme.label(inside, line.verdict, "small", colour, wrap=POPUP).pack(anchor=theme.west)
        if hint:
            theme.label(inside, hint, "small", c.muted, wrap=POPUP).pack(anchor=theme.west, pady=(px(4), 0))
        return popup

    def _place_popup(self, popup: tk.Frame, mark: TimelineMark) -> None:
        popup.update_idletasks()
        canvas, parent = self.canvas, self._parent
        wide, gap = popup.winfo_reqwidth(), self._theme.px(2)
        middle = canvas.winfo_rootx() - parent.winfo_rootx() + round(mark.x * self._theme.scale)
        x = max(gap, min(middle - wide // 2, parent.winfo_width() - wide - gap))
        y = canvas.winfo_rooty() - parent.winfo_rooty() + canvas.winfo_height() + gap
        popup.place(x=x, y=y)
        popup.tkraise()


def _terms(line: TranscriptEntry, cells: Sequence[str]) -> str:
    """Return an offer's terms for one issue, on one line."""
    if len(cells) != len(line.columns):
        return "".join(cells)
    return ", ".join(f"{name} {cell}" for name, cell in zip(line.columns, cells, strict=True))
