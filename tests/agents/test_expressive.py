"""Shipped expressive agents at every game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations, groupby, pairwise

import pytest

from negoplatform.core.events import EndedBy, Event, EventType, MessageSubtype
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, NumberIssue
from negoplatform.domain.offer import Offer
from negoplatform.language.generation import VOICES
from negoplatform.strategies.dialogue.sentences import normalized_sentences
from negoplatform.testing import TrialTable
from tests.agents.kinds import has_kind, parts_of
from tests.agents.seating import load, of, played, plugin, shipped
from tests.agents.test_shipped_agents import GAMES, ODD_GAMES, as_bytes, huge
from tests.games import categorical_only, make_game, three_seats, with_rules
from tests.sweeps import sampled

EXPRESSIVE = (
    "conceding",
    "competitive",
    "building",
    "favours_fair",
    "favours_limited",
    "favours_betraying",
    "lying",
)


def below_no_deal(table: TrialTable, seat: str) -> list[Event]:
    """Return the events of deals that a seat stood for and that are worth less to it than none.

    Partial offers do not count.
    """
    game, events = table.state.game, {event.seq: event for event in table.events}
    mine = of(table, EventType.SEND_OFFER, seat)
    mine += [events[event.payload.offer_id] for event in of(table, EventType.FORMAL_ACCEPT, seat)]
    preferences = game.preferences[seat]
    return [
        event
        for event in mine
        if game.is_complete(event.get_offer())
        and preferences.utility(event.get_offer()) < preferences.reservation_value
    ]


def is_sound(table: TrialTable) -> None:
    assert of(table, EventType.AGENT_FAILED) == []
    for seat in table.state.game.seats:
        assert below_no_deal(table, seat) == []


@pytest.mark.parametrize(("name", "game"), sampled(EXPRESSIVE, GAMES, per_row=2))
@pytest.mark.parametrize("other", ["fair", "boulware"])
def test_each_plays_every_game_to_an_end(game: str, name: str, other: str) -> None:
    table = played(load(game), name, other, seconds=2000)

    is_sound(table)
    assert table.state.ending is not None
    assert table.state.ending.ended_by in (EndedBy.AGREEMENT, EndedBy.TIMEOUT)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", EXPRESSIVE)
def test_two_of_a_kind_agree(game: str, name: str) -> None:
    table = played(load(game), name, name, seconds=2000)

    is_sound(table)
    assert table.state.ending is not None
    # Two that each ask for more than half of the joint gain may run out of time over a price.
    if (name, game) != ("competitive", "land_sale"):
        assert table.state.ending.deal is not None
    assert len(of(table, EventType.SEND_OFFER)) < 100, "where nothing moves they wait"


def number_only() -> GameSpec:
    return make_game(
        {
            "human": {"price": {n: 10 - n for n in range(11)}, "extra": {"yes": 4, "no": 0}},
            "agent": {"price": {n: n for n in range(11)}, "extra": {"yes": 0, "no": 1}},
        },
        issues=(NumberIssue("price", 0, 10), CategoricalIssue("extra", ("yes", "no"))),
        reservation=2,
        deadline_seconds=200.0,
    )


ODD: dict[str, Callable[[], GameSpec]] = {
    **ODD_GAMES,
    "categorical only": lambda: categorical_only(deadline_seconds=300.0),
    "numbers": number_only,
}


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("name", EXPRESSIVE)
def test_each_works_at_odd_games_with_one_that_only_bids(odd: str, name: str) -> None:
    table = played(ODD[odd](), name, "linear")

    is_sound(table)
    assert of(table, EventType.SEND_OFFER)


@pytest.mark.parametrize("name", EXPRESSIVE)
def test_two_of_a_kind_work_where_there_is_a_price_to_find(name: str) -> None:
    table = played(number_only(), name, name)

    is_sound(table)
    assert of(table, EventType.SEND_OFFER)


@pytest.mark.parametrize("acceptance", ["both_confirm", "maker_accepts"])
@pytest.mark.parametrize("name", EXPRESSIVE)
def test_three_of_a_kind_can_sit_at_a_table_for_three(name: str, acceptance: str) -> None:
    table = played(three_seats(deadline_seconds=120.0, acceptance=acceptance), name, name, name)

    is_sound(table)
    assert len(of(table, EventType.SEND_OFFER)) < 200
    assert len(of(table, EventType.SEND_MESSAGE)) < 400


@pytest.mark.parametrize("kind", ["values", "units"])
@pytest.mark.parametrize("name", ["conceding", "building"])
def test_a_game_of_a_million_million_outcomes_is_played(kind: str, name: str) -> None:
    table = TrialTable(huge(kind))
    table.seat(shipped(name))

    table.wait(25)

    is_sound(table)
    assert of(table, EventType.SEND_OFFER, "agent")


@pytest.mark.parametrize("name", EXPRESSIVE)
def test_equal_seeds_make_equal_games(name: str) -> None:
    first, second = (played(load("campsite"), name, "conceding", seed=5) for _ in range(2))

    assert as_bytes(first) == as_bytes(second)


def test_each_has_a_name_of_its_own_that_is_a_persons() -> None:
    names = {shipped(name).get_name() for name in EXPRESSIVE}

    assert len(names) == len(EXPRESSIVE)
    assert not any(name in told.lower() for told in names for name in ("lying", "fair", "compet"))


@pytest.mark.parametrize("name", ["lying", "favours_betraying"])
def test_the_experimenter_is_told_that_it_lies(name: str) -> None:
    assert "is marked in the record" in plugin(name).description


def test_the_persona_is_heard() -> None:
    told: dict[str, set[str]] = {}
    for voice in VOICES:
        table = TrialTable(load("campsite"), seed=4)
        table.seat(shipped("conceding", persona=voice, talkativeness=0))
        table.wait(40)
        for kind in (MessageSubtype.PREF_REQUEST, MessageSubtype.OFFER_REJECT, MessageSubtype.THREAT):
            table.human.says("A phrase.", kind)
            table.wait(10)
        said = [event.get_text() for event in of(table, EventType.SEND_MESSAGE, "agent")]
        told[voice] = {sentence for text in said for sentence in normalized_sentences(text)}
        assert all(parts_of(text, voice) for text in said)

    assert all(len(said) >= 4 for said in told.values())
    assert all(told[one].isdisjoint(told[other]) for one, other in combinations(VOICES, 2))


def facing_a_wall(name: str) -> TrialTable:
    """Return a table at which the other side repeats the same words and the same demand to the end."""
    table = TrialTable(with_rules(load("resource_exchange"), deadline_seconds=400.0))
    table.seat(shipped(name))
    greedy = {"bananas": (4, 0), "grain": (5, 0), "wood": (3, 0), "spices": (3, 0)}
    for i in range(40):
        if i % 4 == 3:
            table.human.says("No!", MessageSubtype.OFFER_REJECT)
        else:
            table.human.offers(greedy)
        table.wait(8)
    table.play_out()
    return table


def longest_run(offers: list[Offer]) -> int:
    return max(len(list(run)) for _, run in groupby(offers))


@pytest.mark.parametrize("name", ["fair", *EXPRESSIVE])
def test_none_says_a_sentence_twice_to_somebody_who_repeats_himself(name: str) -> None:
    table = facing_a_wall(name)

    texts = [event.get_text() for event in of(table, EventType.SEND_MESSAGE, "agent")]
    said = Counter(sentence for text in texts for sentence in normalized_sentences(text))
    before_the_final_offer = [event for event in of(table, EventType.SEND_OFFER, "agent") if event.t < 370]
    proposed = [event.get_offer() for event in before_the_final_offer]
    assert set(said.values()) == {1}
    assert longest_run(proposed) <= 2


@pytest.mark.parametrize("name", ["fair", *EXPRESSIVE])
def test_none_proposes_what_it_has_refused(name: str) -> None:
    table = facing_a_wall(name)

    refused = {event.get_offer() for event in of(table, EventType.SEND_OFFER, "human")}
    assert [event for event in of(table, EventType.SEND_OFFER, "agent") if event.get_offer() in refused] == []


WHY_MORE = {"trade", "take_back", "favor_used", "take_yours", "take_for"}
"""Kinds of message that say why an offer asks for more than the last, or that it is not its own."""


@pytest.mark.parametrize("seed", range(1, 4))
@pytest.mark.parametrize("name", ["fair", *EXPRESSIVE])
def test_none_asks_for_more_than_in_its_last_complete_offer_without_saying_why(name: str, seed: int) -> None:
    table = TrialTable(load("campsite").resolve_profiles(seed), seed=seed)
    table.seat(shipped(name, persona="warm", talkativeness=0, politeness=0.5))
    table.wait(14)
    for food, water in ((3, 2), (2, 3), (3, 3), (1, 3), (3, 1)):
        table.human.offers(food=(food, 3 - food), water=(water, 3 - water), firewood=(2, 1))
        table.wait(9)
        table.human.says("No.", MessageSubtype.OFFER_REJECT)
        table.wait(9)
        table.human.says("Can you do better?", MessageSubtype.OFFER_REQUEST_NEG)
        table.wait(9)
    points, game = table.state.game.preferences["agent"].utility, table.state.game
    own = [event for event in of(table, EventType.SEND_OFFER, "agent") if game.is_complete(event.get_offer())]
    texts = {event.t: event.get_text() for event in of(table, EventType.SEND_MESSAGE, "agent")}

    unexplained = [
        texts.get(second.t)
        for first, second in pairwise(own)
        if points(second.get_offer()) > points(first.get_offer())
        and not any(has_kind(texts.get(second.t, ""), kind) for kind in WHY_MORE)
    ]
    assert len(own) > 1
    assert unexplained == []
