"""Layout of transcript entries: bubbles, offers, notes, and the positions of their parts. No Tk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from negoplatform.presentation.transcript.entry_grouping import ALONE, GroupPosition
from negoplatform.presentation.transcript.layout_items import (
    AreaItem,
    Block,
    EmojiItem,
    IconItem,
    LayoutItem,
    PortraitItem,
    SeatMarkItem,
    TextLayout,
    TypingDotsItem,
    mirror_block,
    move_item,
)
from negoplatform.presentation.transcript.offer_card_layout import MAX_WIDTH as MAX_CARD_WIDTH
from negoplatform.presentation.transcript.offer_card_layout import (
    PLAIN_CARD,
    SIGN,
    OfferCardLayout,
    OfferCardState,
)
from negoplatform.presentation.transcript.transcript_entries import TranscriptEntry

MAX_WIDTH, MAX_SHARE, NARROW = 560, 0.8, 300
"""Maximum width of a bubble, in pixels at 96 dpi; its maximum share of the room; room without that limit."""

BEFORE, NARROW_BEFORE, AFTER = 18, 8, 36
"""Margin before the entries, the same in a narrow talk, and margin after them, in pixels at 96 dpi."""

WIDE_TALK = 420
"""Width below which a talk has smaller margins and no portraits, in pixels at 96 dpi."""

ACROSS, DOWN = 14, 9
"""Horizontal and vertical padding of a bubble, in pixels at 96 dpi."""

WITHIN, BETWEEN_GROUPS = 3, 14
"""Gap below an entry within its group, and below a group, in pixels at 96 dpi."""

EMOJI, DOTS = 13, 30
"""Size of the emoji next to a text about an emotion, and width of the typing dots, in pixels at 96 dpi."""

SEAT_MARK, LOCK = 11, 12
"""Sizes of the mark before a name, and of the lock before recipients, in pixels at 96 dpi."""

OWN_EMOTION, OWN_FACE, OWN_GAP = 28, 22, 6
"""Size of the participant's face as an entry and next to a bubble, and the gap there, in pixels at 96 dpi."""


class TranscriptLayout:
    """Layout of entries from left to right; the result is mirrored for right-to-left languages.

    ``width`` is the width of the whole column, ``face`` that of a portrait at the other side's entries; 0
    without portraits.

    Args:
        text_layout: Layout of texts.
    """

    def __init__(self, text_layout: TextLayout) -> None:
        px = text_layout.px
        self._text_layout = text_layout
        self._px = px
        self._end_margin = px(AFTER)
        self._gap = px(10)
        self._tight, self._wide = px(WITHIN), px(BETWEEN_GROUPS)
        self.width = px(400)
        self.face = 0

    def block(
        self,
        line: TranscriptEntry,
        position: GroupPosition = ALONE,
        *,
        named: bool = False,
        card: OfferCardState = PLAIN_CARD,
    ) -> Block:
        """Lay out an entry; ``named``: add the name above it, ``card``: state of an offer's card."""
        match line.kind:
            case "mine" | "theirs":
                made = self._bubble(line, position, named)
            case "offer_mine" | "offer_theirs" if card.mode == "folded":
                made = self._folded(line, position)
            case "offer_mine" | "offer_theirs":
                made = self._offer(line, position, named, card)
            case "emotion_mine":
                made = self._own_emotion(line, position)
            case "emotion_theirs":
                made = self._emotion(line, position)
            case "typing":
                made = self._dots(line, position, named)
            case "announcement":
                made = self._centred(line.text, "bold", "ink", mark=False)
            case "refusal":
                made = self._centred(line.text, "small_bold", "warning", mark=True)
            case _:
                made = self._centred(line.text, "small", "muted", mark=False)
        return mirror_block(made, self.width) if self._text_layout.rtl else made

    # Kinds of entries

    def _bubble(self, line: TranscriptEntry, position: GroupPosition, named: bool) -> Block:
        pad, high = self._px(ACROSS), self._px(DOWN)
        lines = self._text_layout.lines(line.text, "body", self._max_width(line) - 2 * pad)
        wide = max(self._px(20), self._text_layout.widest(lines, "body")) + 2 * pad
        top, name = self._name(line, position, named)
        area = self._area(
            line, position, top, (wide, self._text_layout.height("body", len(lines)) + 2 * high)
        )
        where = area.x + pad, top + high, wide - 2 * pad
        colour = "on_bubble" if line.is_mine and not line.address else "ink"
        words = self._text_layout.text_items(
            where, lines, "body", colour, self._text_layout.natural_alignment(line.text)
        )
        return self._enclose(line, position, area, [*name, area, *words])

    def _offer(
        self, line: TranscriptEntry, position: GroupPosition, named: bool, state: OfferCardState
    ) -> Block:
        pad, high = self._px(ACROSS), self._px(DOWN + 1)
        card = OfferCardLayout(line, self._max_width(line) - 2 * pad, self._text_layout, state)
        top, name = self._name(line, position, named and line.mark is None)
        size = card.width + 2 * pad, card.height + 2 * high
        look = {"standing": f"standing_{line.kind}", "open": "offer_old"}.get(state.mode, line.kind)
        edge = line.mark.colour if line.mark is not None and state.mode != "open" else ""
        area = replace(self._area(line, position, top, size), style=look, edge=edge)
        inside = [move_item(piece, area.x + pad, top + high) for piece in card.pieces]
        return self._enclose(line, position, area, [*name, area, *inside])

    def _dots(self, line: TranscriptEntry, position: GroupPosition, named: bool) -> Block:
        """Return a bubble as high as one line of text, because a message usually follows in its place."""
        pad, high, wide = self._px(ACROSS), self._px(DOWN), self._px(DOTS)
        top, name = self._name(line, position, named)
        row = self._text_layout.height("body")
        area = self._area(line, position, top, (wide + 2 * pad, row + 2 * high))
        dots = TypingDotsItem(area.x + pad, top + high, wide, row)
        return self._enclose(line, position, area, [*name, area, dots])

    def _emotion(self, line: TranscriptEntry, position: GroupPosition) -> Block:
        """Return a quiet row on the other side, aligned with the bubbles."""
        side, gap, pad, air = self._px(EMOJI), self._px(5), self._px(4), self._px(2)
        words = self._text_layout.line(line.text, "small", self._max_width(line) - side - gap)
        wide, row = side + gap + self._text_layout.widest(words, "small"), self._text_layout.height("small")
        x = self._start_margin + self._face_room + pad
        high = max(side, row) + 2 * air
        text = self._text_layout.text_items(
            (x + side + gap, (high - row) // 2, wide - side - gap), words, "small", "muted", "left"
        )
        face = [] if line.expression is None else [EmojiItem(x, (high - side) // 2, side, line.expression)]
        body = (x - pad, 0, x + wide + pad, high)
        return Block(high + self._below(position), (*face, *text), body)

    def _own_emotion(self, line: TranscriptEntry, position: GroupPosition) -> Block:
        """Return the participant's face alone; its words are shown with its time, and in the plain text."""
        side, air = self._px(OWN_EMOTION), self._px(2)
        x, high = self.width - self._end_margin - side, side + 2 * air
        face = [] if line.expression is None else [EmojiItem(x, air, side, line.expression)]
        return Block(high + self._below(position), tuple(face), (x - air, 0, x + side, high))

    def _folded(self, line: TranscriptEntry, position: GroupPosition) -> Block:
        """Return a replaced offer as one quiet line on its sender's side."""
        side, air = self._px(SIGN), self._px(3)
        sign = side + self._px(6)
        lines = self._text_layout.line(line.summary or line.text, "small", self._max_width(line) - sign)
        wide, height = self._text_layout.widest(lines, "small") + sign, self._text_layout.height("small")
        start = self._start_margin + self._face_room
        x = self.width - self._end_margin - wide if line.is_mine else start
        words = self._text_layout.text_items((x + sign, air, wide - sign), lines, "small", "muted", "left")
        mark = IconItem(x, air + (height - side) // 2, side, "chevron_down", "muted")
        body = (x - air, 0, x + wide + air, height + 2 * air)
        return Block(height + 2 * air + self._below(position), (mark, *words), body)

    def _centred(self, text: str, font: str, colour: str, *, mark: bool) -> Block:
        room = max(self._px(40), self.width - self._start_margin - self._end_margin)
        side = round(self._text_layout.height(font) * 1.05)
        sign = side + self._px(6) if mark else 0
        lines = self._text_layout.lines(text, font, round(0.9 * room) - sign)
        wide, top = self._text_layout.widest(lines, font), self._px(4)
        x = self._start_margin + (room - wide - sign) // 2
        words = self._text_layout.text_items((x + sign, top, wide), lines, font, colour, "middle")
        height, air = self._text_layout.height(font, len(lines)), self._px(6)
        signs = [PortraitItem(x, top, side, None)] if mark else []
        body = (x - air, 0, x + sign + wide + air, height + 2 * top)
        return Block(height + 2 * top + self._gap, (*signs, *words), body)

    # Parts of entries

    @property
    def width_of_card(self) -> int:
        """Inner width of the card of an offer of the other side."""
        most = self._widest(self.width - self._start_margin - self._end_margin - self._face_room)
        return min(most - 2 * self._px(ACROSS), self._px(MAX_CARD_WIDTH))

    def _max_width(self, line: TranscriptEntry) -> int:
        """Return the maximum width of an entry's bubble."""
        room = self.width - self._start_margin - self._end_margin - (self._face_room if line.is_theirs else 0)
        return self._widest(room)

    def _widest(self, room: int) -> int:
        """Return the maximum width of a bubble in a given room; all of it if the room is narrow."""
        px = self._px
        part = max(round(MAX_SHARE * room), min(room, px(NARROW)))
        return max(px(120), min(part, px(MAX_WIDTH)))

    @property
    def is_wide(self) -> bool:
        """Whether the talk is wide enough for portraits."""
        return self.width >= self._px(WIDE_TALK)

    @property
    def _start_margin(self) -> int:
        return self._px(BEFORE if self.is_wide else NARROW_BEFORE)

    @property
    def _face_room(self) -> int:
        return self.face + self._gap if self.face else 0

    def _area(
        self, line: TranscriptEntry, position: GroupPosition, top: int, size: tuple[int, int]
    ) -> AreaItem:
        x = self.width - self._end_margin - size[0] if line.is_mine else self._start_margin + self._face_room
        kind = "theirs" if line.kind == "typing" else line.kind
        if line.address:
            kind = f"{kind}_private"
        # The corner that points at the speaker belongs to the last bubble of a group.
        look = kind if position.closes or line.kind not in ("mine", "theirs") else f"{kind}_on"
        return AreaItem(x, top, *size, look)

    def _below(self, position: GroupPosition) -> int:
        return self._wide if position.ends else self._tight

    def _name(
        self, line: TranscriptEntry, position: GroupPosition, named: bool
    ) -> tuple[int, list[LayoutItem]]:
        """Return the height of the line above a bubble, and its parts: mark and name, and the recipients."""
        begins = position.begins and not line.kind.startswith("offer")
        who = line.who if line.is_theirs and (named or (begins and line.mark is not None)) else ""
        address = line.address if begins else ""
        if not (who or address):
            return 0, []
        parts: list[LayoutItem] = []
        width = self._add_speaker(parts, line, who) if who else 0
        width = self._add_address(parts, line, address, width) if address else width
        x = self._start_margin + self._face_room + self._px(2)
        if line.is_mine:
            x = self.width - self._end_margin - self._px(2) - width
        moved = [move_item(part, x, 0) for part in parts]
        return self._text_layout.height("small") + self._px(3), moved

    def _add_speaker(self, parts: list[LayoutItem], line: TranscriptEntry, who: str) -> int:
        """Add a speaker's mark and name; return their width."""
        layout, x, font, colour = self._text_layout, 0, "small", "muted"
        if line.mark is not None:
            side, font, colour = self._px(SEAT_MARK), "small_bold", line.mark.text_colour
            parts.append(SeatMarkItem(0, (layout.height(font) - side + 1) // 2, side, line.mark))
            x = side + self._px(5)
        words = layout.line(who, font, self._max_width(line) - x)
        width = layout.widest(words, font)
        parts += layout.text_items((x, 0, width), words, font, colour, "left")
        return x + width

    def _add_address(self, parts: list[LayoutItem], line: TranscriptEntry, address: str, x: int) -> int:
        """Add a lock and the recipients; return the width of the whole line."""
        layout = self._text_layout
        side, x = self._px(LOCK), x + (self._px(8) if x else 0)
        parts.append(IconItem(x, (layout.height("small") - side + 1) // 2, side, "lock", "ink"))
        x += side + self._px(3)
        words = layout.line(address, "small", max(self._px(40), self._max_width(line) - x))
        width = layout.widest(words, "small")
        parts += layout.text_items((x, 0, width), words, "small", "ink", "left")
        return x + width

    def _enclose(
        self, line: TranscriptEntry, position: GroupPosition, area: AreaItem, pieces: Sequence[LayoutItem]
    ) -> Block:
        """Return a block with a bubble or card and its contents, and the portrait if it closes its group."""
        right, bottom = area.x + area.width, area.y + area.height
        faces: list[LayoutItem] = []
        low = bottom
        if line.is_mine and position.closes and line.expression is not None:
            side = self._px(OWN_FACE)
            faces = [EmojiItem(right + self._px(OWN_GAP), bottom - side, side, line.expression)]
        if self.face and line.is_theirs and position.closes:
            # A portrait is as high as a line; next to a lower bubble it would extend beyond the block.
            top = max(0, bottom - self.face)
            faces = [PortraitItem(self._start_margin, top, self.face, line.face, line.sender)]
            low = max(bottom, self.face)
        return Block(low + self._below(position), (*pieces, *faces), (area.x, area.y, right, bottom))
