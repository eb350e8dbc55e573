"""All shipped agents at every game: no failure, nothing worse than no deal, the same in every run."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations_with_replacement, pairwise
from typing import Any

import pytest

from negoplatform.app.simulation.simulate import simulate
from negoplatform.core.events import EndedBy, EventType, Expression, MessageSubtype
from negoplatform.domain.game import GameSpec, Preferences
from negoplatform.domain.issue import CategoricalIssue, QuantityIssue
from negoplatform.domain.seat_map import SeatMap
from negoplatform.formats.events import encode_event
from negoplatform.language.generation import VOICES
from negoplatform.testing import TrialTable
from tests.agents.kinds import has_kind, kinds_of, parts_of
from tests.agents.seating import (
    BIDDERS,
    SHIPPED,
    TALKERS,
    VOICES_OF,
    below_reservation,
    load,
    of,
    played,
    plugin,
    shipped,
)
from tests.games import burdens, categorical_only, coins_only, make_game, three_seats, with_rules
from tests.sweeps import sampled

GAMES = (
    *("resource_exchange", "practice", "job_candidate", "campsite", "land_sale", "used_car"),
    "flatmates",
)

DRAWN = ("job_candidate", "campsite", "used_car")
"""Games whose seed draws the seats' preferences: two bidders play each of these twice.

benchmarks/all_pairs.py plays all of them twenty times and more.
"""

PARTNERS = ("boulware", "negochat", "building")
"""Partners of every talker here, in addition to itself; benchmarks/agents_compared.json has every pair."""

PAIRS = [
    *combinations_with_replacement(BIDDERS, 2),
    *((name, name) for name in TALKERS),
    *((name, partner) for name in TALKERS for partner in PARTNERS if name != partner),
]


def as_bytes(table: TrialTable) -> bytes:
    return b"".join(encode_event(event, "") for event in table.events)


def is_sound(table: TrialTable) -> None:
    """Assert that no agent failed, an offer was made, and no seat stood for a deal worse than none."""
    assert of(table, EventType.AGENT_FAILED) == []
    assert of(table, EventType.SEND_OFFER)
    for seat in table.state.game.seats:
        assert below_reservation(table, seat) == []


@pytest.mark.parametrize(("pair", "game"), sampled(PAIRS, GAMES))
def test_every_pair_plays_every_game_in_both_seatings_without_an_error_at_a_pace_that_can_be_followed(
    game: str, pair: tuple[str, str]
) -> None:
    errors: list[BaseException] = []
    plugins = [plugin(name) for name in pair]
    seeds = 2 if game in DRAWN and set(pair) <= set(BIDDERS) else 1

    results = list(simulate(load(game), plugins, games=seeds, seed=1, logs=None, report=errors.append))

    assert len(results) == (seeds if pair[0] == pair[1] else 2 * seeds)
    assert errors == []
    assert sum(result.failures for result in results) == 0
    assert {result.ended_by for result in results} <= {EndedBy.AGREEMENT, EndedBy.TIMEOUT}
    assert [result for result in results if result.offers > result.seconds + 4] == []


@pytest.mark.parametrize(
    ("pair", "game"), sampled(list(zip(SHIPPED, (*SHIPPED[1:], SHIPPED[0]), strict=True)), GAMES)
)
def test_equal_seed_equal_log(game: str, pair: tuple[str, str]) -> None:
    first, second = (played(load(game), *pair, seed=7, seconds=2000) for _ in range(2))

    assert as_bytes(first) == as_bytes(second)
    assert first.closed


def test_another_seed_makes_another_log() -> None:
    logs = {as_bytes(played(load("resource_exchange"), "linear", "conceder", seed=seed)) for seed in range(4)}

    assert len(logs) > 1


PLAY = """
import hashlib, sys
from tests.agents.seating import SHIPPED, load, played
from tests.agents.test_shipped_agents import as_bytes
digest = hashlib.sha256()
for name in SHIPPED:
    digest.update(as_bytes(played(load("resource_exchange"), name, "linear", seed=3)))
sys.stdout.write(digest.hexdigest())
"""


def test_the_log_does_not_hang_on_pythons_hash_seed() -> None:
    def digest(hash_seed: str) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        return subprocess.run(
            [sys.executable, "-c", PLAY], env=environment, check=True, capture_output=True, text=True
        ).stdout

    assert digest("1") == digest("2")


ODD_GAMES: dict[str, Callable[[], GameSpec]] = {
    "nobody likes it": lambda: burdens(deadline_seconds=300.0),
    "no deadline": categorical_only,
    "maker accepts": lambda: with_rules(categorical_only(deadline_seconds=300.0), acceptance="maker_accepts"),
    "partial deals": lambda: with_rules(categorical_only(deadline_seconds=300.0), allow_partial=True),
    "one outcome": lambda: make_game(
        {"human": {"it": {"so": 1}}, "agent": {"it": {"so": 1}}},
        issues=(CategoricalIssue("it", ("so",)),),
        deadline_seconds=300.0,
    ),
}


@pytest.mark.parametrize(("pair", "odd"), sampled(PAIRS, list(ODD_GAMES)))
def test_every_pair_works_at_odd_games(odd: str, pair: tuple[str, str]) -> None:
    is_sound(played(ODD_GAMES[odd](), *pair))


@pytest.mark.parametrize("pair", PAIRS, ids=" ".join)
def test_agents_whose_interests_meet_find_a_deal(pair: tuple[str, str]) -> None:
    table = played(categorical_only(deadline_seconds=300.0), *pair)

    is_sound(table)
    # Two that each ask for more than half of the joint gains find no deal, as their descriptions say.
    if set(pair) != {"competitive"}:
        assert table.state.ending is not None
        assert table.state.ending.ended_by is EndedBy.AGREEMENT


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("acceptance", ["both_confirm", "maker_accepts"])
def test_three_of_a_kind_can_sit_at_a_table_for_three(name: str, acceptance: str) -> None:
    table = played(three_seats(deadline_seconds=120.0, acceptance=acceptance), name, name, name)

    assert of(table, EventType.AGENT_FAILED) == []
    assert table.state.ending is not None
    assert table.state.ending.ended_by in (EndedBy.AGREEMENT, EndedBy.TIMEOUT)
    assert len(of(table, EventType.SEND_OFFER)) < 500, "answers to answers must not flood the table"
    for seat in table.state.game.seats:
        assert below_reservation(table, seat) == []


def test_two_agents_that_find_no_deal_do_not_talk_each_other_into_the_ground() -> None:
    table = TrialTable(load("practice"))
    for seat in ("human", "agent"):
        table.seat(shipped("fair", share=0.95), seat)

    table.wait(560)

    assert table.state.ending is None
    assert len(of(table, EventType.SEND_MESSAGE)) < 2 * 560


@pytest.mark.parametrize("name", SHIPPED)
def test_no_agent_stands_for_a_deal_that_is_worse_than_none(name: str) -> None:
    game = load("resource_exchange")
    table = TrialTable(with_rules(game, deadline_seconds=60.0))
    table.seat(shipped(name))
    greedy = {"bananas": (4, 0), "grain": (4, 1), "wood": (3, 0), "spices": (2, 1)}
    for _ in range(14):
        table.human.accepts(table.human.offers(greedy))
        table.wait(4)
    table.play_out()

    assert below_reservation(table, "agent") == []
    assert of(table, EventType.AGENT_FAILED) == []


@pytest.mark.parametrize("name", SHIPPED)
def test_where_no_outcome_beats_no_deal_an_agent_offers_and_accepts_nothing(name: str) -> None:
    game = coins_only(deadline_seconds=60.0)
    proud = replace(game.preferences["agent"], reservation_value=100)
    table = TrialTable(replace(game, preferences=game.preferences.with_value("agent", proud)))
    table.seat(shipped(name))
    table.wait(2)
    table.human.says("What would you like?", MessageSubtype.OFFER_REQUEST_POS)
    table.human.accepts(table.human.offers(coins=0))

    table.play_out()

    assert of(table, EventType.SEND_OFFER, "agent") == []
    assert of(table, EventType.FORMAL_ACCEPT, "agent") == []
    assert of(table, EventType.AGENT_FAILED) == []


def huge(kind: str) -> GameSpec:
    """Return a game with 10 ** 12 outcomes."""
    issues: tuple[CategoricalIssue, ...] | tuple[QuantityIssue, ...]
    if kind == "values":
        issues = tuple(CategoricalIssue(f"issue {i}", tuple(f"v{j}" for j in range(10))) for i in range(12))
        points = {issue.name: {f"v{j}": j for j in range(10)} for issue in issues}
        less = {issue.name: {f"v{j}": 9 - j for j in range(10)} for issue in issues}
        return make_game({"human": less, "agent": points}, issues=issues, deadline_seconds=60.0)
    issues = tuple(QuantityIssue(f"issue {i}", 999) for i in range(4))
    units = {issue.name: list(range(1000)) for issue in issues}
    return make_game({"human": units, "agent": units}, issues=issues, deadline_seconds=60.0)


@pytest.mark.parametrize("name", ["fair", "linear"])
@pytest.mark.parametrize("kind", ["values", "units"])
def test_an_agent_starts_at_once_however_many_outcomes_there_are(name: str, kind: str) -> None:
    game = huge(kind)
    table = TrialTable(game)
    table.seat(shipped(name))

    table.wait(14)

    assert game.count_outcomes() == 10**12
    assert of(table, EventType.SEND_OFFER, "agent")


def test_an_issue_that_three_can_divide_in_half_a_million_ways_is_sampled_too() -> None:
    units = {"sand": list(range(1001))}
    game = make_game(
        dict.fromkeys(("a", "b", "c"), units), issues=(QuantityIssue("sand", 1000),), deadline_seconds=60.0
    )
    table = TrialTable(game)
    table.seat(shipped("linear"), "a")

    table.wait(3)

    (first,) = of(table, EventType.SEND_OFFER)
    assert first.get_offer().units("sand", "a") >= 950


def test_a_huge_game_is_played_to_a_deal() -> None:
    table = played(huge("values"), "linear", "conceder")

    assert table.state.ending is not None
    assert table.state.ending.ended_by is EndedBy.AGREEMENT
    assert of(table, EventType.AGENT_FAILED) == []


REQUESTS = {
    *("send_as_offer_yes", "send_as_offer_no", "send_as_offer_open", "ask_for_offer"),
    *("ask_either", "ask_what_to_change", "unclear", "question_unknown"),
}
"""Kinds of message that ask for an offer, or for the meaning of words."""


@pytest.mark.parametrize("name", SHIPPED)
def test_an_offer_that_comes_with_the_words_it_was_typed_in_gets_one_answer(name: str) -> None:
    table = TrialTable(load("practice"))
    table.seat(shipped(name))
    table.wait(20)
    before = len(words(table))

    table.human.says("I take 5 apples, and we meet on Saturday.")
    table.human.offers(apples=(5, 1), day="Saturday")
    table.wait(10)

    answers = words(table)[before:]
    assert len(answers) <= 1
    voice = VOICES_OF.get(name, "warm")
    assert [text for text in answers for kind in REQUESTS if has_kind(text, kind, voice)] == []


def test_talking_agents_say_what_they_say_in_a_voice_of_their_own() -> None:
    for name in ("fair", *TALKERS):
        table = TrialTable(load("practice"))
        table.seat(shipped(name, talkativeness=0))
        table.wait(25)

        assert words(table)
        assert all(parts_of(text, VOICES_OF.get(name, "warm")) for text in words(table))


@pytest.mark.parametrize("name", ["fair", *TALKERS])
def test_each_talking_agent_can_be_given_every_voice_and_manner(name: str) -> None:
    properties = (plugin(name).options or {})["properties"]

    assert {"persona", "talkativeness", "politeness", "honesty", "faces", "language"} <= set(properties)
    assert set(properties["persona"]["enum"]) == set(VOICES)


@pytest.mark.parametrize("name", ["fair", *TALKERS])
@pytest.mark.parametrize("faces", [False, True])
def test_an_agent_whose_faces_are_switched_off_shows_none(name: str, faces: bool) -> None:
    table = TrialTable(load("practice"))
    table.seat(shipped(name, faces=faces))
    table.wait(10)
    table.human.shows(Expression.HAPPY)
    table.wait(4)
    table.human.offers(apples=(6, 0), day="Saturday")
    table.wait(10)

    assert bool(of(table, EventType.SEND_EXPRESSION, "agent")) is faces


@pytest.mark.parametrize("name", ["fair", *TALKERS])
def test_the_words_of_an_offer_come_with_it_and_no_two_messages_in_two_seconds(name: str) -> None:
    table = TrialTable(load("practice"))
    table.seat(shipped(name))
    for apples in (6, 5, 5, 4, 6):
        table.wait(6)
        table.human.says("What matters most to you?")
        table.human.offers(apples=(apples, 6 - apples), day="Saturday")
    table.wait(20)

    said = [event.t for event in of(table, EventType.SEND_MESSAGE, "agent")]
    made = [event.t for event in of(table, EventType.SEND_OFFER, "agent")]
    assert len(said) > 2
    assert [second - first for first, second in pairwise(said) if second - first < 2] == []
    assert [t for t in made if any(0 < abs(t - at) < 2 for at in said)] == []


# Fair


def fair_table(game: GameSpec, **config: Any) -> TrialTable:
    table = TrialTable(game)
    table.seat(shipped("fair", talkativeness=0, **config))
    return table


def words(table: TrialTable) -> list[str]:
    return [event.get_text() for event in of(table, EventType.SEND_MESSAGE, "agent")]


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


def test_fair_makes_a_last_proposal_to_one_whose_offer_stands(game: GameSpec) -> None:
    table = fair_table(with_rules(game, deadline_seconds=160.0))
    table.wait(5)
    for _ in range(14):
        table.human.offers(bananas=(4, 0), grain=(5, 0), wood=(3, 0), spices=(3, 0))
        table.wait(8.5)
    before = len(words(table))

    table.wait(20)

    assert [kinds_of(text, "neutral") for text in words(table)[before:]] == [{"final_whole"}]
    assert table.context("agent").current_offer_sender == "agent"


def test_a_last_proposal_that_is_spoken_into_is_made_again(game: GameSpec) -> None:
    table = fair_table(with_rules(game, deadline_seconds=160.0))
    table.wait(5)
    for _ in range(14):
        table.human.offers(bananas=(4, 0), grain=(5, 0), wood=(3, 0), spices=(3, 0))
        table.wait(8.5)
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


def test_reservation_values_are_kept_by_seat() -> None:
    preferences: SeatMap[Preferences] = load("practice").preferences

    assert {seat: preferences[seat].reservation_value for seat in preferences} == {"human": 4, "agent": 4}
