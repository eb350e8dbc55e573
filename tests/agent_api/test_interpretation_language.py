"""Language in which an agent's interpretations of typed words are made."""

from __future__ import annotations

from dataclasses import replace

import pytest

from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.testing import TrialTable


@pytest.mark.parametrize(
    ("language", "text", "human"),
    [
        ("", "I get 2 apples and you get 4 apples", 2),
        ("de", "Ich nehme 2 apples und du nimmst 4 apples", 2),
        ("he", "I get 2 apples and you get 4 apples", None),
    ],
)
def test_an_agent_reads_in_the_language_of_the_session(
    practice: GameSpec, language: str, text: str, human: int | None
) -> None:
    game = replace(practice, rules=replace(practice.rules, reading_language=language))
    table = TrialTable(game)
    table.start()

    table.human.says(text)
    reading = table.context("agent").reading

    assert reading is not None
    assert reading.text == text
    wanted = () if human is None else (Offer({"apples": Allocation({"human": human, "agent": 6 - human})}),)
    assert reading.offers == wanted


@pytest.mark.parametrize(("language", "topics"), [("", ["WHY"]), ("he", [])])
def test_an_agent_gets_the_topics_of_the_last_message_of_the_other_side(
    practice: GameSpec, language: str, topics: list[str]
) -> None:
    game = replace(practice, rules=replace(practice.rules, reading_language=language))
    table = TrialTable(game)
    table.start()

    table.human.says("are you a bot?")
    table.human.says("why Sunday?")

    assert [mention.topic for mention in table.context("agent").topics] == topics


def test_an_agent_has_no_topics_before_any_message(practice: GameSpec) -> None:
    table = TrialTable(practice)
    table.start()

    assert table.context("agent").topics == ()
