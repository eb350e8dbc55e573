"""Tests that what shipped agents say of their own offers and wishes agrees with what they have offered."""

from __future__ import annotations

from typing import Any

import pytest

from negoplatform.core.events import EventType
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.strategies.dialogue.opponent_model import issue_importance, own_tables
from negoplatform.testing import TrialTable
from tests.agents.kinds import has_kind
from tests.agents.seating import load, of, shipped


def seated(name: str, game: str, seat: str = "agent", *, seed: int = 3, wait: float = 20) -> TrialTable:
    """Return a table at which a shipped agent has opened."""
    table = TrialTable(load(game).resolve_profiles(seed), seed=seed)
    table.seat(shipped(name), seat)
    table.start()
    table.wait(wait)
    return table


def says(table: TrialTable, person: str, text: str, seconds: float = 14) -> str:
    """Say something, and return what the agent has said since then."""
    agent = next(seat for seat in table.state.game.seats if seat != person)
    before = len(of(table, EventType.SEND_MESSAGE, agent))
    table.participant(person).says(text)
    table.wait(seconds)
    return " ".join(event.get_text() for event in of(table, EventType.SEND_MESSAGE, agent)[before:])


def offers(table: TrialTable, seat: str = "agent") -> list[Offer]:
    return [event.get_offer() for event in of(table, EventType.SEND_OFFER, seat)]


def test_goods_are_compared_by_the_unit_as_the_story_of_the_game_does() -> None:
    table = seated("fair", "resource_exchange")

    answer = says(table, "human", "Which matters more to you, wood or grain?")

    assert answer.index("wood") < answer.index("grain")
    assert has_kind(answer, "pref_info_greater", "neutral")


def test_issues_of_several_kinds_are_compared_by_what_they_can_change() -> None:
    seen = []

    class Looks(type(shipped("fair"))):  # type: ignore[misc]  # a class of a loaded file
        def on_game_start(self, ctx, event):  # type: ignore[no-untyped-def]
            tables = own_tables(ctx)
            seen.append((issue_importance(ctx, tables), tables))
            return []

    table = TrialTable(load("practice").resolve_profiles(1), seed=1)
    table.seat(Looks("agent"), "agent")
    table.start()

    importance, tables = seen[0]
    assert importance == {
        name: max(levels.values()) - min(levels.values()) for name, levels in tables.items()
    }


@pytest.mark.parametrize("seed", range(1, 7))
def test_fair_keeps_most_of_what_it_calls_the_most_important(seed: int) -> None:
    table = seated("fair", "campsite", seed=seed, wait=30)
    preferences = table.state.game.preferences["agent"]
    first = max(
        ("food", "water", "firewood"), key=lambda name: preferences.utility(Offer({name: units(0, 1)}))
    )

    offer = offers(table)[0]

    assert offer.units(first, "agent") == 2


def units(human: int, agent: int) -> Allocation:
    return Allocation({"human": human, "agent": agent}, 3 - human - agent)


def test_an_offer_of_its_own_that_became_worse_is_not_denied() -> None:
    table = seated("fair", "resource_exchange", wait=30)
    says(table, "human", "What would it take for me to get all 3 wood?")
    assert len(offers(table)) == 2

    answer = says(table, "human", "You said something else before")

    assert has_kind(answer, "still_open", "neutral")


def test_a_swap_that_would_cost_the_other_more_is_refused() -> None:
    table = seated("fair", "resource_exchange", wait=30)

    answer = says(table, "human", "If I let you keep all the spices, would you give me all 3 wood?")

    assert has_kind(answer, "swap_no", "neutral")
    assert len(offers(table)) == 1


def test_terms_that_it_has_offered_itself_are_not_refused_in_words() -> None:
    table = seated("fair", "resource_exchange", wait=30)

    answer = says(table, "human", "4 bananas for me and 2 grain for you?")

    assert offers(table)[0].units("bananas", "human") == 4
    assert offers(table)[0].units("grain", "agent") == 2
    assert not has_kind(answer, "send_as_offer_no", "neutral")


def test_what_negochat_proposes_first_is_not_called_enough_for_a_deal() -> None:
    table = seated("negochat", "job_candidate", "candidate")
    assert len(offers(table, "candidate")[-1]) == 1

    answer = says(table, "employer", "What would it take?")

    assert has_kind(answer, "take_first", "warm")


def test_a_proposal_that_an_offer_has_met_is_not_asked_for_again() -> None:
    table = seated("negochat", "job_candidate", "candidate")
    issue, value = offers(table, "candidate")[-1].terms[0]
    poor: dict[str, Any] = {"salary": "60,000 USD", "job": "QA", "car": "Without leased car", "pension": "0%"}
    poor |= {"promotion": "Slow promotion track", "hours": "10 hours", issue: value}
    before = len(of(table, EventType.SEND_MESSAGE, "candidate"))

    table.participant("employer").offers(**poor)
    table.wait(14)

    answer = of(table, EventType.SEND_MESSAGE, "candidate")[before].get_text()
    assert has_kind(answer, "rest_too_little", "warm"), answer


def test_nothing_else_is_said_with_an_acceptance() -> None:
    table = seated("fair", "campsite")
    person = table.participant("human")
    person.says("You are unfair, and you lied to me!")
    person.offers(food=units(0, 3), water=units(0, 3), firewood=units(0, 3))
    table.wait(14)

    assert of(table, EventType.FORMAL_ACCEPT, "agent")
    last = of(table, EventType.SEND_MESSAGE, "agent")[-1].get_text()
    assert has_kind(last, "accept_offer", "neutral")
    assert not has_kind(last, "unfair_answer", "neutral")


def test_no_offer_is_asked_for_after_its_own() -> None:
    table = seated("fair", "campsite", wait=8)

    says(table, "human", "No. That is an insult, you idiot. What would it take for me to agree?", seconds=12)

    after = of(table, EventType.SEND_OFFER, "agent")[-1].t
    later = [event.get_text() for event in of(table, EventType.SEND_MESSAGE, "agent") if event.t > after]
    assert later == []


def test_a_refusal_of_a_whole_offer_in_words_names_only_what_hurts_most() -> None:
    table = seated("negochat", "job_candidate", "candidate")

    answer = says(
        table,
        "employer",
        "120,000, programmer, no car, 10% pension, fast promotion track and 10 hours. Deal?",
    )

    assert has_kind(answer, "refuse_terms", "warm")
    assert "10 hours" in answer
    assert "pension" not in answer
    assert "promotion" not in answer


def test_what_is_wrong_with_an_offer_is_answered_with_the_issue() -> None:
    table = seated("conceding", "campsite")
    table.participant("human").offers(firewood=(3, 0), food=(3, 0), water=(2, 1))
    table.wait(14)

    answer = says(table, "human", "What exactly doesn't work for you?")

    assert has_kind(answer, "refuse_issue", "warm")


def test_terms_that_it_would_only_consider_are_no_promise() -> None:
    table = seated("negochat", "job_candidate", "candidate")
    says(table, "employer", "How about a swap: if I give you the leased car, will you come down to 90,000?")

    answer = says(
        table, "employer", "A minute ago you said maybe yes to 90,000. Now you contradict yourself."
    )

    assert has_kind(answer, "considered_only", "warm")


def test_an_offer_that_it_said_no_to_in_words_is_accepted_with_a_word_about_that() -> None:
    table = seated("fair", "campsite")
    refused = says(table, "human", "You keep all 3 firewood and 2 water. I get 3 food and 1 water.")
    table.participant("human").offers(firewood=(0, 3), food=(3, 0), water=(1, 2))
    table.wait(14)
    accepted = of(table, EventType.FORMAL_ACCEPT, "agent")
    words = of(table, EventType.SEND_MESSAGE, "agent")[-1].get_text()

    assert has_kind(refused, "send_as_offer_no", "neutral")
    assert accepted
    assert has_kind(words, "accept_declined", "neutral")


def test_who_asks_whether_to_press_accept_is_told_what_that_does() -> None:
    table = seated("fair", "campsite")

    answer = says(table, "human", "do i just press accept?")

    assert has_kind(answer, "accept_how", "neutral")


def test_a_reason_is_given_instead_of_a_denial() -> None:
    table = seated("fair", "resource_exchange")

    answer = says(table, "human", "You said you only care about spices. So why do you want the wood?")

    assert has_kind(answer, "why_told", "neutral")
    assert not has_kind(answer, "changed_deny", "neutral")


def test_a_swap_into_what_it_offers_already_is_not_agreed_to() -> None:
    table = seated("fair", "campsite")
    table.participant("human").offers(firewood=(2, 1), food=(2, 1), water=(1, 2))
    table.wait(14)
    mine = offers(table)[-1]
    units = {name: term.of("human") for name, term in mine.terms if isinstance(term, Allocation)}

    answer = says(
        table, "human", f"Can we swap: I take {units['water']} water and you take {3 - units['water']} water?"
    )

    assert not has_kind(answer, "swap_yes", "neutral")


def test_an_offer_that_keeps_part_of_its_own_is_completed_with_its_own() -> None:
    table = seated("fair", "resource_exchange")
    mine = offers(table)[-1]
    table.participant("human").offers(Offer({"bananas": dict(mine.terms)["bananas"]}))
    table.wait(14)

    assert offers(table)[-1] == mine


def test_a_level_that_is_asked_for_is_named() -> None:
    table = seated("negochat", "job_candidate", "candidate")

    answer = says(table, "employer", "Which salary would you accept?")

    assert has_kind(answer, "wish", "warm")
    assert "salary" in answer


def test_a_question_beside_an_offer_is_not_called_unclear() -> None:
    table = seated("conceding", "campsite")
    person = table.participant("human")
    before = len(of(table, EventType.SEND_MESSAGE, "agent"))
    person.says("That would be nice for all of us, would it do?")
    person.offers(firewood=(2, 1), food=(1, 2), water=(1, 2))
    table.wait(14)
    words = " ".join(event.get_text() for event in of(table, EventType.SEND_MESSAGE, "agent")[before:])

    assert not has_kind(words, "question_unknown", "warm")


def test_what_it_has_accepted_has_nothing_wrong() -> None:
    table = seated("fair", "campsite")
    table.participant("human").offers(firewood=(2, 1), food=(1, 2), water=(0, 3))
    table.wait(14)
    assert of(table, EventType.FORMAL_ACCEPT, "agent")

    answer = says(table, "human", "That was easy. What is the catch?")

    assert has_kind(answer, "yours_missing", "neutral")
    assert not has_kind(answer, "refuse_issue", "neutral")
