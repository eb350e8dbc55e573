"""Rules for games in the window where the game's file sets none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from negoplatform.app.session.chosen_agent import ChosenAgent, with_spoken_texts
from negoplatform.app.support.localized_game_names import with_localized_names
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.language import is_language_parsed

CLOSING_SECONDS = 120.0
"""Seconds for a last message: a person needs time to type it."""

READING_SECONDS, SECONDS_PER_WORD = 4.0, 0.25
"""Seconds to look at the window, and per word of the participant's own story: 240 words a minute."""

LEAST_READING, MOST_READING = 8.0, 20.0
"""Limits of the reading time in seconds."""


def with_window_rules(
    game: GameSpec,
    seat: Seat,
    *,
    opening_delay: float | None = None,
    closing_seconds: float | None = None,
    show_left_on_table: bool = False,
    offer_requests: bool = True,
    language: str = "en",
) -> GameSpec:
    """Return a game with the times that a person needs: to read at the start, and for last words.

    What the command line sets overrides the game's own rules. Rules that the kind of game does not follow
    stay as they are.

    Args:
        game: The game.
        seat: The participant's seat.
        opening_delay: Seconds for which agents wait at the start; None: the game's own, else the time
            to read.
        closing_seconds: Seconds for last words; None: the game's own, else CLOSING_SECONDS.
        show_left_on_table: Whether the end tells if another deal would have been better, even where
            the game does not say so.
        offer_requests: Whether the window may have the buttons that ask for an offer; the game's own rule
            can only leave them out.
        language: The window's language, in which typed words are read unless the game names another.
    """
    rules = game.rules
    opening = _first(opening_delay, rules.opening_delay_seconds, reading_seconds(game.stories.get(seat, "")))
    closing = _first(closing_seconds, rules.closing_seconds, CLOSING_SECONDS)
    own = {
        "show_left_on_table": rules.show_left_on_table or show_left_on_table,
        "offer_requests": rules.offer_requests and offer_requests,
        # Headers omit the language if it is English.
        "reading_language": rules.reading_language or ("" if language == "en" else language),
    }
    # A kind of game that does not follow a rule refuses it.
    followed = mechanism_of(game.mechanism).rules
    changed: dict[str, Any] = {name: value for name, value in own.items() if name in followed}
    return replace(
        game,
        rules=replace(rules, opening_delay_seconds=opening, closing_seconds=closing, **changed),
    )


def with_window_texts(game: GameSpec, agents: Mapping[Seat, ChosenAgent], language: str) -> GameSpec:
    """Return a game with the names that its readers need, and with the texts that the agents say.

    Args:
        game: The game, with resolved profiles and the window's rules.
        agents: The agents by seat, each with its language.
        language: The window's language.
    """
    if game.rules.offer_requests or is_language_parsed(game.rules.effective_reading_language):
        game = with_localized_names(game, language)
    return with_spoken_texts(game, agents)


def reading_seconds(briefing: str) -> float:
    """Return the seconds to read a story and to look at the window."""
    needed = READING_SECONDS + SECONDS_PER_WORD * len(briefing.split())
    return min(MOST_READING, max(LEAST_READING, needed))


def _first(*values: float | None) -> float:
    """Return the first value that is set."""
    return next(value for value in values if value is not None)
