"""Types of act and of fact that a mechanism may not register."""

from __future__ import annotations

import pytest

from negoplatform.core.mechanisms import MECHANISMS, ActRule, register
from negoplatform.domain.errors import InputFileError
from tests.mechanisms.auction_games import AUCTION, build
from tests.mechanisms.sealed_bid import BidPlaced, SealedBid


@pytest.mark.parametrize("kind", ["GAME_END", "NOTE", "SEND_OFFER", "PLACE_BID", 'BID"', "BID\n", "Bid"])
def test_an_act_of_the_platform_or_of_another_mechanism_is_refused(kind: str) -> None:
    odd = type("Odd", (SealedBid,), {"name": "odd", "acts": {kind: ActRule(BidPlaced)}, "facts": {}})

    with pytest.raises(ValueError, match="is not in capitals, or taken"):
        register(odd())

    assert "odd" not in MECHANISMS


@pytest.mark.parametrize(
    ("act", "kind", "other"),
    [
        ("SELL", "place-bid", "PLACE_BID"),
        ("ROUND_OPENED", "sold", "round-opened"),
        ("SELL", "game-end", "GAME_END"),
        ("SELL", "send-offer", "SEND_OFFER"),
        ("SELL_ALL", "sell-all", "SELL_ALL"),
    ],
)
def test_two_types_that_would_share_a_handler_are_refused(act: str, kind: str, other: str) -> None:
    own = {"name": "odd", "acts": {act: ActRule(BidPlaced)}, "facts": {kind: True}}

    with pytest.raises(ValueError, match=f"'{other}' would share the handler on_"):
        register(type("Odd", (SealedBid,), own)())

    assert "odd" not in MECHANISMS


@pytest.mark.parametrize("kind", ["round-opened", 'sold"', "sold\n", "Sold", "sold out"])
def test_a_fact_of_another_mechanism_or_of_odd_characters_is_refused(kind: str) -> None:
    odd = type("Odd", (SealedBid,), {"name": "odd", "acts": {}, "facts": {kind: True}})

    with pytest.raises(ValueError, match="is not in small letters, or taken"):
        register(odd())

    assert "odd" not in MECHANISMS


def test_an_announcement_that_would_share_the_handler_of_an_act_is_refused() -> None:
    made = {"at_seconds": 1, "type": "place-bid", "data": {}}

    with pytest.raises(InputFileError, match="'place-bid' is what a kind of game records itself"):
        build({**AUCTION, "announcements": [made]})
