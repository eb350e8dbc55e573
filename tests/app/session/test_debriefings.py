"""Debriefing of a participant after a session: from the game, and from an agent that deceives."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from negoplatform.app.catalogue.catalogue import find_agent
from negoplatform.app.catalogue.search_path import game_files
from negoplatform.app.session.agent_setup import PreparedAgent, prepare_in_process, prepare_in_subprocess
from negoplatform.app.session.session_plan import SessionPlan
from negoplatform.domain.game import GameSpec
from negoplatform.domain.game_display_texts import paragraphs
from negoplatform.domain.seat_map import SeatMap
from negoplatform.formats.games import dump_game, load_game
from negoplatform.plugins.program_and_user_folders import bundled

NOWHERE = Path("no such folder")

DECEIVES = """
from negoplatform.agent_api.base import NegotiationAgent


class Deceives(NegotiationAgent):
    debriefing = "Nothing of it was true."
"""


def apart(name: str, game: GameSpec) -> PreparedAgent:
    seated = prepare_in_subprocess(find_agent(name, NOWHERE), "agent", {}, game=game, seed=1)
    seated.discard()
    return seated


@pytest.mark.parametrize("name", ["lying", "favours_betraying"])
def test_shipped_agents_that_deceive_bring_a_debriefing(name: str, practice: GameSpec) -> None:
    beside = prepare_in_process(find_agent(name, NOWHERE), "agent", {}, game=practice)

    assert "computer program" in beside.debriefing
    assert apart(name, practice).debriefing == beside.debriefing


def test_an_honest_agent_brings_none(practice: GameSpec) -> None:
    assert apart("fair", practice).debriefing == ""


def test_what_stands_in_agent_json_comes_before_the_class(practice: GameSpec, tmp_path: Path) -> None:
    agent = tmp_path / "agent.py"
    agent.write_text(DECEIVES, encoding="utf-8")
    of_class = apart(str(agent), practice).debriefing
    (tmp_path / "agent.json").write_text(json.dumps({"debriefing": "It lied."}), encoding="utf-8")

    assert of_class == "Nothing of it was true."
    assert apart(str(agent), practice).debriefing == "It lied."


def test_a_games_own_is_read_and_written_and_comes_first(practice: GameSpec, tmp_path: Path) -> None:
    told = replace(practice, debriefing="You were watched.")
    path = tmp_path / "game.json"
    path.write_text(json.dumps(dump_game(told)), encoding="utf-8")
    agents = SeatMap({"agent": prepare_in_process(find_agent("lying", NOWHERE), "agent", {}, game=told)})

    sitting = SessionPlan(game=told, seed=1, human_seat="human", participant="P1", agents=agents)

    assert load_game(path).debriefing == "You were watched."
    assert "debriefing" not in dump_game(practice)
    assert [source for source, _ in sitting.debriefings] == ["game", "agent"]


def test_shipped_games_have_nothing_to_reveal() -> None:
    games = [load_game(file) for file in game_files(bundled("games"))]

    assert [game.name for game in games if game.debriefing] == []


def test_an_empty_line_begins_a_paragraph() -> None:
    assert paragraphs("One\nline.\n \n\nAnother.\n") == ["One line.", "Another."]
