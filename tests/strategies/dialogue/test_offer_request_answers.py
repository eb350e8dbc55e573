"""Answers of the shipped agents to the two requests next to the offer builder."""

from __future__ import annotations

import pytest

from negoplatform.agent_api.bids import keeps
from negoplatform.core.events import EventType, MessageSubtype
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.language.generation import requested_terms_in_words
from negoplatform.testing import TrialTable
from tests.agents.seating import load, of, shipped

EXPRESSIVE = ("fair", "conceding", "competitive", "building", "lying", "favours_fair", "favours_betraying")
NEGOCHAT_FAMILY = ("negochat", "negochat_a", "kb_agent", "qo_agent")
FAIRER = "Can you make your offer fairer to me?"


def units(human: int, agent: int) -> Allocation:
    """Return a division of the three packages of one kind."""
    return Allocation({"human": human, "agent": agent}, 3 - human - agent)


GIFT = Offer({"food": units(0, 2)})
DEMAND = Offer({"food": units(3, 0)})
ALL_FOR_AGENT = Offer({name: units(0, 3) for name in ("food", "water", "firewood")})
ALL_FOR_ME = Offer({name: units(3, 0) for name in ("food", "water", "firewood")})


def seated(name: str, game: GameSpec | None = None) -> TrialTable:
    """Return a table at which a shipped agent has opened."""
    table = TrialTable(game or load("campsite").resolve_profiles(1), seed=3)
    table.seat(shipped(name), "agent")
    table.start()
    table.wait(20)
    return table


def ask(table: TrialTable, draft: Offer) -> None:
    """Ask what the agent would give for a draft, and wait for its answer."""
    terms = requested_terms_in_words(draft, table.state.game, "human", "en")
    table.human.says(f"What would you give me for this: {terms}?", MessageSubtype.OFFER_REQUEST_POS)
    table.wait(12)


def ask_for_fairer(table: TrialTable) -> None:
    table.human.says(FAIRER, MessageSubtype.OFFER_REQUEST_NEG)
    table.wait(12)


def offers(table: TrialTable) -> list[Offer]:
    return [event.get_offer() for event in of(table, EventType.SEND_OFFER, "agent")]


def words(table: TrialTable) -> list[str]:
    return [event.get_text() for event in of(table, EventType.SEND_MESSAGE, "agent")]


@pytest.mark.parametrize(
    "draft", [GIFT, DEMAND, ALL_FOR_AGENT, ALL_FOR_ME], ids=["gift", "demand", "all", "none"]
)
@pytest.mark.parametrize("name", [*EXPRESSIVE, *NEGOCHAT_FAMILY])
def test_every_agent_that_talks_answers_what_it_would_give(name: str, draft: Offer) -> None:
    table = seated(name)
    before = len(words(table)), offers(table)

    ask(table, draft)

    assert len(words(table)) == before[0] + 1
    for offer in offers(table)[len(before[1]) :]:
        assert keeps(offer, draft)


@pytest.mark.parametrize("draft", [GIFT, DEMAND], ids=["gift", "demand"])
def test_an_expressive_agent_answers_with_a_deal_that_contains_the_draft(draft: Offer) -> None:
    table = seated("fair")

    ask(table, draft)

    deal = offers(table)[-1]
    assert table.state.game.is_complete(deal)
    assert keeps(deal, draft)


def test_for_a_demand_it_says_what_it_wants_in_return() -> None:
    table = seated("fair")

    ask(table, DEMAND)

    assert "3 packages of food for you" in words(table)[-1]
    assert "for me" in words(table)[-1]


def test_it_says_on_which_issue_it_cannot_give_way() -> None:
    table = seated("competitive")
    before = offers(table)

    ask(table, DEMAND)

    assert "food" in words(table)[-1]
    assert offers(table) == before


def test_the_same_question_again_brings_words_alone() -> None:
    table = seated("fair")
    ask(table, GIFT)
    before = offers(table)

    ask(table, GIFT)

    assert offers(table) == before


def test_a_complete_draft_is_judged_as_an_offer_in_words() -> None:
    table = seated("fair")
    before = offers(table)

    ask(table, ALL_FOR_AGENT)
    welcome = words(table)[-1]
    ask(table, ALL_FOR_ME)

    assert "everything for me" in welcome
    assert "everything for you" in words(table)[-1]
    assert offers(table) == before


@pytest.mark.parametrize("name", NEGOCHAT_FAMILY)
def test_the_negochat_family_answers_in_words_alone(name: str) -> None:
    table = seated(name)
    before = offers(table)

    for draft in (GIFT, DEMAND):
        ask(table, draft)

    assert offers(table) == before


@pytest.mark.parametrize("name", EXPRESSIVE)
def test_asked_for_a_fairer_offer_an_expressive_agent_concedes_or_says_that_it_cannot(name: str) -> None:
    table = seated(name)
    worth = table.state.game.preferences["agent"].utility
    table.human.says("Please send me an offer.", MessageSubtype.OFFER_REQUEST_POS)
    table.wait(12)
    before = len(words(table))

    for _ in range(2):
        ask_for_fairer(table)

    whole = [worth(offer) for offer in offers(table) if table.state.game.is_complete(offer)]
    assert len(words(table)) >= before + 2
    assert whole == sorted(whole, reverse=True)


def test_asked_for_a_fairer_offer_negochat_keeps_to_its_proposal_and_compromises_when_asked_to() -> None:
    asked, compromised = seated("negochat"), seated("negochat")
    before = len(words(asked))

    ask_for_fairer(asked)
    compromised.human.says("Let's meet halfway.")
    compromised.wait(12)

    assert all(offer == offers(asked)[0] for offer in offers(asked))
    assert len(words(asked)) > before
    assert offers(compromised)[-1] != offers(compromised)[0]


def test_a_request_in_a_window_of_another_language_is_understood() -> None:
    table = seated("fair")
    terms = requested_terms_in_words(GIFT, table.state.game, "human", "he")

    table.human.says(f"מה תמורת זה: {terms}?", MessageSubtype.OFFER_REQUEST_POS)
    table.wait(12)

    assert keeps(offers(table)[-1], GIFT)
