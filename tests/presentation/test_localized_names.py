"""Names of seats' occupants in the window's language."""

from __future__ import annotations

import pytest

from negoplatform.domain.game import GameSpec
from negoplatform.domain.game_display_texts import names_of_people
from negoplatform.presentation.i18n import ENGLISH, Language
from negoplatform.presentation.localized_names import localized_occupant, name_with_role
from tests.games import coins_only, shipped_games

GERMAN = Language.load("de")


def job() -> GameSpec:
    (game,) = [game for game in shipped_games("bargaining") if game.name == "job_candidate"]
    return game


def test_a_person_without_a_name_is_called_in_the_windows_language() -> None:
    game = coins_only()
    both = names_of_people(game, game.seats)

    assert localized_occupant("Participant", "human", game, GERMAN) == "Teilnehmende Person"
    assert localized_occupant(both["agent"], "agent", game, GERMAN) == "Person 2"
    assert localized_occupant(both["agent"], "agent", game, ENGLISH) == "Participant 2"


def test_a_person_in_a_role_is_called_by_the_role_in_the_windows_language() -> None:
    game = job()
    translate = GERMAN.for_game(game.name)

    assert localized_occupant("Candidate", "candidate", game, translate) == "Bewerber/in"
    assert localized_occupant("Candidate", "candidate", game, ENGLISH) == "Candidate"


@pytest.mark.parametrize("name", ["Alex", "Participants", "Participant X", "employer"])
def test_the_name_of_an_agent_stays_as_it_is(name: str) -> None:
    game = job()

    assert localized_occupant(name, "employer", game, GERMAN.for_game(game.name)) == name


def test_a_role_stands_beside_a_name_unless_the_name_is_the_role() -> None:
    assert name_with_role("Kim", "employer", ENGLISH) == "Kim (employer)"
    assert name_with_role("Employer", "employer", ENGLISH) == "Employer"
    assert name_with_role("Kim", "", ENGLISH) == "Kim"
