"""Agents that speak languages other than English."""

from __future__ import annotations

import re
from typing import Any

import pytest

from negoplatform.app.catalogue.catalogue import find_agent, find_game
from negoplatform.core.events import EventType, MessageSubtype
from negoplatform.domain.errors import NegoError
from negoplatform.language.generation import VOICES, languages
from negoplatform.presentation.start.agent_option_fields import agent_options
from negoplatform.testing import TrialTable
from tests.agents.kinds import has_kind, parts_of
from tests.agents.seating import NOWHERE, TALKERS, VOICES_OF, of, shipped


def played(name: str, **config: Any) -> TrialTable:
    """Return a table at which a person has sent an agent messages and offers of every kind."""
    table = TrialTable(find_game("campsite", NOWHERE).resolve_profiles(1), seed=3)
    table.seat(shipped(name, **config))
    table.wait(12)
    for subtype in (
        MessageSubtype.PREF_REQUEST,
        MessageSubtype.BATNA_REQUEST,
        MessageSubtype.CONFUSION,
        MessageSubtype.TIMING_REQUEST,
        MessageSubtype.THANKS,
    ):
        table.human.says("A phrase.", subtype)
        table.wait(8)
    table.human.says("I take 2 food and 1 water.")
    table.wait(8)
    table.human.offers(food=(3, 0), water=(3, 0), firewood=(3, 0))
    table.wait(60)
    table.human.says("No.", MessageSubtype.OFFER_REJECT)
    table.wait(10)
    assert not table.errors
    return table


def said(table: TrialTable) -> list[str]:
    return [event.get_text() for event in of(table, EventType.SEND_MESSAGE, "agent")]


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", ["fair", *TALKERS])
def test_an_agent_greets_rejects_and_explains_in_the_language_that_it_is_set_to_alone(
    name: str, language: str
) -> None:
    # What it says beyond what is needed may be a reason of the game, in the game's own words.
    table = played(name, language=language, talkativeness=0)

    told = said(table)
    assert len(told) >= 5
    assert all(parts_of(text, VOICES_OF.get(name, "warm"), language) for text in told)
    subtypes = {event.payload.subtype for event in of(table, EventType.SEND_MESSAGE, "agent")}
    assert MessageSubtype.GREETING in subtypes


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("voice", VOICES)
def test_an_agent_speaks_each_language_in_the_voice_that_it_is_set_to(voice: str, language: str) -> None:
    told = said(played("conceding", language=language, persona=voice, talkativeness=0))

    assert len(told) >= 5
    assert all(parts_of(text, voice, language) for text in told)


@pytest.mark.parametrize("name", ["negochat", "kb_agent", "conceding", "lying"])
def test_offers_are_said_in_german_with_the_words_of_the_game(name: str) -> None:
    told = " ".join(said(played(name, language="de", talkativeness=0)))

    assert re.search("packages? of (food|water|firewood) für mich", told)
    assert not re.search(r"\b(for|me|you|and|points|minutes|seconds)\b", told)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("voice", VOICES)
def test_a_no_to_an_offer_in_words_is_in_the_language_too(voice: str, language: str) -> None:
    table = TrialTable(find_game("campsite", NOWHERE).resolve_profiles(1), seed=3)
    table.seat(shipped("conceding", language=language, persona=voice, talkativeness=0))
    table.wait(20)
    before = len(said(table))

    table.human.says("I take all the food, all the water and all the firewood.")
    table.wait(8)

    assert len(said(table)) > before
    assert has_kind(said(table)[before], "send_as_offer_no", voice, language)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", ["negochat", "building"])
def test_a_language_changes_words_and_nothing_else(name: str, language: str) -> None:
    def deeds(language: str) -> list[tuple[str, str | None, object]]:
        table = played(name, language=language, talkativeness=0)
        return [
            (event.type, event.sender, event.get_offer() if event.type == EventType.SEND_OFFER else None)
            for event in table.events
            if event.type in (EventType.SEND_OFFER, EventType.SEND_MESSAGE, EventType.FORMAL_ACCEPT)
        ]

    assert deeds(language) == deeds("en")


@pytest.mark.parametrize("name", TALKERS)
def test_the_window_offers_every_language_and_its_own_unless_one_is_chosen(name: str) -> None:
    options = {option.name: option for option in agent_options(find_agent(name, NOWHERE).options)}

    assert options["language"].default is None
    assert options["language"].choices == (None, *languages())
    assert options["language"].kind == "choice"


def test_a_language_that_is_not_there_is_refused_before_the_game() -> None:
    with pytest.raises(NegoError, match="language"):
        shipped("negochat", language="xx")


def test_the_agent_with_a_model_speaks_german_through_its_core_as_long_as_no_model_does() -> None:
    german: dict[str, Any] = {"core": "negochat", "core_settings": {"language": "de"}}

    assert said(played("language_model", **german)) == said(played("negochat", language="de"))
    with pytest.raises(NegoError, match="decides speaks 'de', and the model 'en'"):
        shipped("language_model", endpoint="http://127.0.0.1:1/v1", model="any", **german)
