"""Layout of a transcript in which several others speak."""

from __future__ import annotations

from dataclasses import replace

import pytest

from negoplatform.presentation.plots.seat_styles import OTHERS_MARKS, OWN_MARK
from negoplatform.presentation.transcript.entry_grouping import GroupPosition, is_same_group
from negoplatform.presentation.transcript.entry_layout import TranscriptLayout
from negoplatform.presentation.transcript.layout_items import (
    AreaItem,
    Block,
    IconItem,
    PortraitItem,
    SeatMarkItem,
    TextItem,
    TextLayout,
)
from negoplatform.presentation.transcript.text_metrics import TextMetrics
from negoplatform.presentation.transcript.transcript_entries import TranscriptEntry

SAID = TranscriptEntry("theirs", "Robin", "Hello", sender="farm", mark=OTHERS_MARKS[0])
"""Message of one of several others."""

NAMES = ("You", "Robin", "Noa", "Jules", "Sasha", "Mika", "Ariel", "Tal")


def offer(seats: int, issues: int = 1) -> TranscriptEntry:
    """Return an offer of one of several others: each seat has as many units as its number."""
    units = tuple(str(n) for n in range(seats))
    rows = tuple((f"Nr. {n}", *units) for n in range(issues))
    return TranscriptEntry(
        "offer_theirs",
        "Robin",
        "Robin’s offer",
        NAMES[:seats],
        (*rows, ("Place", "Market")),
        sender="farm",
        column_marks=(OWN_MARK, *OTHERS_MARKS)[:seats],
        mark=OTHERS_MARKS[0],
    )


def layout(*, rtl: bool = False, face: int = 0) -> TranscriptLayout:
    fonts = {
        name: TextMetrics(lambda text: 8 * len(text), 16) for name in ("body", "bold", "small", "small_bold")
    }
    made = TranscriptLayout(TextLayout(fonts, round, rtl=rtl, needs_reordering=True))
    made.width, made.face = 600, face
    return made


def texts(block: Block) -> list[tuple[str, int, int]]:
    """Return the lines of a block with their horizontal middles and tops."""
    return [
        (line, piece.x + piece.width // 2, piece.y)
        for piece in block.pieces
        if isinstance(piece, TextItem)
        for line in piece.lines
    ]


def said(block: Block) -> list[str]:
    return [line for line, _x, _y in texts(block)]


def marks(block: Block) -> list[SeatMarkItem]:
    return [piece for piece in block.pieces if isinstance(piece, SeatMarkItem)]


def test_a_bubble_has_its_speakers_mark_name_and_face() -> None:
    block = layout(face=40).block(SAID)

    assert said(block) == ["Robin", "Hello"]
    assert [piece.mark for piece in marks(block)] == [OTHERS_MARKS[0]]
    assert [piece.seat for piece in block.pieces if isinstance(piece, PortraitItem)] == ["farm"]


def test_the_name_is_said_once_in_a_group() -> None:
    assert said(layout().block(SAID, GroupPosition(begins=False))) == ["Hello"]


@pytest.mark.parametrize("rtl", [False, True])
def test_an_addressed_message_has_a_lock_its_recipients_and_another_bubble(rtl: bool) -> None:
    mine = TranscriptEntry("mine", "You", "Psst", sender="mill", address="only to Robin")
    theirs = replace(SAID, address="only to you")

    blocks = [layout(rtl=rtl).block(line) for line in (mine, theirs)]

    assert said(blocks[0]) == ["only to Robin", "Psst"]
    assert said(blocks[1]) == ["Robin", "only to you", "Hello"]
    for block, style in zip(blocks, ("mine_private", "theirs_private"), strict=True):
        assert [piece.name for piece in block.pieces if isinstance(piece, IconItem)] == ["lock"]
        assert [piece.style for piece in block.pieces if isinstance(piece, AreaItem)] == [style]
        assert all(0 <= piece.x <= piece.x + piece.width <= 600 for piece in block.pieces)


def test_what_is_said_to_one_and_what_is_said_to_all_are_two_groups() -> None:
    secret = replace(SAID, address="only to you")

    assert is_same_group(SAID, replace(SAID, t=1.0))
    assert not is_same_group(SAID, replace(secret, t=1.0))
    assert not is_same_group(SAID, replace(SAID, sender="inn", t=1.0))


def test_an_offer_has_the_edge_and_the_mark_of_its_seat_and_no_name_above_it() -> None:
    block = layout().block(replace(offer(3), mark=OTHERS_MARKS[3]))

    assert said(block)[0] == "Robin’s offer"
    assert [piece.edge for piece in block.pieces if isinstance(piece, AreaItem)] == ["seat_5"]
    assert marks(block)[0].mark == OTHERS_MARKS[3]


def test_the_seats_of_a_small_game_are_columns() -> None:
    at = {line: y for line, _x, y in texts(layout().block(offer(3)))}

    assert at["You"] == at["Robin"] == at["Noa"]


def test_many_seats_are_rows_in_aligned_columns() -> None:
    block = layout().block(offer(8, issues=2))

    at = texts(block)
    rows = {line: y for line, _x, y in at if line in NAMES}
    assert sorted(rows, key=lambda name: rows[name]) == list(NAMES)
    assert len(set(rows.values())) == 8
    for issue in range(2):
        column = [x for line, x, _y in at if line == f"Nr. {issue}"]
        assert [(line, y) for line, x, y in at if [x] == column and line.isdigit()] == [
            (str(number), rows[name]) for number, name in enumerate(NAMES)
        ]
    assert [piece.mark for piece in marks(block)][1:] == [OWN_MARK, *OTHERS_MARKS]
    assert "Market" in said(block)


def test_more_issues_than_fit_beside_the_names_get_a_further_table() -> None:
    block = layout().block(offer(8, issues=9))

    titles = {line: y for line, _x, y in texts(block) if line.startswith("Nr.")}
    (card,) = [piece for piece in block.pieces if isinstance(piece, AreaItem)]
    inside = [piece for piece in block.pieces if isinstance(piece, TextItem)]
    assert titles["Nr. 0"] < titles["Nr. 8"]
    assert said(block).count("Mika") == 2
    assert all(card.x <= piece.x and piece.x + piece.width <= card.x + card.width for piece in inside)
