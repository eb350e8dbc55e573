"""Shipped games and agents in the window's language; all other texts unchanged."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from negoplatform.app.catalogue.catalogue import find_game
from negoplatform.app.support.localized_game_names import translated_names
from negoplatform.domain.game import GameSpec
from negoplatform.domain.game_display_texts import translatable_texts
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.gui.shell.debriefing_controller import translate_debriefing
from negoplatform.presentation.i18n import LANGUAGES, Language
from negoplatform.presentation.issue_number_text import parse_number
from negoplatform.presentation.localized_names import localized_role
from negoplatform.presentation.offers.offer_sentence import offer_sentence
from tests.presentation.bargaining_desk import rules_page

NOWHERE = Path("no such folder")
GAMES = (
    *("campsite", "flatmates", "job_candidate", "land_sale", "practice", "resource_exchange"),
    *("harvest_fair", "three_way", "used_car"),
    *("grain_market", "land_market", "tac_market", "tac_trading"),
)
OTHERS = sorted(set(LANGUAGES) - {"en"})
GERMAN, HEBREW = Language.load("de"), Language.load("he")


@pytest.fixture
def job() -> GameSpec:
    return find_game("job_candidate", NOWHERE).resolve_profiles(1)


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", GAMES)
def test_every_text_of_a_shipped_game_is_translated(name: str, language: str) -> None:
    game = find_game(name, NOWHERE)
    translate = Language.load(language).for_game(name)

    texts = [text for text in translatable_texts(game) if any(map(str.isalpha, text)) and text != "€"]

    assert len(texts) > 5
    assert [text for text in texts if translate.translate_plugin_text(text) == text] == []


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", GAMES)
def test_two_values_of_an_issue_never_look_the_same(name: str, language: str) -> None:
    game = find_game(name, NOWHERE)
    translate = Language.load(language).for_game(name)

    for issue in game.issues:
        values = [translate.translate_plugin_text(str(value)) for value in getattr(issue, "values", ())]
        assert len(set(values)) == len(values)


def test_an_offer_is_shown_in_german_and_kept_as_the_game_has_it(job: GameSpec) -> None:
    offer = Offer({"car": "With leased car", "salary": "90,000 USD", "pension": "10%"})

    said = offer_sentence(offer, job, "candidate", {"employer": "Alex"}, GERMAN.for_game(job.name))

    assert said == "Gehalt 90.000 USD, mit Dienstwagen, Altersvorsorge 10%"
    assert offer.get("car") == "With leased car"


def test_one_thing_has_a_word_of_its_own(practice: GameSpec) -> None:
    def told(n: int) -> str:
        offer = Offer({"apples": Allocation({"human": n, "agent": 6 - n}), "day": "Sunday"})
        return offer_sentence(offer, practice, "human", {"agent": "Rowan"}, GERMAN.for_game("practice"))

    assert told(1) == "1 Apfel für Sie, 5 Äpfel für Rowan, Sonntag"
    assert told(5) == "5 Äpfel für Sie, 1 Apfel für Rowan, Sonntag"


def test_a_game_of_somebody_else_is_shown_as_it_is_written(job: GameSpec) -> None:
    own = replace(job, name="our_job")

    assert GERMAN.for_game(own.name).translate_plugin_text("Salary") == "Salary"
    assert GERMAN.for_game(job.name).translate_plugin_text("Salary") == "Gehalt"
    assert GERMAN.for_game(job.name).translate_plugin_text("Wages") == "Wages"
    assert GERMAN.translate_plugin_text("Salary") == "Salary"


@pytest.mark.parametrize("translate", [GERMAN, HEBREW], ids=["de", "he"])
def test_rules_and_roles_are_shown_in_the_windows_language(job: GameSpec, translate: Language) -> None:
    own = translate.for_game(job.name)

    view = rules_page(job, "candidate", {"employer": "Alex"}, own)

    assert localized_role("employer", own) in view.subtitle
    about = " ".join(view.sections[0][1])
    assert own.translate_plugin_text(job.stories["candidate"]) in about
    assert "candidate" not in f"{view.title} {view.subtitle} {about}"


def test_a_debriefing_is_translated_by_its_paragraphs() -> None:
    text = "Your words stay.\n\nIf you have questions or concerns,\nplease talk to the experimenter."

    assert translate_debriefing(text, GERMAN.for_agents()) == (
        "Your words stay.\n\nWenn Sie Fragen oder Bedenken haben, sprechen Sie bitte mit der Versuchsleitung."
    )


def test_a_price_is_typed_as_the_language_writes_it() -> None:
    (price, *_) = find_game("land_sale", NOWHERE).issues

    assert parse_number("145.000 €", price, GERMAN.for_game("land_sale")).number == 145_000  # type: ignore[arg-type]  # a number issue


def test_the_shown_names_of_a_game_are_told_outside_of_the_window(job: GameSpec, practice: GameSpec) -> None:
    names = translated_names(job, "de")

    assert names["Leased car"] == ("Dienstwagen",)
    assert names["8 hours"] == ("8 Stunden",)
    assert translated_names(practice, "de")["Apples"] == ("Äpfel", "Apfel")
    assert translated_names(job, "en")["Leased car"] == ("Leased car",)
    assert translated_names(replace(job, name="our_job"), "de")["Salary"] == ("Salary",)
