"""NegoChat’s relatives, and the whole family at every game."""

from __future__ import annotations

from typing import Any

import pytest

from negoplatform.app.catalogue.catalogue import find_agent, find_game
from negoplatform.app.session.agent_setup import prepare_in_process
from negoplatform.core.events import (
    EndedBy,
    EventType,
    MessageSubtype,
)
from negoplatform.core.record.notes_and_tasks import get_state
from negoplatform.domain.errors import NegoError
from negoplatform.testing import TrialTable
from tests.agents.more_games import EVERY_KIND, RULES, mixed
from tests.agents.negochat_table import (
    FAMILY,
    ISSUES,
    accepts,
    last_words,
    offers,
    says,
    table_with,
    whole,
)
from tests.agents.seating import NOWHERE, below_reservation, load, of, played, shipped
from tests.agents.test_shipped_agents import as_bytes
from tests.app.session import test_resume_live_sessions as cut_off
from tests.games import categorical_only, three_seats
from tests.resumed_events import without_the_break, without_versions

# The relatives


def test_kb_agent_makes_a_new_whole_offer_every_second_turn() -> None:
    table = table_with("kb_agent", turn_seconds=30)
    table.wait(30 * 8)

    made = of(table, EventType.SEND_OFFER, "candidate")
    turns = [int(event.t // 30) + 1 for event in made]
    assert all(set(event.get_offer()) == ISSUES for event in made)
    assert turns[:3] == [1, 3, 5]


def test_kb_agent_asks_for_the_whole_of_a_part_that_it_likes() -> None:
    table = table_with("kb_agent")
    before = offers(table)

    table.participant("employer").offers(car="With leased car", hours="8 hours", salary="120,000 USD")
    table.wait(9)

    assert offers(table) == before
    assert last_words(table).payload.subtype is MessageSubtype.OFFER_REQUEST_POS


@pytest.mark.parametrize(("said_yes", "accepted"), [(False, 1), (True, 0)])
def test_kb_agent_refuses_what_is_no_better_than_what_was_agreed_in_words(
    said_yes: bool, accepted: int
) -> None:
    table = table_with("kb_agent", prior=[0, 1, 0])  # its first offer is worth 540 to it
    if said_yes:
        says(table, MessageSubtype.OFFER_ACCEPT)
    before = len(accepts(table))

    table.participant("employer").offers(whole(salary="60,000 USD"))  # 535, good enough for the first turn
    table.wait(9)

    assert len(accepts(table)) - before == accepted


def test_qo_agent_offers_what_ranks_highest_for_the_side_that_it_ranks_lowest_for() -> None:
    agent: Any = shipped("qo_agent", turn_seconds=30)
    table = TrialTable(load("job_candidate").resolve_profiles(1))
    table.seat(agent, "candidate")
    table.wait(30 * 4)

    made = of(table, EventType.SEND_OFFER, "candidate")
    worths = [agent.ranking.score(n) for n in agent.offered_bids]
    everything = range(len(agent.model.space.bids))
    assert len({event.get_offer() for event in made}) == len(made) == 4
    assert worths == sorted(worths, reverse=True)
    assert worths[0] == pytest.approx(max(map(agent.ranking.score, everything)))


# Every game


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("kind", EVERY_KIND)
def test_it_makes_deals_at_every_kind_of_game(kind: str, rules: str) -> None:
    at = (list(EVERY_KIND).index(kind) + list(RULES).index(rules)) % len(FAMILY)
    table = played(EVERY_KIND[kind](**RULES[rules]), "linear", FAMILY[at])

    assert table.errors == []
    assert of(table, EventType.AGENT_FAILED) == []
    assert table.state.ending is not None
    assert table.state.ending.ended_by is EndedBy.AGREEMENT
    for seat in table.state.game.seats:
        assert below_reservation(table, seat) == []


@pytest.mark.parametrize("name", FAMILY)
@pytest.mark.parametrize("game", ["practice", "resource_exchange", "campsite", "land_sale"])
def test_two_of_a_kind_find_a_deal_at_the_shipped_games(name: str, game: str) -> None:
    table = played(load(game).resolve_profiles(1), name, name, seconds=2000)

    assert table.errors == []
    assert of(table, EventType.AGENT_FAILED) == []
    assert table.state.ending is not None
    assert table.state.ending.ended_by is EndedBy.AGREEMENT
    for seat in table.state.game.seats:
        assert below_reservation(table, seat) == []


@pytest.mark.parametrize("name", ["negochat", "negochat_a"])
def test_where_a_part_could_be_a_deal_it_sends_wholes_alone(name: str) -> None:
    table = TrialTable(categorical_only(deadline_seconds=120.0, allow_partial=True))
    table.seat(shipped(name))
    table.wait(9)
    table.human.offers(colour="red")
    table.wait(9)
    table.human.says("No.", MessageSubtype.OFFER_REJECT)
    table.wait(9)

    sent = [event.get_offer() for event in of(table, EventType.SEND_OFFER, "agent")]

    assert sent
    assert all(table.state.game.is_complete(offer) for offer in sent)


def test_three_at_a_table_do_not_flood_it() -> None:
    table = played(three_seats(deadline_seconds=120.0), *FAMILY[:3])

    assert of(table, EventType.AGENT_FAILED) == []
    assert len(of(table, EventType.SEND_OFFER)) < 100


def test_preferences_that_are_shown_are_the_one_type() -> None:
    table = TrialTable(load("resource_exchange"))
    table.seat(shipped("negochat"))
    table.wait(2)

    noted = get_state(table.state.record)["notes"]["agent"]
    assert noted["belief"] == {"type": "known", "posterior": {"known": 1.0}}
    assert noted["equipment"]["tables"] == "computed"


@pytest.mark.parametrize("name", FAMILY)
def test_equal_seed_equal_log(name: str) -> None:
    first, second = (played(mixed(deadline_seconds=120.0), name, "conceder", seed=7) for _ in range(2))

    assert as_bytes(first) == as_bytes(second)


@pytest.mark.parametrize("name", FAMILY)
@pytest.mark.parametrize("game", ["job_candidate", "campsite"])
def test_a_fresh_mind_that_hears_the_same_goes_on_the_same(name: str, game: str) -> None:
    spec = load(game).resolve_profiles(3)
    agents = (name, "negochat")
    whole_game = cut_off.played(spec, agents)
    heard = [i for i, event in enumerate(whole_game) if event.type == EventType.SEND_OFFER]

    for cut in heard[2 : -1 : max(1, len(heard) // 2)]:
        again = cut_off.resumed(spec, agents, whole_game[: cut + 1])

        assert without_the_break(again) == without_versions(whole_game), cut


@pytest.mark.parametrize(
    ("config", "reason"),
    [
        ({"tables": "old"}, "'tables' is one of auto, published, computed"),
        ({"types": "old"}, "'types' is one of auto, published, generated"),
        ({"thresholds": {"mirror": "high"}}, "'thresholds'"),
        ({"culture": "mars"}, "'culture' is one of usa, israel, egypt, own"),
        ({"turn_seconds": 0}, "'turn_seconds' is a number above 0"),
        ({"reply_seconds": 61}, "'reply_seconds' is a number from 0 to 60"),
        ({"persona": "rude"}, "'persona' is one of warm, neutral, tough, cheerful, formal"),
        ({"style": "warm"}, "There is no setting 'style'"),
        ({"honesty": "open"}, "'honesty' is one of honest, reserved, lying"),
        ({"talkativeness": 2}, "'talkativeness' is a share from 0 to 1"),
        ({"politeness": -1}, "'politeness' is a share from 0 to 1"),
        ({"precision": 1e308}, "'precision' is"),
        ({"patience": 1}, "There is no setting 'patience'"),
    ],
)
def test_settings_that_make_no_sense_are_refused_with_a_sentence(config: dict[str, Any], reason: str) -> None:
    with pytest.raises(NegoError, match=reason):
        shipped("negochat", **config)


@pytest.mark.parametrize("name", ["negochat", "kb_agent", "qo_agent", "language_model"])
@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"prior": [1]}, "one share for each of mirror, even, crossed"),
        ({"prior": [0, 0, 0]}, "one share for each of"),
        ({"prior": [-1, 1, 1]}, "one share for each of"),
        ({"thresholds": {"short_term": [1.0]}}, "by the names of types; here these are mirror"),
        ({"thresholds": {"mirror": []}}, "at least one"),
    ],
)
def test_settings_that_do_not_fit_the_game_are_refused_before_it_begins(
    name: str, settings: dict[str, Any], reason: str
) -> None:
    game = find_game("campsite", NOWHERE).resolve_profiles(1)
    whole = {"core_settings": settings} if name == "language_model" else settings

    with pytest.raises(NegoError, match=reason):
        prepare_in_process(find_agent(name, NOWHERE), "agent", whole, game=game)
