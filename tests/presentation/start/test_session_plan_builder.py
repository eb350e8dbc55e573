"""Messages to the experimenter while a session is prepared."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from negoplatform.app.catalogue.catalogue import find_game
from negoplatform.domain.errors import NegoError
from negoplatform.domain.joining_settings import LostLinkAction, LostLinkRule, WizardMode, WizardSettings
from negoplatform.domain.seat_map import SeatMap
from negoplatform.hosting.agent_process_proxy import AgentProcess
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.start.launch_options import LaunchOptions
from negoplatform.presentation.start.session_plan_builder import SessionPlanBuilder
from tests.games import game_file, three_seats

PICKY = """
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.domain.errors import AgentError


class Picky(NegotiationAgent):
    def check_game(self, game):
        if len(game.seats) > 2:
            raise AgentError("I play with two seats only.")
"""


def test_where_no_model_will_speak_for_an_agent_it_is_said(tmp_path: Path) -> None:
    notes: list[str] = []
    for agent in ("language_model", "fair"):
        maker = SessionPlanBuilder(tmp_path, LaunchOptions(game="practice", agent=agent), notes.append)
        sitting = maker.build_from_options()
        assert sitting is not None
        sitting.discard_agents()

    assert notes == ["language_model: No endpoint is set, so the agent speaks in its own words."]


@pytest.mark.parametrize(
    ("window", "settings", "spoken"),
    [("de", {}, "de"), ("de", {"language": "en"}, "en"), ("en", {}, "en"), ("he", {}, None)],
)
def test_an_agent_speaks_the_language_of_the_window_if_it_can(
    tmp_path: Path, window: str, settings: dict[str, str], spoken: str | None
) -> None:
    config = tmp_path / "settings.json"
    config.write_text(json.dumps(settings), "utf-8")
    options = LaunchOptions(game="campsite", agent="fair", language=window, agent_config=config)

    sitting = SessionPlanBuilder(tmp_path, options, lambda _: None).build_from_options()

    assert sitting is not None
    sitting.discard_agents()
    assert sitting.agents["agent"].config.get("language") == spoken
    assert ("Paket Essen" in sitting.game.issue("food").spoken) == (spoken == "de")


def test_a_seat_and_a_profile_of_another_game_are_not_asked_of_this_one(tmp_path: Path) -> None:
    maker = SessionPlanBuilder(tmp_path, LaunchOptions(), lambda _: None)
    maker.available = maker.find_plugins()
    after_job = replace(
        maker.initial_choice(),
        game="campsite",
        seat="employer",
        profiles=SeatMap({"candidate": "long_term", "human": "food_water_firewood"}),
    )

    sitting = maker.build_from_choice(after_job, ENGLISH)
    sitting.discard_agents()
    maker.stop()

    assert sitting.human_seat == "human"
    assert sitting.game.chosen["human"] == "food_water_firewood"


def test_a_seat_that_the_named_game_has_not_is_refused_before_a_window_opens(tmp_path: Path) -> None:
    maker = SessionPlanBuilder(tmp_path, LaunchOptions(game="campsite", seat="employer"), lambda _: None)

    with pytest.raises(NegoError, match="campsite has no seat 'employer'"):
        maker.build_from_options()


def test_every_named_seat_has_its_own_agent_with_its_own_settings(tmp_path: Path) -> None:
    soft, common = tmp_path / "soft.json", tmp_path / "common.json"
    soft.write_text('{"share": 0.4}', "utf-8")
    common.write_text('{"name": "Robin"}', "utf-8")
    options = LaunchOptions(
        game=game_file(tmp_path, three_seats()),
        agent="boulware",
        agents={"green": f"fair@{soft}"},
        agent_config=common,
        participant="P01",
    )

    plan = SessionPlanBuilder(tmp_path, options, lambda _: None).build_from_options()

    assert plan is not None
    plan.discard_agents()
    assert (plan.human_seat, plan.participant) == ("red", "P01")
    assert {seat: agent.plugin.name for seat, agent in plan.agents.items()} == {
        "green": "fair",
        "blue": "boulware",
    }
    assert plan.agents["green"].config["share"] == 0.4
    assert plan.agents["green"].name != "Robin"
    assert plan.agents["blue"].name == "Robin"


def test_the_chosen_agent_has_all_other_seats(tmp_path: Path) -> None:
    game = game_file(tmp_path, three_seats())
    maker = SessionPlanBuilder(tmp_path, LaunchOptions(game=game, agent="fair"), lambda _: None)
    maker.available = maker.find_plugins()

    plan = maker.build_from_choice(replace(maker.initial_choice(), seat="green"), ENGLISH)
    plan.discard_agents()

    assert (plan.human_seat, list(plan.agents)) == ("green", ["red", "blue"])


def test_an_agent_for_a_single_seat_needs_a_named_game(tmp_path: Path) -> None:
    maker = SessionPlanBuilder(tmp_path, LaunchOptions(agents={"green": "fair"}), lambda _: None)

    with pytest.raises(NegoError, match="the game has to be named too, with --game"):
        maker.build_from_options()


def test_one_agent_that_does_not_play_the_game_leaves_no_process_of_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    processes: list[AgentProcess] = []
    spawn = AgentProcess.spawn

    def spawn_and_keep() -> AgentProcess:
        processes.append(spawn())
        return processes[-1]

    monkeypatch.setattr(AgentProcess, "spawn", spawn_and_keep)
    picky = tmp_path / "picky.py"
    picky.write_text(PICKY, "utf-8")
    options = LaunchOptions(
        game=game_file(tmp_path, three_seats()), seat="blue", agents={"red": str(picky), "green": "fair"}
    )

    with pytest.raises(NegoError, match="'Picky' failed: I play with two seats only"):
        SessionPlanBuilder(tmp_path, options, lambda _: None).build_from_options()

    assert len(processes) >= 2
    assert not any(process.alive for process in processes)
    assert not list(tmp_path.glob("sessions/.starting-*"))


@pytest.mark.parametrize(("second", "spoken"), [({}, True), ({"language": "en"}, False)])
def test_the_game_has_the_words_of_the_agents_if_they_speak_one_language(
    tmp_path: Path, second: dict[str, str], spoken: bool
) -> None:
    settings = tmp_path / "second.json"
    settings.write_text(json.dumps(second), "utf-8")
    game = find_game("campsite", tmp_path)
    preferences = game.preferences
    third = replace(
        game,
        seats=(*game.seats, "ranger"),
        preferences=SeatMap([*preferences.items(), ("ranger", preferences["agent"])]),
        profiles=SeatMap(),
        chosen=SeatMap(),
    )
    options = LaunchOptions(
        game=game_file(tmp_path, third),
        agents={"agent": "fair", "ranger": f"fair@{settings}"},
        language="de",
    )

    plan = SessionPlanBuilder(tmp_path, options, lambda _: None).build_from_options()

    assert plan is not None
    plan.discard_agents()
    assert ("Paket Essen" in plan.game.issue("food").spoken) is spoken


def test_a_game_for_different_numbers_of_seats_is_played_with_as_many_as_are_asked_for(
    tmp_path: Path,
) -> None:
    options = LaunchOptions(game="tac_market", agent="tac_baseline", seats=4, seed=1)

    plan = SessionPlanBuilder(tmp_path, options, lambda _: None).build_from_options()

    assert plan is not None
    plan.discard_agents()
    assert plan.game.seats == ("red", "green", "blue", "yellow")
    assert list(plan.agents) == ["green", "blue", "yellow"]


def test_a_number_of_seats_that_a_game_cannot_have_is_refused(tmp_path: Path) -> None:
    options = LaunchOptions(game="tac_market", agent="tac_baseline", seats=2)

    with pytest.raises(NegoError, match="played with 3 to 8 seats, not with 2"):
        SessionPlanBuilder(tmp_path, options, lambda _: None).build_from_options()


def test_people_in_several_seats_need_no_agents(tmp_path: Path) -> None:
    options = LaunchOptions(game="used_car", participant="P01", people={"seller": "P02"}, seat="buyer")

    plan = SessionPlanBuilder(tmp_path, options, lambda _: None).build_from_options()

    assert plan is not None
    assert plan.codes_of_people == {"buyer": "P01", "seller": "P02"}
    assert len(plan.agents) == 0


def test_a_wizard_and_a_stand_in_come_with_the_plan(tmp_path: Path) -> None:
    wizard = WizardSettings(mode=WizardMode.MANUAL)
    options = LaunchOptions(
        game=game_file(tmp_path, three_seats()),
        agent="fair",
        participant="P01",
        people={"green": "P02"},
        wizards={"blue": wizard},
        lost_link=LostLinkRule(LostLinkAction.AGENT, 5.0, "boulware"),
    )

    plan = SessionPlanBuilder(tmp_path, options, lambda _: None).build_from_options()

    assert plan is not None
    plan.discard_agents()
    assert list(plan.agents) == ["blue"]
    assert plan.wizards == {"blue": wizard}
    assert {seat: agent.plugin.name for seat, agent in plan.stand_ins.items()} == {
        "red": "boulware",
        "green": "boulware",
    }


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"people": {"purple": "P02"}}, "has no seat 'purple'"),
        ({"people": {"red": "P02"}}, "seat 'red' is given to two people"),
        ({"people": {"green": "P01"}}, "'red' and 'green' have the same code 'P01'"),
        ({"people": {"green": "no code!"}}, "A participant code has 1 to 40 letters"),
        ({"people": {"green": "P02"}, "agents": {"green": "fair"}}, "'green' is the participant's"),
        ({"wizards": {"red": WizardSettings()}}, "no agent is chosen for 'red'"),
        ({"wizards": {"brown": WizardSettings()}}, "has no seat 'brown'; it has red, green, blue"),
        (
            {"people": {"green": "P02", "blue": "P03"}},
            "people have all seats, so no seat is left for the agent",
        ),
        ({"wizards": {"green": WizardSettings(), "blue": WizardSettings()}}, "one wizard, not 2"),
    ],
)
def test_seats_of_people_and_wizards_that_cannot_be_are_refused(
    tmp_path: Path, changes: dict[str, Any], sentence: str
) -> None:
    options = LaunchOptions(game=game_file(tmp_path, three_seats()), agent="fair", participant="P01")
    maker = SessionPlanBuilder(tmp_path, replace(options, **changes), lambda _: None)

    with pytest.raises(NegoError, match=sentence):
        maker.build_from_options()
