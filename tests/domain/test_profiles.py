"""Profiles: several preferences for a seat, one of which is chosen before the game is played."""

from __future__ import annotations

from dataclasses import replace

import pytest

from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import RANDOM_PROFILE, GameSpec, Preferences, Profile
from negoplatform.domain.seat_map import SeatMap
from negoplatform.domain.utility import AdditiveUtility
from tests.games import coins_only


def likes(seat: str, per_coin: int) -> Preferences:
    """Return preferences with so many points per coin."""
    return Preferences(AdditiveUtility(seat, {"coins": {n: per_coin * n for n in range(5)}}), per_coin)


@pytest.fixture
def unsettled() -> GameSpec:
    """Game in which two seats divide four coins; the human is poor or rich, the agent one of three."""
    profiles = SeatMap(
        {
            "human": (
                Profile("poor", likes("human", 5), "You have nothing."),
                Profile("rich", likes("human", 1)),
            ),
            "agent": tuple(
                Profile(name, likes("agent", i)) for i, name in enumerate(("a", "b", "c"), start=1)
            ),
        }
    )
    return replace(
        coins_only(),
        profiles=profiles,
        preferences=SeatMap((seat, found[0].preferences) for seat, found in profiles.items()),
        stories=SeatMap({"human": "You like coins.", "agent": "You collect coins."}),
        chosen=SeatMap({"human": "poor", "agent": RANDOM_PROFILE}),
    )


def test_a_settled_game_has_the_profile_that_the_game_chooses(unsettled: GameSpec) -> None:
    game = unsettled.resolve_profiles(1)

    assert game.chosen["human"] == "poor"
    assert game.preferences["human"] == likes("human", 5)
    assert game.stories["human"] == "You have nothing."
    assert not game.profiles


def test_a_profile_may_be_chosen_in_its_place(unsettled: GameSpec) -> None:
    game = unsettled.resolve_profiles(1, {"human": "rich", "agent": "c"})

    assert dict(game.chosen) == {"human": "rich", "agent": "c"}
    assert game.preferences["agent"] == likes("agent", 3)
    assert game.stories["human"] == "You like coins."


def test_equal_seeds_draw_equal_profiles_and_in_time_every_one(unsettled: GameSpec) -> None:
    drawn = [unsettled.resolve_profiles(seed).chosen["agent"] for seed in range(100)]

    assert drawn == [unsettled.resolve_profiles(seed).chosen["agent"] for seed in range(100)]
    assert set(drawn) == {"a", "b", "c"}
    assert all(
        unsettled.resolve_profiles(seed).preferences["agent"] == likes("agent", "abc".index(name) + 1)
        for seed, name in enumerate(drawn)
    )


def test_a_profile_may_be_drawn_where_the_game_has_a_choice_of_its_own(unsettled: GameSpec) -> None:
    drawn = {
        unsettled.resolve_profiles(seed, {"human": RANDOM_PROFILE}).chosen["human"] for seed in range(50)
    }

    assert drawn == {"poor", "rich"}


def test_what_one_seat_is_given_does_not_move_what_another_draws(unsettled: GameSpec) -> None:
    for seed in range(20):
        other = unsettled.resolve_profiles(seed, {"human": RANDOM_PROFILE})

        assert other.chosen["agent"] == unsettled.resolve_profiles(seed).chosen["agent"]


def test_settling_changes_nothing_else_and_a_settled_game_stays_as_it_is(unsettled: GameSpec) -> None:
    game = unsettled.resolve_profiles(7)

    assert game.resolve_profiles(8) == game
    assert game.issues == unsettled.issues
    assert game.rules == unsettled.rules
    assert coins_only().resolve_profiles(1) == coins_only()


@pytest.mark.parametrize(
    ("wanted", "reason"),
    [
        ({"human": "mean"}, r"There is no profile 'mean' for human; there is poor, rich, drawn\."),
        ({"cook": "poor"}, r"made_up has no profiles to choose for cook; it has some for"),
    ],
)
def test_what_cannot_be_chosen_is_refused(unsettled: GameSpec, wanted: dict[str, str], reason: str) -> None:
    with pytest.raises(NegoError, match=reason):
        unsettled.resolve_profiles(1, wanted)


def test_a_settled_game_has_no_profiles_left_to_choose(unsettled: GameSpec) -> None:
    with pytest.raises(NegoError, match="no profiles to choose for human"):
        unsettled.resolve_profiles(1).resolve_profiles(1, {"human": "rich"})


def test_what_others_see_of_a_game_holds_no_profiles(unsettled: GameSpec) -> None:
    seen = unsettled.redacted_for(["agent"])

    assert not seen.profiles
    assert list(seen.chosen) == ["agent"]
    assert list(seen.stories) == ["agent"]
