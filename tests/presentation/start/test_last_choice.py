"""The last choices are restored at the next start, except for the participant code and the seed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from negoplatform.domain.seat_map import SeatMap
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.start.initial_choice import DEFAULT_AGENT, DEFAULT_GAME
from negoplatform.presentation.start.last_choice import FILE_NAME, read_choice, write_choice
from negoplatform.presentation.start.launch_options import LaunchOptions
from negoplatform.presentation.start.session_plan_builder import SessionPlanBuilder
from negoplatform.presentation.start.start_choice import SeatAgent, StartChoice
from tests.games import game_file, three_seats

CHOSEN = StartChoice(
    game="campsite",
    agent="fair",
    participant="P-031",
    seed="77",
    minutes="7",
    seat="human",
    seats=4,
    profiles=SeatMap({"human": "food_water_firewood"}),
    entered={"fair": {"share": "0.4", "quiet": True}},
    agent_file=Path("/agents/fair.py"),
    unfolded=True,
    seat_agents=SeatMap({"green": SeatAgent("fair"), "blue": SeatAgent("mine", Path("/agents/mine.py"))}),
)


def maker(data_dir: Path, wish: LaunchOptions | None = None) -> SessionPlanBuilder:
    return SessionPlanBuilder(data_dir, wish or LaunchOptions(), lambda _: None)


def test_everything_but_code_and_seed_comes_back(tmp_path: Path) -> None:
    write_choice(tmp_path / "data", CHOSEN)

    found = read_choice(tmp_path / "data")

    assert found is not None
    assert (found.participant, found.seed) == ("", "")
    assert found == replace(CHOSEN, participant="", seed="")
    text = (tmp_path / "data" / FILE_NAME).read_text(encoding="utf-8")
    assert "P-031" not in text
    assert "77" not in text


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"game": 1}', "not json", "[" * 100_000])
def test_what_makes_no_sense_is_nothing(text: str, tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text(text, encoding="utf-8")

    assert read_choice(tmp_path) is None
    assert maker(tmp_path).initial_choice().game == DEFAULT_GAME


def test_a_field_of_another_kind_spoils_it(tmp_path: Path) -> None:
    write_choice(tmp_path, CHOSEN)
    kept = json.loads((tmp_path / FILE_NAME).read_text(encoding="utf-8"))
    (tmp_path / FILE_NAME).write_text(json.dumps({**kept, "minutes": 7}), encoding="utf-8")

    assert read_choice(tmp_path) is None


def test_at_the_next_start_it_stands_in_the_fields_with_a_new_code_and_seed(tmp_path: Path) -> None:
    first = maker(tmp_path)
    assert (first.initial_choice().game, first.initial_choice().agent) == (DEFAULT_GAME, DEFAULT_AGENT)
    first.save_choice(CHOSEN)

    found = maker(tmp_path).initial_choice()

    assert (found.game, found.agent, found.minutes) == ("campsite", "fair", "7")
    assert found.entered["fair"]["share"] == "0.4"
    assert found.participant not in ("", "P-031")
    assert found.seed not in ("", "77")


def test_the_command_line_comes_first(tmp_path: Path) -> None:
    maker(tmp_path).save_choice(CHOSEN)

    found = maker(tmp_path, LaunchOptions(game="practice", time_limit=60)).initial_choice()

    assert (found.game, found.agent, found.minutes) == ("practice", "fair", "1")


def test_a_folder_that_cannot_be_written_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file", encoding="utf-8")
    notes: list[str] = []

    SessionPlanBuilder(tmp_path / "data", LaunchOptions(), notes.append).save_choice(CHOSEN)

    assert notes[0].startswith("The choice cannot be kept")


def test_a_choice_of_an_earlier_version_has_no_agents_by_seat(tmp_path: Path) -> None:
    write_choice(tmp_path, CHOSEN)
    kept = json.loads((tmp_path / FILE_NAME).read_text(encoding="utf-8"))
    kept.pop("seat_agents")
    (tmp_path / FILE_NAME).write_text(json.dumps(kept), encoding="utf-8")

    assert read_choice(tmp_path) == replace(CHOSEN, participant="", seed="", seat_agents=SeatMap())


def test_a_named_agent_is_not_replaced_by_those_of_the_last_choice(tmp_path: Path) -> None:
    write_choice(tmp_path, CHOSEN)

    assert maker(tmp_path).initial_choice().seat_agents == CHOSEN.seat_agents
    assert maker(tmp_path, LaunchOptions(agent="boulware")).initial_choice().seat_agents == SeatMap()


def several(tmp_path: Path, **more: Any) -> SessionPlanBuilder:
    """Return the builder of a participant's session after a choice for a game of three seats."""
    (tmp_path / "games").mkdir()
    game_file(tmp_path / "games", three_seats())
    chosen: dict[str, Any] = {
        "game": "made_up",
        "seat": "green",
        "game_file": None,
        "agent_file": None,
        "entered": {},
    }
    write_choice(tmp_path, replace(CHOSEN, **{**chosen, **more}))
    builder = maker(tmp_path, LaunchOptions(participant="P-032"))
    builder.available = builder.find_plugins()
    builder.stop()
    return builder


def test_a_participant_gets_the_agents_of_all_seats_with_their_settings(tmp_path: Path) -> None:
    agents = SeatMap({"red": SeatAgent("boulware"), "blue": SeatAgent("fair")})
    builder = several(tmp_path, seat_agents=agents, entered={"blue=fair": {"share": "0.4"}})

    choice = builder.saved_choice(ENGLISH)

    assert choice is not None
    plan = builder.build_from_choice(choice, ENGLISH)
    plan.discard_agents()
    assert [(seat, agent.plugin.name) for seat, agent in plan.agents.items()] == [
        ("red", "boulware"),
        ("blue", "fair"),
    ]
    assert plan.agents["blue"].config["share"] == 0.4
    assert (plan.human_seat, plan.participant) == ("green", "P-032")


@pytest.mark.parametrize(
    "more",
    [
        {"seat_agents": SeatMap({"blue": SeatAgent("gone")})},
        {"seat_agents": SeatMap({"blue": SeatAgent("fair")}), "entered": {"blue=fair": {"share": "40"}}},
    ],
)
def test_where_one_seat_has_no_agent_that_can_be_started_the_window_is_used_first(
    tmp_path: Path, more: dict[str, Any]
) -> None:
    assert several(tmp_path, **more).saved_choice(ENGLISH) is None
