"""Words with which expressive agents introduce their offers, and offers that they do not repeat."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise

from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import EventType
from negoplatform.core.events import MessageSubtype as Act
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.strategies.expressive import BuildingOffers, ConcedingOffers
from negoplatform.strategies.expressive.offer_policies import NegotiationState
from negoplatform.testing import TrialTable
from tests.agents.seating import of
from tests.strategies.expressive.table import Mixed, comes_from, game, offered, quiet, seated, words

FIRST = {"food": (0, 3), "water": (0, 3), "firewood": (1, 2)}
GREEDY = {"food": (3, 0), "water": (3, 0), "firewood": (3, 0)}
"""Units for the person and for the agent."""

SAID_OR_OFFERED = (EventType.SEND_MESSAGE, EventType.SEND_OFFER)


def offer_of(units: dict[str, tuple[int, int]]) -> Offer:
    return Offer({name: Allocation({"human": a, "agent": b}) for name, (a, b) in units.items()})


def test_a_building_one_that_adds_one_issue_claims_no_completion() -> None:
    table = seated(quiet(offers=BuildingOffers()))

    table.human.offers(offer_of({"food": (1, 2)}))
    table.wait(12)

    assert len(offered(table)[-1].get_offer()) < 3
    assert comes_from(words(table)[-1], "add_terms"), words(table)[-1]


class OneIdea(ConcedingOffers):
    """Offer policy that always proposes the same."""

    def proposal(
        self, ctx: AgentContext, state: NegotiationState, avoid: Collection[Offer] = ()
    ) -> Offer | None:
        return offer_of(FIRST)

    def final(self, ctx: AgentContext, state: NegotiationState) -> Offer | None:
        return offer_of(FIRST)


def test_one_whose_final_offer_stands_asks_for_it_and_announces_none() -> None:
    table = seated(quiet(offers=OneIdea()))
    table.human.says("Your offer, please.", Act.OFFER_REQUEST_POS)
    table.wait(560)

    table.wait(20)

    assert len(offered(table)) == 1
    assert comes_from(words(table)[-1], "hurry_standing"), words(table)[-1]


def test_one_whose_offer_was_answered_by_another_says_that_it_comes_back_to_it() -> None:
    table = seated(quiet(offers=OneIdea()))
    table.human.says("Your offer, please.", Act.OFFER_REQUEST_POS)
    table.wait(12)

    table.human.offers(offer_of({"food": (3, 0), "water": (3, 0), "firewood": (3, 0)}))
    table.wait(12)

    assert len(offered(table)) == 2
    assert comes_from(words(table)[-1], "same_again"), words(table)[-1]


def test_a_building_one_goes_on_from_what_was_agreed_in_words() -> None:
    played = game("job_candidate")
    table = TrialTable(played, seed=3)
    table.seat(Mixed(quiet(offers=BuildingOffers())), "employer")
    candidate = table.participant("candidate")
    table.wait(5)
    candidate.says("Your offer?", Act.OFFER_REQUEST_POS)
    table.wait(12)

    candidate.says("Yes.", Act.OFFER_ACCEPT)
    table.wait(12)

    last = of(table, EventType.SEND_MESSAGE, "employer")[-1].get_text()
    assert comes_from(last, "part_agreed")
    assert comes_from(last, "next_terms")
    assert not comes_from(last, "open_terms")


def test_what_it_has_refused_is_no_deal_that_it_finds_for_itself() -> None:
    table, agent = TrialTable(game(), seed=3), Mixed(quiet())
    table.seat(agent)
    table.wait(5)
    assert agent.state is not None
    deals, theirs = agent.state.deals, offer_of({"food": (2, 1), "water": (0, 3), "firewood": (2, 1)})
    before = deals.best(0, keep=theirs)

    table.human.offers(theirs)
    table.wait(12)

    assert of(table, EventType.FORMAL_ACCEPT, "agent") == []
    assert before == theirs
    assert deals.best(0, keep=theirs) is None


def test_it_comes_back_to_what_it_has_refused_only_as_to_the_other_s_offer() -> None:
    table = seated(quiet(offers=ConcedingOffers(start=0.9, step=0.1, least=0)))
    theirs = offer_of({"food": (2, 1), "water": (0, 3), "firewood": (2, 1)})
    table.human.offers(theirs)
    table.wait(12)

    for _ in range(9):
        table.human.says("Could you do better?", Act.OFFER_REQUEST_NEG)
        table.wait(12)

    own = [event for event in table.events if event.sender == "agent" and event.type in SAID_OR_OFFERED]
    back = [
        before.get_text()
        for before, event in pairwise(own)
        if event.type == EventType.SEND_OFFER and event.get_offer() == theirs
    ]
    assert len(back) == 1
    assert comes_from(back[0], "take_yours")


def test_its_complete_offers_never_ask_for_more_than_the_one_before() -> None:
    table = seated(quiet(offers=ConcedingOffers(step=0.1)), game("resource_exchange"))
    worth = table.state.game.preferences["agent"].utility

    for i in range(12):
        if i % 3:
            table.human.says("Could you do better?", Act.OFFER_REQUEST_NEG)
        else:
            table.human.says("No.", Act.OFFER_REJECT)
        table.wait(12)

    asked = [worth(event.get_offer()) for event in offered(table)]
    assert len(set(asked)) > 3
    assert asked == sorted(asked, reverse=True)
    assert not any(comes_from(text, "take_back") for text in words(table))


def test_who_is_granted_a_favour_says_that_it_asks_for_more_because_of_it() -> None:
    table, agent = TrialTable(game(), seed=3), Mixed(quiet(offers=ConcedingOffers(step=0.2)))
    table.seat(agent)
    table.wait(5)
    for _ in range(4):
        table.human.says("Could you do better?", Act.OFFER_REQUEST_NEG)
        table.wait(12)
    state = agent.state
    assert state is not None
    before = state.own_offers(table.context("agent"))[-1]
    state.policies.offers.demand = 0.9  # a favour lets it ask for as much

    table.human.says("I'll do you a favour.", Act.FAVOR_ACCEPT)
    table.wait(12)
    table.human.offers(offer_of(GREEDY))
    table.wait(12)

    worth = table.state.game.preferences["agent"].utility
    assert worth(offered(table)[-1].get_offer()) > worth(before)
    assert comes_from(words(table)[-1], "favor_used")
