"""Sentences that tell a participant who else sees what they have."""

from __future__ import annotations

from dataclasses import replace

import pytest

from negoplatform.core.visibility import observer_of, visible_game
from negoplatform.domain.command_settings import PrincipalSpec
from negoplatform.domain.game import GameSpec, Visibility
from negoplatform.domain.seat_map import SeatMap
from negoplatform.presentation.bargaining.bargaining_rules import bargaining_rules
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.table.who_sees_text import goods_sentences, preferences_label
from tests.games import commanded, three_seats
from tests.mechanisms.economies.test_secrets import PLAYS


def told(game: GameSpec, seat: str) -> tuple[str, ...]:
    """Return what the rules tell the participant in a seat about who sees what."""
    seen = visible_game(game, observer_of(game, seat))
    names = {other: other.title() for other in game.others(seat)}
    return bargaining_rules(seen, seat, names, ENGLISH).who_sees


@pytest.mark.parametrize("visibility", [Visibility.TEAM, Visibility.OWNER])
def test_an_ally_that_sees_or_shares_what_matters_is_named(visibility: Visibility) -> None:
    game = commanded(visibility)

    assert "Only you and blue can see what matters to you." in told(game, "green")
    assert preferences_label(game, "green", ENGLISH) == "Only you and blue can see this"


def test_a_principal_that_sees_what_matters_is_named_where_no_ally_does() -> None:
    game = replace(commanded(Visibility.UPPER_LEVEL), teams=())

    assert "Only you and your principal can see what matters to you." in told(game, "green")
    assert "Only you can see what matters to you." in told(game, "red"), "its own is its own"


def test_what_is_addressed_to_seats_below_a_principal_is_not_called_private() -> None:
    game = commanded()

    assert "Your principal head sees what you do, and what is addressed to you." in told(game, "red")
    assert "What is addressed to Green is also seen by a principal." in told(game, "red")
    assert "What is addressed to Red and Green is also seen by a principal." in told(game, "blue")


def test_a_game_without_principals_and_teams_has_none_of_these_sentences() -> None:
    assert told(three_seats(), "red") == ("Only you can see what matters to you.",)


def test_goods_below_a_principal_are_not_called_one_s_own_secret() -> None:
    game = PLAYS["trading"](Visibility.UPPER_LEVEL).table.state.game
    plain = replace(game, principals=SeatMap({"boss": PrincipalSpec("boss", ("spy",))}))

    assert goods_sentences(game, "owner", ENGLISH) == [
        "Only you and your principal can see your money and your goods.",
        "Only you and your principal can see what goods are worth to you.",
    ]
    assert goods_sentences(plain, "owner", ENGLISH) == [
        "Only you can see your money and your goods.",
        "Only you can see what goods are worth to you.",
    ]
