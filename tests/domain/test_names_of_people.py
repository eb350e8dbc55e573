"""English names by which people are known to the others at a table."""

from __future__ import annotations

from dataclasses import replace

from negoplatform.domain.game import GameSpec
from negoplatform.domain.game_display_texts import names_of_people
from negoplatform.domain.seat_map import SeatMap
from tests.games import coins_only, shipped_games
from tests.several_seats import village


def shipped(kind: str, name: str) -> GameSpec:
    (game,) = [game for game in shipped_games(kind) if game.name == name]
    return game


def test_a_person_in_a_seat_without_a_role_is_a_participant() -> None:
    game = coins_only()

    assert names_of_people(game, ["human"]) == {"human": "Participant"}
    # The seat's own name would say that an agent sits there.
    assert names_of_people(game, ["agent"]) == {"agent": "Participant"}


def test_several_people_without_roles_are_numbered_in_the_order_of_the_seats() -> None:
    assert names_of_people(coins_only(), ["agent", "human"]) == {
        "human": "Participant 1",
        "agent": "Participant 2",
    }
    trading = shipped("trading", "tac_trading")
    assert [*names_of_people(trading, trading.seats).values()] == ["Participant 1", "Participant 2"]


def test_a_person_in_a_role_has_its_name() -> None:
    job = shipped("bargaining", "job_candidate")

    assert names_of_people(job, job.seats) == {"employer": "Employer", "candidate": "Candidate"}


def test_a_name_that_the_game_gives_comes_first_and_takes_no_number() -> None:
    game = replace(coins_only(), names=SeatMap({"human": "Kim"}))

    assert names_of_people(game, game.seats) == {"human": "Kim", "agent": "Participant"}


def test_seats_of_agents_are_left_out() -> None:
    assert names_of_people(village(4), ["inn", "mill"]) == {"mill": "Mill", "inn": "Inn"}
