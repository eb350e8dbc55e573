"""A policy in another seat than that of its training gets the numbers that it was trained with."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from negoplatform.app.catalogue.catalogue import find_game
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import SeatMap
from negoplatform.domain.utility import AdditiveUtility
from negoplatform.plugins.program_and_user_folders import user_folder
from negoplatform.strategies.learned.bargaining_codecs import TermsCodec
from negoplatform.strategies.learned.trained_seat import TrainedSeat
from negoplatform.training.episode import Episode, EpisodeSettings
from tests.games import three_seats


def _with_equal_preferences(name: str) -> GameSpec:
    """Return a game in which both seats have the preferences of the first."""
    game = find_game(name, user_folder()).resolve_profiles(0)
    own = game.preferences[game.seats[0]]
    assert isinstance(own.utility, AdditiveUtility)
    tables: Any = own.utility.tables
    return replace(
        game,
        preferences=SeatMap(
            (seat, replace(own, utility=AdditiveUtility(seat, tables))) for seat in game.seats
        ),
        visibility=SeatMap((seat, game.visibility[game.seats[0]]) for seat in game.visibility),
        profiles=SeatMap(()),
    )


@pytest.mark.parametrize("name", ["campsite", "practice", "used_car"])
def test_both_seats_get_equal_numbers_in_exchanged_games(name: str) -> None:
    game = _with_equal_preferences(name)
    one, other = game.seats
    settings = EpisodeSettings(game, codec=TermsCodec.name)
    straight, exchanged = Episode(settings, 1), Episode(settings, 1)
    rng = Random(2)
    compared = 0

    for step in range(12):
        codec = straight.learners[one].codec
        action = codec.init_action()
        head = "accept" if step == 11 else rng.choice(("offer", "offer", "wait"))
        action.set_values({"d": [codec.heads.index(head), *(rng.randrange(n) for n in codec.ncats[1:])]})
        actor, mirrored = (one, other) if step % 2 else (other, one)
        straight.act({actor: action.copy()})
        exchanged.act({mirrored: action.copy()})
        straight.advance()
        exchanged.advance()
        if straight.ending is not None:
            break
        expected = straight.observation(one).vector()
        seen = TrainedSeat(game, other, one).vector(exchanged.observation(other))
        assert seen == expected
        assert TrainedSeat(game, one, one).vector(straight.observation(one)) == expected
        compared += seen != exchanged.observation(other).vector()

    assert compared > 3, "the exchange changes the numbers"


def test_numbers_of_more_than_two_seats_cannot_be_exchanged() -> None:
    game = three_seats()
    first, second, *_ = game.seats

    assert TrainedSeat(game, second, first).is_incompatible
    assert not TrainedSeat(game, first, first).is_incompatible
    assert not TrainedSeat(game, second, "").is_incompatible
