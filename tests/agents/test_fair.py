"""The shipped agent fair: its proposals, answers, faces and farewells."""

from __future__ import annotations

from typing import Any

import pytest

from negoplatform.core.events import EventType, Expression, MessageSubtype
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, QuantityIssue
from negoplatform.testing import TrialTable
from tests.agents.kinds import has_kind, kinds_of, parts_of
from tests.agents.seating import (
    load,
    of,
    shipped,
    words,
)
from tests.games import make_game, with_rules


def fair_table(game: GameSpec, **config: Any) -> TrialTable:
    table = TrialTable(game)
    table.seat(shipped("fair", talkativeness=0, **config))
    return table


def proposal(game: GameSpec) -> tuple[float, ...]:
    """Return the utility of fair's first offer to each seat."""
    table = fair_table(game)
    table.wait(20)
    offer = of(table, EventType.SEND_OFFER, "agent")[0].get_offer()
    return tuple(game.preferences[seat].utility(offer) for seat in game.seats)


def egalitarian(game: GameSpec) -> tuple[float, float]:
    """Return the most that the worse-off side can get, and the highest sum with that; by brute force."""
    best = (float("-inf"), float("-inf"))
    for outcome in game.outcomes():
        points = [game.preferences[seat].utility(outcome) for seat in game.seats]
        if points[-1] >= game.preferences["agent"].reservation_value:
            best = max(best, (min(points), sum(points)))
    return best


def visible(tables: tuple[list[int], list[int], list[int], list[int]], scale: int = 1) -> GameSpec:
    human, agent = (
        {"x": [scale * n for n in tables[i]], "y": [scale * n for n in tables[i + 1]]} for i in (0, 2)
    )
    issues = (QuantityIssue("x", 3), QuantityIssue("y", 3))
    return make_game(
        {"human": human, "agent": agent},
        issues=issues,
        visible=("human",),
        reservation=3,
        deadline_seconds=120.0,
    )


@pytest.mark.parametrize(
    "game",
    [
        load("resource_exchange"),
        visible(([0, 5, 6, 7], [0, 1, 2, 9], [0, 2, 4, 6], [0, 3, 5, 6])),
        visible(([0, -1, 4, 5], [0, 2, 3, 3], [1, 1, 8, 8], [-2, 0, 1, 7])),
        visible(([0, 1, 1, 90], [0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 90]), scale=1000),
    ],
    ids=["resource exchange", "steps", "negative", "thousands"],
)
def test_where_it_sees_the_others_preferences_fair_proposes_the_egalitarian_outcome(game: GameSpec) -> None:
    points = proposal(game)

    assert (min(points), sum(points)) == egalitarian(game)


def test_the_points_of_the_worse_off_count_before_any_sum() -> None:
    # 1 point more for the worse-off side against 5,000 more for both together.
    plan = CategoricalIssue("plan", ("even", "rich"))
    tables = {"human": {"plan": {"even": 11, "rich": 5020}}, "agent": {"plan": {"even": 11, "rich": 10}}}
    game = make_game(tables, issues=(plan,), visible=("human",), deadline_seconds=120.0)

    assert proposal(game) == (11, 11)


def test_where_it_does_not_see_them_fair_asks_for_about_half_of_what_it_could_gain() -> None:
    game = load("practice")

    human, agent = proposal(game)

    assert 0.4 <= (agent - 0) / 13 <= 0.85
    assert human > game.preferences["human"].reservation_value


def test_fair_opens_when_nobody_has(game: GameSpec) -> None:
    table = fair_table(game)

    table.wait(11)
    early = of(table, EventType.SEND_OFFER)
    table.wait(5)

    assert early == []
    assert len(of(table, EventType.SEND_OFFER, "agent")) == 1


@pytest.mark.parametrize(
    ("text", "subtype", "kind"),
    [
        ("Hi!", MessageSubtype.GREETING, "greeting_back"),
        ("What do you like?", MessageSubtype.PREF_REQUEST, "pref_info_best"),
        ("Are you a real person?", MessageSubtype.GENERIC, "person_program"),
        ("Bla bla.", MessageSubtype.GENERIC, "unclear"),
        ("I will go.", MessageSubtype.THREAT, "stay_offer"),
    ],
)
def test_fair_answers_messages(game: GameSpec, text: str, subtype: MessageSubtype, kind: str) -> None:
    table = fair_table(game)
    table.wait(4)
    before = len(words(table))
    table.human.says(text, subtype)

    table.wait(6)

    assert [kinds_of(said, "neutral") for said in words(table)[before:]] == [{kind}]


@pytest.mark.parametrize("seconds", [0, 0.5, 1, 2])
def test_a_greeting_that_is_spoken_into_is_dropped_and_said_with_the_answer(
    game: GameSpec, seconds: float
) -> None:
    table = fair_table(game)
    table.wait(seconds)
    table.human.says("Hi!", MessageSubtype.GREETING)

    table.wait(6)

    assert [kinds_of(said, "neutral") for said in words(table)] == [{"greeting"}]


def test_an_answer_that_is_spoken_into_is_dropped_and_given_with_the_next(game: GameSpec) -> None:
    table = fair_table(game)
    table.wait(5)
    table.human.says("What matters most to you?")
    table.wait(2)  # it has read that, and types
    before = len(words(table))

    table.human.says("Are you a real person?")
    table.wait(5)

    (answer,) = words(table)[before:]
    assert parts_of(answer, "neutral") == [{"pref_info_best"}, {"person_program"}]


def test_fair_makes_an_offer_when_it_is_asked_for_one(game: GameSpec) -> None:
    table = fair_table(game)
    table.wait(3)
    table.human.says("Make me an offer.", MessageSubtype.OFFER_REQUEST_POS)

    table.wait(5)

    assert len(of(table, EventType.SEND_OFFER, "agent")) == 1


@pytest.mark.parametrize(
    ("shown", "answered"),
    [
        (Expression.HAPPY, Expression.HAPPY),
        (Expression.ANGRY, Expression.SURPRISED),
        (Expression.SURPRISED, Expression.NEUTRAL),
    ],
)
def test_fair_answers_emotions(game: GameSpec, shown: Expression, answered: Expression) -> None:
    table = fair_table(game)
    table.wait(5)
    table.human.shows(shown)

    table.wait(4)

    assert of(table, EventType.SEND_EXPRESSION, "agent")[-1].get_expression() is answered
    assert len(words(table)) == 2


def test_a_sad_face_gets_no_face_of_fair_but_words(game: GameSpec) -> None:
    table = fair_table(game)
    table.wait(5)
    before = len(of(table, EventType.SEND_EXPRESSION, "agent"))
    table.human.shows(Expression.SAD)

    table.wait(4)

    assert len(of(table, EventType.SEND_EXPRESSION, "agent")) == before
    assert kinds_of(words(table)[-1], "neutral") == {"face_sad"}


def test_fair_breaks_a_silence(game: GameSpec) -> None:
    table = fair_table(game)
    table.wait(20)
    before = len(words(table))

    table.wait(62)

    assert [kinds_of(text, "neutral") for text in words(table)[before:]] == [{"idle_prompt_offer"}]


def test_fair_hurries_when_the_deadline_approaches(game: GameSpec) -> None:
    table = fair_table(with_rules(game, deadline_seconds=60.0))
    table.wait(29)
    before = [text for text in words(table) if has_kind(text, "hurry_standing", "neutral")]

    table.wait(20)

    assert before == []
    assert len([text for text in words(table) if has_kind(text, "hurry_standing", "neutral")]) == 1


def near_the_deadline(game: GameSpec) -> TrialTable:
    """Return a table whose participant has asked for everything fourteen times, shortly before the end."""
    table = fair_table(with_rules(game, deadline_seconds=160.0))
    table.wait(5)
    for _ in range(14):
        table.human.offers(bananas=(4, 0), grain=(5, 0), wood=(3, 0), spices=(3, 0))
        table.wait(8.5)
    return table


def test_fair_makes_a_last_proposal_to_one_whose_offer_stands(game: GameSpec) -> None:
    table = near_the_deadline(game)
    before = len(words(table))

    table.wait(20)

    assert [kinds_of(text, "neutral") for text in words(table)[before:]] == [{"final_whole"}]
    assert table.context("agent").current_offer_sender == "agent"


def test_a_last_proposal_that_is_spoken_into_is_made_again(game: GameSpec) -> None:
    table = near_the_deadline(game)
    table.wait(7.2)  # it types its last proposal
    before = len(of(table, EventType.SEND_OFFER, "agent"))
    typed = of(table, EventType.TYPING, "agent")[-1].t

    table.human.says("Are you a real person?")
    table.wait(15)

    assert typed >= 130
    assert len(of(table, EventType.SEND_OFFER, "agent")) == before + 1
    assert table.context("agent").current_offer_sender == "agent"


def test_the_answer_to_an_offer_is_given_after_all_when_it_is_spoken_into(game: GameSpec) -> None:
    table = fair_table(game)
    table.wait(5)
    for n in range(6):
        table.human.offers(bananas=(4, 0), grain=(5, 0), wood=(3, 0), spices=(3, 0))
        table.wait(3)  # it types
        table.human.says(f"Take your time, number {n}.")
        table.wait(9)

    made = [event.t for event in of(table, EventType.SEND_OFFER, "agent")]
    assert len(made) >= 4


def test_fair_accepts_what_is_as_good_as_its_own_proposal(game: GameSpec) -> None:
    table = fair_table(game)
    table.wait(3)
    offer = table.human.offers(bananas=(0, 4), grain=(0, 5), wood=(0, 3), spices=(0, 3))
    table.wait(3)
    table.human.accepts(offer)

    table.play_out()

    assert table.state.ending is not None
    assert table.state.ending.deal == offer.get_offer()
    assert kinds_of(words(table)[-1], "neutral") == {"farewell_deal"}


def test_fair_refuses_what_leaves_it_with_too_little_and_proposes_again(game: GameSpec) -> None:
    table = fair_table(game)
    table.wait(3)
    table.human.offers(bananas=(4, 0), grain=(5, 0), wood=(3, 0), spices=(3, 0))

    table.wait(8)

    assert kinds_of(words(table)[-1], "neutral") == {"counter_whole"}
    assert of(table, EventType.FORMAL_ACCEPT) == []
    assert len(of(table, EventType.SEND_OFFER, "agent")) == 1


def test_fair_fills_in_a_partial_offer(game: GameSpec) -> None:
    table = fair_table(game)
    table.wait(3)
    table.human.offers(bananas=(2, 2))

    table.wait(8)

    offer = of(table, EventType.SEND_OFFER, "agent")[-1].get_offer()
    assert kinds_of(words(table)[-1], "neutral") == {"complete_theirs"}
    assert offer.units("bananas", "human") == 2
    assert table.state.game.is_complete(offer)
    assert table.context("agent").utility(offer) >= 25


def test_fair_that_sees_no_preferences_keeps_the_heaps_even_when_it_gives_way(practice: GameSpec) -> None:
    table = fair_table(practice)
    table.wait(15)
    for apples in (5, 4, 5):
        table.human.offers(apples=(apples, 6 - apples), day="Saturday")
        table.wait(8)

    for event in of(table, EventType.SEND_OFFER, "agent"):
        assert event.get_offer().units("apples", "human") in (2, 3, 4)
        assert event.get_offer().get("day") != "Friday"


@pytest.mark.parametrize("seconds", [0, 1.5, 5])
def test_fair_says_farewell_without_a_deal_too(game: GameSpec, seconds: float) -> None:
    table = fair_table(game)
    table.wait(seconds)
    table.human.quits()

    table.play_out()

    assert kinds_of(words(table)[-1], "neutral") == {"farewell_no_deal"}


@pytest.mark.parametrize("share", [40, -1, "half", True])
def test_a_share_that_is_none_is_refused(share: object) -> None:
    with pytest.raises(Exception, match="'share' is a share from 0 to 1"):
        shipped("fair", share=share)
