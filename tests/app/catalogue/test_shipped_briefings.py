"""Briefings of the shipped games: complete, usable sentence by sentence, and true to the points."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from negoplatform.analysis.games.game_check import check_game
from negoplatform.domain.briefing import Briefing
from negoplatform.domain.game import GameSpec
from negoplatform.domain.utility import AdditiveUtility
from tests.games import shipped_games

GAMES = shipped_games("bargaining")


def settled(game: GameSpec) -> Iterator[tuple[str, GameSpec]]:
    """Yield each seat with each of its profiles."""
    for seat in game.seats:
        for profile in game.profiles.get(seat, ()):
            yield seat, game.resolve_profiles(1, {seat: profile.name})
        if seat not in game.profiles:
            yield seat, game.resolve_profiles(1)


def sentences(briefing: Briefing) -> list[str]:
    """Return every sentence of a briefing."""
    levels = [said for _, by_level in briefing.value_reasons for _, some in by_level for said in some]
    return [*briefing.shown_texts(), *levels]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_nothing_is_missing_in_a_shipped_game(game: GameSpec) -> None:
    texts = (".background", ".reasons", ".spoken")

    assert [finding for finding in check_game(game) if finding.place.endswith(texts)] == []


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_sentence_stands_alone_and_is_said_once(game: GameSpec) -> None:
    for seat, chosen in settled(game):
        said = sentences(chosen.briefings[seat])

        assert len(set(said)) == len(said)
        assert [text for text in said if not re.fullmatch(r"[A-Z].*[.]", text)] == []
        assert [text for text in said if re.match(r"(And|But|Because|So|That’s why)\b", text)] == []
        assert [text for text in said if "'" in text] == []


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_no_sentence_reveals_points(game: GameSpec) -> None:
    said = [text for seat, chosen in settled(game) for text in sentences(chosen.briefings[seat])]

    assert [text for text in said if re.search(r"\bpoints?\b|\d", text)] == []


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_two_sides_say_different_things(game: GameSpec) -> None:
    by_seat: dict[str, set[str]] = {seat: set() for seat in game.seats}
    for seat, chosen in settled(game):
        by_seat[seat] |= set(sentences(chosen.briefings[seat]))

    assert set.intersection(*by_seat.values()) == set()


def test_a_camper_gives_the_same_reasons_for_what_is_needed_equally() -> None:
    campsite = next(game for game in GAMES if game.name == "campsite")
    found: dict[tuple[str, str, float], set[tuple[str, ...]]] = {}
    for seat, chosen in settled(campsite):
        utility = chosen.preferences[seat].utility
        assert isinstance(utility, AdditiveUtility)
        for kind, table in utility.tables.items():
            reasons = chosen.briefings[seat].reasons_of(kind)
            found.setdefault((seat, kind, table[1]), set()).add(reasons)

    assert len(found) == 18
    assert {len(reasons) for reasons in found.values()} == {1}
    assert len({reasons for some in found.values() for reasons in some}) == 18
