"""Shipped games in the language of the window, as far as agents say them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from negoplatform.app.support.localized_game_names import with_localized_talk
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Offer
from negoplatform.formats.games import dump_game, load_game
from negoplatform.language.generation import offer_in_words
from negoplatform.language.generation.offer_verbalizer import title_in_words
from tests.games import shipped_games

SHIPPED = shipped_games("bargaining")


@pytest.mark.parametrize("game", SHIPPED, ids=lambda game: game.name)
def test_every_shipped_game_is_said_in_german(game: GameSpec) -> None:
    seat = game.seats[1]
    game = game.resolve_profiles(1)

    german = with_localized_talk(game, seat, "de")

    for issue, before in zip(german.issues, game.issues, strict=True):
        assert issue.spoken != before.spoken
        assert title_in_words(issue, "de") != before.title
        assert (issue.name, issue.title) == (before.name, before.title)
    assert german.briefings[seat].background != game.briefings[seat].background
    assert all(reasons for _, reasons in german.briefings[seat].reasons)
    assert german.briefings[game.seats[0]] == game.briefings[game.seats[0]]


def test_the_terms_of_an_offer_are_german_noun_phrases() -> None:
    game = next(game for game in SHIPPED if game.name == "job_candidate").resolve_profiles(1)
    german = with_localized_talk(game, "candidate", "de")

    words = offer_in_words(Offer({"car": "With leased car"}), german, "candidate", language="de")

    assert words == "mit Dienstwagen"


def test_a_game_that_is_not_shipped_stays_as_it_is() -> None:
    game = replace(SHIPPED[0].resolve_profiles(1), name="my_own")

    assert with_localized_talk(game, game.seats[1], "de") == game


def test_spoken_titles_are_kept_in_a_file(tmp_path: Path) -> None:
    game = next(game for game in SHIPPED if game.name == "practice")
    german = with_localized_talk(game, game.seats[1], "de")
    file = tmp_path / "german.json"
    file.write_text(json.dumps(dump_game(german)), "utf-8")

    assert load_game(file).issues == german.issues
