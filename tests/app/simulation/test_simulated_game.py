"""Games that are kept from one run to the next."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

from negoplatform.app.catalogue.catalogue import find_game
from negoplatform.app.simulation.simulated_game import MOST_GAMES, simulated_game
from negoplatform.domain.game import GameSpec


def campsite(**changes: object) -> GameSpec:
    return replace(find_game("campsite", Path("none")), **changes)  # type: ignore[arg-type]


def test_a_game_is_kept_for_the_next_run() -> None:
    game = campsite()
    assert simulated_game(game) is simulated_game(game)


def test_a_copy_that_another_process_sent_is_the_same_game() -> None:
    game = campsite()
    assert simulated_game(pickle.loads(pickle.dumps(game))) is simulated_game(
        pickle.loads(pickle.dumps(game))
    )


def test_a_game_with_points_of_another_type_is_another_game() -> None:
    game = campsite()
    seat = game.seats[0]
    own = game.preferences[seat]
    other = replace(own, reservation_value=float(own.reservation_value))
    equal = replace(game, preferences=game.preferences.with_value(seat, other))

    assert equal == game
    assert simulated_game(equal) is not simulated_game(game)


def test_only_the_last_games_are_kept() -> None:
    game = campsite()
    first = simulated_game(game)
    for number in range(MOST_GAMES):
        simulated_game(campsite(title=f"Game {number}"))

    assert simulated_game(game) is not first
