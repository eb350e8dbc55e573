"""Test with a real engine: a local model of 100 kilobytes with random weights."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from negoplatform.agent_api import offer_schema
from negoplatform.core.events import EventType
from negoplatform.domain.game import GameSpec
from negoplatform.language_model.endpoint import AttemptOutcome, Endpoint
from negoplatform.language_model.prompts import prompts_for
from negoplatform.language_model.settings import ModelSettings
from negoplatform.language_model.structured_outputs import (
    ActClassification,
    Paraphrase,
    decision_shape,
    parse_response,
)
from negoplatform.testing import TrialTable
from tests.agents.seating import shipped
from tests.language_model.tiny_model import write_model

xllamacpp: Any = pytest.importorskip("xllamacpp", reason="the engine has no wheel for this system")


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of the engine."""
    path = tmp_path_factory.mktemp("engine") / "tiny.gguf"
    write_model(path)
    order = xllamacpp.CommonParams()
    order.model.path = str(path)
    order.n_ctx, order.n_parallel, order.n_threads_http = 8192, 1, 2
    order.cpuparams.n_threads = 1
    order.sampling.seed = 1
    order.warmup = False
    order.verbosity = -1
    order.port = 0
    server = xllamacpp.Server(order)
    yield f"{server.listening_address}/v1"
    del server


def settings(url: str, **more: Any) -> ModelSettings:
    return ModelSettings(endpoint=url, model="tiny", longest=2000, patience=20, **more)


def test_the_engine_answers_in_the_shape_that_it_is_told(url: str) -> None:
    endpoint = Endpoint(settings(url), "")

    words = endpoint.complete("Say hello.", "Hello", Paraphrase, 20)
    heard = endpoint.complete(
        prompts_for("en", "warm").reading, json.dumps({"text": "Hello"}), ActClassification, 20
    )

    assert words.outcome is AttemptOutcome.ANSWERED
    assert parse_response(Paraphrase, words.text) is not None
    assert heard.outcome is AttemptOutcome.ANSWERED
    assert parse_response(ActClassification, heard.text) is not None
    assert words.tokens_in > 10
    assert words.tokens_out > 10


def test_an_answer_that_is_too_long_is_cut_and_not_used(url: str) -> None:
    attempt = Endpoint(ModelSettings(endpoint=url, model="tiny", longest=20, structured="none"), "").complete(
        "Say hello.", "Hello", Paraphrase, 20
    )

    assert attempt.outcome is AttemptOutcome.TRUNCATED
    assert attempt.tokens_out == 20


def test_an_agent_plays_with_it_and_says_nothing_that_it_babbles(url: str, game: GameSpec) -> None:
    def play(**config: Any) -> TrialTable:
        table = TrialTable(game, seed=3)
        table.seat(shipped("language_model", core="fair", **config))
        table.wait(2)
        table.human.says("Hello, who are you?")
        table.wait(5)
        assert not table.errors
        return table

    alone = play()
    played = play(
        endpoint=url,
        model="tiny",
        longest=1000,
        patience=20.0,
        budget={"soft_seconds": 30.0, "hard_seconds": 30.0},
    )

    spoken = [e.get_text() for e in played.events if e.type == EventType.SEND_MESSAGE and e.sender == "agent"]
    assert spoken == [
        e.get_text() for e in alone.events if e.type == EventType.SEND_MESSAGE and e.sender == "agent"
    ]
    calls = [
        call
        for event in played.events
        if event.type == EventType.STATE_PROPOSED
        for call in event.payload.updates.to_dict()["notes"]["agent"]["model"].get("calls", {}).values()
        if call
    ]
    assert {call["for"] for call in calls} == {"words", "reading"}
    assert all(attempt["tokens_in"] > 100 for call in calls for attempt in call["attempts"])


def test_the_engine_decides_in_the_shape_of_a_game(url: str, game: GameSpec) -> None:
    shape = decision_shape(offer_schema(game, "agent"), ["offer", "quit"])

    attempt = Endpoint(settings(url), "").complete("Decide.", "{}", shape, 20)

    assert attempt.outcome is AttemptOutcome.ANSWERED
    decision = parse_response(shape, attempt.text)
    assert decision is not None
    assert decision.do in ("offer", "quit")
    if decision.offer is not None:
        assert set(decision.offer) == {issue.name for issue in game.issues}
