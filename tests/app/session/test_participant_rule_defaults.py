"""Default rules of a game that a person plays in the window."""

from __future__ import annotations

from negoplatform.app.session.participant_rule_defaults import (
    CLOSING_SECONDS,
    reading_seconds,
    with_window_rules,
)
from negoplatform.domain.game import GameSpec
from tests.games import with_rules
from tests.mechanisms.trading_table import worked_example


def test_a_person_has_two_minutes_for_last_words_unless_the_game_says_otherwise(practice: GameSpec) -> None:
    assert with_window_rules(practice, "human").rules.closing == CLOSING_SECONDS == 120.0
    assert with_window_rules(with_rules(practice, closing_seconds=30.0), "human").rules.closing == 30.0


def test_the_command_line_comes_before_the_game(practice: GameSpec) -> None:
    own = with_rules(practice, closing_seconds=30.0)

    assert with_window_rules(own, "human", closing_seconds=2.0).rules.closing == 2.0


def test_the_time_to_read_grows_with_the_story_between_8_and_20_seconds() -> None:
    assert reading_seconds("") == 8.0
    assert reading_seconds("word " * 40) == 14.0
    assert reading_seconds("word " * 400) == 20.0


def test_the_agent_waits_while_the_participant_reads_unless_the_game_says_otherwise(
    practice: GameSpec,
) -> None:
    own = with_rules(practice, opening_delay_seconds=0.0)

    to_read = reading_seconds(practice.stories["human"])
    assert with_window_rules(practice, "human").rules.opening_delay_seconds == to_read
    assert with_window_rules(own, "human").rules.opening_delay_seconds == 0.0
    assert with_window_rules(own, "human", opening_delay=3.0).rules.opening_delay_seconds == 3.0


def test_words_are_read_in_the_windows_language_unless_the_game_names_another(practice: GameSpec) -> None:
    own = with_rules(practice, reading_language="en")

    assert (
        with_window_rules(practice, "human").rules
        == with_window_rules(practice, "human", language="en").rules
    )
    assert with_window_rules(practice, "human", language="de").rules.effective_reading_language == "de"
    assert with_window_rules(own, "human", language="he").rules.effective_reading_language == "en"


def test_rules_that_a_kind_of_game_does_not_follow_stay_as_they_are() -> None:
    game = worked_example()

    rules = with_window_rules(
        game, "agent_1", language="he", offer_requests=False, show_left_on_table=True
    ).rules

    assert (rules.reading_language, rules.offer_requests, rules.show_left_on_table) == ("", True, False)
    assert rules.closing == CLOSING_SECONDS
