"""The last choices are restored at the next start, except for the participant code and the seed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from negoplatform.domain.seat_map import SeatMap
from negoplatform.presentation.start.last_choice import FILE_NAME, read_choice, write_choice
from negoplatform.presentation.start.launch_options import LaunchOptions
from negoplatform.presentation.start.session_plan_builder import (
    DEFAULT_AGENT,
    DEFAULT_GAME,
    SessionPlanBuilder,
)
from negoplatform.presentation.start.start_choice import StartChoice

CHOSEN = StartChoice(
    game="campsite",
    agent="fair",
    participant="P-031",
    seed="77",
    minutes="7",
    seat="human",
    profiles=SeatMap({"human": "food_water_firewood"}),
    entered={"fair": {"share": "0.4", "quiet": True}},
    agent_file=Path("/agents/fair.py"),
    unfolded=True,
)


def maker(data_dir: Path, wish: LaunchOptions | None = None) -> SessionPlanBuilder:
    return SessionPlanBuilder(data_dir, wish or LaunchOptions(), lambda _: None)


def test_everything_but_code_and_seed_comes_back(tmp_path: Path) -> None:
    write_choice(tmp_path / "data", CHOSEN)

    found = read_choice(tmp_path / "data")

    assert found is not None
    assert (found.participant, found.seed) == ("", "")
    for name in ("game", "agent", "minutes", "seat", "profiles", "entered", "agent_file", "unfolded"):
        assert getattr(found, name) == getattr(CHOSEN, name)
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
