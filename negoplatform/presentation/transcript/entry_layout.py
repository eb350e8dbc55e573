"""How a line of the transcript is laid out: bubbles, offers, notes; where each piece stands. No Tk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from negoplatform.core.events import Expression
from negoplatform.presentation.transcript.entry_grouping import ALONE, Place
from negoplatform.presentation.transcript.layout_items import (
    Area,
    Block,
    Dots,
    Emoji,
    Picture,
    Piece,
    Setter,
    Sign,
    mirrored,
    moved,
)
from negoplatform.presentation.transcript.offer_card_layout import PLAIN, SIGN, Card, CardState
from negoplatform.presentation.transcript.offer_card_layout import WIDEST as WIDEST_CARD
from negoplatform.presentation.transcript.transcript_entries import Line

WIDEST, LARGEST_PART, NARROW = 560, 0.8, 300
"""Of a bubble: for 96 dpi, and of the room that there is, unless that is less than the last; for 96 dpi."""

BEFORE, LITTLE_BEFORE, AFTER = 18, 8, 36
"""Room before the lines, in a narrow talk, and behind them; for 96 dpi."""

WIDE_TALK = 420
"""A talk that isn't as wide has less room before its lines and no faces beside them, for 96 dpi."""

ACROSS, DOWN = 14, 9
"""Room within a bubble, for 96 dpi."""

WITHIN, BETWEEN_GROUPS = 3, 14
"""Room below a line within its group, and below a group; for 96 dpi."""

EMOJI, DOTS = 13, 30
"""The size of the face beside the words about an emotion, and the width of the dots; for 96 dpi."""


class Layout:
    """Lays out lines, from where reading starts to where it ends; mirrored for right to left at last.

    ``width`` is that of the whole column, ``face`` that of a face beside the other side's lines: 0 if there
    is none.

    Args:
        setter: Sets words.
    """

    def __init__(self, setter: Setter) -> None:
        px = setter.px
        self._set = setter
        self._px = px
        self._after = px(AFTER)
        self._gap = px(10)
        self._tight, self._wide = px(WITHIN), px(BETWEEN_GROUPS)
        self.width = px(400)
        self.face = 0

    def block(
        self, line: Line, place: Place = ALONE, *, named: bool = False, card: CardState = PLAIN
    ) -> Block:
        """One line at its place in a group; ``named``: with a name above, ``card``: how an offer is shown."""
        match line.kind:
            case "mine" | "theirs":
                made = self._bubble(line, place, named)
            case "offer_mine" | "offer_theirs" if card.look == "folded":
                made = self._folded(line, place)
            case "offer_mine" | "offer_theirs":
                made = self._offer(line, place, named, card)
            case "emotion_mine" | "emotion_theirs":
                made = self._emotion(line, place)
            case "typing":
                made = self._dots(line, place, named)
            case "announcement":
                made = self._middle(line.text, "bold", "ink", mark=False)
            case "refusal":
                made = self._middle(line.text, "small_bold", "warning", mark=True)
            case _:
                made = self._middle(line.text, "small", "muted", mark=False)
        return mirrored(made, self.width) if self._set.rtl else made

    # Kinds of lines

    def _bubble(self, line: Line, place: Place, named: bool) -> Block:
        pad, high = self._px(ACROSS), self._px(DOWN)
        lines = self._set.lines(line.text, "body", self._most(line) - 2 * pad)
        wide = max(self._px(20), self._set.widest(lines, "body")) + 2 * pad
        top, name = self._name(line, named)
        area = self._area(line, place, top, (wide, self._set.height("body", len(lines)) + 2 * high))
        where = area.x + pad, top + high, wide - 2 * pad
        colour = "on_bubble" if line.mine else "ink"
        words = self._set.words(where, lines, "body", colour, self._set.side(line.text))
        return self._around(line, place, area, [*name, area, *words])

    def _offer(self, line: Line, place: Place, named: bool, state: CardState) -> Block:
        pad, high = self._px(ACROSS), self._px(DOWN + 1)
        card = Card(line, self._most(line) - 2 * pad, self._set, state)
        top, name = self._name(line, named)
        size = card.width + 2 * pad, card.height + 2 * high
        look = {"standing": f"standing_{line.kind}", "open": "offer_old"}.get(state.look, line.kind)
        area = replace(self._area(line, place, top, size), look=look)
        inside = [moved(piece, area.x + pad, top + high) for piece in card.pieces]
        return self._around(line, place, area, [*name, area, *inside])

    def _dots(self, line: Line, place: Place, named: bool) -> Block:
        """As high as a bubble with one row of words: one will stand here."""
        pad, high, wide = self._px(ACROSS), self._px(DOWN), self._px(DOTS)
        top, name = self._name(line, named)
        row = self._set.height("body")
        area = self._area(line, place, top, (wide + 2 * pad, row + 2 * high))
        dots = Dots(area.x + pad, top + high, wide, row)
        return self._around(line, place, area, [*name, area, dots])

    def _emotion(self, line: Line, place: Place) -> Block:
        """A quiet row at the side of whose face it is, in line with the bubbles."""
        side, gap, pad, air = self._px(EMOJI), self._px(5), self._px(4), self._px(2)
        words = self._set.line(line.text, "small", self._most(line) - side - gap)
        wide, row = side + gap + self._set.widest(words, "small"), self._set.height("small")
        x = self.width - self._after - pad - wide if line.mine else self._before + self._room_for_face + pad
        high = max(side, row) + 2 * air
        text = self._set.words(
            (x + side + gap, (high - row) // 2, wide - side - gap), words, "small", "muted", "left"
        )
        face = [] if line.expression is None else [Emoji(x, (high - side) // 2, side, line.expression)]
        body = (x - pad, 0, x + wide + pad, high)
        return Block(high + self._below(place), (*face, *text), body)

    def _folded(self, line: Line, place: Place) -> Block:
        """An offer that was replaced, as one quiet line at its side."""
        side, air = self._px(SIGN), self._px(3)
        sign = side + self._px(6)
        lines = self._set.line(line.summary or line.text, "small", self._most(line) - sign)
        wide, height = self._set.widest(lines, "small") + sign, self._set.height("small")
        start = self._before + self._room_for_face
        x = self.width - self._after - wide if line.mine else start
        words = self._set.words((x + sign, air, wide - sign), lines, "small", "muted", "left")
        mark = Sign(x, air + (height - side) // 2, side, "chevron_down", "muted")
        body = (x - air, 0, x + wide + air, height + 2 * air)
        return Block(height + 2 * air + self._below(place), (mark, *words), body)

    def _middle(self, text: str, font: str, colour: str, *, mark: bool) -> Block:
        room = max(self._px(40), self.width - self._before - self._after)
        side = round(self._set.height(font) * 1.05)
        sign = side + self._px(6) if mark else 0
        lines = self._set.lines(text, font, round(0.9 * room) - sign)
        wide, top = self._set.widest(lines, font), self._px(4)
        x = self._before + (room - wide - sign) // 2
        words = self._set.words((x + sign, top, wide), lines, font, colour, "middle")
        height, air = self._set.height(font, len(lines)), self._px(6)
        signs = [Picture(x, top, side, None)] if mark else []
        body = (x - air, 0, x + sign + wide + air, height + 2 * top)
        return Block(height + 2 * top + self._gap, (*signs, *words), body)

    # Parts of them

    @property
    def width_of_card(self) -> int:
        """The width inside of the card of an offer of the other side."""
        most = self._widest(self.width - self._before - self._after - self._room_for_face)
        return min(most - 2 * self._px(ACROSS), self._px(WIDEST_CARD))

    def _most(self, line: Line) -> int:
        """The width that a bubble may have."""
        room = self.width - self._before - self._after - (self._room_for_face if line.theirs else 0)
        return self._widest(room)

    def _widest(self, room: int) -> int:
        """The width of a bubble in so much room: all of it where that is little."""
        px = self._px
        part = max(round(LARGEST_PART * room), min(room, px(NARROW)))
        return max(px(120), min(part, px(WIDEST)))

    @property
    def is_wide(self) -> bool:
        """Whether there is room for faces."""
        return self.width >= self._px(WIDE_TALK)

    @property
    def _before(self) -> int:
        return self._px(BEFORE if self.is_wide else LITTLE_BEFORE)

    @property
    def _room_for_face(self) -> int:
        return self.face + self._gap if self.face else 0

    def _area(self, line: Line, place: Place, top: int, size: tuple[int, int]) -> Area:
        x = self.width - self._after - size[0] if line.mine else self._before + self._room_for_face
        kind = "theirs" if line.kind == "typing" else line.kind
        # The corner that points to whoever speaks is the last bubble's of a group.
        look = kind if place.closes or kind not in ("mine", "theirs") else f"{kind}_on"
        return Area(x, top, *size, look)

    def _below(self, place: Place) -> int:
        return self._wide if place.ends else self._tight

    def _name(self, line: Line, named: bool) -> tuple[int, list[Piece]]:
        """The room above a bubble for whose it is, and the name itself."""
        if not (named and line.theirs and line.who):
            return 0, []
        lines = self._set.line(line.who, "small", self._most(line))
        place = self._before + self._room_for_face + self._px(2), 0, self._set.widest(lines, "small")
        words = self._set.words(place, lines, "small", "muted", "left")
        return self._set.height("small") + self._px(3), words

    def _around(self, line: Line, place: Place, area: Area, pieces: Sequence[Piece]) -> Block:
        """A bubble or card with what is in it, and with the portrait where it closes its group."""
        right, bottom = area.x + area.width, area.y + area.height
        faces = []
        low = bottom
        if self.face and line.theirs and place.closes:
            # A face is as high as a line; beside a lower bubble it would stand out of the block.
            top = max(0, bottom - self.face)
            faces = [Picture(self._before, top, self.face, line.expression or Expression.NEUTRAL)]
            low = max(bottom, self.face)
        return Block(low + self._below(place), (*pieces, *faces), (area.x, area.y, right, bottom))
