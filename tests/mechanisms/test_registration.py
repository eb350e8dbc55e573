"""Types of act and of fact that a mechanism may not register."""

from __future__ import annotations

import pytest

from negoplatform.core.mechanisms import MECHANISMS, ActRule, register
from tests.mechanisms.sealed_bid import BidPlaced, SealedBid


@pytest.mark.parametrize("kind", ["GAME_END", "NOTE", "SEND_OFFER", "PLACE_BID", 'BID"', "BID\n", "Bid"])
def test_an_act_of_the_platform_or_of_another_mechanism_is_refused(kind: str) -> None:
    odd = type("Odd", (SealedBid,), {"name": "odd", "acts": {kind: ActRule(BidPlaced)}, "facts": {}})

    with pytest.raises(ValueError, match="is not in capitals, or taken"):
        register(odd())

    assert "odd" not in MECHANISMS


@pytest.mark.parametrize("kind", ["round-opened", 'sold"', "sold\n", "Sold", "sold out"])
def test_a_fact_of_another_mechanism_or_of_odd_characters_is_refused(kind: str) -> None:
    odd = type("Odd", (SealedBid,), {"name": "odd", "acts": {}, "facts": {kind: True}})

    with pytest.raises(ValueError, match="is not in small letters, or taken"):
        register(odd())

    assert "odd" not in MECHANISMS
