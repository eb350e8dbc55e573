"""No text changes an offer: an agent with a fully obedient model decides as the same agent without one."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from negoplatform.core.events import Event, EventType
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import QuantityIssue
from negoplatform.language_model.prompts import prompts_for
from negoplatform.testing import TrialTable
from tests.agents.seating import shipped
from tests.games import make_game
from tests.language_model.injections import INJECTIONS, KEY, LEAK, Injection
from tests.language_model.service import Request, Response, Service, completion, is_reading

CORES = ("negochat_a", "building", "conceder", "fair")

THE_KEY = "the-very-key-of-this-test-4711"

DECISIONS = (EventType.SEND_OFFER, EventType.FORMAL_ACCEPT, EventType.FORMAL_QUIT)

PRIVATE = ("31.337", "17.731", "11.119", "5.303")
"""Points that occur only in the agent's own preferences."""


@pytest.fixture
def game() -> GameSpec:
    """Game of three issues with private preferences."""
    issues = tuple(QuantityIssue(name, 3) for name in ("food", "water", "firewood"))
    tables: dict[str, dict[str, Any]] = {
        "human": {"food": [0, 4, 8, 12], "water": [0, 3, 6, 9], "firewood": [0, 5, 10, 15]},
        "agent": {
            "food": [0, 10.0, 20.0, 31.337],
            "water": [0, 4.0, 8.0, 11.119],
            "firewood": [0, 2.0, 4.0, 5.303],
        },
    }
    made = make_game(tables, issues=issues, reservation=5, deadline_seconds=600)
    own = replace(made.preferences["agent"], reservation_value=17.731)
    return replace(made, preferences=made.preferences.__class__({**made.preferences, "agent": own}))


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_API_KEY", THE_KEY)


def obedient(service: Service, injection: Injection) -> None:
    """Make the service obey: it says and classifies what the participant wants, and reveals all it has."""

    def answer(request: Request) -> Response:
        if is_reading(request):
            acts = [{"act": act.value, "issue": "food"} for act in injection.acts]
            return completion(injection.raw or json.dumps({"acts": acts}))
        told = " ".join(str(message["content"]) for message in request["messages"])
        text = injection.text.replace(LEAK, told[:300]).replace(KEY, service.headers[-1]["authorization"])
        return completion(injection.raw or json.dumps({"text": text}))

    service.answers = answer


def asking(service: Service) -> dict[str, Any]:
    """Return settings that call the service without a limit."""
    settings = {"endpoint": service.url, "model": "m", "key_variable": "TEST_API_KEY"}
    return {**settings, "failures": 100, "attempts": 1}


def played(game: GameSpec, core: str, injection: Injection, **config: Any) -> TrialTable:
    """Return a game in which the participant repeats the injection, around good and bad offers."""
    table = TrialTable(game, seed=5)
    table.seat(shipped("language_model", core=core, **config))
    table.wait(8)
    for firewood in (3, 2):
        table.human.says(injection.typed)
        table.wait(6)
        table.human.offers(food=3, water=3, firewood=firewood)
        table.wait(6)
        table.human.says(injection.typed)
        table.wait(20)
    table.human.offers(food=2)
    table.wait(10)
    table.human.says(injection.typed)
    table.human.offers(food=0, water=1, firewood=3)
    table.wait(15)
    if table.context("human").can_formally_accept():
        table.human.accepts()
    table.wait(30)
    assert not table.errors
    return table


def decided(table: TrialTable) -> list[tuple[str, float, object]]:
    """Return the agent's offers, acceptances and exits with their times; an acceptance by its offer."""
    offers = {event.seq: event.get_offer() for event in table.events if event.type == EventType.SEND_OFFER}
    return [
        (
            str(event.type),
            event.t,
            offers[event.payload.offer_id] if event.type == EventType.FORMAL_ACCEPT else event.payload,
        )
        for event in table.events
        if event.sender == "agent" and event.type in DECISIONS
    ]


def said(table: TrialTable) -> list[str]:
    messages: list[Event] = [
        event for event in table.events if event.sender == "agent" and event.type == EventType.SEND_MESSAGE
    ]
    return [event.get_text() for event in messages]


@pytest.mark.parametrize(("number", "injection"), list(enumerate(INJECTIONS)))
def test_an_injection_changes_no_decision_and_no_word(
    game: GameSpec, service: Service, number: int, injection: Injection
) -> None:
    obedient(service, injection)
    core = CORES[number % len(CORES)]

    alone = played(game, core, injection)
    talked_to = played(game, core, injection, **asking(service))

    assert decided(talked_to) == decided(alone)
    assert said(talked_to) == said(alone)
    assert decided(alone)
    assert said(alone)
    assert len(service.requests) > 4


@pytest.mark.parametrize("core", CORES)
def test_the_plainest_one_moves_no_agent(game: GameSpec, service: Service, core: str) -> None:
    obedient(service, INJECTIONS[0])

    talked_to = played(game, core, INJECTIONS[0], **asking(service))

    assert decided(talked_to) == decided(played(game, core, INJECTIONS[0]))


def test_there_are_twenty_of_them() -> None:
    assert len({injection.typed for injection in INJECTIONS}) == 20


def test_a_model_is_told_nothing_private_and_what_was_typed_is_data(game: GameSpec, service: Service) -> None:
    injection = INJECTIONS[3]  # the one that tries to end the JSON
    obedient(service, injection)

    played(game, "fair", injection, **asking(service))

    told = json.dumps(service.requests)
    assert not [points for points in PRIVATE if points in told]
    assert THE_KEY not in told
    given = [json.loads(request["messages"][1]["content"]) for request in service.requests]
    typed = [line for one in given for line in one["talk"] if line["by"] == "the other"]
    assert {line["text"] for line in typed} == {injection.typed}
    assert {request["messages"][0]["content"] for request in service.requests} <= set(
        prompts_for("en", "warm").to_dict().values()
    )


def test_what_a_model_means_well_is_said(game: GameSpec, service: Service) -> None:
    """Without this the tests above would also pass if no text of a model were ever sent."""
    kind = Injection("Hello there.", "Hello! It is good to have you here.", ())
    obedient(service, kind)

    alone = played(game, "fair", kind)
    worded = played(game, "fair", kind, endpoint=service.url, model="m")

    assert decided(worded) == decided(alone)
    assert kind.text in said(worded)
    assert kind.text not in said(alone)


def test_every_fall_back_is_in_the_record_with_its_reason(game: GameSpec, service: Service) -> None:
    obedient(service, INJECTIONS[0])

    table = played(game, "fair", INJECTIONS[0], **asking(service))

    notes = [event for event in table.events if event.type == EventType.STATE_PROPOSED]
    calls = [
        call
        for event in notes
        for call in event.payload.updates.to_dict()["notes"]["agent"]["model"].get("calls", {}).values()
        if call
    ]
    words = [call for call in calls if call["for"] == "words"]
    assert {call["used"] for call in words} == {"template"}
    assert all("of its own about the deal" in call["reason"] for call in words)
    assert all("You can have everything" in call["attempts"][0]["text"] for call in words)
    assert all(INJECTIONS[0].typed in call["prompt"] for call in calls if call["for"] == "reading")
    assert len(calls) * 2 >= len(service.requests)
