"""Distribution of seats: the participant's, and an agent for every other one."""

from __future__ import annotations

from pathlib import Path

import pytest

from negoplatform.app.session.agent_placement import (
    MOST_SHOWN_VALUES,
    agents_by_seat,
    participant_seat,
    prepare_agents,
    split_settings_file,
)
from negoplatform.app.session.agent_setup import PreparedAgent
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue
from negoplatform.domain.seat_map import Seat, SeatMap
from tests.games import COINS, make_game, three_seats


def postcodes(count: int) -> GameSpec:
    values = tuple(f"place {i}" for i in range(count))
    points = {seat: {"postcode": dict.fromkeys(values, 1)} for seat in ("human", "agent")}
    return make_game(points, issues=(CategoricalIssue("postcode", values),))


def test_a_game_with_more_values_than_the_window_shows_is_refused_in_a_sentence() -> None:
    assert participant_seat(postcodes(MOST_SHOWN_VALUES), None) == "human"
    with pytest.raises(
        NegoError, match="made_up has 1,001 values to choose from, and the window shows up to"
    ):
        participant_seat(postcodes(MOST_SHOWN_VALUES + 1), None)


def test_the_usual_agent_has_every_seat_for_which_none_is_named() -> None:
    game = three_seats()

    found = agents_by_seat(game, "red", {"blue": "boulware"}, "fair")

    assert found == SeatMap([("green", "fair"), ("blue", "boulware")])


@pytest.mark.parametrize(
    ("named", "usual", "sentence"),
    [
        ({"purple": "fair"}, "fair", "made_up has no seat 'purple'; it has red, green, blue."),
        ({"red": "fair"}, "fair", "The seat 'red' is the participant's, so no agent can have it; "),
        (
            {"green": "fair"},
            None,
            "made_up: no agent is chosen for the seat 'blue'; choose one, as in --agent blue=fair.",
        ),
        (
            {},
            None,
            "made_up: no agent is chosen for the seats 'green', 'blue'; "
            "choose one, as in --agent green=fair.",
        ),
    ],
)
def test_a_wrong_placement_is_refused_in_a_sentence(
    named: dict[Seat, str], usual: str | None, sentence: str
) -> None:
    with pytest.raises(NegoError) as refused:
        agents_by_seat(three_seats(), "red", named, usual)

    assert str(refused.value).startswith(sentence)


def test_eight_seats_can_be_filled_and_nine_are_refused() -> None:
    def game_of(seats: int) -> None:
        tables = {f"s{number}": {"coins": [0, 1, 2, 3, 4]} for number in range(seats)}
        assert participant_seat(make_game(tables, issues=(COINS,)), None) == "s0"

    game_of(8)
    with pytest.raises(NegoError, match="has 9 seats, and the window seats one person and up to 7 agents"):
        game_of(9)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("fair", ("fair", None)),
        ("fair@soft.json", ("fair", Path("soft.json"))),
        ("my@home/mine.py", ("my@home/mine.py", None)),
        ("my@home/mine.py:Mine", ("my@home/mine.py:Mine", None)),
        ("my@home/mine.py:Mine@soft.json", ("my@home/mine.py:Mine", Path("soft.json"))),
    ],
)
def test_the_settings_file_follows_the_last_at_sign(wanted: str, found: tuple[str, Path | None]) -> None:
    assert split_settings_file(wanted) == found


def test_agents_that_were_prepared_before_a_faulty_one_are_released() -> None:
    released: list[Seat] = []

    class Agent(PreparedAgent):
        def __init__(self, seat: Seat) -> None:
            object.__setattr__(self, "name", seat)

        def discard(self) -> None:
            released.append(self.name)

    def prepare(seat: Seat) -> PreparedAgent:
        if seat == "blue":
            raise NegoError("It does not play this game.")
        return Agent(seat)

    with pytest.raises(NegoError, match="does not play"):
        prepare_agents(("red", "green", "blue"), prepare)

    assert released == ["red", "green"]
