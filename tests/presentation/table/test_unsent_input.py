"""Prepared but unsent input: its restoration after a refusal, and after an interruption."""

from __future__ import annotations

from typing import Any

import pytest

from negoplatform.core.events import Event, EventType, Message, MessageSubtype, Refusal
from negoplatform.domain.errors import Refused
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import QuantityIssue
from negoplatform.presentation.bargaining.draft_codec import dump_draft, load_draft
from negoplatform.presentation.bargaining.draft_offer import Draft
from negoplatform.presentation.table.unsent_input import UnsentInput
from negoplatform.testing import TrialTable

PHRASE = Message("What matters most to you?", MessageSubtype.PREF_REQUEST)


@pytest.fixture
def unsent(game: GameSpec) -> UnsentInput:
    """Unsent input of a game that has just begun, which is empty."""
    return UnsentInput("human", game, None, [])


def refusal(of: EventType = EventType.SEND_MESSAGE) -> Event:
    """Return the event with which a participant learns of a refused action."""
    return Event(7, 3.0, EventType.ACTION_REFUSED, "human", Refusal(of, "It is too late."))


def said(message: Message, sender: str = "human") -> Event:
    return Event(8, 3.0, EventType.SEND_MESSAGE, sender, message)


def test_typed_words_that_were_refused_come_back(unsent: UnsentInput) -> None:
    unsent.add(Message("Wait!"))

    assert unsent.resolve(refusal()) == (True, "Wait!")


def test_a_phrase_that_was_refused_does_not_come_back(unsent: UnsentInput) -> None:
    unsent.add(PHRASE)

    assert unsent.resolve(refusal()) == (True, "")


def test_words_that_were_said_do_not_come_back_and_are_kept_no_longer(unsent: UnsentInput) -> None:
    unsent.add(Message("Hello."))
    before = unsent.to_document("", {})["sent"]

    settled = unsent.resolve(said(Message("Hello.")))

    assert settled == (True, "")
    assert before == ["Hello."]
    assert unsent.to_document("", {})["sent"] == []


@pytest.mark.parametrize(
    "event", [said(Message("Hello."), "agent"), refusal(EventType.SEND_OFFER)], ids=["theirs", "an offer"]
)
def test_what_happens_to_others_and_to_offers_settles_no_words(unsent: UnsentInput, event: Event) -> None:
    unsent.add(Message("Wait!"))

    assert unsent.resolve(event) == (False, "")
    assert unsent.to_document("", {})["sent"] == ["Wait!"]


def test_what_was_not_on_its_way_is_not_given_back(unsent: UnsentInput) -> None:
    assert unsent.resolve(refusal()) == (False, "")


def test_several_messages_are_settled_in_the_order_in_which_they_were_sent(unsent: UnsentInput) -> None:
    for text in ("One.", "Two.", "Three."):
        unsent.add(Message(text))

    told = [unsent.resolve(event)[1] for event in (said(Message("One.")), said(Message("Two.")), refusal())]

    assert told == ["", "", "Three."]


def test_what_the_session_itself_refuses_comes_back(table: TrialTable) -> None:
    table.start()
    table.human.quits()
    table.human.says("Goodbye.")
    unsent = UnsentInput("human", table.state.game, None, [])
    unsent.add(Message("And another word."))

    with pytest.raises(Refused):
        table.human.says("And another word.")

    assert unsent.resolve(table.events[-1]) == (True, "And another word.")


def test_what_was_kept_is_there_again_with_the_words_that_were_on_their_way(game: GameSpec) -> None:
    bananas = game.issue("bananas")
    assert isinstance(bananas, QuantityIssue)
    first = UnsentInput("human", game, None, [])
    draft = Draft(game).give(bananas, "human", 3)
    first.add(Message("Sent and lost."))

    kept = first.to_document("Half a sent", dump_draft(draft))
    again = UnsentInput("human", game, kept, [])

    assert load_draft(kept, game) == draft
    assert again.restored_text == "Sent and lost. Half a sent"


def test_words_that_were_said_after_all_are_not_there_a_second_time(game: GameSpec) -> None:
    first = UnsentInput("human", game, None, [])
    first.add(Message("Said after all."))
    kept = first.to_document("Half a sent", {})

    again = UnsentInput("human", game, kept, [said(Message("Said after all."))])

    assert again.restored_text == "Half a sent"


def test_answers_of_before_are_counted_so_that_equal_words_stay_apart(game: GameSpec) -> None:
    earlier = [said(Message("Yes.")), refusal()]
    first = UnsentInput("human", game, None, earlier)
    first.add(Message("Yes."))
    kept: dict[str, Any] = first.to_document("", {})

    assert kept["answered"] == 2
    assert UnsentInput("human", game, kept, earlier).restored_text == "Yes."
    assert UnsentInput("human", game, kept, [*earlier, said(Message("Yes."))]).restored_text == ""


def test_typed_words_on_their_way_at_the_end_come_back_and_phrases_do_not(game: GameSpec) -> None:
    unsent = UnsentInput("human", game, None, [])
    unsent.add(Message("Goodbye!"))
    unsent.add(Message("It was a pleasure.", MessageSubtype.FAREWELL))
    unsent.add(Message("Really."))

    assert unsent.take_undelivered() == "Goodbye! Really."
    assert unsent.take_undelivered() == ""
