"""Settings of agents: declared by the author, checked before any game, passed to the window."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pydantic import AliasChoices, BaseModel, Field

from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.settings_validation import validate_settings
from negoplatform.app.catalogue.catalogue import find_agent
from negoplatform.domain.errors import AgentError, NegoError
from negoplatform.hosting.agent_process_proxy import discover_agents
from negoplatform.plugins.agent_loader import discover_in_process, hash_of, load_agents, make_agent
from tests.agents.seating import NOWHERE, SHIPPED, shipped

DECLARED = '''
from pydantic import BaseModel, Field, model_validator
from negoplatform.agent_api.base import NegotiationAgent

class Careful(NegotiationAgent):
    """Takes care."""

    class Settings(BaseModel):
        share: float = Field(0.5, ge=0, le=1)
        steps: list[int] = [1]

        @model_validator(mode="after")
        def some_steps(self):
            if not self.steps:
                raise ValueError("it needs a step at least")
            return self

    def get_name(self):
        return "Ada"

    def get_avatar(self):
        return "portraits"
'''


@pytest.fixture
def careful(tmp_path: Path) -> Path:
    file = tmp_path / "careful.py"
    file.write_text(DECLARED, encoding="utf-8")
    return file


def configured(file: Path, config: dict[str, Any]) -> NegotiationAgent:
    (plugin,) = load_agents(file, "careful")
    return make_agent(plugin, "agent", config)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_setting_that_no_shipped_agent_has_is_refused_by_each(name: str) -> None:
    with pytest.raises(NegoError, match=r"There is no setting 'exponnet'; there is .*, name, avatar, timing"):
        shipped(name, exponnet=2)


@pytest.mark.parametrize("name", SHIPPED)
def test_what_the_platform_knows_may_be_set_for_everyone(name: str) -> None:
    config = {"name": "Kim", "avatar": "mika", "timing": {"act_delay": 2}, "budget": {"fallback": "fair"}}

    agent = make_agent(find_agent(name, NOWHERE), "agent", config)

    assert (agent.get_name(), agent.get_avatar()) == ("Kim", "mika")


def test_an_agent_that_declares_nothing_takes_anything() -> None:
    agent = NegotiationAgent()

    agent.configure({"anything": object})

    assert agent.get_config("anything") is object


@pytest.mark.parametrize(
    ("config", "sentence"),
    [
        ({"share": "0.5"}, "'share' is a share from 0 to 1 (0.4 for 40 %), not '0.5'."),
        ({"share": True}, "'share' is a share from 0 to 1 (0.4 for 40 %), not True."),
        ({"steps": [1, "two"]}, "The setting 'steps' does not fit: input should be a valid integer."),
        ({"steps": []}, "It needs a step at least."),
        ({"share": {1}}, "An agent's settings are JSON values"),
    ],
)
def test_a_value_that_does_not_fit_is_refused_in_a_sentence(
    careful: Path, config: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(AgentError) as told:
        type(configured(careful, {}))().configure(config)

    assert sentence in str(told.value)


def test_the_settings_are_at_hand_as_the_model_has_them(careful: Path) -> None:
    agent = configured(careful, {"share": 1})

    assert (agent.settings.share, agent.settings.steps) == (1.0, [1])


def test_a_process_tells_the_window_all_that_this_one_would(careful: Path) -> None:
    (here,) = discover_in_process(careful, hash_of(careful))
    (there,) = discover_agents(careful, hash_of(careful))

    assert here == there
    assert (there.called, there.avatar) == ("Ada", "portraits")
    assert there.options is not None
    assert list(there.options["properties"]) == ["share", "steps"]


def test_a_simulation_refuses_a_wrong_setting_before_the_first_game(careful: Path, tmp_path: Path) -> None:
    (tmp_path / "wrong.json").write_text('{"shar": 0.4}')
    command = [sys.executable, "-m", "negoplatform", "simulate", "--game", "practice", "--n", "1", "--agents"]
    agents = [f"{careful}@{tmp_path / 'wrong.json'}", "fair"]

    ran = subprocess.run([*command, *agents], capture_output=True, text=True, timeout=60, check=False)

    assert ran.returncode == 1
    assert "There is no setting 'shar'; there is share, steps, name, avatar, timing, budget." in ran.stderr


class Renamed(BaseModel):
    """Settings whose names in a file are not those in the code."""

    steps: int = Field(1, alias="stepCount")
    share: float = Field(0.5, validation_alias="part")
    tone: str = Field("calm", validation_alias=AliasChoices("tone", "mood"))


class RenamedSimply(BaseModel):
    """The same with no setting that has two names."""

    steps: int = Field(1, alias="stepCount")
    share: float = Field(0.5, validation_alias="part")


@pytest.mark.parametrize("model", [Renamed, RenamedSimply])
def test_a_setting_is_known_by_its_name_in_a_file(model: type[BaseModel]) -> None:
    found = validate_settings(model, {"stepCount": 3, "part": 0.25, "avatar": "fox"})

    assert (found.steps, found.share) == (3, 0.25)
    for name in ("steps", "share", "mode"):
        with pytest.raises(AgentError, match=f"no setting {name!r}; there is .*stepCount, part"):
            validate_settings(model, {name: 1})
