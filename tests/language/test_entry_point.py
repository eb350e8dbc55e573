"""The entry point of the parser, and the import paths that the agent API promised in 1.0."""

from __future__ import annotations

import importlib
import subprocess
import sys
from random import Random

import pytest

import negoplatform.language
import negoplatform.language.generation
from negoplatform.core.events import Message, MessageSubtype
from negoplatform.domain.game import GameSpec
from negoplatform.formats.games import load_game
from negoplatform.language import DialogueContext, Interpretation, Parser, parse, parse_message
from negoplatform.language.generation import VOICES, Words, templates
from negoplatform.language.generation.templates import KINDS_OF_1_0
from negoplatform.plugins.program_and_user_folders import bundled

PROMISED = {
    "negoplatform.language.words": "STYLES Words languages templates",
    "negoplatform.language.phrasing": (
        "Forms forms listed number_in_words offer_in_words points_in_words term_in_words time_in_words "
        "title_in_words units_in_words value_in_words"
    ),
    "negoplatform.language.reading": "SURE Act Doubt Need Part PartKind Reading",
    "negoplatform.language.generation.templates": "VOICES Words languages templates",
    "negoplatform.language.generation.offer_verbalizer": "offer_in_words term_in_words points_in_words",
    "negoplatform.language.parsing.interpretation": "Interpretation DialogueAct Need",
    "negoplatform.language_model.voice": "Voice",
    "negoplatform.language_model.opening": "voice_for",
    "negoplatform.language_model.settings": "ModelSettings refuse_keys",
}


@pytest.fixture(scope="module")
def campsite() -> GameSpec:
    return load_game(bundled("games") / "campsite.json")


@pytest.mark.parametrize("path", PROMISED)
def test_a_documented_import_path_has_its_names(path: str) -> None:
    module = importlib.import_module(path)

    assert [name for name in PROMISED[path].split() if not hasattr(module, name)] == []


def test_the_old_paths_import_without_a_warning() -> None:
    imports = "; ".join(f"import {path}" for path in PROMISED)

    done = subprocess.run([sys.executable, "-W", "error", "-c", imports], capture_output=True, text=True)

    assert (done.returncode, done.stderr) == (0, "")


def test_an_old_name_is_the_same_class() -> None:
    old = importlib.import_module("negoplatform.language.reading")

    assert old.Reading is Interpretation
    assert (
        importlib.import_module("negoplatform.language.words").Words is negoplatform.language.generation.Words
    )
    assert importlib.import_module("negoplatform.language.words").STYLES == VOICES


@pytest.mark.parametrize("style", ["warm", "neutral", "tough"])
def test_words_speak_in_the_styles_and_kinds_of_version_1_0(style: str) -> None:
    words, rng = Words(language="en", style=style), Random(1)

    refused = words.say("reject_offer", rng)
    asked = words.say("send_as_offer", rng, offer="2 packages of food for me")

    assert refused in templates("en", style)["refuse_plain"]
    assert "2 packages of food for me" in asked
    assert {*KINDS_OF_1_0.values()} <= set(templates("en", style))
    assert not {*KINDS_OF_1_0} & set(templates("en", style))


def test_another_parser_can_take_the_place_of_the_shipped_one(campsite: GameSpec) -> None:
    def deaf(text: str, context: DialogueContext, /) -> Interpretation:
        return Interpretation(text)

    parsers: list[Parser] = [parse, deaf]
    message, context = Message("I take all the food"), DialogueContext(campsite, campsite.seats[0])

    read = [parse_message(message, context, parser) for parser in parsers]

    assert [bool(one.offers) for one in read] == [True, False]


def test_a_chosen_phrase_needs_no_parser(campsite: GameSpec) -> None:
    def broken(text: str, context: DialogueContext, /) -> Interpretation:
        raise AssertionError(text)

    context = DialogueContext(campsite, campsite.seats[0])

    read = parse_message(Message("Hello!", MessageSubtype.GREETING), context, broken)

    assert read.subtype == MessageSubtype.GREETING
