"""The start window's texts about the chosen game and agent."""

from __future__ import annotations

from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.start.start_choice import choice_summary


def test_game_and_agent_are_named_in_a_line() -> None:
    assert choice_summary("Campsite", "negochat", "Alex", ENGLISH) == "Campsite with Alex (negochat)"
    assert choice_summary("Campsite", "my agent", "", ENGLISH) == "Campsite with my agent"


def test_nothing_is_named_while_something_is_missing() -> None:
    assert choice_summary("", "negochat", "Alex", ENGLISH) == ""
    assert choice_summary("Campsite", "", "", ENGLISH) == ""
