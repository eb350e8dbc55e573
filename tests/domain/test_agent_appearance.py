"""Names and faces that make several agents at one table differ."""

from __future__ import annotations

from pathlib import Path

import pytest

from negoplatform.domain.agent_appearance import CHARACTER_NAMES, AgentAppearance, unlike_settings

FILE = Path("agents/mine.py")


def seen(name: str, avatar: str = "", file: Path = FILE) -> AgentAppearance:
    return AgentAppearance.of(name, avatar, file)


def test_an_agent_that_differs_from_all_others_keeps_its_name_and_its_face() -> None:
    assert unlike_settings(seen("Rowan"), [seen("Robin"), seen("Tal")], []) == {}


@pytest.mark.parametrize("name", ["Rowan", " rowan", "ROWAN"])
def test_a_second_agent_of_one_name_becomes_another_character(name: str) -> None:
    assert unlike_settings(seen(name), [seen("Rowan")], []) == {"name": "Ariel", "avatar": "ariel"}


def test_an_agent_with_the_face_of_another_keeps_its_own_name() -> None:
    assert unlike_settings(seen("Dana", "rowan"), [seen("Rowan")], []) == {"avatar": "ariel"}


def test_the_character_of_an_agent_in_a_later_seat_is_left_to_it() -> None:
    first = seen("Rowan")

    found = unlike_settings(seen("Rowan"), [first], [first, first, seen("Ariel"), seen("Dana", "jules")])

    assert found == {"name": "Kim", "avatar": "kim"}


def test_two_agents_with_the_same_picture_get_different_faces() -> None:
    shown = seen("Dana", "dana.png")

    found = unlike_settings(seen("Dana", "dana.png"), [shown], [])

    assert found == {"name": "Ariel", "avatar": "ariel"}
    assert unlike_settings(seen("Lee", "dana.png", Path("other/theirs.py")), [shown], []) == {}


def test_where_every_character_is_expected_a_free_one_is_used_nevertheless() -> None:
    expected = [seen(name) for name in CHARACTER_NAMES]

    assert unlike_settings(seen("Rowan"), [seen("Rowan")], expected)["name"] == "Ariel"
