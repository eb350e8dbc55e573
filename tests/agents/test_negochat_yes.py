"""Effects of a yes, questions after an acceptance, and topics of a compromise."""

from __future__ import annotations

import pytest

from negoplatform.core.events import MessageSubtype
from negoplatform.language.generation import templates
from negoplatform.testing import TrialTable
from tests.agents.negochat_table import accepts, last_words, offers, says, table_with, whole, words

GENERIC = MessageSubtype.GENERIC


def kinds_of(text: str) -> set[str]:
    """Return the kinds with a template whose beginning the sentence shares."""
    return {
        kind
        for kind, styles in templates("en").items()
        for there in styles.values()
        for template in there
        if text.startswith(template.partition("{")[0]) and template.partition("{")[0]
    }


def missing(table: TrialTable) -> list[str]:
    """Return the messages in which the candidate asked for a formal accept."""
    return [text for text in words(table) if kinds_of(text) & {"yours_missing", "offer_agreed"}]


@pytest.mark.parametrize("name", ["negochat", "negochat_a", "language_model"])
def test_a_yes_before_anything_was_offered_is_no_yes_to_what_comes_after_it(name: str) -> None:
    table = table_with(name, seconds=3)

    says(table, GENERIC, "we have a deal", wait=12)

    assert len(offers(table)) == 1
    assert "ask_whether_yes" in kinds_of(words(table)[-1])
    assert accepts(table) == []


@pytest.mark.parametrize("name", ["negochat_a", "language_model"])
def test_what_it_asks_about_is_agreed_by_a_second_yes(name: str) -> None:
    table = table_with(name, seconds=3)
    says(table, GENERIC, "we have a deal", wait=12)

    says(table, GENERIC, "yes, we have a deal", wait=8)

    assert len(accepts(table)) == 1


def test_a_yes_to_nothing_brings_its_first_proposal() -> None:
    table = table_with(seconds=1.5, reply_seconds=0)

    says(table, GENERIC, "we have a deal", wait=2)

    assert [set(offer) for offer in offers(table)] == [{"salary"}]


def test_what_is_missing_after_its_acceptance_is_said_three_times_at_most_and_slowly() -> None:
    table = table_with()
    table.participant("employer").offers(**whole())
    table.wait(6)
    accepted = accepts(table)[0].t

    for _ in range(6):
        table.wait(90)
        says(table, MessageSubtype.OFFER_ACCEPT, "Agreed.")

    assert 2 <= len(missing(table)) <= 3
    said = [event.t for event in table.events if event.get_text() in missing(table)]
    assert said[0] - accepted >= 25


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_words_name_a_button(language: str) -> None:
    buttons = ("Press", "press ", "click", "button", "Confirm the deal", "Drücken", "Knopf", "klick")

    told = [text for styles in templates(language).values() for there in styles.values() for text in there]

    assert [text for text in told if any(button in text for button in buttons)] == []


def test_a_compromise_is_about_the_issue_that_is_named() -> None:
    table = table_with()

    says(table, GENERIC, "how about we meet half way on pension?")

    assert set(offers(table)[-1]) == {"pension"}
    assert offers(table)[-1] != {"pension": "20%"}


def test_a_compromise_on_what_is_agreed_is_told_so() -> None:
    table = table_with()
    table.participant("employer").offers(salary="120,000 USD")
    table.wait(6)
    before = len(offers(table))

    says(table, GENERIC, "how about we meet half way on salary?")

    assert kinds_of(words(table)[-1]) & {"issue_settled", "issue_settled_next"}
    assert all(offer.get("salary", "120,000 USD") == "120,000 USD" for offer in offers(table)[before:])


def test_a_greeting_takes_no_questions_place() -> None:
    table = table_with("negochat_a")
    table.participant("employer").says("What do you need most?")

    says(table, MessageSubtype.GREETING, "Hello!")

    assert "need_most" in kinds_of(last_words(table).get_text())


def test_who_asks_for_time_gets_it() -> None:
    table = table_with()
    says(table, GENERIC, "hold on, I am not sure yet", wait=1)
    before = len(words(table))

    table.wait(50)
    early = words(table)[before:]
    table.wait(30)

    assert early == []
    assert len(words(table)) == before + 1


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
