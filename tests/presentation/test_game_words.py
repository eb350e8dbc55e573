"""Words of the window for a game as a whole, by its kind."""

from __future__ import annotations

from dataclasses import fields

import pytest

from negoplatform.core.events import EndedBy, Ending, Event, EventType
from negoplatform.domain.game_display_texts import names_role
from negoplatform.presentation.chat.phrases import common_groups
from negoplatform.presentation.event_texts import ending_text, event_text
from negoplatform.presentation.game_words import game_words
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.table.rules_text import subtitle
from negoplatform.presentation.trading.trading_rules import trading_phrases
from tests.games import shipped_games

KINDS = ["trading", "market", "a_kind_of_a_plugin"]


@pytest.mark.parametrize("kind", KINDS)
def test_only_bargaining_is_called_a_negotiation(kind: str) -> None:
    words = game_words(kind)

    told = [getattr(words, field.name) for field in fields(words)]

    assert not [text for text in told if "egotiat" in text or "deal" in text]


def test_every_text_of_bargaining_has_the_same_fields_in_the_words_of_other_kinds() -> None:
    theirs = game_words("trading")
    for field in fields(theirs):
        text, usual = getattr(theirs, field.name), getattr(game_words("bargaining"), field.name)
        assert [part.split("}")[0] for part in text.split("{")[1:]] == [
            part.split("}")[0] for part in usual.split("{")[1:]
        ]


def test_a_seat_of_a_trading_game_is_no_role() -> None:
    (game,) = [game for game in shipped_games("trading") if game.name == "tac_trading"]

    assert not any(names_role(seat, game) for seat in game.seats)
    assert subtitle(game, "agent_1", {"agent_2": "Kim"}, ENGLISH) == "You’re trading with Kim"


def test_owners_and_speculators_of_the_land_market_are_roles() -> None:
    (game,) = [game for game in shipped_games("market") if game.name == "land_market"]

    assert all(names_role(seat, game) for seat in game.seats)


def test_a_role_of_bargaining_is_told_as_ever() -> None:
    (game,) = [game for game in shipped_games("bargaining") if game.name == "job_candidate"]

    assert subtitle(game, "candidate", {"employer": "Kim"}, ENGLISH) == (
        "You’re the candidate, negotiating with Kim (employer)"
    )


def test_a_trading_game_whose_time_is_up_has_not_failed() -> None:
    ending = Ending(EndedBy.TIMEOUT)
    names = {"agent_2": "Kim"}

    assert ending_text(ending, "agent_1", names, ENGLISH, mechanism="trading") == "Time is up"
    assert ending_text(ending, "agent_1", names, ENGLISH) == "Time is up: no deal"


def test_who_leaves_a_market_is_told_so_and_does_not_walk_away_from_a_negotiation() -> None:
    left = Event(7, 3.0, EventType.FORMAL_QUIT, "b", None)

    told = {"trading": ("Kim leaves the game", "You leave the game")}
    told["market"] = ("Kim has left the market", "You’ve left the market")
    for kind, (theirs, own) in told.items():
        assert event_text(left, "a", {"b": "Kim"}, ENGLISH, mechanism=kind) == theirs
        assert event_text(left, "b", {"a": "Kim"}, ENGLISH, mechanism=kind) == own


def test_the_end_of_a_game_of_goods_by_leaving_says_who_has_left() -> None:
    for kind, ended_by in (("trading", EndedBy.QUIT), ("market", EndedBy.COMPLETED)):
        ending = Ending(ended_by, by="b")

        assert ending_text(ending, "b", {"a": "Kim"}, ENGLISH, mechanism=kind) == "You have left the game"
        told = ending_text(ending, "a", {"b": "Kim"}, ENGLISH, mechanism=kind)
        assert told == "Kim has left: the game is over"


def test_the_small_talk_of_games_of_goods_is_about_trading() -> None:
    told = [phrase.text for group in common_groups(ENGLISH, trades=True) for phrase in group.phrases]
    told += [phrase.text for group in trading_phrases(ENGLISH) for phrase in group.phrases]

    assert "Hello! I'm looking forward to trading with you." in told
    assert not [text for text in told if "egotiat" in text or "deal" in text]
