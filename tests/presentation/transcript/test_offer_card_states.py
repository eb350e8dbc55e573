"""Folded offers in a transcript, and the contents of their cards."""

from __future__ import annotations

from dataclasses import replace

from negoplatform.presentation.offers.offer_valuation import NoDealComparison
from negoplatform.presentation.transcript.layout_items import IconItem, IssuePictureItem, WidgetSlot
from negoplatform.presentation.transcript.offer_card_layout import OfferCardState
from negoplatform.presentation.transcript.offer_card_states import NewestOffer, OfferCardStates
from tests.gui.transcript.test_transcript_view import OFFER, area, layout, said, words

PICTURED = replace(
    OFFER, pictures=("banana", ""), verdict="15 points better than no deal", versus=NoDealComparison.BETTER
)


def test_until_an_offer_stands_all_are_shown_as_they_are() -> None:
    cards = OfferCardStates()

    assert cards.state_of(7).mode == "plain"
    assert not cards.toggle(7)


def test_the_newest_offer_stands_and_the_others_are_folded() -> None:
    cards = OfferCardStates()

    first = cards.set_newest(NewestOffer(3, "on the table", room=40))
    second = cards.set_newest(NewestOffer(7, "waiting for Rowan"))

    assert first is None, "every offer looks different now"
    assert second == {3, 7}
    assert cards.set_newest(NewestOffer(7, "waiting for Rowan")) == set()
    assert cards.state_of(3).mode == "folded"
    assert cards.state_of(7) == OfferCardState("standing", "waiting for Rowan")


def test_a_replaced_offer_is_unfolded_and_folded_and_the_standing_one_is_not() -> None:
    cards = OfferCardStates()
    cards.set_newest(NewestOffer(7, "on the table"))

    assert cards.toggle(3)
    assert cards.state_of(3).mode == "open"
    assert not cards.unfold(3)
    assert cards.toggle(3)
    assert cards.state_of(3).mode == "folded"
    assert not cards.toggle(7)


def test_a_folded_offer_is_one_quiet_line() -> None:
    line = replace(OFFER, summary="Rowan offered 4 bananas for you, Sunday (27 points)")

    folded = layout(900).block(line, card=OfferCardState("folded"))
    narrow = layout(300).block(line, card=OfferCardState("folded"))

    assert said(folded) == [line.summary]
    assert [piece.colour for piece in words(folded)] == ["muted"]
    assert folded.height < layout(900).block(line).height / 2
    assert said(narrow)[0].endswith("…")


def test_a_standing_offer_says_what_has_become_of_it_and_keeps_room_for_its_controls() -> None:
    block = layout(900).block(PICTURED, card=OfferCardState("standing", "on the table", room=50))

    card, room = area(block), next(piece for piece in block.pieces if isinstance(piece, WidgetSlot))
    assert card.style == "standing_offer_theirs"
    assert said(block) == [
        *("Rowan’s offer", "on the table", "You", "Rowan", "Undecided"),
        *("Bananas", "4", "0", "1", "Day", "Sunday"),
        *("27 points for you", "15 points better than no deal"),
    ]
    assert [piece.name for piece in block.pieces if isinstance(piece, IssuePictureItem)] == ["banana"]
    assert next(piece for piece in words(block) if "better" in piece.lines[0]).colour == "accept"
    assert (room.height, card.y < room.y) == (50, True)
    assert room.y + room.height <= card.y + card.height


def test_a_counter_offer_stands_in_place_of_the_terms() -> None:
    state = OfferCardState("standing", "Rowan’s offer: 27 points", "Your counter-offer", 200, editing=True)

    block = layout(900).block(PICTURED, card=state)

    heading, theirs = said(block)
    assert heading == "Your counter-offer"
    assert theirs.startswith("Rowan’s offer:")


def test_an_unfolded_offer_has_a_quiet_edge_and_a_sign_that_it_can_be_folded() -> None:
    block = layout(900).block(PICTURED, card=OfferCardState("open"))

    assert area(block).style == "offer_old"
    assert [piece.name for piece in block.pieces if isinstance(piece, IconItem)] == ["chevron_up"]


def test_a_card_is_wide_and_a_value_that_names_its_issue_stands_alone() -> None:
    line = replace(OFFER, columns=(), rows=(("With leased car",), ("Hours", "8")))

    block = layout(900).block(line)

    alone = next(piece for piece in words(block) if piece.lines == ("With leased car",))
    assert area(block).width == 440 + 2 * 14
    assert (alone.font, alone.alignment) == ("bold", "left")
