"""Texts of the debriefing page: of several agents, the page says whom a text is about."""

from __future__ import annotations

from negoplatform.gui.shell.debriefing_controller import debriefing_texts
from negoplatform.presentation.i18n import ENGLISH

GAME = ("game", "Thank you.")
LIED = "The agent told you things that were not true."


def test_a_text_about_the_only_agent_needs_no_name() -> None:
    assert debriefing_texts([GAME, ("green", LIED)], {"green": "Iris"}, "made_up", ENGLISH) == [
        "Thank you.",
        LIED,
    ]


def test_a_text_about_one_of_several_agents_names_it() -> None:
    names = {"green": "Iris", "blue": "Rowan"}

    assert debriefing_texts([GAME, ("green", LIED)], names, "made_up", ENGLISH) == [
        "Thank you.",
        "About Iris:",
        LIED,
    ]


def test_a_text_about_two_agents_is_read_once() -> None:
    names = {"green": "Iris", "blue": "Rowan", "grey": "Ariel"}
    texts = [("green", LIED), ("blue", "The agent was fair."), ("grey", LIED)]

    assert debriefing_texts(texts, names, "made_up", ENGLISH) == [
        "About Iris and Ariel:",
        LIED,
        "About Rowan:",
        "The agent was fair.",
    ]
