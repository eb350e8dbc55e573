"""Profiles offered by the start window."""

from __future__ import annotations

from negoplatform.gui.start.seat_profile_fields import profile_choices
from negoplatform.presentation.i18n import ENGLISH
from tests.presentation.rent_game import rent_with_profiles


def test_the_games_own_profile_comes_first_and_one_drawn_by_the_seed_is_a_choice() -> None:
    choices = profile_choices(rent_with_profiles("long_term"), "tenant", ENGLISH)

    assert list(choices.items()) == [
        ("long_term", "long term (default)"),
        ("quick", "quick"),
        ("drawn", "drawn at random"),
    ]


def test_a_game_that_draws_says_so_first() -> None:
    choices = profile_choices(rent_with_profiles("drawn"), "tenant", ENGLISH)

    assert next(iter(choices.items())) == ("drawn", "drawn at random (default)")
