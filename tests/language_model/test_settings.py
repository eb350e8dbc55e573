"""Settings of a model contain no key, and nothing like a key reaches a log."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import pytest

from negoplatform.agent_api.settings_validation import validate_settings
from negoplatform.app.session.agent_setup import agent_budget
from negoplatform.domain.agent_limits import DEFAULT_BUDGET
from negoplatform.domain.errors import AgentError
from negoplatform.language_model.api_key import find_key
from negoplatform.language_model.missing_endpoint_warning import NO_ENDPOINT, missing_endpoint_warning
from negoplatform.language_model.paraphraser_factory import voice_for
from negoplatform.language_model.settings import MODEL_BUDGET, ModelSettings, refuse_keys, resembles_key

KEYS = (
    "sk-proj-4fT9wQ2mZ8xK1vB7nR3cY6uJ",
    "gsk_9aKd82hfLq0ZpW3xTn5vBm7R",
    "hf_QwErTyUiOpAsDfGhJkLzXcVb",
    "AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY",
    "0f8fad5bd9cb469fa16570867728950e",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0",
)

NO_KEYS = (
    "gpt-4o-mini-2024-07-18",
    "meta-llama/Llama-3.3-70B-Instruct-Turbo",
    "hf.co/bartowski/Qwen2.5-7B-Instruct-GGUF:Q4_K_M",
    "mistral-small-latest",
    "http://127.0.0.1:8080/v1",
    "https://my-resource.openai.azure.com/openai/v1",
)


@pytest.mark.parametrize("text", KEYS)
def test_a_key_looks_like_one(text: str) -> None:
    assert resembles_key(text)


@pytest.mark.parametrize("text", NO_KEYS)
def test_the_name_of_a_model_or_an_address_does_not(text: str) -> None:
    assert not resembles_key(text)


@pytest.mark.parametrize(
    "value", [KEYS[0], {"soft_seconds": KEYS[0]}, [1, {KEYS[0]: 1}]], ids=["plain", "in", "deep"]
)
def test_a_setting_that_looks_like_a_key_is_refused_without_being_repeated(value: Any) -> None:
    with pytest.raises(AgentError, match="What the setting 'model' says looks like a key") as error:
        refuse_keys({"core": "fair", "model": value})

    assert KEYS[0] not in str(error.value)


def test_a_key_in_the_place_of_a_name_is_refused_too() -> None:
    with pytest.raises(AgentError, match="What the name of a setting says looks like a key") as error:
        refuse_keys({KEYS[0]: True})

    assert KEYS[0] not in str(error.value)


def test_ordinary_settings_and_recorded_answers_are_not_refused() -> None:
    refuse_keys({"model": NO_KEYS[1], "endpoint": NO_KEYS[-1], "recorded": {"calls": {"1": [KEYS[0]]}}})


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"endpoint": "ftp://x/v1", "model": "m"}, "it is an address such as"),
        ({"endpoint": "https://me:secret@x/v1", "model": "m"}, "without a name, a password"),
        ({"endpoint": "https://x/v1?k=secret", "model": "m"}, "a question mark"),
        ({"endpoint": " http://127.0.0.1/v1", "model": "m"}, "without a blank, a line break"),
        ({"endpoint": "http://127.0.0.1/v 1", "model": "m"}, "without a blank, a line break"),
        ({"endpoint": "http://127.0.0.1/v1\n", "model": "m"}, "without a blank, a line break"),
        ({"endpoint": "http://127.0.0.1/\0v1", "model": "m"}, "without a blank, a line break"),
        ({"endpoint": "http://127.0.0.1\\@x/v1", "model": "m"}, "without a blank, a line break"),
        ({"endpoint": "http://x..y/v1", "model": "m"}, "it is an address such as"),
        ({"endpoint": "http://1%2e2/v1", "model": "m"}, "it is an address such as"),
        (
            {"endpoint": "http://@]:.)[a1::/v1", "model": "m"},
            "it is an address",
        ),  # which, by the version of Python
        ({"endpoint": "http://x:0/v1", "model": "m"}, "it is an address such as"),
        ({"endpoint": "http://x:99999/v1", "model": "m"}, "it is an address such as"),
        ({"endpoint": "https://x/v1"}, "An endpoint is set and no model"),
        ({"key_variable": "AWS_SECRET_ACCESS_KEY"}, "ends in _API_KEY"),
        ({"key_variable": "PATH"}, "ends in _API_KEY"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(config: dict[str, Any], words: str) -> None:
    with pytest.raises(AgentError, match=words) as error:
        validate_settings(ModelSettings, config)

    assert "secret@" not in str(error.value)
    assert "k=secret" not in str(error.value)


def test_one_answer_waits_no_longer_than_the_session_does() -> None:
    assert ModelSettings(patience=5).max_wait_seconds() == 5
    assert ModelSettings(patience=50).max_wait_seconds() == 7  # of the 8 s in its budget
    assert ModelSettings(patience=50, budget={"soft_seconds": 2}).max_wait_seconds() == 1
    assert ModelSettings(patience=50, budget={"soft_seconds": 0.5}).max_wait_seconds() == 0
    assert (
        ModelSettings(patience=50, budget={"soft_seconds": 30, "hard_seconds": 40}).max_wait_seconds() == 29
    )


def test_a_reaction_may_take_longer_than_is_usual_and_a_file_may_say_otherwise() -> None:
    options = ModelSettings.model_json_schema()

    assert agent_budget({}, DEFAULT_BUDGET, options).soft_seconds == MODEL_BUDGET["soft_seconds"]
    assert agent_budget({}, DEFAULT_BUDGET, options).hard_seconds == MODEL_BUDGET["hard_seconds"]
    told = agent_budget({"budget": {"soft_seconds": 3.0, "strikes": 9}}, DEFAULT_BUDGET, options)
    assert (told.soft_seconds, told.hard_seconds, told.strikes) == (3.0, MODEL_BUDGET["hard_seconds"], 9)
    assert agent_budget({}, DEFAULT_BUDGET, None) == DEFAULT_BUDGET


def test_a_key_is_looked_for_in_the_environment_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", key_ring({("NegoPlatform", "TEST_API_KEY"): "from the ring"}))

    assert find_key("TEST_API_KEY") == "from the ring"
    monkeypatch.setenv("TEST_API_KEY", " from the environment\n")
    assert find_key("TEST_API_KEY") == "from the environment"
    monkeypatch.setenv("TEST_API_KEY", "")
    assert find_key("TEST_API_KEY") == ""
    assert find_key("") == ""


def test_a_key_ring_that_fails_holds_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", key_ring(None))
    assert find_key("TEST_API_KEY") == ""

    monkeypatch.setitem(sys.modules, "keyring", None)
    assert find_key("TEST_API_KEY") == ""


def test_a_key_that_is_nowhere_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_API_KEY", "")
    settings = ModelSettings(endpoint="https://127.0.0.1:9/v1", model="m", key_variable="TEST_API_KEY")

    with pytest.raises(
        AgentError, match="set the environment variable TEST_API_KEY, or put it into the system"
    ):
        voice_for(settings)


def test_where_no_key_ring_can_be_read_none_is_advised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_API_KEY", "")
    monkeypatch.setitem(sys.modules, "keyring", None)  # as in the packaged program for Linux
    settings = ModelSettings(endpoint="https://127.0.0.1:9/v1", model="m", key_variable="TEST_API_KEY")

    with pytest.raises(AgentError, match=r"^There is no key: set the environment variable TEST_API_KEY\.$"):
        voice_for(settings)


def test_whoever_starts_an_agent_can_be_told_that_no_model_will_speak() -> None:
    options = ModelSettings.model_json_schema()

    assert missing_endpoint_warning(options, {}) == NO_ENDPOINT
    assert missing_endpoint_warning(options, {"endpoint": "", "model": "m"}) == NO_ENDPOINT
    assert missing_endpoint_warning(options, {"endpoint": "http://127.0.0.1:9/v1", "model": "m"}) == ""
    assert missing_endpoint_warning({"properties": {"style": {}}}, {}) == ""
    assert missing_endpoint_warning(None, {}) == ""


def key_ring(entries: dict[tuple[str, str], str] | None) -> ModuleType:
    """Return a key ring with these entries; a locked one for None."""
    module = ModuleType("keyring")

    def get_password(service: str, name: str) -> str | None:
        if entries is None:
            raise RuntimeError("locked")
        return entries.get((service, name))

    module.get_password = get_password  # type: ignore[attr-defined]
    return module
