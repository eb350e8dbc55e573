"""Refusals of trading and markets with values in them, as the window words them in another language."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from negoplatform.core.mechanisms.trading_state import ProposalAccepted, ProposalDeclined
from negoplatform.domain.errors import Refused
from negoplatform.presentation.i18n import ENGLISH, Language
from negoplatform.presentation.refusals_for_translation import localized_refusal
from tests.mechanisms.grain_market import market
from tests.mechanisms.trading_table import ONE, THREE, TWO, table


def _buys_for_too_much() -> None:
    table().propose(ONE, TWO, buyer=True, amount=10_000)


def _buys_for_too_much_with_the_fee() -> None:
    table(fee=1).propose(ONE, TWO, buyer=True, amount=10_000)


def _sells_too_many() -> None:
    table().propose(ONE, TWO, buyer=False, good_1=9)


def _proposes_to_who_has_left() -> None:
    traders = table(seats=3)
    traders.session.formal_quit(THREE)
    traders.propose(ONE, THREE, buyer=True)


def _accepts_the_own_proposal() -> None:
    traders = table()
    made = traders.propose(ONE, TWO, buyer=True)
    traders.do(ONE, "ACCEPT_PROPOSAL", ProposalAccepted(made.seq), TWO)


def _accepts_twice() -> None:
    traders = table()
    made = traders.propose(ONE, TWO, buyer=True)
    for _ in range(2):
        traders.do(TWO, "ACCEPT_PROPOSAL", ProposalAccepted(made.seq), ONE)


def _submits_twice() -> None:
    traders = table()
    for _ in range(2):
        traders.submit(ONE, TWO, buyer=True)


def _declines_to_a_third() -> None:
    traders = table(seats=3)
    made = traders.propose(ONE, TWO, buyer=True)
    traders.do(TWO, "DECLINE_PROPOSAL", ProposalDeclined(made.seq), THREE)


def _bids_too_much() -> None:
    market().bid(100, 500)


def _asks_for_too_many() -> None:
    market().ask(50, 500)


@pytest.mark.parametrize(
    "act",
    [
        _buys_for_too_much,
        _buys_for_too_much_with_the_fee,
        _sells_too_many,
        _proposes_to_who_has_left,
        _accepts_the_own_proposal,
        _accepts_twice,
        _submits_twice,
        _declines_to_a_third,
        _bids_too_much,
        _asks_for_too_many,
    ],
)
@pytest.mark.parametrize("language", ["de", "he"])
def test_a_refusal_with_values_is_not_shown_in_english(act: Callable[[], None], language: str) -> None:
    with pytest.raises(Refused) as refused:
        act()
    reason = str(refused.value)

    shown = localized_refusal(reason, Language.load(language))

    assert localized_refusal(reason, ENGLISH) == reason
    assert shown != reason
    assert language != "he" or re.search("[א-ת]", shown)
