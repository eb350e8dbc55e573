"""The context of a text, and an agent's view of the last text."""

from __future__ import annotations

import pytest

from negoplatform.core.events import Message, MessageSubtype, Preference, Relation
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import EMPTY_OFFER
from negoplatform.language.parsing.dialogue_context import MAX_HISTORY, DialogueTurn, dialogue_context
from negoplatform.language.parsing.interpretation import DialogueAct, Interpretation
from negoplatform.language.parsing.parser import parse_message
from negoplatform.testing import TrialTable


def test_a_situation_holds_the_offer_on_the_table_and_the_talk_before(practice: GameSpec) -> None:
    table = TrialTable(practice)
    table.human.says("Hello.")
    offered = table.agent.offers(apples=(3, 3)).seq
    table.human.says("And now?")

    situation = dialogue_context(table.state, "human")
    before_the_offer = dialogue_context(table.state, "human", before=offered)

    assert situation.maker == "agent"
    assert [said.text for said in situation.history] == ["Hello.", "", "And now?"]
    assert situation.history[1].offer == situation.on_table != EMPTY_OFFER
    assert before_the_offer.on_table == EMPTY_OFFER
    assert before_the_offer.maker is None
    assert before_the_offer.history == (DialogueTurn("human", "Hello."),)


def test_only_the_newest_talk_is_remembered(practice: GameSpec) -> None:
    table = TrialTable(practice)
    for i in range(2 * MAX_HISTORY + 3):
        table.human.says(f"Word {i}.")

    talk = dialogue_context(table.state, "agent").history

    assert MAX_HISTORY <= len(talk) <= MAX_HISTORY + 128
    assert talk[-1].text == f"Word {2 * MAX_HISTORY + 2}."


def test_the_first_remembered_words_change_seldom(practice: GameSpec) -> None:
    table = TrialTable(practice)
    firsts = set()
    for i in range(MAX_HISTORY + 300):
        table.human.says(f"Word {i}.")
        firsts.add(dialogue_context(table.state, "agent").history[0].text)

    assert len(firsts) <= 4


def test_a_phrase_that_was_chosen_says_itself_what_it_is(practice: GameSpec) -> None:
    table = TrialTable(practice)
    table.start()
    wish = Preference("apples", Relation.BEST)
    message = Message("2 apples for me, I need them most.", MessageSubtype.PREF_INFO, wish)

    reading = parse_message(message, dialogue_context(table.state, "human"))

    assert reading.acts == (DialogueAct(MessageSubtype.PREF_INFO, 1.0, wish),)
    assert reading.offers == ()
    assert reading.about == ("apples",)


def test_an_agent_reads_the_others_last_words_and_never_its_own(practice: GameSpec) -> None:
    table = TrialTable(practice)
    table.start()
    assert table.context("agent").reading is None

    table.human.says("Deal?", MessageSubtype.OFFER_PROPOSE)
    table.agent.says("Something of my own.")
    reading = table.context("agent").reading

    assert reading is not None
    assert reading.text == "Deal?"
    assert table.context("human").reading != reading


def test_a_context_works_a_reading_out_once(practice: GameSpec) -> None:
    table = TrialTable(practice)
    table.human.says("I would like 2 apples.")
    ctx = table.context("agent")

    assert ctx.reading is ctx.reading


@pytest.mark.parametrize(
    ("acts", "main"),
    [
        ((), MessageSubtype.GENERIC),
        (
            (DialogueAct(MessageSubtype.GREETING), DialogueAct(MessageSubtype.PREF_INFO)),
            MessageSubtype.PREF_INFO,
        ),
        (
            (DialogueAct(MessageSubtype.PREF_REQUEST), DialogueAct(MessageSubtype.OFFER_REJECT)),
            MessageSubtype.OFFER_REJECT,
        ),
        (
            (DialogueAct(MessageSubtype.GENERIC_POS), DialogueAct(MessageSubtype.THANKS)),
            MessageSubtype.THANKS,
        ),
    ],
)
def test_what_words_do_to_the_deal_goes_before_preferences_and_these_before_courtesy(
    acts: tuple[DialogueAct, ...], main: MessageSubtype
) -> None:
    assert Interpretation("", acts).subtype == main
