"""An endpoint's limits: time, size, and errors that never propagate."""

from __future__ import annotations

import json
import socket
import time

import pytest

from negoplatform.domain.errors import AgentError
from negoplatform.language_model.endpoint import MAX_REPLY_BYTES, Attempt, AttemptOutcome, Endpoint
from negoplatform.language_model.settings import ModelSettings
from negoplatform.language_model.structured_outputs import ActClassification, Paraphrase
from tests.language_model.service import Response, Service, completion, failing, serving, worded


def endpoint(url: str, key: str = "", **settings: object) -> Endpoint:
    return Endpoint(ModelSettings(endpoint=url, model="m", **settings), key)  # type: ignore[arg-type]


def asked(url: str, seconds: float = 5.0) -> Attempt:
    return endpoint(url).complete("Do this.", "With that.", Paraphrase, seconds)


def test_an_answer_comes_with_its_tokens(service: Service) -> None:
    service.answers = lambda _request: worded("Hello!")

    attempt = asked(service.url)

    assert (attempt.outcome, attempt.text) == (AttemptOutcome.ANSWERED, '{"text": "Hello!"}')
    assert (attempt.tokens_in, attempt.tokens_out, attempt.status) == (100, 20, 200)


def test_the_service_is_told_the_shape_of_the_answer(service: Service) -> None:
    service.answers = lambda _request: worded("Hello!")

    endpoint(service.url, structured="json_schema").complete("Do this.", "With that.", ActClassification, 5)

    (request,) = service.requests
    shape = request["response_format"]["json_schema"]
    assert request["messages"] == [
        {"role": "system", "content": "Do this."},
        {"role": "user", "content": "With that."},
    ]
    assert (request["model"], request["max_tokens"]) == ("m", 200)
    assert (shape["name"], shape["strict"]) == ("actclassification", True)
    assert shape["schema"]["additionalProperties"] is False
    assert shape["schema"]["required"] == ["acts"]
    assert "maxItems" not in json.dumps(shape)


@pytest.mark.parametrize(("structured", "told"), [("json_object", {"type": "json_object"}), ("none", None)])
def test_a_service_that_knows_no_schemas_is_told_none(
    service: Service, structured: str, told: dict[str, str] | None
) -> None:
    service.answers = lambda _request: worded("Hello!")

    endpoint(service.url, structured=structured).complete("Do this.", "With that.", Paraphrase, 5)

    assert service.requests[0].get("response_format") == told


def test_the_key_goes_into_one_header_and_nowhere_else(service: Service) -> None:
    service.answers = lambda _request: worded("Hello!")

    endpoint(service.url, "my-very-own-key").complete("Do this.", "With that.", Paraphrase, 5)

    assert service.headers[0]["authorization"] == "Bearer my-very-own-key"
    assert "my-very-own-key" not in json.dumps(service.requests)
    assert sum("my-very-own-key" in value for value in service.headers[0].values()) == 1


@pytest.mark.parametrize(
    ("response", "outcome", "status"),
    [
        (failing(500), AttemptOutcome.FAILED, 500),
        (failing(503), AttemptOutcome.FAILED, 503),
        (failing(503, Retry_After="3"), AttemptOutcome.BUSY, 503),
        (failing(429), AttemptOutcome.BUSY, 429),
        (failing(401), AttemptOutcome.REFUSED, 401),
        (failing(404), AttemptOutcome.REFUSED, 404),
        (failing(400), AttemptOutcome.REFUSED, 400),
        (Response(b"not json at all"), AttemptOutcome.FAILED, 200),
        (Response(b""), AttemptOutcome.FAILED, 200),
        (Response(b'{"choices": []}'), AttemptOutcome.FAILED, 200),
        (Response(b'{"choices": [{"message": {"content": ["x"]}}]}'), AttemptOutcome.FAILED, 200),
        (Response(b"[" * 100_000), AttemptOutcome.FAILED, 200),
        (Response(b'{"choices": "\xff\xfe"}'), AttemptOutcome.FAILED, 200),
        (completion('{"text": "And then', finish="length"), AttemptOutcome.TRUNCATED, 200),
        (completion(None), AttemptOutcome.ANSWERED, 200),
    ],
    ids=lambda value: value.body[:20].decode("latin-1") if isinstance(value, Response) else str(value),
)
def test_every_fault_has_its_name(
    service: Service, response: Response, outcome: AttemptOutcome, status: int
) -> None:
    service.answers = lambda _request: response

    attempt = asked(service.url)

    assert (attempt.outcome, attempt.status) == (outcome, status)


@pytest.mark.parametrize(
    ("header", "wait"), [("7", 7.0), ("0.5", 0.5), ("Wed, 21 Oct 2026", None), ("-1", None)]
)
def test_a_service_may_say_how_long_it_wants_to_be_left_in_peace(
    service: Service, header: str, wait: float | None
) -> None:
    service.answers = lambda _request: failing(429, Retry_After=header)

    assert asked(service.url).wait == wait


@pytest.mark.parametrize(
    "slow",
    [Response(b"{}", wait=5), Response(worded("Hello!").body, drip=0.05)],
    ids=["silent", "one byte after the other"],
)
def test_nobody_waits_longer_than_they_may(service: Service, slow: Response) -> None:
    service.answers = lambda _request: slow
    began = time.monotonic()

    attempt = asked(service.url, seconds=0.4)

    assert attempt.outcome is AttemptOutcome.TIMEOUT
    assert time.monotonic() - began < 2.0


def test_a_reply_without_end_is_not_read_to_its_end(service: Service) -> None:
    service.answers = lambda _request: completion("x" * (3 * MAX_REPLY_BYTES))

    attempt = asked(service.url)

    assert (attempt.outcome, attempt.text) == (AttemptOutcome.FAILED, "")


def test_where_nobody_listens_it_is_said_at_once() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"

        assert asked(url).outcome is AttemptOutcome.UNREACHABLE


def test_a_client_that_is_not_installed_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "openai", None)

    with pytest.raises(AgentError, match=r"needs the extra llm .*: pip install '\.\[llm\]'"):
        endpoint("http://127.0.0.1:9/v1")


@pytest.mark.parametrize("scheme", ["http", "HTTP", "hTTp"])
def test_a_key_does_not_travel_in_the_clear(scheme: str) -> None:
    for host in ("somewhere.example", "192.0.2.2:8080", "127.0.0.1.example"):
        with pytest.raises(AgentError, match="sent over https alone"):
            endpoint(f"{scheme}://{host}/v1", "my-very-own-key")

    endpoint(f"{scheme}://127.0.0.1:9/v1", "my-very-own-key")  # on this computer it may
    endpoint(f"{scheme}s://somewhere.example/v1", "my-very-own-key")


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("target", ["elsewhere", "itself"])
def test_nobody_is_sent_to_another_address(service: Service, status: int, target: str) -> None:
    with serving(lambda _request: worded("Hello!")) as other:
        to = {"elsewhere": other.url, "itself": service.url}[target] + "/chat/completions"
        service.answers = lambda _request: Response(b"", status, {"Location": to})

        attempt = asked(service.url)

        assert (attempt.outcome, attempt.status, attempt.text) == (AttemptOutcome.REFUSED, status, "")
        assert len(service.requests) == 1
        assert other.requests == []
