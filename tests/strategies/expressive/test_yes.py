"""A yes in words, a wish and its response, and words that promise no more than the offer gives."""

from __future__ import annotations

from dataclasses import replace

import pytest

from negoplatform.core.events import EventType, MessageSubtype
from negoplatform.language import Interpretation
from negoplatform.strategies.dialogue import HeardMessage
from negoplatform.strategies.dialogue.dialogue import message_text
from negoplatform.strategies.expressive import Behaviour, ConcedingOffers, Policies
from negoplatform.testing import TrialTable
from tests.agents.kinds import has_kind
from tests.agents.seating import of
from tests.strategies.expressive.table import Mixed, comes_from, game, offered, quiet, seated, words


def opened(seconds: float = 12.0) -> TrialTable:
    """Return a table where the agent has made its first offer, after ``seconds`` seconds."""
    table = seated(Policies(behaviour=Behaviour(opens_after=1, asks=False)))
    table.wait(seconds)
    assert len(offered(table)) == 1
    return table


@pytest.mark.parametrize("seed", [3, 4])
def test_a_yes_counts_for_no_offer_that_came_after_it(seed: int) -> None:
    table = seated(Policies(behaviour=Behaviour(opens_after=4, asks=False, prompts=4)), seed=seed)
    assert offered(table) == []

    table.human.says("we have a deal")
    table.wait(300)

    assert comes_from(words(table)[1], "ask_for_offer")
    assert len(offered(table)) == 1
    assert not any(comes_from(text, "offer_agreed") for text in words(table))


def test_a_yes_to_an_earlier_offer_is_asked_about() -> None:
    table, agent = TrialTable(game(), seed=3), Mixed(quiet())
    table.seat(agent)
    table.human.says("Your offer?", MessageSubtype.OFFER_REQUEST_POS)
    table.wait(9)
    ctx = table.context("agent")
    said = HeardMessage("human", "Deal!", MessageSubtype.OFFER_ACCEPT, Interpretation("Deal!"), offer_id=None)

    late = agent.answer_acceptance(ctx, said)
    in_time = agent.answer_acceptance(ctx, replace(said, offer_id=ctx.current_offer_id))

    assert has_kind(message_text(late), "ask_whether_yes")
    assert has_kind(message_text(in_time), "offer_agreed")


@pytest.mark.parametrize("text", ["ok I take it", "Deal!", "we have a deal"])
def test_a_yes_that_is_not_plain_enough_to_bind_is_asked_to_be_made_formal(text: str) -> None:
    table = opened()

    table.human.says(text)
    table.wait(130)

    assert comes_from(words(table)[2], "offer_agreed")
    assert not any(
        comes_from(text, "confirmation", "ask_what_to_change", "idle_prompt_offer") for text in words(table)
    )


def test_it_asks_for_the_formal_accept_three_times_at_most() -> None:
    table = opened()

    for _ in range(7):
        table.human.says("we have a deal")
        table.wait(20)

    assert sum(comes_from(text, "offer_agreed", "yours_missing") for text in words(table)) == 3


def test_after_its_own_acceptance_it_says_that_only_theirs_is_missing() -> None:
    table = opened()
    table.human.offers(food=(0, 3), water=(0, 3), firewood=(0, 3))
    table.wait(5)
    assert len(of(table, EventType.FORMAL_ACCEPT, "agent")) == 1

    for _ in range(5):
        table.human.says("Deal?", MessageSubtype.OFFER_ACCEPT)
        table.wait(70)

    asked = [text for text in words(table) if comes_from(text, "offer_agreed", "yours_missing")]
    assert len(asked) == 3
    assert all(comes_from(text, "yours_missing") for text in asked)


@pytest.mark.parametrize("seed", range(6))
def test_a_wish_is_heard_first_and_is_not_asked_for_again(seed: int) -> None:
    table = TrialTable(game(), seed=seed)
    table.seat(Mixed())
    table.wait(4)

    table.human.says("i need wood")
    table.wait(9)

    answers = words(table)[1:]
    assert comes_from(answers[0], "pref_noted")
    assert not any(comes_from(text, "pref_request") for text in answers)


@pytest.mark.parametrize("text", ["hold on", "let me think", "hold on, I am not sure yet"])
def test_who_needs_time_is_not_prompted_soon(text: str) -> None:
    table = opened()

    table.human.says(text)
    table.wait(8)
    before = len(words(table))
    table.wait(100)

    assert comes_from(words(table)[-1], "take_time", "not_agreed_told")
    assert len(words(table)) == before
    table.wait(30)
    assert len(words(table)) > before


@pytest.mark.parametrize("seed", range(4))
def test_it_says_that_it_gives_way_only_with_an_offer_that_is_worth_less_to_it(seed: int) -> None:
    table = TrialTable(game(), seed=seed)
    table.seat(Mixed(Policies(ConcedingOffers(step=0.1))))
    for n in range(14):
        table.wait((0.7, 4.3, 9.1)[n % 3])
        if n % 2:
            table.human.says("No.", MessageSubtype.OFFER_REJECT)
        else:
            table.human.offers(food=(3 - n % 3, n % 3), water=(3, 0), firewood=(2, 1))

    utility = table.state.game.preferences["agent"].utility
    own = [e for e in table.events if e.sender == "agent" and e.type in ("SEND_MESSAGE", "SEND_OFFER")]
    last = float("inf")
    seen = 0
    for event, after in zip(own, [*own[1:], None], strict=True):
        if event.type == "SEND_OFFER":
            last = utility(event.get_offer())
        elif comes_from(event.get_text(), "concede", "concede_back"):
            assert after is not None
            assert after.type == "SEND_OFFER"
            assert utility(after.get_offer()) < last < float("inf")
            seen += 1
    assert seen
