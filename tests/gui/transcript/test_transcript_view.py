"""Positions of a transcript's words, computed without a window."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import pytest

from negoplatform.core.events import Expression
from negoplatform.presentation.transcript.entry_grouping import GroupPosition, first_affected, group_position
from negoplatform.presentation.transcript.entry_layout import TranscriptLayout
from negoplatform.presentation.transcript.layout_items import (
    MAX_LINES_PER_ITEM,
    AreaItem,
    Block,
    EmojiItem,
    PortraitItem,
    TextItem,
    TextLayout,
    TypingDotsItem,
)
from negoplatform.presentation.transcript.text_metrics import (
    MAX_WIDTHS,
    TextMetrics,
    drawable_text,
    is_rtl_text,
    visual_order,
)
from negoplatform.presentation.transcript.transcript_entries import TranscriptEntry
from negoplatform.presentation.transcript.virtual_column import VirtualColumn

SHALOM = "שלום"
MOLAHS = "םולש"

OFFER = TranscriptEntry(
    "offer_theirs",
    "Rowan",
    "Rowan’s offer",
    ("You", "Rowan", "Undecided"),
    (("Bananas", "4", "0", "1"), ("Day", "Sunday")),
    "27 points for you",
    t=61,
)

LARGE = TranscriptEntry(
    "offer_mine",
    "You",
    "Your offer",
    ("You", "A" * 30, "B" * 30, "C", "Undecided"),
    (
        ("An issue with a very long title", "1", "2", "3", "4", "5"),
        ("Day", "whichever day suits us all " * 3),
    ),
    "1 point for you",
)


def fixed(text: str) -> int:
    """Return a text's width in a font in which every character is 10 wide."""
    return 10 * len(text)


def layout(width: int = 600, *, rtl: bool = False, face: int = 0) -> TranscriptLayout:
    fonts = {name: TextMetrics(fixed, 20) for name in ("body", "bold", "small", "small_bold")}
    made = TranscriptLayout(TextLayout(fonts, round, rtl=rtl, needs_reordering=True))
    made.width, made.face = width, face
    return made


def area(block: Block) -> AreaItem:
    return next(piece for piece in block.pieces if isinstance(piece, AreaItem))


def words(block: Block) -> list[TextItem]:
    return [piece for piece in block.pieces if isinstance(piece, TextItem)]


def said(block: Block) -> list[str]:
    return [line for piece in words(block) for line in piece.lines]


# Words


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("one two three", ["one two", "three"]),
        ("one\n\ntwo", ["one", "", "two"]),
        ("", [""]),
        ("abcdefghijklmnopqrstuvwxyz", ["abcdefghij", "klmnopqrst", "uvwxyz"]),
        ("no abcdefghijkl yes", ["no", "abcdefghij", "kl yes"]),
        ("a  b", ["a  b"]),
        ("exactly te", ["exactly te"]),
    ],
)
def test_lines_break_between_words_and_within_what_is_too_long(text: str, lines: list[str]) -> None:
    assert TextMetrics(fixed, 20).wrap(text, 100) == lines


def test_a_letter_and_its_accent_stay_together() -> None:
    pieces = TextMetrics(fixed, 20).wrap("e\u0301" * 12, 90)

    assert "".join(pieces) == "e\u0301" * 12
    assert all(piece[0] == "e" for piece in pieces)


def test_nothing_is_lost_where_there_is_no_room_at_all() -> None:
    assert TextMetrics(fixed, 20).wrap("abc", 0) == ["a", "b", "c"]


def test_a_word_of_ten_thousand_letters_is_measured_letter_by_letter() -> None:
    asked: list[str] = []
    widths = TextMetrics(lambda text: asked.append(text) or fixed(text), 20)  # type: ignore[func-returns-value]  # notes

    lines = widths.wrap("ab" * 5000, 100)

    assert {len(line) for line in lines} == {10}
    assert max(map(len, asked)) == 1


def test_a_word_is_measured_once_and_words_are_forgotten_in_the_end() -> None:
    asked: list[str] = []
    widths = TextMetrics(lambda text: asked.append(text) or fixed(text), 20)  # type: ignore[func-returns-value]  # notes
    for _ in range(3):
        widths.width("one two one")

    assert sorted(asked) == [" ", "one", "two"]
    for number in range(MAX_WIDTHS + 5):
        widths.width(f"word{number}")
    assert len(widths._cache) <= MAX_WIDTHS + 1


def test_a_line_is_shortened_with_a_sign() -> None:
    widths = TextMetrics(fixed, 20)

    assert widths.shorten("Rowan", 50) == "Rowan"
    assert widths.shorten("Maximilian", 50) == "Maxi…"


def test_what_cannot_be_drawn_is_not_drawn() -> None:
    assert drawable_text("a\tb\r\nc\u2028d") == "a    b\nc\nd"
    assert drawable_text("\x1b[31m\x00\ud800") == "\ufffd[31m\ufffd\ufffd"
    assert drawable_text("hid\U000e0068\u3164\u061cd\ufe00en\U000e0100") == "hidden"
    assert drawable_text("in\u200bvi\u202esib\ufeffle \u200dhere") == "invisible here"
    assert drawable_text("[exit] $x {a} \\n ;") == "[exit] $x {a} \\n ;"


def test_the_first_letter_says_how_a_text_is_read() -> None:
    assert is_rtl_text(f"12: {SHALOM} Rowan")
    assert not is_rtl_text(f"12: Rowan {SHALOM}", otherwise=True)
    assert is_rtl_text("12:41", otherwise=True)
    assert not is_rtl_text("… 12:41")


def test_a_line_is_drawn_in_the_order_of_the_whole_text() -> None:
    assert visual_order(SHALOM, rtl=True) == MOLAHS
    assert visual_order(f"{SHALOM} Rowan", rtl=True) == f"Rowan {MOLAHS}"
    assert visual_order(f"{SHALOM} Rowan", rtl=False) == f"{MOLAHS} Rowan"
    assert visual_order("grain?", rtl=True) == "?grain"
    assert visual_order("grain?", rtl=False) == "grain?"


# Bubbles, offers and notes


def test_what_is_mine_stands_at_the_end_and_what_is_theirs_at_the_start() -> None:
    mine, theirs = (layout().block(TranscriptEntry(kind, "Rowan", "Hello")) for kind in ("mine", "theirs"))

    assert area(theirs).x == 18
    assert area(mine).x + area(mine).width == 600 - 36
    assert area(mine).width == 5 * 10 + 2 * 14
    assert area(mine).style == "mine"


def test_a_window_from_right_to_left_is_the_mirror_image() -> None:
    for line in (TranscriptEntry("mine", "You", "Hello"), OFFER, TranscriptEntry("refusal", "", "No.")):
        plain, turned = layout(face=34).block(line), layout(rtl=True, face=34).block(line)

        assert plain.height == turned.height
        assert plain.body[0] == 600 - turned.body[2]
        for one, other in zip(plain.pieces, turned.pieces, strict=True):
            assert one.x == 600 - other.x - other.width


def test_hebrew_words_begin_at_the_right_of_their_bubble_in_either_window() -> None:
    for rtl in (False, True):
        (hebrew,) = words(layout(rtl=rtl).block(TranscriptEntry("mine", "You", f"{SHALOM}!")))
        (english,) = words(layout(rtl=rtl).block(TranscriptEntry("mine", "You", "Hello!")))

        assert (hebrew.lines, hebrew.alignment) == ((f"!{MOLAHS}",), "right")
        assert (english.lines, english.alignment) == (("Hello!",), "left")


def test_each_paragraph_is_drawn_in_its_own_direction() -> None:
    (hebrew,) = words(layout().block(TranscriptEntry("mine", "You", f"{SHALOM}!\nHello!")))
    (english,) = words(layout().block(TranscriptEntry("mine", "You", f"Hello!\n{SHALOM}!")))

    assert hebrew.lines == (f"!{MOLAHS}", "Hello!")
    assert english.lines == ("Hello!", f"!{MOLAHS}")


def test_a_face_stands_beside_their_lines_and_takes_no_room_where_there_is_none() -> None:
    line = TranscriptEntry("theirs", "Rowan", "Hello")
    with_face, without = layout(face=34).block(line), layout().block(line)

    (face,) = [piece for piece in with_face.pieces if isinstance(piece, PortraitItem)]
    assert (face.x, face.y + face.width) == (18, area(with_face).height)
    assert area(with_face).x == 18 + 34 + 10
    assert area(without).x == 18
    assert not [piece for piece in without.pieces if isinstance(piece, PortraitItem)]


def test_a_bubble_is_never_wider_than_its_share_and_as_high_as_its_lines() -> None:
    long = layout().block(TranscriptEntry("mine", "You", "word " * 100))

    assert area(long).width <= round(0.8 * (600 - 18 - 36))
    with_face = area(layout(face=34).block(TranscriptEntry("theirs", "Rowan", "word " * 100)))
    assert with_face.width <= round(0.8 * (600 - 18 - 36 - 44))
    assert area(long).height == len(said(long)) * 20 + 2 * 9
    assert long.height == area(long).height + 14


def test_a_very_long_text_comes_in_pieces_that_join() -> None:
    pieces = words(layout().block(TranscriptEntry("theirs", "Rowan", "a\n" * 200)))

    assert [len(piece.lines) for piece in pieces[:-1]] == [MAX_LINES_PER_ITEM] * (len(pieces) - 1)
    assert all(after.y - before.y == len(before.lines) * 20 for before, after in pairwise(pieces))


@pytest.mark.parametrize("width", [90, 300, 600, 1400])
@pytest.mark.parametrize("rtl", [False, True])
def test_an_offers_table_stays_inside_of_its_card_and_its_columns_apart(width: int, rtl: bool) -> None:
    for line in (OFFER, LARGE):
        block = layout(width, rtl=rtl).block(line)
        card = area(block)
        inside = [piece for piece in words(block) if piece.y >= card.y]
        if width >= 600:
            assert card.width <= round(0.8 * (width - 18 - 36))
        if width >= 300:
            for piece in inside:
                assert card.x <= piece.x
                assert piece.x + piece.width <= card.x + card.width
                assert card.y < piece.y < card.y + card.height
            assert all(max(map(fixed, piece.lines)) <= piece.width for piece in inside)
        assert set(said(block)) >= {cell for row in line.rows for cell in row[1:] if len(row) > 2}


def test_an_offer_tells_its_heading_columns_rows_and_worth() -> None:
    shown = said(layout().block(OFFER))

    assert shown == [
        *("Rowan’s offer", "You", "Rowan", "Undecided"),
        *("Bananas", "4", "0", "1", "Day", "Sunday"),
        "27 points for you",
    ]


def test_numbers_stand_below_the_name_of_their_column() -> None:
    pieces = {piece.lines[0]: piece for piece in words(layout().block(OFFER))}

    assert pieces["You"].x == pieces["4"].x < pieces["Rowan"].x == pieces["0"].x < pieces["1"].x
    assert pieces["Sunday"].x <= pieces["You"].x


def test_names_are_told_where_they_are_wanted() -> None:
    line = TranscriptEntry("theirs", "Rowan", "Hello")

    assert said(layout().block(line, named=True)) == ["Rowan", "Hello"]
    assert said(layout().block(line)) == ["Hello"]
    assert area(layout().block(line, named=True)).y > 0


def test_notes_stand_in_the_middle_and_a_refusal_has_a_mark() -> None:
    note = layout().block(TranscriptEntry("note", "", "The negotiation starts"))
    refusal = layout().block(TranscriptEntry("refusal", "", "No."))

    (text,) = words(note)
    assert text.x + text.width / 2 == pytest.approx((18 + 600 - 36) / 2, abs=1)
    assert (text.colour, text.alignment) == ("muted", "middle")
    assert [piece.face for piece in refusal.pieces if isinstance(piece, PortraitItem)] == [None]
    assert words(refusal)[0].colour == "warning"


# Groups


def line(kind: str, t: float = 0.0, who: str = "Rowan") -> TranscriptEntry:
    return TranscriptEntry(kind, "You" if kind.endswith("mine") else who, "Hello", t=t)


def groups(*lines: TranscriptEntry) -> list[str]:
    """Return each line's position in its group, and ``face`` where the portrait is."""
    found = []
    for index in range(len(lines)):
        place = group_position(lines, index)
        stands = "alone" if place.begins and place.ends else "in"
        stands = (
            "first"
            if place.begins and not place.ends
            else "last"
            if not place.begins and place.ends
            else stands
        )
        found.append(f"{stands} face" if place.closes else stands)
    return found


def test_what_one_side_says_within_a_minute_is_a_group_with_one_portrait() -> None:
    assert groups(line("theirs"), line("theirs", 59), line("offer_theirs", 119), line("mine", 120)) == [
        *("first", "in", "last face", "alone face")
    ]
    assert groups(line("theirs"), line("theirs", 61)) == ["alone face", "alone face"]
    assert groups(line("theirs"), line("theirs", who="Kim")) == ["alone face", "alone face"]
    assert groups(line("mine"), line("note"), line("mine")) == ["alone face"] * 3


def test_a_changed_face_is_part_of_its_sides_group_and_has_no_portrait() -> None:
    assert groups(line("emotion_theirs"), line("theirs"), line("emotion_theirs")) == [
        *("first", "in face", "last")
    ]
    assert groups(line("theirs"), line("emotion_theirs"), line("theirs")) == ["first", "in", "last face"]


def test_words_that_are_typed_stand_in_the_group_of_who_types() -> None:
    assert groups(line("theirs"), line("typing", 3)) == ["first", "last face"]


def test_what_is_added_touches_the_group_that_goes_on_back_to_its_portrait() -> None:
    kinds = ("theirs", "mine", "theirs", "theirs", "emotion_theirs", "emotion_theirs", "theirs")
    lines = [line(kind) for kind in kinds]

    for count in range(1, len(lines)):
        before = [group_position(lines[:count], index) for index in range(count)]
        after = [group_position(lines[: count + 1], index) for index in range(count)]
        first = first_affected(lines[: count + 1], count)
        assert before[:first] == after[:first]
        assert first == count or lines[count].is_emotion or before[first] != after[first]
    assert first_affected(lines, len(lines)) == len(lines)
    assert first_affected(lines, 0) == 0


def test_within_a_group_bubbles_stand_closer_and_only_the_last_one_points_to_its_speaker() -> None:
    first, last = GroupPosition(ends=False, closes=False), GroupPosition(begins=False)
    made = layout(face=34)
    upper, lower = (made.block(line("theirs"), place) for place in (first, last))

    assert (upper.height, lower.height) == (area(upper).height + 3, area(lower).height + 14)
    assert (area(upper).style, area(lower).style) == ("theirs_on", "theirs")
    assert area(upper).x == area(lower).x
    assert not [piece for piece in upper.pieces if isinstance(piece, PortraitItem)]
    assert [piece for piece in lower.pieces if isinstance(piece, PortraitItem)]


def test_a_changed_face_is_told_in_a_low_row_at_its_side() -> None:
    made = layout(face=34)
    theirs = made.block(
        TranscriptEntry("emotion_theirs", "Rowan", "Rowan looks sad", expression=Expression.SAD)
    )
    mine = made.block(TranscriptEntry("emotion_mine", "You", "You look sad", expression=Expression.SAD))

    for block in (theirs, mine):
        (face,) = [piece for piece in block.pieces if isinstance(piece, EmojiItem)]
        assert face.expression is Expression.SAD
        assert not [piece for piece in block.pieces if isinstance(piece, AreaItem | PortraitItem)]
        assert block.body[3] < area(made.block(line("mine"))).height
    assert theirs.body[0] == area(made.block(line("theirs"))).x
    assert mine.body[2] == 600 - 36
    assert said(theirs) == ["Rowan looks sad"]
    assert said(mine) == []


def test_a_face_that_the_participant_shows_is_beside_the_last_bubble_of_its_group() -> None:
    own = TranscriptEntry("mine", "You", "A pity.", expression=Expression.SAD)
    upper = layout().block(own, GroupPosition(ends=False, closes=False))
    lower = layout().block(own)

    assert not [piece for piece in upper.pieces if isinstance(piece, EmojiItem)]
    (face,) = [piece for piece in lower.pieces if isinstance(piece, EmojiItem)]
    assert face.expression is Expression.SAD
    assert face.x > area(lower).x + area(lower).width
    assert face.x + face.width <= 600
    right = {area(block).x + area(block).width for block in (upper, lower, layout().block(line("mine")))}
    assert right == {600 - 36}


def test_a_group_ends_where_the_face_changes() -> None:
    calm, angry = (
        TranscriptEntry("theirs", "Rowan", "Hello", expression=face)
        for face in (Expression.NEUTRAL, Expression.ANGRY)
    )

    assert groups(calm, calm, angry, angry) == ["first", "last face", "first", "last face"]


def test_dots_take_the_room_of_a_row_of_words() -> None:
    made = layout(face=34)
    dots, words_ = made.block(line("typing")), made.block(line("theirs"))

    assert [piece for piece in dots.pieces if isinstance(piece, TypingDotsItem)]
    assert (dots.height, area(dots).x, area(dots).style) == (words_.height, area(words_).x, "theirs")


# What is in view


@dataclass
class Measured:
    """Lines of different heights, and the indexes of those that were measured."""

    heights: list[int]
    asked: list[int]

    def __call__(self, index: int) -> int:
        self.asked.append(index)
        return self.heights[index]


def column(count: int, view: int = 100) -> tuple[VirtualColumn, Measured]:
    lines = Measured([20 + index * 7 % 60 for index in range(count)], [])
    made = VirtualColumn(lines, guess=30, margin=5)
    made.view = view
    made.add(count)
    return made, lines


def seen(column: VirtualColumn) -> list[tuple[int, int]]:
    """Return each line in view, with its top in the view."""
    return [(index, column.top(index) - column.offset) for index in column.in_view()]


def test_only_what_is_in_view_is_measured() -> None:
    many, lines = column(10_000)

    assert many.follows_end
    assert len(lines.asked) < 10
    assert min(lines.asked) > 9_980


def test_a_line_more_measures_nothing_else() -> None:
    many, lines = column(10_000)
    lines.asked.clear()
    lines.heights.append(33)

    many.add(1)

    assert lines.asked == [10_000]
    assert many.offset + many.view == many.total


def test_a_reader_at_the_end_stays_there_and_one_further_up_too() -> None:
    some, lines = column(50)
    some.scroll_by(-200)
    before = seen(some)
    lines.heights += [40, 40]

    some.add(2)

    assert seen(some) == before
    some.scroll_by(10_000)
    assert seen(some)[-1][0] == 51
    lines.heights += [40]
    some.add(1)
    assert seen(some)[-1][0] == 52


def test_scrolling_up_moves_what_is_seen_by_just_so_much_though_heights_were_guessed() -> None:
    many, _ = column(1000)
    for _ in range(100):
        before = dict(seen(many))
        many.scroll_by(-48)
        after = dict(seen(many))

        shared = before.keys() & after.keys()
        assert shared
        assert {after[index] - before[index] for index in shared} == {48}


def test_what_is_seen_stays_while_the_rest_is_measured() -> None:
    many, lines = column(1000)
    many.scroll_by(-5000)
    before = seen(many)

    while many.measure_some(lambda: True):
        assert seen(many) == before

    assert many.total == sum(lines.heights) + 2 * 5
    assert sorted(set(lines.asked)) == list(range(1000))


def test_lines_that_change_and_go_leave_a_reader_where_they_are() -> None:
    some, lines = column(50)
    some.scroll_by(-400)
    before = seen(some)
    lines.heights[48:] = [90, 90]
    lines.heights.append(44)

    some.add(1, touched=2)
    assert seen(some) == before
    while some.measure_some(lambda: True):
        pass
    assert some.total == sum(lines.heights) + 2 * 5
    del lines.heights[-1]
    lines.heights[-1] = 70
    some.remove_last(touched=1)

    assert seen(some) == before
    some.scroll_by(100_000)
    assert seen(some)[-1][0] == 49
    while some.measure_some(lambda: True):
        pass
    assert some.total == sum(lines.heights) + 2 * 5


def test_at_the_end_a_line_comes_and_goes_and_the_end_stays_in_view() -> None:
    some, lines = column(50)
    lines.heights.append(44)
    some.add(1)
    assert seen(some)[-1][0] == 50

    some.remove_last()

    assert some.follows_end
    assert seen(some)[-1][0] == 49
    assert some.offset + some.view == some.total


def test_another_width_keeps_the_readers_line_in_view() -> None:
    many, lines = column(1000)
    many.scroll_by(-5000)
    first = seen(many)[0][0]
    lines.heights[:] = [2 * height for height in lines.heights]

    many.invalidate()

    assert seen(many)[0][0] == first
    many.scroll_by(100_000)
    many.invalidate()
    assert many.follows_end


def test_it_scrolls_no_further_than_its_ends() -> None:
    some, _ = column(50)

    some.scroll_by(-100_000)
    assert (some.offset, seen(some)[0]) == (0, (0, 5))
    some.scroll_to(1.0)
    assert some.follows_end
    some.scroll_to(0.0)
    assert some.scroll_fraction == 0
    some.scroll_to(0.5)
    assert some.scroll_fraction == pytest.approx(0.5, abs=0.05)


def test_what_fits_begins_at_the_top() -> None:
    few, _ = column(2, view=400)

    assert (few.bottom, few.offset) == (0, 0)
    assert seen(few) == [(0, 5), (1, 25)]
    few.resize(30)
    assert few.follows_end
    assert few.offset == few.bottom > 0


def test_an_empty_one_shows_nothing_and_can_be_scrolled() -> None:
    empty, _ = column(0)
    empty.scroll_by(-10)
    empty.scroll_to(0.3)
    assert list(empty.in_view()) == []

    full, _ = column(50)
    full.clear()
    full.scroll_by(10)
    assert (len(full), list(full.in_view()), full.follows_end) == (0, [], True)
