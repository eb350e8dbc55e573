"""Effects of a yes, questions after an acceptance, and topics of a compromise."""

from __future__ import annotations

import re

import pytest

from negoplatform.core.events import MessageSubtype
from negoplatform.language.generation import VOICES, templates
from negoplatform.testing import TrialTable
from tests.agents.kinds import has_kind, kinds_of, parts_of
from tests.agents.negochat_table import accepts, last_words, offers, says, table_with, whole, words

GENERIC = MessageSubtype.GENERIC


def missing(table: TrialTable) -> list[str]:
    """Return the messages in which the candidate asked for a formal accept."""
    return [text for text in words(table) if kinds_of(text) & {"yours_missing", "offer_agreed"}]


@pytest.mark.parametrize("name", ["negochat", "negochat_a", "language_model"])
@pytest.mark.parametrize(
    ("seconds", "kinds"),
    [(3, {"open_terms", "open_whole"}), (5, {"ask_whether_yes"})],
    ids=["before its first proposal", "while it types that"],
)
def test_a_yes_before_anything_was_offered_is_no_yes_to_what_comes_after_it(
    name: str, seconds: float, kinds: set[str]
) -> None:
    table = table_with(name, seconds=seconds)

    says(table, GENERIC, "we have a deal", wait=12)

    assert len(offers(table)) == 1
    assert kinds_of(words(table)[-1]) & kinds
    assert accepts(table) == []


@pytest.mark.parametrize("name", ["negochat_a", "language_model"])
def test_what_it_asks_about_is_agreed_by_a_second_yes(name: str) -> None:
    table = table_with(name, seconds=5)
    says(table, GENERIC, "we have a deal", wait=12)
    asked, before = kinds_of(words(table)[-1]), list(accepts(table))

    says(table, GENERIC, "yes, we have a deal", wait=8)

    assert asked == {"ask_whether_yes"}
    assert before == []
    assert len(accepts(table)) == 1


def test_a_yes_to_nothing_brings_its_first_proposal() -> None:
    table = table_with("negochat_a", seconds=5, anchor_seconds=60)

    says(table, GENERIC, "we have a deal", wait=12)

    assert len(offers(table)) == 1
    assert accepts(table) == []


def test_what_is_missing_after_its_acceptance_is_said_three_times_at_most_and_slowly() -> None:
    table = table_with()
    table.participant("employer").offers(**whole())
    table.wait(9)
    accepted = accepts(table)[0].t

    for _ in range(6):
        table.wait(90)
        says(table, MessageSubtype.OFFER_ACCEPT, "Agreed.")

    assert 2 <= len(missing(table)) <= 3
    said = [event.t for event in table.events if event.get_text() in missing(table)]
    assert said[0] - accepted >= 25


LABELS = re.compile(r"\b(Accept|[Tt]he Rules button|a Rules button)\b")
"""Names of buttons that words may have: these two are in the window at any time in a game."""


@pytest.mark.parametrize("voice", VOICES)
def test_words_that_speak_of_a_button_name_one_that_is_there(voice: str) -> None:
    told = [text for there in templates("en", voice).values() for text in there]

    pressed = [text for text in told if re.search(r"\b(press|click|hit|button)s?\b", text, re.I)]

    assert pressed
    assert [text for text in pressed if not LABELS.search(text)] == []


@pytest.mark.parametrize("voice", VOICES)
def test_what_is_missing_after_its_acceptance_tells_no_one_to_press_accept(voice: str) -> None:
    # The button for one's own offer that the other has accepted says something else.
    told = templates("en", voice)["yours_missing"]

    assert [text for text in told if re.search(r"\b(your|you) [^.]*\bAccept\b", text)] == []


def test_a_compromise_is_about_the_issue_that_is_named() -> None:
    table = table_with()

    says(table, GENERIC, "how about we meet half way on pension?")

    assert set(offers(table)[-1]) == {"pension"}
    assert offers(table)[-1] != {"pension": "20%"}


def test_a_compromise_on_what_is_agreed_is_told_so() -> None:
    table = table_with(talkativeness=0)
    table.participant("employer").offers(salary="120,000 USD")
    table.wait(9)
    before = len(offers(table))

    says(table, GENERIC, "how about we meet half way on salary?")

    assert parts_of(words(table)[-1])[0] == {"took_terms"}
    assert "120,000 USD" in words(table)[-1]
    assert all(offer.get("salary", "120,000 USD") == "120,000 USD" for offer in offers(table)[before:])


def test_a_greeting_takes_no_questions_place() -> None:
    table = table_with("negochat_a")
    table.participant("employer").says("What do you need most?")

    says(table, MessageSubtype.GREETING, "Hello!")

    assert has_kind(last_words(table).get_text(), "pref_info_best")


@pytest.mark.parametrize(
    "text", ["hold on, I am not sure yet", "Give me a minute. Are you a real person?", "wait, let me think"]
)
def test_who_asks_for_time_gets_it(text: str) -> None:
    table = table_with()
    before = len(words(table))
    says(table, GENERIC, text)

    table.wait(45)
    early = words(table)[before:]
    table.wait(35)

    assert len(early) == 1, "the answer"
    assert len(words(table)) == before + 2


def test_a_silence_is_broken_as_its_settings_say() -> None:
    table = table_with(silence_seconds=50, later_silence_seconds=100, reminders=3)
    before = len(words(table))

    table.wait(45)
    none = len(words(table)) - before
    table.wait(15)
    one = len(words(table)) - before
    table.wait(80)
    still_one = len(words(table)) - before
    table.wait(250)

    assert (none, one, still_one, len(words(table)) - before) == (0, 1, 1, 3)
