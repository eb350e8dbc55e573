"""Preparation of several agents for one table: their names and faces differ."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from negoplatform.app.catalogue.catalogue import find_agent
from negoplatform.app.session.agent_setup import PreparedAgent, prepare_in_process
from negoplatform.app.session.chosen_agent import ChosenAgent, prepare_named_agents
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat, SeatMap
from tests.games import COINS, make_game

PLAIN = """
from negoplatform.agent_api.base import NegotiationAgent


class Plain(NegotiationAgent):
    pass
"""

STUBBORN = """
from negoplatform.agent_api.base import NegotiationAgent


class Stubborn(NegotiationAgent):
    def get_name(self):
        return "Dana"

    def get_avatar(self):
        return "kim"
"""

LATE = """
from negoplatform.agent_api.base import NegotiationAgent


class Late(NegotiationAgent):
    def get_name(self):
        return self.get_config("name", "Rowan") if self.configured else ""
"""


def chosen(agent: str, **config: Any) -> ChosenAgent:
    return ChosenAgent(find_agent(agent, Path("no such folder")), config)


def prepared(*agents: ChosenAgent) -> tuple[SeatMap[PreparedAgent], list[Seat]]:
    """Return the agents at seats s1, s2 …, and the seats in the order in which agents were started."""
    seats = [f"s{number}" for number in range(1, len(agents) + 1)]
    game = make_game({seat: {"coins": [0, 1, 2, 3, 4]} for seat in ("me", *seats)}, issues=(COINS,))
    starts: list[Seat] = []

    def prepare(named: GameSpec, seat: Seat, agent: ChosenAgent) -> PreparedAgent:
        starts.append(seat)
        known.append(named.names)
        return prepare_in_process(agent.plugin, seat, agent.config, game=named)

    known: list[SeatMap[str]] = []
    named, found = prepare_named_agents(game, dict(zip(seats, agents, strict=True)), prepare)
    several = len(seats) > 1
    assert dict(named.names) == ({seat: agent.name for seat, agent in found.items()} if several else {})
    assert known[-1] == named.names, "the agents know the names under which they are logged"
    return found, starts


def names(agents: Mapping[Seat, PreparedAgent]) -> list[str]:
    return [agent.name for agent in agents.values()]


def test_the_second_of_two_equal_agents_has_another_name_which_it_says_itself() -> None:
    agents, starts = prepared(chosen("fair"), chosen("fair", share=0.4))

    assert names(agents) == ["Rowan", "Ariel"]
    assert agents["s2"].config["name"] == "Ariel"
    assert agents["s2"].config["share"] == 0.4
    assert agents["s2"].occupant().name == "Ariel"
    assert "name" not in agents["s1"].config
    assert starts == ["s1", "s2"]


def test_seven_equal_agents_have_seven_names_and_seven_faces() -> None:
    agents, _ = prepared(*[chosen("fair")] * 7)

    assert len(set(names(agents))) == 7
    assert len({agent.appearance.face for agent in agents.values()}) == 7


def test_a_name_in_the_settings_of_all_agents_stays_with_the_first() -> None:
    agents, _ = prepared(chosen("fair", name="Dana"), chosen("boulware", name="Dana"))

    assert names(agents) == ["Dana", "Ariel"]


def test_agents_that_are_called_after_their_seats_keep_these_names(tmp_path: Path) -> None:
    file = tmp_path / "plain.py"
    file.write_text(PLAIN, "utf-8")

    agents, starts = prepared(chosen(str(file)), chosen(str(file)))

    assert names(agents) == ["S1", "S2"]
    assert "name" not in agents["s2"].config
    assert starts[0] == "s1"


def test_an_agent_that_ignores_its_settings_is_shown_with_another_name_nevertheless(tmp_path: Path) -> None:
    file = tmp_path / "stubborn.py"
    file.write_text(STUBBORN, "utf-8")

    agents, _ = prepared(chosen(str(file)), chosen(str(file)))

    assert names(agents) == ["Dana", "Ariel"]
    assert agents["s2"].avatar == "ariel"
    assert agents["s2"].config["name"] == "Ariel"


def test_an_agent_whose_name_cannot_be_foreseen_is_started_again_with_another(tmp_path: Path) -> None:
    file = tmp_path / "late.py"
    file.write_text(LATE, "utf-8")

    agents, starts = prepared(chosen("fair"), chosen(str(file)))

    assert names(agents) == ["Rowan", "Jules"]
    assert starts == ["s1", "s2", "s2", "s1", "s2"]


def test_one_agent_is_called_by_no_name() -> None:
    agents, starts = prepared(chosen("fair"))

    assert (names(agents), starts) == (["Rowan"], ["s1"])
