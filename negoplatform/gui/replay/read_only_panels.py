"""Panels of the participant's window, read-only, as an observer saw them."""

from __future__ import annotations

import tkinter as tk
from pathlib import Path

from PIL import Image

from negoplatform.core.events import Expression
from negoplatform.formats.log_header import Occupant
from negoplatform.gui.avatars.agent_avatar import Avatar, load_avatar
from negoplatform.gui.avatars.face_drawing import draw_emoji
from negoplatform.gui.avatars.small_portraits import SmallPortraits
from negoplatform.gui.bargaining.preferences_panel import priority_sections
from negoplatform.gui.bargaining.side_cards import BargainingSideCards
from negoplatform.gui.pictures.game_picture_set import GamePictureSet
from negoplatform.gui.pictures.issue_picture_cache import IssuePhotoCache
from negoplatform.gui.replay.moment_card import MomentCard
from negoplatform.gui.table.header_bar import HeaderBar
from negoplatform.gui.table.side_column import SideCards, SideColumn
from negoplatform.gui.theming.bidi_label import BidiLabel
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.transcript.transcript_view import Transcript
from negoplatform.presentation.agent_characters import character_for
from negoplatform.presentation.bargaining.priorities_layout import PrioritySection
from negoplatform.presentation.offers.term_texts import MANY_SEATS
from negoplatform.presentation.replay.replay_presenter import ReplayFrame, ReplayPresenter
from negoplatform.presentation.table.table_view import Gaze

LOWEST_LINE = 26
"""Minimum height of a line of the transcript at 96 dpi, which limits how many lines are in view."""

REST_MS = 250
"""Delay after the last jump until the rest of the transcript is filled in."""

NEWEST_LINES = 0.8
"""Height of the newest lines as a share of the transcript's, from its top."""

OFFER_LINES, MANY_OFFER_LINES = 2, 4
"""Number of lines for the offer below the transcript: usually, and with many seats."""

SMILEY = 256
"""Pixels at which the face of a person is drawn once; the log has no picture of people."""


def avatar_for(who: Occupant) -> Avatar:
    """Return an agent's avatar as the participant saw it, or a person's yellow emoji face."""
    if who.kind == "agent":
        named = who.config.get("avatar")
        file = Path(who.file) if who.file else None
        return load_avatar(named if isinstance(named, str) else None, file, name=who.name)
    return Avatar(character_for(who.name), {expression: _smiley(expression) for expression in Expression})


def _smiley(expression: Expression) -> Image.Image:
    return draw_emoji(expression, SMILEY)


class ObserverPanels:
    """Header, others, preferences, progress and transcript, as an observer saw them.

    Args:
        top: The parent of the header.
        left: The parent of the left column.
        middle: The card for the transcript.
        theme: The window's theme.
        presenter: The session as the observer saw it.
    """

    def __init__(
        self, top: tk.Misc, left: tk.Misc, middle: tk.Misc, theme: Theme, presenter: ReplayPresenter
    ) -> None:
        self._theme, self._presenter = theme, presenter
        self._shown_lines = 0
        self._later = ""
        participants, px = presenter.participants, theme.px
        avatars = {seat: avatar_for(participants.occupants[seat]) for seat in participants.others}
        self.header = HeaderBar(top, theme, on_rules=lambda: None, on_walk_away=lambda: None, buttons=False)
        self.header.frame.pack(fill="x")
        # A game's own PNG files are not part of a log.
        pictures = IssuePhotoCache(theme, GamePictureSet())
        self._side = SideColumn(
            left,
            theme,
            avatars,
            lambda parent: self._build_cards(parent, pictures),
            gaze_target=self._gaze_target,
        )
        self._side.frame.pack(fill="both", expand=True)
        self._transcript = Transcript(
            middle, theme, face=SmallPortraits(theme, avatars).get, pictures=pictures
        )
        self._own_label, self._offer_label = self._make_strip(middle)
        self._transcript.frame.pack(side="top", fill="both", expand=True, padx=px(2))
        self._transcript.canvas.bind("<Configure>", self._resized, add="+")
        self._transcript.canvas.bind("<Destroy>", lambda _event: self._cancel_fill(), add="+")

    @property
    def widgets(self) -> dict[str, tk.Misc]:
        """Widgets that can have the keyboard focus, by name."""
        return {"transcript": self._transcript.canvas, "text_view": self._transcript.text_view}

    @property
    def transcript(self) -> tk.Canvas:
        """Widget that shows the lines."""
        return self._transcript.canvas

    def show(self, position: int, t: float, *, follow: bool) -> ReplayFrame:
        """Show a moment; with ``follow``, scroll the transcript to its end from any position."""
        view = self._presenter.frame_at(position, t)
        self.show_frame(view, position, follow=follow)
        return view

    def show_frame(self, view: ReplayFrame, position: int, *, follow: bool) -> None:
        """Show the view at a position; with ``follow``, scroll the transcript to its end."""
        self.header.show(view.header)
        if view.moment is not None:
            assert isinstance(self._cards, MomentCard)
            changed = self._cards.show(view.moment)
        else:
            assert isinstance(self._cards, BargainingSideCards)
            changed = self._cards.show(self._sections(view), view.progress)
        self._side.show(view.others, view.last_speaker)
        if changed:
            self._side.rearrange()
        self._own_label.write(view.own)
        self._offer_label.write(view.offer)
        self._show_lines(self._presenter.line_count(position), follow=follow)

    def scroll_to_end(self) -> None:
        """Scroll the transcript to its end."""
        self._transcript.scroll_to_end()

    def _build_cards(self, parent: tk.Misc, pictures: IssuePhotoCache) -> SideCards:
        self._cards: BargainingSideCards | MomentCard
        if not self._presenter.bargains:
            self._cards = MomentCard(parent, self._theme)
            return SideCards(self._cards)
        self._cards = BargainingSideCards(parent, self._theme, pictures)
        return self._cards.cards

    def _sections(self, view: ReplayFrame) -> tuple[PrioritySection, ...]:
        return (
            view.sides if view.table is None else priority_sections(view.table.work, view.others, self._theme)
        )

    def _make_strip(self, middle: tk.Misc) -> tuple[BidiLabel, BidiLabel]:
        """Create the strip in place of the message field, for the observer's own side and the offer."""
        theme, px = self._theme, self._theme.px
        strip = theme.frame(middle)
        # Height of the longest content, so that the transcript never moves.
        lines = OFFER_LINES if len(self._presenter.participants.names) < MANY_SEATS else MANY_OFFER_LINES
        line = theme.font("small").metrics("linespace")
        high = theme.font("small_bold").metrics("linespace") + lines * line
        strip.configure(height=high + px(8))
        strip.pack_propagate(False)
        strip.pack(side="bottom", fill="x", padx=px(10), pady=px(4))
        theme.rule(middle).pack(side="bottom", fill="x")
        own = theme.label(strip, "", "small_bold", wrap=300)
        offer = theme.label(strip, "", "small", theme.colours.muted, wrap=300)
        for caption in (own, offer):
            caption.pack(anchor=theme.west, pady=(px(2), 0))
        return own, offer

    def _show_lines(self, count: int, *, follow: bool) -> None:
        """Append a few new lines; after a jump, or backwards, show only what can be in view at first."""
        lines, shown = self._presenter.lines, self._shown_lines
        self._shown_lines = count
        in_view = self._transcript.canvas.winfo_height() // self._theme.px(LOWEST_LINE) + 1
        if shown <= count <= shown + in_view:
            self._transcript.add(lines[shown:count])
            if follow and count > shown:
                self._transcript.scroll_to_end()
            return
        first = max(0, count - in_view)
        self._transcript.clear()
        self._transcript.add(lines[first:count])
        self._cancel_fill()
        if first:
            self._later = self._transcript.canvas.after(REST_MS, self._fill_transcript)

    def _fill_transcript(self) -> None:
        """Add the lines before those in view, once the dragging has ended."""
        self._later = ""
        self._transcript.clear()
        self._transcript.add(self._presenter.lines[: self._shown_lines])

    def _cancel_fill(self) -> None:
        if self._later:
            self._transcript.canvas.after_cancel(self._later)
            self._later = ""

    def _gaze_target(self, gaze: Gaze) -> tuple[int, int] | None:
        """Return the place of the participant's side: the strip below the transcript, or its newest lines."""
        canvas, strip = self._transcript.canvas, self._own_label
        if gaze == "line":
            return strip.winfo_rootx() + strip.winfo_width() // 2, strip.winfo_rooty()
        height = round(NEWEST_LINES * canvas.winfo_height())
        return canvas.winfo_rootx() + round(0.75 * canvas.winfo_width()), canvas.winfo_rooty() + height

    def _resized(self, event: tk.Event[tk.Misc]) -> None:
        room = event.width - self._theme.px(20)
        for caption in (self._own_label, self._offer_label):
            caption.wrap_to(room)
