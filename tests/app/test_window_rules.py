"""What a game gets when a person plays it in the window."""

from __future__ import annotations

from negoplatform.app.window_rules import CLOSING_SECONDS, with_window_rules
from negoplatform.domain.game import GameSpec
from tests.games import with_rules


def test_a_person_has_two_minutes_for_last_words_unless_the_game_says_otherwise(practice: GameSpec) -> None:
    assert with_window_rules(practice).rules.closing == CLOSING_SECONDS == 120.0
    assert with_window_rules(with_rules(practice, closing_seconds=30.0)).rules.closing == 30.0


def test_the_command_line_comes_before_the_game(practice: GameSpec) -> None:
    own = with_rules(practice, closing_seconds=30.0)

    assert with_window_rules(own, closing_seconds=2.0).rules.closing == 2.0
