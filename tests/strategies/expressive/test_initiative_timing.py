"""Timing of the expressive agents' unprompted actions."""

from __future__ import annotations

from collections import Counter
from itertools import groupby, pairwise

import pytest

from negoplatform.core.events import EventType, MessageSubtype
from negoplatform.strategies.dialogue.sentences import normalized_sentences
from negoplatform.strategies.expressive import Behaviour, ConcedingOffers, Policies, StoneFace
from negoplatform.testing import TrialTable
from tests.agents.seating import of
from tests.games import categorical_only, coins_only, with_rules
from tests.strategies.expressive.table import Mixed, comes_from, game, offered, said, seated, words

PROMPTS = (MessageSubtype.TIMING, MessageSubtype.TIMING_INFO)

GREEDY = {"food": (3, 0), "water": (3, 0), "firewood": (3, 0)}


def prompts(table: TrialTable) -> list[float]:
    """Return the times at which the agent broke a silence."""
    return [event.t for event in said(table) if event.payload.subtype is MessageSubtype.TIMING]


def test_it_opens_after_some_seconds_if_nobody_has() -> None:
    table = seated(Policies(behaviour=Behaviour(opens_after=10, asks=False)))

    table.wait(5)
    early = offered(table)
    table.wait(8)

    assert early == []
    assert len(offered(table)) == 1


def test_it_does_not_open_if_somebody_has() -> None:
    table = seated(Policies(ConcedingOffers(start=0), behaviour=Behaviour(opens_after=10, asks=False)))
    table.human.offers(food=(0, 3), water=(0, 3), firewood=(0, 3))

    table.wait(20)

    assert offered(table) == []


def test_it_prompts_into_a_silence_after_60_seconds_then_after_120_and_twice_at_most() -> None:
    table = seated(Policies(behaviour=Behaviour(asks=False)))

    table.wait(500)

    times = prompts(table)
    gaps = [later - earlier for earlier, later in zip([offered(table)[0].t, *times], times, strict=False)]
    assert len(times) == 2
    assert 60 <= gaps[0] < 70
    assert 120 <= gaps[1] < 130


def test_how_long_it_bears_silence_and_how_often_it_breaks_it_can_be_set() -> None:
    table = seated(Policies(behaviour=Behaviour(asks=False, patience=10, later=20, prompts=4)))

    table.wait(300)

    times = prompts(table)
    assert len(times) == 4
    assert all(20 <= later - earlier < 30 for earlier, later in pairwise(times))


def test_when_the_other_has_spoken_it_prompts_again() -> None:
    table = seated(Policies(behaviour=Behaviour(asks=False)))
    table.wait(300)
    before = len(prompts(table))

    table.human.says("Let me think.", MessageSubtype.GENERIC_POS)
    table.wait(200)

    assert len(prompts(table)) > before


def test_while_an_offer_is_being_built_it_is_silent() -> None:
    table = seated(Policies(behaviour=Behaviour(asks=False)))
    table.wait(10)
    before = len(said(table))

    for _ in range(30):
        table.human.drafts()
        table.wait(5)

    assert len(said(table)) == before
    table.wait(60)
    assert len(said(table)) > before


def test_it_does_not_open_either_while_an_offer_is_being_built() -> None:
    table = seated(Policies(behaviour=Behaviour(opens_after=10, asks=False)))

    for _ in range(10):
        table.human.drafts()
        table.wait(4)

    assert offered(table) == []
    table.wait(40)
    assert len(offered(table)) == 1


def test_in_the_last_half_minute_it_makes_a_final_offer_and_says_why() -> None:
    table = seated(Policies(behaviour=Behaviour(asks=False, prompts=0)))
    table.wait(560)
    before = len(offered(table))

    table.wait(25)

    assert len(offered(table)) == before + 1
    assert comes_from(words(table)[-1], "final_whole")


def test_at_the_end_it_takes_what_is_better_than_nothing() -> None:
    table = seated(Policies(behaviour=Behaviour(asks=False, prompts=0)))
    least = table.state.game.preferences["agent"].reservation_value
    enough = next(
        offer
        for offer in table.context("agent").outcomes()
        if least <= table.context("agent").utility(offer) <= least + 3
    )
    table.human.offers(enough)
    table.wait(8)
    early = of(table, EventType.FORMAL_ACCEPT, "agent")

    table.wait(560)
    table.human.offers(enough)
    table.wait(8)

    assert early == []
    assert len(of(table, EventType.FORMAL_ACCEPT, "agent")) == 1


def test_it_comes_back_to_the_best_that_it_was_offered() -> None:
    table = seated(Policies(ConcedingOffers(least=0.5, final=0.9), behaviour=Behaviour(asks=False)))
    least = table.state.game.preferences["agent"].reservation_value
    ctx = table.context("agent")
    poor = next(offer for offer in ctx.outcomes() if least <= ctx.utility(offer) <= least + 3)
    table.human.offers(poor)

    table.wait(590)

    assert offered(table)[-1].get_offer() == poor


@pytest.mark.parametrize("name", ["campsite", "resource_exchange"])
def test_no_sentence_is_said_twice_to_somebody_who_repeats_himself(name: str) -> None:
    table = seated(None, game(name))
    greedy = {issue.name: (issue.quantity, 0) for issue in table.state.game.issues}  # type: ignore[union-attr]

    for i in range(60):
        if i % 3:
            table.human.says("No, give me more.", MessageSubtype.OFFER_REJECT)
        else:
            table.human.offers(greedy)
        table.wait(8)

    sentences = Counter(sentence for text in words(table) for sentence in normalized_sentences(text))
    assert len(sentences) > 10
    assert [sentence for sentence, times in sentences.items() if times > 1] == []
    runs = [(offer, len(list(run))) for offer, run in groupby(event.get_offer() for event in offered(table))]
    assert max(length for _, length in runs) <= 2


def test_one_that_does_not_move_does_not_make_the_same_proposal_for_ever() -> None:
    table = seated(Policies(ConcedingOffers(start=1.0, step=0.0, least=1.0), behaviour=Behaviour(asks=False)))
    worth = table.state.game.preferences["agent"].utility

    for offer in sorted(table.context("agent").outcomes(), key=worth)[:40:4]:
        table.human.offers(offer)
        table.wait(6)

    assert [len(list(run)) for _, run in groupby(event.get_offer() for event in offered(table))] == [2]
    assert len(words(table)) > 4


def test_typing_is_shown_before_words() -> None:
    table = seated()
    table.human.says("Hello", MessageSubtype.GREETING)
    table.wait(4)

    kinds = [event.type for event in table.events if event.sender == "agent" and event.t > 5]
    assert kinds[:2] == [EventType.TYPING, EventType.SEND_MESSAGE]


def test_one_that_shows_nothing_shows_nothing() -> None:
    table = seated(Policies(faces=StoneFace()))
    table.human.offers(GREEDY)
    table.wait(10)

    assert of(table, EventType.SEND_EXPRESSION, "agent") == []


def test_an_offer_is_accepted_once() -> None:
    table = seated(None, with_rules(game(), deadline_seconds=60.0))
    table.wait(24)
    table.human.offers(food=(0, 3), water=(0, 3), firewood=(0, 3))
    table.wait(20)

    assert len(of(table, EventType.FORMAL_ACCEPT, "agent")) == 1
    assert of(table, EventType.ACTION_REFUSED) == []


def test_after_the_end_it_says_good_bye_and_no_more() -> None:
    played = with_rules(coins_only(), deadline_seconds=60.0)
    table = TrialTable(played)
    for seat in played.seats:
        table.seat(Mixed(), seat)

    table.play_out()

    assert table.state.ended_at is not None
    farewells = [event for event in of(table, EventType.SEND_MESSAGE) if event.t > table.state.ended_at]
    assert len(farewells) == 2
    assert all(event.t < table.state.ended_at for event in of(table, EventType.ACTION_REFUSED))


def test_without_a_deadline_it_comes_to_an_end_after_many_rounds() -> None:
    behaviour = Behaviour()

    assert not behaviour.is_late(None, 59)
    assert behaviour.is_late(None, 60)
    assert behaviour.is_late(30.0, 0)
    assert not behaviour.is_late(31.0, 1000)


def test_a_game_without_deadline_is_played_to_a_deal() -> None:
    played = categorical_only()
    table = TrialTable(played)
    for seat in played.seats:
        table.seat(Mixed(), seat)

    table.wait(1500)

    assert table.state.ending is not None
    assert table.state.ending.deal is not None


def test_what_is_said_after_the_end_is_not_answered() -> None:
    table = seated()
    table.human.quits()

    table.human.says("I need water most of all.", MessageSubtype.GENERIC_POS)
    table.wait(6)

    assert [event.payload.subtype for event in said(table)][-1] is MessageSubtype.FAREWELL
    assert of(table, EventType.ACTION_REFUSED) == []


def test_an_offer_that_talk_came_before_is_made_after_the_talk() -> None:
    table = seated(Policies(behaviour=Behaviour(opens_after=10, asks=False, prompts=0)))
    while not of(table, EventType.TYPING, "agent")[1:]:
        table.wait(0.1)
    assert offered(table) == [], "it is about to say it"

    table.human.says("Nice weather.", MessageSubtype.GENERIC_POS)
    table.wait(5)
    early = offered(table)
    table.wait(10)

    assert early == []
    assert len(offered(table)) == 1


def test_words_that_bring_out_an_offer_are_never_said_without_it() -> None:
    table = seated(Policies(behaviour=Behaviour(opens_after=10, asks=False, prompts=0)))
    while not words(table)[1:]:
        table.wait(0.1)

    table.human.says("Nice weather.", MessageSubtype.GENERIC_POS)
    table.wait(5)

    assert [event.t for event in offered(table)] == [said(table)[1].t]


def test_typing_is_no_silence() -> None:
    table = seated(Policies(behaviour=Behaviour(asks=False)))
    table.wait(30)
    before = len(said(table))

    for _ in range(30):
        table.human.types()
        table.wait(5)

    assert len(said(table)) == before
    table.wait(62)
    assert len(said(table)) == before + 1


def test_it_asks_about_the_same_offer_again_only_after_a_longer_silence() -> None:
    table = seated(Policies(behaviour=Behaviour(asks=False)))
    table.wait(90)
    before = len(prompts(table))
    table.human.says("Nice weather today.")
    table.wait(100)

    assert before == 1
    assert len(prompts(table)) == 1
    table.wait(40)
    assert len(prompts(table)) == 2
