"""Agents whose offers, acceptances and words a model decides."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import jsonschema
import pytest

from negoplatform.agent_api import offer_schema
from negoplatform.core.events import EndedBy, Event, EventType
from negoplatform.domain.errors import AgentError
from negoplatform.domain.game import Acceptance, GameSpec
from negoplatform.language_model.decider import Decider
from negoplatform.language_model.endpoint import Attempt, AttemptOutcome
from negoplatform.language_model.paraphraser_factory import Connection
from negoplatform.language_model.structured_outputs import (
    StructuredResponse,
    decision_shape,
    parse_response,
    response_schema,
)
from negoplatform.testing import ScriptedModel, TrialTable
from tests.games import COINS, categorical_only, coins_only, make_game, three_seats

OFFER = json.dumps({"do": "offer", "offer": {"coins": 3}, "text": "Three for me?"})
ACCEPT = json.dumps({"do": "accept", "offer": None, "text": "Agreed."})
GIVEN_AWAY = json.dumps({"do": "offer", "offer": {"coins": 0}, "text": ""})


def game(**rules: Any) -> GameSpec:
    """Return the game of four coins, in which no deal is worth nothing."""
    return coins_only(acceptance=Acceptance.MAKER_ACCEPTS, **rules)


def table_with(model: Any, spec: GameSpec | None = None, **settings: Any) -> TrialTable:
    """Return a started table with an agent that this model decides for."""
    agent = Decider("agent")
    agent.configure(settings)
    agent.use(Connection(model))
    table = TrialTable(spec or game(deadline_seconds=300.0), seed=1)
    table.seat(agent, "agent")
    table.start()
    return table


def acts(table: TrialTable) -> list[Event]:
    """Return what the agent did, without its notes."""
    return [e for e in table.events if e.sender == "agent" and e.type != EventType.STATE_PROPOSED]


def notes(table: TrialTable) -> list[dict[str, Any]]:
    """Return the agent's notes about the model, oldest first."""
    return [
        e.payload.updates.to_dict()["notes"]["agent"]["model"]
        for e in table.events
        if e.sender == "agent" and e.type == EventType.STATE_PROPOSED
    ]


class Broken:
    """Model that never answers, and counts how often it was asked."""

    def __init__(self, outcome: AttemptOutcome = AttemptOutcome.TIMEOUT) -> None:
        self.asked, self._outcome = 0, outcome

    def complete(self, system: str, user: str, shape: type[StructuredResponse], seconds: float) -> Attempt:
        self.asked += 1
        return Attempt(self._outcome, 0.5)


def test_the_model_opens_and_answers_and_its_words_go_with_its_acts() -> None:
    table = table_with(ScriptedModel(OFFER, ACCEPT))
    table.wait(5)
    table.human.offers(coins=(2, 2))

    table.wait(5)

    assert [e.type for e in acts(table)] == [
        EventType.SEND_MESSAGE,
        EventType.SEND_OFFER,
        EventType.SEND_MESSAGE,
        EventType.FORMAL_ACCEPT,
    ]
    assert acts(table)[0].get_text() == "Three for me?"
    assert acts(table)[1].get_offer().units("coins", "agent") == 3
    assert table.state.ending is not None
    assert table.state.ending.ended_by is EndedBy.AGREEMENT


def test_it_is_told_the_game_the_offers_with_its_points_and_what_it_can_do() -> None:
    model = ScriptedModel(OFFER)
    table = table_with(model, game(deadline_offers=9))
    table.wait(5)
    table.human.says("Two each?")
    table.human.offers(coins=(2, 2))
    table.wait(5)

    told = json.loads(model.asked[-1])

    assert [entry["terms"] for entry in told["offers"]] == [{"coins": 3}, {"coins": 2}]
    assert [entry["your points"] for entry in told["offers"]] == [3, 2]
    assert told["offers left"] == 7
    assert told["talk"][-1] == {"by": "human", "text": "Two each?"}
    assert told["can"] == ["offer", "accept", "say", "quit"]


def test_an_answer_that_cannot_be_used_is_asked_for_once_more_with_the_reason() -> None:
    model = ScriptedModel(json.dumps({"do": "offer", "offer": {"coins": 9}, "text": ""}), OFFER)
    table = table_with(model)

    table.wait(5)

    assert len(model.asked) == 2
    assert json.loads(model.asked[1])["refused"] == "coins: units are a whole number from 0 to 4; not 9."
    assert acts(table)[-1].get_offer().units("coins", "agent") == 3


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("not JSON", "has not the shape"),
        (json.dumps({"do": "accept", "offer": None, "text": ""}), '"do" can be offer, say, quit now'),
        (json.dumps({"do": "offer", "offer": None, "text": ""}), "The offer is empty"),
        (json.dumps({"do": "offer", "offer": {"cake": 1}, "text": ""}), "no issue 'cake'"),
        (GIVEN_AWAY, "gives you 0 points, and no deal gives you 1"),
        (json.dumps({"do": "say", "offer": None, "text": " "}), "nothing to say"),
        (json.dumps({"do": "say", "offer": None, "text": "x" * 601}), "it may have 600"),
        (json.dumps({"do": "say", "offer": None, "text": "a\u0000b"}), "cannot be sent"),
    ],
)
def test_two_unusable_answers_are_followed_by_a_fallback_that_is_named(answer: str, reason: str) -> None:
    spec = with_a_floor()
    table = table_with(ScriptedModel(answer), spec)

    table.wait(5)

    calls = [call for note in notes(table) for call in note.get("calls", {}).values()]
    assert len(calls) == 2
    assert all(reason in call["reason"] for call in calls)
    assert [note["fallback"] for note in notes(table) if "fallback" in note] == ["offer"]
    assert acts(table)[-1].get_offer().units("coins", "agent") == 4  # its best outcome


def with_a_floor() -> GameSpec:
    """Return the game of four coins in which no deal is worth one."""
    tables = {seat: {"coins": list(range(5))} for seat in ("human", "agent")}
    return make_game(
        tables, issues=(COINS,), reservation=1, acceptance=Acceptance.MAKER_ACCEPTS, deadline_seconds=300.0
    )


def test_the_floor_can_be_switched_off_by_a_setting() -> None:
    table = table_with(ScriptedModel(GIVEN_AWAY), with_a_floor(), below_reservation=True)

    table.wait(5)

    assert acts(table)[-1].get_offer().units("coins", "agent") == 0


def test_an_acceptance_below_the_floor_is_refused_before_the_session_sees_it() -> None:
    table = table_with(ScriptedModel(OFFER, ACCEPT), with_a_floor())
    table.wait(5)
    table.human.offers(coins=(4, 0))

    table.wait(5)

    assert EventType.FORMAL_ACCEPT not in [e.type for e in acts(table)]
    assert EventType.ACTION_REFUSED not in table.kinds()


def test_a_service_that_does_not_answer_is_asked_once_and_the_agent_goes_on() -> None:
    model = Broken()
    table = table_with(model)
    table.wait(5)

    table.human.offers(coins=(4, 0))
    table.wait(5)

    assert model.asked == 2  # at the start, and for the offer
    assert [note["fallback"] for note in notes(table) if "fallback" in note] == ["offer", "offer"]
    assert not table.errors


def test_the_last_offer_is_accepted_by_the_fallback_only_if_it_is_worth_no_less_than_no_deal() -> None:
    for units, kind in ((1, EventType.FORMAL_ACCEPT), (0, EventType.SEND_OFFER)):
        spec = with_a_floor()
        spec = replace(spec, rules=replace(spec.rules, deadline_offers=2))
        table = table_with(Broken(), spec)
        table.wait(5)
        table.human.offers(coins=(4 - units, units))

        table.wait(5)

        assert acts(table)[-1].type == kind


def test_without_talk_the_model_can_say_nothing_and_its_text_is_left_out() -> None:
    model = ScriptedModel(OFFER)
    table = table_with(model, game(talk=False))

    table.wait(5)

    assert [e.type for e in acts(table)] == [EventType.SEND_OFFER]
    assert "say" not in json.loads(model.asked[0])["can"]


def test_the_budget_of_decisions_ends_the_calls() -> None:
    model = ScriptedModel(OFFER)
    table = table_with(model, decisions=2)
    for _ in range(5):
        table.wait(3)
        table.human.offers(coins=(4, 0))

    table.wait(3)

    assert len(model.asked) == 2


def test_a_rerun_with_the_recorded_answers_decides_the_same_without_a_model() -> None:
    bad = json.dumps({"do": "offer", "offer": {"coins": 9}, "text": ""})
    first = table_with(ScriptedModel(bad, OFFER, bad, bad, ACCEPT))
    play(first)
    calls = {
        number: call["attempts"]
        for note in notes(first)
        for number, call in note.get("calls", {}).items()
        if call is not None
    }

    again = table_with(None, recorded={"calls": calls, "more": False})
    play(again)

    assert [(e.type, e.t, e.payload) for e in acts(again)] == [(e.type, e.t, e.payload) for e in acts(first)]
    assert len(calls) == 5


def play(table: TrialTable) -> None:
    """Make two offers to the agent."""
    for share in ((3, 1), (1, 3)):
        table.wait(5)
        table.human.offers(coins=share)
    table.wait(5)


@pytest.mark.parametrize("spec", [coins_only(), categorical_only(allow_partial=True), three_seats()])
def test_the_shape_of_a_decision_is_one_that_strict_structured_output_takes(spec: GameSpec) -> None:
    shape = decision_shape(offer_schema(spec, spec.seats[0]), ["offer", "quit"])
    schema = response_schema(shape)

    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["additionalProperties"] is False
    assert set(schema["required"]) == set(schema["properties"])
    offer = schema["properties"]["offer"]["anyOf"][0]
    assert set(offer["required"]) == {issue.name for issue in spec.issues}
    assert jsonschema.Draft202012Validator(schema).is_valid({"do": "quit", "offer": None, "text": "Bye"})
    assert not jsonschema.Draft202012Validator(schema).is_valid({"do": "accept", "offer": None, "text": ""})
    assert parse_response(shape, '{"do": "quit", "offer": null, "text": "Bye"}') is not None


def test_a_key_among_the_settings_is_refused() -> None:
    with pytest.raises(AgentError, match="looks like a key"):
        Decider("agent").configure({"model": "sk-abcdefghijklmnop1234567890"})


def test_without_a_service_the_log_says_so_and_the_agent_repeats_its_best_outcome() -> None:
    agent = Decider("agent")
    agent.configure({})
    table = TrialTable(game(deadline_seconds=300.0))
    table.seat(agent, "agent")
    table.start()
    table.wait(5)
    table.human.offers(coins=(4, 0))
    table.wait(5)

    assert notes(table)[0]["setup"]["decides"].startswith("No endpoint is set")
    offers = [e.get_offer().units("coins", "agent") for e in acts(table) if e.type == EventType.SEND_OFFER]
    assert offers == [4, 4]


def test_equal_seeds_and_answers_give_equal_logs() -> None:
    def lines() -> list[str]:
        table = table_with(ScriptedModel(OFFER, OFFER, ACCEPT))
        play(table)
        return [repr(event) for event in table.events]

    assert lines() == lines()
