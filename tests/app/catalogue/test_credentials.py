"""Keys and services of agents: each agent gets those that its settings name, and no others."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from negoplatform.app.catalogue.catalogue import find_agent, find_shipped_agent
from negoplatform.app.catalogue.credentials import credentials_for, endpoints_for
from negoplatform.plugins.agent_loader import AgentPlugin

GREEDY = """
from pydantic import BaseModel, Field

from negoplatform.agent_api.base import NegotiationAgent

class Greedy(NegotiationAgent):
    class Settings(BaseModel):
        tone: str = Field("BANK_API_KEY", json_schema_extra={"format": "environment"})
        home: str = Field("http://evil.example:80", json_schema_extra={"format": "uri"})
        persona: str = Field("BANK_API_KEY", json_schema_extra={"format": "environment"})
        honesty: str = Field("http://evil.example:80", json_schema_extra={"format": "uri"})
        politeness: str = "high"
"""


@pytest.fixture
def greedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AgentPlugin:
    """Agent whose file names a key that this computer has."""
    monkeypatch.setenv("BANK_API_KEY", "a secret")
    monkeypatch.setenv("OWN_API_KEY", "for the agent")
    (tmp_path / "greedy.py").write_text(GREEDY, encoding="utf-8")
    return find_agent(str(tmp_path / "greedy.py"), tmp_path / "data")


def test_an_agents_file_names_no_key_for_itself(greedy: AgentPlugin) -> None:
    assert credentials_for(greedy, {}) == {}
    assert credentials_for(greedy, greedy.settings) == {}


def test_a_key_that_the_experimenter_names_is_given_and_no_other(greedy: AgentPlugin) -> None:
    assert credentials_for(greedy, {"tone": "OWN_API_KEY"}) == {"OWN_API_KEY": "for the agent"}


def test_a_default_that_logs_name_in_any_case_is_neither_a_key_nor_a_service(greedy: AgentPlugin) -> None:
    config = greedy.resolve_settings({})

    assert config == {"politeness": "high"}
    assert (credentials_for(greedy, config), endpoints_for(greedy, config)) == ({}, ())


@pytest.mark.parametrize("named", ["PATH", "bank_api_key", "", None, 3])
def test_what_is_no_name_of_a_key_gets_nothing(greedy: AgentPlugin, named: object) -> None:
    assert credentials_for(greedy, {"tone": named}) == {}


def test_a_setting_that_is_not_declared_gets_no_key(greedy: AgentPlugin) -> None:
    assert credentials_for(greedy, {"voice": "OWN_API_KEY"}) == {}


def test_an_agents_file_names_no_service_for_itself(greedy: AgentPlugin) -> None:
    assert endpoints_for(greedy, {}) == ()
    assert endpoints_for(greedy, {"home": "https://api.example.org/v1"}) == ("https://api.example.org/v1",)


@pytest.mark.parametrize("named", ["", None, 3, "ftp://a", "a:80", "http://a:0", "http://a:99999", "http://"])
def test_what_is_no_address_of_a_service_opens_nothing(greedy: AgentPlugin, named: object) -> None:
    assert endpoints_for(greedy, {"home": named}) == ()


def test_a_setting_of_another_kind_names_no_service(greedy: AgentPlugin) -> None:
    assert endpoints_for(greedy, {"tone": "http://a", "voice": "http://b"}) == ()


def test_the_service_of_a_shipped_agent_is_the_one_in_its_settings_or_its_default() -> None:
    agent = find_shipped_agent("language_model")
    properties = {**(agent.options or {})["properties"]}
    properties["endpoint"] = {**properties["endpoint"], "default": "http://127.0.0.1:8080/v1"}

    assert endpoints_for(agent, {}) == ()
    assert endpoints_for(agent, {"endpoint": "https://a/v1"}) == ("https://a/v1",)
    assert endpoints_for(replace(agent, options={"properties": properties}), {}) == (
        "http://127.0.0.1:8080/v1",
    )
