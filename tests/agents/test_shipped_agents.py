"""All shipped agents at every game: no failure, nothing worse than no deal, the same in every run."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations_with_replacement, pairwise

import pytest

from negoplatform.app.simulation.simulate import simulate
from negoplatform.core.events import EndedBy, EventType, Expression, MessageSubtype
from negoplatform.domain.game import GameSpec, Preferences
from negoplatform.domain.issue import CategoricalIssue, QuantityIssue
from negoplatform.domain.seat_map import SeatMap
from negoplatform.formats.events import encode_event
from negoplatform.language.generation import VOICES
from negoplatform.testing import TrialTable
from tests.agents.kinds import has_kind, parts_of
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
    words,
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


def faults(table: TrialTable) -> list[str]:
    """Return failures of agents, a game without an offer, and offers that were worse than no deal."""
    found = [str(event.payload) for event in of(table, EventType.AGENT_FAILED)]
    if not of(table, EventType.SEND_OFFER):
        found.append("no offer")
    return found + [offer for seat in table.state.game.seats for offer in below_reservation(table, seat)]


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
    assert faults(played(ODD_GAMES[odd](), *pair)) == []


@pytest.mark.parametrize("pair", PAIRS, ids=" ".join)
def test_agents_whose_interests_meet_find_a_deal(pair: tuple[str, str]) -> None:
    table = played(categorical_only(deadline_seconds=300.0), *pair)

    assert faults(table) == []
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


def test_reservation_values_are_kept_by_seat() -> None:
    preferences: SeatMap[Preferences] = load("practice").preferences

    assert {seat: preferences[seat].reservation_value for seat in preferences} == {"human": 4, "agent": 4}
