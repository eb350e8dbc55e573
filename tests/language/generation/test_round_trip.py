"""Offers in words: the parser reads what the verbalizer writes, for all shipped games."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

import pytest

from negoplatform.app.catalogue.catalogue import find_game
from negoplatform.app.support.localized_game_names import with_localized_names, with_localized_talk
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.language import DialogueContext, parse
from negoplatform.language.generation import offer_in_words
from tests.games import shipped_games

GAMES = [game.name for game in shipped_games("bargaining")]


@cache
def shipped(name: str) -> GameSpec:
    """Return a shipped game."""
    return find_game(name, Path("nowhere")).resolve_profiles(1)


def misread(game: GameSpec, offers: Iterator[Offer], language: str) -> list[str]:
    """Return the offers in words that are read as another offer, or as none."""
    return [
        said
        for offer in offers
        for seat in game.seats
        for said in [offer_in_words(offer, game, seat, language=language)]
        if parse(said, DialogueContext(game, seat, language=language)).offer != offer
    ]


def random_offers(game: GameSpec, number: int) -> Iterator[Offer]:
    """Yield complete and partial offers, drawn from a seed."""
    rng = Random(5)
    for n in range(number):
        issues = rng.sample(game.issues, rng.randint(1, len(game.issues))) if n % 2 else game.issues
        yield Offer({issue.name: rng.choice([*issue.terms(game.seats)]) for issue in issues})


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", GAMES)
def test_every_single_term_is_read_as_it_was_said(name: str, language: str) -> None:
    game = shipped(name)
    singles = (Offer({issue.name: term}) for issue in game.issues for term in issue.terms(game.seats))

    assert misread(game, singles, language) == []


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", GAMES)
def test_offers_of_several_terms_are_read_as_they_were_said(name: str, language: str) -> None:
    game = shipped(name)

    assert misread(game, random_offers(game, 60), language) == []


@pytest.mark.parametrize("name", GAMES)
def test_german_offers_in_the_words_of_the_game_are_read_as_they_were_said(name: str) -> None:
    game = shipped(name)
    shown = with_localized_names(game, "de")  # as a session in a German window has it

    wrong = [
        said
        for offer in random_offers(game, 20)
        for seat in game.seats
        for said in [offer_in_words(offer, with_localized_talk(game, seat, "de"), seat, language="de")]
        if parse(said, DialogueContext(shown, seat, language="de")).offer != offer
    ]

    assert wrong == []


@pytest.mark.parametrize("name", GAMES)
def test_no_shipped_game_says_a_term_with_a_colon_or_a_semicolon(name: str) -> None:
    game = shipped(name)

    said = [offer_in_words(offer, game, game.seats[0]) for offer in random_offers(game, 60)]

    assert [text for text in said if ":" in text or ";" in text] == []


def test_a_spoken_value_is_the_value_only_where_it_stands_alone_or_in_a_list() -> None:
    game = shipped("job_candidate")

    read = [
        parse(text, DialogueContext(game, "candidate")).offer
        for text in ("a leased car", "without a leased car", "How about a leased car?")
    ]

    with_car, without_car = Offer({"car": "With leased car"}), Offer({"car": "Without leased car"})
    assert read == [with_car, without_car, with_car]


def test_all_units_for_one_side_are_read_as_said() -> None:
    game = shipped("campsite")
    whole = Offer({kind: Allocation({"human": 3, "agent": 0}) for kind in ("food", "water", "firewood")})

    said = offer_in_words(whole, game, "human")

    assert said == "3 packages of food, 3 packages of water and 3 packages of firewood for me"
    assert parse(said, DialogueContext(game, "human")).offer == whole
