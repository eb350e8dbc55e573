"""Avatars of the shipped agents, and the names of their settings."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from negoplatform.app.catalogue.catalogue import find_agent, list_agents
from negoplatform.plugins.agent_loader import AgentPlugin
from negoplatform.presentation.agent_characters import CHARACTERS, character_for
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.start.agent_option_fields import agent_options, range_sentence

NOWHERE = Path("no such folder")


def shipped() -> list[AgentPlugin]:
    return [row.item for row in list_agents(NOWHERE) if row.item is not None]


@pytest.mark.parametrize("kind", ["bargaining", "trading", "market"])
def test_no_two_shipped_agents_of_a_kind_of_game_share_a_name_or_a_face(kind: str) -> None:
    agents = [agent for agent in shipped() if kind in agent.mechanisms]
    names = Counter(agent.reported_name for agent in agents)
    faces = Counter(id(character_for(agent.reported_name)) for agent in agents)

    assert {name: n for name, n in names.items() if n > 1} == {}
    assert max(faces.values()) == 1
    assert set(map(str.casefold, names)) <= set(CHARACTERS)


def test_settings_are_called_what_people_would_call_them() -> None:
    titles = {option.name: option for option in agent_options(find_agent("negochat", NOWHERE).options)}

    assert titles["precision"].title == "Choice precision (Luce rule)"
    assert range_sentence(titles["precision"], ENGLISH) == "Must be above 0."
    assert titles["types"].title == "Opponent types"
    assert titles["use_visible"].title == "Use known preferences"
