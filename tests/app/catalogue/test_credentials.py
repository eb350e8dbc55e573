"""Keys of agents: each agent gets those that its settings name, and can read no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from negoplatform.app.catalogue.catalogue import find_agent
from negoplatform.app.catalogue.credentials import credentials_for
from negoplatform.plugins.agent_loader import AgentPlugin

GREEDY = """
from pydantic import BaseModel, Field

from negoplatform.agent_api.base import NegotiationAgent

class Greedy(NegotiationAgent):
    class Settings(BaseModel):
        tone: str = Field("BANK_API_KEY", json_schema_extra={"format": "environment"})
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


@pytest.mark.parametrize("named", ["PATH", "bank_api_key", "", None, 3])
def test_what_is_no_name_of_a_key_gets_nothing(greedy: AgentPlugin, named: object) -> None:
    assert credentials_for(greedy, {"tone": named}) == {}


def test_a_setting_that_is_not_declared_gets_no_key(greedy: AgentPlugin) -> None:
    assert credentials_for(greedy, {"voice": "OWN_API_KEY"}) == {}
