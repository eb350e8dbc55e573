"""Words with which expressive agents introduce their offers."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import MessageSubtype as Act
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.strategies.expressive import (
    Behaviour,
    BuildingOffers,
    ConcedingOffers,
    ExpressiveAgentState,
    PlainWords,
    Policies,
)
from negoplatform.strategies.expressive.agent_state import offer_message_kind
from negoplatform.strategies.expressive.offer_policies import NegotiationState
from negoplatform.testing import TrialTable
from tests.strategies.expressive.table import game, offered, seated, words
from tests.strategies.expressive.test_speech_act_responses import comes_from

FIRST = {"food": (0, 3), "water": (0, 3), "firewood": (1, 2)}
KINDER = {"food": (1, 2), "water": (0, 3), "firewood": (1, 2)}
DEARER = {"food": (0, 3), "water": (0, 3), "firewood": (0, 3)}
"""Units for the person and for the agent."""


def offer_of(units: dict[str, tuple[int, int]]) -> Offer:
    return Offer({name: Allocation({"human": a, "agent": b}) for name, (a, b) in units.items()})


def after(first: dict[str, tuple[int, int]] | None) -> tuple[TrialTable, ExpressiveAgentState]:
    """Return the state of an agent that has made an offer, if one is given, with its table."""
    table = TrialTable(game())
    table.start()
    if first is not None:
        table.agent.offers(offer_of(first))
    return table, ExpressiveAgentState(table.context("agent"), Policies())


@pytest.mark.parametrize(
    ("kind", "first", "then", "told"),
    [
        ("counter_offer", None, FIRST, "counter_offer"),
        ("counter_offer", FIRST, KINDER, "offer_giving_way"),
        ("counter_offer", FIRST, DEARER, "counter_offer"),
        ("counter_offer", FIRST, FIRST, "offer_same_again"),
        ("introduce_offer", FIRST, FIRST, "offer_same_again"),
        ("introduce_offer", FIRST, KINDER, "introduce_offer"),
        ("threat_give_way", FIRST, KINDER, "threat_give_way"),
        ("threat_give_way", FIRST, DEARER, "threat_offer"),
        ("threat_give_way", None, FIRST, "threat_offer"),
        ("counter_offer", FIRST, {"food": (1, 2)}, "part_offer"),
        ("counter_offer", {"food": (0, 3)}, {"food": (1, 2)}, "offer_giving_way"),
        ("counter_offer", {"food": (0, 3)}, {"food": (0, 3)}, "offer_same_again"),
        ("counter_offer", {"food": (0, 3)}, {"food": (1, 2), "water": (0, 3)}, "part_offer"),
        ("complete_offer", None, {"food": (0, 3)}, "offer_one_more"),
        ("complete_offer", None, FIRST, "complete_offer"),
        ("hurry", None, FIRST, "hurry"),
        ("hurry", FIRST, KINDER, "hurry"),
        ("hurry", FIRST, FIRST, "hurry_standing"),
    ],
)
def test_words_claim_no_more_than_the_offer_holds(
    kind: str, first: dict[str, tuple[int, int]] | None, then: dict[str, tuple[int, int]], told: str
) -> None:
    table, mind = after(first)

    assert offer_message_kind(table.context("agent"), mind, kind, offer_of(then)) == told


def quiet(offers: ConcedingOffers, style: str = "warm") -> Policies:
    return Policies(offers, PlainWords(style), behaviour=Behaviour(opens_after=500, asks=False, prompts=0))


def test_a_building_one_that_adds_one_issue_claims_no_completion() -> None:
    table = seated(quiet(BuildingOffers()))

    table.human.offers(offer_of({"food": (1, 2)}))
    table.wait(8)

    assert len(offered(table)[-1].get_offer()) < 3
    assert comes_from(words(table)[-1], "offer_one_more"), words(table)[-1]


class OneIdea(ConcedingOffers):
    """Offer policy that always proposes the same."""

    def proposal(
        self, ctx: AgentContext, state: NegotiationState, avoid: Collection[Offer] = ()
    ) -> Offer | None:
        return offer_of(FIRST)

    def final(self, ctx: AgentContext, state: NegotiationState) -> Offer | None:
        return offer_of(FIRST)


def test_one_whose_final_offer_stands_asks_for_it_and_announces_none() -> None:
    table = seated(quiet(OneIdea()))
    table.human.says("Your offer, please.", Act.OFFER_REQUEST_POS)
    table.wait(560)

    table.wait(20)

    assert len(offered(table)) == 1
    assert comes_from(words(table)[-1], "hurry_standing"), words(table)[-1]


def test_one_whose_offer_was_answered_by_another_says_that_it_comes_back_to_it() -> None:
    table = seated(quiet(OneIdea()))
    table.human.says("Your offer, please.", Act.OFFER_REQUEST_POS)
    table.wait(8)

    table.human.offers(offer_of({"food": (3, 0), "water": (3, 0), "firewood": (3, 0)}))
    table.wait(8)

    assert len(offered(table)) == 2
    assert comes_from(words(table)[-1], "offer_same_again"), words(table)[-1]
